/* layers.c: loads the decoder's repeated parts.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "decoder/parts.h"

/* ---- SnakeBeta --------------------------------------------------------------------------------------------- */

/* Takes both parameters out of their logarithms. */
static bool snake_prepare(kz_snake *act, size_t n_ch) {
    bool ok = true;
    for (size_t i = 0; i < n_ch; i++) {
        act->alpha[i] = kz_expf(act->alpha[i]);
        act->inv_beta[i] = 1.0f / (kz_expf(act->inv_beta[i]) + 1e-9f);
        ok = ok && isfinite(act->alpha[i]) && isfinite(act->inv_beta[i]);
    }
    return ok;
}

/* Some files hold them prepared. */
static kztts_status snake_copy(kz_snake *act, const kz_weights *w, const char *prefix, size_t n_ch, kz_err *err) {
    KZ_TRY(kz_weights_copy(&act->alpha, w, kz_namef("%s.exp_alpha", prefix).s, 1, &n_ch, err));
    return kz_weights_copy(&act->inv_beta, w, kz_namef("%s.inverse_beta", prefix).s, 1, &n_ch, err);
}

kztts_status kz_snake_load(kz_snake *act, const kz_weights *w, const char *prefix, size_t n_ch, kz_err *err) {
    if (kz_weights_find(w, kz_namef("%s.exp_alpha", prefix).s))
        return snake_copy(act, w, prefix, n_ch, err);
    KZ_TRY(kz_weights_copy(&act->alpha, w, kz_namef("%s.alpha", prefix).s, 1, &n_ch, err));
    KZ_TRY(kz_weights_copy(&act->inv_beta, w, kz_namef("%s.beta", prefix).s, 1, &n_ch, err));
    if (!snake_prepare(act, n_ch))
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "tensors %s.alpha and .beta: an exponent is out of range (alpha must stay below 88); the file "
                       "is damaged, get it again",
                       prefix);
    return KZTTS_OK;
}

void kz_snake_free(kz_snake *act) {
    kz_free(act->alpha);
    kz_free(act->inv_beta);
    *act = (kz_snake){0};
}

/* ---- upsample.i -------------------------------------------------------------------------------------------- */

/* Depthwise weights [n_ch, 1, tap] of the file become [tap, n_ch]. */
static kztts_status dw_load(float **out, const kz_weights *w, const char *name, size_t n_ch, kz_err *err) {
    float *stored = NULL;
    KZ_TRY(kz_weights_copy(&stored, w, name, 3, (const size_t[]){n_ch, 1, KZ_WIDE_TAP}, err));
    *out = kz_alloc(n_ch, KZ_WIDE_TAP * sizeof(float));
    for (size_t c = 0; *out && c < n_ch; c++)
        for (size_t tap = 0; tap < KZ_WIDE_TAP; tap++)
            (*out)[tap * n_ch + c] = stored[c * KZ_WIDE_TAP + tap];
    kz_free(stored);
    return *out ? KZTTS_OK : kz_fail_memory(err, n_ch * KZ_WIDE_TAP * sizeof(float), name);
}

static kztts_status mlp_load(kz_upsample *up, const kz_weights *w, const char *prefix, size_t n_ch, kz_pool *pool,
                             kz_err *err) {
    kz_name weight = kz_namef("%s.pwconv1.weight", prefix), bias = kz_namef("%s.pwconv1.bias", prefix);
    kz_linear_spec spec = {.part[0] = {weight.s, KZ_EXPAND * n_ch}, .n_part = 1, .n_in = n_ch, .bias = bias.s};
    KZ_TRY(kz_linear_load(&up->expand, w, &spec, pool, err));

    weight = kz_namef("%s.pwconv2.weight", prefix);
    bias = kz_namef("%s.pwconv2.bias", prefix);
    kz_name gamma = kz_namef("%s.gamma", prefix);
    spec = (kz_linear_spec){
        .part[0] = {weight.s, n_ch}, .n_part = 1, .n_in = KZ_EXPAND * n_ch, .bias = bias.s, .scale = gamma.s};
    return kz_linear_load(&up->project, w, &spec, pool, err);
}

