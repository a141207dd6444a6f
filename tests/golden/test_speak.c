/* test_speak.c: whole greedy utterances, stage by stage and through the engine.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "golden_engine.h"

enum { WATCHED_LOGITS = 4, WATCHED_ROWS = 3 };

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Rows that a tap gives piece by piece, up to what the fixture holds. */
typedef struct rows {
    float *data;
    size_t n, cap;
} rows;

static void append(rows *r, const float *data, size_t n) {
    n = smaller(n, r->cap - r->n);
    if (n)
        memcpy(r->data + r->n, data, n * sizeof *data);
    r->n += n;
}

static rows room_for(golden_case *c, const char *name) {
    const kz_tensor *t = golden_tensor(c, name);
    rows r = {.cap = t ? t->n_elem : 0};
    r.data = golden_memory(c, r.cap, sizeof(float));
    return r;
}

/* What the taps of a run collect. */
typedef struct watch {
    rows sub_rows, sub_hidden, sub_logits;
    size_t n_layer, n_row, d_model;
    rows *layer; /* [n_layer] of [n_row, d_model] */
    bool strange;
} watch;

static void on_talker(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    watch *w = user;
    if (strcmp(stage, "talker_layer") != 0)
        return;
    if (index < 0 || (size_t)index >= w->n_layer || n_col != w->d_model)
        w->strange = true;
    else
        append(&w->layer[index], data, n_row * n_col);
}

static void on_predictor(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    watch *w = user;
    (void)index;
    if (!strcmp(stage, "predictor_rows"))
        append(&w->sub_rows, data, n_row * n_col);
    else if (!strcmp(stage, "predictor_hidden"))
        append(&w->sub_hidden, data, n_row * n_col);
    else if (!strcmp(stage, "predictor_logits"))
        append(&w->sub_logits, data, n_row * n_col);
}

static void start_watch(watch *w, golden_case *c, const kz_config *cfg, const kz_prompt *prompt) {
    size_t n = prompt->n_row * cfg->talker.d_model;
    *w = (watch){.n_layer = cfg->talker.n_layer, .n_row = prompt->n_row, .d_model = cfg->talker.d_model};
    w->sub_rows = room_for(c, "sub_rows");
    w->sub_hidden = room_for(c, "sub_hidden");
    w->sub_logits = room_for(c, "sub_logits");
    w->layer = golden_memory(c, w->n_layer, sizeof *w->layer);
    float *all = golden_memory(c, w->n_layer * n, sizeof *all);
    for (size_t i = 0; i < w->n_layer; i++)
        w->layer[i] = (rows){.data = all + i * n, .cap = n};
}

static void check_watch(golden_case *c, const watch *w) {
    if (w->strange)
        golden_fail(c, "a tap of the talker gave rows of another shape");
    for (size_t i = 0; i < w->n_layer; i++)
        if (w->layer[i].n != w->layer[i].cap)
            golden_fail(c, "layer %zu gave %zu numbers, expected %zu", i, w->layer[i].n, w->layer[i].cap);
    golden_check_f32(c, "layer_out", w->layer[0].data, w->n_layer * w->n_row * w->d_model);
    golden_check_f32(c, "sub_rows", w->sub_rows.data, w->sub_rows.n);
    golden_check_f32(c, "sub_hidden", w->sub_hidden.data, w->sub_hidden.n);
    golden_check_f32(c, "sub_logits", w->sub_logits.data, w->sub_logits.n);
}

static void check_speech(golden_case *c, const kz_config *cfg, const golden_speech *s) {
    size_t d = cfg->talker.d_model;
    golden_check_i32(c, "codes", s->codes, s->n_frame * cfg->n_code);
    golden_check_f32(c, "hidden", s->hidden, s->n_step * d);
    golden_check_f32(c, "prefill_hidden", s->hidden, d);
    golden_check_f32(c, "logits", s->logits, smaller(s->n_step, WATCHED_LOGITS) * cfg->vocab);
    golden_check_f32(c, "step_rows", s->step_rows, smaller(s->n_frame, WATCHED_ROWS) * d);
}

