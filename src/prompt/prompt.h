/* prompt.h: tokens and a voice in, the talker's first rows out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         text, instruction, voice, language
 * out        kz_prompt (specification section 3)
 * state      none
 * threads    any
 * memory     fresh memory per prompt, freed with kz_prompt_free */
#ifndef KZ_PROMPT_H
#define KZ_PROMPT_H

#include "embed/embed.h"
#include "text/text.h"

/* Ids around the text proper in the synthesis and reference templates. */
enum { KZ_SYNTHESIS_HEAD = 3, KZ_SYNTHESIS_TAIL = 5, KZ_REFERENCE_HEAD = 3, KZ_REFERENCE_TAIL = 2 };

/* The token strings of one request (specification 2.4). */
typedef struct kz_prompt_tokens {
    kz_ids text;     /* whole synthesis template */
    kz_ids instruct; /* whole instruct template; empty when there is no instruction */
    kz_ids ref;      /* whole reference template; empty when there is no reference text */
} kz_prompt_tokens;

/* A string that goes into a template; NULL or n 0 = absent (for `text`: empty). */
typedef struct kz_span {
    const char *s;
    size_t n;
} kz_span;

/* special: literal special tokens in the strings act, as in the official program; else they are plain text. */
kztts_status kz_prompt_tokenize(kz_prompt_tokens *out, const kz_tokenizer *tok, const kz_config *cfg, kz_span text,
                                kz_span instruct, kz_span ref, bool special, kz_err *err);
void kz_prompt_tokens_free(kz_prompt_tokens *tokens);

/* Language id of a request (specification 3.1): -1 for none. language: name in any case, NULL = auto.
 * speaker: entry of the model's list or NULL. ARGUMENT for an unknown or dialect name (near matches are named). */
kztts_status kz_prompt_language(int32_t *out, const kz_config *cfg, const char *language, const kz_named_id *speaker,
                                kz_err *err);

typedef struct kz_prompt_request {
    const kz_prompt_tokens *tokens;
    kz_text_mode mode;
    bool open;               /* streaming mode: more text comes through kz_prompt_add_text */
    int32_t language;        /* id or -1 */
    int32_t speaker;         /* codec id or -1 */
    const float *x_vector;   /* [d_model] or NULL; instead of speaker */
    const kz_code *ref_code; /* [n_ref, n_code] or NULL: the recording as context */
    size_t n_ref;
} kz_prompt_request;

kztts_status kz_prompt_build(kz_prompt *out, const kz_ctx *ctx, const kz_config *cfg, const kz_embed *embed,
                             const kz_prompt_request *request, kz_err *err);
/* Text tokens that an open prompt needs to begin with. */
size_t kz_prompt_least_text(const kz_prompt_request *request);

/* More text of an open prompt; last: its end comes behind. */
kztts_status kz_prompt_add_text(kz_prompt *prompt, const kz_ctx *ctx, const kz_config *cfg, const kz_embed *embed,
                                const kz_ids *ids, bool last, kz_err *err);
void kz_prompt_free(kz_prompt *prompt);

#endif
