/* tokenizer.c: opens a tokenizer and encodes text.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/internal.h"

struct kz_tokenizer {
    kz_merges merges;
    kz_added added;
    kz_splitter *splitter;
    int32_t byte_id[256];
    size_t n_id;
};

/* ---- opening ----------------------------------------------------------------------------------------------- */

static kztts_status find_bytes(kz_tokenizer *tok, const kz_vocab *vocab, kz_err *err) {
    for (int byte = 0; byte < 256; byte++) {
        char character[2];
        size_t n = kz_byte_character((unsigned char)byte, character);
        tok->byte_id[byte] = kz_vocab_find(vocab, character, n, "", 0);
        if (tok->byte_id[byte] < 0)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: no token for the byte 0x%02X; all 256 must have one",
                           vocab->path, (unsigned)byte);
    }
    return KZTTS_OK;
}

static kztts_status load(kz_tokenizer *tok, kz_vocab *vocab, const kz_tokenizer_files *files, kz_err *err) {
    KZ_TRY(kz_vocab_load(vocab, &files->vocab, err));
    KZ_TRY(find_bytes(tok, vocab, err));
    KZ_TRY(kz_merges_load(&tok->merges, vocab, &files->merges, err));
    KZ_TRY(kz_added_load(&tok->added, vocab, &files->config, err));
    tok->n_id = (size_t)vocab->id_max + 1;
    return KZTTS_OK;
}

kztts_status kz_tokenizer_from(kz_tokenizer **out, const kz_tokenizer_files *files, kz_pattern pattern, kz_err *err) {
    *out = NULL;
    kz_vocab vocab = {0};
    kz_tokenizer *tok = kz_alloc(1, sizeof *tok);
    if (!tok)
        return kz_fail_memory(err, sizeof *tok, "the tokenizer");
    kztts_status status = kz_splitter_new(&tok->splitter, pattern, err);
    if (status >= 0)
        status = load(tok, &vocab, files, err);
    kz_vocab_free(&vocab);
    if (status < 0) {
        kz_tokenizer_close(tok);
        return status;
    }
    *out = tok;
    return KZTTS_OK;
}

kztts_status kz_tokenizer_open(kz_tokenizer **out, const char *dir, kz_pattern pattern, kz_err *err) {
    char *vocab = kz_path_join(dir, "vocab.json"), *merges = kz_path_join(dir, "merges.txt");
    char *config = kz_path_join(dir, "tokenizer_config.json");
    kz_tokenizer_files files = {.vocab = {.path = vocab}, .merges = {.path = merges}, .config = {.path = config}};
    kztts_status status;
    *out = NULL;
    if (vocab && merges && config)
        status = kz_tokenizer_from(out, &files, pattern, err);
    else
        status = kz_fail_memory(err, strlen(dir), "paths");
    kz_free(config);
    kz_free(merges);
    kz_free(vocab);
    return status;
}

void kz_tokenizer_close(kz_tokenizer *tok) {
    if (!tok)
        return;
    kz_splitter_free(tok->splitter);
    kz_added_free(&tok->added);
    kz_merges_free(&tok->merges);
    kz_free(tok);
}

size_t kz_tokenizer_size(const kz_tokenizer *tok) { return tok->n_id; }

static uint64_t hash_number(uint64_t h, uint32_t x) {
    for (int i = 0; i < 4; i++)
        h = (h ^ (x >> (8 * i) & 255)) * UINT64_C(0x100000001B3);
    return h;
}

uint64_t kz_tokenizer_hash(const kz_tokenizer *tok) {
    const uint64_t begin = UINT64_C(0xCBF29CE484222325);
    uint64_t h = begin, merges = 0;
    for (int i = 0; i < 256; i++)
        h = hash_number(h, (uint32_t)tok->byte_id[i]);
    for (size_t i = 0; tok->merges.slot && i <= tok->merges.mask; i++) {
        const kz_merge_slot *slot = &tok->merges.slot[i]; /* a sum: their order in the table means nothing */
        if (slot->rank != KZ_NO_RANK)
            merges +=
                hash_number(hash_number(hash_number(begin, (uint32_t)slot->left), (uint32_t)slot->right), slot->rank);
    }
    return h ^ merges;
}

/* ---- encoding ---------------------------------------------------------------------------------------------- */

/* What one call works with; so that one tokenizer serves several threads. */
typedef struct encoder {
    const kz_tokenizer *tok;
    kz_splitter_work *split;
    kz_nfc_work nfc;
    kz_bpe_work bpe;
    kz_ids *ids;
    kz_err *err;
} encoder;

/* Text without added tokens. */
static kztts_status encode_plain(encoder *e, const char *text, size_t n) {
    size_t at = 0, end = 0;
    KZ_TRY(kz_text_nfc(text, n, &e->nfc, &text, &n, e->err));
    for (; at < n; at = end) {
        KZ_TRY(kz_splitter_next(e->tok->splitter, e->split, text, n, at, &end, e->err));
        KZ_TRY(kz_bpe_word(&e->tok->merges, e->tok->byte_id, text + at, end - at, &e->bpe, e->ids, e->err));
    }
    return KZTTS_OK;
}

static kztts_status encode_all(encoder *e, const char *text, size_t n, bool special) {
    size_t begin = 0, at = 0;
    while (special && at < n) {
        const kz_added_token *token = kz_added_match(&e->tok->added, text, n, at);
        if (!token) {
            at++;
            continue;
        }
        KZ_TRY(encode_plain(e, text + begin, at - begin));
        KZ_TRY(kz_ids_push(e->ids, token->id, e->err));
        at += token->n;
        begin = at;
    }
    return encode_plain(e, text + begin, n - begin);
}

kztts_status kz_tokenizer_encode(const kz_tokenizer *tok, const char *text, size_t n, bool special, kz_ids *ids,
                                 kz_err *err) {
    size_t valid = kz_utf8_valid(text, n), n_before = ids->n;
    if (valid < n)
        return kz_fail(err, KZTTS_ERROR_TEXT, "the text isn't valid UTF-8 at byte offset %zu (0x%02X)", valid,
                       (unsigned)(unsigned char)text[valid]);
    if (n > KZ_TEXT_MAX)
        return kz_fail(err, KZTTS_ERROR_TEXT, "the text has %zu bytes; at most %d can be taken at once", n,
                       KZ_TEXT_MAX);
    if (!n)
        return KZTTS_OK;
    encoder e = {.tok = tok, .ids = ids, .err = err};
    kztts_status status = kz_splitter_work_new(&e.split, tok->splitter, err);
    if (status >= 0)
        status = encode_all(&e, text, n, special);
    kz_scratch_free(&e.bpe.heap);
    kz_scratch_free(&e.bpe.symbols);
    kz_scratch_free(&e.nfc.marks);
    kz_scratch_free(&e.nfc.points);
    kz_splitter_work_free(e.split);
    if (status < 0)
        ids->n = n_before;
    return status;
}
