/* join.c: seams between the chunks of a long text.  SPDX-License-Identifier: Apache-2.0
 *
 * Places are counted in output samples since the beginning. The ring holds [read, write); [read, commit) can be read,
 * the rest may still be cut and faded when the chunk turns out to end. Zeros that belong before the next sample are
 * owed and paid as the ring has room. */
#include "join/join.h"

#include <math.h>
#include <string.h>

enum { RATE_MAX = 768000, MARGIN_MAX = 500, FADE_MAX = 100 };

typedef enum kz_join_state {
    KZ_JOIN_LEAD, /* in the chunk's leading silence: nothing of it is written */
    KZ_JOIN_OUT,  /* its margin is written */
    KZ_JOIN_BODY
} kz_join_state;

struct kz_join {
    kz_join_options options;
    size_t margin, fade, hold; /* samples */
    float *ring;               /* [cap] */
    size_t cap;
    float *lead; /* [margin] last samples of leading silence, a ring of their own */
    uint64_t read, commit, write, owed;
    uint64_t pause; /* zeros of the seam before the current chunk */

    kz_join_state state;
    bool first;   /* nothing has been kept of any chunk before this */
    bool loud;    /* the chunk has had a sample above the threshold */
    bool started; /* samples of the chunk have been kept */
    bool ended;   /* complete; the seam is made when the next one begins */
    bool last;    /* no seam comes */
    bool finished;
    int ended_class;
    uint64_t begin, loud_end; /* first kept sample; behind the last loud one */
    uint64_t n_silent;        /* samples of leading silence seen */
    size_t n_lead, lead_at;   /* margin samples to write, and how many are */
    size_t fade_at;           /* samples of the fade in done */
};

void kz_join_options_init(kz_join_options *options, int sample_rate) {
    *options = (kz_join_options){
        .sample_rate = sample_rate, .threshold = 0.004f, .margin_ms = 40, .fade_ms = 8, .pause_ms = {60, 200, 600}};
}

static kztts_status check_options(const kz_join_options *o, kz_err *err) {
    if (o->sample_rate < 1000 || o->sample_rate > RATE_MAX)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "a sample rate of %d Hz; joining takes 1000 to %d", o->sample_rate,
                       RATE_MAX);
    if (!(o->threshold >= 0.0f && o->threshold < 1.0f))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "a threshold of %g for silence; it is from 0 to below 1",
                       (double)o->threshold);
    if (o->margin_ms < 0 || o->margin_ms > MARGIN_MAX)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "a margin of %d ms; it is 0 to %d", o->margin_ms, MARGIN_MAX);
    if (o->fade_ms < 0 || o->fade_ms > FADE_MAX)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "a fade of %d ms; it is 0 to %d", o->fade_ms, FADE_MAX);
    for (int i = 0; i < KZ_JOIN_CLASSES; i++)
        if (o->pause_ms[i] < 0 || o->pause_ms[i] > KZ_JOIN_PAUSE_MAX)
            return kz_fail(err, KZTTS_ERROR_ARGUMENT, "a pause of %d ms; it is 0 to %d", o->pause_ms[i],
                           KZ_JOIN_PAUSE_MAX);
    return KZTTS_OK;
}

static size_t samples(const kz_join *join, int ms) {
    return (size_t)((uint64_t)join->options.sample_rate * (uint64_t)ms / 1000);
}

kztts_status kz_join_new(kz_join **out, const kz_join_options *options, kz_err *err) {
    *out = NULL;
    KZ_TRY(check_options(options, err));
    kz_join *join = kz_alloc(1, sizeof *join);
    if (!join)
        return kz_fail_memory(err, sizeof *join, "joins");
    join->options = *options;
    join->margin = samples(join, options->margin_ms);
    join->fade = samples(join, options->fade_ms);
    join->cap = samples(join, 2000);
    join->hold = samples(join, 1500);
    join->ring = kz_alloc(join->cap, sizeof *join->ring);
    join->lead = kz_alloc(join->margin + 1, sizeof *join->lead);
    if (!join->ring || !join->lead) {
        size_t n = join->cap + join->margin + 1;
        kz_join_free(join);
        return kz_fail_memory(err, n * sizeof *join->ring, "joins");
    }
    kz_join_reset(join);
    *out = join;
    return KZTTS_OK;
}

