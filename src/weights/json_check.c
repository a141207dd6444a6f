/* json_check.c: strict JSON grammar with limits.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/json.h"

typedef struct scan {
    const unsigned char *p, *end;
    size_t values, max_value;
    const char *what; /* reason of the failure at p */
} scan;

static bool fail(scan *s, const char *what) {
    s->what = what;
    return false;
}

/* The next byte, or 0 at the end (a zero byte is never legal, so the two need no telling apart). */
static unsigned char peek(const scan *s) { return s->p < s->end ? *s->p : 0; }

static void skip_space(scan *s) {
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static int hex_value(unsigned char c) {
    if (is_digit(c))
        return c - '0';
    c = (unsigned char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits; -1 when they aren't there. */
static int scan_hex4(scan *s) {
    int value = 0;
    if (s->end - s->p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(s->p[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    s->p += 4;
    return value;
}

static bool scan_unicode_escape(scan *s) {
    int high = scan_hex4(s);
    if (high < 0)
        return fail(s, "bad \\u escape");
    if (high == 0)
        return fail(s, "\\u0000 in a string"); /* would cut the C string short: two names could look like one */
    if (high < 0xD800 || high > 0xDFFF)
        return true;
    if (high > 0xDBFF || s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u')
        return fail(s, "half a surrogate pair");
    s->p += 2;
    int low = scan_hex4(s);
    return (low >= 0xDC00 && low <= 0xDFFF) || fail(s, "half a surrogate pair");
}

static bool scan_escape(scan *s) {
    unsigned char c = peek(s);
    if (!c || !strchr("\"\\/bfnrtu", c))
        return fail(s, "bad escape in a string");
    s->p++;
    return c != 'u' || scan_unicode_escape(s);
}

/* One character beyond ASCII. The second byte's range keeps out overlong forms, surrogates and what is above U+10FFFF. */
static bool scan_utf8(scan *s) {
    unsigned char c = *s->p, low = 0x80, high = 0xBF;
    int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
    if (c == 0xE0)
        low = 0xA0;
    else if (c == 0xED)
        high = 0x9F;
    else if (c == 0xF0)
        low = 0x90;
    else if (c == 0xF4)
        high = 0x8F;
    if (c < 0xC2 || c > 0xF4 || s->end - s->p <= more)
        return fail(s, "not UTF-8");
    if (s->p[1] < low || s->p[1] > high)
        return fail(s, "not UTF-8");
    for (int i = 2; i <= more; i++)
        if ((s->p[i] & 0xC0) != 0x80)
            return fail(s, "not UTF-8");
    s->p += more + 1;
    return true;
}

static bool scan_string(scan *s) {
    if (peek(s) != '"')
        return fail(s, "expected a string");
    s->p++;
    while (s->p < s->end && *s->p != '"') {
        unsigned char c = *s->p;
        if (c < 0x20)
            return fail(s, "control character in a string");
        if (c >= 0x80) {
            if (!scan_utf8(s))
                return false;
            continue;
        }
        s->p++;
        if (c == '\\' && !scan_escape(s))
            return false;
    }
    if (s->p == s->end)
        return fail(s, "unfinished string");
    s->p++;
    return true;
}

static bool scan_digits(scan *s) {
    if (!is_digit(peek(s)))
        return fail(s, "expected a digit");
    while (is_digit(peek(s)))
        s->p++;
    return true;
}

static bool scan_number(scan *s) {
    const unsigned char *begin = s->p;
    if (peek(s) == '-')
        s->p++;
    if (peek(s) == '0')
        s->p++;
    else if (!scan_digits(s))
        return false;
    if (peek(s) == '.') {
        s->p++;
        if (!scan_digits(s))
            return false;
    }
    if ((peek(s) | 0x20) == 'e') {
        s->p++;
        if (peek(s) == '+' || peek(s) == '-')
            s->p++;
        if (!scan_digits(s))
            return false;
    }
    return s->p - begin <= KZ_JSON_DIGITS || fail(s, "number of too many digits");
}

static bool scan_word(scan *s, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return fail(s, "unknown word");
    s->p += n;
    return true;
}

static bool scan_value(scan *s, int depth);

/* Members of an object or a list, up to its closing bracket. */
static bool scan_members(scan *s, int depth, unsigned char close) {
    s->p++;
    skip_space(s);
    if (peek(s) == close) {
        s->p++;
        return true;
    }
    for (;;) {
        skip_space(s);
        if (close == '}') {
            if (!scan_string(s))
                return false;
            skip_space(s);
            if (peek(s) != ':')
                return fail(s, "expected ':'");
            s->p++;
        }
        if (!scan_value(s, depth + 1))
            return false;
        skip_space(s);
        unsigned char c = peek(s);
        if (c != ',' && c != close)
            return fail(s, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
        s->p++;
        if (c == close)
            return true;
    }
}

/* Recursion is bounded by KZ_JSON_DEPTH. */
static bool scan_value(scan *s, int depth) {
    skip_space(s);
    if (depth > KZ_JSON_DEPTH)
        return fail(s, "nested too deeply");
    if (++s->values > s->max_value)
        return fail(s, "too many values");
    switch (peek(s)) {
    case '{':
        return scan_members(s, depth, '}');
    case '[':
        return scan_members(s, depth, ']');
    case '"':
        return scan_string(s);
    case 't':
        return scan_word(s, "true");
    case 'f':
        return scan_word(s, "false");
    case 'n':
        return scan_word(s, "null");
    default:
        return s->p == s->end ? fail(s, "it ends too early") : scan_number(s);
    }
}

bool kz_json_check(const char *text, size_t n, size_t max_value, size_t *at, const char **what) {
    const unsigned char *begin = (const unsigned char *)text;
    scan s = {.p = begin, .end = begin + n, .max_value = max_value};
    bool ok;
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        ok = fail(&s, "it begins with a byte order mark");
    } else {
        ok = scan_value(&s, 0);
        skip_space(&s);
        if (ok && s.p != s.end)
            ok = fail(&s, "something follows the end");
    }
    *at = (size_t)(s.p - begin);
    *what = ok ? NULL : s.what;
    return ok;
}
