/* build.c: the rows before the first frame (specification 3.2, 3.3).  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "prompt/prompt.h"

/* The request with its ids cut out, its rows counted, and the place where the next row goes. */
typedef struct builder {
    const kz_config *cfg;
    const kz_embed *embed;
    const kz_prompt_request *req;
    kz_prompt *out;
    size_t d;
    const int32_t *role, *text; /* role: 3 ids; text: n_text */
    size_t n_text;
    const int32_t *ref;
    size_t n_ref_id;
    bool icl;
    float *all; /* every text row: tts_pad, tts_bos, header, then x, then the three last of the next line */
    float *x;   /* reference ids, text ids, tts_eos: [n_x, d] */
    size_t n_x;
    float *bos, *header, *codec_pad, *codec_bos, *scratch; /* [d] each, but header: instruction and role */
    size_t at;                                             /* rows written */
} builder;

enum { N_ROLE = 3 };

static void add_row(float *y, const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        y[i] = a[i] + b[i];
}

static float *next_row(builder *b) { return b->out->rows + b->at++ * b->d; }

static float *trailing_row(builder *b) { return b->out->trailing + b->out->n_trailing++ * b->d; }

static size_t n_tags(const builder *b) { return b->req->language >= 0 ? 4 : 3; }

static bool has_speaker(const builder *b) { return b->req->x_vector || b->req->speaker >= 0; }

static size_t n_header(const builder *b) { return N_ROLE + b->req->tokens->instruct.n; }

static size_t n_body(const builder *b) {
    size_t n_codec = 1 + b->req->n_ref;
    if (b->icl)
        return b->req->mode == KZ_TEXT_STREAMING ? n_codec : b->n_x + n_codec;
    return b->req->mode == KZ_TEXT_STREAMING ? 1 : b->n_text + 2;
}

static void cut_ids(builder *b) {
    const kz_prompt_tokens *t = b->req->tokens;
    b->role = t->text.id;
    b->text = t->text.id + KZ_SYNTHESIS_HEAD;
    b->n_text = t->text.n - KZ_SYNTHESIS_HEAD - KZ_SYNTHESIS_TAIL;
    b->icl = b->req->ref_code != NULL;
    if (b->icl && t->ref.n) {
        b->ref = t->ref.id + KZ_REFERENCE_HEAD;
        b->n_ref_id = t->ref.n - KZ_REFERENCE_HEAD - KZ_REFERENCE_TAIL;
    }
    b->n_x = b->n_ref_id + b->n_text + !b->req->open;
}

static kztts_status make_room(builder *b, kz_err *err) {
    kz_prompt *p = b->out;
    size_t n_row = n_header(b) + n_tags(b) + has_speaker(b) + 1 + n_body(b), n_trailing = b->n_x + 1;
    p->d_model = b->d;
    p->n_row = n_row;
    p->cap_trailing = n_trailing;
    size_t size;
    if (!kz_mul(n_row > n_trailing ? n_row : n_trailing, b->d, &size))
        return kz_fail_memory(err, SIZE_MAX, "the prompt");
    p->rows = kz_alloc(n_row * b->d, sizeof *p->rows);
    p->trailing = kz_alloc(n_trailing * b->d, sizeof *p->trailing);
    p->pad = kz_alloc(b->d, sizeof *p->pad);
    b->all = kz_alloc((n_header(b) + b->n_x + 5) * b->d, sizeof *b->all);
    if (!p->rows || !p->trailing || !p->pad || !b->all)
        return kz_fail_memory(err, size * sizeof(float), "the prompt");
    b->bos = b->all + b->d;
    b->header = b->bos + b->d;
    b->x = b->header + n_header(b) * b->d;
    b->codec_pad = b->x + b->n_x * b->d;
    b->codec_bos = b->codec_pad + b->d;
    b->scratch = b->codec_bos + b->d;
    return KZTTS_OK;
}

static int32_t *put_ids(int32_t *to, const int32_t *ids, size_t n) {
    if (n)
        memcpy(to, ids, n * sizeof *to);
    return to + n;
}

