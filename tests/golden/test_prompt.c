/* test_prompt.c: token strings and prompt rows of every kind of call.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "golden_model.h"

/* Special tokens that a text spells out act in the official program; ours must be able to take them as plain text. */
static void check_plain(golden_case *c, golden_model *m) {
    const char *text = golden_string(c, "text", 0);
    kz_prompt_tokens tokens = {0};
    kz_err err = {""};
    if (!text || !strstr(text, "<|im_end|>"))
        return;
    kz_span none = {NULL, 0};
    kztts_status status =
        kz_prompt_tokenize(&tokens, m->tokenizer, &m->cfg, (kz_span){text, strlen(text)}, none, none, false, &err);
    if (golden_ok(c, status, &err, "tokenize as plain text")) {
        size_t n_end = 0;
        for (size_t i = 0; i < tokens.text.n; i++)
            n_end += tokens.text.id[i] == m->cfg.im_end;
        if (n_end != 1)
            golden_fail(c, "as plain text the prompt ends %zu turns, expected 1 (the template's)", n_end);
    }
    kz_prompt_tokens_free(&tokens);
}

static void check_ids(golden_case *c, const char *name, const kz_ids *ids) {
    golden_check_i32(c, name, ids->id, ids->n);
    if (!golden_tensor(c, name) && ids->n)
        golden_fail(c, "%s: %zu ids, expected none", name, ids->n);
}

static void check(golden_case *c) {
    golden_model *m = golden_model_get(c, GOLDEN_PROMPT);
    if (!m)
        return;
    golden_request r;
    golden_clone clone = golden_clone_of(c, m);
    if (golden_request_make(&r, c, m, 0, &clone)) {
        check_ids(c, "input_ids", &r.tokens.text);
        check_ids(c, "instruct_ids", &r.tokens.instruct);
        check_ids(c, "ref_ids", &r.tokens.ref);
        golden_check_f32(c, "prompt", r.prompt.rows, r.prompt.n_row * r.prompt.d_model);
        golden_check_f32(c, "trailing", r.prompt.trailing, r.prompt.n_trailing * r.prompt.d_model);
        golden_check_f32(c, "tts_pad", r.prompt.pad, r.prompt.d_model);
    }
    golden_request_free(&r);
    check_plain(c, m);
}

int main(int argc, char **argv) { return golden_main("prompt", check, argc, argv); }
