/* measure.c: levels, noise and speech of a recording.  SPDX-License-Identifier: Apache-2.0
 *
 * Frames of 20 ms are judged by their level alone: enough to find pauses and ends in recordings of one voice. Percentiles
 * come from a histogram, so that nothing is allocated. */
#include <math.h>
#include <string.h>

#include "reference_parts.h"

#define FLOOR (-120.0) /* dBFS of digital silence */
#define STEP 0.25      /* dB a bin of the histogram */
#define FRAME_SECONDS 0.02
#define NOISE_PERCENT 10 /* of the frames are pauses in any speech */
#define LOUD_PERCENT 98  /* the rest may be knocks */
#define ABOVE_NOISE 9.0  /* dB over the noise that speech must have ... */
#define BELOW_LOUD 35.0  /* ... and below the loudest frames that it may have */

enum {
    BINS = 640,  /* -120 to 40 dBFS */
    BRIDGE = 10, /* frames of a pause that belongs to the speech */
    WINDOW = 5,
    NEEDED = 3 /* speech begins where that many of these frames have it: a click is no beginning */
};

typedef struct frames {
    const float *pcm;
    size_t n;      /* frames */
    size_t length; /* samples of each */
    double dc;
    double threshold; /* dB */
} frames;

double kz_db(double power) {
    if (!(power > 1e-12))
        return FLOOR;
    return 10 * log10(power);
}

bool kz_measure_samples(kz_reference_figures *f, const float *pcm, size_t n, int rate) {
    double sum = 0, squares = 0, peak = 0;
    size_t clipped = 0, run = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)pcm[i], a = fabs(x);
        if (!isfinite(x))
            return false;
        sum += x;
        squares += x * x;
        peak = a > peak ? a : peak;
        /* one sample at full scale is a peak, two in a row are a flat top */
        run = a >= KZ_REF_CLIP_LEVEL ? run + 1 : 0;
        clipped += run == 2 ? 2 : run > 2;
    }
    f->seconds = (double)n / rate;
    f->peak = kz_db(peak * peak);
    f->rms = kz_db(squares / (double)n);
    f->dc = sum / (double)n;
    f->clipped = (double)clipped / (double)n;
    return true;
}

/* Mean square without the DC. */
static double power_of(const float *pcm, size_t n, double dc) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)pcm[i] - dc;
        sum += x * x;
    }
    return n ? sum / (double)n : 0;
}

static double frame_power(const frames *fr, size_t i) { return power_of(fr->pcm + i * fr->length, fr->length, fr->dc); }

static bool is_active(const frames *fr, size_t i) { return kz_db(frame_power(fr, i)) > fr->threshold; }

static double percentile(const size_t *histogram, size_t n, size_t percent) {
    size_t seen = 0, want = (n - 1) * percent / 100;
    for (size_t i = 0; i < BINS; i++) {
        seen += histogram[i];
        if (seen > want)
            return FLOOR + STEP * (double)i;
    }
    return FLOOR;
}

static void find_levels(const frames *fr, double *noise, double *loud) {
    size_t histogram[BINS];
    memset(histogram, 0, sizeof histogram);
    for (size_t i = 0; i < fr->n; i++) {
        double bin = (kz_db(frame_power(fr, i)) - FLOOR) / STEP;
        histogram[bin < 0 ? 0 : bin < BINS - 1 ? (size_t)bin : BINS - 1]++;
    }
    *noise = percentile(histogram, fr->n, NOISE_PERCENT);
    *loud = percentile(histogram, fr->n, LOUD_PERCENT);
}

/* In noise, half way up to the speech is as far as one can go. */
static double find_threshold(double noise, double loud) {
    double threshold = noise + ABOVE_NOISE, middle = (noise + loud) / 2;
    if (threshold > middle)
        threshold = middle;
    return threshold > loud - BELOW_LOUD ? threshold : loud - BELOW_LOUD;
}

/* First frame of speech, looking forwards, or backwards from the end; fr->n when there is none. */
static size_t find_edge(const frames *fr, bool backwards) {
    for (size_t k = 0; k + WINDOW <= fr->n; k++) {
        int active = 0;
        size_t first = backwards ? fr->n - 1 - k : k;
        if (!is_active(fr, first))
            continue;
        for (size_t j = 0; j < WINDOW; j++)
            active += is_active(fr, backwards ? first - j : first + j);
        if (active >= NEEDED)
            return first;
    }
    return fr->n;
}

/* Length and power of what is active between two frames. */
static void sum_speech(kz_reference_figures *f, const frames *fr, size_t first, size_t last) {
    size_t active = 0, length = 0, before = first;
    double power = 0;
    for (size_t i = first; i <= last; i++) {
        double p = frame_power(fr, i);
        if (kz_db(p) <= fr->threshold)
            continue;
        power += p;
        active++;
        length += i > before && i - before <= BRIDGE ? i - before : 1;
        before = i;
    }
    double mean = active ? power / (double)active : 0, noise = pow(10, f->noise_floor / 10);
    f->speech = (double)length * FRAME_SECONDS;
    f->speech_level = kz_db(mean);
    f->snr = mean > noise ? kz_db((mean - noise) / noise) : 0;
    f->snr = f->snr < 0 ? 0 : f->snr > 100 ? 100 : f->snr;
}

kz_activity kz_measure_speech(kz_reference_figures *f, const float *pcm, size_t n, int rate, bool *cut) {
    frames fr = {.pcm = pcm, .length = (size_t)(rate * FRAME_SECONDS), .dc = f->dc};
    size_t tail = (size_t)(rate * KZ_REF_ENDING);
    double loud;
    *cut = false;
    fr.n = fr.length ? n / fr.length : 0;
    if (fr.n < WINDOW || tail == 0)
        return KZ_ACTIVITY_SHORT;
    find_levels(&fr, &f->noise_floor, &loud);
    f->ending_level = kz_db(power_of(pcm + n - tail, tail, f->dc));
    if (loud < KZ_REF_SILENCE)
        return KZ_ACTIVITY_SILENT;
    if (loud - f->noise_floor < KZ_REF_STEADY)
        return KZ_ACTIVITY_STEADY;
    fr.threshold = find_threshold(f->noise_floor, loud);
    size_t first = find_edge(&fr, false), last = find_edge(&fr, true);
    if (first >= fr.n || last >= fr.n || last < first)
        return KZ_ACTIVITY_STEADY;
    f->start = (double)(first * fr.length) / rate;
    f->end = (double)(n - (last + 1) * fr.length) / rate;
    sum_speech(f, &fr, first, last);
    *cut = f->ending_level > fr.threshold && f->ending_level > f->speech_level - KZ_REF_ENDING_DROP;
    return KZ_ACTIVITY_SPEECH;
}
