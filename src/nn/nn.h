/* nn.h: layers. Split work over threads, call kernels.  SPDX-License-Identifier: Apache-2.0
 *
 * in, out    f32 rows [n_row, n_col], time-major
 * state      kz_stack_state (keys and values), kz_hist (what a causal convolution still needs)
 * threads    layers are read-only after loading; a state has one user at a time
 * memory     weights are packed into panels at load; states come from the caller's arena; no allocation while running */
#ifndef KZ_NN_H
#define KZ_NN_H

#include <stdatomic.h>

#include "base/base.h"
#include "flow.h"
#include "kernels/kernels.h"
#include "weights/weights.h"

/* What every layer runs with. */
typedef struct kz_ctx {
    const kz_kernels *k;
    kz_pool *pool;
    const kz_tap *tap;       /* or NULL */
    kz_qx *qx;               /* kz_linear_scratch of what is run, only with quantised weights */
    const atomic_bool *stop; /* or NULL: once it is set, work of many frames may be left undone */
} kz_ctx;

static inline size_t kz_round16(size_t n) { return (n + 15) / 16 * 16; }

/* A tensor name built from parts. */
typedef struct kz_name {
    char s[192];
} kz_name;
kz_name kz_namef(const char *fmt, ...) KZ_PRINTF(1, 2);

/* ---- linear ------------------------------------------------------------------------------------------------ */

enum { KZ_MAX_PART = 3 };

/* One or several matrices side by side (q, k, v; gate, up). Part i writes outputs part_at[i] .. + part_out[i];
 * parts begin at multiples of 16, what lies between is written as zero. */
typedef struct kz_linear {
    kz_dtype type;
    size_t n_in;
    size_t n_out; /* with the gaps between parts */
    size_t n_part, part_at[KZ_MAX_PART], part_out[KZ_MAX_PART];
    void *panels;
    bool mapped;  /* panels are a prepared file's */
    float *bias;  /* [round16(n_out)] or NULL */
    float *scale; /* [round16(n_out)] or NULL: scales the branch that is added to a residual */
} kz_linear;

typedef struct kz_linear_part {
    const char *weight; /* [n_out, n_in], or [n_out, n_in, 1] when `conv1` */
    size_t n_out;
} kz_linear_part;

typedef struct kz_linear_spec {
    kz_linear_part part[KZ_MAX_PART];
    size_t n_part, n_in;
    const char *bias;  /* tensor name or NULL; one part only */
    const char *scale; /* the same */
    bool conv1;        /* weights have a third dimension of 1 */
    kz_quant quant;    /* but for FLOAT, what runs it has kz_ctx.qx */
} kz_linear_spec;

kztts_status kz_linear_load(kz_linear *lin, const kz_weights *w, const kz_linear_spec *spec, kz_pool *pool,
                            kz_err *err);
void kz_linear_free(kz_linear *lin);
size_t kz_linear_bytes(const kz_linear *lin); /* of packed weights, bias and scale */

/* What running layers takes: bytes of panels that a pass reads, wherever they lie, and multiply-adds of its rows. */
typedef struct kz_work {
    uint64_t bytes, products;
} kz_work;
void kz_linear_work(kz_work *work, const kz_linear *lin, size_t n_row); /* is added */

/* Elements of kz_ctx.qx that n_row rows need: 0 unless quantised. */
size_t kz_linear_scratch(const kz_linear *lin, size_t n_row);

/* y[row] = W x[row] (+ bias); with res: y = res + scale * (W x + bias). res may be y. */
void kz_linear_run(const kz_ctx *ctx, const kz_linear *lin, float *y, size_t y_row, const float *x, size_t x_row,
                   size_t n_row, const float *res);

/* The same as a task for a kernel, rows from y and x on, for layers that do several things with a piece of rows. Not for
 * quantised weights. */
kz_mm kz_linear_mm(const kz_linear *lin, float *y, size_t y_row, const float *x, size_t x_row, const float *res);

/* ---- convolution ------------------------------------------------------------------------------------------- */

/* Output row r reads input rows r * stride + tap * dilation. */
typedef struct kz_conv {
    kz_linear lin;
    size_t n_tap, dilation, stride, n_in;
} kz_conv;

kztts_status kz_conv_load(kz_conv *conv, const kz_weights *w, const char *prefix, size_t n_out, size_t n_in,
                          size_t n_tap, size_t dilation, kz_pool *pool, kz_err *err); /* prefix.weight, prefix.bias */
/* As kz_conv_load with a stride; the caller pads n_tap - stride columns on the left and to a multiple of stride. */
kztts_status kz_conv_load_strided(kz_conv *conv, const kz_weights *w, const char *prefix, size_t n_out, size_t n_in,
                                  size_t n_tap, size_t stride, bool bias, kz_pool *pool, kz_err *err);
