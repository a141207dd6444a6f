/* conv.c: causal convolutions, plain and transposed, as matmuls over segments.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "nn/mm.h"

static kztts_status pack_conv(kz_linear *lin, const kz_conv *conv, const kz_weights *w, const char *name, kz_pool *pool,
                              kz_err *err) {
    const kz_tensor *t;
    size_t n_in = conv->n_in, n_tap = conv->n_tap, n_out = lin->n_out;
    KZ_TRY(kz_weights_get(&t, w, name, 3, (size_t[]){n_out, n_in, n_tap}, err));
    lin->type = (kz_dtype)t->type;
    if (!(lin->panels = kz_mm_panels_new(w, lin->type, n_out, lin->n_in, err)))
        return KZTTS_ERROR_MEMORY;
    /* file [out][in][tap], k = tap * n_in + in */
    kz_pack pack = {.src = t->data,
                    .src_type = lin->type,
                    .dst_type = lin->type,
                    .n_out = n_out,
                    .n_in = lin->n_in,
                    .out_inner_step = (ptrdiff_t)(n_in * n_tap),
                    .k_outer_step = 1,
                    .k_inner_step = (ptrdiff_t)n_tap,
                    .out_inner = n_out,
                    .k_inner = n_in};
    return kz_mm_pack(lin->panels, &pack, t, pool, err);
}

static kztts_status load_conv(kz_conv *conv, const kz_weights *w, const char *prefix, size_t n_out, bool bias,
                              kz_pool *pool, kz_err *err) {
    kz_linear *lin = &conv->lin;
    kz_name weight = kz_namef("%s.weight", prefix);
    *lin = (kz_linear){.n_in = conv->n_in * conv->n_tap, .n_out = n_out, .n_part = 1};
    lin->part_out[0] = n_out;
    KZ_TRY(kz_mm_ready(lin, w, weight.s, KZ_QUANT_FLOAT, pool, err));
    if (!lin->panels)
        KZ_TRY(pack_conv(lin, conv, w, weight.s, pool, err));
    KZ_TRY(kz_mm_tell(lin, w, (const char *[]){weight.s}, 1, err));
    return bias ? kz_mm_vector(&lin->bias, w, kz_namef("%s.bias", prefix).s, n_out, err) : KZTTS_OK;
}

kztts_status kz_conv_load(kz_conv *conv, const kz_weights *w, const char *prefix, size_t n_out, size_t n_in,
                          size_t n_tap, size_t dilation, kz_pool *pool, kz_err *err) {
    *conv = (kz_conv){.n_tap = n_tap, .dilation = dilation, .stride = 1, .n_in = n_in};
    kztts_status status = load_conv(conv, w, prefix, n_out, true, pool, err);
    if (status < 0)
        kz_conv_free(conv);
    return status;
}

kztts_status kz_conv_load_strided(kz_conv *conv, const kz_weights *w, const char *prefix, size_t n_out, size_t n_in,
                                  size_t n_tap, size_t stride, bool bias, kz_pool *pool, kz_err *err) {
    *conv = (kz_conv){.n_tap = n_tap, .dilation = 1, .stride = stride, .n_in = n_in};
    kztts_status status = load_conv(conv, w, prefix, n_out, bias, pool, err);
    if (status < 0)
        kz_conv_free(conv);
    return status;
}

void kz_conv_free(kz_conv *conv) { kz_linear_free(&conv->lin); }

static kz_mm conv_mm(const kz_conv *conv, float *y, const float *x, const float *res) {
    size_t n_out = conv->lin.n_out;
    kz_mm mm = {.w = conv->lin.panels,
                .bias = conv->lin.bias,
                .x = x,
                .x_row = conv->stride * conv->n_in,
                .n_seg = conv->n_tap,
                .seg_len = conv->n_in,
                .seg_step = conv->dilation * conv->n_in,
                .y = y,
                .y_row = n_out,
                .n_out = n_out,
                .res = res,
                .res_row = n_out};
    if (conv->dilation == 1) { /* neighbouring rows are one segment */
        mm.n_seg = 1;
        mm.seg_len = conv->n_tap * conv->n_in;
    }
    return mm;
}

void kz_conv_run(const kz_ctx *ctx, const kz_conv *conv, float *y, const float *x, size_t n_row, const float *res) {
    kz_mm mm = conv_mm(conv, y, x, res);
    kz_mm_run(ctx, conv->lin.type, &mm, n_row);
}

/* A row of inputs gives stride * n_out outputs [phase][n_out]. With two segments the first is the row before, which
 * meets the second half of the kernel. */
