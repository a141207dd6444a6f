/* texts.h: the settings and tokenizer files of a model, whatever holds them. Private to convert/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         an opened model and where it came from
 * out        texts
 * state      a GGUF file's, made once
 * threads    one
 * memory     texts are fresh memory (kz_free) */
#ifndef KZ_TEXTS_H
#define KZ_TEXTS_H

#include "convert/convert.h"
#include "gguf/gguf.h"

typedef struct kz_texts {
    const kz_model *m;
    const char *source;
    bool is_gguf;
    kz_gguf_model gguf;
} kz_texts;

/* codec: as kz_model_options.codec. */
kztts_status kz_texts_open(kz_texts *t, const kz_model *m, const char *source, const char *codec, kz_err *err);
void kz_texts_close(kz_texts *t);

/* "config.json", ...; *text NULL when there is no such file. */
kztts_status kz_texts_get(const kz_texts *t, const char *name, char **text, size_t *n, kz_err *err);

#endif
