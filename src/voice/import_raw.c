/* import_raw.c: a speaker vector as bare numbers (f32, little endian).  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/internal.h"

static kztts_status read_numbers(kz_voice_file *f, const unsigned char *p, size_t n, kz_err *err) {
    if (!(f->x_vector = kz_alloc(n, sizeof *f->x_vector)))
        return kz_fail_memory(err, n * sizeof *f->x_vector, "a speaker vector");
    f->d_model = n;
    for (size_t i = 0; i < n; i++, p += 4) {
        uint32_t bits = (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
        memcpy(f->x_vector + i, &bits, sizeof bits);
    }
    return KZTTS_OK;
}

static kztts_status read_all(kz_voice_file *f, const void *data, size_t n, const char *label, kz_err *err) {
    kz_voice_fields fields = {.label = label, .err = err};
    char hex[KZ_HASH_TEXT];
    kz_sha256 s;
    kz_sha256_init(&s);
    kz_sha256_add(&s, data, n);
    kz_sha256_end(&s, hex);
    fields.value[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    fields.value[KZ_VOICE_SOURCE] = "imported";
    fields.value[KZ_VOICE_SOURCE_SHA256] = hex;
    KZ_TRY(kz_voice_fields_finish(f, &fields));
    KZ_TRY(read_numbers(f, data, n / 4, err));
    return kz_voice_file_check(f, label, err);
}

kztts_status kz_voice_import_raw(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err) {
    *out = (kz_voice_file){0};
    if (!n || n % 4 || n / 4 > KZ_VOICE_MAX_WIDTH)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: %zu bytes aren't a speaker vector: expected 1 to %d numbers of 4 bytes", label, n,
                       KZ_VOICE_MAX_WIDTH);
    kztts_status status = read_all(out, data, n, label, err);
    if (status < 0)
        kz_voice_file_free(out);
    return status;
}
