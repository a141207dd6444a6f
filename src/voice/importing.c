/* importing.c: a voice put together from another engine's file.  SPDX-License-Identifier: Apache-2.0 */
#include "voice/importing.h"

#include <string.h>

#include "text/text.h"

float kz_little_float(const unsigned char *p) {
    uint32_t bits = (uint32_t)kz_little(p, 4);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void kz_importing_begin(kz_importing *r, kz_voice_file *f, const void *data, size_t n, const char *label, kz_err *err) {
    *f = (kz_voice_file){0};
    *r = (kz_importing){.f = f, .fields = {.label = label, .err = err}};
    kz_sha256_hex(data, n, r->hash);
    r->fields.value[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    r->fields.value[KZ_VOICE_SOURCE] = "imported";
    r->fields.value[KZ_VOICE_SOURCE_SHA256] = r->hash;
}

kztts_status kz_importing_text(kz_importing *r, kz_voice_key key, const void *bytes, size_t n) {
    const char *s = bytes, *name = kz_voice_key_name(key);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\n' || s[n - 1] == '\r' || s[n - 1] == '\t'))
        n--;
    if (!n)
        return KZTTS_OK;
    size_t valid = kz_utf8_valid(s, n);
    if (valid < n || memchr(s, 0, n))
        return kz_fail(r->fields.err, KZTTS_ERROR_FORMAT, "%s: %s: %s at byte %zu", r->fields.label, name,
                       valid < n ? "not UTF-8" : "a NUL",
                       valid < n ? valid : (size_t)((const char *)memchr(s, 0, n) - s));
    char *copy = r->n_text < KZ_IMPORT_TEXTS ? kz_strndup(s, n) : NULL;
    if (!copy)
        return kz_fail_memory(r->fields.err, n, name);
    r->text[r->n_text++] = copy;
    return kz_voice_fields_put(&r->fields, name, copy);
}

kztts_status kz_importing_vector(kz_importing *r, size_t n) {
    kz_voice_file *f = r->f;
    if (n < 1 || n > KZ_VOICE_MAX_WIDTH)
        return kz_fail(r->fields.err, KZTTS_ERROR_FORMAT, "%s: the speaker vector has %zu numbers; expected 1 to %d",
                       r->fields.label, n, KZ_VOICE_MAX_WIDTH);
    if (!(f->x_vector = kz_alloc(n, sizeof *f->x_vector)))
        return kz_fail_memory(r->fields.err, n * sizeof *f->x_vector, "a speaker vector");
    f->d_model = n;
    return KZTTS_OK;
}

kztts_status kz_importing_floats(kz_importing *r, const unsigned char *bytes, size_t n) {
    KZ_TRY(kz_importing_vector(r, n));
    for (size_t i = 0; i < n; i++)
        r->f->x_vector[i] = kz_little_float(bytes + 4 * i);
    return KZTTS_OK;
}

kztts_status kz_importing_codes(kz_importing *r, size_t n_frame, size_t n_code) {
    kz_voice_file *f = r->f;
    if (n_frame < 1 || n_frame > KZ_VOICE_MAX_FRAMES || n_code < 1 || n_code > KZ_MAX_CODE)
        return kz_fail(r->fields.err, KZTTS_ERROR_FORMAT,
                       "%s: the recording has %zu frames of %zu codes; expected 1 to %d of 1 to %d", r->fields.label,
                       n_frame, n_code, KZ_VOICE_MAX_FRAMES, KZ_MAX_CODE);
    if (!(f->ref_code = kz_alloc(n_frame * n_code, sizeof *f->ref_code)))
        return kz_fail_memory(r->fields.err, n_frame * n_code * sizeof *f->ref_code, "the codes of a recording");
    f->n_ref = n_frame;
    f->n_code = n_code;
    return KZTTS_OK;
}

kztts_status kz_importing_end(kz_importing *r, kztts_status status) {
    if (status >= 0)
        status = kz_voice_fields_finish(r->f, &r->fields);
    if (status >= 0)
        status = kz_voice_file_check(r->f, r->fields.label, r->fields.err);
    for (size_t i = 0; i < r->n_text; i++)
        kz_free(r->text[i]);
    if (status < 0)
        kz_voice_file_free(r->f);
    return status;
}