/* All in one pass over the projection's weights. */
static kztts_status embed_texts(builder *b, const kz_ctx *ctx, kz_err *err) {
    const kz_config *c = b->cfg;
    const kz_ids *instruct = &b->req->tokens->instruct;
    const size_t n = 2 + n_header(b) + b->n_x;
    int32_t *ids = kz_alloc(n, sizeof *ids), *to = ids;
    if (!ids)
        return kz_fail_memory(err, n * sizeof *ids, "the prompt");
    to = put_ids(to, &c->tts_pad, 1);
    to = put_ids(to, &c->tts_bos, 1);
    to = put_ids(to, instruct->id, instruct->n);
    to = put_ids(to, b->role, N_ROLE);
    to = put_ids(to, b->ref, b->n_ref_id);
    to = put_ids(to, b->text, b->n_text);
    (void)put_ids(to, &c->tts_eos, !b->req->open);
    kztts_status status = kz_embed_text(ctx, b->embed, ids, n, b->all, err);
    kz_free(ids);
    memcpy(b->out->pad, b->all, b->d * sizeof *b->all);
    kz_embed_codec(b->embed, c->codec_pad, b->codec_pad);
    kz_embed_codec(b->embed, c->codec_bos, b->codec_bos);
    return status;
}

/* Instruction, role, tags, speaker, text begin. */
static void add_header(builder *b) {
    const kz_config *c = b->cfg;
    int32_t lang = b->req->language;
    int32_t tags[4] = {c->codec_think, c->codec_think_bos, lang, c->codec_think_eos};
    int32_t no_tags[3] = {c->codec_nothink, c->codec_think_bos, c->codec_think_eos};
    memcpy(b->out->rows, b->header, n_header(b) * b->d * sizeof *b->header);
    b->at = n_header(b);
    for (size_t i = 0; i < n_tags(b); i++) {
        kz_embed_codec(b->embed, lang >= 0 ? tags[i] : no_tags[i], b->scratch);
        add_row(next_row(b), b->out->pad, b->scratch, b->d);
    }
    if (has_speaker(b)) {
        if (!b->req->x_vector)
            kz_embed_codec(b->embed, b->req->speaker, b->scratch);
        add_row(next_row(b), b->out->pad, b->req->x_vector ? b->req->x_vector : b->scratch, b->d);
    }
    add_row(next_row(b), b->bos, b->codec_pad, b->d);
    b->out->n_fixed = b->at;
    if (b->icl) {
        size_t n_codec = 1 + b->req->n_ref;
        bool cut = b->req->mode == KZ_TEXT_STREAMING && b->n_ref_id > n_codec;
        b->out->n_fixed += cut ? n_codec : b->n_ref_id;
    }
}

static void trail_pad(builder *b) { memcpy(trailing_row(b), b->out->pad, b->d * sizeof(float)); }

static void trail_text(builder *b, size_t from) {
    for (size_t p = from; p < b->n_x; p++)
        memcpy(trailing_row(b), b->x + p * b->d, b->d * sizeof(float));
}

/* Without a recording: one text row a frame, or all of them first. */
static kztts_status add_plain_body(builder *b, const kz_ctx *ctx, kz_err *err) {
    if (b->req->mode == KZ_TEXT_STREAMING) {
        /* an empty text has its closing tag in this place, as in the official program */
        if (!b->n_text)
            KZ_TRY(kz_embed_text(ctx, b->embed, b->text, 1, b->scratch, err));
        add_row(next_row(b), b->n_text ? b->x : b->scratch, b->codec_bos, b->d);
        trail_text(b, b->n_text ? 1 : 0);
        return KZTTS_OK;
    }
    for (size_t p = 0; p < b->n_x; p++)
        add_row(next_row(b), b->x + p * b->d, b->codec_pad, b->d);
    add_row(next_row(b), b->out->pad, b->codec_bos, b->d);
    trail_pad(b);
    return KZTTS_OK;
}

/* Codec side of a recording: codec_bos, then a row a reference frame. */
static const float *codec_row(builder *b, size_t p, float *row) {
    if (p == 0)
        return b->codec_bos;
    kz_embed_frame(b->embed, b->req->ref_code + (p - 1) * b->cfg->n_code, row, b->scratch);
    return row;
}

