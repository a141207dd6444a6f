/* sort.c: heapsort.  SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "weights/sort.h"

typedef struct heap {
    unsigned char *base;
    size_t size;
    int (*compare)(const void *, const void *);
} heap;

static void *at(const heap *h, size_t i) { return h->base + i * h->size; }

static void swap(const heap *h, size_t i, size_t j) {
    unsigned char kept[KZ_SORT_SIZE];
    memcpy(kept, at(h, i), h->size);
    memcpy(at(h, i), at(h, j), h->size);
    memcpy(at(h, j), kept, h->size);
}

/* Moves element i down until no child of it is greater. */
static void sift(const heap *h, size_t i, size_t n) {
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && h->compare(at(h, child), at(h, child + 1)) < 0)
            child++;
        if (h->compare(at(h, i), at(h, child)) >= 0)
            return;
        swap(h, i, child);
        i = child;
    }
}

void kz_sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    heap h = {base, size, compare};
    assert(size <= KZ_SORT_SIZE);
    for (size_t i = n / 2; i-- > 0;)
        sift(&h, i, n);
    for (size_t last = n; last-- > 1;) {
        swap(&h, 0, last);
        sift(&h, 0, last);
    }
}
