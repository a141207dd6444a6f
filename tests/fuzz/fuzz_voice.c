/* fuzz_voice.c: any bytes as a voice file.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: a byte that chooses the reader, then the file. 'k': .kzvoice as it is; 'h': its header, a zero byte and its
 * data, so that the length need not be guessed; 'j': JSON; 'r': bare numbers. What is taken must be whole, and the same
 * after writing and reading it again. */
#include "fuzz/voice_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static kztts_status parse_header(kz_voice_file *f, const uint8_t *data, size_t n, kz_err *err) {
    const uint8_t *end = n ? memchr(data, 0, n) : NULL;
    size_t n_header = end ? (size_t)(end - data) : n, n_data = end ? n - n_header - 1 : 0;
    uint8_t *file = malloc(8 + n_header + n_data);
    need(file != NULL, "memory");
    for (int i = 0; i < 8; i++)
        file[i] = (uint8_t)((uint64_t)n_header >> 8 * i);
    if (n_header)
        memcpy(file + 8, data, n_header);
    if (n_data)
        memcpy(file + 8 + n_header, end + 1, n_data);
    kztts_status status = kz_voice_file_parse(f, file, 8 + n_header + n_data, "input", err);
    free(file);
    return status;
}

static kztts_status read_any(kz_voice_file *f, uint8_t kind, const uint8_t *data, size_t n, kz_err *err) {
    if (kind == 'k')
        return kz_voice_file_parse(f, data, n, "input", err);
    if (kind == 'h')
        return parse_header(f, data, n, err);
    if (kind == 'j')
        return kz_voice_import_json(f, (const char *)data, n, "input", err);
    return kz_voice_import_raw(f, data, n, "input", err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_voice_file f;
    kz_err err = {""};
    if (!n)
        return 0;
    kztts_status status = read_any(&f, data[0], data + 1, n - 1, &err);
    check_outcome(&f, status, &err);
    return 0;
}