void kz_conv_free(kz_conv *conv);
static inline size_t kz_conv_hist(const kz_conv *conv) { return (conv->n_tap - 1) * conv->dilation; }

/* n_row outputs. x: with stride 1, kz_conv_hist rows of the past, then n_row new ones. y [n_row, n_out]; res as in
 * kz_linear_run, or NULL. */
void kz_conv_run(const kz_ctx *ctx, const kz_conv *conv, float *y, const float *x, size_t n_row, const float *res);

/* A causal convolution of KZ_WINOGRAD_TAP taps, stride 1, as many outputs as inputs, by the minimal filtering F(2, 7)
 * (Winograd 1980) with the points 0, 1, -1, 2, -2, 1/2, -1/2 and infinity: two outputs for 8 products instead of 14.
 * Of a frame's rows those 2 * dilation that follow one another are a group; row i < dilation of it and row i + dilation share
 * a tile. So a frame's bits don't depend on what is in a call with it, and the first output of a tile reads nothing newer than
 * itself: where a frame ends within a group it goes without the second. With d0 .. d7 the input rows of a tile, a dilation
 * apart, beginning KZ_WINOGRAD_TAP - 1 before the first output's, and w0 .. w6 the taps, oldest first:
 *      m[e] = the chain over inputs of u[e] * v[e], m0 and m7 beginning with the bias (kz_kernels.tile_in makes v, tile_out
 *             the outputs)
 *      u0 = -w0, u7 = w6, and in double precision, rounded once, for the points p = 1, 2, 1/2 with N = -4.5, 90, 1.40625:
 *      u1, u2 (u3, u4; u5, u6) = (w0 + p^2 w2 + p^4 w4 + p^6 w6) / N + and - (p w1 + p^3 w3 + p^5 w5) / N */
enum { KZ_WINOGRAD_TAP = 7, KZ_WINOGRAD_POINTS = 8 };

typedef struct kz_winograd {
    kz_linear lin; /* the u, one below the other, each padded to whole panels */
    float *bias;   /* [round16(n_ch)] */
    size_t n_ch, dilation;
} kz_winograd;

/* prefix.weight [n_ch, n_ch, KZ_WINOGRAD_TAP], prefix.bias */
kztts_status kz_winograd_load(kz_winograd *conv, const kz_weights *w, const char *prefix, size_t n_ch, size_t dilation,
                              kz_pool *pool, kz_err *err);
void kz_winograd_free(kz_winograd *conv);
static inline size_t kz_winograd_hist(const kz_winograd *conv) { return (KZ_WINOGRAD_TAP - 1) * conv->dilation; }
/* As kz_linear_work; the multiply-adds are those of the plain convolution. */
void kz_winograd_work(kz_work *work, const kz_winograd *conv, size_t n_row);

/* Groups [begin, end) of frames of frame_row rows each. */
typedef struct kz_groups {
    size_t frame_row, begin, end;
} kz_groups;

size_t kz_winograd_count(const kz_winograd *conv, size_t n_row, size_t frame_row); /* groups of whole frames */
size_t kz_winograd_row(const kz_winograd *conv, size_t frame_row, size_t group);   /* the first row of one */
size_t kz_winograd_scratch(const kz_winograd *conv, const kz_groups *groups);      /* floats */

/* x: kz_winograd_hist rows of the past, then those of all frames; y [rows, n_ch]: those of the groups only. One thread. */
void kz_winograd_piece(const kz_kernels *k, const kz_winograd *conv, float *y, const float *x, const kz_groups *groups,
                       float *scratch);
/* All rows of whole frames, on all threads; scratch for all groups. */
void kz_winograd_run(const kz_ctx *ctx, const kz_winograd *conv, float *y, const float *x, size_t n_row,
                     size_t frame_row, float *scratch);

/* Transposed, kernel = n_seg * stride (n_seg 1 or 2), the tail dropped: n_row rows in, n_row * stride out. */
typedef struct kz_convt {
    kz_linear lin; /* stride * n_out outputs a row */
    size_t n_seg, stride, n_in, n_out;
} kz_convt;

kztts_status kz_convt_load(kz_convt *conv, const kz_weights *w, const char *prefix, size_t n_in, size_t n_out,
                           size_t n_seg, size_t stride, kz_pool *pool, kz_err *err);
void kz_convt_free(kz_convt *conv);
/* x: n_seg - 1 rows of the past, then n_row new ones. y [n_row * stride, n_out]. */
void kz_convt_run(const kz_ctx *ctx, const kz_convt *conv, float *y, const float *x, size_t n_row);

/* The input of a causal layer: n_hist rows of the past, then up to max_row new ones. */
typedef struct kz_hist {
    float *data; /* [n_hist + max_row, n_col] */
    size_t n_hist, max_row, n_col;
} kz_hist;

