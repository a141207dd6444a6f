/* import.c: other engines' voice files, by their ending.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

typedef struct input {
    const char *path, *which, *label;
    const char *data;
    size_t n;
} input;

typedef kztts_status (*reader)(kz_voice_file *, const input *, kz_err *);

static kztts_status read_json(kz_voice_file *out, const input *in, kz_err *err) {
    return kz_voice_import_json(out, in->data, in->n, in->label, err);
}

static kztts_status read_raw(kz_voice_file *out, const input *in, kz_err *err) {
    return kz_voice_import_raw(out, in->data, in->n, in->label, err);
}

static kztts_status read_qvoice(kz_voice_file *out, const input *in, kz_err *err) {
    return kz_voice_import_qvoice(out, in->data, in->n, in->label, err);
}

static kztts_status read_torch(kz_voice_file *out, const input *in, kz_err *err) {
    return kz_voice_import_torch(out, in->data, in->n, in->which, in->label, err);
}

static kztts_status read_gguf(kz_voice_file *out, const input *in, kz_err *err) {
    return kz_voice_import_gguf(out, in->data, in->n, in->which, in->label, err);
}

/* ---- .spk, and what lies beside it ----------------------------------------------------------------------------- */

/* The file of another ending under the same name; NULL data where there is none. */
static kztts_status read_beside(char **data, size_t *n, const char *path, const char *ending, kz_err *err) {
    size_t n_path = strlen(path), n_ending = strlen(ending);
    char *beside = kz_alloc(n_path + n_ending + 1, 1);
    *data = NULL;
    *n = 0;
    if (!beside)
        return kz_fail_memory(err, n_path, "a path");
    memcpy(beside, path, n_path);
    memcpy(beside + n_path - 4, ending, n_ending); /* in place of .spk */
    kztts_status status = kz_file_exists(beside) ? kz_file_read(data, n, beside, KZ_VOICE_MAX_BYTES, err) : KZTTS_OK;
    kz_free(beside);
    return status;
}

static kztts_status read_pair(kz_voice_file *out, const input *in, kz_err *err) {
    char *code = NULL, *text = NULL;
    size_t n_code = 0, n_text = 0;
    kztts_status status = read_beside(&code, &n_code, in->path, ".rvq", err);
    if (status >= 0 && code)
        status = read_beside(&text, &n_text, in->path, ".txt", err);
    kz_voice_pair pair = {in->data, code, text, in->n, n_code, n_text};
    if (status >= 0)
        status = kz_voice_import_pair(out, &pair, in->label, err);
    kz_free(code);
    kz_free(text);
    return status;
}

/* ---- by the ending --------------------------------------------------------------------------------------------- */

typedef struct form {
    const char *ending;
    reader read;
    size_t limit;       /* bytes of the file */
    bool several;       /* voices may be in one file */
    const char *larger; /* what a file beyond the limit is, or NULL */
} form;

static const form forms[] = {
    {".json", read_json, KZ_VOICE_MAX_BYTES, false, NULL},
    {".bin", read_raw, KZ_VOICE_MAX_BYTES, false, NULL},
    {".f32", read_raw, KZ_VOICE_MAX_BYTES, false, NULL},
    {".spk", read_pair, KZ_VOICE_MAX_BYTES, false, NULL},
    {".qvoice", read_qvoice, 64 << 20, false, "the weights of a whole model (the weight-delta form) aren't imported"},
    {".pt", read_torch, KZ_VOICE_MAX_BYTES, true, NULL},
    {".gguf", read_gguf, 64 << 20, true, "a voice pack is smaller; this may be a model"}};

/* ASCII letters of any case. */
static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), n_ending = strlen(ending);
    if (n < n_ending)
        return false;
    for (path += n - n_ending; *ending; path++, ending++) {
        char c = *path >= 'A' && *path <= 'Z' ? (char)(*path - 'A' + 'a') : *path;
        if (c != *ending)
            return false;
    }
    return true;
}

static const form *find_form(const char *path) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ends_with(path, forms[i].ending))
            return forms + i;
    return NULL;
}

static kztts_status read_file(const form *f, input *in, char **data, kz_err *err) {
    kz_err why = {""};
    kztts_status status = kz_file_read(data, &in->n, in->path, f->limit, &why);
    if (status >= 0) {
        in->data = *data;
        return KZTTS_OK;
    }
    bool larger = status == KZTTS_ERROR_FORMAT && f->larger;
    return kz_fail(err, status, "%.300s%s%s", why.message, larger ? "; " : "", larger ? f->larger : "");
}

kztts_status kz_voice_import(kz_voice_file *out, const char *path, const char *which, kz_err *err) {
    const form *f = find_form(path);
    kz_shown label = kz_show_path(path);
    input in = {.path = path, .which = which, .label = label.s};
    char *data = NULL;
    *out = (kz_voice_file){0};
    if (!f)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT,
                       "%s: not a form that can be imported: .json, .bin, .f32, .spk, .qvoice, .pt and .gguf (voice "
                       "packs) are; .kzvoice files need no import",
                       label.s);
    if (which && !f->several)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: %s files hold one voice; there is none to choose", label.s,
                       f->ending);
    KZ_TRY(read_file(f, &in, &data, err));
    kztts_status status = f->read(out, &in, err);
    kz_free(data);
    return status;
}
