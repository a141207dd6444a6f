/* gguf.h: models as GGUF files, in the four layouts in use.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a GGUF file (version 2 or 3, whole or split), and the one beside it that holds the model's other half
 * out        what a checkpoint's directory has: settings and tokenizer as the text of its files, tensors under its names
 * state      none
 * threads    read-only after opening
 * memory     the files stay mapped as long as the weights live; texts are copies
 *
 * The layouts are called A to D (docs/formats.md). One table each says which key is which setting and which tensor is
 * which; everything behind this folder knows checkpoints only. */
#ifndef KZ_GGUF_H
#define KZ_GGUF_H

#include "weights/weights.h"

/* The files of a checkpoint whose text a GGUF file gives. */
typedef enum kz_gguf_text {
    KZ_GGUF_CONFIG,     /* config.json */
    KZ_GGUF_GENERATION, /* generation_config.json */
    KZ_GGUF_CODEC,      /* speech_tokenizer/config.json */
    KZ_GGUF_VOCAB,      /* vocab.json */
    KZ_GGUF_MERGES,     /* merges.txt */
    KZ_GGUF_TOKENIZER,  /* tokenizer_config.json */
    KZ_GGUF_TEXTS
} kz_gguf_text;

/* What is wanted of it. */
typedef enum kz_gguf_want { KZ_GGUF_MODEL, KZ_GGUF_ONLY_CODEC, KZ_GGUF_ONLY_TOKENIZER } kz_gguf_want;

typedef struct kz_gguf_model {
    char scheme, codec_scheme;   /* 'A' .. 'D'; 0: not opened */
    char *label;                 /* the talker's file, as messages name it */
    char *codec_path;            /* where the codec is: another GGUF file, or a codec's folder given by name; or NULL */
    bool codec_is_folder;        /* then texts[KZ_GGUF_CODEC] and codec are the caller's to fill */
    kz_weights *weights, *codec; /* NULL: not wanted */
    char *texts[KZ_GGUF_TEXTS];  /* terminated; NULL: not wanted */
    size_t n_text[KZ_GGUF_TEXTS];
} kz_gguf_model;

/* Whether the file begins as a GGUF file. */
bool kz_gguf_is(const char *path);

/* path: the talker's file (or the codec's, when only that is wanted). codec: file or folder of the codec, NULL: looked for
 * beside path. */
kztts_status kz_gguf_open(kz_gguf_model *out, const char *path, const char *codec, kz_gguf_want want, kz_err *err);
void kz_gguf_close(kz_gguf_model *m); /* weights and texts that were taken out must be NULL */

/* Adds to a message about a checkpoint's setting which key of the file gives it. */
void kz_gguf_name_key(const kz_gguf_model *m, kz_err *err);

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* A model to be written in layout A. */
typedef struct kz_gguf_contents {
    const kz_weights *weights, *codec;
    const char *texts[KZ_GGUF_TEXTS]; /* GENERATION may be NULL */
    size_t n_text[KZ_GGUF_TEXTS];
    kz_quant talker, predictor; /* types for their matrices; STORED: as they are */
    bool overwrite;
    kz_pool *pool;
    bool (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; false ends it (status END); or NULL */
    void *progress_user;
} kz_gguf_contents;

/* Writes path (NAME.gguf) and NAME-tokenizer.gguf, each whole or not at all. FORMAT when something can't be said in this
 * layout, ARGUMENT (a file is there; the ending), FAILED, MEMORY. */
kztts_status kz_gguf_write(const char *path, const kz_gguf_contents *contents, kz_err *err);

/* The second file's name in fresh memory, or NULL. */
char *kz_gguf_codec_path(const char *path);

#endif
