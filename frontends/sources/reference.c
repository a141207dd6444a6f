/* reference.c: findings about a reference recording, and what to do.  SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference_parts.h"

#if defined(__GNUC__) || defined(__clang__)
#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF(f, a)
#endif

typedef struct check {
    kz_reference_report *report;
    const kz_reference_options *options;
    size_t n;
    kz_activity activity;
    bool cut;
} check;

static void find(check *c, kz_reference_code code, kz_severity severity, const char *fmt, ...) PRINTF(4, 5);

static void find(check *c, kz_reference_code code, kz_severity severity, const char *fmt, ...) {
    kz_finding *finding = &c->report->finding[code];
    va_list args;
    va_start(args, fmt);
    vsnprintf(finding->text, sizeof finding->text, fmt, args);
    va_end(args);
    if (severity == KZ_SEVERITY_WARN && c->options->strict)
        severity = KZ_SEVERITY_ERROR;
    finding->severity = severity;
    if (severity > c->report->worst)
        c->report->worst = severity;
}

/* What speaks against the recording, but could be used all the same. */
static kz_severity unless_raw(const check *c) { return c->options->raw ? KZ_SEVERITY_WARN : KZ_SEVERITY_ERROR; }

static void begin(kz_reference_report *report, size_t n) {
    static const char *const names[KZ_REF_CODE_COUNT] = {
        [KZ_REF_CODE_LENGTH] = "length", [KZ_REF_CODE_SPEECH] = "speech",
        [KZ_REF_CODE_LEVEL] = "level",   [KZ_REF_CODE_CLIPPING] = "clipping",
        [KZ_REF_CODE_NOISE] = "noise",   [KZ_REF_CODE_START] = "start",
        [KZ_REF_CODE_END] = "end",       [KZ_REF_CODE_ENDING] = "ending",
        [KZ_REF_CODE_BAND] = "band",     [KZ_REF_CODE_TRANSCRIPT] = "transcript"};
    memset(report, 0, sizeof *report);
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++) {
        report->finding[i].name = names[i];
        snprintf(report->finding[i].text, sizeof report->finding[i].text, "not checked");
    }
    report->action.n = n;
}

/* ---- what is to be done ------------------------------------------------------------------------------------ */

static double limit_of(const check *c) { return c->options->max_seconds > 0 ? c->options->max_seconds : KZ_REF_MAX; }

static void plan(check *c) {
    kz_reference_action *action = &c->report->action;
    const kz_reference_figures *f = &c->report->figures;
    double rate = c->options->rate;
    if (c->options->raw || c->activity != KZ_ACTIVITY_SPEECH)
        return;
    if (f->start > KZ_REF_LONG_SILENCE)
        action->first = (size_t)((f->start - KZ_REF_START_MARGIN) * rate);
    action->n = c->n - action->first;
    if (f->end > KZ_REF_LONG_SILENCE)
        action->n -= (size_t)((f->end - KZ_REF_END_MARGIN) * rate);
    if (c->cut)
        action->pad = (size_t)(KZ_REF_ENDING_PAD * rate);
    /* the padding isn't worth a refusal for length */
    size_t most = (size_t)(limit_of(c) * rate);
    if (action->n <= most && action->pad > most - action->n)
        action->pad = most - action->n;
}

/* ---- findings ---------------------------------------------------------------------------------------------- */

static void check_length(check *c) {
    const kz_reference_action *action = &c->report->action;
    double rate = c->options->rate, seconds = (double)(action->n + action->pad) / rate;
    double least = KZ_REF_MIN_SAMPLES / 24000.0;
    bool changed = action->n + action->pad != c->n;
    char length[64];
    snprintf(length, sizeof length, "%.1f s long", c->report->figures.seconds);
    if (changed) {
        size_t at = strlen(length);
        snprintf(length + at, sizeof length - at, " (%.1f s as it is used)", seconds);
    }
    if (seconds < least)
        find(c, KZ_REF_CODE_LENGTH, KZ_SEVERITY_ERROR, "%.3f s long, too short for any voice: %g to %g s serve best",
             seconds, 5.0, 15.0);
    else if (seconds > limit_of(c))
        find(c, KZ_REF_CODE_LENGTH, KZ_SEVERITY_ERROR, "%s, the limit is %g s: cut out 5 to 15 s of clear speech",
             length, limit_of(c));
    else if (seconds > KZ_REF_LONG)
        find(c, KZ_REF_CODE_LENGTH, KZ_SEVERITY_WARN, "%s, more than is of use: 5 to 15 s serve best", length);
    else if (seconds < KZ_REF_SHORT)
        find(c, KZ_REF_CODE_LENGTH, KZ_SEVERITY_WARN, "%s, short: 5 to 15 s serve best", length);
    else
        find(c, KZ_REF_CODE_LENGTH, KZ_SEVERITY_OK, "%s", length);
}

