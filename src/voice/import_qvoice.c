/* import_qvoice.c: .qvoice files, versions 1 to 3.  SPDX-License-Identifier: Apache-2.0
 *
 * "QVCE", then little endian: version, width (from version 2 on; before, 1024), the speaker vector (f32), bytes of the
 * transcript and it, frames and their 16 codes each (i32). Version 3 goes on with sections: META (language, width,
 * name), TPAD and WOVR (parts of the base model it was made with, 16 to 25 MB, for use on another model), and in one
 * form the weights of a whole model. A base model needs no more than what comes before TPAD. */
#include <string.h>

#include "text/text.h"
#include "voice/importing.h"

enum { OLD_WIDTH = 1024, LANGUAGE_BYTES = 16, NAME_BYTES = 64, META_BYTES = 4 + LANGUAGE_BYTES + 12 + NAME_BYTES + 4 };

typedef struct reading {
    kz_importing r;
    const unsigned char *p, *end;
} reading;

static kztts_status fail(const reading *q, const char *what) {
    return kz_fail(q->r.fields.err, KZTTS_ERROR_FORMAT, "%s: %s", q->r.fields.label, what);
}

static kztts_status take(reading *q, const unsigned char **out, size_t n) {
    *out = q->p;
    if ((size_t)(q->end - q->p) < n)
        return fail(q, "a .qvoice file that is cut off");
    q->p += n;
    return KZTTS_OK;
}

static kztts_status take_u32(reading *q, size_t *out) {
    const unsigned char *p;
    KZ_TRY(take(q, &p, 4));
    *out = (size_t)kz_little(p, 4);
    return KZTTS_OK;
}

/* A count that is checked before anything of that size is read. */
static kztts_status take_count(reading *q, size_t *out, size_t min, size_t max, const char *what) {
    KZ_TRY(take_u32(q, out));
    if (*out < min || *out > max)
        return kz_fail(q->r.fields.err, KZTTS_ERROR_FORMAT, "%s: %s: expected %zu to %zu, found %zu", q->r.fields.label,
                       what, min, max, *out);
    return KZTTS_OK;
}

static kztts_status read_version(reading *q, size_t *version) {
    const unsigned char *p;
    if (q->end - q->p < 4 || memcmp(q->p, "QVCE", 4) != 0)
        return fail(q, "not a .qvoice file: it doesn't begin with QVCE");
    KZ_TRY(take(q, &p, 4));
    KZ_TRY(take_u32(q, version));
    if (*version < 1 || *version > 3)
        return kz_fail(q->r.fields.err, KZTTS_ERROR_FORMAT,
                       "%s: a .qvoice file of version %zu; versions 1 to 3 are read", q->r.fields.label, *version);
    return KZTTS_OK;
}

static kztts_status read_codes(reading *q) {
    const unsigned char *p;
    size_t n_frame;
    KZ_TRY(take_count(q, &n_frame, 0, KZ_VOICE_MAX_FRAMES, "frames of the recording"));
    if (!n_frame)
        return KZTTS_OK;
    KZ_TRY(take(q, &p, 4 * n_frame * KZ_QWEN_GROUPS));
    KZ_TRY(kz_importing_codes(&q->r, n_frame, KZ_QWEN_GROUPS));
    for (size_t i = 0; i < n_frame * KZ_QWEN_GROUPS; i++, p += 4)
        q->r.f->ref_code[i] = (kz_code)(int32_t)(uint32_t)kz_little(p, 4);
    return KZTTS_OK;
}

/* Fixed room, filled up with zeros; a text that filled it may be cut inside a character. */
static size_t text_bytes(const unsigned char *p, size_t room) {
    const unsigned char *end = memchr(p, 0, room);
    size_t n = end ? (size_t)(end - p) : room;
    return n + 1 < room ? n : kz_utf8_valid((const char *)p, n);
}

