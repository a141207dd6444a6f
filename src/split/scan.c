/* scan.c: where sentences end.  SPDX-License-Identifier: Apache-2.0
 *
 * The scan reads every character once and stops where it needs more text; docs/text.md has its rules in words. */
#include <string.h>

#include "split/internal.h"

enum { OPENERS_MAX = 8, WORD_MAX = 32 /* bytes looked at of what may begin the next sentence */ };

typedef enum kz_answer { KZ_NO, KZ_YES, KZ_WAIT } kz_answer;

/* The text that follows a stop: its first word, quotes, brackets and dashes left out. */
typedef struct kz_ahead {
    bool known; /* false: the text ends before it */
    bool complete;
    kz_char first; /* of the word; its class is 0 at the end of the text */
    bool upper;    /* begins with a capital, or has one as its second letter (iPhone) */
    bool capitals; /* has nothing else */
    bool dotted;   /* a full stop follows the word */
    char word[WORD_MAX];
} kz_ahead;

static uint64_t text_end(const kz_split *split) { return split->base + split->n; }

static kz_char char_at(kz_split *split, uint64_t place) {
    split->n_step++;
    return kz_char_at(kz_split_at(split, place));
}

/* ---- looking ahead ----------------------------------------------------------------------------------------- */

static void read_word(kz_split *split, kz_ahead *ahead, uint64_t at) {
    uint64_t from = at, end = text_end(split);
    kz_char c = {0};
    for (unsigned i = 0; at < end; at += c.n_byte, i++) {
        c = char_at(split, at);
        if (!(c.is & (KZ_LETTER | KZ_MARK | KZ_DIGIT)) || at - from >= WORD_MAX - 8)
            break;
        ahead->upper = ahead->upper || (i < 2 && (c.is & KZ_UPPER));
        ahead->capitals = (i == 0 || ahead->capitals) && (c.is & KZ_UPPER);
    }
    ahead->complete = at < end;
    ahead->dotted = ahead->complete && (c.is & KZ_DOT);
    kz_fold(ahead->word, sizeof ahead->word, kz_split_at(split, from), (size_t)(at - from));
}

static kz_ahead look_ahead(kz_split *split, bool final) {
    kz_ahead ahead = {.known = final, .complete = final};
    uint64_t at = split->scan.at, end = text_end(split);
    for (int i = 0; at < end; i++) {
        kz_char c = char_at(split, at);
        bool skip = c.is & (KZ_OPEN | KZ_CLOSE | KZ_DASH | KZ_SPACE | KZ_ELLIPSIS | KZ_DOT);
        if (!skip || i == OPENERS_MAX) {
            ahead.known = true;
            ahead.first = c;
            read_word(split, &ahead, at);
            ahead.complete = ahead.complete || final;
            return ahead;
        }
        at += c.n_byte;
    }
    return ahead;
}

/* ---- is it an end? ----------------------------------------------------------------------------------------- */

/* Particles and quotatives that go on after a quotation in Japanese. */
static bool goes_on_in_japanese(int32_t c) {
    static const int32_t particle[] = {0x304B, 0x304C, 0x3063, 0x3067, 0x3068, 0x306A,
                                       0x306B, 0x306E, 0x306F, 0x3082, 0x3084, 0x3092};
    for (size_t i = 0; i < sizeof particle / sizeof *particle; i++)
        if (particle[i] == c)
            return true;
    return false;
}

static kz_answer decide_wide(const kz_split *split, kz_char next) {
    const kz_scan *s = &split->scan;
    if (next.is & KZ_COMMA)
        return KZ_NO;
    if (s->closed && s->at == s->end && goes_on_in_japanese(next.c))
        return KZ_NO;
    const char *stop = kz_split_at(split, s->stop_begin);
    bool full_width_dot = kz_char_at(stop).c == 0xFF0E && s->at == s->stop_begin + 3;
    return full_width_dot && (next.is & KZ_DIGIT) ? KZ_NO : KZ_YES;
}

/* No blank follows: an end only between characters that are written without. */
static kz_answer decide_tight(const kz_split *split, kz_char next) {
    const kz_scan *s = &split->scan;
    if (s->stop == KZ_STOP_ELLIPSIS || (next.is & KZ_COMMA))
        return KZ_NO;
    if (s->stop == KZ_STOP_STRONG && (next.c == 0xA1 || next.c == 0xBF))
        return KZ_YES;
    if (s->stop_begin == s->begin)
        return KZ_NO;
    const char *begin = kz_split_at(split, s->begin);
    unsigned before = kz_char_at(kz_char_before(begin, kz_split_at(split, s->stop_begin))).is;
    unsigned both = (before | (s->stop == KZ_STOP_STRONG ? KZ_WIDE : 0)) & next.is;
    if (s->closed && ((next.is & KZ_HANGUL) || goes_on_in_japanese(next.c)))
        return KZ_NO;
    return (both & KZ_WIDE) || (before & next.is & KZ_HANGUL) ? KZ_YES : KZ_NO;
}

