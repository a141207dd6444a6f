/* fuzz_tokenizer.c: hostile tokenizer files.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: vocab.json NUL merges.txt NUL tokenizer_config.json NUL text; missing parts are empty. A vocabulary that
 * begins with a comma comes after the 256 bytes, so that small inputs get far. */
#include <stdint.h>

#include "tokenizer_files.h"

static const uint8_t *next_part(const uint8_t **at, const uint8_t *end, size_t *n) {
    const uint8_t *begin = *at, *stop = begin < end ? memchr(begin, 0, (size_t)(end - begin)) : NULL;
    *n = (size_t)((stop ? stop : end) - begin);
    *at = stop ? stop + 1 : end;
    return begin;
}

static void use(const kz_tokenizer *tok, const char *text, size_t n) {
    for (int special = 0; special < 2; special++) {
        kz_ids ids = {0};
        kz_err err = {0};
        kztts_status status = kz_tokenizer_encode(tok, text, n, special, &ids, &err);
        files_need(status == KZTTS_OK || (status == KZTTS_ERROR_TEXT && kz_utf8_valid(text, n) < n),
                   "status of encode");
        for (size_t i = 0; i < ids.n; i++)
            files_need(ids.id[i] >= 0 && (size_t)ids.id[i] < kz_tokenizer_size(tok), "id out of range");
        kz_ids_free(&ids);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t nothing[1];
    const uint8_t *at = size ? data : nothing, *end = at + size;
    size_t n;
    kz_tokenizer *tok;
    kz_err err = {0};
    files_make_folder();
    const uint8_t *part = next_part(&at, end, &n);
    if (n && part[0] == ',')
        files_write_vocab((const char *)part, n);
    else
        files_write(0, (const char *)part, n);
    for (int file = 1; file < 3; file++) {
        part = next_part(&at, end, &n);
        files_write(file, (const char *)part, n);
    }
    if (kz_tokenizer_open(&tok, files_folder, KZ_PATTERN_NATIVE, &err) < 0)
        files_need(!tok && err.message[0], "a failure without a message");
    else
        use(tok, (const char *)at, (size_t)(end - at));
    kz_tokenizer_close(tok);
    return 0;
}