void kz_join_free(kz_join *join) {
    if (!join)
        return;
    kz_free(join->ring);
    kz_free(join->lead);
    kz_free(join);
}

/* A chunk begins; what has been written stays. */
static void begin_chunk(kz_join *join) {
    bool outer = join->first && !join->options.trim;
    join->state = outer ? KZ_JOIN_BODY : KZ_JOIN_LEAD;
    join->fade_at = outer ? join->fade : 0;
    join->loud = join->started = join->ended = false;
    join->begin = join->loud_end = join->write;
    join->n_silent = 0;
    join->n_lead = join->lead_at = 0;
}

void kz_join_reset(kz_join *join) {
    join->read = join->commit = join->write = join->owed = join->pause = 0;
    join->first = true;
    join->last = join->finished = false;
    begin_chunk(join);
}

/* ---- the ring ---------------------------------------------------------------------------------------------- */

static size_t room(const kz_join *join) { return join->cap - (size_t)(join->write - join->read); }

static float *at(kz_join *join, uint64_t place) { return &join->ring[place % join->cap]; }

/* Writes the zeros that are owed, as far as there is room. They are always final. */
static void pay(kz_join *join) {
    for (size_t n = room(join); n && join->owed; n--, join->owed--)
        *at(join, join->write++) = 0.0f;
    if (join->state != KZ_JOIN_BODY && !join->started)
        join->commit = join->write;
}

/* Gain of sample i of n at the beginning of a fade in: a smooth step, neither 0 nor 1. */
static float gain(size_t i, size_t n) {
    float t = (float)(i + 1) / (float)(n + 1);
    return t * t * (3.0f - 2.0f * t);
}

static void write_sample(kz_join *join, float x) {
    if (join->fade_at < join->fade)
        x *= gain(join->fade_at++, join->fade);
    *at(join, join->write++) = x;
}

/* ---- where a chunk's sound ends ------------------------------------------------------------------------------ */

/* The place behind the last sample that would be kept if the chunk ended now and another one followed: a margin behind
 * the last loud sample; but what lies more than `hold` back has been given away already. Grows with every sample. */
static uint64_t sound_end(const kz_join *join) {
    uint64_t end = join->loud_end + join->margin;
    if (!join->loud)
        return join->write; /* the outer beginning isn't touched */
    if (join->write > join->hold && join->write - join->hold + join->fade > end)
        end = join->write - join->hold + join->fade;
    return end < join->write ? end : join->write;
}

/* The same, or behind what has been given away as the last chunk's. */
static uint64_t kept_end(const kz_join *join) {
    uint64_t end = sound_end(join);
    return join->commit > end ? join->commit : end;
}

static void commit(kz_join *join) {
    uint64_t end = kept_end(join);
    end = join->last && !join->options.trim ? join->write : end > join->fade ? end - join->fade : 0;
    if (end > join->commit)
        join->commit = end;
}

/* Zeros between the kept end and the next chunk's margin. */
static uint64_t seam_zeros(const kz_join *join, uint64_t end) {
    uint64_t tail = end - (join->loud ? join->loud_end : join->begin);
    return (tail < join->margin ? join->margin - tail : 0) + samples(join, join->options.pause_ms[join->ended_class]);
}

static void cut_tail(kz_join *join) {
    uint64_t end = kept_end(join), from = end > join->fade ? end - join->fade : 0;
    if (from < join->begin)
        from = join->begin;
    if (from < join->commit)
        from = join->commit;
    size_t n = (size_t)(end - from);
    for (size_t i = 0; i < n; i++)
        *at(join, end - 1 - i) *= gain(i, n);
    join->write = join->commit = end;
}

/* Zeros by which the pause before a silent chunk must grow to be the one behind it. */
static uint64_t longer_pause(const kz_join *join) {
    uint64_t pause = samples(join, join->options.pause_ms[join->ended_class]);
    return !join->first && pause > join->pause ? pause - join->pause : 0;
}

/* The next chunk has a sample: now the end of the one before is a seam. */
static void make_seam(kz_join *join) {
    if (join->started) {
        join->owed += seam_zeros(join, kept_end(join));
        join->pause = samples(join, join->options.pause_ms[join->ended_class]);
        join->first = false;
        cut_tail(join);
    } else {
        uint64_t more = longer_pause(join);
        join->owed += more;
        join->pause += more;
    }
    begin_chunk(join);
}