void kz_hist_layout(kz_hist *h, kz_arena *arena, size_t n_hist, size_t max_row, size_t n_col);
static inline float *kz_hist_in(const kz_hist *h) { return h->data + h->n_hist * h->n_col; } /* where new rows go */
void kz_hist_next(kz_hist *h, size_t n_row); /* after n_row new rows were used: keeps the last n_hist */
void kz_hist_reset(const kz_hist *h);

/* ---- rows -------------------------------------------------------------------------------------------------- */

/* Element-wise work over rows, split over the pool. */
void kz_rows_rmsnorm(const kz_ctx *ctx, float *y, const float *x, const float *w, size_t n_row, size_t n_col,
                     float eps);
void kz_rows_layernorm(const kz_ctx *ctx, float *y, const float *x, const float *w, const float *b, size_t n_row,
                       size_t n_col, float eps);
void kz_rows_snake(const kz_ctx *ctx, float *y, const float *x, const float *alpha, const float *inv_beta, size_t n_row,
                   size_t n_col);
void kz_rows_gelu(const kz_ctx *ctx, float *y, const float *x, size_t n_row, size_t n_col);
void kz_rows_dwconv(const kz_ctx *ctx, float *y, const float *x, const float *w, const float *b, size_t n_tap,
                    size_t n_row, size_t n_col);

/* ---- transformer ------------------------------------------------------------------------------------------- */

typedef struct kz_layer {
    float *attn_norm, *ff_norm;           /* [d_model] */
    float *attn_norm_bias, *ff_norm_bias; /* [d_model] or NULL */
    float *q_norm, *k_norm;               /* [d_head] or NULL */
    kz_linear qkv, out, gate_up, down;    /* gate_up is fc1, down is fc2 in a plain MLP */
} kz_layer;

/* Pre-norm causal layers with grouped heads and rotary positions (see kz_stack_config for what varies). */
typedef struct kz_stack {
    kz_stack_config cfg;
    kz_layer *layers; /* [n_layer] */
    float *norm;      /* [d_model], NULL with layer_norm */
    float *inv_freq;  /* [d_head / 2] */
} kz_stack;

/* Tensors `prefix.layers.N.*`, `prefix.norm.weight`. */
kztts_status kz_stack_load(kz_stack *stack, const kz_stack_config *cfg, const kz_weights *w, const char *prefix,
                           kz_pool *pool, kz_err *err);
void kz_stack_free(kz_stack *stack);
size_t kz_stack_bytes(const kz_stack *stack);
void kz_stack_work(kz_work *work, const kz_stack *stack, size_t n_row); /* its matrices; attention isn't counted */
size_t kz_stack_scratch(const kz_stack *stack, size_t n_row); /* as kz_linear_scratch, for blocks of n_row rows */

typedef struct kz_stack_state {
    size_t max_pos; /* positions an utterance may use; with a window, no limit (0) */
    size_t max_row; /* rows a block */
    size_t n_cache; /* rows of k and v a layer */
    size_t n_used;  /* rows in use */
    size_t pos;     /* position of the next row */
    float *k, *v;   /* [n_layer][n_kv][n_cache][d_head]: a head's rows are neighbours */
    float *norm, *qkv, *attn, *gate_up, *act, *cs, *scores;
} kz_stack_state;

/* max_pos: see above. n_thread: threads of the pool it will run on. */
void kz_stack_layout(const kz_stack *stack, kz_stack_state *state, kz_arena *arena, size_t max_pos, size_t max_row,
                     int n_thread);
void kz_stack_reset(kz_stack_state *state);
void kz_stack_rewind(kz_stack_state *state, size_t n_pos); /* forgets rows from n_pos on; no window, n_pos <= pos */

/* n rows of the keys and values from row `from` of the cache on, as [n_layer][n_kv][n][d_head] each: out of the state, and
 * into the front of one (which then stands at position n). */
void kz_stack_cache_out(const kz_stack *stack, const kz_stack_state *state, size_t from, size_t n, float *k, float *v);
void kz_stack_cache_in(const kz_stack *stack, kz_stack_state *state, size_t n, const float *k, const float *v);

/* Appends n_row rows: x [n_row, d_model] in place becomes the residual stream after the last layer (before the final
 * norm). Without a window, state->pos + n_row <= max_pos must hold. Taps "<tap>" per layer when tap isn't NULL. */
void kz_stack_run(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *state, float *x, size_t n_row,
                  const char *tap);

/* The same when only the last row is used afterwards: without a tap the last layer computes no other row's output. */
void kz_stack_run_last(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *state, float *x, size_t n_row,
                       const char *tap);

/* kz_stack_run for n_state sequences in one pass over the weights: x [n_state * each, d_model], `each` rows a state one after
 * another. Every state gets the bits of its own run. n_state * each <= max_row of the first, whose scratch is used. */
void kz_stack_run_many(const kz_ctx *ctx, const kz_stack *stack, kz_stack_state *const *states, size_t n_state,
                       float *x, size_t each);

#endif
