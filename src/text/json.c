/* json.c: reading the tokenizer's files.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "text/internal.h"

static kztts_status copy_text(char **out, const kz_text_source *source, kz_err *err) {
    if (source->n > KZ_TEXT_FILE_MAX)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %zu bytes are more than the limit of %d", source->path, source->n,
                       KZ_TEXT_FILE_MAX);
    if (!(*out = kz_alloc(source->n + 1, 1)))
        return kz_fail_memory(err, source->n, source->path);
    memcpy(*out, source->text, source->n);
    return KZTTS_OK;
}

kztts_status kz_text_read(char **out, size_t *n, const kz_text_source *source, kz_err *err) {
    const char *path = source->path;
    *out = NULL;
    *n = source->n;
    if (source->text)
        KZ_TRY(copy_text(out, source, err));
    else
        KZ_TRY(kz_file_read(out, n, path, KZ_TEXT_FILE_MAX, err));
    size_t valid = kz_utf8_valid(*out, *n);
    if (valid == *n)
        return KZTTS_OK;
    kz_free(*out);
    *out = NULL;
    return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: byte %zu isn't UTF-8; the file is damaged", path, valid);
}

kztts_status kz_text_read_json(cJSON **out, const kz_text_source *source, kz_err *err) {
    const char *path = source->path;
    char *text;
    size_t n;
    *out = NULL;
    KZ_TRY(kz_text_read(&text, &n, source, err));
    const char *end = NULL;
    errno = 0; /* the only way to tell why cJSON gave up */
    cJSON *tree = cJSON_ParseWithLengthOpts(text, n + 1, &end, 1);
    bool memory = !tree && errno == ENOMEM;
    size_t at = end ? (size_t)(end - text) : 0;
    kz_free(text);
    if (memory)
        return kz_fail_memory(err, n, path);
    if (!tree)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not valid JSON at byte %zu of %zu; the file is damaged", path, at,
                       n);
    if (!cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: expected a JSON object", path);
    }
    *out = tree;
    return KZTTS_OK;
}

const char *kz_text_quote(char out[KZ_QUOTE], const char *s, size_t n) {
    enum { SHOWN = KZ_QUOTE - 4 };
    size_t kept = n < SHOWN ? n : SHOWN;
    while (kept < n && kept > 0 && ((unsigned char)s[kept] & 0xC0) == 0x80)
        kept--; /* not inside a character */
    for (size_t i = 0; i < kept; i++)
        out[i] = (unsigned char)s[i] < 0x20 || s[i] == 0x7F ? '?' : s[i];
    memcpy(out + kept, kept < n ? "..." : "", kept < n ? 4 : 1);
    return out;
}
