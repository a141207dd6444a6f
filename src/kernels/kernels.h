/* kernels.h: the arithmetic.  SPDX-License-Identifier: Apache-2.0
 *
 * in, out    plain float arrays; weights as panels (below)
 * state      none
 * threads    a kernel runs on its caller's thread; callers split outputs over threads, never sums
 * memory     nothing is allocated
 *
 * The numerics contract. kernels/c/ defines every bit; each other table is its exact twin:
 *  - A matmul output is one chain acc = fma(w, x, acc) over k = 0, 1, 2, ..., beginning with the bias (or +0).
 *  - A reduction over a vector uses 16 virtual lanes: the vector is padded with zeros (for a maximum: with its first
 *    element) to a multiple of 16, lane i takes elements i, i + 16, ... in order (sum of products by fma, else add),
 *    then lanes i and i + 8 are added, then i + 4, i + 2, i + 1.
 *  - exp, sin^2, erf are the sequences of IEEE operations written in kernels/c/math.h, the same in every table.
 *  - sqrt and / are the IEEE ones. No contraction, no reassociation, subnormals kept.
 * What NaN or infinite inputs give is not specified (beyond: no crash, no access out of bounds). */
#ifndef KZ_KERNELS_H
#define KZ_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Storage types of weights. The first three widen to f32 exactly; the others are blocks of 32 neighbouring inputs with one
 * f16 scale d, w = d * q: q8 has the numbers of GGUF's Q8_0 (q a signed byte), q4_0 those of Q4_0 (q -8 .. 7), q4 those of
 * IQ4_NL (q one of 16 values, kernels/quant.h). In files they are rows of GGUF blocks: 34, 18 and 18 bytes. */
typedef enum kz_dtype { KZ_F32 = 0, KZ_BF16 = 1, KZ_F16 = 2, KZ_Q8 = 3, KZ_Q4 = 4, KZ_Q4_0 = 5 } kz_dtype;
enum { KZ_DTYPES = 6, KZ_BLOCK = 32, KZ_PAIR = 64 };

static inline bool kz_is_quantized(kz_dtype type) { return type >= KZ_Q8; }

/* Outputs a panel. Weights [n_out, n_in] are stored as [ceil(n_out / 16)][n_in][16], missing outputs as zero.
 * Quantised ones as [ceil(n_out / 16)][ceil(n_in / 64)] pairs of blocks, missing inputs as zero too:
 *      q8       { f16 d[2][16]; int8 q[2][8][16][4] }       1088 bytes    q[b][j][out][i]: input 32 b + 4 j + i
 *      q4, q4_0 { f16 d[2][16]; uint8 q[2][4][16][4] }       576 bytes    low half: input 32 b + 4 j + i, high half: + 16 */
enum { KZ_PANEL = 16 };

/* 64 inputs of a row, quantised for such weights: x = d * q. Of each block of 32, with m the largest magnitude:
 * d = m / 127, q = x * (127 / m) rounded once to the nearest whole number, ties to even. m < 2^-100 counts as 0; then
 * d and q are 0, and so they are beyond the end of the row. */
typedef struct kz_qx {
    int8_t q[KZ_PAIR];
    float d[2];
    int32_t offset[2]; /* -128 * sum of the block's q: for instructions that want weights without a sign */
} kz_qx;

/* A block of outputs y[row][out] = bias[out] + sum over k of w[out][k] * x(row, k), in one description for linear
 * layers, convolutions over time-major [time, channel] arrays and transposed convolutions:
 *
 *      k = seg * seg_len + i      x(row, k) = x[row * x_row + seg * seg_step + i],   seg < n_seg, i < seg_len
 *
 * linear: n_seg = 1. Convolution: a segment a tap, x_row = channels, seg_step = dilation * channels.
 * Afterwards, with v the chain's value:
 *      res and scale:  y = fma(scale[out], v, res[row * res_row + out])
 *      res alone:      y = res[row * res_row + out] + v
 *      neither:        y = v
 * With quantised weights n_seg is 1, the rows are qx instead of x, and the chain is one over blocks of 32:
 *      acc = fma(d of w * d of x, sum of products of the q, acc)
 * y may be the same memory as res (same row stride); else nothing overlaps. Alignment: w and bias KZ_ALIGN (64). */
typedef struct kz_mm {
    const void *w;     /* panels [n_panel][n_seg * seg_len][16] */
    const float *bias; /* [n_panel * 16] or NULL */
    const float *x;
    size_t x_row, n_seg, seg_len, seg_step; /* in floats */
    float *y;
    size_t y_row;
    size_t n_out; /* outputs that exist; the last panel may hold fewer than 16 and only those are written */
    const float *res;
    size_t res_row;
    const float *scale; /* [n_panel * 16], only with res */
    const kz_qx *qx;    /* [n_row][ceil(seg_len / 64)], only with quantised weights */
} kz_mm;

enum { KZ_ATTEND_QUERIES = 16 }; /* the most of one call */

