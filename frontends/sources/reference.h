/* reference.h: is a recording fit to be a voice's reference, and what to do about it.  SPDX-License-Identifier: Apache-2.0
 *
 * in         mono samples, what was said in them
 * out        figures, one finding for each check, and what to trim and to pad
 * state      none; no files, no allocation but the new samples of kz_reference_apply()
 * threads    any
 *
 * Use: kz_source_read(), kz_reference_check(), print the findings, stop when report.refused, kz_reference_apply(). */
#ifndef KZ_REFERENCE_H
#define KZ_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "kztts/status.h"

/* ---- thresholds, and why ----------------------------------------------------------------------------------- */

#define KZ_REF_MIN_SPEECH 1.0    /* s of speech: less and the speaker's vector is a matter of luck */
#define KZ_REF_SHORT 3.0         /* s: the shortest that the model's makers recommend */
#define KZ_REF_LONG 30.0         /* s: beyond, more only costs time: attention grows with the square */
#define KZ_REF_MAX 60.0          /* s: kztts_voice_clone() takes no more */
#define KZ_REF_MIN_SAMPLES 1280  /* the speaker encoder needs that many at 24 kHz */
#define KZ_REF_SILENCE (-60.0)   /* dBFS: with its loudest frames below, a recording is called silent */
#define KZ_REF_QUIET (-42.0)     /* dBFS of the speech: 16-bit recordings get coarse, the model murmurs */
#define KZ_REF_OVER 1.12         /* +1 dB: MP3 and resampling overshoot by less */
#define KZ_REF_FAR_OVER 4.0      /* nobody records that: numbers of another scale (16-bit values as float, say) */
#define KZ_REF_DC 0.02           /* mean of the samples: a faulty sound card; audible as a click at the ends */
#define KZ_REF_CLIP_LEVEL 0.9995 /* full scale of 16 bits, with some room for conversions */
#define KZ_REF_CLIP_SHARE 0.0002 /* of the samples: a few clipped peaks can't be heard */
#define KZ_REF_SNR 15.0          /* dB: below, the voice learns the noise; pauses of clean speech give 25 and more */
#define KZ_REF_STEADY 6.0        /* dB between loud and soft frames: less and nothing stands out, a tone or noise */
#define KZ_REF_LONG_SILENCE 0.5  /* s at either end: the model would take it for the way the speaker pauses */
#define KZ_REF_START_MARGIN 0.1  /* s kept before the first sound: soft consonants lie below the threshold */
#define KZ_REF_END_MARGIN 0.3    /* s kept after the last one: the decay belongs to the speech */
#define KZ_REF_ENDING 0.05       /* s at the very end in which speech means that it was cut off */
#define KZ_REF_ENDING_DROP 20.0  /* dB below the speech: softer than this is a decay, not a cut */
#define KZ_REF_ENDING_PAD 0.5    /* s of silence added then: without, the new speech begins with the rest of the old */
#define KZ_REF_NARROW 16000      /* Hz: files below hold telephone sound, and so will the voice */
#define KZ_REF_PACE_LOW 0.45     /* speaking time / usual time of the transcript: fastest plausible reading ... */
#define KZ_REF_PACE_HIGH 2.5     /* ... and slowest; beyond, some words are missing in one of the two */
#define KZ_REF_PACE_LEAST 0.2    /* nobody speaks that fast: the transcript is another recording's */
#define KZ_REF_PACE_MOST 6.0     /* most of what is said isn't in the transcript */

/* ---- the report -------------------------------------------------------------------------------------------- */

/* One check each, in the order of reports. */
typedef enum kz_reference_code {
    KZ_REF_CODE_LENGTH,
    KZ_REF_CODE_SPEECH,
    KZ_REF_CODE_LEVEL,
    KZ_REF_CODE_CLIPPING,
    KZ_REF_CODE_NOISE,
    KZ_REF_CODE_START,  /* silence before the speech */
    KZ_REF_CODE_END,    /* silence after it */
    KZ_REF_CODE_ENDING, /* cut off? */
    KZ_REF_CODE_BAND,   /* the file's sample rate */
    KZ_REF_CODE_TRANSCRIPT,
    KZ_REF_CODE_COUNT
} kz_reference_code;

typedef enum kz_severity { KZ_SEVERITY_SKIPPED, KZ_SEVERITY_OK, KZ_SEVERITY_WARN, KZ_SEVERITY_ERROR } kz_severity;

typedef struct kz_finding {
    const char *name; /* of the check, a word, e.g. "clipping"; static */
    kz_severity severity;
    char text[240]; /* a sentence, UTF-8 */
} kz_finding;

/* Levels are dBFS: 0 is the power of a full-scale square wave; -120 stands for digital silence. Times are seconds of the
 * recording as given. What couldn't be measured is 0. */
typedef struct kz_reference_figures {
    double seconds;
    double speech;       /* with pauses up to 0.2 s */
    double start, end;   /* silence before and after the speech */
    double peak, rms;    /* dBFS, whole recording */
    double speech_level; /* dBFS, mean power of the frames with speech */
    double noise_floor;  /* dBFS, 10th percentile of 20 ms frames */
    double snr;          /* dB, at most 100 */
    double dc;           /* mean of the samples */
    double clipped;      /* share of the samples, 0 to 1 */
    double ending_level; /* dBFS of the last 50 ms */
    size_t characters;   /* letters, digits and ideographs of the transcript */
    size_t wide;         /* of these: ideographs, kana, hangul */
    double usual;        /* s that the transcript usually takes to say */
    double pace;         /* speaking time / usual; 0 without a transcript */
} kz_reference_figures;

/* The recording to use: samples first .. first + n - 1, then `pad` zeros. */
typedef struct kz_reference_action {
    size_t first, n, pad;
} kz_reference_action;

typedef struct kz_reference_report {
    kz_reference_figures figures;
    kz_finding finding[KZ_REF_CODE_COUNT]; /* all of them, by code */
    kz_severity worst;
    bool refused; /* worst is ERROR */
    kz_reference_action action;
} kz_reference_report;

typedef struct kz_reference_options {
    int rate;               /* of the samples, Hz */
    int file_rate;          /* of the file they come from; 0 = not known */
    const char *transcript; /* what is said, or NULL */
    bool need_transcript;   /* an error without: the recording is to be context */
    bool strict;            /* warnings are errors */
    bool raw;           /* nothing is trimmed or padded, and only what the model can't take is an error: a length out of
                               its range, samples that are no numbers, a missing or unreadable transcript */
    double max_seconds; /* 0 = KZ_REF_MAX */
} kz_reference_options;

void kz_reference_check(kz_reference_report *report, const float *pcm, size_t n, const kz_reference_options *options);

/* The samples to use, fresh memory (free) of *n_out = action.n + action.pad. MEMORY. */
kztts_status kz_reference_apply(const kz_reference_report *report, const float *pcm, float **out, size_t *n_out);

/* "ok", "warn", "error", "skipped". Static. */
const char *kz_severity_name(kz_severity severity);

#endif
