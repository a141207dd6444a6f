/* golden_model.h: a fixture's checkpoint, opened stage by stage, and the requests of cases.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef GOLDEN_MODEL_H
#define GOLDEN_MODEL_H

#include "decoder/decoder.h"
#include "golden.h"
#include "predictor/predictor.h"
#include "prompt/prompt.h"
#include "talker/talker.h"

enum { GOLDEN_PROMPT = 1, GOLDEN_TALKER = 2, GOLDEN_PREDICTOR = 4, GOLDEN_DECODER = 8 };

typedef struct golden_model {
    kz_config cfg;
    kz_weights *weights, *codec_weights;
    kz_pool *pool;
    kz_ctx ctx;
    unsigned parts;
    kz_tokenizer *tokenizer; /* GOLDEN_PROMPT */
    kz_embed embed;          /* GOLDEN_PROMPT, GOLDEN_PREDICTOR */
    kz_talker talker;
    kz_predictor predictor;
    kz_decoder *decoder;
} golden_model;

/* The case's checkpoint with these stages, kept until another one is asked for. NULL after recording a failure. */
golden_model *golden_model_get(golden_case *c, unsigned parts);

/* The x-vector and codes of a clone, as the fixtures give them: encoders aren't tested here. */
typedef struct golden_clone {
    const float *x_vector; /* [d_model] or NULL */
    const kz_code *ref_code;
    size_t n_ref;
} golden_clone;

golden_clone golden_clone_of(golden_case *c, const golden_model *m);

/* Item `item` of a case (0 unless its text is a list) as token strings and as the talker's rows. False after recording
 * a failure; golden_request_free is right in both cases. */
typedef struct golden_request {
    kz_prompt_tokens tokens;
    kz_prompt prompt;
} golden_request;

bool golden_request_make(golden_request *out, golden_case *c, golden_model *m, size_t item, const golden_clone *clone);
void golden_request_free(golden_request *r);

/* A greedy utterance, stage by stage. */
typedef struct golden_speech {
    size_t n_frame, n_step; /* a step is a talker run: one more than frames */
    kz_code *codes;         /* [n_frame, n_code] */
    float *hidden;          /* [n_step, d_model] */
    float *logits;          /* [n_step, vocab] */
    float *step_rows;       /* [n_frame, d_model] */
    bool eos;               /* the last step's code ended it: it may come where the frames are all there too */
} golden_speech;

/* tap_predictor watches frame 0 .. 2 of the predictor; either tap may be NULL. */
bool golden_speak(golden_speech *out, golden_case *c, golden_model *m, const kz_prompt *prompt,
                  const kz_tap *tap_prompt, const kz_tap *tap_predictor);

#endif
