/* utf8.c: checks and properties of UTF-8 text; the byte alphabet.  SPDX-License-Identifier: Apache-2.0 */
#include <utf8proc.h>

#include "text/internal.h"

/* Bytes of the valid sequence that begins s (n > 0 bytes are there), or 0. The second byte's range is what excludes
 * overlong forms, surrogates and numbers above U+10FFFF. */
static size_t sequence_length(const unsigned char *s, size_t n) {
    unsigned char lead = s[0], low = 0x80, high = 0xBF;
    size_t length;
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (n < length)
        return 0;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t kz_utf8_valid(const char *text, size_t n) {
    const unsigned char *s = (const unsigned char *)text;
    size_t at = 0;
    while (at < n) {
        size_t length = sequence_length(s + at, n - at);
        if (!length)
            break;
        at += length;
    }
    return at;
}

int32_t kz_utf8_next(const char *text, size_t *at) {
    const unsigned char *s = (const unsigned char *)text + *at;
    if (s[0] < 0x80) {
        *at += 1;
        return s[0];
    }
    if (s[0] < 0xE0) {
        *at += 2;
        return (s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    }
    if (s[0] < 0xF0) {
        *at += 3;
        return (s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F);
    }
    *at += 4;
    return (s[0] & 0x07) << 18 | (s[1] & 0x3F) << 12 | (s[2] & 0x3F) << 6 | (s[3] & 0x3F);
}

bool kz_text_speakable(const char *text, size_t n) {
    size_t at = 0;
    while (at < n) {
        switch (utf8proc_category(kz_utf8_next(text, &at))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* Printable Latin-1 stands for itself. The other 68 bytes follow, in order, from U+0100 on. */
size_t kz_byte_character(unsigned char byte, char out[2]) {
    unsigned point = byte;
    if (byte <= 32)
        point = 0x100u + byte;
    else if (byte >= 127 && byte <= 160)
        point = 0x100u + 33u + (byte - 127u);
    else if (byte == 173)
        point = 0x100u + 67u;
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    out[0] = (char)(0xC0 | point >> 6);
    out[1] = (char)(0x80 | (point & 0x3F));
    return 2;
}