/* A Roman number, but not I: "No. I won't." */
static bool is_roman(const kz_ahead *ahead) {
    size_t n = strlen(ahead->word);
    return n > 1 && ahead->capitals && strspn(ahead->word, "ivxlc") == n;
}

/* After an abbreviation or a number: the first word of what follows decides. */
static kz_answer decide_word(const kz_split *split, const kz_ahead *ahead) {
    const kz_scan *s = &split->scan;
    kz_split_language language = split->options.language;
    const char *begin = kz_split_at(split, s->begin);
    size_t at = (size_t)(s->stop_begin - s->begin);
    bool starts = !ahead->dotted && kz_word_starts(language, ahead->word);
    switch (s->stop) {
    case KZ_STOP_STARTER:
        return starts && !(ahead->first.is & KZ_DIGIT) ? KZ_YES : KZ_NO;
    case KZ_STOP_ORDINAL:
        return kz_word_ordinal(language, begin, at, ahead->word) ? KZ_NO : KZ_YES;
    case KZ_STOP_NUMBER:
        return (ahead->first.is & KZ_DIGIT) || is_roman(ahead) ? KZ_NO : KZ_YES;
    default:
        return KZ_YES;
    }
}

static kz_answer decide_date(const kz_split *split, const kz_ahead *ahead) {
    const kz_scan *s = &split->scan;
    const char *begin = kz_split_at(split, s->begin), *p = kz_split_at(split, s->stop_begin);
    if (ahead->first.is & KZ_DIGIT)
        return KZ_NO;
    while (p > begin && (kz_char_at(kz_char_before(begin, p)).is & (KZ_DIGIT | KZ_SPACE)))
        p = kz_char_before(begin, p);
    return p > begin + 1 && p[-1] == '.' && (kz_char_at(kz_char_before(begin, p - 1)).is & KZ_DIGIT) ? KZ_NO : KZ_YES;
}

/* Blanks, then a character: everything but Chinese and Japanese stops. */
static kz_answer decide_spaced(kz_split *split, bool final) {
    const kz_scan *s = &split->scan;
    bool by_word = s->stop == KZ_STOP_STARTER || s->stop == KZ_STOP_ORDINAL || s->stop == KZ_STOP_NUMBER;
    if (s->stop == KZ_STOP_NEVER)
        return KZ_NO;
    kz_ahead ahead = look_ahead(split, final);
    if (!ahead.known)
        return KZ_WAIT;
    if ((ahead.first.is & KZ_LOWER) && !ahead.upper) {
        /* wait for the second letter of iPhone; a text without capitals has sentences too */
        if (!ahead.complete && strlen(ahead.word) == ahead.first.n_byte)
            return KZ_WAIT;
        bool informal = !s->upper && !s->closed && (s->stop == KZ_STOP_STRONG || s->stop == KZ_STOP_WORD);
        return informal ? KZ_YES : KZ_NO;
    }
    if (by_word && !ahead.complete)
        return KZ_WAIT;
    if (s->stop == KZ_STOP_DATE)
        return decide_date(split, &ahead);
    return decide_word(split, &ahead);
}

static kz_answer decide(kz_split *split, bool final) {
    kz_scan *s = &split->scan;
    kz_char next = char_at(split, s->at);
    if (!s->speakable)
        return KZ_NO;
    if (s->stop == KZ_STOP_WIDE)
        return decide_wide(split, next);
    if (s->at == s->end)
        return decide_tight(split, next);
    if ((next.is & KZ_COMMA) || ((next.is & KZ_CLOSE) && !(next.is & KZ_OPEN)))
        return next.c == '*' || next.c == '_' ? decide_spaced(split, final) : KZ_NO;
    return decide_spaced(split, final);
}

/* ---- marks at a line's beginning ----------------------------------------------------------------------------- */

/* Whether the line at the scan's place begins a list's item, a line of dialogue or a heading. */
static kz_answer line_mark(kz_split *split, bool final) {
    uint64_t at = split->scan.at, end = text_end(split);
    kz_answer at_end = final ? KZ_NO : KZ_WAIT;
    int n_digit = 0;
    kz_char c = char_at(split, at);
    if (c.c == '#')
        return KZ_YES;
    if ((c.is & KZ_DASH) || c.c == '*' || c.c == '+') {
        if (at + c.n_byte >= end)
            return at_end;
        return char_at(split, at + c.n_byte).is & KZ_SPACE ? KZ_YES : KZ_NO;
    }
    for (; (c.is & KZ_DIGIT) && n_digit < 4; n_digit++) {
        at += c.n_byte;
        if (at >= end)
            return at_end;
        c = char_at(split, at);
    }
    if (!n_digit || n_digit > 3 || (c.c != '.' && c.c != ')'))
        return KZ_NO;
    if (at + 1 >= end)
        return at_end;
    return char_at(split, at + 1).is & KZ_SPACE ? KZ_YES : KZ_NO;
}

