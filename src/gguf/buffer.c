/* buffer.c: growing bytes.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/buffer.h"

#include <string.h>

void kz_gg_put(kz_gg_buffer *b, const void *s, size_t n) {
    size_t need, limit = b->limit ? b->limit : SIZE_MAX / 4;
    if (b->failed || !kz_add(b->n + 1, n, &need) || need > limit) {
        b->failed = true;
        return;
    }
    if (need > b->cap) {
        size_t cap = 2 * need + 4096;
        char *grown = kz_alloc(cap, 1);
        if (!grown) {
            b->failed = b->no_memory = true;
            return;
        }
        if (b->n)
            memcpy(grown, b->s, b->n);
        kz_free(b->s);
        b->s = grown;
        b->cap = cap;
    }
    if (n)
        memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = '\0';
}

void kz_gg_put_text(kz_gg_buffer *b, const char *s) { kz_gg_put(b, s, strlen(s)); }

void kz_gg_put_number(kz_gg_buffer *b, uint64_t x, size_t n_byte) {
    unsigned char bytes[8];
    for (size_t i = 0; i < n_byte; i++)
        bytes[i] = (unsigned char)(x >> (8 * i));
    kz_gg_put(b, bytes, n_byte);
}
