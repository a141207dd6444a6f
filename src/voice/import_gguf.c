/* import_gguf.c: voice packs: GGUF files of several voices.  SPDX-License-Identifier: Apache-2.0
 *
 * Architecture qwen3tts.voicepack; the lists voicepack.names and voicepack.ref_texts; of each voice the tensors
 * voicepack.spk.NAME.embd (f32) and voicepack.code.NAME.codes (i32: 16 codes a frame). No other GGUF file is read here. */
#include <stdio.h>
#include <string.h>

#include "voice/importing.h"
#include "weights/json.h"

enum {
    VALUE_BOOL = 7,
    VALUE_STRING = 8,
    VALUE_ARRAY = 9,
    VALUE_TYPES = 13,
    TYPE_F32 = 0,
    TYPE_I32 = 26,
    DIMS = 4,
    MAX_VOICES = 4096
};

/* Bytes of a value by its type; 0: string and array. */
static const unsigned char value_size[VALUE_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

typedef struct text {
    const char *s;
    size_t n;
} text;

/* A list of strings in the file. */
typedef struct list {
    const unsigned char *first;
    uint64_t n;
} list;

typedef struct found {
    uint64_t dim[DIMS], offset, type;
    bool there;
} found;

typedef struct reading {
    kz_importing r;
    const unsigned char *begin, *p, *end;
    text architecture, consent;
    list names, words;
    uint64_t alignment;
    text name; /* of the voice that is taken */
    found vector, codes;
} reading;

static kztts_status fail(const reading *g, const char *what) {
    return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT, "%s: %s", g->r.fields.label, what);
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static kztts_status take(reading *g, uint64_t n, const unsigned char **out) {
    *out = g->p;
    if (n > (uint64_t)(g->end - g->p))
        return fail(g, "a GGUF file that is cut off");
    g->p += (size_t)n;
    return KZTTS_OK;
}

static kztts_status take_number(reading *g, int n_byte, uint64_t *out) {
    const unsigned char *p;
    KZ_TRY(take(g, (uint64_t)n_byte, &p));
    *out = kz_little(p, n_byte);
    return KZTTS_OK;
}

static kztts_status take_text(reading *g, text *out) {
    const unsigned char *p;
    uint64_t n;
    KZ_TRY(take_number(g, 8, &n));
    KZ_TRY(take(g, n, &p));
    *out = (text){.s = (const char *)p, .n = (size_t)n};
    return KZTTS_OK;
}

/* A value of any type; what it is goes to `string` or `strings`, or is passed over. */
static kztts_status take_value(reading *g, uint64_t type, text *string, list *strings, uint64_t *number) {
    const unsigned char *p;
    uint64_t of, n;
    if (type == VALUE_STRING)
        return take_text(g, string);
    if (type >= VALUE_TYPES)
        return fail(g, "a GGUF file with a value of an unknown type");
    if (type != VALUE_ARRAY) {
        KZ_TRY(take(g, value_size[type], &p));
        *number = kz_little(p, value_size[type]);
        return KZTTS_OK;
    }
    KZ_TRY(take_number(g, 4, &of));
    KZ_TRY(take_number(g, 8, &n));
    if (of >= VALUE_TYPES || of == VALUE_ARRAY || n > (uint64_t)(g->end - g->p))
        return fail(g, "a GGUF file with a list of an unknown type or length");
    if (of != VALUE_STRING)
        return take(g, n * value_size[of], &p);
    *strings = (list){.first = g->p, .n = n};
    for (uint64_t i = 0; i < n; i++)
        KZ_TRY(take_text(g, string));
    return KZTTS_OK;
}

static bool is_text(text t, const char *s) { return strlen(s) == t.n && memcmp(t.s, s, t.n) == 0; }

static kztts_status take_pair(reading *g) {
    text key, string = {0};
    list strings = {0};
    uint64_t type, number = 0;
    KZ_TRY(take_text(g, &key));
    KZ_TRY(take_number(g, 4, &type));
    KZ_TRY(take_value(g, type, &string, &strings, &number));
    if (is_text(key, "general.architecture") && type == VALUE_STRING)
        g->architecture = string;
    else if (is_text(key, "crispasr.voice.consent_attestation") && type == VALUE_STRING)
        g->consent = string;
    else if (is_text(key, "voicepack.names"))
        g->names = strings;
    else if (is_text(key, "voicepack.ref_texts"))
        g->words = strings;
    else if (is_text(key, "general.alignment"))
        g->alignment = number;
    return KZTTS_OK;
}

/* ---- which voice ----------------------------------------------------------------------------------------------- */

/* The list was walked before. */
static text text_at(list l, uint64_t i) {
    const unsigned char *p = l.first;
    for (;; i--) {
        uint64_t n = kz_little(p, 8);
        if (!i)
            return (text){.s = (const char *)p + 8, .n = (size_t)n};
        p += 8 + n;
    }
}

static kztts_status fail_choice(const reading *g) {
    char names[200] = "";
    size_t at = 0;
    for (uint64_t i = 0; i < g->names.n && at + 80 < sizeof names; i++) {
        text t = text_at(g->names, i);
        char name[40] = "";
        memcpy(name, t.s, t.n < sizeof name ? t.n : sizeof name - 1);
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", kz_show(name).s);
    }
    return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT, "%s: it holds %llu voices; choose one by its name: %s",
                   g->r.fields.label, (unsigned long long)g->names.n, names);
}

