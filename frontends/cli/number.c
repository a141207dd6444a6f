/* number.c: strict numbers, and how near two words are.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool kz_cli_integer(const char *text, long long low, long long high, long long *out) {
    const char *digits = text + (*text == '-');
    if (!is_digit(*digits) || digits[strspn(digits, "0123456789")] != '\0')
        return false;
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return errno == 0 && *out >= low && *out <= high;
}

bool kz_cli_natural(const char *text, uint64_t *out) {
    if (!is_digit(*text) || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    *out = value;
    return errno == 0 && value <= UINT64_MAX;
}

bool kz_cli_real(const char *text, double low, double high, double *out) {
    char *end;
    if (text[strspn(text, "0123456789.eE+-")] != '\0' || !strpbrk(text, "0123456789"))
        return false;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && *out >= low && *out <= high;
}

static int smallest(int a, int b, int c) {
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edits (insert, drop, change, swap of neighbours) from one word to the other; only for words of up to 63 bytes. */
static int edits(const char *a, int n_a, const char *b, int n_b) {
    int rows[3][64], *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= n_b; j++)
        row[j] = before[j] = j;
    for (int i = 1; i <= n_a; i++) {
        int *spare = before;
        before = above;
        above = row;
        row = spare;
        row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            row[j] = smallest(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return row[n_b];
}

int kz_cli_distance(const char *word, const char *candidate) {
    size_t n = strlen(word), m = strlen(candidate);
    if (n > 63 || m > 63)
        return -1;
    if (n >= 2 && n < m && strncmp(word, candidate, n) == 0)
        return 1;
    int distance = edits(word, (int)n, candidate, (int)m);
    return distance <= ((int)n + 2) / 3 ? distance : -1;
}
