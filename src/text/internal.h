/* internal.h: what the files of this folder share with each other.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TEXT_INTERNAL_H
#define KZ_TEXT_INTERNAL_H

#include <cjson/cJSON.h>

#include "text/text.h"

enum {
    KZ_TEXT_MAX = 64 << 20,      /* bytes of one text */
    KZ_TEXT_FILE_MAX = 16 << 20, /* bytes of a tokenizer file; the released ones have up to 2.8 MB */
    KZ_TOKEN_ID_MAX = (1 << 24) - 1,
    KZ_ADDED_LENGTH_MAX = 1024 /* bytes of an added token */
};

/* ---- scratch: memory that is used again from piece to piece (scratch.c) ------------------------------------- */

typedef struct kz_scratch {
    void *data;
    size_t n_byte;
} kz_scratch;

/* Makes room for count * size bytes; what was in it is lost. */
kztts_status kz_scratch_reserve(kz_scratch *scratch, size_t count, size_t size, kz_err *err);
void kz_scratch_free(kz_scratch *scratch);

/* ---- characters (utf8.c, nfc.c) ----------------------------------------------------------------------------- */

/* The code point at *at of valid UTF-8; moves *at behind it. */
int32_t kz_utf8_next(const char *text, size_t *at);

/* The UTF-8 of the character which the byte alphabet (specification 2.1) has for a byte; returns 1 or 2. */
size_t kz_byte_character(unsigned char byte, char out[2]);

typedef struct kz_nfc_work {
    kz_scratch points; /* decomposed code points, then the result's bytes */
    kz_scratch marks;
} kz_nfc_work;

/* Unicode NFC of valid UTF-8. *out is the text itself where nothing can change, else memory of `work`, valid until its
 * next use. */
kztts_status kz_text_nfc(const char *text, size_t n, kz_nfc_work *work, const char **out, size_t *n_out, kz_err *err);

/* ---- files (json.c) ----------------------------------------------------------------------------------------- */

/* The text in fresh memory with a zero behind, checked to be UTF-8. */
kztts_status kz_text_read(char **out, size_t *n, const kz_text_source *source, kz_err *err);

/* Reads a JSON file whose root is an object; freed with cJSON_Delete. */
kztts_status kz_text_read_json(cJSON **out, const kz_text_source *source, kz_err *err);

/* A string of a file made fit for a message: short, printable. Returns out. */
enum { KZ_QUOTE = 48 };
const char *kz_text_quote(char out[KZ_QUOTE], const char *s, size_t n);

/* ---- the vocabulary while loading (vocab.c) ------------------------------------------------------------------ */

typedef struct kz_vocab_slot {
    const char *token; /* NULL: free. Memory of the JSON tree */
    uint32_t n;
    int32_t id;
} kz_vocab_slot;

typedef struct kz_vocab {
    const char *path;
    cJSON *tree;
    kz_vocab_slot *slot; /* [mask + 1] */
    size_t mask;
    size_t n_token;
    unsigned char *used; /* bit set of ids, [KZ_TOKEN_ID_MAX + 1] */
    int32_t id_max;
} kz_vocab;

kztts_status kz_vocab_load(kz_vocab *vocab, const kz_text_source *source, kz_err *err);
void kz_vocab_free(kz_vocab *vocab);

/* The id of the token a + b, or -1. */
int32_t kz_vocab_find(const kz_vocab *vocab, const char *a, size_t n_a, const char *b, size_t n_b);

/* Marks an id as used; false when it is already. */
bool kz_vocab_use(kz_vocab *vocab, int32_t id);

/* ---- merges (merges.c) --------------------------------------------------------------------------------------- */

#define KZ_NO_RANK UINT32_MAX

typedef struct kz_merge_slot {
    int32_t left, right;
    uint32_t rank; /* KZ_NO_RANK: free */
} kz_merge_slot;

typedef struct kz_merges {
    kz_merge_slot *slot; /* [mask + 1] */
    size_t mask;
    int32_t *merged; /* by rank: the id that the pair becomes. [n] */
    size_t n;
} kz_merges;

kztts_status kz_merges_load(kz_merges *merges, const kz_vocab *vocab, const kz_text_source *source, kz_err *err);
void kz_merges_free(kz_merges *merges);

/* The rank of a pair of ids, or KZ_NO_RANK. */
uint32_t kz_merges_rank(const kz_merges *merges, int32_t left, int32_t right);

/* ---- added tokens (added.c) ---------------------------------------------------------------------------------- */

typedef struct kz_added_token {
    char *text; /* UTF-8 */
    size_t n;
    int32_t id;
} kz_added_token;

typedef struct kz_added {
    kz_added_token *token; /* sorted by their bytes. [n] */
    size_t n;
    bool starts[256]; /* whether a token begins with the byte */
} kz_added;

kztts_status kz_added_load(kz_added *added, kz_vocab *vocab, const kz_text_source *source, kz_err *err);
void kz_added_free(kz_added *added);

/* The longest added token that begins at text + at, or NULL. */
const kz_added_token *kz_added_match(const kz_added *added, const char *text, size_t n, size_t at);

/* ---- words (split.c) ----------------------------------------------------------------------------------------- */

typedef struct kz_splitter kz_splitter; /* read-only after making */

kztts_status kz_splitter_new(kz_splitter **out, kz_pattern pattern, kz_err *err);
void kz_splitter_free(kz_splitter *splitter);

typedef struct kz_splitter_work kz_splitter_work; /* of one thread */

kztts_status kz_splitter_work_new(kz_splitter_work **out, const kz_splitter *splitter, kz_err *err);
void kz_splitter_work_free(kz_splitter_work *work);

/* The end of the word that begins at `at` < n, in valid UTF-8: at < *end <= n. */
kztts_status kz_splitter_next(const kz_splitter *splitter, kz_splitter_work *work, const char *text, size_t n,
                              size_t at, size_t *end, kz_err *err);

/* ---- byte-pair encoding (bpe.c) ------------------------------------------------------------------------------ */

typedef struct kz_bpe_work {
    kz_scratch symbols, heap;
} kz_bpe_work;

/* Appends the ids of one word. byte_id: the id of every single byte. */
kztts_status kz_bpe_word(const kz_merges *merges, const int32_t byte_id[256], const char *word, size_t n,
                         kz_bpe_work *work, kz_ids *ids, kz_err *err);

#endif
