/* parts.h: the decoder's layers and state, for this folder only.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_DECODER_PARTS_H
#define KZ_DECODER_PARTS_H

#include "decoder/decoder.h"

/* Fixed by the architecture; every other size is in the configuration. */
enum {
    KZ_PRE_TAP = 3,  /* taps of pre_conv */
    KZ_WIDE_TAP = 7, /* taps of all other causal convolutions */
    KZ_EXPAND = 4,   /* inner width of a ConvNeXt block, in channels */
    KZ_N_UNIT = 3,   /* residual units a block */
    KZ_CHUNK = 300,  /* reference mode: frames decoded from one reset */
    KZ_CONTEXT = 25, /* reference mode: frames replayed after a reset */
    /* upper limits, so that sizes can't overflow */
    KZ_MAX_FRAME = 512,       /* max_frame */
    KZ_MAX_SAMPLES = 1 << 20, /* samples a frame */
    KZ_MAX_WINDOW = 1 << 16   /* frames seen by the transformer */
};

/* y = x + sin^2(alpha x) * inv_beta, by channel. */
typedef struct kz_snake {
    float *alpha;    /* [n_ch] exp of the stored value */
    float *inv_beta; /* [n_ch] 1 / (exp of the stored value + 1e-9) */
} kz_snake;

/* upsample.i: transposed convolution (kernel = rate) and a ConvNeXt block, all d_latent wide. */
typedef struct kz_upsample {
    kz_convt convt;
    float *dw, *dw_bias;       /* [KZ_WIDE_TAP, d_latent], [d_latent] */
    float *norm, *norm_bias;   /* [d_latent] */
    kz_linear expand, project; /* d_latent -> KZ_EXPAND * d_latent -> d_latent, scaled by gamma */
} kz_upsample;

/* x + conv2(snake(conv1(snake(x)))) */
typedef struct kz_unit {
    kz_snake act1, act2;
    kz_winograd conv1;
    kz_linear conv2;
} kz_unit;

/* decoder.b, b >= 1: snake, transposed convolution (kernel = 2 rate), residual units. */
typedef struct kz_block {
    size_t n_in, n_out, rate;
    kz_snake act;
    kz_convt convt;
    kz_unit unit[KZ_N_UNIT];
} kz_block;

struct kz_decoder {
    kz_codec_config cfg;
    size_t d_row;                    /* d_codebook / 2 */
    float *codebook[KZ_MAX_CODE];    /* [codebook_size, d_row] each */
    kz_linear first_proj, rest_proj; /* d_row -> d_codebook */
    kz_conv pre_conv;
    kz_linear input_proj, output_proj;
    kz_stack stack;
    kz_upsample upsample[KZ_MAX_STAGE];
    kz_conv conv0;
    kz_block block[KZ_MAX_STAGE];
    kz_snake last;
    kz_conv final;
    size_t d_last; /* channels before the final convolution */
};

/* What a block carries from call to call, and its output, which the next one reads. max_row of the histories is the
 * tile: rows processed together, those of whole frames. */
typedef struct kz_block_state {
    kz_hist convt;
    kz_hist unit[KZ_N_UNIT];
    size_t frame_row; /* rows of output a frame */
    float *out;       /* [convt.max_row * rate, n_out], scratch */
} kz_block_state;

struct kz_decoder_state {
    const kz_decoder *d;
    kz_decode_mode mode;
    size_t max_frame;
    int n_thread;
    kz_arena arena;

    /* carried */
    kz_hist pre_conv;
    kz_stack_state stack;
    kz_hist dw[KZ_MAX_STAGE];
    kz_hist conv0;
    kz_block_state block[KZ_MAX_STAGE];
    kz_hist final;

    /* scratch */
    float *a, *b; /* a stage's output, the next one's output, before the blocks */
    float *mid;   /* inside a stage: codebook rows, depthwise output, first convolution of a unit */
    float *wide;  /* inside a ConvNeXt block */

    /* reference mode */
    size_t n_done;  /* frames of the current chunk */
    kz_code *past;  /* [KZ_CONTEXT, n_code] the last frames, oldest first */
    float *discard; /* [max_frame * frame_samples] */
};

/* layers.c */
kztts_status kz_snake_load(kz_snake *act, const kz_weights *w, const char *prefix, size_t n_ch, kz_err *err);
void kz_snake_free(kz_snake *act);
kztts_status kz_upsample_load(kz_upsample *up, const kz_weights *w, size_t index, size_t n_ch, size_t rate,
                              kz_pool *pool, kz_err *err);
void kz_upsample_free(kz_upsample *up);
kztts_status kz_block_load(kz_block *block, const kz_weights *w, size_t index, kz_pool *pool, kz_err *err);
void kz_block_free(kz_block *block);

/* unit.c: a residual unit, x in place, n_row rows of whole frames, frame_row each. The input of conv1, snake(x), is in hist
 * already; next_in, unless next_act is NULL, receives that of the next. mid: kz_unit_scratch floats. */
size_t kz_unit_scratch(const kz_unit *unit, size_t max_row, size_t frame_row, int n_thread);
void kz_unit_run(const kz_ctx *ctx, const kz_unit *unit, kz_hist *hist, const kz_snake *next_act, float *next_in,
                 float *mid, float *x, size_t n_row, size_t frame_row);

/* run.c: a piece of n_frame <= max_frame frames through all layers. Whether the caller no longer wants it. */
bool kz_decoder_stopped(const kz_ctx *ctx);
void kz_decoder_piece(const kz_ctx *ctx, kz_decoder_state *s, const kz_code *codes, size_t n_frame, float *pcm);

/* carry.c: the layers' state back to the first frame. */
void kz_decoder_clear(kz_decoder_state *s);

#endif
