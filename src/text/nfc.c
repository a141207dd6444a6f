/* nfc.c: Unicode normalisation form C in linear time.  SPDX-License-Identifier: Apache-2.0
 *
 * utf8proc_map would allocate by itself, and sorts marks by exchanging neighbours, which takes hours on a hostile
 * megabyte of them. So: decompose, sort the marks here, let utf8proc compose. */
#include <string.h>
#include <utf8proc.h>

#include "text/internal.h"

static const utf8proc_option_t options = (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE);

/* Below U+0300 every character is its own NFC, and none combines with its neighbour. */
static bool has_nothing_to_do(const char *text, size_t n) {
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < n; i++)
        if (s[i] >= 0xCC)
            return false;
    return true;
}

static int combining_class(int32_t point) { return utf8proc_get_property(point)->combining_class; }

/* Decomposes into out (of n_out code points), or only counts for n_out 0. Negative: an error of utf8proc. */
static utf8proc_ssize_t decompose(const char *text, size_t n, int32_t *out, size_t n_out) {
    utf8proc_ssize_t total = 0;
    size_t at = 0;
    while (at < n) {
        int boundary = 0; /* only used for grapheme breaks, which aren't asked for */
        int32_t point = kz_utf8_next(text, &at);
        utf8proc_ssize_t room = n_out ? (utf8proc_ssize_t)n_out - total : 0;
        utf8proc_ssize_t k = utf8proc_decompose_char(point, out ? out + total : NULL, room, options, &boundary);
        if (k < 0)
            return k;
        total += k;
    }
    return total;
}

/* Stable counting sort of one run of marks by combining class. */
static void sort_run(int32_t *run, size_t n, int32_t *copy) {
    size_t begin[257] = {0};
    memcpy(copy, run, n * sizeof *run);
    for (size_t i = 0; i < n; i++)
        begin[combining_class(copy[i]) + 1]++;
    for (size_t c = 1; c < 257; c++)
        begin[c] += begin[c - 1];
    for (size_t i = 0; i < n; i++)
        run[begin[combining_class(copy[i])]++] = copy[i];
}

/* Canonical order: marks (class above 0) between two others are sorted by class, equal ones as they came. */
static kztts_status order_marks(int32_t *point, size_t n, kz_scratch *work, kz_err *err) {
    for (size_t i = 0; i < n;) {
        size_t begin = i;
        int last = 0;
        bool sorted = true;
        for (int c; i < n && (c = combining_class(point[i])) > 0; i++) {
            sorted = sorted && c >= last;
            last = c;
        }
        if (!sorted) {
            KZ_TRY(kz_scratch_reserve(work, i - begin, sizeof *point, err));
            sort_run(point + begin, i - begin, work->data);
        }
        if (i == begin)
            i++;
    }
    return KZTTS_OK;
}

/* Composes in place; returns the new length, or an error of utf8proc. utf8proc up to 2.8 swallows U+11A7 (the Hangul
 * filler before the first final consonant) after an open syllable. It composes with nothing before it, so the pieces
 * that begin with one are composed by themselves. */
static utf8proc_ssize_t compose(int32_t *point, size_t n) {
    enum { BEFORE_FINALS = 0x11A7 };
    size_t kept = 0;
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && point[end] != BEFORE_FINALS;)
            end++;
        utf8proc_ssize_t k = utf8proc_normalize_utf32(point + begin, (utf8proc_ssize_t)(end - begin), options);
        if (k < 0)
            return k;
        memmove(point + kept, point + begin, (size_t)k * sizeof *point);
        kept += (size_t)k;
    }
    return (utf8proc_ssize_t)kept;
}

kztts_status kz_text_nfc(const char *text, size_t n, kz_nfc_work *work, const char **out, size_t *n_out, kz_err *err) {
    *out = text;
    *n_out = n;
    if (has_nothing_to_do(text, n))
        return KZTTS_OK;
    utf8proc_ssize_t n_point = decompose(text, n, NULL, 0);
    if (n_point < 0)
        return kz_fail(err, KZTTS_ERROR_FAILED, "utf8proc can't normalise the text: %s", utf8proc_errmsg(n_point));
    /* one more: utf8proc ends its result with a NUL */
    KZ_TRY(kz_scratch_reserve(&work->points, (size_t)n_point + 1, sizeof(int32_t), err));
    int32_t *point = work->points.data;
    decompose(text, n, point, (size_t)n_point);
    KZ_TRY(order_marks(point, (size_t)n_point, &work->marks, err));
    n_point = compose(point, (size_t)n_point);
    utf8proc_ssize_t n_byte = n_point < 0 ? n_point : utf8proc_reencode(point, n_point, UTF8PROC_STABLE);
    if (n_byte < 0)
        return kz_fail(err, KZTTS_ERROR_FAILED, "utf8proc can't normalise the text: %s", utf8proc_errmsg(n_byte));
    *out = work->points.data;
    *n_out = (size_t)n_byte;
    return KZTTS_OK;
}
