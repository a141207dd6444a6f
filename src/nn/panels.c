/* panels.c: the one place that decides whether a layer's matrix is ready in a prepared file or has to be packed.
 * SPDX-License-Identifier: Apache-2.0 */
#include "nn/mm.h"

kz_dtype kz_mm_type(kz_dtype stored, kz_quant quant) {
    switch (quant) {
    case KZ_QUANT_FLOAT:
        return kz_is_quantized(stored) ? KZ_F32 : stored;
    case KZ_QUANT_STORED:
        return stored;
    case KZ_QUANT_Q8:
        return KZ_Q8;
    case KZ_QUANT_Q4:
        return KZ_Q4;
    case KZ_QUANT_Q4_0:
        return KZ_Q4_0;
    }
    return stored;
}

/* Panels of floats as the source of others: element (out, k) of [panel][n_in][16]. */
static kztts_status pack_again(kz_linear *lin, const kz_weights *w, const kz_tensor *t, kz_dtype stored, kz_pool *pool,
                               kz_err *err) {
    kz_pack pack = {.src = t->data,
                    .src_type = stored,
                    .dst_type = lin->type,
                    .n_out = kz_round16(lin->n_out),
                    .n_in = lin->n_in,
                    .out_outer_step = (ptrdiff_t)lin->n_in * KZ_PANEL,
                    .out_inner_step = 1,
                    .k_inner_step = KZ_PANEL,
                    .out_inner = KZ_PANEL,
                    .k_inner = lin->n_in};
    if (kz_is_quantized(stored))
        return kz_fail(err, lin->type == KZ_F32 ? KZTTS_ERROR_FORMAT : KZTTS_ERROR_ARGUMENT,
                       "\"%s\" is %s in this file and can't become %s; begin with a file of higher precision", t->name,
                       kz_dtype_name(stored), kz_dtype_name(lin->type));
    if (!(lin->panels = kz_mm_panels_new(w, lin->type, lin->n_out, lin->n_in, err)))
        return KZTTS_ERROR_MEMORY;
    return kz_mm_pack(lin->panels, &pack, t, pool, err);
}

kztts_status kz_mm_ready(kz_linear *lin, const kz_weights *w, const char *name, kz_quant quant, kz_pool *pool,
                         kz_err *err) {
    const kz_tensor *t;
    kz_dtype stored = KZ_F32;
    KZ_TRY(kz_weights_panels(&t, &stored, w, name, lin->n_out, lin->n_in, err));
    if (!t)
        return KZTTS_OK;
    lin->type = kz_mm_type(stored, quant);
    if (lin->type != stored)
        return pack_again(lin, w, t, stored, pool, err);
    lin->panels = (void *)(uintptr_t)t->data;
    lin->mapped = true;
    return KZTTS_OK;
}

kztts_status kz_mm_tell(const kz_linear *lin, const kz_weights *w, const char *const *names, size_t n, kz_err *err) {
    return kz_weights_tell(w,
                           &(kz_panels){.names = names,
                                        .n_name = n,
                                        .type = lin->type,
                                        .n_out = lin->n_out,
                                        .n_in = lin->n_in,
                                        .data = lin->panels},
                           err);
}
