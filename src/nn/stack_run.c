/* stack_run.c: rows through transformer layers.  SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "nn/nn.h"
#include "nn/rope.h"

/* One block of rows in one layer: `each` consecutive rows of every state. Scratch is the first state's. Of the last layer the
 * outputs of rows from `wanted` on are computed (0, or there is one state); keys and values of all. */
typedef struct block {
    const kz_ctx *ctx;
    const kz_stack *stack;
    const kz_layer *layer;
    kz_stack_state *state; /* the first */
    kz_stack_state *const *states;
    size_t i_layer, each, wanted, n_row, qkv_row;
} block;

/* Where a head's keys or values of the layer at hand begin in a state. */
static size_t head_at(const block *b, const kz_stack_state *s, size_t h) {
    const kz_stack_config *c = &b->stack->cfg;
    return (b->i_layer * c->n_kv + h) * s->n_cache * c->d_head;
}

/* Heads of one row: norm, rotation, into the cache. */
static void place_heads(const block *b, size_t r) {
    const kz_stack_config *c = &b->stack->cfg;
    const kz_kernels *kn = b->ctx->k;
    const kz_linear *qkv = &b->layer->qkv;
    const kz_stack_state *s = b->states[r / b->each];
    const float *cs = b->state->cs + r * c->d_head;
    float *row = b->state->qkv + r * b->qkv_row;
    for (size_t h = 0; h < c->n_head + c->n_kv; h++) {
        bool is_q = h < c->n_head;
        float *head = is_q ? row + h * c->d_head : row + qkv->part_at[1] + (h - c->n_head) * c->d_head;
        if (c->qk_norm)
            kn->rmsnorm(head, head, is_q ? b->layer->q_norm : b->layer->k_norm, c->d_head, c->rms_eps);
        kn->rope(head, cs, c->d_head);
    }
    for (size_t h = 0; h < c->n_kv; h++) {
        size_t at = head_at(b, s, h) + (s->n_used + r % b->each) * c->d_head;
        memcpy(s->k + at, row + qkv->part_at[1] + h * c->d_head, c->d_head * sizeof(float));
        memcpy(s->v + at, row + qkv->part_at[2] + h * c->d_head, c->d_head * sizeof(float));
    }
}

