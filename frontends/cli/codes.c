/* codes.c: reading the text form of codes.  SPDX-License-Identifier: Apache-2.0 */
#include "codes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct reader {
    const char *p, *end, *line_start;
    size_t line, column; /* of the number or character in question */
    int32_t *code;
    size_t n, cap;
    int n_code, codebook_size;
    char *message;
    size_t message_size;
} reader;

static int wrong(reader *r, const char *what) {
    snprintf(r->message, r->message_size, "line %zu, column %zu: %s", r->line, r->column, what);
    return KZ_EXIT_FORMAT;
}

static int push(reader *r, int32_t code) {
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 4096;
        int32_t *bigger = cap <= SIZE_MAX / sizeof *bigger ? realloc(r->code, cap * sizeof *bigger) : NULL;
        if (!bigger) {
            snprintf(r->message, r->message_size, "line %zu: out of memory", r->line);
            return KZ_EXIT_MEMORY;
        }
        r->code = bigger;
        r->cap = cap;
    }
    r->code[r->n++] = code;
    return 0;
}

/* A number at r->p, which is not a blank. */
static int take_number(reader *r) {
    char what[160];
    int32_t value = 0;
    r->column = (size_t)(r->p - r->line_start) + 1;
    const char *start = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9') {
        if (value < r->codebook_size)
            value = value > 99999999 ? r->codebook_size : value * 10 + (*r->p - '0');
        r->p++;
    }
    if (r->p == start || (r->p < r->end && (*r->p == '\0' || !strchr(" \t\r\n", *r->p)))) {
        snprintf(what, sizeof what, "a code is expected, found the byte 0x%02x", (unsigned)(unsigned char)*r->p);
        r->column = (size_t)(r->p - r->line_start) + 1;
        return wrong(r, what);
    }
    if (value >= r->codebook_size) {
        int n = (int)(r->p - start < 24 ? r->p - start : 24);
        snprintf(what, sizeof what, "code %.*s is out of range, expected 0 to %d", n, start, r->codebook_size - 1);
        return wrong(r, what);
    }
    return push(r, value);
}

/* A line, up to and including its newline. */
static int take_line(reader *r) {
    char what[96];
    size_t before = r->n;
    int code = 0;
    r->line++;
    r->line_start = r->p;
    while (r->p < r->end && *r->p != '\n' && code == 0) {
        if (*r->p == ' ' || *r->p == '\t' || (*r->p == '\r' && (r->p + 1 == r->end || r->p[1] == '\n')))
            r->p++;
        else
            code = take_number(r);
        if (code == 0 && r->n - before > (size_t)r->n_code) {
            snprintf(what, sizeof what, "more than %d codes", r->n_code);
            code = wrong(r, what);
        }
    }
    if (code != 0)
        return code;
    if (r->n != before && r->n - before < (size_t)r->n_code) {
        r->column = (size_t)(r->p - r->line_start) + 1;
        snprintf(what, sizeof what, "%zu codes, expected %d", r->n - before, r->n_code);
        return wrong(r, what);
    }
    if (r->p < r->end)
        r->p++;
    return 0;
}

int kz_codes_parse(kz_codes *out, const char *data, size_t n, int n_code, int codebook_size, char *message,
                   size_t message_size) {
    reader r = {.p = data, .end = data + n, .line_start = data, .n_code = n_code, .codebook_size = codebook_size};
    int code = 0;
    r.message = message;
    r.message_size = message_size;
    out->code = NULL;
    out->n_frame = 0;
    if (n >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        r.p += 3;
    while (r.p < r.end && code == 0)
        code = take_line(&r);
    if (code == 0 && r.n == 0) {
        snprintf(message, message_size, "no codes in it");
        code = KZ_EXIT_FORMAT;
    }
    if (code != 0) {
        free(r.code);
        return code;
    }
    out->code = r.code;
    out->n_frame = r.n / (size_t)n_code;
    return 0;
}
