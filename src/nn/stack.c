/* stack.c: loading transformer layers and laying out their state.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "nn/nn.h"
#include "nn/rope.h"

static kztts_status copy_vector(float **out, const kz_weights *w, const char *prefix, const char *name, size_t n,
                                kz_err *err) {
    return kz_weights_copy(out, w, kz_namef("%s.%s", prefix, name).s, 1, (size_t[]){n}, err);
}

static kztts_status load_norms(kz_layer *l, const kz_stack_config *c, const kz_weights *w, const char *p, kz_err *err) {
    KZ_TRY(copy_vector(&l->attn_norm, w, p, "input_layernorm.weight", c->d_model, err));
    KZ_TRY(copy_vector(&l->ff_norm, w, p, "post_attention_layernorm.weight", c->d_model, err));
    if (c->layer_norm) {
        KZ_TRY(copy_vector(&l->attn_norm_bias, w, p, "input_layernorm.bias", c->d_model, err));
        KZ_TRY(copy_vector(&l->ff_norm_bias, w, p, "post_attention_layernorm.bias", c->d_model, err));
    }
    if (c->qk_norm) {
        KZ_TRY(copy_vector(&l->q_norm, w, p, "self_attn.q_norm.weight", c->d_head, err));
        KZ_TRY(copy_vector(&l->k_norm, w, p, "self_attn.k_norm.weight", c->d_head, err));
    }
    return KZTTS_OK;
}

static kztts_status load_layer(kz_layer *l, const kz_stack_config *c, const kz_weights *w, const char *p, kz_pool *pool,
                               kz_err *err) {
    kz_name q = kz_namef("%s.self_attn.q_proj.weight", p), k = kz_namef("%s.self_attn.k_proj.weight", p),
            v = kz_namef("%s.self_attn.v_proj.weight", p), o = kz_namef("%s.self_attn.o_proj.weight", p),
            gate = kz_namef("%s.mlp.%s.weight", p, c->plain_mlp ? "fc1" : "gate_proj"),
            up = kz_namef("%s.mlp.up_proj.weight", p),
            down = kz_namef("%s.mlp.%s.weight", p, c->plain_mlp ? "fc2" : "down_proj"),
            ls1 = kz_namef("%s.self_attn_layer_scale.scale", p), ls2 = kz_namef("%s.mlp_layer_scale.scale", p);
    size_t nq = c->n_head * c->d_head, nkv = c->n_kv * c->d_head;
    kz_linear_spec qkv = {
        .part = {{q.s, nq}, {k.s, nkv}, {v.s, nkv}}, .n_part = 3, .n_in = c->d_model, .quant = c->quant};
    kz_linear_spec out = {.part = {{o.s, c->d_model}},
                          .n_part = 1,
                          .n_in = nq,
                          .scale = c->layer_scale ? ls1.s : NULL,
                          .quant = c->quant};
    kz_linear_spec gate_up = {.part = {{gate.s, c->d_ff}, {up.s, c->d_ff}},
                              .n_part = c->plain_mlp ? 1 : 2,
                              .n_in = c->d_model,
                              .quant = c->quant};
    kz_linear_spec back = {.part = {{down.s, c->d_model}},
                           .n_part = 1,
                           .n_in = c->d_ff,
                           .scale = c->layer_scale ? ls2.s : NULL,
                           .quant = c->quant};
    KZ_TRY(load_norms(l, c, w, p, err));
    KZ_TRY(kz_linear_load(&l->qkv, w, &qkv, pool, err));
    KZ_TRY(kz_linear_load(&l->out, w, &out, pool, err));
    KZ_TRY(kz_linear_load(&l->gate_up, w, &gate_up, pool, err));
    return kz_linear_load(&l->down, w, &back, pool, err);
}

static kztts_status load_stack(kz_stack *s, const kz_weights *w, const char *prefix, kz_pool *pool, kz_err *err) {
    const kz_stack_config *c = &s->cfg;
    s->layers = kz_alloc(c->n_layer, sizeof *s->layers);
    s->inv_freq = kz_alloc(c->d_head / 2, sizeof *s->inv_freq);
    if (!s->layers || !s->inv_freq)
        return kz_fail_memory(err, c->n_layer * sizeof *s->layers, prefix);
    kz_rope_frequencies(s->inv_freq, c->d_head, c->rope_theta);
    if (!c->layer_norm)
        KZ_TRY(copy_vector(&s->norm, w, prefix, "norm.weight", c->d_model, err));
    for (size_t i = 0; i < c->n_layer; i++)
        KZ_TRY(load_layer(&s->layers[i], c, w, kz_namef("%s.layers.%zu", prefix, i).s, pool, err));
    return KZTTS_OK;
}

kztts_status kz_stack_load(kz_stack *stack, const kz_stack_config *cfg, const kz_weights *w, const char *prefix,
                           kz_pool *pool, kz_err *err) {
    *stack = (kz_stack){.cfg = *cfg};
    kztts_status status = load_stack(stack, w, prefix, pool, err);
    if (status < 0)
        kz_stack_free(stack);
    return status;
}

void kz_stack_free(kz_stack *stack) {
    for (size_t i = 0; stack->layers && i < stack->cfg.n_layer; i++) {
        kz_layer *l = &stack->layers[i];
        kz_free(l->attn_norm);
        kz_free(l->ff_norm);
        kz_free(l->attn_norm_bias);
        kz_free(l->ff_norm_bias);
        kz_free(l->q_norm);
        kz_free(l->k_norm);
        kz_linear_free(&l->qkv);
        kz_linear_free(&l->out);
        kz_linear_free(&l->gate_up);
        kz_linear_free(&l->down);
    }
    kz_free(stack->layers);
    kz_free(stack->norm);
    kz_free(stack->inv_freq);
    *stack = (kz_stack){0};
}

size_t kz_stack_bytes(const kz_stack *stack) {
    size_t n = 0;
    for (size_t i = 0; i < stack->cfg.n_layer; i++) {
        const kz_layer *l = &stack->layers[i];
        n += kz_linear_bytes(&l->qkv) + kz_linear_bytes(&l->out) + kz_linear_bytes(&l->gate_up) +
             kz_linear_bytes(&l->down);
    }
    return n;
}

void kz_stack_work(kz_work *work, const kz_stack *stack, size_t n_row) {
    for (size_t i = 0; i < stack->cfg.n_layer; i++) {
        const kz_layer *l = &stack->layers[i];
        kz_linear_work(work, &l->qkv, n_row);
        kz_linear_work(work, &l->out, n_row);
        kz_linear_work(work, &l->gate_up, n_row);
        kz_linear_work(work, &l->down, n_row);
    }
}

static size_t max_size(size_t a, size_t b) { return a > b ? a : b; }

size_t kz_stack_scratch(const kz_stack *stack, size_t n_row) {
    size_t n = 0;
    for (size_t i = 0; i < stack->cfg.n_layer; i++) {
        const kz_layer *l = &stack->layers[i];
        n = max_size(n, kz_linear_scratch(&l->qkv, n_row));
        n = max_size(n, kz_linear_scratch(&l->out, n_row));
        n = max_size(n, kz_linear_scratch(&l->gate_up, n_row));
        n = max_size(n, kz_linear_scratch(&l->down, n_row));
    }
    return n;
}

/* With a window the cache is a sliding buffer: when it is full, the rows still needed move to its front. */
void kz_stack_layout(const kz_stack *stack, kz_stack_state *s, kz_arena *arena, size_t max_pos, size_t max_row,
                     int n_thread) {
    const kz_stack_config *c = &stack->cfg;
    size_t n_cache = c->window ? 2 * c->window + max_row : max_pos, nkv = c->n_kv * c->d_head;
    const kz_layer *l = stack->layers;
    *s = (kz_stack_state){.max_pos = max_pos, .max_row = max_row, .n_cache = n_cache};
    s->norm = kz_arena_take(arena, max_row * c->d_model, sizeof(float));
    s->qkv = kz_arena_take(arena, max_row * kz_round16(l->qkv.n_out), sizeof(float));
    s->attn = kz_arena_take(arena, max_row * c->n_head * c->d_head, sizeof(float));
    s->gate_up = kz_arena_take(arena, max_row * kz_round16(l->gate_up.n_out), sizeof(float));
    s->act = kz_arena_take(arena, max_row * c->d_ff, sizeof(float));
    s->cs = kz_arena_take(arena, max_row * c->d_head, sizeof(float));
    s->scores = kz_arena_take(arena, (size_t)n_thread * KZ_ATTEND_QUERIES * n_cache, sizeof(float));
    s->k = kz_arena_take(arena, c->n_layer * n_cache * nkv, sizeof(float));
    s->v = kz_arena_take(arena, c->n_layer * n_cache * nkv, sizeof(float));
}