static void place_some(void *arg, size_t begin, size_t end, int worker) {
    (void)worker;
    for (size_t r = begin; r < end; r++)
        place_heads(arg, r);
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* Rows whose queries to a head of keys go into one call of the kernel. */
static size_t attend_rows(const kz_stack_config *c) {
    size_t group = c->n_head / c->n_kv;
    return group < KZ_ATTEND_QUERIES ? KZ_ATTEND_QUERIES / group : 1;
}

/* The first row whose output the layer at hand computes. */
static size_t first_row(const block *b) { return b->i_layer + 1 < b->stack->cfg.n_layer ? 0 : b->wanted; }

/* Items of attention in one state: pieces of its rows. */
static size_t attend_pieces(const block *b) {
    size_t rows = attend_rows(&b->stack->cfg);
    return (b->each - first_row(b) + rows - 1) / rows;
}

/* n rows of state i from its row r on, heads [h, h + n_head) of those that read the keys of head kv. */
static void attend_heads(const block *b, size_t i, size_t r, size_t n, size_t kv, size_t h, size_t n_head, int worker) {
    const kz_stack_config *c = &b->stack->cfg;
    const kz_stack_state *s = b->states[i];
    size_t last = s->n_used + r, first = c->window && last + 1 > c->window ? last + 1 - c->window : 0;
    size_t at = head_at(b, s, kv) + first * c->d_head, d_attn = c->n_head * c->d_head, row = i * b->each + r;
    kz_attend a = {.y = b->state->attn + row * d_attn + h * c->d_head,
                   .q = b->state->qkv + row * b->qkv_row + h * c->d_head,
                   .y_row = d_attn,
                   .q_row = b->qkv_row,
                   .n_row = n,
                   .n_head = n_head,
                   .k = s->k + at,
                   .v = s->v + at,
                   .stride = c->d_head,
                   .d_head = c->d_head,
                   .n_pos = last + 1 - first,
                   .window = c->window,
                   .scale = 1.0F / sqrtf((float)c->d_head),
                   .scores = s->scores + (size_t)worker * KZ_ATTEND_QUERIES * s->n_cache,
                   .score_row = s->n_cache};
    b->ctx->k->attend(&a);
}

/* Items are (state, some of its rows, head of keys). */
static void attend_some(void *arg, size_t begin, size_t end, int worker) {
    const block *b = arg;
    const kz_stack_config *c = &b->stack->cfg;
    size_t group = c->n_head / c->n_kv, rows = attend_rows(c), pieces = attend_pieces(b);
    for (size_t i = begin; i < end; i++) {
        size_t kv = i % c->n_kv, state = i / c->n_kv / pieces, r = first_row(b) + i / c->n_kv % pieces * rows;
        for (size_t h = 0; h < group; h += KZ_ATTEND_QUERIES)
            attend_heads(b, state, r, min_size(rows, b->each - r), kv, kv * group + h,
                         min_size(group - h, KZ_ATTEND_QUERIES), worker);
    }
}

static void gelu_some(void *arg, size_t begin, size_t end, int worker) {
    const block *b = arg;
    size_t d_ff = b->stack->cfg.d_ff, row = kz_round16(b->layer->gate_up.n_out);
    (void)worker;
    for (size_t r = begin; r < end; r++)
        b->ctx->k->gelu(b->state->act + r * d_ff, b->state->gate_up + r * row, d_ff);
}

static void norm_rows(const block *b, const float *x, size_t n, const float *w, const float *bias) {
    const kz_stack_config *c = &b->stack->cfg;
    if (c->layer_norm)
        kz_rows_layernorm(b->ctx, b->state->norm, x, w, bias, n, c->d_model, c->rms_eps);
    else
        kz_rows_rmsnorm(b->ctx, b->state->norm, x, w, n, c->d_model, c->rms_eps);
}

static void silu_some(void *arg, size_t begin, size_t end, int worker) {
    const block *b = arg;
    const kz_linear *gu = &b->layer->gate_up;
    size_t d_ff = b->stack->cfg.d_ff, row = kz_round16(gu->n_out);
    (void)worker;
    for (size_t r = begin; r < end; r++)
        b->ctx->k->silu_mul(b->state->act + r * d_ff, b->state->gate_up + r * row,
                            b->state->gate_up + r * row + gu->part_at[1], d_ff);
}

/* Work below which one thread is quicker: attention is counted in multiply-adds. */
enum { MIN_SHARED_ATTENTION = 32768, MIN_SHARED_ROWS = 4 };

/* Multiply-adds of a layer's attention, about. */
static size_t attention_work(const block *b) {
    size_t n_pos = 0;
    for (size_t r = 0; r < b->n_row; r += b->each)
        n_pos += (b->states[r / b->each]->n_used + b->each) * b->each;
    return n_pos * b->stack->cfg.n_head * b->stack->cfg.d_head;
}

/* The layer's part after attention, n rows. */
static void run_mlp(block *b, float *x, size_t n) {
    const kz_ctx *ctx = b->ctx;
    const kz_stack_config *c = &b->stack->cfg;
    const kz_layer *l = b->layer;
    kz_stack_state *s = b->state;
    norm_rows(b, x, n, l->ff_norm, l->ff_norm_bias);
    kz_linear_run(ctx, &l->gate_up, s->gate_up, kz_round16(l->gate_up.n_out), s->norm, c->d_model, n, NULL);
    kz_pool_run(ctx->pool, n, MIN_SHARED_ROWS, c->plain_mlp ? gelu_some : silu_some, b);
    kz_linear_run(ctx, &l->down, x, c->d_model, s->act, c->d_ff, n, x);
}

static void run_layer(block *b, float *x) {
    const kz_ctx *ctx = b->ctx;
    const kz_stack_config *c = &b->stack->cfg;
    const kz_layer *l = b->layer;
    kz_stack_state *s = b->state;
    size_t n = b->n_row, first = first_row(b), n_item = n / b->each * attend_pieces(b) * c->n_kv;
    size_t d_attn = c->n_head * c->d_head;
    norm_rows(b, x, n, l->attn_norm, l->attn_norm_bias);
    kz_linear_run(ctx, &l->qkv, s->qkv, b->qkv_row, s->norm, c->d_model, n, NULL);
    kz_pool_run(ctx->pool, n, MIN_SHARED_ROWS, place_some, b);
    bool small = attention_work(b) < MIN_SHARED_ATTENTION;
    kz_pool_run(small ? NULL : ctx->pool, n_item, n_item / (4 * (size_t)kz_pool_width(ctx->pool)) + 1, attend_some, b);
    x += first * c->d_model;
    kz_linear_run(ctx, &l->out, x, c->d_model, s->attn + first * d_attn, d_attn, n - first, x);
    run_mlp(b, x, n - first);
}

/* Room for n more rows in the caches of a windowed stack. */
static void slide(const kz_stack *stack, kz_stack_state *s, size_t n) {
    const kz_stack_config *c = &stack->cfg;
    if (s->n_used + n <= s->n_cache)
        return;
    size_t keep = c->window - 1, skip = (s->n_used - keep) * c->d_head, n_byte = keep * c->d_head * sizeof(float);
    for (size_t i = 0; i < c->n_layer * c->n_kv; i++) {
        float *k = s->k + i * s->n_cache * c->d_head, *v = s->v + i * s->n_cache * c->d_head;
        memmove(k, k + skip, n_byte);
        memmove(v, v + skip, n_byte);
    }
    s->n_used = keep;
}

/* Rotary angles of every row. */
static void set_angles(const block *b) {
    size_t d_head = b->stack->cfg.d_head;
    for (size_t r = 0; r < b->n_row; r++)
        kz_rope_row(b->state->cs + r * d_head, b->stack->inv_freq, d_head, b->states[r / b->each]->pos + r % b->each);
}

static void run_block(block *b, float *x, const char *tap) {
    const kz_stack_config *c = &b->stack->cfg;
    size_t n_state = b->n_row / b->each;
    for (size_t i = 0; c->window && i < n_state; i++)
        slide(b->stack, b->states[i], b->each);
    set_angles(b);
    for (size_t i = 0; i < c->n_layer; i++) {
        b->layer = &b->stack->layers[i];
        b->i_layer = i;
        b->qkv_row = kz_round16(b->layer->qkv.n_out);
        run_layer(b, x);
        if (tap)
            kz_tap_put(b->ctx->tap, tap, (int)i, x, b->n_row, c->d_model);
    }
    for (size_t i = 0; i < n_state; i++) {
        b->states[i]->n_used += b->each;
        b->states[i]->pos += b->each;
    }
}

/* Blocks of up to max_row rows of one state; last: of the last layer only the output of a block's last row is wanted. */
static void run_rows(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *state, float *x, size_t n_row, bool last,
                     const char *tap) {
    assert(stack->cfg.window || state->pos + n_row <= state->max_pos);
    for (size_t r = 0; r < n_row; r += state->max_row) {
        size_t n = min_size(n_row - r, state->max_row);
        block b = {.ctx = ctx,
                   .stack = stack,
                   .state = state,
                   .states = &state,
                   .each = n,
                   .wanted = last ? n - 1 : 0,
                   .n_row = n};
        run_block(&b, x + r * stack->cfg.d_model, tap);
    }
}

void kz_stack_run(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *state, float *x, size_t n_row,
                  const char *tap) {
    run_rows(ctx, stack, state, x, n_row, false, tap);
}

void kz_stack_run_last(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *state, float *x, size_t n_row,
                       const char *tap) {
    run_rows(ctx, stack, state, x, n_row, !ctx->tap, tap); /* a tap wants all rows of all layers */
}

void kz_stack_run_many(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *const *states, size_t n_state,
                       float *x, size_t each) {
    assert(n_state * each <= states[0]->max_row);
    block b = {.ctx = ctx, .stack = stack, .state = states[0], .states = states, .each = each, .n_row = n_state * each};
    run_block(&b, x, NULL);
}
