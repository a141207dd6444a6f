/* verify.h: how far two models agree on the same texts.  SPDX-License-Identifier: Apache-2.0
 *
 * A speaks each text. Its codes are then given to both models, which shows at every code what each would have done
 * after the same beginning (teacher-forced). Last, B speaks the text alone. */
#ifndef KZ_VERIFY_H
#define KZ_VERIFY_H

#include "voice_choice.h"

enum { KZ_VERIFY_GROUPS = 64, KZ_MEL_SECONDS = 40 };

/* Over all codes of a group. */
typedef struct kz_agreement {
    uint64_t n, equal; /* codes; those that B would have taken as well as A did, with the same random numbers */
    uint64_t top1;     /* likeliest codes that are the same */
    uint64_t top5;     /* A's likeliest code is among B's five likeliest */
    double kl;         /* sum of Kullback-Leibler divergences of B's distribution from A's, nats */
    double error;      /* sum over codes of the mean difference of scores */
    double max_error;  /* largest difference of a score */
} kz_agreement;

typedef struct kz_sound_error {
    double signal, noise; /* energy of A's samples, of the differences: what one of them lacks at the end is one */
    uint64_t missing;     /* samples that one of them lacks */
    int n_text;           /* compared */
} kz_sound_error;

typedef struct kz_mel_sum {
    double sum;     /* of the distances in dB */
    int n_text;     /* compared */
    int n_cut_text; /* of those, the ones of which the first KZ_MEL_SECONDS alone were */
} kz_mel_sum;

typedef struct kz_verify {
    const kz_args *args;
    kz_opened model[2];
    kz_voice_choice voice[2];
    kztts_decoder *decoder; /* B's, for A's codes; NULL: not comparable */
    int n_group;
    kz_agreement group[KZ_VERIFY_GROUPS];
    uint64_t n_end, end_equal;     /* where A ended, does B end too */
    int n_text, n_same;            /* texts; those whose free codes are all equal */
    uint64_t frames[2];            /* of free speech */
    int n_cut[2];                  /* texts that reached the limit of frames before they ended */
    uint64_t first_sum, first_min; /* equal frames before the first difference */
    kz_sound_error codec, free;    /* B's codec on A's codes; free speech */
    kz_mel_sum mel;                /* of free speech */
} kz_verify;

/* One text, as one utterance; adds to the figures. */
int kz_verify_text(kz_verify *v, const char *text);

/* An utterance is cut after so many frames. */
int kz_verify_limit(const kz_verify *v, int which);

void kz_verify_print(const kz_verify *v);
void kz_verify_print_json(const kz_verify *v);

/* ---- parts ---- */

/* Adds the comparison of two score vectors (-inf = forbidden). */
void kz_agreement_add(kz_agreement *a, const float *x, const float *y, int n, bool equal);

/* Root mean square distance in dB of two sounds' log-mel spectra along the best alignment, of their first KZ_MEL_SECONDS;
 * cut: one of them is longer. Negative when one is too short, or there is no memory. */
double kz_mel_distance(const float *x, size_t n_x, const float *y, size_t n_y, int rate, bool *cut);

#endif
