/* import_json.c: a voice as JSON: a bare list of numbers, an object of another engine, or an own export.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

typedef struct reading {
    kz_voice_file *f;
    kz_voice_fields fields;
    char numbers[KZ_VOICE_KEYS][KZ_VOICE_NUMBER_ROOM];
    char hash[KZ_HASH_TEXT];
    const char *label;
    kz_err *err;
} reading;

/* ---- members by any of their names ----------------------------------------------------------------------------- */

static const char *const vector_names[] = {"spk_embedding", "ref_spk_embedding", "speaker_embedding",
                                           "embedding",     "x_vector",          NULL};
static const char *const code_names[] = {"ref_codes", "ref_code", NULL};

static bool is_in(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* The one member under one of the names, or NULL; null counts as absent. */
static kztts_status find_one(const reading *r, const cJSON *object, const char *const *names, const cJSON **out) {
    *out = NULL;
    for (const cJSON *item = object->child; item; item = item->next) {
        if (!is_in(names, item->string) || cJSON_IsNull(item))
            continue;
        if (*out)
            return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: both \"%s\" and \"%s\" are there; expected one", r->label,
                           (*out)->string, item->string);
        *out = item;
    }
    return KZTTS_OK;
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

static size_t count(const cJSON *list) {
    size_t n = 0;
    for (const cJSON *item = list->child; item; item = item->next)
        n++;
    return n;
}

static kztts_status read_vector(reading *r, const cJSON *list) {
    if (cJSON_IsArray(list) && cJSON_IsArray(list->child) && !list->child->next)
        list = list->child; /* one row */
    size_t n = cJSON_IsArray(list) ? count(list) : 0, i = 0;
    if (n < 1 || n > KZ_VOICE_MAX_WIDTH)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                       "%s: the speaker vector: expected a list of 1 to %d numbers, found %s", r->label,
                       KZ_VOICE_MAX_WIDTH, n ? "more" : kz_show_json(list).s);
    if (!(r->f->x_vector = kz_alloc(n, sizeof *r->f->x_vector)))
        return kz_fail_memory(r->err, n * sizeof *r->f->x_vector, "a speaker vector");
    for (const cJSON *item = list->child; item; item = item->next, i++) {
        double x = cJSON_IsNumber(item) ? item->valuedouble : 1e9;
        if (!(x >= -1e6 && x <= 1e6))
            return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                           "%s: the speaker vector: number %zu: expected a number up to a million, found %s", r->label,
                           i, kz_show_json(item).s);
        r->f->x_vector[i] = (float)x;
    }
    if (r->f->d_model && r->f->d_model != n)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: d_model is %zu, but the speaker vector has %zu numbers",
                       r->label, r->f->d_model, n);
    r->f->d_model = n;
    return KZTTS_OK;
}

static kztts_status fail_codes(const reading *r, size_t frame, const cJSON *found) {
    return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                   "%s: the recording's codes: frame %zu: expected a list of %zu whole numbers, found %s", r->label,
                   frame, r->f->n_code, kz_show_json(found).s);
}

static kztts_status read_frame(const reading *r, const cJSON *row, size_t frame) {
    size_t i = 0, code;
    if (!cJSON_IsArray(row) || count(row) != r->f->n_code)
        return fail_codes(r, frame, row);
    for (const cJSON *item = row->child; item; item = item->next, i++) {
        if (!kz_json_size(item, &code) || code >= KZ_VOICE_MAX_CODES)
            return fail_codes(r, frame, item);
        r->f->ref_code[frame * r->f->n_code + i] = (kz_code)code;
    }
    return KZTTS_OK;
}

static kztts_status read_codes(reading *r, const cJSON *list) {
    size_t n_ref = cJSON_IsArray(list) ? count(list) : 0, frame = 0;
    size_t n_code = n_ref && cJSON_IsArray(list->child) ? count(list->child) : 0;
    if (r->f->n_code && n_code)
        n_code = r->f->n_code; /* said in the file */
    if (n_ref < 1 || n_ref > KZ_VOICE_MAX_FRAMES || n_code < 1 || n_code > KZ_MAX_CODE)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                       "%s: the recording's codes: expected a list of 1 to %d frames, each a list of 1 to %d codes",
                       r->label, KZ_VOICE_MAX_FRAMES, KZ_MAX_CODE);
    if (!(r->f->ref_code = kz_alloc(n_ref * n_code, sizeof *r->f->ref_code)))
        return kz_fail_memory(r->err, n_ref * n_code * sizeof *r->f->ref_code, "the codes of a recording");
    r->f->n_ref = n_ref;
    r->f->n_code = n_code;
    for (const cJSON *row = list->child; row; row = row->next, frame++)
        KZ_TRY(read_frame(r, row, frame));
    return KZTTS_OK;
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

