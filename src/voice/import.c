/* import.c: other engines' voice files, by their ending.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

typedef kztts_status (*reader)(kz_voice_file *, const void *, size_t, const char *, kz_err *);

static kztts_status read_json(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err) {
    return kz_voice_import_json(out, data, n, label, err);
}

static const struct {
    const char *ending;
    reader read;
} forms[] = {{".json", read_json}, {".bin", kz_voice_import_raw}, {".f32", kz_voice_import_raw}};

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

static reader find_reader(const char *path) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ends_with(path, forms[i].ending))
            return forms[i].read;
    return NULL;
}

kztts_status kz_voice_import(kz_voice_file *out, const char *path, kz_err *err) {
    reader read = find_reader(path);
    char *data;
    size_t n;
    *out = (kz_voice_file){0};
    if (!read)
        return kz_fail(
            err, KZTTS_ERROR_ARGUMENT,
            "%s: not a form that can be imported: .json (vector, or object with one), .bin and .f32 (numbers "
            "of 4 bytes); .kzvoice files need no import",
            kz_show_path(path).s);
    KZ_TRY(kz_file_read(&data, &n, path, KZ_VOICE_MAX_BYTES, err));
    kztts_status status = read(out, data, n, kz_show_path(path).s, err);
    kz_free(data);
    return status;
}