static kztts_status choose(reading *g, const char *which) {
    if (!g->names.n || g->names.n > MAX_VOICES || g->names.n != g->words.n)
        return fail(g, "a voice pack without names, of more than 4096, or without a transcript for each");
    for (uint64_t i = 0; i < g->names.n; i++) {
        g->name = text_at(g->names, i);
        if (which ? !is_text(g->name, which) : g->names.n > 1)
            continue;
        text words = text_at(g->words, i);
        KZ_TRY(kz_importing_text(&g->r, KZ_VOICE_NAME, g->name.s, g->name.n));
        KZ_TRY(kz_importing_text(&g->r, KZ_VOICE_CONSENT, g->consent.s, g->consent.n));
        return kz_importing_text(&g->r, KZ_VOICE_REF_TEXT, words.s, words.n);
    }
    return fail_choice(g);
}

/* ---- tensors --------------------------------------------------------------------------------------------------- */

/* Whether the tensor is PREFIX + name of the voice + ENDING. */
static bool is_part(const reading *g, text name, const char *prefix, const char *ending) {
    size_t a = strlen(prefix), b = strlen(ending);
    return name.n == a + g->name.n + b && memcmp(name.s, prefix, a) == 0 &&
           memcmp(name.s + a, g->name.s, g->name.n) == 0 && memcmp(name.s + a + g->name.n, ending, b) == 0;
}

static kztts_status take_tensor(reading *g) {
    text name;
    uint64_t n_dim;
    found t = {.there = true};
    KZ_TRY(take_text(g, &name));
    KZ_TRY(take_number(g, 4, &n_dim));
    if (n_dim < 1 || n_dim > DIMS)
        return fail(g, "a GGUF file with a tensor of no, or too many dimensions");
    for (size_t i = 0; i < DIMS; i++)
        t.dim[i] = 1;
    for (size_t i = 0; i < n_dim; i++)
        KZ_TRY(take_number(g, 8, t.dim + i));
    KZ_TRY(take_number(g, 4, &t.type));
    KZ_TRY(take_number(g, 8, &t.offset));
    if (is_part(g, name, "voicepack.spk.", ".embd"))
        g->vector = t;
    else if (is_part(g, name, "voicepack.code.", ".codes"))
        g->codes = t;
    return KZTTS_OK;
}

/* The 4-byte numbers of a tensor whose dimensions are within bounds. */
static kztts_status open_tensor(const reading *g, const found *t, uint64_t type, uint64_t max_col, uint64_t max_row,
                                const char *what, const unsigned char **out) {
    uint64_t data = (uint64_t)(g->p - g->begin), size = (uint64_t)(g->end - g->begin);
    data += (g->alignment - data % g->alignment) % g->alignment;
    if (!t->there || t->type != type || t->dim[0] < 1 || t->dim[0] > max_col || t->dim[1] < 1 || t->dim[1] > max_row ||
        t->dim[2] != 1 || t->dim[3] != 1)
        return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT,
                       "%s: %s of the voice: no such tensor, or of another type or shape", g->r.fields.label, what);
    uint64_t n_byte = 4 * t->dim[0] * t->dim[1];
    if (data > size || t->offset > size - data || n_byte > size - data - t->offset)
        return fail(g, "a GGUF file that is cut off");
    *out = g->begin + data + t->offset;
    return KZTTS_OK;
}

static kztts_status read_tensors(reading *g) {
    const unsigned char *p;
    KZ_TRY(open_tensor(g, &g->vector, TYPE_F32, KZ_VOICE_MAX_WIDTH, 1, "the speaker vector", &p));
    KZ_TRY(kz_importing_floats(&g->r, p, (size_t)g->vector.dim[0]));
    if (!g->codes.there)
        return KZTTS_OK;
    KZ_TRY(open_tensor(g, &g->codes, TYPE_I32, KZ_MAX_CODE, KZ_VOICE_MAX_FRAMES, "the codes", &p));
    size_t n_code = (size_t)g->codes.dim[0], n_frame = (size_t)g->codes.dim[1];
    KZ_TRY(kz_importing_codes(&g->r, n_frame, n_code));
    for (size_t i = 0; i < n_frame * n_code; i++)
        g->r.f->ref_code[i] = (kz_code)(int32_t)(uint32_t)kz_little(p + 4 * i, 4);
    return KZTTS_OK;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static kztts_status read_all(reading *g, const char *which) {
    const unsigned char *p;
    uint64_t version, n_tensor, n_pair;
    if (g->end - g->p < 4 || memcmp(g->p, "GGUF", 4) != 0)
        return fail(g, "not a GGUF file");
    KZ_TRY(take(g, 4, &p));
    KZ_TRY(take_number(g, 4, &version));
    if (version != 2 && version != 3)
        return fail(g, "a GGUF file of a version other than 2 and 3, or of another byte order");
    KZ_TRY(take_number(g, 8, &n_tensor));
    KZ_TRY(take_number(g, 8, &n_pair));
    for (uint64_t i = 0; i < n_pair; i++)
        KZ_TRY(take_pair(g));
    if (!is_text(g->architecture, "qwen3tts.voicepack"))
        return fail(g, "a GGUF file, but no voice pack (architecture qwen3tts.voicepack)");
    if (g->alignment < 1 || g->alignment > 4096)
        return fail(g, "a GGUF file with an unusable alignment");
    KZ_TRY(choose(g, which));
    for (uint64_t i = 0; i < n_tensor; i++)
        KZ_TRY(take_tensor(g));
    return read_tensors(g);
}

kztts_status kz_voice_import_gguf(kz_voice_file *out, const void *data, size_t n, const char *which, const char *label,
                                  kz_err *err) {
    reading g = {.begin = data, .p = data, .alignment = 32, .architecture = {"", 0}, .consent = {"", 0}};
    g.end = g.p + n;
    kz_importing_begin(&g.r, out, data, n, label, err);
    return kz_importing_end(&g.r, read_all(&g, which));
}