static void check_speech(check *c) {
    const kz_reference_figures *f = &c->report->figures;
    if (c->activity == KZ_ACTIVITY_SHORT)
        find(c, KZ_REF_CODE_SPEECH, unless_raw(c), "too short to hold speech: at least %g s of it are needed",
             KZ_REF_MIN_SPEECH);
    else if (c->activity == KZ_ACTIVITY_SILENT)
        find(c, KZ_REF_CODE_SPEECH, unless_raw(c), "silent: its peak is %.0f dBFS; was the right microphone on?",
             f->peak);
    else if (c->activity == KZ_ACTIVITY_STEADY)
        find(c, KZ_REF_CODE_SPEECH, unless_raw(c),
             "no speech stands out: the level hardly changes, as in a tone or in noise");
    else if (f->speech < KZ_REF_MIN_SPEECH)
        find(c, KZ_REF_CODE_SPEECH, unless_raw(c),
             "only %.1f s of speech; at least %g s are needed, 5 to 15 s serve best", f->speech, KZ_REF_MIN_SPEECH);
    else
        find(c, KZ_REF_CODE_SPEECH, KZ_SEVERITY_OK, "%.1f s of speech", f->speech);
}

static void check_level(check *c) {
    const kz_reference_figures *f = &c->report->figures;
    double peak = pow(10, f->peak / 20);
    bool speech = c->activity == KZ_ACTIVITY_SPEECH;
    if (peak > KZ_REF_FAR_OVER)
        find(c, KZ_REF_CODE_LEVEL, unless_raw(c),
             "samples reach %.4g, where -1 to 1 is the range: numbers of another scale; divide them", peak);
    else if (peak > KZ_REF_OVER)
        find(c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "too loud: samples reach %.2f, where -1 to 1 is the range", peak);
    else if (fabs(f->dc) > KZ_REF_DC)
        find(c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "off centre: the mean of the samples is %+.3f, it should be 0",
             f->dc);
    else if (speech && f->speech_level < KZ_REF_QUIET)
        find(c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "quiet: speech at %.0f dBFS, peak %.0f dBFS; record it louder",
             f->speech_level, f->peak);
    else if (speech)
        find(c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_OK, "speech at %.0f dBFS, peak %.1f dBFS", f->speech_level, f->peak);
    else
        find(c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_OK, "%.0f dBFS on the whole, peak %.1f dBFS", f->rms, f->peak);
}

static void check_clipping(check *c) {
    double share = c->report->figures.clipped;
    if (share > KZ_REF_CLIP_SHARE)
        find(c, KZ_REF_CODE_CLIPPING, KZ_SEVERITY_WARN,
             "clipped: %.2f %% of the samples are at full scale; record it at a lower level", 100 * share);
    else
        find(c, KZ_REF_CODE_CLIPPING, KZ_SEVERITY_OK, share > 0 ? "a few clipped peaks" : "none");
}

static void check_noise(check *c) {
    const kz_reference_figures *f = &c->report->figures;
    if (f->snr < KZ_REF_SNR)
        find(c, KZ_REF_CODE_NOISE, KZ_SEVERITY_WARN,
             "noisy: the speech is %.0f dB over the noise (%.0f dBFS), 25 or more would be clean; the voice will keep "
             "it",
             f->snr, f->noise_floor);
    else
        find(c, KZ_REF_CODE_NOISE, KZ_SEVERITY_OK, "%.0f dBFS in the pauses, the speech is %.0f dB over it",
             f->noise_floor, f->snr);
}

static void check_silence(check *c, kz_reference_code code, double seconds, double kept) {
    const char *side = code == KZ_REF_CODE_START ? "before" : "after";
    if (seconds <= KZ_REF_LONG_SILENCE)
        find(c, code, KZ_SEVERITY_OK, "%.2f s of silence %s the speech", seconds, side);
    else if (c->options->raw)
        find(c, code, KZ_SEVERITY_WARN, "%.2f s of silence %s the speech, kept as it is", seconds, side);
    else
        find(c, code, KZ_SEVERITY_OK, "%.2f s of silence %s the speech, trimmed to %.1f s", seconds, side, kept);
}

static void check_ending(check *c) {
    double added = (double)c->report->action.pad / c->options->rate;
    if (!c->cut)
        find(c, KZ_REF_CODE_ENDING, KZ_SEVERITY_OK, "the speech ends by itself");
    else if (added > 0)
        find(c, KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN,
             "cut off while speaking, which can leak into what the voice says: added %.1f s of silence", added);
    else
        find(c, KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN,
             "cut off while speaking, which can leak into what the voice says: end it after a word");
}

