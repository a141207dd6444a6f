/* collect.h: the matrices of a model while it is opened. Private to convert/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         what kz_weights_tell tells
 * out        tensors of panels, and which tensors of the source they stand for
 * state      a growing list
 * threads    one
 * memory     names are copies; data are the model's */
#ifndef KZ_COLLECT_H
#define KZ_COLLECT_H

#include "convert/convert.h"

enum { KZ_COLLECTED_TEXT = 128 };

typedef struct kz_collected {
    kz_tensor *panels;
    kz_dtype *types;
    size_t n, cap;
    char **parts; /* names of the tensors that are in them */
    size_t n_part, cap_part;
} kz_collected;

kztts_status kz_collect(void *collected, const kz_panels *panels, kz_err *err); /* a kz_panels_fn */
bool kz_collected_has(const kz_collected *c, const char *name);                 /* as a part */
void kz_collected_free(kz_collected *c);

/* "talker=q8,predictor=q8,codec=f32"; a group of several types has them all, with + between. */
void kz_collected_types(char out[KZ_COLLECTED_TEXT], const kz_collected *c);
const char *kz_collected_rounding(const kz_collected *c);

kztts_status kz_convert_prepared(const kz_model *m, const kz_collected *collected, const char *source,
                                 const char *target, const kz_convert *o, kz_err *err);
kztts_status kz_convert_gguf(const kz_model *m, const kz_collected *collected, const char *source, const char *target,
                             const kz_convert *o, kz_err *err);

#endif
