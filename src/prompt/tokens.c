/* tokens.c: texts into templates (specification 2.4).  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "prompt/prompt.h"

/* `<|im_start|>` ROLE `\n` TEXT `<|im_end|>` `\n`. Role and text are one string to the tokenizer, as in the official
 * program: a text that begins with a newline merges with the role's. */
static kztts_status add_turn(kz_ids *ids, const kz_tokenizer *tok, const kz_config *cfg, const char *role, kz_span text,
                             bool special, kz_err *err) {
    size_t n_role = strlen(role), n;
    char *piece = kz_add(n_role + 1, text.n, &n) ? kz_alloc(n, 1) : NULL;
    if (!piece)
        return kz_fail_memory(err, text.n, "the text");
    memcpy(piece, role, n_role);
    if (text.n)
        memcpy(piece + n_role, text.s, text.n);
    kztts_status status = kz_ids_push(ids, cfg->im_start, err);
    if (status >= 0)
        status = kz_tokenizer_encode(tok, piece, n_role + text.n, special, ids, err);
    kz_free(piece);
    KZ_TRY(status);
    KZ_TRY(kz_ids_push(ids, cfg->im_end, err));
    return kz_tokenizer_encode(tok, "\n", 1, false, ids, err);
}

static kztts_status add_all(kz_prompt_tokens *out, const kz_tokenizer *tok, const kz_config *cfg, kz_span text,
                            kz_span instruct, kz_span ref, bool special, kz_err *err) {
    static const char assistant[] = "assistant\n";
    KZ_TRY(add_turn(&out->text, tok, cfg, assistant, text, special, err));
    KZ_TRY(kz_ids_push(&out->text, cfg->im_start, err));
    KZ_TRY(kz_tokenizer_encode(tok, assistant, sizeof assistant - 1, false, &out->text, err));
    if (instruct.n)
        KZ_TRY(add_turn(&out->instruct, tok, cfg, "user\n", instruct, special, err));
    if (ref.n)
        KZ_TRY(add_turn(&out->ref, tok, cfg, assistant, ref, special, err));
    return KZTTS_OK;
}

static kztts_status check_ids(const kz_ids *ids, const kz_config *cfg, size_t least, kz_err *err) {
    if (ids->n && ids->n < least)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "the tokenizer gives %zu tokens for a template of at least %zu; it doesn't fit this model",
                       ids->n, least);
    for (size_t i = 0; i < ids->n; i++)
        if (ids->id[i] < 0 || (size_t)ids->id[i] >= cfg->text_vocab)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "the tokenizer gives id %d, the model's text table has %zu rows",
                           ids->id[i], cfg->text_vocab);
    return KZTTS_OK;
}

kztts_status kz_prompt_tokenize(kz_prompt_tokens *out, const kz_tokenizer *tok, const kz_config *cfg, kz_span text,
                                kz_span instruct, kz_span ref, bool special, kz_err *err) {
    *out = (kz_prompt_tokens){0};
    kztts_status status = add_all(out, tok, cfg, text, instruct, ref, special, err);
    if (status >= 0)
        status = check_ids(&out->text, cfg, KZ_SYNTHESIS_HEAD + KZ_SYNTHESIS_TAIL, err);
    if (status >= 0)
        status = check_ids(&out->instruct, cfg, 0, err);
    if (status >= 0)
        status = check_ids(&out->ref, cfg, KZ_REFERENCE_HEAD + KZ_REFERENCE_TAIL, err);
    if (status < 0)
        kz_prompt_tokens_free(out);
    return status;
}

void kz_prompt_tokens_free(kz_prompt_tokens *tokens) {
    kz_ids_free(&tokens->text);
    kz_ids_free(&tokens->instruct);
    kz_ids_free(&tokens->ref);
}
