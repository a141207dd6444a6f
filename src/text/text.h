/* text.h: UTF-8 text in, token ids out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         UTF-8
 * out        ids of the model's byte-level BPE
 * state      none after opening
 * threads    read-only after opening; encode may run on several threads at once
 * memory     the vocabulary's tables; encode grows the caller's list */
#ifndef KZ_TEXT_H
#define KZ_TEXT_H

#include "base/base.h"

typedef struct kz_tokenizer kz_tokenizer;

/* The two pre-tokenizer patterns in circulation (specification 2.2). */
typedef enum kz_pattern { KZ_PATTERN_NATIVE, KZ_PATTERN_MISTRAL } kz_pattern;

/* A growing list of ids. Starts as all zero; freed with kz_ids_free. */
typedef struct kz_ids {
    int32_t *id;
    size_t n, cap;
} kz_ids;

kztts_status kz_ids_push(kz_ids *ids, int32_t id, kz_err *err);
void kz_ids_free(kz_ids *ids);

/* Reads dir/vocab.json, merges.txt, tokenizer_config.json. */
kztts_status kz_tokenizer_open(kz_tokenizer **out, const char *dir, kz_pattern pattern, kz_err *err);

/* The same from memory, which is copied. */
typedef struct kz_text_source {
    const char *path; /* for messages; where the text is, when `text` is NULL */
    const char *text;
    size_t n;
} kz_text_source;
typedef struct kz_tokenizer_files {
    kz_text_source vocab, merges, config;
} kz_tokenizer_files;
kztts_status kz_tokenizer_from(kz_tokenizer **out, const kz_tokenizer_files *files, kz_pattern pattern, kz_err *err);
void kz_tokenizer_close(kz_tokenizer *tok);        /* NULL is fine */
size_t kz_tokenizer_size(const kz_tokenizer *tok); /* highest id + 1 */

/* Of the ids of bytes and the merges: equal for tokenizers that give every plain text the same ids. */
uint64_t kz_tokenizer_hash(const kz_tokenizer *tok);

/* Appends the ids of the text (n bytes). special: literal added tokens (`<|im_end|>`) act; else they are plain text.
 * TEXT when it isn't UTF-8 (the byte offset is named). */
kztts_status kz_tokenizer_encode(const kz_tokenizer *tok, const char *text, size_t n, bool special, kz_ids *ids,
                                 kz_err *err);

/* Length of the valid UTF-8 prefix: n when all is valid (no surrogates, no overlong forms, nothing above U+10FFFF). */
size_t kz_utf8_valid(const char *text, size_t n);

/* Whether the text has anything to speak: a letter or a digit of any script (Unicode L or N). Valid UTF-8 only. */
bool kz_text_speakable(const char *text, size_t n);

#endif