/* ---- the scan ---------------------------------------------------------------------------------------------- */

static void note_quotes(kz_scan *s, int32_t c) {
    if (c == 0x201E)
        s->low_quote = true;
    else if (c == 0x201C)
        s->low_quote = false;
    else if (c == '"')
        s->straight = !s->straight;
    else if (c == 0xAB || c == 0xBB)
        s->guillemet = !s->guillemet ? c : s->guillemet == c ? c : 0;
}

/* Whether a quote or bracket right behind a stop closes. */
static bool closes(const kz_scan *s, kz_char c) {
    if (!(c.is & KZ_CLOSE))
        return false;
    switch (c.c) {
    case 0x201C:
        return s->low_quote;
    case 0xAB:
    case 0xBB:
        return s->guillemet ? s->guillemet != c.c : c.c == 0xBB;
    case '"':
        return s->straight || !(s->stop_is & KZ_WIDE);
    default:
        return true;
    }
}

/* One more character of the sentence. */
static void take(kz_split *split, kz_char c) {
    kz_scan *s = &split->scan;
    if (!s->open) {
        s->open = true;
        s->speakable = s->upper = s->hangul = false;
        s->heading = c.c == '#';
        s->begin = s->at;
        s->from = s->letters;
    }
    s->at += c.n_byte;
    s->letters += c.length;
    s->end = s->at;
    s->to = s->letters;
    s->speakable = s->speakable || (c.is & (KZ_LETTER | KZ_DIGIT));
    s->upper = s->upper || (c.is & KZ_UPPER);
    s->hangul = s->hangul || (c.is & KZ_HANGUL);
    note_quotes(s, c.c);
}

static void skip(kz_scan *s, kz_char c) {
    s->at += c.n_byte;
    s->letters += c.length;
    if ((c.is & KZ_NEWLINE) && s->n_newline < 2)
        s->n_newline++;
    if (c.is & KZ_BREAK)
        s->n_newline = 2;
}

/* The sentence that is open has ended. */
static kztts_status end_sentence(kz_split *split, kz_pause pause, kz_err *err) {
    kz_scan *s = &split->scan;
    kztts_status status = s->speakable ? kz_sentence_push(split, pause, err) : KZTTS_OK;
    s->open = false;
    s->mode = KZ_SCAN_GAP;
    if (pause != KZ_PAUSE_PARAGRAPH)
        s->n_newline = 0;
    return status;
}

static kztts_status end_paragraph(kz_split *split, kz_err *err) {
    kz_scan *s = &split->scan;
    s->low_quote = s->straight = false;
    s->guillemet = 0;
    return s->open ? end_sentence(split, KZ_PAUSE_PARAGRAPH, err) : KZTTS_OK;
}

static bool is_stop(kz_char c) { return c.is & (KZ_DOT | KZ_ELLIPSIS | KZ_STOP); }

static void begin_stop(kz_scan *s) {
    s->mode = KZ_SCAN_STOP;
    s->stop = KZ_STOP_NONE;
    s->stop_begin = s->at;
    s->stop_is = 0;
    s->n_dot = 0;
    s->closed = false;
}

/* What the stop is, once all of it has been seen. */
static void classify(kz_split *split) {
    kz_scan *s = &split->scan;
    uint64_t begin = s->begin < s->stop_begin ? s->begin : s->stop_begin;
    if (s->stop_is & KZ_STOP)
        s->stop = s->stop_is & KZ_WIDE ? KZ_STOP_WIDE : KZ_STOP_STRONG;
    else if (s->n_dot > 1 || (s->stop_is & KZ_ELLIPSIS))
        s->stop = KZ_STOP_ELLIPSIS;
    else {
        s->stop = kz_word_stop(split->options.language, kz_split_at(split, begin), (size_t)(s->stop_begin - begin),
                               s->closed, s->hangul);
        split->n_step += 64; /* characters looked back at, at most about so many */
    }
}

static bool step_stop(kz_split *split) {
    kz_scan *s = &split->scan;
    kz_char c = char_at(split, s->at);
    if (!is_stop(c) && !closes(s, c) && !(c.is & (KZ_SYMBOL | KZ_MARK)))
        return false;
    if (is_stop(c)) {
        s->stop_is |= c.is;
        s->n_dot += c.is & KZ_DOT ? 1 : 0;
    } else if (closes(s, c))
        s->closed = true;
    take(split, c);
    return true;
}

