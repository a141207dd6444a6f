/* lane.c: how an utterance begins in the language model, and text that comes later.
 * SPDX-License-Identifier: Apache-2.0 */
#include "engine/lane.h"

#include <string.h>

#include "engine/warm.h"

void kz_lane_free(kz_lane *lane) {
    kz_prompt_free(&lane->prompt);
    kz_arena_free(&lane->arena);
    *lane = (kz_lane){0};
}

/* Everything the frame loop touches, for max_pos positions. Runs twice: measuring, then for real. */
void kz_lane_layout(const kz_model *m, kz_lane *lane, kz_arena *arena, size_t max_pos) {
    const kz_config *c = &m->cfg;
    int n_thread = kz_pool_threads(m->pool);
    size_t d = c->talker.d_model;
    lane->hidden = kz_arena_take(arena, d, sizeof(float));
    lane->row = kz_arena_take(arena, d, sizeof(float));
    lane->row_scratch = kz_arena_take(arena, d, sizeof(float));
    lane->scratch = kz_arena_take(arena, c->vocab, sizeof(float));
    lane->order = kz_arena_take(arena, c->vocab, sizeof(int32_t));
    lane->seen = kz_arena_take(arena, c->vocab, 1);
    kz_predictor_layout(&m->predictor, &lane->predictor, arena, n_thread);
    kz_talker_layout(&m->talker, &lane->talker, arena, max_pos, n_thread);
}

/* The arena is kept between utterances while it is large enough: for some more positions than this one needs, which take no
 * memory until they are used. A few beside the round number keep heads from meeting in the same sets of a cache. */
static kztts_status make_room(kz_lane *lane, size_t max_pos, kz_err *err) {
    enum { STEP = 256, BESIDE = 8 };
    if (lane->arena.base && max_pos <= lane->max_pos)
        return KZTTS_OK;
    max_pos = (max_pos + STEP - 1) / STEP * STEP + BESIDE;
    kz_arena_free(&lane->arena);
    lane->max_pos = lane->n_ready = 0;
    kz_lane_layout(lane->model, lane, &lane->arena, max_pos);
    KZ_TRY(kz_arena_alloc(&lane->arena, err, "a stream; a lower limit of frames needs less"));
    kz_lane_layout(lane->model, lane, &lane->arena, max_pos);
    lane->max_pos = max_pos;
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
static void take_prompt(kz_lane *lane, kz_prompt *prompt) {
    size_t n = lane->n_ready ? common_rows(&lane->prompt, prompt) : 0;
    n = n < lane->n_ready ? n : lane->n_ready;
    lane->n_ready = n < prompt->n_row ? n : prompt->n_row - 1;
    kz_prompt_free(&lane->prompt);
    lane->prompt = *prompt;
}

kztts_status kz_lane_check_length(const kz_prompt_tokens *tokens, kz_err *err) {
    size_t n_text = tokens->text.n - KZ_SYNTHESIS_HEAD - KZ_SYNTHESIS_TAIL;
    if (n_text > KZ_MAX_TEXT_TOKENS)
        return kz_fail(err, KZTTS_ERROR_TEXT,
                       "the text has %zu tokens; one utterance takes at most %d, speak it in parts", n_text,
                       KZ_MAX_TEXT_TOKENS);
    bool instruct = tokens->instruct.n > KZ_MAX_TEXT_TOKENS;
    if (!instruct && tokens->ref.n <= KZ_MAX_TEXT_TOKENS)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_TEXT, "%s has %zu tokens; at most %d are possible, shorten it",
                   instruct ? "the instruction or description" : "the recording's text",
                   instruct ? tokens->instruct.n : tokens->ref.n, KZ_MAX_TEXT_TOKENS);
}

static kztts_status build(kz_lane *lane, const kz_prompt_tokens *tokens, bool open, kz_prompt *prompt, kz_err *err) {
    const kz_model *m = lane->model;
    const kz_voice *voice = lane->voice;
    kz_prompt_request request = {.tokens = tokens,
                                 .mode = lane->utterance->text_mode,
                                 .open = open,
                                 .language = lane->utterance->language,
                                 .speaker = voice->speaker ? voice->speaker->id : -1,
                                 .x_vector = voice->x_vector,
                                 .ref_code = voice->ref_code,
                                 .n_ref = voice->n_ref};
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool, .tap = lane->utterance->tap};
    size_t n_text = tokens->text.n - KZ_SYNTHESIS_HEAD - KZ_SYNTHESIS_TAIL;
    KZ_TRY(kz_lane_check_length(tokens, err));
    if (open && n_text < kz_prompt_least_text(&request))
        return KZTTS_AGAIN;
    lane->n_text = n_text;
    return kz_prompt_build(prompt, &ctx, &m->cfg, &m->embed, &request, err);
}

static kztts_status make_prompt(kz_lane *lane, const kz_lane_text *text, kz_err *err) {
    const kz_model *m = lane->model;
    const kz_voice *voice = lane->voice;
    const char *instruct = voice->description ? voice->description : lane->utterance->instruct, *ref = voice->ref_text;
    kz_prompt_tokens tokens;
    kz_prompt prompt;
    KZ_TRY(kz_prompt_tokenize(&tokens, m->tokenizer, &m->cfg, text->text,
                              (kz_span){instruct, instruct ? strlen(instruct) : 0},
                              (kz_span){ref, ref ? strlen(ref) : 0}, lane->utterance->special, err));
    kztts_status status = build(lane, &tokens, text->open, &prompt, err);
    kz_prompt_tokens_free(&tokens);
    if (status != KZTTS_OK)
        return status;
    take_prompt(lane, &prompt);
    return KZTTS_OK;
}

kztts_status kz_lane_start(kz_lane *lane, const kz_model *m, const kz_voice *voice, const kz_utterance *u,
                           const kz_lane_text *text, kz_codes *codes, kz_err *err) {
    lane->model = m;
    lane->voice = voice;
    lane->utterance = u;
    lane->seed = text->seed;
    lane->open = text->open;
    lane->n_frame = 0;
    lane->watch = (kz_watch){0};
    kztts_status status = make_prompt(lane, text, err);
    if (status != KZTTS_OK)
        return status;
    KZ_TRY(make_room(lane, lane->prompt.n_row + codes->room + 1, err));
    kz_warm_take(voice->warm, lane);
    kz_talker_rewind(&lane->talker, lane->n_ready);
    memset(lane->seen, 0, m->cfg.vocab);
    lane->codes = codes;
    return KZTTS_OK;
}

kztts_status kz_lane_add_text(kz_lane *lane, kz_span text, bool last, kz_err *err) {
    const kz_model *m = lane->model;
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool};
    kz_ids ids = {0};
    kztts_status status = kz_tokenizer_encode(m->tokenizer, text.s, text.n, false, &ids, err);
    if (status >= 0 && ids.n > KZ_MAX_TEXT_TOKENS - lane->n_text)
        status = kz_fail(err, KZTTS_ERROR_TEXT, "the text has more than %d tokens; one utterance takes no more",
                         KZ_MAX_TEXT_TOKENS);
    if (status >= 0)
        status = kz_prompt_add_text(&lane->prompt, &ctx, &m->cfg, &m->embed, &ids, last, err);
    if (status >= 0)
        lane->n_text += ids.n;
    kz_ids_free(&ids);
    lane->open = !last;
    return status;
}

bool kz_lane_can_step(const kz_lane *lane) {
    return !lane->open || lane->n_frame == 0 || lane->n_frame - 1 < lane->prompt.n_trailing;
}

void kz_lane_release(kz_lane *lane) { lane->codes = NULL; }