/* Attention of n_row rows, n_head queries each, to the same keys and values: row r sees positions [begin, n_pos + r),
 * begin = 0, or with a window, where it can't see all, n_pos + r - window. n_row * n_head <= KZ_ATTEND_QUERIES. */
typedef struct kz_attend {
    float *y;       /* a row: [n_head, d_head] */
    const float *q; /* the same */
    size_t y_row, q_row, n_row, n_head;
    const float *k, *v; /* [n_pos + n_row - 1, d_head], positions `stride` floats apart */
    size_t stride, d_head;
    size_t n_pos;  /* the first row's, at least 1 */
    size_t window; /* 0: none */
    float scale;
    float *scores;    /* scratch [n_row * n_head, score_row] */
    size_t score_row; /* at least n_pos + n_row - 1 */
} kz_attend;

/* Positions query i sees. */
typedef struct kz_attend_range {
    size_t begin, end;
} kz_attend_range;

static inline kz_attend_range kz_attend_seen(const kz_attend *a, size_t i) {
    size_t end = a->n_pos + i / a->n_head;
    return (kz_attend_range){a->window && end > a->window ? end - a->window : 0, end};
}

typedef struct kz_kernels {
    const char *name; /* that of the level */

    /* Panels [p0, p1) of rows [r0, r1). Index by kz_dtype of w. */
    void (*mm[KZ_DTYPES])(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1);

    /* A row of n inputs quantised: ceil(n / 64) elements of q. */
    void (*quantize)(kz_qx *q, const float *x, size_t n);

    /* Depthwise convolution: y[t][c] = chain over taps of w[tap][c] * x[t + tap][c], beginning with b[c].
     * x has n_row + n_tap - 1 rows. All [rows, n_ch] dense. */
    void (*dwconv)(float *y, const float *x, const float *w, const float *b, size_t n_tap, size_t n_row, size_t n_ch);

    /* Tiles of a convolution with 7 taps, two outputs each (nn.h says how they are used), n columns side by side. tile_in:
     * rows d0 .. d7 of x, x_step floats apart, become rows v0 .. v7, v_step apart; without `both` d7 isn't read and counts as 0:
     *      v0 = fma(5.25, d2 - d4, d6 - d0)                      v7 = fma(5.25, d3 - d5, d7 - d1)
     *      v1, v2 = a + b, a - b   a = fma(-4.25, d4, d2 + d6)                    b = fma(-4.25, d3, d1 + d5)
     *      v3, v4 = a + b, a - b   a = fma(0.25, d2, fma(-1.25, d4, d6))          b = fma(0.5, d1, fma(-2.5, d3, 2 d5))
     *      v5, v6 = a + b, a - b   a = fma(4, d2, fma(-5, d4, d6))                b = fma(2, d1, fma(-2.5, d3, d5 / 2))
     * tile_out: rows m0 .. m7, m_step apart, become the outputs y0 and, unless it is NULL, y1:
     *      y0 = m0 + ((m1 + m2) + ((m3 + m4) + (m5 + m6)))
     *      y1 = m7 + ((m1 - m2) + fma(2, m3 - m4, (m5 - m6) / 2)) */
    void (*tile_in)(float *v, size_t v_step, const float *x, size_t x_step, size_t n, bool both);
    void (*tile_out)(float *y0, float *y1, const float *m, size_t m_step, size_t n);

    /* y = w * (x / sqrt(sum(x^2)/n + eps)): r = sqrtf(sum / n + eps), y[i] = w[i] * (x[i] / r). y may be x. */
    void (*rmsnorm)(float *y, const float *x, const float *w, size_t n, float eps);

    /* m = sum(x)/n; d = x - m; r = sqrtf(sum(d^2)/n + eps); y = fma(d / r, w, b). y may be x. */
    void (*layernorm)(float *y, const float *x, const float *w, const float *b, size_t n, float eps);

    /* Split-half rotation of one head in place, h = d_head / 2, cs = cos[h] then sin[h]:
     * a = x[j], b = x[j + h]:  x[j] = fma(a, cos, -(b * sin)),  x[j + h] = fma(b, cos, a * sin). */
    void (*rope)(float *x, const float *cs, size_t d_head);

    /* Every query alone, over its positions, oldest first:
     * s[p] = (16-lane fma sum of q * k[p]) * scale; m = max s; e[p] = exp(s[p] - m); l = 16-lane sum of e;
     * y[i] = (chain over p of fma(e[p], v[p][i], acc), from +0) / l. */
    void (*attend)(const kz_attend *a);

    /* Element-wise; y may be an input. */
    void (*add)(float *y, const float *a, const float *b, size_t n);
    void (*silu)(float *y, const float *x, size_t n);                         /* x / (1 + exp(-x)) */
    void (*silu_mul)(float *y, const float *gate, const float *up, size_t n); /* silu(gate) * up */
    void (*gelu)(float *y, const float *x, size_t n); /* (0.5 * x) * (1 + erf(x * (1/sqrt 2))) */

    /* SnakeBeta over [n_row, n_ch]: y = fma(sin^2(alpha[c] * x), inv_beta[c], x). y may be x. */
    void (*snake)(float *y, const float *x, const float *alpha, const float *inv_beta, size_t n_row, size_t n_ch);

    /* x = exp(x - max x) in place, returns their 16-lane sum. */
    float (*softmax_exp)(float *x, size_t n);

    /* y = exp(x): for parameters stored as logarithms, and for tests. */
    void (*exp)(float *y, const float *x, size_t n);
} kz_kernels;

