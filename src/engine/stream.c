/* stream.c: one utterance: its state and how it begins.  SPDX-License-Identifier: Apache-2.0 */
#include "engine/stream.h"

#include <string.h>

kztts_status kz_stream_new(kz_stream **out, const kz_model *m, kz_err *err) {
    kz_stream *s = kz_alloc(1, sizeof *s);
    *out = s;
    if (!s)
        return kz_fail_memory(err, sizeof *s, "a stream");
    s->model = m;
    atomic_init(&s->cancelled, false);
    return KZTTS_OK;
}

void kz_stream_free(kz_stream *s) {
    if (!s)
        return;
    kz_prompt_free(&s->prompt);
    kz_decoder_state_free(s->decoder);
    kz_decoder_state_free(s->primed);
    kz_arena_free(&s->arena);
    kz_free(s);
}

/* Everything the frame loop touches, for max_pos positions. Runs twice: measuring, then for real. */
static void layout(const kz_model *m, kz_stream *s, kz_arena *arena, size_t max_pos) {
    const kz_config *c = &m->cfg;
    int n_thread = kz_pool_threads(m->pool);
    size_t d = c->talker.d_model;
    s->hidden = kz_arena_take(arena, d, sizeof(float));
    s->row = kz_arena_take(arena, d, sizeof(float));
    s->row_scratch = kz_arena_take(arena, d, sizeof(float));
    s->logits = kz_arena_take(arena, c->vocab, sizeof(float));
    s->scratch = kz_arena_take(arena, c->vocab, sizeof(float));
    s->order = kz_arena_take(arena, c->vocab, sizeof(int32_t));
    s->seen = kz_arena_take(arena, c->vocab, 1);
    s->codes = kz_arena_take(arena, c->n_code, sizeof(kz_code));
    s->pcm = kz_arena_take(arena, c->codec.frame_samples, sizeof(float));
    size_t n_talker = kz_talker_scratch(&m->talker), n_predictor = kz_predictor_scratch(&m->predictor);
    s->qx = kz_arena_take(arena, n_talker > n_predictor ? n_talker : n_predictor, sizeof *s->qx);
    kz_predictor_layout(&m->predictor, &s->predictor, arena, n_thread);
    kz_talker_layout(&m->talker, &s->talker, arena, max_pos, n_thread);
}

size_t kz_model_stream_bytes(const kz_model *m, size_t max_frames, size_t n_prompt) {
    kz_stream s;
    kz_arena arena = {0};
    layout(m, &s, &arena, n_prompt + max_frames + 1);
    return arena.used;
}

/* The arena is kept between utterances while it is large enough. */
static kztts_status make_room(kz_stream *s, size_t max_pos, kz_err *err) {
    if (s->arena.base && max_pos <= s->max_pos)
        return KZTTS_OK;
    kz_arena_free(&s->arena);
    s->max_pos = s->n_ready = 0;
    layout(s->model, s, &s->arena, max_pos);
    KZ_TRY(kz_arena_alloc(&s->arena, err, "a stream; a lower limit of frames needs less"));
    layout(s->model, s, &s->arena, max_pos);
    s->max_pos = max_pos;
    return KZTTS_OK;
}

static kztts_status new_decoder_state(const kz_stream *s, kz_decoder_state **out, kz_err *err) {
    const kz_model *m = s->model;
    return kz_decoder_state_new(out, m->decoder, s->decode_mode, 1, kz_pool_threads(m->pool), err);
}

/* A recording used as context is decoded in front of the first frame, unheard, once for all utterances of a voice. */
static kztts_status prime_decoder(kz_stream *s, kz_err *err) {
    const kz_model *m = s->model;
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool};
    if (!s->primed)
        KZ_TRY(new_decoder_state(s, &s->primed, err));
    bool continuous = s->decode_mode == KZ_DECODE_CONTINUOUS;
    const char *snapshot = continuous ? s->utterance.snapshot : NULL;
    if (s->primed_voice != s->voice && continuous && s->voice->memory) {
        if (kz_snapshot_recall(s))
            s->primed_voice = s->voice;
        else
            s->memory_due = true;
    }
    if (s->primed_voice != s->voice && snapshot && kz_snapshot_read(s, snapshot))
        s->primed_voice = s->voice;
    if (s->primed_voice != s->voice) {
        s->snapshot_due = snapshot != NULL;
        kz_decoder_reset(s->primed);
        for (size_t f = 0; f < s->voice->n_ref; f++)
            kz_decoder_run(&ctx, m->decoder, s->primed, s->voice->ref_code + f * m->cfg.n_code, 1, s->pcm);
        s->primed_voice = s->voice;
    }
    kz_decoder_state_copy(s->decoder, s->primed);
    return KZTTS_OK;
}