static kztts_status read_meta(reading *q) {
    const unsigned char *p;
    unsigned char language[LANGUAGE_BYTES];
    KZ_TRY(take(q, &p, META_BYTES));
    memcpy(language, p + 4, LANGUAGE_BYTES);
    for (size_t i = 0; i < LANGUAGE_BYTES; i++)
        if (language[i] >= 'A' && language[i] <= 'Z')
            language[i] = (unsigned char)(language[i] - 'A' + 'a');
    KZ_TRY(kz_importing_text(&q->r, KZ_VOICE_LANGUAGE, language, text_bytes(language, LANGUAGE_BYTES)));
    p += 4 + LANGUAGE_BYTES + 12;
    return kz_importing_text(&q->r, KZ_VOICE_NAME, p, text_bytes(p, NAME_BYTES));
}

static kztts_status skip(reading *q, uint64_t n) {
    if (n > (uint64_t)(q->end - q->p))
        return fail(q, "a .qvoice file that is cut off");
    q->p += (size_t)n;
    return KZTTS_OK;
}

static bool is_section(const reading *q, const char *name) { return q->end - q->p >= 4 && memcmp(q->p, name, 4) == 0; }

/* TPAD: width and three rows of it (f32). WOVR: width h, text width t, codes c; matrices t * t, h * t, c * h (bf16),
 * biases t and h (f32). */
static kztts_status skip_parts(reading *q) {
    size_t h, t, c;
    if (is_section(q, "TPAD")) {
        q->p += 4;
        KZ_TRY(take_count(q, &h, 1, KZ_VOICE_MAX_WIDTH, "TPAD: width"));
        KZ_TRY(skip(q, 12 * (uint64_t)h));
    }
    if (!is_section(q, "WOVR"))
        return KZTTS_OK;
    q->p += 4;
    KZ_TRY(take_count(q, &h, 1, KZ_VOICE_MAX_WIDTH, "WOVR: width"));
    KZ_TRY(take_count(q, &t, 1, KZ_VOICE_MAX_WIDTH, "WOVR: width of the text"));
    KZ_TRY(take_count(q, &c, 1, KZ_VOICE_MAX_CODES, "WOVR: codes"));
    uint64_t n_half = (uint64_t)t * t + (uint64_t)h * t + (uint64_t)c * h;
    return skip(q, 2 * n_half + 4 * ((uint64_t)t + h));
}

static kztts_status read_sections(reading *q) {
    if (is_section(q, "META")) {
        q->p += 4;
        KZ_TRY(read_meta(q));
    }
    KZ_TRY(skip_parts(q));
    if (q->p < q->end)
        return fail(q,
                    "more follows after the voice: the weights of a whole model (the weight-delta form), or rubbish; "
                    "only voices by themselves are read");
    return KZTTS_OK;
}

static kztts_status read_all(reading *q) {
    const unsigned char *p;
    size_t version = 0, width = OLD_WIDTH, n_text = 0;
    KZ_TRY(read_version(q, &version));
    if (version >= 2)
        KZ_TRY(take_count(q, &width, 1, KZ_VOICE_MAX_WIDTH, "numbers of the speaker vector"));
    KZ_TRY(take(q, &p, 4 * width));
    KZ_TRY(kz_importing_floats(&q->r, p, width));
    KZ_TRY(take_count(q, &n_text, 0, KZ_VOICE_TEXT_BYTES, "bytes of the transcript"));
    KZ_TRY(take(q, &p, n_text));
    KZ_TRY(kz_importing_text(&q->r, KZ_VOICE_REF_TEXT, p, n_text));
    KZ_TRY(read_codes(q));
    if (version >= 3)
        return read_sections(q);
    return q->p < q->end ? fail(q, "bytes are left after the voice") : KZTTS_OK;
}

kztts_status kz_voice_import_qvoice(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err) {
    reading q = {.p = data};
    q.end = q.p + n;
    kz_importing_begin(&q.r, out, data, n, label, err);
    return kz_importing_end(&q.r, read_all(&q));
}
