/* api.h: what stands behind the public handles.  SPDX-License-Identifier: Apache-2.0
 *
 * This folder checks arguments, resolves options and keeps messages; it decides nothing else. */
#ifndef KZ_API_H
#define KZ_API_H

#include <stdatomic.h>

#include "engine/engine.h"
#include "voice/voice.h"

struct kztts_model {
    kz_model m;
    bool open;
    _Atomic(kz_stream *) spare; /* a closed stream's, for the next one: its memory needn't be made and touched anew */
    kz_err err;
};

struct kztts_voice {
    kz_voice v;
    const kztts_model *model; /* NULL: it can't speak */
    bool from_file;
    kz_voice_file file; /* if from_file */
    kz_err err;
};

/* A voice without a speaker. ARGUMENT when the model isn't open. */
kztts_status kz_api_voice_new(kztts_voice **out, kztts_model *model);

/* Forwards the outcome of making it: one that failed must not be mistaken for one that speaks. */
kztts_status kz_api_voice_end(kztts_voice *voice, kztts_status status);

/* A copy of as many bytes of the caller's struct as it has, the rest as default. ARGUMENT for a size that no version
 * had. o may be NULL. */
kztts_status kz_api_model_options(kztts_model_options *out, const kztts_model_options *o, kz_err *err);
kztts_status kz_api_stream_options(kztts_stream_options *out, const kztts_stream_options *o, kz_err *err);

/* Options and voice into what the engine takes: defaults filled in, ranges checked. */
kztts_status kz_api_utterance(kz_utterance *out, const kztts_model *model, const kz_voice *voice,
                              const kztts_stream_options *o, kz_err *err);

/* "base", ... */
const char *kz_api_type_name(kz_model_type type);

/* Fills the parts of an info that describe the codec; `info` has at least `size` bytes. */
void kz_api_codec_info(kztts_model_info *info, const kz_codec_config *codec);

/* Copies info->size bytes out. */
kztts_status kz_api_put_info(kztts_model_info *out, const kztts_model_info *info);

#endif