static kztts_status pack_convt(kz_linear *lin, const kz_convt *conv, const kz_weights *w, const char *name,
                               kz_pool *pool, kz_err *err) {
    const kz_tensor *t;
    size_t n_in = conv->n_in, n_out = conv->n_out, n_tap = conv->n_seg * conv->stride;
    KZ_TRY(kz_weights_get(&t, w, name, 3, (size_t[]){n_in, n_out, n_tap}, err));
    lin->type = (kz_dtype)t->type;
    if (!(lin->panels = kz_mm_panels_new(w, lin->type, lin->n_out, lin->n_in, err)))
        return KZTTS_ERROR_MEMORY;
    /* file [in][out][tap], tap = phase + stride for the row before, = phase for the row itself */
    kz_pack pack = {.src = t->data,
                    .src_type = lin->type,
                    .dst_type = lin->type,
                    .n_out = lin->n_out,
                    .n_in = lin->n_in,
                    .base = (ptrdiff_t)(n_tap - conv->stride),
                    .out_outer_step = 1,
                    .out_inner_step = (ptrdiff_t)n_tap,
                    .k_outer_step = -(ptrdiff_t)conv->stride,
                    .k_inner_step = (ptrdiff_t)(n_out * n_tap),
                    .out_inner = n_out,
                    .k_inner = n_in};
    return kz_mm_pack(lin->panels, &pack, t, pool, err);
}

static kztts_status load_convt(kz_convt *conv, const kz_weights *w, const char *prefix, kz_pool *pool, kz_err *err) {
    kz_linear *lin = &conv->lin;
    kz_name weight = kz_namef("%s.weight", prefix);
    size_t n_out = conv->n_out, all = conv->stride * n_out;
    float *bias;
    *lin = (kz_linear){.n_in = conv->n_in * conv->n_seg, .n_out = all, .n_part = 1};
    lin->part_out[0] = all;
    KZ_TRY(kz_mm_ready(lin, w, weight.s, KZ_QUANT_FLOAT, pool, err));
    if (!lin->panels)
        KZ_TRY(pack_convt(lin, conv, w, weight.s, pool, err));
    KZ_TRY(kz_mm_tell(lin, w, (const char *[]){weight.s}, 1, err));
    KZ_TRY(kz_mm_vector(&bias, w, kz_namef("%s.bias", prefix).s, n_out, err));
    lin->bias = kz_alloc(kz_round16(all), sizeof *lin->bias);
    for (size_t i = 0; lin->bias && i < all; i++)
        lin->bias[i] = bias[i % n_out];
    kz_free(bias);
    return lin->bias ? KZTTS_OK : kz_fail_memory(err, all * sizeof *lin->bias, prefix);
}

kztts_status kz_convt_load(kz_convt *conv, const kz_weights *w, const char *prefix, size_t n_in, size_t n_out,
                           size_t n_seg, size_t stride, kz_pool *pool, kz_err *err) {
    *conv = (kz_convt){.n_seg = n_seg, .stride = stride, .n_in = n_in, .n_out = n_out};
    kztts_status status = load_convt(conv, w, prefix, pool, err);
    if (status < 0)
        kz_convt_free(conv);
    return status;
}

void kz_convt_free(kz_convt *conv) { kz_linear_free(&conv->lin); }

void kz_convt_run(const kz_ctx *ctx, const kz_convt *conv, float *y, const float *x, size_t n_row) {
    kz_mm mm = {.w = conv->lin.panels,
                .bias = conv->lin.bias,
                .x = x,
                .x_row = conv->n_in,
                .n_seg = 1, /* the rows before and now are neighbours */
                .seg_len = conv->n_seg * conv->n_in,
                .y = y,
                .y_row = conv->lin.n_out,
                .n_out = conv->lin.n_out};
    kz_mm_run(ctx, conv->lin.type, &mm, n_row);
}

void kz_hist_layout(kz_hist *h, kz_arena *arena, size_t n_hist, size_t max_row, size_t n_col) {
    *h = (kz_hist){kz_arena_take(arena, (n_hist + max_row) * n_col, sizeof(float)), n_hist, max_row, n_col};
}

void kz_hist_next(kz_hist *h, size_t n_row) {
    memmove(h->data, h->data + n_row * h->n_col, h->n_hist * h->n_col * sizeof *h->data);
}

void kz_hist_reset(const kz_hist *h) { memset(h->data, 0, h->n_hist * h->n_col * sizeof *h->data); }
