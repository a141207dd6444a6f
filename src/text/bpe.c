/* bpe.c: byte-pair encoding of one word in n log n.  SPDX-License-Identifier: Apache-2.0
 *
 * The word is a linked list of symbols; a heap holds the mergeable pairs by rank, then position. Entries whose pair
 * has changed meanwhile are recognised by their rank and dropped. */
#include "text/internal.h"

#define NONE UINT32_MAX

typedef struct symbol {
    int32_t id;
    uint32_t rank; /* of the pair with the next symbol; KZ_NO_RANK also for a symbol that was merged away */
    uint32_t prev, next;
} symbol;

/* Entries are rank << 32 | position: the lowest rank first, the leftmost among equals. */
typedef struct heap {
    uint64_t *entry;
    size_t n;
} heap;

static void heap_push(heap *h, uint64_t entry) {
    size_t i = h->n++;
    while (i > 0 && h->entry[(i - 1) / 2] > entry) {
        h->entry[i] = h->entry[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->entry[i] = entry;
}

static uint64_t heap_pop(heap *h) {
    uint64_t top = h->entry[0], last = h->entry[--h->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->n)
            break;
        if (child + 1 < h->n && h->entry[child + 1] < h->entry[child])
            child++;
        if (h->entry[child] >= last)
            break;
        h->entry[i] = h->entry[child];
        i = child;
    }
    h->entry[i] = last;
    return top;
}

/* Looks the pair (i, its next) up and enters it where it can be merged. */
static void offer_pair(const kz_merges *merges, symbol *s, uint32_t i, heap *h) {
    s[i].rank = s[i].next == NONE ? KZ_NO_RANK : kz_merges_rank(merges, s[i].id, s[s[i].next].id);
    if (s[i].rank != KZ_NO_RANK)
        heap_push(h, (uint64_t)s[i].rank << 32 | i);
}

static void merge_all(const kz_merges *merges, symbol *s, heap *h) {
    while (h->n) {
        uint64_t entry = heap_pop(h);
        uint32_t rank = (uint32_t)(entry >> 32), i = (uint32_t)entry;
        if (s[i].rank != rank)
            continue;
        symbol *gone = &s[s[i].next];
        s[i].id = merges->merged[rank];
        s[i].next = gone->next;
        gone->rank = KZ_NO_RANK;
        if (s[i].next != NONE)
            s[s[i].next].prev = i;
        offer_pair(merges, s, i, h);
        if (s[i].prev != NONE)
            offer_pair(merges, s, s[i].prev, h);
    }
}

kztts_status kz_bpe_word(const kz_merges *merges, const int32_t byte_id[256], const char *word, size_t n,
                         kz_bpe_work *work, kz_ids *ids, kz_err *err) {
    const unsigned char *byte = (const unsigned char *)word;
    if (n == 1)
        return kz_ids_push(ids, byte_id[byte[0]], err);
    /* n - 1 pairs at first; a merge takes one entry out and brings at most two, and there are at most n - 1 merges */
    KZ_TRY(kz_scratch_reserve(&work->symbols, n, sizeof(symbol), err));
    KZ_TRY(kz_scratch_reserve(&work->heap, 2 * n, sizeof(uint64_t), err));
    symbol *s = work->symbols.data;
    heap h = {.entry = work->heap.data, .n = 0};
    for (size_t i = 0; i < n; i++)
        s[i] = (symbol){.id = byte_id[byte[i]],
                        .rank = KZ_NO_RANK,
                        .prev = i ? (uint32_t)(i - 1) : NONE,
                        .next = i + 1 < n ? (uint32_t)(i + 1) : NONE};
    for (size_t i = 0; i + 1 < n; i++)
        offer_pair(merges, s, (uint32_t)i, &h);
    merge_all(merges, s, &h);
    for (uint32_t i = 0; i != NONE; i = s[i].next)
        KZ_TRY(kz_ids_push(ids, s[i].id, err));
    return KZTTS_OK;
}
