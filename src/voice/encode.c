/* encode.c: writing .kzvoice.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/internal.h"

static void put_metadata(kz_voice_buf *b, const kz_voice_file *f) {
    char room[KZ_VOICE_NUMBER_ROOM];
    kz_voice_buf_text(b, "{\"__metadata__\":{\"format\":\"" KZ_VOICE_FORMAT_NAME "\"");
    for (int k = KZ_VOICE_FORMAT + 1; k < KZ_VOICE_KEYS; k++) {
        const char *value = kz_voice_value(f, (kz_voice_key)k, room);
        if (!value)
            continue;
        kz_voice_buf_text(b, ",\"");
        kz_voice_buf_text(b, kz_voice_key_name((kz_voice_key)k));
        kz_voice_buf_text(b, "\":");
        kz_voice_buf_quoted(b, value);
    }
    kz_voice_buf_text(b, "}");
}

/* Two dimensions, or one when n_col is 0. */
static void put_tensor(kz_voice_buf *b, const char *name, const char *type, size_t n_row, size_t n_col, size_t begin,
                       size_t end) {
    kz_voice_buf_text(b, ",\"");
    kz_voice_buf_text(b, name);
    kz_voice_buf_text(b, "\":{\"dtype\":\"");
    kz_voice_buf_text(b, type);
    kz_voice_buf_text(b, "\",\"shape\":[");
    kz_voice_buf_number(b, n_row);
    if (n_col) {
        kz_voice_buf_text(b, ",");
        kz_voice_buf_number(b, n_col);
    }
    kz_voice_buf_text(b, "],\"data_offsets\":[");
    kz_voice_buf_number(b, begin);
    kz_voice_buf_text(b, ",");
    kz_voice_buf_number(b, end);
    kz_voice_buf_text(b, "]}");
}

static void put_header(kz_voice_buf *b, const kz_voice_file *f) {
    size_t n_vector = f->x_vector ? 4 * f->d_model : 0;
    put_metadata(b, f);
    if (f->x_vector)
        put_tensor(b, "spk_embedding", "F32", f->d_model, 0, 0, n_vector);
    if (f->ref_code)
        put_tensor(b, "ref_codes", "I32", f->n_ref, f->n_code, n_vector, n_vector + 4 * f->n_ref * f->n_code);
    kz_voice_buf_text(b, "}");
    while (!b->failed && b->n % 8)
        kz_voice_buf_text(b, " ");
}

kztts_status kz_voice_file_encode(const kz_voice_file *f, char **out, size_t *n, kz_err *err) {
    kz_voice_buf header = {0}, b = {0};
    *out = NULL;
    if (kz_voice_file_check(f, "this voice", err) < 0)
        return KZTTS_ERROR_VOICE;
    if (f->ref_code && !f->codebook_size)
        return kz_fail(err, KZTTS_ERROR_VOICE, "this voice: the codec's number of codes isn't known");
    put_header(&header, f);
    kz_voice_buf_little(&b, header.n, 8);
    kz_voice_buf_put(&b, header.data, header.n);
    b.failed = b.failed || header.failed;
    kz_free(header.data);
    for (size_t i = 0; f->x_vector && i < f->d_model; i++) {
        uint32_t bits;
        memcpy(&bits, f->x_vector + i, sizeof bits);
        kz_voice_buf_little(&b, bits, 4);
    }
    for (size_t i = 0; f->ref_code && i < f->n_ref * f->n_code; i++)
        kz_voice_buf_little(&b, (uint32_t)f->ref_code[i], 4);
    return kz_voice_buf_finish(&b, out, n, err);
}