static void check_band(check *c) {
    int rate = c->options->file_rate;
    if (rate <= 0)
        return;
    if (rate < KZ_REF_NARROW)
        find(c, KZ_REF_CODE_BAND, KZ_SEVERITY_WARN,
             "%d Hz: sound of a telephone, and so the voice will sound; 24000 Hz or more serve best", rate);
    else
        find(c, KZ_REF_CODE_BAND, KZ_SEVERITY_OK, "%d Hz", rate);
}

/* The pace is judged twice: too much text by all the time there is, too little by the time that is spoken in. */
static void check_pace(check *c) {
    kz_reference_figures *f = &c->report->figures;
    const char *unit = 2 * f->wide > f->characters ? "characters" : "letters";
    double span = f->seconds - f->start - f->end, least = span / f->usual, most = f->speech / f->usual;
    f->pace = most;
    if (least < KZ_REF_PACE_LOW)
        find(c, KZ_REF_CODE_TRANSCRIPT, least < KZ_REF_PACE_LEAST ? unless_raw(c) : KZ_SEVERITY_WARN,
             "too long for the recording: its %zu %s take about %.0f s to say, the recording has %.1f s: give what is "
             "said in it, no more",
             f->characters, unit, f->usual, span);
    else if (most > KZ_REF_PACE_HIGH)
        find(c, KZ_REF_CODE_TRANSCRIPT, most > KZ_REF_PACE_MOST ? unless_raw(c) : KZ_SEVERITY_WARN,
             "too short for the recording: its %zu %s take about %.1f s to say, %.1f s are spoken: give all that is "
             "said",
             f->characters, unit, f->usual, f->speech);
    else
        find(c, KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_OK, "%zu %s, %.1f a second of speech", f->characters, unit,
             (double)f->characters / f->speech);
}

static void check_transcript(check *c) {
    const char *text = c->options->transcript;
    kz_reference_figures *f = &c->report->figures;
    bool readable = !text || kz_measure_transcript(f, text);
    if (!readable)
        find(c, KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_ERROR, "not UTF-8 text");
    else if (!text && c->options->need_transcript)
        find(c, KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_ERROR,
             "missing: as context, a recording needs the words that are said in it");
    else if (!text)
        find(c, KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_SKIPPED, "none given: the speaker's vector alone is used");
    else if (f->characters == 0)
        find(c, KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_ERROR, "empty: there is no letter in it");
    else if (c->activity == KZ_ACTIVITY_SPEECH)
        check_pace(c);
}

void kz_reference_check(kz_reference_report *report, const float *pcm, size_t n, const kz_reference_options *options) {
    check c = {.report = report, .options = options, .n = n, .activity = KZ_ACTIVITY_SHORT};
    kz_reference_figures *f = &report->figures;
    begin(report, n);
    if (n > 0 && !kz_measure_samples(f, pcm, n, options->rate)) {
        find(&c, KZ_REF_CODE_LEVEL, KZ_SEVERITY_ERROR, "damaged: a sample is not a number");
        report->refused = true;
        return;
    }
    if (n > 0)
        c.activity = kz_measure_speech(f, pcm, n, options->rate, &c.cut);
    plan(&c);
    check_length(&c);
    check_speech(&c);
    if (n > 0)
        check_level(&c);
    if (n > 0)
        check_clipping(&c);
    if (c.activity == KZ_ACTIVITY_SPEECH) {
        check_noise(&c);
        check_silence(&c, KZ_REF_CODE_START, f->start, KZ_REF_START_MARGIN);
        check_silence(&c, KZ_REF_CODE_END, f->end, KZ_REF_END_MARGIN);
        check_ending(&c);
    }
    check_band(&c);
    check_transcript(&c);
    report->refused = report->worst == KZ_SEVERITY_ERROR;
}

kztts_status kz_reference_apply(const kz_reference_report *report, const float *pcm, float **out, size_t *n_out) {
    const kz_reference_action *action = &report->action;
    size_t n = action->n + action->pad;
    *n_out = 0;
    *out = calloc(n ? n : 1, sizeof **out);
    if (!*out)
        return KZTTS_ERROR_MEMORY;
    if (action->n)
        memcpy(*out, pcm + action->first, action->n * sizeof *pcm);
    *n_out = n;
    return KZTTS_OK;
}

const char *kz_severity_name(kz_severity severity) {
    switch (severity) {
    case KZ_SEVERITY_OK:
        return "ok";
    case KZ_SEVERITY_WARN:
        return "warn";
    case KZ_SEVERITY_ERROR:
        return "error";
    case KZ_SEVERITY_SKIPPED:
        break;
    }
    return "skipped";
}
