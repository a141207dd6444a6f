/* sort.h: sorting without memory. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * Some C libraries' qsort allocates, and is slow on unlucky orders; what a file can choose must do neither.
 *
 * in, out    an array
 * state      none
 * threads    any
 * memory     none */
#ifndef KZ_SORT_H
#define KZ_SORT_H

#include <stddef.h>

/* Elements of at most KZ_SORT_SIZE bytes. Equal elements end in any order. */
enum { KZ_SORT_SIZE = 128 };

void kz_sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));

#endif
