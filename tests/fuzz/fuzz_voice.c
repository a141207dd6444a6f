/* fuzz_voice.c: any bytes as a voice file.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: a byte that chooses the reader, then the file. 'k': .kzvoice as it is; 'h': its header, a zero byte and its
 * data, so that the length need not be guessed; 'j': JSON; 'r': bare numbers. What is taken must be whole, and the same
 * after writing and reading it again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "voice/voice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void need(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

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

static void check_same(const kz_voice_file *a, const kz_voice_file *b) {
    for (int k = 0; k < KZ_VOICE_KEYS; k++)
        need(!a->text[k] == !b->text[k] && (!a->text[k] || strcmp(a->text[k], b->text[k]) == 0), "another text");
    need(a->has_seed == b->has_seed && a->seed == b->seed && a->d_model == b->d_model && a->n_ref == b->n_ref,
         "number");
    need(a->n_code == b->n_code && a->codebook_size == b->codebook_size, "another number of codes");
    need(!a->x_vector == !b->x_vector && !a->ref_code == !b->ref_code, "another kind");
    if (a->x_vector)
        need(memcmp(a->x_vector, b->x_vector, a->d_model * sizeof(float)) == 0, "another vector");
    if (a->ref_code)
        need(memcmp(a->ref_code, b->ref_code, a->n_ref * a->n_code * sizeof(kz_code)) == 0, "other codes");
}

static void check_again(const kz_voice_file *f, int json) {
    kz_voice_file again;
    kz_err err = {""};
    char *data;
    size_t n;
    kztts_status status = (json ? kz_voice_json_encode : kz_voice_file_encode)(f, &data, &n, &err);
    need(status == KZTTS_OK, err.message);
    status = json ? kz_voice_import_json(&again, data, n, "again", &err)
                  : kz_voice_file_parse(&again, data, n, "again", &err);
    need(status == KZTTS_OK, err.message);
    check_same(f, &again);
    kz_voice_file_free(&again);
    kz_free(data);
}

static void check(kz_voice_file *f) {
    kz_config cfg = {.type = KZ_MODEL_BASE, .size = "0b6", .n_code = 2};
    kz_err err = {""};
    cfg.talker.d_model = 4;
    cfg.codec.codebook_size = 8;
    if (kz_voice_file_fit(f, &cfg, "input", &err) == KZTTS_OK) {
        need(f->x_vector && f->d_model == 4, "it doesn't fit");
        for (size_t i = 0; i < f->n_ref * 2; i++)
            need(f->ref_code[i] >= 0 && f->ref_code[i] < 8, "a code out of range");
    }
    cfg.type = KZ_MODEL_VOICE_DESIGN;
    need(kz_voice_file_fit(f, &cfg, "input", &err) < 0 || f->text[KZ_VOICE_DESCRIPTION], "no description");
    check_again(f, 1);
    if (!f->codebook_size)
        f->codebook_size = KZ_VOICE_MAX_CODES;
    check_again(f, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_voice_file f;
    kz_err err = {""};
    if (!n)
        return 0;
    if (read_any(&f, data[0], data + 1, n - 1, &err) == KZTTS_OK)
        check(&f);
    else
        need(err.message[0] && !f.strings && !f.x_vector && !f.ref_code, "a failure leaves something");
    kz_voice_file_free(&f);
    return 0;
}
