/* parts.c: chunks become parts, several of which go through the language model at once.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/stream.h"

static double frame_rate(const kz_model *m) {
    return (double)m->cfg.codec.sample_rate / (double)m->cfg.codec.frame_samples;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

static void free_part(kz_part *part) {
    if (!part)
        return;
    if (part->lane)
        kz_lane_release(part->lane);
    kz_free(part->codes.data);
    kz_free(part->held);
    kz_free(part->text);
    kz_free(part);
}

void kz_parts_drop_head(kz_stream *s) {
    kz_part *part = s->parts;
    s->parts = part->next;
    free_part(part);
}

void kz_parts_drop(kz_stream *s) {
    while (s->parts)
        kz_parts_drop_head(s);
}

/* Where the utterance must end. The guard's bound counts only where the caller's own limit is larger; more text moves it. */
static void set_limit(const kz_stream *s, kz_part *part) {
    const kz_utterance *u = &s->utterance;
    size_t most = kz_guard_most_frames(part->seconds, frame_rate(s->model));
    bool bounded = u->guard && most < u->max_frames;
    part->codes.watched = u->guard;
    part->codes.limit_cuts = bounded || (u->guard && !u->max_given);
    part->codes.limit = bounded ? most : u->max_frames;
    part->may_grow = bounded && part->open;
}

/* A copy of the chunk's text, which may have zeros in it. */
static bool copy_text(kz_part *part, const kz_split_chunk *chunk) {
    part->text = kz_alloc(chunk->n_byte + 1, 1);
    if (part->text)
        memcpy(part->text, chunk->text, chunk->n_byte);
    part->chunk.text = part->text;
    return part->text != NULL;
}

static kztts_status new_part(const kz_stream *s, const kz_split_chunk *chunk, bool open, kz_part **out, kz_err *err) {
    kz_part *part = *out = kz_alloc(1, sizeof *part);
    if (!part)
        return kz_fail_memory(err, sizeof *part, "a part of the text");
    part->chunk = *chunk;
    part->open = open;
    part->seconds = kz_guard_seconds(chunk->text, chunk->n_byte);
    set_limit(s, part);
    part->codes.room = open ? s->utterance.max_frames : part->codes.limit;
    size_t n_code = part->codes.room * s->model->cfg.n_code;
    part->codes.data = kz_alloc(n_code, sizeof(kz_code));
    if (copy_text(part, chunk) && part->codes.data)
        return KZTTS_OK;
    free_part(part);
    *out = NULL;
    return kz_fail_memory(err, n_code * sizeof(kz_code) + chunk->n_byte, "a part of the text");
}

static void append_part(kz_stream *s, kz_part *part) {
    kz_part **end = &s->parts;
    while (*end)
        end = &(*end)->next;
    *end = part;
}

/* The next chunk of the text as the last part: OK, AGAIN, END. */
static kztts_status pull(kz_stream *s, kz_err *err) {
    kz_split_chunk chunk;
    kz_part *part;
    bool by_token = s->utterance.commit == KZTTS_COMMIT_TOKEN;
    kztts_status status = kz_input_next(&s->input, &chunk);
    if (status != KZTTS_OK)
        return status;
    KZ_TRY(new_part(s, &chunk, by_token && !s->input.finished, &part, err));
    append_part(s, part);
    if (!by_token) /* else once it has begun to be spoken */
        kz_input_took(&s->input, chunk.n_byte);
    s->tally.n_part++;
    s->tally.text_bytes = chunk.cover.end;
    return KZTTS_OK;
}

kztts_status kz_parts_head(kz_stream *s, kz_err *err) { return s->parts ? KZTTS_OK : pull(s, err); }

/* Looks ahead for that: a chunk more is taken. */
kztts_status kz_parts_is_last(kz_stream *s, bool *last, kz_err *err) {
    kztts_status status = s->input.finished && s->parts && !s->parts->next ? pull(s, err) : KZTTS_OK;
    *last = status == KZTTS_END;
    return status < 0 ? status : KZTTS_OK;
}

/* ---- lanes ------------------------------------------------------------------------------------------------- */

static kz_lane *free_lane(kz_stream *s) {
    for (size_t i = 0; i < s->n_lane; i++)
        if (!s->lane[i].codes)
            return &s->lane[i];
    return NULL;
}

