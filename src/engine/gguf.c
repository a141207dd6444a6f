/* gguf.c: a model out of GGUF files.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "gguf/gguf.h"

enum { LABEL = 256 };

typedef struct label {
    char s[LABEL];
} label;

/* "FILE (layout A), read as config.json" */
static label label_of(const char *file, char scheme, const char *name) {
    label l;
    (void)snprintf(l.s, sizeof l.s, "%.180s (layout %c), read as %s", file, scheme, name);
    return l;
}

static kz_text_file text_of(const kz_gguf_model *g, kz_gguf_text which, const label *l) {
    return (kz_text_file){g->texts[which], g->n_text[which], l->s};
}

static kztts_status make_tokenizer(kz_tokenizer **out, const kz_gguf_model *g, kz_pattern pattern, kz_err *err) {
    label tokens = label_of(g->label, g->scheme, "vocab.json"), merges = label_of(g->label, g->scheme, "merges.txt"),
          config = label_of(g->label, g->scheme, "tokenizer_config.json");
    kz_tokenizer_files files = {
        .vocab = {tokens.s, g->texts[KZ_GGUF_VOCAB], g->n_text[KZ_GGUF_VOCAB]},
        .merges = {merges.s, g->texts[KZ_GGUF_MERGES], g->n_text[KZ_GGUF_MERGES]},
        .config = {config.s, g->texts[KZ_GGUF_TOKENIZER], g->n_text[KZ_GGUF_TOKENIZER]},
    };
    return kz_tokenizer_from(out, &files, pattern, err);
}

kztts_status kz_tokenizer_gguf(kz_tokenizer **out, const char *path, kz_pattern pattern, kz_err *err) {
    kz_gguf_model g;
    *out = NULL;
    KZ_TRY(kz_gguf_open(&g, path, NULL, KZ_GGUF_ONLY_TOKENIZER, err));
    kztts_status status = make_tokenizer(out, &g, pattern, err);
    kz_gguf_close(&g);
    return status;
}

/* A codec's folder beside a talker's file: its settings and tensors. */
static kztts_status open_folder(kz_gguf_model *g, kz_err *err) {
    char *config = kz_path_join(g->codec_path, "config.json");
    if (!config)
        return kz_fail_memory(err, strlen(g->codec_path), "a path");
    kztts_status status = kz_file_read(&g->texts[KZ_GGUF_CODEC], &g->n_text[KZ_GGUF_CODEC], config, 1 << 24, err);
    kz_free(config);
    KZ_TRY(status);
    return kz_weights_open_dir(&g->codec, g->codec_path, err);
}

static label codec_label(const kz_gguf_model *g) {
    label l;
    if (!g->codec_is_folder)
        return label_of(g->codec_path, g->codec_scheme, "speech_tokenizer/config.json");
    (void)snprintf(l.s, sizeof l.s, "%.200s/config.json", g->codec_path);
    return l;
}

static void name_format(kz_model *m, const kz_gguf_model *g) {
    if (g->codec_is_folder)
        (void)snprintf(m->format, sizeof m->format, "GGUF, layout %c, codec safetensors", g->scheme);
    else if (g->scheme != g->codec_scheme)
        (void)snprintf(m->format, sizeof m->format, "GGUF, layout %c, codec %c", g->scheme, g->codec_scheme);
    else
        (void)snprintf(m->format, sizeof m->format, "GGUF, layout %c", g->scheme);
}

static kztts_status fill_model(kz_model *m, kz_gguf_model *g, kz_err *err) {
    label config = label_of(g->label, g->scheme, "config.json"), codec = codec_label(g),
          generation = label_of(g->label, g->scheme, "generation_config.json");
    kz_text_file texts[3] = {text_of(g, KZ_GGUF_CONFIG, &config), text_of(g, KZ_GGUF_GENERATION, &generation),
                             text_of(g, KZ_GGUF_CODEC, &codec)};
    kztts_status status = kz_config_parse(&m->cfg, &texts[0], &texts[1], &texts[2], err);
    if (status < 0) {
        kz_gguf_name_key(g, err);
        return status;
    }
    KZ_TRY(make_tokenizer(&m->tokenizer, g, KZ_PATTERN_NATIVE, err));
    m->weights = g->weights;
    m->codec_weights = g->codec;
    g->weights = g->codec = NULL;
    name_format(m, g);
    kz_model_log(m, KZTTS_LOG_DEBUG, "layout %c; the codec is in %s", g->scheme, g->codec_path);
    return KZTTS_OK;
}

kztts_status kz_model_open_gguf(kz_model *m, const char *path, const char *codec, kz_err *err) {
    kz_gguf_model g;
    KZ_TRY(kz_gguf_open(&g, path, codec, KZ_GGUF_MODEL, err));
    kztts_status status = g.codec_is_folder ? open_folder(&g, err) : KZTTS_OK;
    if (status >= 0)
        status = fill_model(m, &g, err);
    kz_gguf_close(&g);
    return status;
}

kztts_status kz_codec_open_gguf(kz_codec_config *cfg, kz_weights **w, const char *path, const char *codec,
                                kz_err *err) {
    kz_gguf_model g;
    KZ_TRY(kz_gguf_open(&g, path, codec, KZ_GGUF_ONLY_CODEC, err));
    kztts_status status = g.codec_is_folder ? open_folder(&g, err) : KZTTS_OK;
    if (status >= 0) {
        label l = codec_label(&g);
        kz_text_file text = text_of(&g, KZ_GGUF_CODEC, &l);
        status = kz_codec_config_parse(cfg, &text, err);
        if (status < 0)
            kz_gguf_name_key(&g, err);
    }
    if (status >= 0) {
        *w = g.codec;
        g.codec = NULL;
    }
    kz_gguf_close(&g);
    return status;
}
