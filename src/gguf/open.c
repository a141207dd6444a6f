/* open.c: a model out of its GGUF files.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "gguf/files.h"

bool kz_gguf_is(const char *path) {
    kz_file file;
    if (kz_file_map(&file, path, NULL) < 0)
        return false;
    bool is = file.size >= 4 && !memcmp(file.data, "GGUF", 4);
    kz_file_unmap(&file);
    return is;
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static kztts_status wrong_half(const kz_gg_file *f, const kz_gg_scheme *scheme, kz_err *err) {
    return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: layout %c: this file is the %s half of a model; name the %s's file",
                   f->label, scheme->name, scheme->is_codec ? "codec" : "talker",
                   scheme->is_codec ? "talker" : "codec");
}

/* Moves the half to its place. */
static kztts_status open_half(kz_gg_source *s, const char *path, bool codec) {
    kz_gg_half half;
    KZ_TRY(kz_gg_half_open(&half, path, s->err));
    if (half.scheme->is_codec != codec) {
        kztts_status status = wrong_half(&half.files[0], half.scheme, s->err);
        kz_gg_half_close(&half);
        return status;
    }
    s->half[codec] = half;
    return KZTTS_OK;
}

static kztts_status keep_path(char **out, const char *path, kz_err *err) {
    *out = kz_strndup(path, strlen(path));
    return *out ? KZTTS_OK : kz_fail_memory(err, strlen(path), "a path");
}

static kztts_status open_codec(kz_gg_source *s, kz_gguf_model *out, const char *path, const char *codec) {
    if (codec)
        KZ_TRY(keep_path(&out->codec_path, codec, s->err));
    else
        KZ_TRY(kz_gg_find_codec(&out->codec_path, path, s->half[0].scheme, s->err));
    out->codec_is_folder = kz_file_is_dir(out->codec_path);
    return out->codec_is_folder ? KZTTS_OK : open_half(s, out->codec_path, true);
}

/* The codec alone may be given by its own file. */
static kztts_status open_only_codec(kz_gg_source *s, kz_gguf_model *out, const char *path, const char *codec) {
    kz_gg_half half;
    KZ_TRY(kz_gg_half_open(&half, path, s->err));
    s->half[half.scheme->is_codec] = half;
    return half.scheme->is_codec ? keep_path(&out->codec_path, path, s->err) : open_codec(s, out, path, codec);
}

static kztts_status open_files(kz_gg_source *s, kz_gguf_model *out, const char *path, const char *codec,
                               kz_gguf_want want) {
    kz_shown shown = kz_show_path(path);
    KZ_TRY(keep_path(&out->label, shown.s, s->err));
    if (want == KZ_GGUF_ONLY_CODEC)
        return open_only_codec(s, out, path, codec);
    KZ_TRY(open_half(s, path, false));
    return want == KZ_GGUF_MODEL ? open_codec(s, out, path, codec) : KZTTS_OK;
}

/* ---- contents ---------------------------------------------------------------------------------------------- */

static kztts_status read_text(kz_gg_source *s, kz_gguf_model *out, kz_gguf_text which) {
    return kz_gg_settings(s, which, &out->texts[which], &out->n_text[which]);
}

static kztts_status read_model(kz_gg_source *s, kz_gguf_model *out) {
    KZ_TRY(read_text(s, out, KZ_GGUF_CONFIG));
    KZ_TRY(read_text(s, out, KZ_GGUF_GENERATION));
    return kz_gg_weights(&out->weights, s, false);
}

static kztts_status read_codec(kz_gg_source *s, kz_gguf_model *out) {
    KZ_TRY(read_text(s, out, KZ_GGUF_CODEC));
    return kz_gg_weights(&out->codec, s, true);
}

