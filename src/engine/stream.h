/* stream.h: the inside of a stream, for this folder.  SPDX-License-Identifier: Apache-2.0
 *
 *   input.c   text -> chunks
 *   parts.c   chunks -> parts, each an utterance; lanes speak several of them at once, the first one alone
 *   step.c    a step of the lanes -> codes
 *   mouth.c   codes of the part whose turn it is -> samples -> join
 *   pace.c    how many frames at once
 *   events.c  what happened where
 *   pipeline.c  all of it in order */
#ifndef KZ_ENGINE_STREAM_H
#define KZ_ENGINE_STREAM_H

#include <stdatomic.h>

#include "engine/input.h"
#include "engine/lane.h"
#include "engine/pace.h"
#include "engine/warm.h"

/* One utterance of a text. */
typedef struct kz_part {
    struct kz_part *next;
    kz_split_chunk chunk; /* its text is a copy */
    char *text;
    bool open;      /* by tokens: its text isn't complete */
    bool may_grow;  /* the limit of its codes follows from its text, and that isn't complete */
    double seconds; /* that it takes to say, about */
    int attempt;
    kz_codes codes;
    kz_lane *lane; /* or NULL: waiting, or done */
    size_t n_said; /* frames handed to the join */
    size_t n_good; /* frames with samples, [n_said, n_good) in `held` or in the stream's pcm */
    bool begun;    /* its first sentence has been announced */
    size_t i_sentence;
    kz_hush hush;
    float *held; /* [n_frame, frame_samples]: samples that wait until the part is known to be good, or NULL */
} kz_part;

/* A mark in the text. */
typedef struct kz_mark {
    uint64_t at, id;
} kz_mark;

/* Events that wait until their sample is read. */
typedef struct kz_events {
    kztts_event *queue;
    size_t n, cap, from; /* [from, n) wait */
    kz_mark *marks;
    size_t n_mark, cap_mark, from_mark;
    bool in_sentence;   /* its end is open */
    kztts_event ending; /* the end of the sentence at hand, not yet queued */
    uint64_t last;      /* sample of the last one */
    double pace;        /* how long the part before was, against what its text let expect */
} kz_events;

/* What a summary tells beside the times. */
typedef struct kz_tally {
    uint64_t n_frame, text_bytes;
    size_t n_text, n_row; /* tokens of all chunks; rows of the first prompt */
    int n_part, n_cut, n_early, n_retried;
    kztts_finish_reason reason; /* of the parts so far */
    kz_split_range cut;         /* the first part that was cut */
    double cut_s;               /* how long it had become */
} kz_tally;

struct kz_stream {
    const kz_model *model;
    const kz_voice *voice;
    kz_utterance utterance;
    char *instruct; /* own copy */
    kz_input input;
    bool started; /* a text is at hand */
    kztts_finish_reason finish;
    atomic_bool cancelled;
    kz_stream_times spent;
    kz_tally tally;

    kz_part *parts; /* in order; the first one is spoken */
    kz_lane lane[KZ_MAX_LANE];
    size_t n_lane;
    bool first_done; /* the first part's codes are complete */
    kz_arena arena;
    kz_step_work work;
    kz_pace pace;
    float *pcm;            /* [KZ_PACE_FRAMES, frame_samples] of the part whose turn it is */
    const float *pcm_next; /* of the next frame that goes out */
    const float *pcm_at;   /* what the join takes next */
    size_t n_pcm;          /* samples that it hasn't taken yet */

    kz_decoder_state *decoder;
    kz_decode_mode decode_mode;
    kz_decoder_state *primed;     /* after the recording of a cloned voice, or NULL */
    const kz_voice *primed_voice; /* whose */
    bool snapshot_due;            /* to be written once the prompt has been read */

    kz_join *join;
    kz_join_options join_options;
    uint64_t n_read;
    kz_events events;
};

bool kz_stream_is_cancelled(const kz_stream *s);

/* parts.c */
kztts_status kz_parts_step(kz_stream *s, kz_err *err);    /* OK; AGAIN: nothing to do without more text */
kztts_status kz_parts_prepare(kz_stream *s, kz_err *err); /* begins the first part: OK, AGAIN, END */
kztts_status kz_parts_head(kz_stream *s, kz_err *err);    /* makes sure that there is a first part: OK, AGAIN, END */
/* Whether no part comes behind the first one: looks ahead for that, and keeps what it found. */
kztts_status kz_parts_is_last(kz_stream *s, bool *last, kz_err *err);
void kz_parts_drop(kz_stream *s); /* all of them */
void kz_parts_drop_head(kz_stream *s);
/* Tries the part again when attempts are left; false: it stays as it is. */
kztts_status kz_parts_retry(kz_stream *s, kz_part *part, bool *retried, kz_err *err);

/* mouth.c */
kztts_status kz_mouth_prepare(kz_stream *s, kz_err *err); /* decoder and join for a new text */
kztts_status kz_mouth_feed(kz_stream *s, kz_err *err);    /* gives the join something: OK, AGAIN */
void kz_mouth_free(kz_stream *s);

/* events.c. Failing memory drops an event rather than the speech. */
void kz_events_reset(kz_stream *s);
void kz_events_free(kz_stream *s);
void kz_events_begin_part(kz_stream *s, const kz_part *part);
void kz_events_frame(kz_stream *s, kz_part *part, const float *pcm); /* before its samples are joined */
void kz_events_end_part(kz_stream *s, kz_part *part);                /* before kz_join_end */
void kz_events_finish(kz_stream *s);
void kz_events_deliver(kz_stream *s); /* those whose sample has been read */
kztts_status kz_events_mark(kz_stream *s, uint64_t id, kz_err *err);

/* snapshot.c. Write: once the prompt has gone through the talker. Read: into the voice's warm state; false when the file
 * is absent, of another voice or model, or damaged: nothing is lost. */
kztts_status kz_snapshot_write(const kz_stream *s, const kz_prefix *prefix, const char *path, kz_err *err);
bool kz_snapshot_read(const kz_stream *s, const char *path);
bool kz_snapshot_fits(const kz_stream *s, const char *path); /* by what it was made of alone */

#endif
