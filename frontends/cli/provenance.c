/* provenance.c: what sound files say about where they come from.  SPDX-License-Identifier: Apache-2.0 */
#include "provenance.h"

#include <stdint.h>
#include <string.h>

static size_t number(const unsigned char *p) {
    return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

static void take(char *out, size_t size, const unsigned char *data, size_t n) {
    if (n >= size)
        n = size - 1;
    memcpy(out, data, n);
    out[n] = '\0';
}

static void read_list(kz_provenance *p, const unsigned char *list, size_t n) {
    size_t at = 4;
    if (n < 4 || memcmp(list, "INFO", 4) != 0)
        return;
    while (n - at >= 8) {
        size_t length = number(list + at + 4), room = n - at - 8, used = length < room ? length : room;
        if (memcmp(list + at, "ICMT", 4) == 0)
            take(p->comment, sizeof p->comment, list + at + 8, used);
        else if (memcmp(list + at, "ISFT", 4) == 0)
            take(p->software, sizeof p->software, list + at + 8, used);
        at += 8 + used;
        at += used % 2 && at < n;
    }
}

void kz_provenance_read(kz_provenance *p, const unsigned char *data, size_t n) {
    memset(p, 0, sizeof *p);
    if (n < 12 || memcmp(data, "RIFF", 4) != 0 || memcmp(data + 8, "WAVE", 4) != 0)
        return;
    for (size_t at = 12; n - at >= 8;) {
        size_t length = number(data + at + 4), room = n - at - 8, used = length < room ? length : room;
        if (memcmp(data + at, "LIST", 4) == 0)
            read_list(p, data + at + 8, used);
        at += 8 + used;
        at += used % 2 && at < n;
    }
}