/* ---- in ---------------------------------------------------------------------------------------------------- */

static bool is_loud(const kz_join *join, float x) { return !(fabsf(x) <= join->options.threshold); }

/* Takes leading silence; how many samples. Stops before the first loud one. */
static size_t take_lead(kz_join *join, const float *pcm, size_t n) {
    size_t i = 0;
    for (; i < n && !is_loud(join, pcm[i]); i++)
        join->lead[join->n_silent++ % (join->margin + 1)] = pcm[i];
    if (i == n)
        return n;
    bool cut = join->n_silent > join->margin;
    join->n_lead = cut ? join->margin : (size_t)join->n_silent;
    join->fade_at = join->first && !cut ? join->fade : 0;
    join->owed += join->first ? 0 : join->margin - join->n_lead;
    join->state = KZ_JOIN_OUT;
    return i;
}

/* Writes the margin; false when the ring is full. */
static bool write_lead(kz_join *join) {
    pay(join);
    if (join->owed)
        return false;
    if (!join->started)
        join->begin = join->loud_end = join->write;
    for (size_t n = room(join); n && join->lead_at < join->n_lead; n--, join->lead_at++) {
        uint64_t i = join->n_silent - join->n_lead + join->lead_at;
        write_sample(join, join->lead[i % (join->margin + 1)]);
        join->started = true;
    }
    if (join->lead_at < join->n_lead)
        return false;
    join->state = KZ_JOIN_BODY;
    return true;
}

static size_t take_body(kz_join *join, const float *pcm, size_t n) {
    size_t n_room = room(join);
    n = n < n_room ? n : n_room;
    for (size_t i = 0; i < n; i++) {
        bool loud = is_loud(join, pcm[i]);
        write_sample(join, pcm[i]);
        if (loud) {
            join->loud = true;
            join->loud_end = join->write;
        }
    }
    join->started = join->started || n;
    commit(join);
    return n;
}

size_t kz_join_put(kz_join *join, const float *pcm, size_t n) {
    size_t done = 0;
    if (join->finished || !n)
        return 0;
    if (join->ended)
        make_seam(join);
    pay(join);
    if (join->state == KZ_JOIN_LEAD)
        done = take_lead(join, pcm, n);
    if (join->state == KZ_JOIN_OUT && !write_lead(join))
        return done;
    if (join->state == KZ_JOIN_BODY)
        done += take_body(join, pcm + done, n - done);
    return done;
}

void kz_join_end(kz_join *join, int pause) {
    const int *ms = join->options.pause_ms;
    int class = pause < 0 || pause >= KZ_JOIN_CLASSES ? 0 : pause;
    bool empty = join->ended; /* a chunk without samples: the longer pause stays */
    join->ended = true;
    if (!empty || ms[class] > ms[join->ended_class])
        join->ended_class = class;
}

void kz_join_last(kz_join *join) { join->last = true; }

void kz_join_finish(kz_join *join) {
    if (join->finished)
        return;
    join->finished = true;
    if (join->options.trim && join->loud && kept_end(join) < join->write)
        cut_tail(join);
    join->commit = join->write;
}

/* ---- out --------------------------------------------------------------------------------------------------- */

size_t kz_join_read(kz_join *join, float *pcm, size_t n) {
    size_t done = 0;
    for (;;) {
        pay(join);
        size_t ready = kz_join_ready(join);
        if (!ready || done == n)
            return done;
        size_t from = (size_t)(join->read % join->cap), run = join->cap - from;
        run = run < ready ? run : ready;
        run = run < n - done ? run : n - done;
        memcpy(pcm + done, join->ring + from, run * sizeof *pcm);
        join->read += run;
        done += run;
    }
}

size_t kz_join_ready(const kz_join *join) { return (size_t)(join->commit - join->read); }

bool kz_join_done(const kz_join *join) { return join->finished && !join->owed && join->read == join->write; }

uint64_t kz_join_position(const kz_join *join) {
    if (join->ended && join->started)
        return kept_end(join) + seam_zeros(join, kept_end(join));
    return join->write + join->owed + (join->ended ? longer_pause(join) : 0);
}

uint64_t kz_join_chunk_end(const kz_join *join) { return join->started ? sound_end(join) : join->write + join->owed; }
