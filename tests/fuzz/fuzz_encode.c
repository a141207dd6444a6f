/* fuzz_encode.c: hostile text for a fixed tokenizer.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: one byte of choices (bit 0: pattern, bit 1: special tokens act), then the text. Besides surviving, the ids
 * must spell the text's NFC when special tokens are off. */
#include <stdint.h>

#include "tokenizer_files.h"

enum { N_BYTE = 256, N_LONG = 11 };

/* Tokens from id 256 on, in bytes. */
static const char *const long_token[N_LONG] = {
    "aa", "aaaa", "ab", "bc", "abc", "  ", "    ", "\r\n", "'s", "\xCC\x81\xCC\x81", "\xCC\x81"};

/* As the byte alphabet writes them. */
static const char vocab_more[] = ",\"aa\":256,\"aaaa\":257,\"ab\":258,\"bc\":259,\"abc\":260,\"ĠĠ\":261,\"ĠĠĠĠ\":262,"
                                 "\"čĊ\":263,\"'s\":264,\"ÌģÌģ\":265,\"Ìģ\":266}";
static const char merges[] = "a a\naa aa\nb c\na b\na bc\nab c\nĠ Ġ\nĠĠ ĠĠ\nč Ċ\n' s\nÌ ģ\nÌģ Ìģ\n";
static const char config[] =
    "{\"added_tokens_decoder\":{\"300\":{\"content\":\"<x>\"},\"301\":{\"content\":\"<x><y>\"},"
    "\"302\":{\"content\":\"<y\"},\"303\":{\"content\":\"e\xCC\x81\"}}}";

static kz_tokenizer *tokenizer[2];

static void open_tokenizers(void) {
    kz_err err = {0};
    if (tokenizer[0])
        return;
    files_make_folder();
    files_write_vocab(vocab_more, sizeof vocab_more - 1);
    files_write(1, merges, sizeof merges - 1);
    files_write(2, config, sizeof config - 1);
    for (int i = 0; i < 2; i++)
        if (kz_tokenizer_open(&tokenizer[i], files_folder, i ? KZ_PATTERN_MISTRAL : KZ_PATTERN_NATIVE, &err) < 0)
            files_need(0, err.message);
}

/* The bytes of an id; *n of them. */
static const char *spell(int32_t id, char room[1], size_t *n) {
    if (id < N_BYTE) { /* ids of bytes are the bytes themselves */
        unsigned char byte = (unsigned char)id;
        memcpy(room, &byte, 1);
        *n = 1;
        return room;
    }
    *n = strlen(long_token[id - N_BYTE]);
    return long_token[id - N_BYTE];
}

static void check_spelling(const kz_ids *ids, const char *text, size_t n) {
    kz_nfc_work work = {{0}, {0}};
    size_t at = 0, k;
    char room[1];
    files_need(kz_text_nfc(text, n, &work, &text, &n, NULL) == KZTTS_OK, "NFC");
    for (size_t i = 0; i < ids->n; i++) {
        files_need(ids->id[i] >= 0 && ids->id[i] < N_BYTE + N_LONG, "id out of range");
        const char *token = spell(ids->id[i], room, &k);
        files_need(k <= n - at && !memcmp(token, text + at, k), "the ids spell something else");
        at += k;
    }
    files_need(at == n, "the ids spell less than the text");
    kz_scratch_free(&work.points);
    kz_scratch_free(&work.marks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_ids ids = {0};
    kz_err err = {0};
    if (!size)
        return 0;
    open_tokenizers();
    const char *text = (const char *)data + 1;
    size_t n = size - 1, valid = kz_utf8_valid(text, n);
    bool special = data[0] & 2;
    kztts_status status = kz_tokenizer_encode(tokenizer[data[0] & 1], text, n, special, &ids, &err);
    files_need(status == (valid == n ? KZTTS_OK : KZTTS_ERROR_TEXT), "status of encode");
    (void)kz_text_speakable(text, valid);
    if (status == KZTTS_OK && !special)
        check_spelling(&ids, text, n);
    kz_ids_free(&ids);
    return 0;
}