static kztts_status add_icl_body(builder *b, kz_err *err) {
    size_t n_codec = 1 + b->req->n_ref;
    float *row = kz_alloc(b->d, sizeof *row);
    if (!row)
        return kz_fail_memory(err, b->d * sizeof *row, "the prompt");
    if (b->req->mode == KZ_TEXT_STREAMING) {
        for (size_t p = 0; p < n_codec; p++) {
            const float *text = p < b->n_x ? b->x + p * b->d : b->out->pad;
            add_row(next_row(b), text, codec_row(b, p, row), b->d);
        }
        if (b->n_x > n_codec)
            trail_text(b, n_codec);
        else if (!b->req->open)
            trail_pad(b);
    } else {
        for (size_t p = 0; p < b->n_x; p++)
            add_row(next_row(b), b->x + p * b->d, b->codec_pad, b->d);
        for (size_t p = 0; p < n_codec; p++)
            add_row(next_row(b), b->out->pad, codec_row(b, p, row), b->d);
        trail_pad(b);
    }
    kz_free(row);
    return KZTTS_OK;
}

kztts_status kz_prompt_build(kz_prompt *out, const kz_ctx *ctx, const kz_config *cfg, const kz_embed *embed,
                             const kz_prompt_request *request, kz_err *err) {
    builder b = {.cfg = cfg, .embed = embed, .req = request, .out = out, .d = embed->d_model};
    *out = (kz_prompt){0};
    cut_ids(&b);
    kztts_status status = make_room(&b, err);
    if (status >= 0)
        status = embed_texts(&b, ctx, err);
    if (status >= 0)
        add_header(&b);
    if (status >= 0)
        status = b.icl ? add_icl_body(&b, err) : add_plain_body(&b, ctx, err);
    kz_free(b.all);
    if (status < 0)
        kz_prompt_free(out);
    return status;
}

/* ---- text that comes later ---------------------------------------------------------------------------------- */

size_t kz_prompt_least_text(const kz_prompt_request *request) {
    size_t n_ref_id = request->tokens->ref.n ? request->tokens->ref.n - KZ_REFERENCE_HEAD - KZ_REFERENCE_TAIL : 0;
    size_t n_codec = 1 + request->n_ref;
    return request->ref_code && n_codec > n_ref_id + 1 ? n_codec - n_ref_id : 1;
}

static kztts_status grow_trailing(kz_prompt *p, size_t n, kz_err *err) {
    if (p->n_trailing + n <= p->cap_trailing)
        return KZTTS_OK;
    size_t cap = 2 * p->cap_trailing + n, size;
    float *bigger = kz_mul(cap, p->d_model, &size) ? kz_alloc(size, sizeof *bigger) : NULL;
    if (!bigger)
        return kz_fail_memory(err, cap * p->d_model * sizeof *bigger, "the prompt");
    memcpy(bigger, p->trailing, p->n_trailing * p->d_model * sizeof *bigger);
    kz_free(p->trailing);
    p->trailing = bigger;
    p->cap_trailing = cap;
    return KZTTS_OK;
}

kztts_status kz_prompt_add_text(kz_prompt *p, const kz_ctx *ctx, const kz_config *cfg, const kz_embed *embed,
                                const kz_ids *ids, bool last, kz_err *err) {
    for (size_t i = 0; i < ids->n; i++)
        if (ids->id[i] < 0 || (size_t)ids->id[i] >= cfg->text_vocab)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "the tokenizer gives id %d, the model's text table has %zu rows",
                           ids->id[i], cfg->text_vocab);
    KZ_TRY(grow_trailing(p, ids->n + last, err));
    float *rows = p->trailing + p->n_trailing * p->d_model;
    KZ_TRY(kz_embed_text(ctx, embed, ids->id, ids->n, rows, err));
    if (last)
        KZ_TRY(kz_embed_text(ctx, embed, &cfg->tts_eos, 1, rows + ids->n * p->d_model, err));
    p->n_trailing += ids->n + last;
    return KZTTS_OK;
}

void kz_prompt_free(kz_prompt *prompt) {
    kz_free(prompt->rows);
    kz_free(prompt->trailing);
    kz_free(prompt->pad);
    *prompt = (kz_prompt){0};
}