/* CPU levels, lowest first. */
typedef enum kz_cpu_level {
    KZ_CPU_C = 0,
    KZ_CPU_AVX2,       /* AVX2 + FMA + F16C */
    KZ_CPU_AVX2VNNI,   /* these and AVX-VNNI */
    KZ_CPU_AVX512,     /* AVX-512 F, BW, DQ, VL */
    KZ_CPU_AVX512VNNI, /* these and VNNI */
    KZ_CPU_AMX,        /* these and AMX tiles of bytes, which the system must permit */
    KZ_CPU_NEON,
    KZ_CPU_DOTPROD, /* NEON with dot products of bytes */
    KZ_CPU_I8MM,    /* these and matrix products of bytes */
    KZ_CPU_LEVELS
} kz_cpu_level;

/* The table of a level, or NULL when this build lacks it or this CPU can't run it. */
const kz_kernels *kz_kernels_get(kz_cpu_level level);

/* The best table of this machine (never NULL). */
const kz_kernels *kz_kernels_best(void);

/* The table called `name` (or "best"), or NULL. */
const kz_kernels *kz_kernels_by_name(const char *name);

/* Every level's name, NULL beyond the last; whether it can be used says kz_kernels_get. */
const char *kz_cpu_level_name(kz_cpu_level level);

/* ---- scalars: the same functions as inside the kernels -------------------------------------------------------- */

const char *kz_dtype_name(kz_dtype type);         /* "f32", "bf16", "f16", "q8", "q4", "q4_0" */
size_t kz_dtype_size(kz_dtype type);              /* of an element; 0 for quantised types */
size_t kz_row_bytes(kz_dtype type, size_t n);     /* of n elements in a file; quantised: n a multiple of 32 */
size_t kz_panel_bytes(kz_dtype type, size_t n_k); /* of a panel of n_k inputs */
void kz_to_f32(float *y, const void *x, kz_dtype type,
               size_t n);    /* as in files; x may be unaligned; exact but for d * q */
uint16_t kz_to_f16(float x); /* nearest, ties to even */

/* Types of GGUF files beyond kz_dtype: blocks of 32 or 256 neighbouring weights that no kernel reads. */
typedef enum kz_block_type {
    KZ_BLOCK_FIRST = 32,
    KZ_BLOCK_Q4_1 = KZ_BLOCK_FIRST,
    KZ_BLOCK_Q5_0,
    KZ_BLOCK_Q5_1,
    KZ_BLOCK_MXFP4,
    KZ_BLOCK_Q2_K,
    KZ_BLOCK_Q3_K,
    KZ_BLOCK_Q4_K,
    KZ_BLOCK_Q5_K,
    KZ_BLOCK_Q6_K,
    KZ_BLOCK_END
} kz_block_type;

bool kz_is_block(int type);
const char *kz_block_name(int type); /* of a kz_block_type */

/* Of a kz_dtype or kz_block_type as it lies in files: neighbouring weights that belong together (1 = none do), the bytes
 * of n of them (whole groups), and their values as f32, the same as every reader of the type gets. */
size_t kz_stored_group(int type);
size_t kz_stored_bytes(int type, size_t n);
void kz_stored_to_f32(float *y, const void *x, int type, size_t n);

float kz_expf(float x);
float kz_logf(float x); /* x > 0, about 2 ulp */

/* Where weight (out, k) of a panel matrix comes from: element
 *   base + (out / out_inner) * out_outer_step + (out % out_inner) * out_inner_step
 *        + (k / k_inner) * k_outer_step + (k % k_inner) * k_inner_step     of src.
 * linear [out, in]: out_inner = n_out, out_inner_step = in, k_inner = in, k_inner_step = 1, rest 0: the only form of
 * a quantised src, whose in is a multiple of 32. */
typedef struct kz_pack {
    const void *src; /* may be unaligned */
    kz_dtype src_type;
    kz_dtype dst_type; /* of the panels: src_type, KZ_F32 (widened) or a quantised type, as kernels/quant.h says */
    size_t n_out, n_in;
    ptrdiff_t base, out_outer_step, out_inner_step, k_outer_step, k_inner_step;
    size_t out_inner, k_inner;
} kz_pack;

/* Fills panels [p0, p1) of dst. Returns false when a weight (or a scale as f16) isn't finite; the panels are filled all the
 * same. */
bool kz_pack_panels(void *dst, const kz_pack *pack, size_t p0, size_t p1);

#endif
