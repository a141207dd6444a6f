/* sampling.c: rules, filters and the draw.  SPDX-License-Identifier: Apache-2.0 */
#include "sampling/sampling.h"

#include <math.h>
#include <string.h>

void kz_sampling_rules(float *scores, size_t n, const kz_token_rules *r) {
    if (r->penalty != 1.0F)
        for (size_t i = 0; i < n; i++)
            if (r->seen[i])
                scores[i] = scores[i] < 0 ? scores[i] * r->penalty : scores[i] / r->penalty;
    for (size_t i = r->suppress_from; i < n; i++)
        if ((int64_t)i != r->eos)
            scores[i] = -INFINITY;
    if (r->hide_eos)
        scores[r->eos] = -INFINITY;
}

int32_t kz_sampling_argmax(const float *scores, size_t n) {
    int32_t best = -1;
    float top = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (scores[i] > top) {
            top = scores[i];
            best = (int32_t)i;
        }
    return best;
}

/* The k-th largest value (k >= 1), by quickselect; v is reordered. */
static float kth_largest(float *v, size_t n, size_t k) {
    size_t lo = 0, hi = n - 1, want = k - 1;
    while (lo < hi) {
        float pivot = v[lo + (hi - lo) / 2];
        size_t i = lo, j = hi;
        while (i <= j) {
            while (v[i] > pivot)
                i++;
            while (v[j] < pivot)
                j--;
            if (i > j)
                break;
            float t = v[i];
            v[i++] = v[j];
            v[j] = t;
            if (j == 0)
                break;
            j--;
        }
        if (want <= j)
            hi = j;
        else if (want >= i)
            lo = i;
        else
            break;
    }
    return v[want];
}

static void keep_top_k(float *scores, size_t n, size_t k, float *scratch) {
    memcpy(scratch, scores, n * sizeof *scores);
    float least = kth_largest(scratch, n, k);
    for (size_t i = 0; i < n; i++)
        if (scores[i] < least)
            scores[i] = -INFINITY;
}

/* Ascending by score, ties by index. */
static bool comes_after(const float *scores, int32_t a, int32_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a > b);
}

static void sift(int32_t *heap, size_t n, size_t root, const float *scores) {
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && comes_after(scores, heap[child + 1], heap[child]))
            child++;
        if (!comes_after(scores, heap[child], heap[root]))
            return;
        int32_t t = heap[root];
        heap[root] = heap[child];
        heap[child] = t;
    }
}

static void sort_ascending(int32_t *order, size_t n, const float *scores) {
    for (size_t i = n / 2; i-- > 0;)
        sift(order, n, i, scores);
    for (size_t end = n; end-- > 1;) {
        int32_t t = order[0];
        order[0] = order[end];
        order[end] = t;
        sift(order, end, 0, scores);
    }
}

/* Drops the least likely tokens whose probabilities together are at most 1 - p; the likeliest stays. */
static void keep_top_p(const kz_kernels *k, float *scores, size_t n, float p, float *scratch, int32_t *order) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (scores[i] > -INFINITY)
            order[m++] = (int32_t)i;
    if (!m)
        return;
    sort_ascending(order, m, scores);
    for (size_t i = 0; i < m; i++)
        scratch[i] = scores[order[i]];
    float sum = k->softmax_exp(scratch, m), below = 0;
    for (size_t i = 0; i + 1 < m; i++) {
        below += scratch[i] / sum;
        if (below > 1.0F - p)
            break;
        scores[order[i]] = -INFINITY;
    }
}

void kz_sampling_filter(const kz_kernels *k, float *scores, size_t n, const kz_sampling *s, float *scratch,
                        int32_t *order) {
    if (s->temperature != 1.0F)
        for (size_t i = 0; i < n; i++)
            scores[i] = scores[i] / s->temperature;
    if (s->top_k > 0 && (size_t)s->top_k < n)
        keep_top_k(scores, n, (size_t)s->top_k, scratch);
    if (s->top_p < 1.0F)
        keep_top_p(k, scores, n, s->top_p, scratch, order);
}

/* A number in (0, 1), exact in 24 bits, for token i of one draw. */
static float uniform(uint64_t seed, uint32_t frame, uint32_t codebook, size_t i) {
    uint32_t out[4], counter[4] = {(uint32_t)(i / 4), codebook, frame, 0};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    kz_philox(out, counter, key);
    return ((float)(out[i % 4] >> 9) + 0.5F) * 0x1p-23F;
}

int32_t kz_sampling_draw(const kz_kernels *k, const float *scores, size_t n, uint64_t seed, uint32_t frame,
                         uint32_t codebook, float *scratch) {
    int32_t best = kz_sampling_argmax(scores, n);
    float top = -1;
    if (best < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        scratch[i] = scores[i] - scores[best]; /* <= 0, or -inf */
    k->exp(scratch, scratch, n);
    for (size_t i = 0; i < n; i++) {
        if (!(scores[i] > -INFINITY))
            continue;
        float race = scratch[i] / -kz_logf(uniform(seed, frame, codebook, i));
        if (race > top) {
            top = race;
            best = (int32_t)i;
        }
    }
    return best;
}

int32_t kz_sampling_pick(const kz_kernels *k, float *scores, size_t n, const kz_sampling *s, uint64_t seed,
                         uint32_t frame, uint32_t codebook, float *scratch, int32_t *order) {
    if (!s->sample)
        return kz_sampling_argmax(scores, n);
    kz_sampling_filter(k, scores, n, s, scratch, order);
    return kz_sampling_draw(k, scores, n, seed, frame, codebook, scratch);
}