/* Samples the official call drops from the front when a recording was put before the generated codes. */
static size_t official_cut(size_t n_ref, size_t n_frame, size_t frame_samples) {
    size_t n = n_ref + n_frame;
    return (size_t)((double)n_ref / (double)n * (double)(n * frame_samples));
}

/* Decodes what the recording's and the generated codes give together. */
static void check_wave(golden_case *c, golden_model *m, const golden_clone *clone, const golden_speech *s) {
    size_t n_code = m->cfg.n_code, n = clone->n_ref + s->n_frame, frame = m->cfg.codec.frame_samples;
    kz_decoder_state *state = NULL;
    kz_err err = {""};
    kz_code *codes = golden_memory(c, n * n_code, sizeof *codes);
    float *pcm = golden_memory(c, n * frame, sizeof *pcm);
    if (clone->n_ref)
        memcpy(codes, clone->ref_code, clone->n_ref * n_code * sizeof *codes);
    memcpy(codes + clone->n_ref * n_code, s->codes, s->n_frame * n_code * sizeof *codes);
    kztts_status status =
        kz_decoder_state_new(&state, m->decoder, KZ_DECODE_REFERENCE, 8, kz_pool_threads(m->pool), &err);
    if (golden_ok(c, status, &err, "decoder state")) {
        size_t cut = official_cut(clone->n_ref, s->n_frame, frame);
        kz_decoder_reset(state);
        kz_decoder_run(&m->ctx, m->decoder, state, codes, n, pcm);
        golden_check_f32(c, "wave", pcm + cut, n * frame - cut);
    }
    kz_decoder_state_free(state);
}

/* The engine's own frame loop must say the same, and its samples must be the official ones. */
static void check_engine(golden_case *c, const kz_config *cfg, const golden_clone *clone, const golden_speech *s) {
    golden_utterance u;
    size_t frame = cfg->codec.frame_samples;
    if (!golden_engine_speak(&u, c, 0, clone))
        return;
    golden_check_i32(c, "codes", u.codes, u.n_frame * u.n_code);
    kztts_finish_reason want = s->eos ? KZTTS_FINISH_EOS : KZTTS_FINISH_LENGTH;
    if (u.finish != want)
        golden_fail(c, "finish reason %s, expected %s", kztts_finish_text(u.finish), kztts_finish_text(want));
    if (u.n_sample != u.n_frame * frame)
        golden_fail(c, "%zu samples for %zu frames", u.n_sample, u.n_frame);
    /* The official cut may fall a sample short of the recording's end: its arithmetic rounds. Ours never does. */
    if (official_cut(clone->n_ref, s->n_frame, frame) == clone->n_ref * frame)
        golden_check_f32(c, "wave", u.pcm, u.n_sample);
}

static void check(golden_case *c) {
    golden_model *m = golden_model_get(c, GOLDEN_PROMPT | GOLDEN_TALKER | GOLDEN_PREDICTOR | GOLDEN_DECODER);
    if (!m)
        return;
    golden_request r;
    golden_speech s;
    watch w;
    golden_clone clone = golden_clone_of(c, m);
    if (golden_request_make(&r, c, m, 0, &clone)) {
        golden_check_i32(c, "input_ids", r.tokens.text.id, r.tokens.text.n);
        golden_check_f32(c, "prompt", r.prompt.rows, r.prompt.n_row * r.prompt.d_model);
        start_watch(&w, c, &m->cfg, &r.prompt);
        const kz_tap talker = {on_talker, &w}, predictor = {on_predictor, &w};
        if (golden_speak(&s, c, m, &r.prompt, &talker, &predictor)) {
            check_watch(c, &w);
            check_speech(c, &m->cfg, &s);
            if (golden_tensor(c, "wave"))
                check_wave(c, m, &clone, &s);
            check_engine(c, &m->cfg, &clone, &s);
        }
    }
    golden_request_free(&r);
}

int main(int argc, char **argv) { return golden_main("speak", check, argc, argv); }
