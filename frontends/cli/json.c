/* json.c: JSON strings, one way and the other.  SPDX-License-Identifier: Apache-2.0
 *
 * Reading is done here because a text may hold U+0000, which the JSON library's C strings can't carry. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

void kz_cli_write_json_string(FILE *out, const char *s) {
    putc('"', out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            putc(*s, out);
    }
    putc('"', out);
}

void kz_cli_print_json_string(const char *s) { kz_cli_write_json_string(stdout, s); }

/* Four hex digits at p; -1 when they aren't. */
static long hex4(const char *p, const char *end) {
    long value = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *at = p[i] ? strchr(digits, p[i]) : NULL;
        if (!at)
            return -1;
        value = value << 4 | ((at - digits) & 15);
    }
    return value;
}

static size_t put_utf8(char *out, long code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const int lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[n] | code);
    return n;
}

/* \uXXXX at *p (behind the u), with its second half when it is a surrogate. */
static const char *take_unicode(const char **p, const char *end, char *out, size_t *n_out) {
    long code = hex4(*p, end);
    if (code < 0)
        return "\\u isn't followed by four hex digits";
    *p += 4;
    if (code >= 0xd800 && code <= 0xdfff) {
        long low = end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? hex4(*p + 2, end) : -1;
        if (code > 0xdbff || low < 0xdc00 || low > 0xdfff)
            return "half of a surrogate pair";
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        *p += 6;
    }
    *n_out += put_utf8(out + *n_out, code);
    return NULL;
}

static const char *take_escape(const char **p, const char *end, char *out, size_t *n_out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = *p < end ? *(*p)++ : '\0';
    if (c == 'u')
        return take_unicode(p, end, out, n_out);
    const char *at = c ? strchr(from, c) : NULL;
    if (!at)
        return "unknown escape";
    out[(*n_out)++] = to[at - from];
    return NULL;
}

static const char *skip_blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
        p++;
    return p;
}

const char *kz_cli_json_string(const char *line, size_t n, char *out, size_t *n_out) {
    const char *end = line + n, *p = skip_blanks(line, end);
    const char *wrong;
    *n_out = 0;
    if (p == end || *p++ != '"')
        return "not a JSON string";
    while (p < end && *p != '"') {
        unsigned char c = (unsigned char)*p++;
        if (c < 0x20)
            return "a control character inside the string";
        if (c != '\\')
            out[(*n_out)++] = (char)c;
        else if ((wrong = take_escape(&p, end, out, n_out)) != NULL)
            return wrong;
    }
    if (p == end)
        return "the string has no closing quote";
    return skip_blanks(p + 1, end) == end ? NULL : "something follows the string";
}
