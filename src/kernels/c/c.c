/* c.c: the kernels in plain loops. What they compute is what "correct" means.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/c/math.h"
#include "kernels/quant.h"
#include "kernels/tables.h"

enum { LANES = 16 };

/* ---- reductions over 16 virtual lanes -------------------------------------------------------------------------- */

static float tree_sum(float lane[LANES]) {
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            lane[i] = lane[i] + lane[i + half];
    return lane[0];
}

static float sum(const float *x, size_t n) {
    float lane[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        lane[i % LANES] = lane[i % LANES] + x[i];
    return tree_sum(lane);
}

static float dot(const float *a, const float *b, size_t n) {
    float lane[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        lane[i % LANES] = fmaf(a[i], b[i], lane[i % LANES]);
    return tree_sum(lane);
}

/* Sum of (x - m)^2. */
static float sum_sq(const float *x, float m, size_t n) {
    float lane[LANES] = {0};
    for (size_t i = 0; i < n; i++) {
        float d = x[i] - m;
        lane[i % LANES] = fmaf(d, d, lane[i % LANES]);
    }
    return tree_sum(lane);
}

static float maximum(const float *x, size_t n) {
    float lane[LANES];
    for (size_t i = 0; i < LANES; i++)
        lane[i] = x[0];
    for (size_t i = 0; i < n; i++)
        lane[i % LANES] = lane[i % LANES] > x[i] ? lane[i % LANES] : x[i];
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            lane[i] = lane[i] > lane[i + half] ? lane[i] : lane[i + half];
    return lane[0];
}

/* ---- matmul ---------------------------------------------------------------------------------------------------- */

/* One row of one panel. */
static void mm_chain(float acc[KZ_PANEL], const kz_mm *mm, kz_dtype type, size_t panel, size_t row) {
    size_t n_k = mm->n_seg * mm->seg_len;
    const unsigned char *w = (const unsigned char *)mm->w + panel * n_k * KZ_PANEL * kz_dtype_size(type);
    for (size_t o = 0; o < KZ_PANEL; o++)
        acc[o] = mm->bias ? mm->bias[panel * KZ_PANEL + o] : 0.0f;
    for (size_t seg = 0; seg < mm->n_seg; seg++) {
        const float *x = mm->x + row * mm->x_row + seg * mm->seg_step;
        for (size_t i = 0; i < mm->seg_len; i++) {
            float wk[KZ_PANEL];
            kz_to_f32(wk, w, type, KZ_PANEL);
            w += KZ_PANEL * kz_dtype_size(type);
            for (size_t o = 0; o < KZ_PANEL; o++)
                acc[o] = fmaf(wk[o], x[i], acc[o]);
        }
    }
}

/* A block of q8 weights of one output as whole numbers, a half of a pair; likewise of q4. */
static float weights_q8(int8_t q[KZ_BLOCK], const kz_q8_pair *pair, size_t half, size_t o) {
    for (size_t k = 0; k < KZ_BLOCK; k++)
        q[k] = pair->q[half][k / 4][o][k % 4];
    float d;
    kz_to_f32(&d, &pair->d[half][o], KZ_F16, 1);
    return d;
}

static float weights_q4(int8_t q[KZ_BLOCK], const kz_q4_pair *pair, size_t half, size_t o, const int8_t *value) {
    for (size_t k = 0; k < KZ_BLOCK / 2; k++) {
        q[k] = value[pair->q[half][k / 4][o][k % 4] & 15];
        q[k + 16] = value[pair->q[half][k / 4][o][k % 4] >> 4];
    }
    float d;
    kz_to_f32(&d, &pair->d[half][o], KZ_F16, 1);
    return d;
}

/* One row of one panel of quantised weights. */
static void mm_chain_quantized(float acc[KZ_PANEL], const kz_mm *mm, kz_dtype type, size_t panel, size_t row) {
    size_t n_pair = kz_pairs(mm->seg_len);
    const unsigned char *w = (const unsigned char *)mm->w + panel * kz_panel_bytes(type, mm->seg_len);
    for (size_t o = 0; o < KZ_PANEL; o++) {
        acc[o] = mm->bias ? mm->bias[panel * KZ_PANEL + o] : 0.0f;
        for (size_t i = 0; i < 2 * n_pair; i++) {
            const kz_qx *x = mm->qx + row * n_pair + i / 2;
            int8_t q[KZ_BLOCK];
            float d = type == KZ_Q8
                          ? weights_q8(q, (const kz_q8_pair *)(const void *)w + i / 2, i % 2, o)
                          : weights_q4(q, (const kz_q4_pair *)(const void *)w + i / 2, i % 2, o, kz_q4_values(type));
            int32_t sum = 0;
            for (size_t k = 0; k < KZ_BLOCK; k++)
                sum += q[k] * x->q[i % 2 * KZ_BLOCK + k];
            acc[o] = fmaf(d * x->d[i % 2], (float)sum, acc[o]);
        }
    }
}

static void mm_any(const kz_mm *mm, kz_dtype type, size_t p0, size_t p1, size_t r0, size_t r1) {
    for (size_t panel = p0; panel < p1; panel++) {
        for (size_t row = r0; row < r1; row++) {
            float acc[KZ_PANEL];
            if (kz_is_quantized(type))
                mm_chain_quantized(acc, mm, type, panel, row);
            else
                mm_chain(acc, mm, type, panel, row);
            for (size_t o = 0; o < KZ_PANEL && panel * KZ_PANEL + o < mm->n_out; o++) {
                size_t out = panel * KZ_PANEL + o;
                float v = acc[o];
                if (mm->res && mm->scale)
                    v = fmaf(mm->scale[out], v, mm->res[row * mm->res_row + out]);
                else if (mm->res)
                    v = mm->res[row * mm->res_row + out] + v;
                mm->y[row * mm->y_row + out] = v;
            }
        }
    }
}

static void mm_f32(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) { mm_any(mm, KZ_F32, p0, p1, r0, r1); }
static void mm_bf16(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {
    mm_any(mm, KZ_BF16, p0, p1, r0, r1);
}
static void mm_f16(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) { mm_any(mm, KZ_F16, p0, p1, r0, r1); }

static void mm_q8(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) { mm_any(mm, KZ_Q8, p0, p1, r0, r1); }
static void mm_q4(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) { mm_any(mm, KZ_Q4, p0, p1, r0, r1); }
static void mm_q4_0(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {
    mm_any(mm, KZ_Q4_0, p0, p1, r0, r1);
}

/* One block; n < 32: the last values, the others are 0. */
static void quantize_block(kz_qx *q, size_t half, const float *x, size_t n) {
    float top = 0.0f;
    for (size_t i = 0; i < n; i++)
        top = fabsf(x[i]) > top ? fabsf(x[i]) : top;
    bool some = top >= KZ_QX_LEAST;
    float inverse = some ? 127.0f / top : 0.0f;
    int32_t sum = 0;
    for (size_t i = 0; i < KZ_BLOCK; i++) {
        uint32_t bits = kz_math_bits(fmaf(i < n ? x[i] : 0.0f, inverse, KZ_MAGIC));
        q->q[half * KZ_BLOCK + i] = (int8_t)(uint8_t)bits;
        sum += q->q[half * KZ_BLOCK + i];
    }
    q->d[half] = some ? top / 127.0f : 0.0f;
    q->offset[half] = -128 * sum;
}

static void quantize(kz_qx *q, const float *x, size_t n) {
    for (size_t i = 0; i < 2 * kz_pairs(n); i++) {
        size_t at = i * KZ_BLOCK, left = at < n ? n - at : 0;
        quantize_block(q + i / 2, i % 2, x + (left ? at : 0), left < KZ_BLOCK ? left : KZ_BLOCK);
    }
}

static void dwconv(float *y, const float *x, const float *w, const float *b, size_t n_tap, size_t n_row, size_t n_ch) {
    for (size_t t = 0; t < n_row; t++) {
        for (size_t c = 0; c < n_ch; c++) {
            float acc = b[c];
            for (size_t tap = 0; tap < n_tap; tap++)
                acc = fmaf(w[tap * n_ch + c], x[(t + tap) * n_ch + c], acc);
            y[t * n_ch + c] = acc;
        }
    }
}

static void tile_in(float *v, size_t v_step, const float *x, size_t x_step, size_t n, bool both) {
    for (size_t i = 0; i < n; i++) {
        const float *p = x + i;
        float *q = v + i;
        float d0 = p[0], d1 = p[x_step], d2 = p[2 * x_step], d3 = p[3 * x_step], d4 = p[4 * x_step];
        float d5 = p[5 * x_step], d6 = p[6 * x_step], d7 = both ? p[7 * x_step] : 0.0f;
        q[0] = fmaf(5.25f, d2 - d4, d6 - d0);
        float a = fmaf(-4.25f, d4, d2 + d6), b = fmaf(-4.25f, d3, d1 + d5);
        q[v_step] = a + b;
        q[2 * v_step] = a - b;
        a = fmaf(0.25f, d2, fmaf(-1.25f, d4, d6)), b = fmaf(0.5f, d1, fmaf(-2.5f, d3, 2.0f * d5));
        q[3 * v_step] = a + b;
        q[4 * v_step] = a - b;
        a = fmaf(4.0f, d2, fmaf(-5.0f, d4, d6)), b = fmaf(2.0f, d1, fmaf(-2.5f, d3, 0.5f * d5));
        q[5 * v_step] = a + b;
        q[6 * v_step] = a - b;
        q[7 * v_step] = fmaf(5.25f, d3 - d5, d7 - d1);
    }
}

static void tile_out(float *y0, float *y1, const float *m, size_t m_step, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float *p = m + i;
        float m1 = p[m_step], m2 = p[2 * m_step], m3 = p[3 * m_step], m4 = p[4 * m_step];
        float m5 = p[5 * m_step], m6 = p[6 * m_step];
        y0[i] = p[0] + ((m1 + m2) + ((m3 + m4) + (m5 + m6)));
        if (y1)
            y1[i] = p[7 * m_step] + ((m1 - m2) + fmaf(2.0f, m3 - m4, 0.5f * (m5 - m6)));
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static void rmsnorm(float *y, const float *x, const float *w, size_t n, float eps) {
    float r = sqrtf(dot(x, x, n) / (float)n + eps);
    for (size_t i = 0; i < n; i++)
        y[i] = w[i] * (x[i] / r);
}

static void layernorm(float *y, const float *x, const float *w, const float *b, size_t n, float eps) {
    float m = sum(x, n) / (float)n;
    float r = sqrtf(sum_sq(x, m, n) / (float)n + eps);
    for (size_t i = 0; i < n; i++)
        y[i] = fmaf((x[i] - m) / r, w[i], b[i]);
}

static void rope(float *x, const float *cs, size_t d_head) {
    size_t h = d_head / 2;
    for (size_t j = 0; j < h; j++) {
        float a = x[j], b = x[j + h];
        x[j] = fmaf(a, cs[j], -(b * cs[h + j]));
        x[j + h] = fmaf(b, cs[j], a * cs[h + j]);
    }
}

static float softmax_exp(float *x, size_t n) {
    float m = maximum(x, n);
    for (size_t i = 0; i < n; i++)
        x[i] = kz_math_exp(x[i] - m);
    return sum(x, n);
}

static void attend_one(float *y, const float *q, const kz_attend *a, kz_attend_range seen) {
    for (size_t p = seen.begin; p < seen.end; p++)
        a->scores[p] = dot(q, a->k + p * a->stride, a->d_head) * a->scale;
    float l = softmax_exp(a->scores + seen.begin, seen.end - seen.begin);
    for (size_t i = 0; i < a->d_head; i++) {
        float acc = 0.0f;
        for (size_t p = seen.begin; p < seen.end; p++)
            acc = fmaf(a->scores[p], a->v[p * a->stride + i], acc);
        y[i] = acc / l;
    }
}

static void attend(const kz_attend *a) {
    for (size_t i = 0; i < a->n_row * a->n_head; i++) {
        size_t row = i / a->n_head, at = i % a->n_head * a->d_head;
        attend_one(a->y + row * a->y_row + at, a->q + row * a->q_row + at, a, kz_attend_seen(a, i));
    }
}

/* ---- elements -------------------------------------------------------------------------------------------------- */

static void add(float *y, const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = a[i] + b[i];
}

static void silu(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = kz_math_silu(x[i]);
}

static void silu_mul(float *y, const float *gate, const float *up, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = kz_math_silu(gate[i]) * up[i];
}

static void gelu(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = kz_math_gelu(x[i]);
}

static void snake(float *y, const float *x, const float *alpha, const float *inv_beta, size_t n_row, size_t n_ch) {
    for (size_t t = 0; t < n_row; t++)
        for (size_t c = 0; c < n_ch; c++) {
            size_t i = t * n_ch + c;
            y[i] = fmaf(kz_math_sin2(alpha[c] * x[i]), inv_beta[c], x[i]);
        }
}

static void exp_all(float *y, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = kz_math_exp(x[i]);
}

const kz_kernels kz_kernels_c = {
    .name = "c",
    .mm = {mm_f32, mm_bf16, mm_f16, mm_q8, mm_q4, mm_q4_0},
    .quantize = quantize,
    .dwconv = dwconv,
    .tile_in = tile_in,
    .tile_out = tile_out,
    .rmsnorm = rmsnorm,
    .layernorm = layernorm,
    .rope = rope,
    .attend = attend,
    .add = add,
    .silu = silu,
    .silu_mul = silu_mul,
    .gelu = gelu,
    .snake = snake,
    .softmax_exp = softmax_exp,
    .exp = exp_all,
};