kztts_status kz_upsample_load(kz_upsample *up, const kz_weights *w, size_t index, size_t n_ch, size_t rate,
                              kz_pool *pool, kz_err *err) {
    kz_name prefix = kz_namef("decoder.upsample.%zu.0.conv", index);
    KZ_TRY(kz_convt_load(&up->convt, w, prefix.s, n_ch, n_ch, 1, rate, pool, err));

    prefix = kz_namef("decoder.upsample.%zu.1", index);
    KZ_TRY(dw_load(&up->dw, w, kz_namef("%s.dwconv.conv.weight", prefix.s).s, n_ch, err));
    KZ_TRY(kz_weights_copy(&up->dw_bias, w, kz_namef("%s.dwconv.conv.bias", prefix.s).s, 1, &n_ch, err));
    KZ_TRY(kz_weights_copy(&up->norm, w, kz_namef("%s.norm.weight", prefix.s).s, 1, &n_ch, err));
    KZ_TRY(kz_weights_copy(&up->norm_bias, w, kz_namef("%s.norm.bias", prefix.s).s, 1, &n_ch, err));
    return mlp_load(up, w, prefix.s, n_ch, pool, err);
}

void kz_upsample_free(kz_upsample *up) {
    kz_convt_free(&up->convt);
    kz_free(up->dw);
    kz_free(up->dw_bias);
    kz_free(up->norm);
    kz_free(up->norm_bias);
    kz_linear_free(&up->expand);
    kz_linear_free(&up->project);
    *up = (kz_upsample){0};
}

/* ---- decoder.b --------------------------------------------------------------------------------------------- */

static const size_t unit_dilation[KZ_N_UNIT] = {1, 3, 9};

static kztts_status unit_load(kz_unit *unit, const kz_weights *w, const char *prefix, size_t n_ch, size_t dilation,
                              kz_pool *pool, kz_err *err) {
    KZ_TRY(kz_snake_load(&unit->act1, w, kz_namef("%s.act1", prefix).s, n_ch, err));
    KZ_TRY(kz_snake_load(&unit->act2, w, kz_namef("%s.act2", prefix).s, n_ch, err));
    kz_name conv1 = kz_namef("%s.conv1.conv", prefix);
    KZ_TRY(kz_winograd_load(&unit->conv1, w, conv1.s, n_ch, dilation, pool, err));

    kz_name weight = kz_namef("%s.conv2.conv.weight", prefix), bias = kz_namef("%s.conv2.conv.bias", prefix);
    kz_linear_spec spec = {.part[0] = {weight.s, n_ch}, .n_part = 1, .n_in = n_ch, .bias = bias.s, .conv1 = true};
    return kz_linear_load(&unit->conv2, w, &spec, pool, err);
}

kztts_status kz_block_load(kz_block *block, const kz_weights *w, size_t index, kz_pool *pool, kz_err *err) {
    kz_name prefix = kz_namef("decoder.decoder.%zu.block", index);
    KZ_TRY(kz_snake_load(&block->act, w, kz_namef("%s.0", prefix.s).s, block->n_in, err));
    KZ_TRY(kz_convt_load(&block->convt, w, kz_namef("%s.1.conv", prefix.s).s, block->n_in, block->n_out, 2, block->rate,
                         pool, err));
    for (size_t u = 0; u < KZ_N_UNIT; u++)
        KZ_TRY(unit_load(&block->unit[u], w, kz_namef("%s.%zu", prefix.s, u + 2).s, block->n_out, unit_dilation[u],
                         pool, err));
    return KZTTS_OK;
}

void kz_block_free(kz_block *block) {
    kz_snake_free(&block->act);
    kz_convt_free(&block->convt);
    for (size_t u = 0; u < KZ_N_UNIT; u++) {
        kz_snake_free(&block->unit[u].act1);
        kz_snake_free(&block->unit[u].act2);
        kz_winograd_free(&block->unit[u].conv1);
        kz_linear_free(&block->unit[u].conv2);
    }
    *block = (kz_block){0};
}
