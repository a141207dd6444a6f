/* texts.c: the settings and tokenizer files of a model.  SPDX-License-Identifier: Apache-2.0 */
#include "convert/texts.h"

#include <string.h>

enum { FILE_LIMIT = 16 << 20 };

static const char *const gguf_names[KZ_GGUF_TEXTS] = {
    "config.json", "generation_config.json", "speech_tokenizer/config.json", "vocab.json",
    "merges.txt",  "tokenizer_config.json"};

kztts_status kz_texts_open(kz_texts *t, const kz_model *m, const char *source, const char *codec, kz_err *err) {
    *t = (kz_texts){.m = m, .source = source, .is_gguf = kz_gguf_is(source)};
    return t->is_gguf ? kz_gguf_open(&t->gguf, source, codec, KZ_GGUF_MODEL, err) : KZTTS_OK;
}

void kz_texts_close(kz_texts *t) {
    if (t->is_gguf)
        kz_gguf_close(&t->gguf);
}

static kztts_status read_below(const char *folder, const char *name, char **text, size_t *n, kz_err *err) {
    char *path = kz_path_join(folder, name);
    if (!path)
        return kz_fail_memory(err, strlen(folder), "a path");
    kztts_status status = KZTTS_OK;
    if (kz_file_exists(path))
        status = kz_file_read(text, n, path, FILE_LIMIT, err);
    kz_free(path);
    return status;
}

static kztts_status copy_text(const kz_gguf_model *g, const char *name, char **text, size_t *n, kz_err *err) {
    int i = 0;
    while (i < KZ_GGUF_TEXTS && strcmp(gguf_names[i], name) != 0)
        i++;
    if (i == KZ_GGUF_CODEC && g->codec_is_folder)
        return read_below(g->codec_path, "config.json", text, n, err);
    if (i == KZ_GGUF_TEXTS || !g->texts[i])
        return KZTTS_OK;
    *n = g->n_text[i];
    *text = kz_strndup(g->texts[i], g->n_text[i]);
    return *text ? KZTTS_OK : kz_fail_memory(err, g->n_text[i], name);
}

kztts_status kz_texts_get(const kz_texts *t, const char *name, char **text, size_t *n, kz_err *err) {
    *text = NULL;
    *n = 0;
    if (kz_weights_prepared(t->m->weights))
        return kz_prepared_text(text, n, t->m->weights, name, err);
    return t->is_gguf ? copy_text(&t->gguf, name, text, n, err) : read_below(t->source, name, text, n, err);
}
