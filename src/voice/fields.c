/* fields.c: the keys of a voice file and what may stand under them.  SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

/* ---- the table ------------------------------------------------------------------------------------------------- */

typedef enum kind { LINE, TEXT, HASH, DATE, NUMBER, FLAG, SOURCE } kind;

static const char *const kind_words[] = {
    [LINE] = "one line without control characters",
    [TEXT] = "text without control characters",
    [HASH] = "64 hexadecimal digits in lower case",
    [DATE] = "a date such as 2026-01-31 or 2026-01-31T12:00:00Z",
    [NUMBER] = "a whole number",
    [FLAG] = "true or false",
    [SOURCE] = "recording, designed, preset or imported",
};

/* limit: bytes of the value */
static const struct {
    const char *key;
    kind kind;
    size_t limit;
} table[KZ_VOICE_KEYS] = {
    [KZ_VOICE_FORMAT] = {"format", LINE, 63},
    [KZ_VOICE_NAME] = {"name", LINE, 200},
    [KZ_VOICE_LANGUAGE] = {"language", LINE, 63},
    [KZ_VOICE_FAMILY] = {"family", LINE, 63},
    [KZ_VOICE_MODEL_TYPE] = {"model_type", LINE, 63},
    [KZ_VOICE_MODEL_SIZE] = {"model_size", LINE, 15},
    [KZ_VOICE_D_MODEL] = {"d_model", NUMBER, 20},
    [KZ_VOICE_CODE_GROUPS] = {"code_groups", NUMBER, 20},
    [KZ_VOICE_CODEBOOK_SIZE] = {"codebook_size", NUMBER, 20},
    [KZ_VOICE_SPEAKER_SHA256] = {"speaker_sha256", HASH, 64},
    [KZ_VOICE_CODEC_SHA256] = {"codec_sha256", HASH, 64},
    [KZ_VOICE_X_VECTOR_ONLY] = {"x_vector_only", FLAG, 5},
    [KZ_VOICE_REF_TEXT] = {"ref_text", TEXT, KZ_VOICE_TEXT_BYTES},
    [KZ_VOICE_DESCRIPTION] = {"description", TEXT, KZ_VOICE_TEXT_BYTES},
    [KZ_VOICE_SEED] = {"seed", NUMBER, 20},
    [KZ_VOICE_SOURCE] = {"source", SOURCE, 16},
    [KZ_VOICE_SOURCE_SHA256] = {"source_sha256", HASH, 64},
    [KZ_VOICE_CONSENT] = {"consent", TEXT, 4096},
    [KZ_VOICE_CONSENT_DATE] = {"consent_date", DATE, 20},
    [KZ_VOICE_LICENCE] = {"licence", LINE, 1000},
    [KZ_VOICE_ENGINE] = {"engine", LINE, 100},
    [KZ_VOICE_CREATED] = {"created", DATE, 20},
};

const char *kz_voice_key_name(kz_voice_key key) { return table[key].key; }

/* ---- checks ---------------------------------------------------------------------------------------------------- */

/* A character that may hide or reorder others on a terminal: C0, DEL, C1, line separators, direction marks. s is valid
 * UTF-8. */
static bool is_control(const unsigned char *s, bool lines) {
    if (s[0] < 0x20)
        return !(lines && (s[0] == '\n' || s[0] == '\r' || s[0] == '\t'));
    if (s[0] == 0x7F)
        return true;
    if (s[0] == 0xC2)
        return s[1] < 0xA0;
    if (s[0] == 0xE2 && s[1] == 0x80)
        return s[2] >= 0xA8 && s[2] <= 0xAE;                             /* U+2028 to U+202E */
    return s[0] == 0xE2 && s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9; /* U+2066 to U+2069 */
}

static bool is_clean(const char *s, bool lines) {
    for (const unsigned char *p = (const unsigned char *)s; *p; p++)
        if (is_control(p, lines))
            return false;
    return true;
}

static bool is_hash(const char *s) {
    size_t n = strspn(s, "0123456789abcdef");
    return n == 64 && !s[n];
}

/* Two digits from lo to hi. */
static bool in_range(const char *s, int lo, int hi) {
    int value = (s[0] - '0') * 10 + s[1] - '0';
    return value >= lo && value <= hi;
}

static bool is_date(const char *s) {
    static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
    size_t n = strlen(s);
    if (n != 10 && n != 20)
        return false;
    for (size_t i = 0; i < n; i++)
        if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != shape[i])
            return false;
    return in_range(s + 5, 1, 12) && in_range(s + 8, 1, 31) &&
           (n == 10 || (in_range(s + 11, 0, 23) && in_range(s + 14, 0, 59) && in_range(s + 17, 0, 60)));
}

