/* guard.c: how an utterance that goes wrong is noticed. The figures: docs/guards.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include "engine/guard.h"

/* ---- length ------------------------------------------------------------------------------------------------ */

/* Seconds that a character takes, by ranges of code points; the rest of what is no letter takes none. */
static const struct {
    uint32_t first, last;
    double seconds;
} scripts[] = {
    {'0', '9', 0.40},         /* a word each */
    {'!', '!', 0.30},         /* a pause */
    {'#', '&', 0.50},         /* read out: number, dollar, percent, and */
    {'+', '+', 0.50},         /* plus */
    {',', '/', 0.30},         /* comma, hyphen, full stop, slash */
    {':', ';', 0.30},         /* pauses */
    {'<', '>', 0.50},         /* equals */
    {'?', '@', 0.50},         /* a pause; at */
    {'A', 'Z', 0.075},        /* Latin; a row of capitals is spelt, see below */
    {'a', 'z', 0.075},        /* */
    {0xA0, 0xBF, 0.30},       /* section, degree, ... */
    {0xC0, 0x24F, 0.075},     /* Latin */
    {0x370, 0x52F, 0.080},    /* Greek, Cyrillic */
    {0x530, 0x10FF, 0.10},    /* other alphabets */
    {0x1100, 0x11FF, 0.10},   /* Hangul letters */
    {0x1200, 0x1DFF, 0.15},   /* syllabaries */
    {0x1E00, 0x1FFF, 0.075},  /* Latin, Greek */
    {0x2010, 0x2027, 0.30},   /* dashes, ellipsis */
    {0x20A0, 0x22FF, 0.50},   /* currencies, letters, signs */
    {0x3001, 0x3002, 0.30},   /* ideographic comma and full stop */
    {0x3040, 0x30FF, 0.16},   /* kana */
    {0x3100, 0x318F, 0.15},   /* bopomofo, Hangul letters */
    {0x31F0, 0x31FF, 0.16},   /* kana */
    {0x3400, 0x9FFF, 0.30},   /* ideographs */
    {0xA000, 0xABFF, 0.15},   /* syllabaries */
    {0xAC00, 0xD7AF, 0.22},   /* Hangul */
    {0xF900, 0xFAFF, 0.30},   /* ideographs */
    {0xFF01, 0xFF0F, 0.30},   /* full-width marks */
    {0xFF10, 0xFF19, 0.40},   /* digits */
    {0xFF1A, 0xFF20, 0.30},   /* marks */
    {0xFF21, 0xFF9F, 0.16},   /* letters, kana */
    {0x10000, 0x1FFFF, 0.50}, /* rare scripts, pictures */
    {0x20000, 0x3FFFF, 0.30}, /* ideographs */
};

static const double spelt_seconds = 0.35; /* a letter of an abbreviation */

static double char_seconds(uint32_t c) {
    size_t lo = 0, hi = sizeof scripts / sizeof *scripts;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (c > scripts[mid].last)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < sizeof scripts / sizeof *scripts && c >= scripts[lo].first ? scripts[lo].seconds : 0;
}

/* The character at s of valid UTF-8, and its length. */
static uint32_t decode(const unsigned char *s, size_t n, size_t *length) {
    size_t len = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    uint32_t c = len == 1 ? s[0] : s[0] & (0x7FU >> len);
    len = len < n ? len : n;
    for (size_t i = 1; i < len; i++)
        c = c << 6 | (s[i] & 0x3FU);
    *length = len;
    return c;
}

static bool is_capital(uint32_t c) { return c >= 'A' && c <= 'Z'; }

double kz_guard_seconds(const char *text, size_t n) {
    double seconds = 0;
    uint32_t before = 0;
    size_t length = 0;
    for (size_t i = 0; i < n; i += length) {
        uint32_t c = decode((const unsigned char *)text + i, n - i, &length);
        seconds += is_capital(c) && is_capital(before) ? spelt_seconds : char_seconds(c);
        before = c;
    }
    return seconds;
}

size_t kz_guard_most_frames(double seconds, double rate) { return (size_t)((2.5 * seconds + 3.0) * rate) + 1; }

size_t kz_guard_least_frames(double seconds, double rate) {
    double least = 0.25 * seconds - 0.5;
    return least > 0 ? (size_t)(least * rate) : 0;
}

/* ---- repetition -------------------------------------------------------------------------------------------- */

/* Seconds that a circle goes on before it is cut. */
static const double circle_seconds = 3.0;

bool kz_watch_code(kz_watch *w, kz_code code, double rate) {
    size_t most = (size_t)(circle_seconds * rate);
    bool circles = false;
    for (size_t p = 1; p <= KZ_WATCH_PERIOD; p++) {
        bool same = w->n >= p && w->last[(w->n - p) % KZ_WATCH_PERIOD] == code;
        w->run[p - 1] = same ? w->run[p - 1] + 1 : 0;
        circles |= w->run[p - 1] >= most;
    }
    w->last[w->n++ % KZ_WATCH_PERIOD] = code;
    return circles;
}

/* ---- silence ----------------------------------------------------------------------------------------------- */

/* A sample above this is heard (-50 dB); so long without one is no pause. */
static const float heard = 0.00316F;
static const double hush_seconds = 3.0;

bool kz_hush_samples(kz_hush *h, const float *pcm, size_t n, int sample_rate) {
    h->n_quiet += n;
    for (size_t i = n; i-- > 0;)
        if (pcm[i] > heard || pcm[i] < -heard) {
            h->n_quiet = n - 1 - i;
            break;
        }
    return (double)h->n_quiet >= hush_seconds * sample_rate;
}
