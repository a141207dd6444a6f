/* test_predictor.c: all codes of a frame from the talker's hidden state and the first code, with the cache and without.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "golden_model.h"

/* Collects the logits of one frame. */
typedef struct logits {
    float *data;
    size_t n, cap;
} logits;

static void collect(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    logits *l = user;
    (void)index;
    if (strcmp(stage, "predictor_logits") != 0 || n_row * n_col > l->cap - l->n)
        return;
    memcpy(l->data + l->n, data, n_row * n_col * sizeof *data);
    l->n += n_row * n_col;
}

static bool run_item(golden_case *c, golden_model *m, kz_predictor_state *s, const float *hidden, bool uncached,
                     logits *l, kz_code *codes) {
    kz_err err = {""};
    kz_tap tap = {collect, l};
    kz_ctx ctx = m->ctx;
    kz_predictor_lane lane = {s, hidden, {.uncached = uncached}, codes};
    ctx.tap = &tap;
    return golden_ok(c, kz_predictor_frames(&ctx, &m->predictor, &lane, 1, &m->embed, NULL, &err), &err, "predictor");
}

static void check_mode(golden_case *c, golden_model *m, kz_predictor_state *s, bool uncached) {
    size_t n_hidden, n_item, n_code = m->cfg.n_code, d = m->cfg.talker.d_model;
    const float *hidden = golden_f32(c, "hidden", &n_hidden);
    const int32_t *first = golden_i32(c, "code0", &n_item);
    if (!hidden || !first || n_hidden != n_item * d) {
        golden_fail(c, "inputs of another shape than the model's");
        return;
    }
    logits l = {.cap = n_item * (n_code - 1) * m->cfg.sub_vocab};
    l.data = golden_memory(c, l.cap, sizeof(float));
    kz_code *codes = golden_memory(c, n_code, sizeof *codes);
    kz_code *all = golden_memory(c, n_item * (n_code - 1), sizeof *all);
    for (size_t i = 0; i < n_item; i++) {
        codes[0] = first[i];
        if (!run_item(c, m, s, hidden + i * d, uncached, &l, codes))
            return;
        memcpy(all + i * (n_code - 1), codes + 1, (n_code - 1) * sizeof *codes);
    }
    golden_check_i32(c, "codes", all, n_item * (n_code - 1));
    golden_check_f32(c, "logits", l.data, l.n);
}

static void check(golden_case *c) {
    golden_model *m = golden_model_get(c, GOLDEN_PREDICTOR);
    if (!m)
        return;
    kz_arena arena = {0};
    kz_predictor_state s;
    kz_err err = {""};
    kz_predictor_layout(&m->predictor, &s, &arena, kz_pool_threads(m->pool));
    if (golden_ok(c, kz_arena_alloc(&arena, &err, "test state"), &err, "arena")) {
        kz_predictor_layout(&m->predictor, &s, &arena, kz_pool_threads(m->pool));
        check_mode(c, m, &s, false);
        check_mode(c, m, &s, true);
    }
    kz_arena_free(&arena);
}

int main(int argc, char **argv) { return golden_main("predictor", check, argc, argv); }
