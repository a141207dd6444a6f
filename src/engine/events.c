/* events.c: what happened where in the samples.  SPDX-License-Identifier: Apache-2.0
 *
 * Borders of chunks are exact. Where one sentence of a chunk ends and the next begins isn't known: a pause near the place
 * where the lengths of the sentences let it be expected is taken. */
#include <string.h>

#include "engine/stream.h"

enum { MARKS_MAX = 4096 };

void kz_events_reset(kz_stream *s) {
    kz_events *e = &s->events;
    e->n = e->from = e->n_mark = e->from_mark = 0;
    e->in_sentence = false;
    e->last = 0;
    e->pace = 1;
}

void kz_events_free(kz_stream *s) {
    kz_free(s->events.queue);
    kz_free(s->events.marks);
}

/* Room for one more of `size` bytes behind n of them, of which the first `from` are no longer needed. */
static bool make_room(void **list, size_t *n, size_t *from, size_t *cap, size_t size) {
    if (*n == *cap && *from) {
        memmove(*list, (char *)*list + *from * size, (*n - *from) * size);
        *n -= *from;
        *from = 0;
    }
    if (*n < *cap)
        return true;
    size_t more = *cap ? 2 * *cap : 16;
    void *bigger = kz_alloc(more, size);
    if (!bigger)
        return false;
    if (*n)
        memcpy(bigger, *list, *n * size);
    kz_free(*list);
    *list = bigger;
    *cap = more;
    return true;
}

static void push(kz_stream *s, kztts_event event) {
    kz_events *e = &s->events;
    void *queue = e->queue;
    if (!s->utterance.on_event)
        return;
    event.sample = event.sample > e->last ? event.sample : e->last;
    e->last = event.sample;
    if (!make_room(&queue, &e->n, &e->from, &e->cap, sizeof event))
        return;
    e->queue = queue;
    e->queue[e->n++] = event;
}

kztts_status kz_events_mark(kz_stream *s, uint64_t id, kz_err *err) {
    kz_events *e = &s->events;
    void *marks = e->marks;
    if (e->n_mark - e->from_mark >= MARKS_MAX)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%d marks wait already; read samples before setting more", MARKS_MAX);
    if (!make_room(&marks, &e->n_mark, &e->from_mark, &e->cap_mark, sizeof *e->marks))
        return kz_fail_memory(err, e->cap_mark * sizeof *e->marks, "marks");
    e->marks = marks;
    e->marks[e->n_mark++] = (kz_mark){s->input.n_put, id};
    return KZTTS_OK;
}

static void pass_marks(kz_stream *s, uint64_t up_to, uint64_t sample) {
    kz_events *e = &s->events;
    for (; e->from_mark < e->n_mark && e->marks[e->from_mark].at <= up_to; e->from_mark++) {
        const kz_mark *mark = &e->marks[e->from_mark];
        push(s, (kztts_event){.type = KZTTS_EVENT_MARK,
                              .sample = sample,
                              .text_begin = mark->at,
                              .text_end = mark->at,
                              .exact = 1,
                              .mark = mark->id});
    }
}

/* The end of the sentence before, wherever it was noted, but not behind `sample`. */
static void end_sentence(kz_stream *s, uint64_t sample) {
    kz_events *e = &s->events;
    if (!e->in_sentence)
        return;
    if (e->ending.sample > sample)
        e->ending.sample = sample;
    push(s, e->ending);
    e->in_sentence = false;
}

static void begin_sentence(kz_stream *s, kz_split_range range, uint64_t sample, bool exact) {
    end_sentence(s, sample);
    pass_marks(s, range.begin, sample);
    kztts_event event = {.type = KZTTS_EVENT_SENTENCE_BEGIN,
                         .sample = sample,
                         .text_begin = range.begin,
                         .text_end = range.end,
                         .exact = exact};
    push(s, event);
    event.type = KZTTS_EVENT_SENTENCE_END;
    event.sample = UINT64_MAX;
    s->events.ending = event;
    s->events.in_sentence = true;
}

void kz_events_begin_part(kz_stream *s, const kz_part *part) {
    begin_sentence(s, part->chunk.sentence[0], kz_join_position(s->join), true);
}

static bool is_quiet(const float *pcm, size_t n) {
    const float heard = 0.01F;
    for (size_t i = 0; i < n; i++)
        if (pcm[i] > heard || pcm[i] < -heard)
            return false;
    return true;
}

/* Seconds that the sentences up to the one at hand take, and all of them, about. */
static double share_before_next(const kz_part *part) {
    double until = 0, all = 0;
    for (size_t i = 0; i < part->chunk.n_sentence; i++) {
        kz_split_range r = part->chunk.sentence[i];
        double seconds = kz_guard_seconds(part->text + (r.begin - part->chunk.spoken.begin), (size_t)(r.end - r.begin));
        all += seconds;
        until += i <= part->i_sentence ? seconds : 0;
    }
    return all > 0 ? until / all : 1;
}

static double expected_frames(const kz_stream *s, const kz_part *part) {
    const kz_codec_config *c = &s->model->cfg.codec;
    return part->seconds * (double)c->sample_rate / (double)c->frame_samples;
}

/* The length is expected from the text and from the pace so far, never from codes that happen to be there already: events
 * must not depend on how many parts are generated together. */
void kz_events_frame(kz_stream *s, kz_part *part, const float *pcm) {
    const kz_codec_config *c = &s->model->cfg.codec;
    if (part->i_sentence + 1 >= part->chunk.n_sentence)
        return;
    double expected = expected_frames(s, part) * s->events.pace * share_before_next(part), at = (double)part->n_said;
    if (at < 0.7 * expected || (at < 1.3 * expected && !is_quiet(pcm, c->frame_samples)))
        return;
    s->events.ending.exact = false;
    part->i_sentence++;
    begin_sentence(s, part->chunk.sentence[part->i_sentence], kz_join_position(s->join), false);
}

/* Sentences that no frame was left for are passed at the end. */
void kz_events_end_part(kz_stream *s, kz_part *part) {
    double expected = expected_frames(s, part);
    if (expected > 0 && part->n_said)
        s->events.pace = (double)part->n_said / expected;
    while (part->begun && part->i_sentence + 1 < part->chunk.n_sentence) {
        s->events.ending.exact = false;
        part->i_sentence++;
        begin_sentence(s, part->chunk.sentence[part->i_sentence], kz_join_position(s->join), false);
    }
    s->events.ending.sample = kz_join_chunk_end(s->join);
    s->events.ending.text_end = part->chunk.sentence[part->chunk.n_sentence - 1].end;
}

/* Marks that a text which broke off hasn't reached are lost. */
void kz_events_finish(kz_stream *s) {
    bool whole = s->finish != KZTTS_FINISH_CANCELLED && s->finish != KZTTS_FINISH_FAILED;
    end_sentence(s, s->n_read);
    if (whole)
        pass_marks(s, UINT64_MAX, s->n_read);
    push(s, (kztts_event){.type = KZTTS_EVENT_FINISH, .sample = s->n_read, .exact = 1, .finish = s->finish});
}

void kz_events_deliver(kz_stream *s) {
    kz_events *e = &s->events;
    bool over = s->finish != KZTTS_FINISH_NONE;
    for (; e->from < e->n && (over || e->queue[e->from].sample <= s->n_read); e->from++) {
        kztts_event event = e->queue[e->from];
        event.size = sizeof event;
        if (event.sample > s->n_read)
            event.sample = s->n_read;
        s->utterance.on_event(s->utterance.on_event_user, &event);
    }
}