/* OK, or AGAIN when there is too little text to begin with. */
static kztts_status give_lane(kz_stream *s, kz_part *part, kz_err *err) {
    kz_lane *lane = free_lane(s);
    bool fresh = !s->tally.n_row;
    kz_lane_text text = {{part->text, part->chunk.n_byte}, part->open, s->utterance.seed + (uint64_t)part->attempt};
    double begin = kz_now();
    kztts_status status = kz_lane_start(lane, s->model, s->voice, &s->utterance, &text, &part->codes, err);
    s->spent.prefill += kz_now() - begin;
    if (status != KZTTS_OK)
        return status;
    part->lane = lane;
    s->tally.n_text += part->attempt ? 0 : lane->n_text;
    if (fresh)
        s->tally.n_row = lane->prompt.n_row;
    if (s->utterance.commit == KZTTS_COMMIT_TOKEN && !part->attempt)
        kz_input_took(&s->input, part->chunk.n_byte);
    return KZTTS_OK;
}

/* More of an uncut text: its sentence reaches to the last letter. */
static void grow_sentence(kz_part *part, kz_span text) {
    kz_split_range more = kz_input_trimmed(text);
    if (more.end > more.begin)
        part->chunk.sentence[0].end = part->chunk.n_byte + more.end;
    part->chunk.n_byte += text.n;
}

/* By tokens: text that came meanwhile. */
static kztts_status extend(kz_stream *s, kz_part *part, kz_err *err) {
    bool last;
    kz_span text = kz_input_more(&s->input, &last);
    if (!part->open || !part->lane || (!text.n && !last))
        return KZTTS_OK;
    size_t n_before = part->lane->n_text;
    KZ_TRY(kz_lane_add_text(part->lane, text, last, err));
    s->tally.n_text += part->lane->n_text - n_before;
    s->tally.text_bytes += text.n;
    part->seconds += kz_guard_seconds(text.s, text.n);
    grow_sentence(part, text);
    part->open = !last;
    set_limit(s, part);
    kz_input_took(&s->input, text.n);
    return KZTTS_OK;
}

/* By tokens, and too little text to begin with: the part is made again of what is there now. */
static kztts_status begin_again(kz_stream *s) {
    kz_parts_drop(s);
    s->input.taken = false;
    s->tally.n_part--;
    return KZTTS_AGAIN;
}

static bool wants_lane(const kz_part *part) { return !part->lane && part->codes.finish == KZTTS_FINISH_NONE; }

/* Parts that may be there: so many wait for their turn with complete codes. */
static size_t most_parts(const kz_stream *s) { return 2 * s->n_lane; }

/* Gives lanes to waiting parts in their order, and takes chunks while lanes are free: the first part runs alone, so that
 * nothing delays its sound. */
static kztts_status fill_lanes(kz_stream *s, kz_err *err) {
    size_t n_part = 0, most = s->first_done ? most_parts(s) : 1;
    for (kz_part **at = &s->parts; n_part < most && free_lane(s); at = &(*at)->next, n_part++) {
        if (!*at) {
            kztts_status status = pull(s, err);
            if (status != KZTTS_OK)
                return status < 0 ? status : KZTTS_OK;
        }
        if (!wants_lane(*at))
            continue;
        kztts_status status = give_lane(s, *at, err);
        if (status == KZTTS_AGAIN)
            return begin_again(s);
        KZ_TRY(status);
    }
    return KZTTS_OK;
}

/* ---- retries ----------------------------------------------------------------------------------------------- */

static void free_list(kz_part *list) {
    while (list) {
        kz_part *next = list->next;
        free_part(list);
        list = next;
    }
}

static void shift(kz_split_range *range, uint64_t by) {
    range->begin += by;
    range->end += by;
}

/* Chunks of the part's text as parts of their own. */
static kztts_status take_pieces(const kz_stream *s, kz_split *split, const kz_part *part, kz_part **list, kz_err *err) {
    kz_split_chunk chunk;
    kztts_status status;
    while ((status = kz_split_next(split, &chunk)) == KZTTS_OK) {
        uint64_t by = part->chunk.spoken.begin;
        shift(&chunk.spoken, by);
        shift(&chunk.cover, by);
        for (size_t i = 0; i < chunk.n_sentence; i++)
            shift(&chunk.sentence[i], by);
        KZ_TRY(new_part(s, &chunk, false, list, err));
        (*list)->attempt = part->attempt;
        list = &(*list)->next;
    }
    return status;
}

