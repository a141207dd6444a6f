/* check.h: what the kernel checks share.  SPDX-License-Identifier: Apache-2.0
 *
 * Buffers end where their memory ends: one byte further is a fault. Outputs are compared with all that lies between and
 * before them. */
#ifndef KZ_CHECK_H
#define KZ_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernels.h"

/* ---- random numbers ---- */

typedef struct check_rng {
    uint64_t state;
} check_rng;

uint64_t check_bits(check_rng *rng);
size_t check_range(check_rng *rng, size_t lo, size_t hi); /* lo .. hi, both included */
float check_uniform(check_rng *rng, float lo, float hi);
void check_mixed(check_rng *rng, float *x, size_t n,
                 int exponent); /* all magnitudes about 2^exponent, zeros, subnormals */
void check_fill(check_rng *rng, float *x, size_t n, float lo, float hi);
void check_weights(check_rng *rng, void *w, kz_dtype type, size_t n, int exponent);

/* ---- memory ---- */

enum { CHECK_MARGIN = 64 }; /* bytes before an output that must stay as they are */

bool check_memory_init(void);
void check_memory_reset(void);     /* all buffers end */
void *check_buffer(size_t n_byte); /* zeroed; ends at a page that can't be touched */
float *check_floats(size_t n);

/* Two outputs of n floats with the same random contents, a margin before each. */
typedef struct check_pair {
    float *want, *got;
    size_t n;
} check_pair;

check_pair check_outputs(check_rng *rng, size_t n);

/* ---- verdicts ---- */

typedef struct check_run {
    const kz_kernels *c, *k;
    check_rng rng;
    uint64_t hash; /* over what the C kernels gave */
    unsigned passed, failed;
    const char *name; /* of the kernel being checked */
    uint64_t seed;
} check_run;

bool check_equal(check_run *run, const check_pair *pair); /* margins and contents; adds to the hash */

/* ---- speed ---- */

void check_bench(const kz_kernels *k);

#endif
