/* export_json.c: a voice as JSON.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "voice/internal.h"

/* Nine digits name a float exactly. The decimal point is the program's locale's: whatever is no part of a number stands
 * for it. */
static void put_float(kz_voice_buf *b, float x) {
    char text[32];
    bool point = false;
    (void)snprintf(text, sizeof text, "%.9g", (double)x);
    for (const char *p = text; *p; p++) {
        if (strchr("0123456789+-e", *p)) {
            kz_voice_buf_put(b, p, 1);
        } else if (!point) {
            kz_voice_buf_text(b, ".");
            point = true;
        }
    }
}

static bool is_bare(kz_voice_key key) {
    return key == KZ_VOICE_D_MODEL || key == KZ_VOICE_CODE_GROUPS || key == KZ_VOICE_CODEBOOK_SIZE ||
           key == KZ_VOICE_X_VECTOR_ONLY;
}

static void put_fields(kz_voice_buf *b, const kz_voice_file *f) {
    char room[KZ_VOICE_NUMBER_ROOM];
    kz_voice_buf_text(b, "{\n \"format\": \"" KZ_VOICE_JSON_NAME "\"");
    for (int k = KZ_VOICE_FORMAT + 1; k < KZ_VOICE_KEYS; k++) {
        const char *value = kz_voice_value(f, (kz_voice_key)k, room);
        if (!value)
            continue;
        kz_voice_buf_text(b, ",\n \"");
        kz_voice_buf_text(b, kz_voice_key_name((kz_voice_key)k));
        kz_voice_buf_text(b, "\": ");
        if (is_bare((kz_voice_key)k))
            kz_voice_buf_text(b, value);
        else
            kz_voice_buf_quoted(b, value);
    }
}

static void put_vector(kz_voice_buf *b, const kz_voice_file *f) {
    enum { IN_LINE = 8 };
    kz_voice_buf_text(b, ",\n \"spk_embedding\": [");
    for (size_t i = 0; i < f->d_model; i++) {
        kz_voice_buf_text(b, !i ? "" : i % IN_LINE ? ", " : ",\n  ");
        put_float(b, f->x_vector[i]);
    }
    kz_voice_buf_text(b, "]");
}

static void put_codes(kz_voice_buf *b, const kz_voice_file *f) {
    kz_voice_buf_text(b, ",\n \"ref_codes\": [");
    for (size_t i = 0; i < f->n_ref * f->n_code; i++) {
        kz_voice_buf_text(b, i % f->n_code ? ", " : i ? "],\n  [" : "\n  [");
        kz_voice_buf_number(b, (uint64_t)f->ref_code[i]);
    }
    kz_voice_buf_text(b, "]]");
}

kztts_status kz_voice_json_encode(const kz_voice_file *f, char **out, size_t *n, kz_err *err) {
    kz_voice_buf b = {0};
    *out = NULL;
    if (kz_voice_file_check(f, "this voice", err) < 0)
        return KZTTS_ERROR_VOICE;
    put_fields(&b, f);
    if (f->x_vector)
        put_vector(&b, f);
    if (f->ref_code)
        put_codes(&b, f);
    kz_voice_buf_text(&b, "\n}\n");
    return kz_voice_buf_finish(&b, out, n, err);
}
