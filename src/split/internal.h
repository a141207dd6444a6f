/* internal.h: what the files of this folder share with each other.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_SPLIT_INTERNAL_H
#define KZ_SPLIT_INTERNAL_H

#include "split/split.h"

/* ---- characters (chars.c) ---------------------------------------------------------------------------------- */

typedef enum kz_char_class {
    KZ_SPACE = 1 << 0, /* blanks, newlines and control characters */
    KZ_NEWLINE = 1 << 1,
    KZ_BREAK = 1 << 2,  /* a paragraph's end by itself */
    KZ_LETTER = 1 << 3, /* what can be spoken, with KZ_DIGIT */
    KZ_UPPER = 1 << 4,
    KZ_LOWER = 1 << 5,
    KZ_DIGIT = 1 << 6,
    KZ_WIDE = 1 << 7, /* ideographs, kana, and the punctuation that goes with them: written without blanks */
    KZ_HANGUL = 1 << 8,
    KZ_DOT = 1 << 9,       /* . */
    KZ_ELLIPSIS = 1 << 10, /* the three dots in one character */
    KZ_STOP = 1 << 11,     /* ! ? and relatives: with KZ_WIDE needs no blank behind it */
    KZ_OPEN = 1 << 12,     /* quotes and brackets, and the inverted marks; some are KZ_CLOSE too */
    KZ_CLOSE = 1 << 13,
    KZ_DASH = 1 << 14,
    KZ_COMMA = 1 << 15,   /* , and what else shows that the sentence goes on */
    KZ_CLAUSE = 1 << 16,  /* ; : and dashes: a good place to cut */
    KZ_SYMBOL = 1 << 17,  /* emoji and what modifies them */
    KZ_MARK = 1 << 18,    /* belongs to the character before */
    KZ_NO_START = 1 << 19 /* small kana and long marks, never at a piece's beginning */
} kz_char_class;

typedef struct kz_char {
    int32_t c;
    unsigned is;     /* kz_char_class */
    unsigned n_byte; /* of its UTF-8 */
    unsigned length; /* in letters */
} kz_char;

/* The character at text (valid UTF-8, at least one character). */
kz_char kz_char_at(const char *text);

/* Of the character before `text`; begin < text. */
const char *kz_char_before(const char *begin, const char *text);

/* Lower case of n bytes as UTF-8 in out [n_out], NUL-terminated; its length, or 0 when it doesn't fit. */
size_t kz_fold(char *out, size_t n_out, const char *text, size_t n);

/* ---- words (words.c, lists.c) ------------------------------------------------------------------------------ */

/* What a full stop is, by what is before it; docs/text.md. */
typedef enum kz_stop {
    KZ_STOP_NONE,
    KZ_STOP_WIDE,     /* of Chinese and Japanese: an end even without a blank */
    KZ_STOP_STRONG,   /* ! ? */
    KZ_STOP_ELLIPSIS, /* ... */
    KZ_STOP_WORD,     /* a full stop after a word that isn't known */
    KZ_STOP_NEVER,    /* after a title or another abbreviation that something follows */
    KZ_STOP_NUMBER,   /* of one that is followed by a number: No. 5 */
    KZ_STOP_MAY_END,  /* of one that often ends a sentence: etc. */
    KZ_STOP_STARTER,  /* of one after which only a word that begins sentences begins one: U.S., initials */
    KZ_STOP_ORDINAL,  /* after a number where that makes an ordinal (German) */
    KZ_STOP_DATE      /* after a number where dates are written 2026. 5. 3. (Korean) */
} kz_stop;

typedef struct kz_abbreviation {
    const char *word; /* lower case, without the last full stop and without blanks */
    char kind;        /* 'A' never, 'N' number, 'E' may end, 'S' starter */
    char only;        /* 'C' only capitalised, 'M' only in lower case, 'D' 'E' after a number, else 0 */
    bool local;       /* a word of other languages: only in a text of this language */
} kz_abbreviation;

typedef struct kz_words {
    const kz_abbreviation *abbreviation; /* sorted */
    size_t n_abbreviation;
    const char *const *starter; /* sorted */
    size_t n_starter;
} kz_words;

extern const kz_words kz_words_of[KZ_SPLIT_LANGUAGES];

/* Whether the word is in the list (n strings, sorted). */
bool kz_listed(const char *const *list, size_t n, const char *word);

/* The stop at text[at], a single full stop; the sentence begins at text. closed: quotes or brackets follow it. */
kz_stop kz_word_stop(kz_split_language language, const char *text, size_t at, bool closed, bool hangul);

/* Words that begin sentences, in the language or one of the script's. */
bool kz_word_starts(kz_split_language language, const char *word);

/* Whether the number before the full stop at text[at] is an ordinal before `word` (folded, "" for none). */
bool kz_word_ordinal(kz_split_language language, const char *text, size_t at, const char *word);

/* ---- sentences (scan.c, cut.c) ----------------------------------------------------------------------------- */

typedef struct kz_sentence {
    kz_split_range range;
    uint64_t from, to; /* the same in letters */
    kz_pause pause;
    bool hard; /* a chunk's end */
} kz_sentence;

typedef enum kz_scan_mode {
    KZ_SCAN_GAP, /* blanks, before a sentence or inside one */
    KZ_SCAN_BODY,
    KZ_SCAN_STOP, /* full stops and what closes after them */
    KZ_SCAN_AFTER /* blanks after that; the next character decides */
} kz_scan_mode;

typedef struct kz_scan {
    uint64_t at, letters; /* next character, and the letters before it */
    kz_scan_mode mode;
    unsigned n_newline; /* in this gap */

    bool open; /* a sentence has begun */
    bool speakable, upper, hangul, heading;
    uint64_t begin, from; /* of the sentence */
    uint64_t end, to;     /* behind its last character that isn't blank */

    kz_stop stop;
    uint64_t stop_begin;
    unsigned stop_is; /* classes of its characters */
    unsigned n_dot;
    bool closed;

    /* quotes that are open, to tell which of the ambiguous ones closes; forgotten at a paragraph's end */
    bool low_quote, straight;
    int32_t guillemet; /* the one that opened, or 0 */
} kz_scan;

struct kz_split {
    kz_split_options options;
    char *text; /* [n] bytes from place `base` on */
    size_t n, cap;
    uint64_t base;
    kz_sentence *queue; /* [n_sentence] from n_taken on not in a chunk yet */
    size_t n_sentence, n_taken, queue_cap;
    kz_scan scan;
    uint64_t n_chunk, taken; /* the end of the last chunk's cover */
    uint64_t n_step;
    bool flushed, finished;
};

typedef enum kz_scan_end { KZ_SCAN_MORE, KZ_SCAN_SETTLE, KZ_SCAN_FINAL } kz_scan_end;

/* Goes on to the end of the text; what that means for the last sentence says `end`. */
kztts_status kz_scan_run(kz_split *split, kz_scan_end end, kz_err *err);

/* The text at a place. */
static inline const char *kz_split_at(const kz_split *split, uint64_t place) {
    return split->text + (size_t)(place - split->base);
}

/* Appends the sentence [begin, end) of the scan, in two when it is too long. MEMORY. */
kztts_status kz_sentence_push(kz_split *split, kz_pause pause, kz_err *err);

/* Cuts a first piece off a sentence that goes on and on. MEMORY. */
kztts_status kz_sentence_cut(kz_split *split, kz_err *err);

#endif
