/* transcript.c: how long a text usually takes to say.  SPDX-License-Identifier: Apache-2.0
 *
 * By its characters: an ideograph or a syllable block is a syllable (or two), a letter of an alphabet a sound. Punctuation,
 * blanks and combining marks count nothing. The bounds in reference.h are wide: this finds the transcript of another
 * recording, or half of one. */
#include <string.h>
#include <utf8proc.h>

#include "reference_parts.h"

/* Seconds a character at an ordinary pace. */
#define LETTER 0.08    /* 150 words of 5 letters a minute */
#define CONSONANT 0.12 /* alphabets that leave out vowels */
#define SIGN 0.10      /* South and South-East Asian letters, most of them syllables with their marks */
#define DIGIT 0.30     /* a word each, less in years and prices */
#define IDEOGRAPH 0.20 /* 5 a second in Chinese; a little more in Japanese, where kana are counted too */
#define KANA 0.13      /* 7 to 8 morae a second */
#define HANGUL 0.19

typedef struct range {
    utf8proc_int32_t first, last;
    double seconds;
    bool wide;
} range;

static const range ranges[] = {
    {0x0590, 0x08ff, CONSONANT, false},  /* Hebrew, Arabic, Syriac */
    {0x0900, 0x109f, SIGN, false},       /* Devanagari to Burmese */
    {0x1100, 0x11ff, HANGUL / 2, false}, /* single jamo, two or three a syllable */
    {0x1780, 0x17ff, SIGN, false},       /* Khmer */
    {0x3005, 0x3007, IDEOGRAPH, true},   /* iteration mark, zero */
    {0x3041, 0x30ff, KANA, true},        /* hiragana, katakana */
    {0x3105, 0x312f, KANA, true},        /* bopomofo */
    {0x31f0, 0x31ff, KANA, true},        {0x3400, 0x4dbf, IDEOGRAPH, true},
    {0x4e00, 0x9fff, IDEOGRAPH, true},   {0xac00, 0xd7a3, HANGUL, true},
    {0xf900, 0xfaff, IDEOGRAPH, true},   {0xff66, 0xff9f, KANA, true}, /* half-width katakana */
    {0x20000, 0x3ffff, IDEOGRAPH, true},
};

static void count(kz_reference_figures *f, utf8proc_int32_t c) {
    double seconds = LETTER;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
        break;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NO:
        seconds = DIGIT;
        break;
    default:
        return;
    }
    f->characters++;
    for (size_t i = 0; seconds < DIGIT && i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last) {
            seconds = ranges[i].seconds;
            f->wide += ranges[i].wide;
            break;
        }
    f->usual += seconds;
}

bool kz_measure_transcript(kz_reference_figures *f, const char *transcript) {
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)transcript;
    utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(transcript);
    f->characters = f->wide = 0;
    f->usual = 0;
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(p, left, &c);
        if (n <= 0)
            return false;
        count(f, c);
        p += n;
        left -= n;
    }
    return true;
}
