/* named.c: finding speakers and languages by name, and names that are nearly right.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/config.h"

enum { MAX_NEAR = 3, SHORT_LIST = 16 };

bool kz_named_lower(char dst[KZ_MAX_NAME], const char *name) {
    size_t n = 0;
    for (; name[n]; n++) {
        char c = name[n];
        if (n + 1 == KZ_MAX_NAME || (unsigned char)c < 0x20 || c == 0x7F)
            return false;
        dst[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    dst[n] = 0;
    return n > 0;
}

const kz_named_id *kz_named_find(const kz_named_id *list, size_t n, const char *name) {
    char lower[KZ_MAX_NAME];
    if (!name || !kz_named_lower(lower, name))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, lower) == 0)
            return &list[i];
    return NULL;
}

static size_t min_of(size_t a, size_t b) { return a < b ? a : b; }

/* Insertions, deletions and replacements that lead from a to b. Both are shorter than KZ_MAX_NAME. */
static size_t distance(const char *a, const char *b) {
    size_t row[KZ_MAX_NAME], nb = strlen(b);
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < nb; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = min_of(replaced, min_of(row[j], diagonal) + 1);
        }
    }
    return row[nb];
}

/* How far a listed name is from the wanted one: 0 when one begins the other ("ono", "ono_anna"). */
static size_t farness(const char *name, const char *wanted) {
    size_t n = min_of(strlen(name), strlen(wanted));
    return n >= 2 && strncmp(name, wanted, n) == 0 ? 0 : distance(name, wanted);
}

/* Appends ", name" when all of it fits. */
static bool append(char *out, size_t n_out, const char *name) {
    size_t used = strlen(out), comma = used ? 2 : 0, n = strlen(name);
    if (used + comma + n >= n_out)
        return false;
    memcpy(out + used, ", ", comma);
    memcpy(out + used + comma, name, n + 1);
    return true;
}

static void append_list(char *out, size_t n_out, const kz_named_id *list, size_t n) {
    for (size_t i = 0; i < n && i < SHORT_LIST; i++)
        if (!append(out, n_out, list[i].name))
            return;
    if (n > SHORT_LIST)
        (void)append(out, n_out, "...");
}

void kz_named_near(char *out, size_t n_out, const kz_named_id *list, size_t n, const char *name) {
    char wanted[KZ_MAX_NAME];
    size_t n_near = 0;
    if (!n_out)
        return;
    out[0] = 0;
    if (name && kz_named_lower(wanted, name)) {
        size_t limit = strlen(wanted) / 4 + 1;
        for (size_t d = 0; d <= limit; d++) /* nearest first, equals in the list's order */
            for (size_t i = 0; i < n && n_near < MAX_NEAR; i++)
                if (farness(list[i].name, wanted) == d && append(out, n_out, list[i].name))
                    n_near++;
    }
    if (!n_near)
        append_list(out, n_out, list, n);
}
