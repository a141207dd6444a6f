/* recording.h: a recording that is to be a voice: reading it, the reference check and its report.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_RECORDING_H
#define KZ_RECORDING_H

#include "cli.h"
#include "reference.h"
#include "source.h"

typedef struct kz_recording {
    const char *path;
    double max_seconds;   /* of what is decoded; 0 = a limit that suits references. Set after loading */
    unsigned char *bytes; /* of the file */
    size_t n_byte;
    char sha256[65];
    kz_source_audio audio; /* as it is in the file, at the rate asked for */
    float *pcm;            /* as it is used */
    size_t n;
} kz_recording;

typedef struct kz_recording_use {
    const char *transcript; /* or NULL */
    bool strict, raw;
    bool full;  /* every finding is reported; else warnings only */
    bool quiet; /* nothing but a refusal is */
} kz_recording_use;

/* Reads the file, so that what is wrong with it is known before the model is loaded. path: "-" = standard input. */
int kz_recording_load(kz_recording *r, const char *path);

/* Samples at `rate`, into r->audio. */
int kz_recording_decode(kz_recording *r, int rate);

/* Checks, reports on standard error and fills r->pcm. Exit code 8 when it is refused, 3 when the transcript is. */
int kz_recording_check(kz_recording *r, const kz_recording_use *use);

/* Accepts an empty one. */
void kz_recording_free(kz_recording *r);

/* --ref-text or --ref-text-file; text->data NULL: neither. */
int kz_transcript(const kz_args *args, kz_text *text);

#endif
