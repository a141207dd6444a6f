/* input.h: text as it comes in, parts to be spoken out, for this folder.  SPDX-License-Identifier: Apache-2.0
 *
 * in         UTF-8 in pieces of whole characters, flushes, the end
 * out        chunks, as the utterance's commit and split say
 * state      text that is in no chunk yet
 * threads    one user
 * memory     that text */
#ifndef KZ_ENGINE_INPUT_H
#define KZ_ENGINE_INPUT_H

#include "engine/engine.h"

typedef struct kz_input {
    kz_split *split;
    bool cuts; /* the splitter is in use; else all text is one chunk */
    bool all;  /* texts without anything to speak too, as the official program (tests) */
    kztts_commit commit;
    char *buf; /* uncut: the text; by lines: the last, unfinished one; by tokens: what isn't spoken yet */
    size_t n, cap;
    uint64_t n_put;       /* bytes of text in all */
    bool finished, taken; /* taken: the one chunk of an uncut text was given */
    bool over;            /* by tokens: the utterance has ended, and what comes is dropped */
} kz_input;

/* For the next text. Keeps memory. */
kztts_status kz_input_restart(kz_input *in, const kz_utterance *u, kz_err *err);
void kz_input_free(kz_input *in);

kztts_status kz_input_put(kz_input *in, const char *text, size_t n, kz_err *err);
kztts_status kz_input_flush(kz_input *in, kz_err *err);  /* all text so far may be spoken */
kztts_status kz_input_settle(kz_input *in, kz_err *err); /* the writer pauses */
kztts_status kz_input_finish(kz_input *in, kz_err *err);
size_t kz_input_pending(const kz_input *in);

/* The next chunk: OK, AGAIN, END. By tokens, what is there of the text; kz_input_took says how much was used. */
kztts_status kz_input_next(kz_input *in, kz_split_chunk *chunk);
void kz_input_took(kz_input *in, size_t n_byte);
void kz_input_end(kz_input *in); /* the chunk's utterance has ended: by tokens no more text is wanted */

/* Without the blanks around. */
kz_split_range kz_input_trimmed(kz_span text);

/* By tokens: more of the chunk, all that no later text can change, or all after finish (last: nothing comes behind). */
kz_span kz_input_more(const kz_input *in, bool *last);

#endif
