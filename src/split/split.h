/* split.h: long text in, chunks fit for one utterance out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         UTF-8, in any pieces (each piece whole characters)
 * out        chunks: one to three sentences, or a part of an overlong one; a paragraph's end is always a chunk's end
 * state      the text that isn't in a chunk yet, and where its sentences end
 * threads    one user at a time
 * memory     that text; what a chunk has taken is released. put and the flushes allocate, next doesn't
 *
 * Sentences, and with the policies also chunks, are a function of the text (and of where it was flushed), never of the
 * pieces in which it came. docs/text.md says how texts are cut. */
#ifndef KZ_SPLIT_H
#define KZ_SPLIT_H

#include "base/base.h"

/* Whose abbreviations and habits are looked at. AUTO: by the script of the word, all Latin lists together. */
typedef enum kz_split_language {
    KZ_SPLIT_AUTO,
    KZ_SPLIT_ZH,
    KZ_SPLIT_EN,
    KZ_SPLIT_JA,
    KZ_SPLIT_KO,
    KZ_SPLIT_DE,
    KZ_SPLIT_FR,
    KZ_SPLIT_RU,
    KZ_SPLIT_PT,
    KZ_SPLIT_ES,
    KZ_SPLIT_IT,
    KZ_SPLIT_LANGUAGES
} kz_split_language;

/* "german", "German", "de", "de-AT": of any case; NULL and what isn't known: AUTO. */
kz_split_language kz_split_language_named(const char *name);

/* WHOLE: a chunk is closed when the sentence after it is known, and a text of a single chunk comes out byte for byte.
 * PREFIX: for text that is still being written. The first chunk is one sentence (more only while very short); later
 * ones are closed as early as nothing more can fit. Chunks depend on nothing after their end but the next character. */
typedef enum kz_split_policy { KZ_SPLIT_WHOLE, KZ_SPLIT_PREFIX } kz_split_policy;

/* Lengths in letters: an ideograph counts 3, a kana or Hangul syllable 2 (they take about that much longer to say),
 * everything else 1, blanks included. */
typedef struct kz_split_options {
    kz_split_policy policy;
    kz_split_language language;
    size_t max_length;    /* no chunk is longer; 0 = 300. At least 16 */
    size_t target_length; /* sentences are joined up to here; 0 = 3/4 of max_length */
    size_t short_length;  /* shorter ones are joined to a neighbour, up to max_length; 0 = 24, at most target / 2 */
} kz_split_options;

/* The silence before the next chunk, if one follows. */
typedef enum kz_pause { KZ_PAUSE_NONE /* inside a sentence */, KZ_PAUSE_SENTENCE, KZ_PAUSE_PARAGRAPH } kz_pause;

/* Bytes [begin, end) of all that has been put. */
typedef struct kz_split_range {
    uint64_t begin, end;
} kz_split_range;

enum { KZ_SPLIT_SENTENCES = 16 }; /* in one chunk, very short ones counted */

typedef struct kz_split_chunk {
    const char *text; /* what is to be spoken, without blanks around it; valid until the next call on the splitter */
    size_t n_byte;
    kz_split_range spoken; /* where that text is */
    kz_split_range cover;  /* from the end of the chunk before; behind the last chunk there is nothing to speak */
    kz_pause pause;
    size_t n_sentence;
    kz_split_range sentence[KZ_SPLIT_SENTENCES];
} kz_split_chunk;

typedef struct kz_split kz_split;

kztts_status kz_split_new(kz_split **out, const kz_split_options *options, kz_err *err);
void kz_split_free(kz_split *split); /* NULL is fine */

/* Forgets the text; new options. For the next text of a stream: keeps the memory. ARGUMENT as in new. */
kztts_status kz_split_restart(kz_split *split, const kz_split_options *options, kz_err *err);

/* Appends valid UTF-8 of whole characters. MEMORY; ARGUMENT after finish. */
kztts_status kz_split_put(kz_split *split, const char *text, size_t n, kz_err *err);

/* The writer pauses (a timer): a sentence whose end has been seen ends, although what follows isn't known; unfinished
 * ones stay. What has ended can be had with next at once. */
kztts_status kz_split_settle(kz_split *split, kz_err *err);

/* Everything put so far ends here, as a sentence. */
kztts_status kz_split_flush(kz_split *split, kz_err *err);

/* There is no more text. */
kztts_status kz_split_finish(kz_split *split, kz_err *err);

/* The next chunk: OK; AGAIN when it needs more text (or a flush), END after finish when there is none. A text with
 * nothing to speak in it (no letter, no digit) has no chunk. */
kztts_status kz_split_next(kz_split *split, kz_split_chunk *chunk);

size_t kz_split_pending(const kz_split *split); /* bytes put that are in no chunk yet */
uint64_t kz_split_total(const kz_split *split); /* bytes put in all */
uint64_t kz_split_steps(const kz_split *split); /* characters looked at so far: the measure of work, for tests */

#endif
