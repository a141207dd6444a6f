/* names.c: tensor names from one layout to another.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "gguf/scheme.h"

enum { MAX_NUMBERS = 4, MAX_DIGITS = 4 };

/* What a pattern's signs stood for. */
typedef struct found {
    size_t number[MAX_NUMBERS], n_number;
    const char *rest;
    size_t n_rest;
} found;

/* The number behind a # of a pattern ("+2"), and how many characters it takes. */
static size_t offset_of(const char *pattern, size_t *n_char) {
    *n_char = 0;
    if (pattern[0] != '+')
        return 0;
    *n_char = 2;
    return (size_t)(pattern[1] - '0');
}

static bool match_number(const char **p, const char **s, const char *end, found *f) {
    size_t n_char, offset = offset_of(*p + 1, &n_char), n = 0;
    const char *digits = *s;
    while (*s < end && **s >= '0' && **s <= '9' && *s - digits < MAX_DIGITS)
        n = n * 10 + (size_t)(*(*s)++ - '0');
    if (*s == digits || (*digits == '0' && *s - digits > 1) || n < offset || f->n_number == MAX_NUMBERS)
        return false;
    f->number[f->n_number++] = n - offset;
    *p += 1 + n_char;
    return true;
}

static bool match(const char *pattern, const char *s, size_t n, found *f) {
    const char *p = pattern, *end = s + n;
    *f = (found){0};
    while (*p && *p != '*' && *p != '@') {
        if (*p == '#') {
            if (!match_number(&p, &s, end, f))
                return false;
        } else if (s == end || *s++ != *p++) {
            return false;
        }
    }
    f->rest = s;
    f->n_rest = (size_t)(end - s);
    return *p ? f->n_rest > 0 : s == end;
}

/* Appends up to n bytes; names that are too long for any model end up unknown. */
static bool put(char out[KZ_GG_NAME], size_t *at, const char *s, size_t n) {
    if (*at + n >= KZ_GG_NAME)
        return false;
    memcpy(out + *at, s, n);
    *at += n;
    out[*at] = '\0';
    return true;
}

static bool write_name(char out[KZ_GG_NAME], const char *pattern, const found *f) {
    size_t at = 0, i = 0, n_char = 0;
    bool fits = true;
    out[0] = '\0';
    for (const char *p = pattern; *p && fits; p++) {
        char digits[24];
        if (*p == '#') {
            size_t offset = offset_of(p + 1, &n_char);
            (void)snprintf(digits, sizeof digits, "%zu", f->number[i++] + offset);
            fits = put(out, &at, digits, strlen(digits));
            p += n_char;
        } else if (*p == '*' || *p == '@') {
            fits = put(out, &at, f->rest, f->n_rest);
        } else {
            fits = put(out, &at, p, 1);
        }
    }
    return fits;
}

/* Turns the rest by the rule's parts; true when there is nothing to turn. */
static bool turn_rest(found *f, const kz_gg_part *parts, bool to_ours) {
    if (!parts)
        return true;
    for (; parts->file; parts++) {
        const char *from = to_ours ? parts->file : parts->ours;
        if (f->n_rest == strlen(from) && !memcmp(f->rest, from, f->n_rest)) {
            f->rest = to_ours ? parts->ours : parts->file;
            f->n_rest = strlen(f->rest);
            return true;
        }
    }
    return false;
}

bool kz_gg_to_ours(char out[KZ_GG_NAME], const kz_gg_name *names, kz_gg_string file) {
    found f;
    for (; names->file; names++)
        if (match(names->file, file.s, file.n, &f) && turn_rest(&f, names->parts, true))
            return write_name(out, names->ours, &f);
    return false;
}

/* A stack's pages are told by the stack's name: % is taken for any number. */
static bool match_page(const char *pattern, const char *ours) {
    const char *page = strchr(pattern, '%');
    size_t n = page ? (size_t)(page - pattern) : 0;
    if (!page || strncmp(pattern, ours, n) != 0)
        return false;
    ours += n;
    size_t digits = strspn(ours, "0123456789");
    return digits > 0 && strcmp(ours + digits, page + 1) == 0;
}

bool kz_gg_to_file(char out[KZ_GG_NAME], const kz_gg_name *names, const char *ours) {
    found f = {0};
    for (; names->file; names++) {
        if (match_page(names->ours, ours))
            return write_name(out, names->file, &f);
        if (match(names->ours, ours, strlen(ours), &f) && turn_rest(&f, names->parts, false))
            return write_name(out, names->file, &f);
    }
    return false;
}
