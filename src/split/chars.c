/* chars.c: what a character is to the splitter.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <utf8proc.h>

#include "split/internal.h"

static unsigned ascii_class(int32_t c) {
    if (c >= 'a' && c <= 'z')
        return KZ_LETTER | KZ_LOWER;
    if (c >= 'A' && c <= 'Z')
        return KZ_LETTER | KZ_UPPER;
    if (c >= '0' && c <= '9')
        return KZ_DIGIT;
    switch (c) {
    case '\n':
        return KZ_SPACE | KZ_NEWLINE;
    case '\f':
        return KZ_SPACE | KZ_BREAK;
    case '.':
        return KZ_DOT;
    case '!':
    case '?':
        return KZ_STOP;
    case '"':
    case '\'':
        return KZ_OPEN | KZ_CLOSE;
    case '(':
    case '[':
    case '{':
        return KZ_OPEN;
    case ')':
    case ']':
    case '}':
    case '*': /* of Markdown's emphasis */
    case '_':
        return KZ_CLOSE;
    case '-':
        return KZ_DASH;
    case ',':
        return KZ_COMMA;
    case ';':
    case ':':
        return KZ_COMMA | KZ_CLAUSE;
    default:
        return c <= ' ' || c == 0x7F ? KZ_SPACE : 0;
    }
}

typedef struct kz_special {
    int32_t c;
    unsigned is;
} kz_special;

/* sorted */
static const kz_special special[] = {
    {0x00A1, KZ_OPEN},                           /* inverted ! */
    {0x00AB, KZ_OPEN | KZ_CLOSE},                /* guillemets: which opens depends on the language */
    {0x00BB, KZ_OPEN | KZ_CLOSE},                /* */
    {0x00BF, KZ_OPEN},                           /* inverted ? */
    {0x0589, KZ_STOP},                           /* Armenian full stop */
    {0x061F, KZ_STOP},                           /* Arabic ? */
    {0x06D4, KZ_STOP},                           /* Urdu full stop */
    {0x0964, KZ_STOP},                           /* danda */
    {0x0965, KZ_STOP},                           /* double danda */
    {0x1362, KZ_STOP},                           /* Ethiopic full stop */
    {0x2013, KZ_DASH | KZ_CLAUSE},               /* en dash */
    {0x2014, KZ_DASH | KZ_CLAUSE},               /* em dash */
    {0x2015, KZ_DASH | KZ_CLAUSE},               /* horizontal bar */
    {0x2018, KZ_OPEN},                           /* ' of 6 */
    {0x2019, KZ_CLOSE},                          /* ' of 9 */
    {0x201A, KZ_OPEN},                           /* low ' */
    {0x201B, KZ_OPEN},                           /* */
    {0x201C, KZ_OPEN | KZ_CLOSE},                /* " of 6: closes after a low one */
    {0x201D, KZ_CLOSE},                          /* " of 9 */
    {0x201E, KZ_OPEN},                           /* low " */
    {0x201F, KZ_OPEN},                           /* */
    {0x2022, KZ_DASH},                           /* bullet */
    {0x2026, KZ_ELLIPSIS},                       /* */
    {0x2028, KZ_SPACE | KZ_NEWLINE},             /* line separator */
    {0x2029, KZ_SPACE | KZ_BREAK},               /* paragraph separator */
    {0x2039, KZ_OPEN | KZ_CLOSE},                /* single guillemets */
    {0x203A, KZ_OPEN | KZ_CLOSE},                /* */
    {0x203C, KZ_STOP},                           /* !! */
    {0x2047, KZ_STOP},                           /* ?? */
    {0x2048, KZ_STOP},                           /* ?! */
    {0x2049, KZ_STOP},                           /* !? */
    {0x3001, KZ_COMMA | KZ_WIDE},                /* ideographic comma */
    {0x3002, KZ_STOP | KZ_WIDE},                 /* ideographic full stop */
    {0x3005, KZ_LETTER | KZ_WIDE | KZ_NO_START}, /* repetition */
    {0x3008, KZ_OPEN | KZ_WIDE},                 /* */
    {0x3009, KZ_CLOSE | KZ_WIDE},                /* */
    {0x300A, KZ_OPEN | KZ_WIDE},                 /* */
    {0x300B, KZ_CLOSE | KZ_WIDE},                /* */
    {0x300C, KZ_OPEN | KZ_WIDE},                 /* corner brackets */
    {0x300D, KZ_CLOSE | KZ_WIDE},                /* */
    {0x300E, KZ_OPEN | KZ_WIDE},                 /* */
    {0x300F, KZ_CLOSE | KZ_WIDE},                /* */
    {0x3010, KZ_OPEN | KZ_WIDE},                 /* */
    {0x3011, KZ_CLOSE | KZ_WIDE},                /* */
    {0x3014, KZ_OPEN | KZ_WIDE},                 /* */
    {0x3015, KZ_CLOSE | KZ_WIDE},                /* */
    {0x30FB, KZ_WIDE | KZ_NO_START},             /* katakana middle dot */
    {0x30FC, KZ_LETTER | KZ_WIDE | KZ_NO_START}, /* long mark */
    {0xFE0F, KZ_SYMBOL | KZ_MARK},               /* emoji presentation */
    {0xFEFF, KZ_SPACE},                          /* byte order mark */
    {0xFF01, KZ_STOP | KZ_WIDE},                 /* full width ! */
    {0xFF08, KZ_OPEN | KZ_WIDE},                 /* ( */
    {0xFF09, KZ_CLOSE | KZ_WIDE},                /* ) */
    {0xFF0C, KZ_COMMA | KZ_WIDE},                /* , */
    {0xFF0E, KZ_STOP | KZ_WIDE},                 /* . */
    {0xFF1A, KZ_COMMA | KZ_CLAUSE | KZ_WIDE},    /* : */
    {0xFF1B, KZ_COMMA | KZ_CLAUSE | KZ_WIDE},    /* ; */
    {0xFF1F, KZ_STOP | KZ_WIDE},                 /* ? */
    {0xFF3B, KZ_OPEN | KZ_WIDE},                 /* [ */
    {0xFF3D, KZ_CLOSE | KZ_WIDE},                /* ] */
    {0xFF61, KZ_STOP | KZ_WIDE},                 /* half width ideographic full stop */
    {0xFF62, KZ_OPEN | KZ_WIDE},                 /* */
    {0xFF63, KZ_CLOSE | KZ_WIDE},                /* */
    {0xFF64, KZ_COMMA | KZ_WIDE},                /* */
    {0xFF70, KZ_LETTER | KZ_WIDE | KZ_NO_START}, /* half width long mark */
};

