/* slab.c: lasting blocks side by side, so that large pages hold them whole.  SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of their own have two edges each that no large page covers: of matrices of some MiB that is half. Readers then wait
 * for the page walks of the other half. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/asan.h"
#include "base/base.h"

#ifdef KZ_ASAN
enum { CHUNK = 0, EDGE = KZ_ALIGN }; /* blocks alone: their ends are watched */
#else
enum { CHUNK = 64 << 20, EDGE = 2 << 20 };
#endif

/* Goes when the slab and all blocks have left it. */
struct kz_chunk {
    atomic_size_t n_user;
    size_t size, used;
    unsigned char *base;
};

/* Before every block. */
typedef struct mark {
    _Alignas(KZ_ALIGN) kz_chunk *chunk;
} mark;

static void leave(kz_chunk *c) {
    if (c && atomic_fetch_sub(&c->n_user, 1) == 1)
        kz_free(c);
}

/* At least n bytes in it. Untouched pages cost nothing. */
static kz_chunk *new_chunk(size_t n) {
    size_t size = n > CHUNK ? n : CHUNK, total;
    if (!kz_add(size, sizeof(kz_chunk) + EDGE, &total))
        return NULL;
    kz_chunk *c = kz_alloc(total, 1);
    if (!c)
        return NULL;
    unsigned char *first = (unsigned char *)(c + 1);
    c->base = first + (EDGE - (uintptr_t)first % EDGE) % EDGE;
    c->size = size;
    atomic_init(&c->n_user, 1);
    kz_advise_huge(c->base, size);
    return c;
}

static mark *take(kz_slab *slab, size_t n) {
    kz_chunk *c = slab->chunk;
    if (!c || n > c->size - c->used) {
        if (!(c = new_chunk(n)))
            return NULL;
        leave(slab->chunk);
        slab->chunk = c;
    }
    mark *m = (mark *)(void *)(c->base + c->used);
    m->chunk = c;
    c->used += n;
    atomic_fetch_add(&c->n_user, 1);
    return m;
}

void *kz_slab_take(kz_slab *slab, size_t n_byte) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one for all: blocks are large and few */
    size_t n;
    if (!kz_add(n_byte, sizeof(mark) + KZ_ALIGN - 1, &n))
        return NULL;
    pthread_mutex_lock(&lock);
    mark *m = take(slab, n / KZ_ALIGN * KZ_ALIGN);
    pthread_mutex_unlock(&lock);
    return m ? m + 1 : NULL;
}

void kz_slab_drop(void *block) {
    if (block)
        leave(((mark *)block - 1)->chunk);
}

void kz_slab_close(kz_slab *slab) {
    leave(slab->chunk);
    slab->chunk = NULL;
}
