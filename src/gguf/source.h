/* source.h: a model's files while they are read. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         GGUF files
 * out        tensors under a checkpoint's names, settings and tokenizer as texts
 * state      none after opening
 * threads    one
 * memory     lists and texts, freed with the last kz_gg_source_release */
#ifndef KZ_GGUF_SOURCE_H
#define KZ_GGUF_SOURCE_H

#include "gguf/gguf.h"
#include "gguf/scheme.h"

enum { KZ_GG_PARTS = 128 }; /* files of a split half */

/* Talker or codec. */
typedef struct kz_gg_half {
    const kz_gg_scheme *scheme; /* NULL: not there */
    const kz_gg_name *names;
    kz_gg_file *files;
    size_t n_file;
} kz_gg_half;

typedef struct kz_gg_named {
    kz_tensor t;
    char name[KZ_GG_NAME];
} kz_gg_named;

typedef struct kz_gg_source {
    kz_gg_half half[2]; /* talker, codec */
    kz_gg_named *tensors;
    size_t n_tensor, cap;
    size_t n_text_token; /* tokens of the text; layout D has codec tokens behind them. 0: all */
    int n_ref;           /* weights that use the files, and who opens them */
    kz_err *err;
} kz_gg_source;

/* Reads the part or all parts (`-00001-of-00003`) that path names. */
kztts_status kz_gg_half_open(kz_gg_half *half, const char *path, kz_err *err);
void kz_gg_half_close(kz_gg_half *half);

/* Fills tensors from both halves. */
kztts_status kz_gg_map_tensors(kz_gg_source *s);
const kz_tensor *kz_gg_tensor_named(const kz_gg_source *s, const char *name); /* or NULL */
kztts_status kz_gg_weights(kz_weights **out, kz_gg_source *s, bool codec);

/* A key of either half, or NULL; *file is where it was found. */
const kz_gg_value *kz_gg_find_key(const kz_gg_source *s, const char *key, const kz_gg_file **file);

/* Settings as the text of a checkpoint's file. */
kztts_status kz_gg_settings(kz_gg_source *s, kz_gguf_text which, char **text, size_t *n);

/* vocab.json, merges.txt and tokenizer_config.json. */
kztts_status kz_gg_tokenizer(kz_gg_source *s, kz_gguf_model *out);

/* The id of a token by its text, -1: none. In layout D codec tokens count from 0. */
int64_t kz_gg_token_id(const kz_gg_source *s, const char *text, size_t n);

/* Calls fn for every token behind the text's (layout D), until it fails. */
typedef kztts_status (*kz_gg_token_fn)(void *user, kz_gg_string token, int64_t id);
kztts_status kz_gg_codec_tokens(const kz_gg_source *s, kz_gg_token_fn fn, void *user);

void kz_gg_source_release(void *source); /* the last one frees */

#endif
