/* check_permission.c: a system that keeps the registers of tiles to itself.  SPDX-License-Identifier: Apache-2.0
 *
 * Linux refuses them while a stack for signals is too small for them. Then the level below is the best; asked again
 * without that stack, it gives them for good, so this is a program of its own. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"

int main(void) {
    static char block[2048];
    const stack_t small = {.ss_sp = block, .ss_size = sizeof block}, none = {.ss_flags = SS_DISABLE};
    if (sigaltstack(&small, NULL) != 0) {
        printf("SKIP: this system wants larger stacks for signals\n");
        return 77;
    }
    const kz_kernels *refused = kz_kernels_get(KZ_CPU_AMX), *below = kz_kernels_best();
    sigaltstack(&none, NULL);
    if (!kz_kernels_get(KZ_CPU_AMX)) {
        printf("SKIP: no tiles here\n");
        return 77;
    }
    if (refused || strcmp(below->name, "avx512vnni") != 0) {
        printf("FAIL: best without permission: %s\n", below->name);
        return 1;
    }
    printf("refused: %s; permitted: %s\n1 passed, 0 failed\n", below->name, kz_kernels_best()->name);
    return strcmp(kz_kernels_best()->name, "amx") != 0;
}
