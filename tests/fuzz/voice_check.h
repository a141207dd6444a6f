/* voice_check.h: what holds of every voice that a reader takes.  SPDX-License-Identifier: Apache-2.0
 *
 * It is whole, fits no model that it doesn't fit, and is the same after writing and reading it again. */
#ifndef KZ_FUZZ_VOICE_CHECK_H
#define KZ_FUZZ_VOICE_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "voice/voice.h"

static void need(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
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

/* The outcome of a reader: a whole voice, or a message and nothing left behind. Frees the voice. */
static void check_outcome(kz_voice_file *f, kztts_status status, const kz_err *err) {
    if (status == KZTTS_OK)
        check(f);
    else
        need(err->message[0] && !f->strings && !f->x_vector && !f->ref_code, "a failure leaves something");
    kz_voice_file_free(f);
}

#endif