/* Behind a blank, but still of the sentence before: emoji, "! !", ". . .", the French closing quote. */
static bool belongs_to_stop(const kz_scan *s, kz_char c) {
    if (s->n_newline || s->at == s->end)
        return false;
    return (is_stop(c) && !(c.is & KZ_WIDE)) || (c.is & KZ_SYMBOL) || (c.c == 0xBB && s->guillemet == 0xAB);
}

static kztts_status step_gap(kz_split *split, kz_scan_end end, bool *wait, kz_err *err) {
    kz_scan *s = &split->scan;
    kz_char c = char_at(split, s->at);
    if (c.is & KZ_SPACE) {
        skip(s, c);
        return s->n_newline == 2 ? end_paragraph(split, err) : KZTTS_OK;
    }
    if (s->open && s->n_newline) {
        kz_answer mark = s->heading ? KZ_YES : line_mark(split, end == KZ_SCAN_FINAL);
        *wait = mark == KZ_WAIT;
        if (mark == KZ_YES)
            KZ_TRY(end_sentence(split, KZ_PAUSE_SENTENCE, err));
    }
    if (!*wait)
        s->mode = KZ_SCAN_BODY;
    return KZTTS_OK;
}

static kztts_status step_after(kz_split *split, kz_scan_end end, bool *wait, kz_err *err) {
    kz_scan *s = &split->scan;
    kz_char c = char_at(split, s->at);
    if (c.is & KZ_SPACE) {
        skip(s, c);
        return s->n_newline == 2 ? end_paragraph(split, err) : KZTTS_OK;
    }
    if (belongs_to_stop(s, c)) {
        s->mode = KZ_SCAN_STOP;
        s->closed = s->closed || (c.is & KZ_CLOSE);
        s->stop_is |= is_stop(c) ? c.is : 0;
        s->n_dot += c.is & KZ_DOT ? 1 : 0;
        take(split, c);
        return KZTTS_OK;
    }
    kz_answer answer = s->n_newline && s->speakable ? line_mark(split, end == KZ_SCAN_FINAL) : KZ_NO;
    if (answer == KZ_NO)
        answer = decide(split, end == KZ_SCAN_FINAL);
    *wait = answer == KZ_WAIT;
    if (answer == KZ_YES)
        return end_sentence(split, KZ_PAUSE_SENTENCE, err);
    if (answer == KZ_NO)
        s->mode = KZ_SCAN_BODY;
    return KZTTS_OK;
}

static kztts_status step(kz_split *split, kz_scan_end end, bool *wait, kz_err *err) {
    kz_scan *s = &split->scan;
    kz_char c;
    switch (s->mode) {
    case KZ_SCAN_GAP:
        return step_gap(split, end, wait, err);
    case KZ_SCAN_STOP:
        if (!step_stop(split)) {
            classify(split);
            s->mode = KZ_SCAN_AFTER;
            s->n_newline = 0;
        }
        return KZTTS_OK;
    case KZ_SCAN_AFTER:
        return step_after(split, end, wait, err);
    default:
        c = char_at(split, s->at);
        if (c.is & KZ_SPACE) {
            s->mode = KZ_SCAN_GAP;
            s->n_newline = 0;
        } else if (is_stop(c))
            begin_stop(s);
        else
            take(split, c);
        return KZTTS_OK;
    }
}

/* The text ends here for now: whether the sentence that is open does. */
static bool ends_here(kz_split *split, kz_scan_end end) {
    kz_scan *s = &split->scan;
    if (!s->open || end == KZ_SCAN_MORE)
        return false;
    if (end == KZ_SCAN_FINAL)
        return true;
    if (s->mode == KZ_SCAN_STOP)
        classify(split);
    else if (s->mode != KZ_SCAN_AFTER || s->at < text_end(split))
        return false;
    return s->speakable && s->stop != KZ_STOP_NEVER && s->stop != KZ_STOP_STARTER && s->stop != KZ_STOP_DATE;
}

kztts_status kz_scan_run(kz_split *split, kz_scan_end end, kz_err *err) {
    kz_scan *s = &split->scan;
    bool wait = false;
    while (s->at < text_end(split) && !wait) {
        KZ_TRY(step(split, end, &wait, err));
        while (s->open && s->letters - s->from >= 2 * split->options.max_length)
            KZ_TRY(kz_sentence_cut(split, err));
    }
    if (ends_here(split, end))
        return end_sentence(split, KZ_PAUSE_SENTENCE, err);
    return KZTTS_OK;
}
