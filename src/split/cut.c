/* cut.c: sentences that are too long are cut where it hurts least.  SPDX-License-Identifier: Apache-2.0 */
#include "split/internal.h"

/* What a cut at a kind of place costs, in percent of max_length away from the ideal place. */
enum { COST_CLAUSE = 0, COST_COMMA = 15, COST_BLANK = 60, COST_WIDE = 90, COST_ANY = 300, COST_NEVER = 1000 };

static size_t cost_between(kz_char c, kz_char next) {
    unsigned joined = KZ_MARK | KZ_NO_START | KZ_CLOSE | KZ_COMMA | KZ_STOP | KZ_DOT | KZ_ELLIPSIS;
    if ((next.is & KZ_SPACE) && !(c.is & KZ_SPACE)) {
        if (c.is & KZ_CLAUSE)
            return COST_CLAUSE;
        return (c.is & (KZ_COMMA | KZ_CLOSE | KZ_ELLIPSIS | KZ_STOP)) || (next.is & KZ_NEWLINE) ? COST_COMMA
                                                                                                : COST_BLANK;
    }
    if ((c.is & KZ_WIDE) && (next.is & joined) == 0) {
        if (c.is & KZ_CLAUSE)
            return COST_CLAUSE;
        if (c.is & (KZ_COMMA | KZ_CLOSE))
            return COST_COMMA;
        return (next.is & KZ_WIDE) && !(c.is & KZ_OPEN) ? COST_WIDE : COST_ANY;
    }
    if ((next.is & KZ_MARK) || c.c == 0x200D)
        return COST_NEVER;
    return COST_ANY;
}

typedef struct kz_cut {
    uint64_t at, letters;
    size_t cost;
} kz_cut;

/* The cheapest place in [low, high] letters from the sentence's beginning. The last one at or before `high` is always
 * there, so that a cut never fails. */
static kz_cut best_cut(kz_split *split, size_t low, size_t high, size_t ideal) {
    const kz_scan *s = &split->scan;
    kz_cut best = {s->begin, s->from, SIZE_MAX};
    uint64_t at = s->begin, letters = s->from;
    while (at < s->at) {
        kz_char c = kz_char_at(kz_split_at(split, at));
        split->n_step++;
        at += c.n_byte;
        letters += c.length;
        size_t length = (size_t)(letters - s->from);
        if (length > high || at >= s->at)
            break;
        size_t away = length > ideal ? length - ideal : ideal - length;
        size_t cost = away * 100 / split->options.max_length +
                      (length < low ? 2 * COST_NEVER : cost_between(c, kz_char_at(kz_split_at(split, at))));
        if (cost <= best.cost)
            best = (kz_cut){at, letters, cost};
    }
    return best;
}

static bool speakable(kz_split *split, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end;) {
        kz_char c = kz_char_at(kz_split_at(split, at));
        split->n_step++;
        if (c.is & (KZ_LETTER | KZ_DIGIT))
            return true;
        at += c.n_byte;
    }
    return false;
}

static kztts_status push(kz_split *split, kz_sentence sentence, kz_err *err) {
    if (split->n_taken == split->n_sentence)
        split->n_taken = split->n_sentence = 0;
    if (split->n_sentence == split->queue_cap) {
        size_t cap = split->queue_cap ? 2 * split->queue_cap : 16;
        kz_sentence *queue = kz_alloc(cap, sizeof *queue);
        if (!queue)
            return kz_fail_memory(err, cap * sizeof *queue, "sentences");
        for (size_t i = split->n_taken; i < split->n_sentence; i++)
            queue[i - split->n_taken] = split->queue[i];
        kz_free(split->queue);
        split->queue = queue;
        split->queue_cap = cap;
        split->n_sentence -= split->n_taken;
        split->n_taken = 0;
    }
    split->queue[split->n_sentence++] = sentence;
    return KZTTS_OK;
}

/* Takes [begin, cut) off the sentence; blanks at the cut belong to neither side. */
static kztts_status take_piece(kz_split *split, kz_cut cut, kz_err *err) {
    kz_scan *s = &split->scan;
    kz_sentence piece = {.range = {s->begin, s->begin}, .from = s->from, .to = s->from, .pause = KZ_PAUSE_NONE};
    uint64_t at = s->begin, letters = s->from;
    while (at < s->end) {
        kz_char c = kz_char_at(kz_split_at(split, at));
        split->n_step++;
        if (at >= cut.at && !(c.is & KZ_SPACE))
            break;
        at += c.n_byte;
        letters += c.length;
        if (!(c.is & KZ_SPACE)) {
            piece.range.end = at;
            piece.to = letters;
        }
    }
    s->begin = at;
    s->from = letters;
    if (s->stop_begin < at)
        s->stop_begin = at;
    s->open = at < s->end;
    if (!s->open)
        s->mode = KZ_SCAN_GAP;
    bool spoken = speakable(split, piece.range.begin, piece.range.end);
    s->speakable = s->open && speakable(split, at, s->end);
    return spoken ? push(split, piece, err) : KZTTS_OK;
}

kztts_status kz_sentence_cut(kz_split *split, kz_err *err) {
    kz_scan *s = &split->scan;
    size_t max = split->options.max_length;
    if (s->to - s->from <= max) { /* it isn't long: the blanks behind it are, and they end it */
        bool spoken = s->speakable;
        s->open = false;
        s->mode = KZ_SCAN_GAP;
        return spoken ? push(split, (kz_sentence){{s->begin, s->end}, s->from, s->to, KZ_PAUSE_SENTENCE, false}, err)
                      : KZTTS_OK;
    }
    return take_piece(split, best_cut(split, max / 4, max, max), err);
}

kztts_status kz_sentence_push(kz_split *split, kz_pause pause, kz_err *err) {
    kz_scan *s = &split->scan;
    size_t max = split->options.max_length;
    bool cut = false;
    while (s->to - s->from > max) {
        size_t total = (size_t)(s->to - s->from), low = total > 2 * max ? max / 4 : total - max;
        KZ_TRY(take_piece(split, best_cut(split, low > max / 4 ? low : max / 4, max, total / 2), err));
        cut = split->n_sentence > split->n_taken;
    }
    if (s->begin == s->end || !speakable(split, s->begin, s->end)) {
        if (cut) /* the piece before is the last */
            split->queue[split->n_sentence - 1].pause = pause;
        return KZTTS_OK;
    }
    return push(split, (kz_sentence){{s->begin, s->end}, s->from, s->to, pause, false}, err);
}
