/* warm.c: what a voice's utterances have in common.  SPDX-License-Identifier: Apache-2.0 */
#include "engine/warm.h"

#include <stdatomic.h>
#include <string.h>

#include "hash/hash.h"

enum { N_SLOT = 4, KEEP_MAX = 64 << 20 }; /* bytes of keys and values worth keeping */

typedef struct codec_state {
    size_t n;
    unsigned char bytes[];
} codec_state;

struct kz_warm {
    _Atomic(kz_prefix *) slot[N_SLOT]; /* filled from the front */
    _Atomic(codec_state *) codec;
    _Atomic uint64_t kept; /* a hash of the snapshot's path, 0: none */
};

kz_warm *kz_warm_new(void) { return kz_alloc(1, sizeof(kz_warm)); }

void kz_warm_free(kz_warm *warm) {
    if (!warm)
        return;
    for (size_t i = 0; i < N_SLOT; i++)
        kz_free(atomic_load(&warm->slot[i]));
    kz_free(atomic_load(&warm->codec));
    kz_free(warm);
}

kz_prefix *kz_prefix_new(const kz_model *m, size_t n_row) {
    const kz_stack_config *c = &m->talker.stack.cfg;
    size_t head = (sizeof(kz_prefix) + KZ_ALIGN - 1) / KZ_ALIGN * KZ_ALIGN / sizeof(float);
    size_t n_cache = c->n_layer * c->n_kv * n_row * c->d_head, n_rows = n_row * c->d_model;
    float *block = kz_alloc(head + n_rows + 2 * n_cache, sizeof *block);
    if (!block)
        return NULL;
    kz_prefix *p = (void *)block;
    *p = (kz_prefix){n_row, n_cache, block + head, block + head + n_rows, block + head + n_rows + n_cache};
    return p;
}

static bool begins_with(const kz_prompt *prompt, const kz_prefix *p) {
    return p->n_row < prompt->n_row && memcmp(p->rows, prompt->rows, p->n_row * prompt->d_model * sizeof(float)) == 0;
}

/* The longest prefix that the prompt begins with. */
static const kz_prefix *find(kz_warm *warm, const kz_prompt *prompt) {
    const kz_prefix *best = NULL;
    for (size_t i = 0; warm && i < N_SLOT; i++) {
        const kz_prefix *p = atomic_load_explicit(&warm->slot[i], memory_order_acquire);
        if (!p)
            break;
        if (begins_with(prompt, p) && (!best || p->n_row > best->n_row))
            best = p;
    }
    return best;
}

const kz_prefix *kz_warm_prefix(kz_warm *warm, const kz_lane *lane) {
    const kz_prefix *p = find(warm, &lane->prompt);
    return p && p->n_row >= lane->prompt.n_fixed ? p : NULL;
}

void kz_warm_take(kz_warm *warm, kz_lane *lane) {
    const kz_prefix *p = find(warm, &lane->prompt);
    if (!p || p->n_row <= lane->n_ready)
        return;
    kz_stack_cache_in(&lane->model->talker.stack, &lane->talker.stack, p->n_row, p->k, p->v);
    lane->n_ready = p->n_row;
}

bool kz_warm_add(kz_warm *warm, kz_prefix *prefix, size_t d_model) {
    for (size_t i = 0; warm && i < N_SLOT; i++) {
        kz_prefix *there = NULL;
        if (atomic_compare_exchange_strong(&warm->slot[i], &there, prefix))
            return true;
        if (there->n_row == prefix->n_row &&
            memcmp(there->rows, prefix->rows, there->n_row * d_model * sizeof(float)) == 0)
            break;
    }
    kz_free(prefix);
    return false;
}

static bool has_room(kz_warm *warm) { return !atomic_load(&warm->slot[N_SLOT - 1]); }

static bool is_small(const kz_stack_config *c, size_t n_row) {
    return n_row < KEEP_MAX / (2 * sizeof(float) * c->n_layer * c->n_kv * c->d_head);
}

kztts_status kz_warm_give(kz_warm *warm, const kz_lane *lane, kz_err *err) {
    const kz_prompt *prompt = &lane->prompt;
    if (!warm || !prompt->n_fixed || kz_warm_prefix(warm, lane) || !has_room(warm) ||
        !is_small(&lane->model->talker.stack.cfg, prompt->n_fixed))
        return KZTTS_OK;
    kz_prefix *p = kz_prefix_new(lane->model, prompt->n_fixed);
    if (!p)
        return kz_fail_memory(err, prompt->n_fixed * prompt->d_model * sizeof(float), "a voice's prompt");
    memcpy(p->rows, prompt->rows, p->n_row * prompt->d_model * sizeof(float));
    kz_stack_cache_out(&lane->model->talker.stack, &lane->talker.stack, 0, p->n_row, p->k, p->v);
    kz_warm_add(warm, p, prompt->d_model);
    return KZTTS_OK;
}

const unsigned char *kz_warm_codec(kz_warm *warm, size_t n) {
    const codec_state *codec = warm ? atomic_load_explicit(&warm->codec, memory_order_acquire) : NULL;
    return codec && codec->n == n ? codec->bytes : NULL;
}

kztts_status kz_warm_add_codec(kz_warm *warm, const void *bytes, size_t n, kz_err *err) {
    codec_state *codec = warm ? kz_alloc(sizeof *codec + n, 1) : NULL, *none = NULL;
    if (!warm)
        return KZTTS_OK;
    if (!codec)
        return kz_fail_memory(err, n, "the codec's state after a recording");
    codec->n = n;
    memcpy(codec->bytes, bytes, n);
    if (!atomic_compare_exchange_strong(&warm->codec, &none, codec))
        kz_free(codec);
    return KZTTS_OK;
}

static uint64_t hash_path(const char *path) { return kz_sum(path, strlen(path)) | 1; }

bool kz_warm_is_kept(const kz_warm *warm, const char *path) { return atomic_load(&warm->kept) == hash_path(path); }

void kz_warm_kept(kz_warm *warm, const char *path) { atomic_store(&warm->kept, hash_path(path)); }