void kz_stack_reset(kz_stack_state *state) { kz_stack_rewind(state, 0); }

void kz_stack_rewind(kz_stack_state *state, size_t n_pos) { state->n_used = state->pos = n_pos; }

void kz_stack_cache_out(const kz_stack *stack, const kz_stack_state *state, size_t from, size_t n, float *k, float *v) {
    size_t n_head = stack->cfg.n_layer * stack->cfg.n_kv, d = stack->cfg.d_head;
    for (size_t h = 0; h < n_head; h++) {
        size_t at = (h * state->n_cache + from) * d;
        memcpy(k + h * n * d, state->k + at, n * d * sizeof *k);
        memcpy(v + h * n * d, state->v + at, n * d * sizeof *v);
    }
}

void kz_stack_cache_in(const kz_stack *stack, kz_stack_state *state, size_t n, const float *k, const float *v) {
    size_t n_head = stack->cfg.n_layer * stack->cfg.n_kv, d = stack->cfg.d_head;
    for (size_t h = 0; h < n_head; h++) {
        memcpy(state->k + h * state->n_cache * d, k + h * n * d, n * d * sizeof *k);
        memcpy(state->v + h * state->n_cache * d, v + h * n * d, n * d * sizeof *v);
    }
    kz_stack_rewind(state, n);
}
