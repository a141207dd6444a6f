/* import_raw.c: a speaker vector as bare numbers (f32, little endian), alone or with codes and words beside it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/importing.h"

enum { FRAME_BYTES = KZ_QWEN_GROUPS * KZ_QWEN_CODE_BITS / 8 };

static kztts_status check_size(size_t n, const char *label, kz_err *err) {
    if (n && n % 4 == 0 && n / 4 <= KZ_VOICE_MAX_WIDTH)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_FORMAT,
                   "%s: %zu bytes aren't a speaker vector: expected 1 to %d numbers of 4 bytes", label, n,
                   KZ_VOICE_MAX_WIDTH);
}

kztts_status kz_voice_import_raw(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err) {
    kz_importing r;
    *out = (kz_voice_file){0};
    KZ_TRY(check_size(n, label, err));
    kz_importing_begin(&r, out, data, n, label, err);
    return kz_importing_end(&r, kz_importing_floats(&r, data, n / 4));
}

/* Bit `at` of the stream is bit at % 8 of its byte. */
static kz_code code_at(const unsigned char *p, size_t at) {
    kz_code code = 0;
    for (size_t i = 0; i < KZ_QWEN_CODE_BITS; i++)
        code |= (p[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return code;
}

/* Packed group by group: all frames of the first, then of the second. */
static kztts_status read_packed(kz_importing *r, const kz_voice_pair *pair) {
    if (!pair->n_code || pair->n_code % FRAME_BYTES)
        return kz_fail(r->fields.err, KZTTS_ERROR_FORMAT,
                       "%s: the codes beside it (.rvq) have %zu bytes; expected %d a frame (%d codes of %d bits)",
                       r->fields.label, pair->n_code, FRAME_BYTES, KZ_QWEN_GROUPS, KZ_QWEN_CODE_BITS);
    if (!pair->text)
        return kz_fail(r->fields.err, KZTTS_ERROR_FORMAT,
                       "%s: codes (.rvq) are beside it, but no .txt with the words that are said in the recording: "
                       "write them there, or move the codes away",
                       r->fields.label);
    size_t n_frame = pair->n_code / FRAME_BYTES;
    KZ_TRY(kz_importing_codes(r, n_frame, KZ_QWEN_GROUPS));
    for (size_t g = 0; g < KZ_QWEN_GROUPS; g++)
        for (size_t t = 0; t < n_frame; t++)
            r->f->ref_code[t * KZ_QWEN_GROUPS + g] = code_at(pair->code, (g * n_frame + t) * KZ_QWEN_CODE_BITS);
    return kz_importing_text(r, KZ_VOICE_REF_TEXT, pair->text, pair->n_text);
}

static kztts_status read_pair(kz_importing *r, const kz_voice_pair *pair) {
    KZ_TRY(kz_importing_floats(r, pair->vector, pair->n_vector / 4));
    return pair->code ? read_packed(r, pair) : KZTTS_OK;
}

kztts_status kz_voice_import_pair(kz_voice_file *out, const kz_voice_pair *pair, const char *label, kz_err *err) {
    static const unsigned char mark[] = {0xEF, 0xBB, 0xBF};
    kz_voice_pair p = *pair;
    kz_importing r;
    *out = (kz_voice_file){0};
    KZ_TRY(check_size(p.n_vector, label, err));
    if (p.text && p.n_text >= sizeof mark && memcmp(p.text, mark, sizeof mark) == 0) {
        p.text = (const unsigned char *)p.text + sizeof mark;
        p.n_text -= sizeof mark;
    }
    kz_importing_begin(&r, out, p.vector, p.n_vector, label, err);
    return kz_importing_end(&r, read_pair(&r, &p));
}
