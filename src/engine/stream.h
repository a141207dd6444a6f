/* stream.h: the inside of a stream, for this folder.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_ENGINE_STREAM_H
#define KZ_ENGINE_STREAM_H

#include <stdatomic.h>

#include "engine/engine.h"

/* The content of a snapshot file, never changed once it is there. */
typedef struct kz_snapshot_block {
    size_t n;
    unsigned char data[];
} kz_snapshot_block;

struct kz_voice_memory {
    _Atomic(kz_snapshot_block *) block; /* or NULL */
};

/* Seconds of work. */
typedef struct kz_stream_times {
    double prefill, talker, predictor, decoder;
} kz_stream_times;

struct kz_stream {
    const kz_model *model;
    const kz_voice *voice;
    kz_utterance utterance;
    kz_prompt prompt;
    size_t n_ready; /* prompt rows that the talker's cache holds */
    size_t n_text;
    size_t n_frame; /* frames made */
    kztts_finish_reason finish;
    atomic_bool cancelled;
    kz_stream_times spent;

    kz_arena arena;
    size_t max_pos;
    kz_talker_state talker;
    kz_predictor_state predictor;
    float *hidden;            /* [d_model] of the last position */
    float *row, *row_scratch; /* [d_model] next talker input */
    float *logits, *scratch;  /* [vocab] */
    int32_t *order;           /* [vocab] */
    uint8_t *seen;            /* [vocab] first codes sampled so far */
    kz_code *codes;           /* [n_code] */
    float *pcm;               /* [frame_samples] */
    kz_qx *qx;                /* rows as quantised weights want them */

    kz_decoder_state *decoder;
    kz_decode_mode decode_mode;
    kz_decoder_state *primed;     /* after the recording of a cloned voice, or NULL */
    const kz_voice *primed_voice; /* whose */
    bool snapshot_due;            /* to be written once the prompt has been read */
    bool memory_due;              /* likewise, into the voice's memory */
};

/* snapshot.c. Write: after the prompt has gone through the talker. Read: into s->primed, and into the talker's cache as
 * far as the prompt agrees; false when the file is absent, of another voice or model, or damaged: nothing is lost. */
kztts_status kz_snapshot_write(const kz_stream *s, const char *path, kz_err *err);
bool kz_snapshot_read(kz_stream *s, const char *path);

/* The same in the voice's memory, for other streams of the voice. Keeping does nothing when memory is short, the snapshot
 * is large, or another stream was first. */
void kz_snapshot_keep(const kz_stream *s);
bool kz_snapshot_recall(kz_stream *s);

#endif