static kztts_status read_all(kz_gg_source *s, kz_gguf_model *out, kz_gguf_want want) {
    out->scheme = s->half[0].scheme ? s->half[0].scheme->name : 0;
    out->codec_scheme = s->half[1].scheme ? s->half[1].scheme->name : 0;
    KZ_TRY(kz_gg_map_tensors(s));
    if (want != KZ_GGUF_ONLY_CODEC)
        KZ_TRY(kz_gg_tokenizer(s, out));
    if (want == KZ_GGUF_MODEL)
        KZ_TRY(read_model(s, out));
    return want == KZ_GGUF_ONLY_TOKENIZER || out->codec_is_folder ? KZTTS_OK : read_codec(s, out);
}

kztts_status kz_gguf_open(kz_gguf_model *out, const char *path, const char *codec, kz_gguf_want want, kz_err *err) {
    *out = (kz_gguf_model){0};
    kz_gg_source *s = kz_alloc(1, sizeof *s);
    if (!s)
        return kz_fail_memory(err, sizeof *s, "a GGUF file");
    s->err = err;
    s->n_ref = 1;
    kztts_status status = open_files(s, out, path, codec, want);
    if (status >= 0)
        status = read_all(s, out, want);
    s->err = NULL;
    kz_gg_source_release(s);
    if (status < 0)
        kz_gguf_close(out);
    return status;
}

void kz_gguf_close(kz_gguf_model *m) {
    kz_weights_close(m->codec);
    kz_weights_close(m->weights);
    for (int i = 0; i < KZ_GGUF_TEXTS; i++)
        kz_free(m->texts[i]);
    kz_free(m->label);
    kz_free(m->codec_path);
    *m = (kz_gguf_model){0};
}

/* ---- weights ----------------------------------------------------------------------------------------------- */

void kz_gg_source_release(void *source) {
    kz_gg_source *s = source;
    if (--s->n_ref)
        return;
    kz_gg_half_close(&s->half[0]);
    kz_gg_half_close(&s->half[1]);
    kz_free(s->tensors);
    kz_free(s);
}

static bool of_codec(const char *name) { return !strncmp(name, "decoder.", 8) || !strncmp(name, "encoder.", 8); }

/* What a missing tensor would be called in the file. */
static void name_in_file(const void *source, const char *ours, char *out, size_t n_out) {
    const kz_gg_source *s = source;
    char name[KZ_GG_NAME];
    for (int h = 0; h < 2; h++)
        if (s->half[h].scheme && kz_gg_to_file(name, s->half[h].names, ours)) {
            (void)snprintf(out, n_out, "layout %c: tensor \"%s\"", s->half[h].scheme->name, name);
            return;
        }
    (void)snprintf(out, n_out, "tensor \"%s\"", ours);
}

/* Files that hold any of the tensors, for sizes and messages: layout D's second one serves both. */
static kztts_status adopt(kz_weights **out, kz_gg_source *s, const kz_tensor *list, size_t n, bool codec) {
    kz_adopted_file files[2 * KZ_GG_PARTS];
    size_t n_file = 0;
    for (int h = 0; h < 2; h++)
        for (size_t i = 0; i < s->half[h].n_file; i++)
            if ((h == 1) == codec || s->half[1].scheme == &kz_gg_d_codec)
                files[n_file++] = (kz_adopted_file){s->half[h].files[i].label, s->half[h].files[i].file};
    kz_adopted what = {.files = files,
                       .n_file = n_file,
                       .tensors = list,
                       .n_tensor = n,
                       .name_in_file = name_in_file,
                       .release = kz_gg_source_release,
                       .owner = s};
    KZ_TRY(kz_weights_adopt(out, &what, s->err));
    s->n_ref++;
    return KZTTS_OK;
}

kztts_status kz_gg_weights(kz_weights **out, kz_gg_source *s, bool codec) {
    size_t n = 0;
    kz_tensor *list = kz_alloc(s->n_tensor + 1, sizeof *list);
    *out = NULL;
    if (!list)
        return kz_fail_memory(s->err, s->n_tensor * sizeof *list, "the list of tensors");
    for (size_t i = 0; i < s->n_tensor; i++)
        if (of_codec(s->tensors[i].name) == codec) {
            list[n] = s->tensors[i].t;
            list[n++].name = s->tensors[i].name;
        }
    kztts_status status = adopt(out, s, list, n, codec);
    kz_free(list);
    return status;
}
