/* encoder.h: the codec encoder's layers, for this folder only.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CLONING_ENCODER_H
#define KZ_CLONING_ENCODER_H

#include "cloning/cloning.h"

enum { KZ_HALVE = 2 }; /* rate of the last downsampling, 25 to 12.5 a second */

/* ELU, residual unit, ELU, strided convolution. */
typedef struct kz_encoder_stage {
    kz_conv narrow, widen, down;
} kz_encoder_stage;

typedef struct kz_encoder_book {
    float *rows;   /* [codebook_size, d_codebook] */
    float *norm;   /* [codebook_size] squared lengths */
    float *panels; /* rows, packed */
} kz_encoder_book;

struct kz_encoder {
    kz_encoder_config cfg;
    kz_conv first;
    kz_encoder_stage stage[KZ_MAX_STAGE];
    kz_conv last;
    kz_stack stack;
    kz_conv down;
    kz_linear project[2]; /* semantic, acoustic */
    kz_encoder_book book[KZ_MAX_CODE];
};

#endif