static const kz_special *find_special(int32_t c) {
    size_t low = 0, high = sizeof special / sizeof *special;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (special[middle].c < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof special / sizeof *special && special[low].c == c ? &special[low] : NULL;
}

static bool is_ideograph(int32_t c) {
    return (c >= 0x2E80 && c <= 0x2FDF) || c == 0x3007 || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

static bool is_kana(int32_t c) {
    return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF66 && c <= 0xFF9F);
}

static bool is_small_kana(int32_t c) {
    static const char small[] = "\x41\x43\x45\x47\x49\x63\x83\x85\x87\x8E"; /* low bytes in U+3040 .. U+309F */
    int32_t low = c >= 0x30A0 && c <= 0x30FF ? c - 0x3060 : c - 0x3000;
    return (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF67 && c <= 0xFF6F) ||
           (c >= 0x3041 && c <= 0x30FF && low > 0 && low < 0xA0 && memchr(small, low, sizeof small - 1) != NULL);
}

static unsigned category_class(int32_t c) {
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return KZ_LETTER | KZ_UPPER;
    case UTF8PROC_CATEGORY_LL:
        return KZ_LETTER | KZ_LOWER;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return KZ_LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return KZ_DIGIT;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return KZ_MARK;
    case UTF8PROC_CATEGORY_CF:
        return c == 0x200B ? KZ_SPACE : KZ_MARK;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_CC:
        return KZ_SPACE | (c == 0x85 ? KZ_NEWLINE : 0);
    case UTF8PROC_CATEGORY_PD:
        return KZ_DASH;
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PI:
        return KZ_OPEN;
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PF:
        return KZ_CLOSE;
    case UTF8PROC_CATEGORY_SO:
    case UTF8PROC_CATEGORY_SK:
        return c >= 0x2190 ? KZ_SYMBOL : 0; /* arrows and on: not the number sign, not the degree */
    default:
        return 0;
    }
}

static unsigned class_of(int32_t c, unsigned *length) {
    *length = 1;
    if (c < 0x80)
        return ascii_class(c);
    if (is_ideograph(c)) {
        *length = 3;
        return KZ_LETTER | KZ_WIDE;
    }
    const kz_special *found = find_special(c);
    if (found)
        return found->is;
    if (is_kana(c)) {
        *length = 2;
        return (category_class(c) & (KZ_LETTER | KZ_MARK)) | KZ_WIDE | (is_small_kana(c) ? KZ_NO_START : 0);
    }
    if (c >= 0xAC00 && c <= 0xD7A3) {
        *length = 2;
        return KZ_LETTER | KZ_HANGUL;
    }
    return category_class(c);
}

kz_char kz_char_at(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    kz_char out = {.n_byte = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4};
    if (out.n_byte == 1)
        out.c = s[0];
    else if (out.n_byte == 2)
        out.c = (s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    else if (out.n_byte == 3)
        out.c = (s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F);
    else
        out.c = (s[0] & 0x07) << 18 | (s[1] & 0x3F) << 12 | (s[2] & 0x3F) << 6 | (s[3] & 0x3F);
    out.is = class_of(out.c, &out.length);
    return out;
}

const char *kz_char_before(const char *begin, const char *text) {
    do
        text--;
    while (text > begin && ((unsigned char)*text & 0xC0) == 0x80);
    return text;
}

size_t kz_fold(char *out, size_t n_out, const char *text, size_t n) {
    size_t n_written = 0;
    for (size_t at = 0; at < n;) {
        kz_char c = kz_char_at(text + at);
        utf8proc_uint8_t bytes[4];
        size_t n_byte = (size_t)utf8proc_encode_char(utf8proc_tolower(c.c), bytes);
        if (n_written + n_byte >= n_out)
            return 0;
        memcpy(out + n_written, bytes, n_byte);
        n_written += n_byte;
        at += c.n_byte;
    }
    out[n_written] = 0;
    return n_written;
}