/* The part's text in pieces of about half its length. *list stays NULL when it can't be cut. */
static kztts_status cut_part(const kz_stream *s, const kz_part *part, kz_part **list, kz_err *err) {
    enum { LEAST = 16 };
    kz_split *split = NULL;
    kz_split_options o = {.language = s->utterance.cut.language,
                          .max_length = part->chunk.n_byte / 2 > LEAST ? part->chunk.n_byte / 2 : LEAST};
    kztts_status status = kz_split_new(&split, &o, err);
    if (status >= 0)
        status = kz_split_put(split, part->text, part->chunk.n_byte, err);
    if (status >= 0)
        status = kz_split_finish(split, err);
    if (status >= 0)
        status = take_pieces(s, split, part, list, err);
    kz_split_free(split);
    if (status < 0 || (*list && !(*list)->next)) {
        free_list(*list);
        *list = NULL;
    }
    return status < 0 ? status : KZTTS_OK;
}

/* The list in the place of the part. */
static void replace(kz_stream *s, kz_part *part, kz_part *list) {
    kz_part **at = &s->parts, *last = list;
    while (*at != part)
        at = &(*at)->next;
    for (; last->next; last = last->next)
        s->tally.n_part++;
    last->chunk.pause = part->chunk.pause;
    last->next = part->next;
    *at = list;
    free_part(part);
}

kztts_status kz_parts_retry(kz_stream *s, kz_part *part, bool *retried, kz_err *err) {
    int most = s->utterance.retries;
    *retried = part->codes.cut && part->attempt < most && s->utterance.commit != KZTTS_COMMIT_TOKEN;
    if (!*retried)
        return KZTTS_OK;
    kz_part *list = NULL;
    part->attempt++;
    s->tally.n_retried++;
    kz_model_log(s->model, KZTTS_LOG_INFO, "bytes %llu to %llu of the text: %s, attempt %d of %d",
                 (unsigned long long)part->chunk.spoken.begin, (unsigned long long)part->chunk.spoken.end,
                 kztts_finish_text(part->codes.finish), part->attempt + 1, most + 1);
    if (part->attempt == most && most > 1)
        KZ_TRY(cut_part(s, part, &list, err));
    if (list) {
        replace(s, part, list);
        return KZTTS_OK;
    }
    part->codes.n_frame = 0;
    part->codes.finish = KZTTS_FINISH_NONE;
    part->codes.cut = false;
    part->hush = (kz_hush){0};
    part->n_good = 0;
    kz_free(part->held);
    part->held = NULL;
    return KZTTS_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* Parts whose codes have become complete give their lanes back. */
static kztts_status end_parts(kz_stream *s, kz_err *err) {
    for (kz_part *part = s->parts, *next; part; part = next) {
        bool retried;
        next = part->next;
        if (!part->lane || part->codes.finish == KZTTS_FINISH_NONE)
            continue;
        kz_lane_release(part->lane);
        part->lane = NULL;
        KZ_TRY(kz_parts_retry(s, part, &retried, err));
        s->first_done |= !retried;
    }
    return KZTTS_OK;
}

kztts_status kz_parts_prepare(kz_stream *s, kz_err *err) {
    kztts_status status = kz_parts_head(s, err);
    return status == KZTTS_OK ? fill_lanes(s, err) : status;
}

/* What the voice's next stream may begin with, once the prompt has been read. Failing only costs time then. */
static void keep_snapshot(kz_stream *s, const kz_lane *lane) {
    kz_err err = {""};
    if (!s->snapshot_due || lane->n_ready < lane->prompt.n_row)
        return;
    const kz_prefix *prefix = kz_warm_prefix(s->voice->warm, lane);
    s->snapshot_due = false;
    kz_warm_kept(s->voice->warm, s->utterance.snapshot); /* or tried */
    if (prefix && kz_snapshot_write(s, prefix, s->utterance.snapshot, &err) < 0)
        kz_model_log(s->model, KZTTS_LOG_DEBUG, "no snapshot of the voice: %s", err.message);
}

/* By tokens: at the guard's bound of the text so far too it waits for more, or for its end. */
static bool can_step(const kz_part *part) {
    return kz_lane_can_step(part->lane) && !(part->may_grow && part->codes.n_frame >= part->codes.limit);
}

kztts_status kz_parts_step(kz_stream *s, kz_err *err) {
    kz_lane *lanes[KZ_MAX_LANE];
    size_t n = 0;
    kztts_status status = fill_lanes(s, err);
    if (status != KZTTS_OK)
        return status;
    if (s->parts && s->parts->open)
        KZ_TRY(extend(s, s->parts, err));
    for (kz_part *part = s->parts; part; part = part->next)
        if (part->lane && can_step(part))
            lanes[n++] = part->lane;
    if (!n)
        return KZTTS_AGAIN;
    KZ_TRY(kz_step_lanes(lanes, n, &s->work, &s->spent, s, err));
    keep_snapshot(s, lanes[0]);
    return end_parts(s, err);
}