/* Digits without a leading zero, within 64 bits. */
static bool read_number(const char *s, uint64_t *out) {
    uint64_t value = 0;
    if (!*s || (s[0] == '0' && s[1]))
        return false;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return false;
        unsigned digit = (unsigned)(*s - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

static bool is_source(const char *s) {
    static const char *const words[] = {"recording", "designed", "preset", "imported"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(s, words[i]) == 0)
            return true;
    return false;
}

static bool is_kind(kind k, const char *value) {
    uint64_t number;
    switch (k) {
    case LINE:
        return is_clean(value, false);
    case TEXT:
        return is_clean(value, true);
    case HASH:
        return is_hash(value);
    case DATE:
        return is_date(value);
    case NUMBER:
        return read_number(value, &number);
    case FLAG:
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    case SOURCE:
        return is_source(value);
    }
    return false;
}

bool kz_voice_text_check(kz_voice_key key, const char *value, const char **expected, size_t *limit) {
    *expected = kind_words[table[key].kind];
    *limit = table[key].limit;
    return strlen(value) <= *limit && is_kind(table[key].kind, value);
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

kztts_status kz_voice_fields_put(kz_voice_fields *fields, const char *key, const char *value) {
    const char *expected;
    size_t limit;
    int k = 0;
    while (k < KZ_VOICE_KEYS && strcmp(key, table[k].key) != 0)
        k++;
    if (k == KZ_VOICE_KEYS)
        return KZTTS_OK;
    if (fields->value[k])
        return kz_fail(fields->err, KZTTS_ERROR_FORMAT, "%s: %s is there twice", fields->label, key);
    if (!kz_voice_text_check((kz_voice_key)k, value, &expected, &limit))
        return kz_fail(fields->err, KZTTS_ERROR_FORMAT, "%s: %s: expected %s (at most %zu bytes), found \"%s\"",
                       fields->label, key, expected, limit, kz_show(value).s);
    fields->value[k] = value;
    return KZTTS_OK;
}

static bool is_kept(int key) { return table[key].kind != NUMBER && table[key].kind != FLAG && key != KZ_VOICE_FORMAT; }

static kztts_status copy_texts(kz_voice_file *f, const kz_voice_fields *fields) {
    size_t n = 1;
    for (int k = 0; k < KZ_VOICE_KEYS; k++)
        if (is_kept(k) && fields->value[k])
            n += strlen(fields->value[k]) + 1;
    char *at = f->strings = kz_alloc(n, 1);
    if (!at)
        return kz_fail_memory(fields->err, n, "a voice");
    for (int k = 0; k < KZ_VOICE_KEYS; k++) {
        if (!is_kept(k) || !fields->value[k] || !*fields->value[k])
            continue;
        size_t size = strlen(fields->value[k]) + 1;
        memcpy(at, fields->value[k], size);
        f->text[k] = at;
        at += size;
    }
    return KZTTS_OK;
}

static kztts_status take_number(const kz_voice_fields *fields, kz_voice_key key, uint64_t min, uint64_t max,
                                size_t *out) {
    uint64_t value;
    if (!fields->value[key])
        return KZTTS_OK;
    if (!read_number(fields->value[key], &value) || value < min || value > max)
        return kz_fail(fields->err, KZTTS_ERROR_FORMAT, "%s: %s: expected %" PRIu64 " to %" PRIu64 ", found %s",
                       fields->label, table[key].key, min, max, fields->value[key]);
    *out = (size_t)value;
    return KZTTS_OK;
}

kztts_status kz_voice_fields_finish(kz_voice_file *f, const kz_voice_fields *fields) {
    KZ_TRY(copy_texts(f, fields));
    KZ_TRY(take_number(fields, KZ_VOICE_D_MODEL, 1, KZ_VOICE_MAX_WIDTH, &f->d_model));
    KZ_TRY(take_number(fields, KZ_VOICE_CODE_GROUPS, 1, KZ_MAX_CODE, &f->n_code));
    KZ_TRY(take_number(fields, KZ_VOICE_CODEBOOK_SIZE, 1, KZ_VOICE_MAX_CODES, &f->codebook_size));
    f->has_seed = fields->value[KZ_VOICE_SEED] && read_number(fields->value[KZ_VOICE_SEED], &f->seed);
    return KZTTS_OK;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static const char *show_number(uint64_t value, char room[KZ_VOICE_NUMBER_ROOM]) {
    (void)snprintf(room, KZ_VOICE_NUMBER_ROOM, "%" PRIu64, value);
    return room;
}

const char *kz_voice_value(const kz_voice_file *f, kz_voice_key key, char room[KZ_VOICE_NUMBER_ROOM]) {
    switch (key) {
    case KZ_VOICE_D_MODEL:
        return f->d_model ? show_number(f->d_model, room) : NULL;
    case KZ_VOICE_CODE_GROUPS:
        return f->n_code ? show_number(f->n_code, room) : NULL;
    case KZ_VOICE_CODEBOOK_SIZE:
        return f->codebook_size ? show_number(f->codebook_size, room) : NULL;
    case KZ_VOICE_X_VECTOR_ONLY:
        return !f->x_vector ? NULL : f->ref_code ? "false" : "true";
    case KZ_VOICE_SEED:
        return f->has_seed ? show_number(f->seed, room) : NULL;
    default:
        return f->text[key] && *f->text[key] ? f->text[key] : NULL;
    }
}