static kztts_status make_decoder(kz_stream *s, kz_decode_mode mode, kz_err *err) {
    if (!s->decoder || s->decode_mode != mode) {
        kz_decoder_state_free(s->decoder);
        kz_decoder_state_free(s->primed);
        s->decoder = s->primed = NULL;
        s->primed_voice = NULL;
        s->decode_mode = mode;
        KZ_TRY(new_decoder_state(s, &s->decoder, err));
    }
    if (s->voice->ref_code)
        return prime_decoder(s, err);
    kz_decoder_reset(s->decoder);
    return KZTTS_OK;
}

/* Rows at the beginning that two prompts share, bit for bit. */
static size_t common_rows(const kz_prompt *a, const kz_prompt *b) {
    size_t n = a->n_row < b->n_row ? a->n_row : b->n_row, row = a->d_model * sizeof *a->rows, i = 0;
    while (i < n && memcmp(a->rows + i * a->d_model, b->rows + i * b->d_model, row) == 0)
        i++;
    return i;
}

/* What the utterance before left in the talker's cache serves again as far as the prompts agree: mostly all but the
 * text. The last row is always computed, for its output. */
static void take_prompt(kz_stream *s, kz_prompt *prompt) {
    size_t n = s->n_ready ? common_rows(&s->prompt, prompt) : 0;
    n = n < s->n_ready ? n : s->n_ready;
    s->n_ready = n < prompt->n_row ? n : prompt->n_row - 1;
    kz_prompt_free(&s->prompt);
    s->prompt = *prompt;
}

static kztts_status make_prompt(kz_stream *s, const kz_voice *voice, const kz_utterance *u, kz_span text, kz_err *err) {
    const kz_model *m = s->model;
    const char *instruct = voice->description ? voice->description : u->instruct, *ref = voice->ref_text;
    kz_prompt_tokens tokens;
    KZ_TRY(kz_prompt_tokenize(&tokens, m->tokenizer, &m->cfg, text,
                              (kz_span){instruct, instruct ? strlen(instruct) : 0},
                              (kz_span){ref, ref ? strlen(ref) : 0}, u->special, err));
    kz_prompt_request request = {.tokens = &tokens,
                                 .mode = u->text_mode,
                                 .language = u->language,
                                 .speaker = voice->speaker ? voice->speaker->id : -1,
                                 .x_vector = voice->x_vector,
                                 .ref_code = voice->ref_code,
                                 .n_ref = voice->n_ref};
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool, .tap = u->tap};
    size_t n_text = tokens.text.n - KZ_SYNTHESIS_HEAD - KZ_SYNTHESIS_TAIL;
    kztts_status status = KZTTS_OK;
    kz_prompt prompt;
    if (n_text > KZ_MAX_TEXT_TOKENS || tokens.instruct.n > KZ_MAX_TEXT_TOKENS || tokens.ref.n > KZ_MAX_TEXT_TOKENS)
        status =
            kz_fail(err, KZTTS_ERROR_TEXT, "the text has %zu tokens; one utterance takes at most %d, speak it in parts",
                    n_text, KZ_MAX_TEXT_TOKENS);
    else
        status = kz_prompt_build(&prompt, &ctx, &m->cfg, &m->embed, &request, err);
    kz_prompt_tokens_free(&tokens);
    KZ_TRY(status);
    take_prompt(s, &prompt);
    s->n_text = n_text;
    return KZTTS_OK;
}

kztts_status kz_stream_start(kz_stream *s, const kz_voice *voice, const kz_utterance *u, kz_span text, kz_err *err) {
    double begin = kz_now();
    s->finish = KZTTS_FINISH_FAILED; /* until all is ready */
    s->utterance = *u;
    s->utterance.instruct = NULL;
    s->voice = voice;
    s->n_frame = 0;
    s->snapshot_due = s->memory_due = false;
    s->spent = (kz_stream_times){0};
    KZ_TRY(make_prompt(s, voice, u, text, err));
    KZ_TRY(make_room(s, s->prompt.n_row + u->max_frames + 1, err));
    KZ_TRY(make_decoder(s, u->decode_mode, err));
    kz_talker_rewind(&s->talker, s->n_ready);
    memset(s->seen, 0, s->model->cfg.vocab);
    s->spent.prefill = kz_now() - begin;
    s->finish = KZTTS_FINISH_NONE;
    atomic_store(&s->cancelled, false);
    return KZTTS_OK;
}

void kz_stream_cancel(kz_stream *s) { atomic_store(&s->cancelled, true); }

const kz_prompt *kz_stream_prompt(const kz_stream *s) { return &s->prompt; }

void kz_stream_get_summary(const kz_stream *s, kztts_summary *out) {
    out->finish = s->finish;
    out->frames = s->n_frame;
    out->seed = s->utterance.seed;
    out->text_mode = s->utterance.text_mode == KZ_TEXT_STREAMING ? KZTTS_TEXT_STREAMING : KZTTS_TEXT_FULL;
    out->text_tokens = (int)s->n_text;
    out->prompt_rows = (int)s->prompt.n_row;
    out->prefill_s = s->spent.prefill;
    out->talker_s = s->spent.talker;
    out->predictor_s = s->spent.predictor;
    out->decoder_s = s->spent.decoder;
}
