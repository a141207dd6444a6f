/* buffer.h: growing bytes. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         pieces
 * out        all of them, with a zero behind
 * state      a failure stays until the end
 * threads    one
 * memory     doubling blocks, freed with kz_free */
#ifndef KZ_GGUF_BUFFER_H
#define KZ_GGUF_BUFFER_H

#include "base/base.h"

typedef struct kz_gg_buffer {
    char *s;
    size_t n, cap, limit; /* limit 0: none */
    bool failed;          /* what comes then is dropped */
    bool no_memory;       /* why; else too large */
} kz_gg_buffer;

void kz_gg_put(kz_gg_buffer *b, const void *s, size_t n);
void kz_gg_put_text(kz_gg_buffer *b, const char *s);
void kz_gg_put_number(kz_gg_buffer *b, uint64_t x, size_t n_byte); /* little endian */

#endif
