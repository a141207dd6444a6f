/* speaking.h: what commands that speak have in common: model, voice, options, the sound's way out, the summary.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_SPEAKING_H
#define KZ_SPEAKING_H

#include "cli.h"
#include "listener.h"
#include "output.h"
#include "timing.h"
#include "voice_choice.h"

typedef struct kz_speaking {
    const kz_args *args;
    bool quiet;
    char *model_path;
    kz_output out;
    kz_codes_file codes;
    kz_timing timing;
    kztts_model *model;
    kztts_model_info info;
    kz_voice_choice choice;
    kztts_stream *stream;
    kz_listener listener;
    kztts_stream_options options;
    float *pcm;   /* [frame_samples] */
    bool started; /* the output has begun */
    uint64_t n_sample;
    double load_s, start, first_s, end;
} kz_speaking;

void kz_speaking_init(kz_speaking *run, const kz_args *args);
void kz_speaking_free(kz_speaking *run);

/* The library's options that the command line asks for. model: for the names of its languages. */
void kz_speaking_options(kztts_stream_options *o, const kz_args *args, kztts_model *model,
                         const kztts_model_info *info);

/* What can be wrong before the model is open: voice, model, output. */
int kz_speaking_prepare(kz_speaking *run);

/* The model alone, for several speeches: those have its `model` and `info` before they are opened, and forget `model`
 * before they are freed. */
int kz_speaking_model(kz_speaking *run);

/* Model, voice and options; from here on signals end the speech, not the program. */
int kz_speaking_open(kz_speaking *run);

/* More text for the stream. */
kztts_status kz_speaking_put(kz_speaking *run, const char *text, size_t n);

/* A library call on the stream failed: the exit code. */
int kz_speaking_failed(const kz_speaking *run, kztts_status status);

/* Reads what is there and passes it on. KZ_GO_ON with *status OK, AGAIN or END; or an exit code. */
int kz_speaking_read(kz_speaking *run, kztts_status *status);

/* Completes the sound. */
int kz_speaking_end(kz_speaking *run);

/* Completes and closes the files. Those that were made here stay only if keep is true and each one is whole. Returns an
 * exit code for a failed write, or KZ_GO_ON. */
int kz_speaking_close_files(kz_speaking *run, bool keep);

/* Closes the files, prints the summary, settles the exit code. */
int kz_speaking_close(kz_speaking *run, int code);

#endif