static bool is_own(const cJSON *object) {
    const cJSON *format;
    return kz_json_item(&format, object, "format") && cJSON_IsString(format) &&
           strcmp(format->valuestring, KZ_VOICE_JSON_NAME) == 0;
}

/* A member as text: the export writes some without quotes. NULL for what can't be one. */
static const char *as_text(reading *r, const cJSON *item, int key) {
    size_t number;
    if (cJSON_IsString(item))
        return item->valuestring;
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) ? "true" : "false";
    if (!kz_json_size(item, &number))
        return NULL;
    (void)snprintf(r->numbers[key], KZ_VOICE_NUMBER_ROOM, "%zu", number);
    return r->numbers[key];
}

/* Of another engine's file only what any reader would understand alike is taken. */
static bool is_common(int key) { return key == KZ_VOICE_NAME || key == KZ_VOICE_LANGUAGE || key == KZ_VOICE_REF_TEXT; }

static kztts_status read_texts(reading *r, const cJSON *object, bool own) {
    for (int k = 0; k < KZ_VOICE_KEYS; k++) {
        const char *name = kz_voice_key_name((kz_voice_key)k);
        for (const cJSON *item = object->child; item; item = item->next) {
            if (strcmp(item->string, name) != 0 || cJSON_IsNull(item) || !(own || is_common(k)))
                continue;
            const char *text = as_text(r, item, k);
            if (!text)
                return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: %s: expected a text, found %s", r->label, name,
                               kz_show_json(item).s);
            KZ_TRY(kz_voice_fields_put(&r->fields, name, text));
        }
    }
    return KZTTS_OK;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

/* Whether codes are to be left aside, in another engine's words. */
static bool is_vector_only(const cJSON *object) {
    static const char *const names[] = {"x_vector_only", "x_vector_only_mode", NULL};
    for (const cJSON *item = object->child; item; item = item->next)
        if (is_in(names, item->string) && cJSON_IsTrue(item))
            return true;
    return false;
}

static kztts_status read_object(reading *r, const cJSON *object) {
    const cJSON *vector, *codes;
    bool own = is_own(object);
    KZ_TRY(read_texts(r, object, own));
    if (!own) {
        r->fields.value[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
        r->fields.value[KZ_VOICE_SOURCE] = "imported";
        r->fields.value[KZ_VOICE_SOURCE_SHA256] = r->hash;
    }
    KZ_TRY(kz_voice_fields_finish(r->f, &r->fields));
    KZ_TRY(find_one(r, object, vector_names, &vector));
    KZ_TRY(find_one(r, object, code_names, &codes));
    if (vector)
        KZ_TRY(read_vector(r, vector));
    return codes && !is_vector_only(object) ? read_codes(r, codes) : KZTTS_OK;
}

static kztts_status read_list(reading *r, const cJSON *list) {
    r->fields.value[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    r->fields.value[KZ_VOICE_SOURCE] = "imported";
    r->fields.value[KZ_VOICE_SOURCE_SHA256] = r->hash;
    KZ_TRY(kz_voice_fields_finish(r->f, &r->fields));
    return read_vector(r, list);
}

static kztts_status read_root(reading *r, const cJSON *json) {
    if (cJSON_IsArray(json))
        KZ_TRY(read_list(r, json));
    else if (cJSON_IsObject(json))
        KZ_TRY(read_object(r, json));
    else
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: expected a JSON list or object, found %s", r->label,
                       kz_show_json(json).s);
    return kz_voice_file_check(r->f, r->label, r->err);
}

kztts_status kz_voice_import_json(kz_voice_file *out, const char *text, size_t n, const char *label, kz_err *err) {
    reading r = {.f = out, .fields = {.label = label, .err = err}, .label = label, .err = err};
    size_t at;
    const char *what;
    *out = (kz_voice_file){0};
    if (!kz_json_check(text, n, KZ_VOICE_MAX_VALUES, &at, &what))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not usable JSON at byte %zu: %s", label, at, what);
    cJSON *json = cJSON_ParseWithLengthOpts(text, n, NULL, 0);
    if (!json)
        return kz_fail_memory(err, n, label);
    kz_sha256_hex(text, n, r.hash);
    kztts_status status = read_root(&r, json);
    cJSON_Delete(json);
    if (status < 0)
        kz_voice_file_free(out);
    return status;
}
