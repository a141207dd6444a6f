/* philox.c: Philox 4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
 * easy as 1, 2, 3" (2011).  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "sampling/sampling.h"

void kz_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t c[4], k0 = key[0], k1 = key[1];
    memcpy(c, counter, sizeof c);
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53U * c[0], b = (uint64_t)0xCD9E8D57U * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k1, (uint32_t)a};
        memcpy(c, next, sizeof c);
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    memcpy(out, c, sizeof c);
}
