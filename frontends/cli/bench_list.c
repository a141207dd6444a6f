/* bench_list.c: lists of numbers with ranges.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bench.h"

enum { MOST = 256 }; /* threads: as many as a model takes */

/* Digits at *p; false when there are none, or too many. */
static bool take_number(const char **p, int *out) {
    char digits[8];
    long long value;
    size_t n = strspn(*p, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, *p, n);
    digits[n] = '\0';
    *p += n;
    if (!kz_cli_integer(digits, 0, MOST, &value))
        return false;
    *out = (int)value;
    return true;
}

/* FIRST, FIRST-LAST, FIRST-LAST+STEP or FIRST-LAST*FACTOR, up to a comma or the end. */
static bool take_range(const char **p, int out[KZ_BENCH_LIST], int *n) {
    int first, last, step = 1;
    char sign = '+';
    if (!take_number(p, &first))
        return false;
    last = first;
    if (**p == '-') {
        ++*p;
        if (!take_number(p, &last) || last < first)
            return false;
        if (**p == '+' || **p == '*') {
            sign = *(*p)++;
            if (!take_number(p, &step) || step < 1 || (sign == '*' && (step < 2 || first < 1)))
                return false;
        }
    }
    if (**p != ',' && **p != '\0')
        return false;
    for (int i = first; i <= last; i = sign == '+' ? i + step : i * step) {
        if (*n == KZ_BENCH_LIST)
            return false;
        out[(*n)++] = i;
    }
    return true;
}

int kz_bench_numbers(const char *source, const char *text, int out[KZ_BENCH_LIST], int *n) {
    const char *p = text;
    *n = 0;
    while (take_range(&p, out, n)) {
        if (*p == '\0')
            return KZ_GO_ON;
        p++;
    }
    return kz_cli_fail(KZ_EXIT_USAGE,
                       "%s: '%s' isn't a list of at most %d numbers from 0 to %d, such as 1,2 or 1-4 or 1-8+2 or 1-8*2",
                       source, text, KZ_BENCH_LIST, MOST);
}
