/* golden_speak.c: the frame loop of the specification, written once more for the tests, so that every stage's numbers
 * can be seen between the stages.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "golden_model.h"

enum { WATCHED_FRAMES = 3 };

/* What the loop works with. */
typedef struct loop {
    golden_case *c;
    golden_model *m;
    const kz_prompt *prompt;
    kz_talker_state talker;
    kz_predictor_state predictor;
    kz_arena arena;
    float *scores, *scratch;
    uint8_t *seen;
    kz_token_rules rules;
    size_t max_frame;
} loop;

static bool make_state(loop *l) {
    kz_err err = {""};
    size_t max_pos = l->prompt->n_row + l->max_frame + 1;
    kztts_status status = KZTTS_OK;
    for (int pass = 0; pass < 2 && status == KZTTS_OK; pass++) {
        kz_talker_layout(&l->m->talker, &l->talker, &l->arena, max_pos, kz_pool_threads(l->m->pool));
        kz_predictor_layout(&l->m->predictor, &l->predictor, &l->arena, kz_pool_threads(l->m->pool));
        if (!pass)
            status = kz_arena_alloc(&l->arena, &err, "test state");
    }
    kz_talker_rewind(&l->talker, 0);
    return golden_ok(l->c, status, &err, "arena");
}

static void make_rules(loop *l) {
    const kz_config *cfg = &l->m->cfg;
    l->scores = golden_memory(l->c, kz_round16(cfg->vocab), sizeof(float));
    l->scratch = golden_memory(l->c, cfg->talker.d_model, sizeof(float));
    l->seen = golden_memory(l->c, cfg->vocab, 1);
    l->rules = (kz_token_rules){
        .penalty = (float)golden_number(l->c, "repetition_penalty", 1.05),
        .seen = l->seen,
        .suppress_from = cfg->vocab - 1024,
        .eos = (int32_t)golden_number(l->c, "eos_token_id", (double)cfg->codec_eos),
    };
}

static void make_room(golden_speech *s, golden_case *c, const kz_config *cfg, size_t max_frame) {
    *s = (golden_speech){0};
    s->codes = golden_memory(c, max_frame * cfg->n_code, sizeof(kz_code));
    s->hidden = golden_memory(c, (max_frame + 1) * cfg->talker.d_model, sizeof(float));
    s->logits = golden_memory(c, (max_frame + 1) * cfg->vocab + KZ_PANEL, sizeof(float));
    s->step_rows = golden_memory(c, max_frame * cfg->talker.d_model, sizeof(float));
}

static int32_t choose(loop *l, const float *logits, size_t n_before) {
    size_t vocab = l->m->cfg.vocab;
    memcpy(l->scores, logits, vocab * sizeof *logits);
    l->rules.hide_eos = n_before < 2;
    kz_sampling_rules(l->scores, vocab, &l->rules);
    return kz_sampling_argmax(l->scores, vocab);
}

static bool finish_frame(loop *l, golden_speech *s, const float *hidden, int32_t first, const kz_tap *tap) {
    kz_err err = {""};
    size_t d = l->m->cfg.talker.d_model, n = s->n_frame;
    kz_code *codes = s->codes + n * l->m->cfg.n_code;
    kz_ctx ctx = l->m->ctx;
    kz_predictor_lane lane = {&l->predictor, hidden, {.frame = (uint32_t)n}, codes};
    ctx.tap = n < WATCHED_FRAMES ? tap : NULL;
    codes[0] = first;
    if (!golden_ok(l->c, kz_predictor_frames(&ctx, &l->m->predictor, &lane, 1, &l->m->embed, NULL, &err), &err,
                   "predictor"))
        return false;
    float *row = s->step_rows + n * d;
    kz_embed_frame(&l->m->embed, codes, row, l->scratch);
    const float *text = n < l->prompt->n_trailing ? l->prompt->trailing + n * d : l->prompt->pad;
    for (size_t i = 0; i < d; i++)
        row[i] += text[i];
    s->n_frame++;
    return true;
}

static bool run_loop(loop *l, golden_speech *s, const kz_tap *tap_prompt, const kz_tap *tap_predictor) {
    size_t d = l->m->cfg.talker.d_model, vocab = l->m->cfg.vocab, n_row = l->prompt->n_row;
    const float *rows = l->prompt->rows;
    for (;;) {
        kz_ctx ctx = l->m->ctx;
        float *hidden = s->hidden + s->n_step * d, *logits = s->logits + s->n_step * vocab;
        ctx.tap = s->n_step ? NULL : tap_prompt;
        kz_talker_run(&ctx, &l->m->talker, &l->talker, rows, n_row, hidden);
        kz_talker_logits(&ctx, &l->m->talker, hidden, logits, 1);
        int32_t first = choose(l, logits, s->n_step++);
        if (first < 0 || (size_t)first >= vocab) {
            golden_fail(l->c, "step %zu: no first code", s->n_step - 1);
            return false;
        }
        l->seen[first] = 1;
        s->eos = first == l->rules.eos;
        if (s->eos || s->n_frame == l->max_frame)
            return true;
        if (!finish_frame(l, s, hidden, first, tap_predictor))
            return false;
        rows = s->step_rows + (s->n_frame - 1) * d;
        n_row = 1;
    }
}

bool golden_speak(golden_speech *out, golden_case *c, golden_model *m, const kz_prompt *prompt,
                  const kz_tap *tap_prompt, const kz_tap *tap_predictor) {
    loop l = {.c = c, .m = m, .prompt = prompt, .max_frame = (size_t)golden_number(c, "frames", 1)};
    make_room(out, c, &m->cfg, l.max_frame);
    make_rules(&l);
    bool ok = make_state(&l) && run_loop(&l, out, tap_prompt, tap_predictor);
    kz_arena_free(&l.arena);
    return ok;
}
