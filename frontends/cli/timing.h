/* timing.h: when each sentence is heard, written beside the sound: --srt, --vtt, --json-timing.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TIMING_H
#define KZ_TIMING_H

#include "cli.h"
#include "output.h"

typedef enum kz_timing_kind { KZ_TIMING_SRT, KZ_TIMING_VTT, KZ_TIMING_JSON, KZ_TIMING_COUNT } kz_timing_kind;

typedef struct kz_timing_file {
    kz_outfile out;
    const char *name; /* for messages */
    bool open;
    int error; /* errno of the first failed write */
} kz_timing_file;

/* A sentence; begin, end: seconds of the output. */
typedef struct kz_cue {
    double begin, end;
    uint64_t text_begin, text_end;
    bool exact;
    char *text; /* fresh memory */
    size_t n;
} kz_cue;

typedef struct kz_timing {
    kz_timing_file file[KZ_TIMING_COUNT];
    bool any, started;
    char *text; /* what was put, from byte text_at on */
    size_t n_text, text_room;
    uint64_t text_at;
    kz_cue said, waiting; /* being said; ended, but perhaps the last one, which ends with the sound at the latest */
    bool saying, has_waiting;
    unsigned long long n_cue;
    uint64_t last_ms; /* that was written */
} kz_timing;

/* One that has nothing to do: may be closed. */
void kz_timing_init(kz_timing *t);

/* Opens the files that are asked for, without touching what is in them. */
int kz_timing_open(kz_timing *t, const kz_args *args, const kz_output *sound);

/* Text that was put into the stream, kept until it is spoken. false: out of memory. */
bool kz_timing_text(kz_timing *t, const char *text, size_t n);

/* For kztts_stream_options.on_event. */
void kz_timing_event(kz_timing *t, const kztts_event *event, const kz_output *sound);

/* Writes what is left. duration: of the output, in seconds. Returns an exit code for a failed write, or KZ_GO_ON. */
int kz_timing_finish(kz_timing *t, double duration);

/* keep false: removes files that were made here. */
int kz_timing_close(kz_timing *t, bool keep);

#endif
