/* golden_model.c: opens a fixture's checkpoint, makes requests of cases.  SPDX-License-Identifier: Apache-2.0 */
#include "golden_model.h"

#include <stdio.h>
#include <string.h>

static golden_model kept;
static char kept_dir[8192];
static bool is_kept;

static void close_kept(void) {
    if (!is_kept)
        return;
    kz_decoder_free(kept.decoder);
    kz_predictor_free(&kept.predictor);
    kz_talker_free(&kept.talker);
    kz_embed_free(&kept.embed);
    kz_tokenizer_close(kept.tokenizer);
    kz_weights_close(kept.codec_weights);
    kz_weights_close(kept.weights);
    kz_pool_free(kept.pool);
    kz_config_free(&kept.cfg);
    memset(&kept, 0, sizeof kept);
    is_kept = false;
}

static kztts_status open_language(golden_model *m, const char *dir, unsigned parts, kz_err *err) {
    if (parts & GOLDEN_PROMPT)
        KZ_TRY(kz_tokenizer_open(&m->tokenizer, dir, KZ_PATTERN_NATIVE, err));
    if (parts & ~(unsigned)GOLDEN_DECODER) {
        KZ_TRY(kz_weights_open_dir(&m->weights, dir, err));
        KZ_TRY(kz_embed_load(&m->embed, &m->cfg, m->weights, m->pool, err));
    }
    if (parts & GOLDEN_TALKER)
        KZ_TRY(kz_talker_load(&m->talker, &m->cfg, m->weights, m->pool, err));
    if (parts & GOLDEN_PREDICTOR)
        KZ_TRY(kz_predictor_load(&m->predictor, &m->cfg, m->weights, m->pool, err));
    return KZTTS_OK;
}

static kztts_status open_codec(golden_model *m, const char *dir, kz_err *err) {
    char path[8192 + 32];
    snprintf(path, sizeof path, "%s/speech_tokenizer", dir);
    KZ_TRY(kz_weights_open_dir(&m->codec_weights, path, err));
    return kz_decoder_load(&m->decoder, &m->cfg.codec, m->codec_weights, m->pool, err);
}

static kztts_status open_model(golden_model *m, const char *dir, unsigned parts, kz_err *err) {
    m->parts = parts;
    KZ_TRY(kz_config_read(&m->cfg, dir, err));
    KZ_TRY(kz_pool_new(&m->pool, golden_threads(), err));
    m->ctx = (kz_ctx){.k = golden_kernels(), .pool = m->pool};
    KZ_TRY(open_language(m, dir, parts, err));
    return parts & GOLDEN_DECODER ? open_codec(m, dir, err) : KZTTS_OK;
}

golden_model *golden_model_get(golden_case *c, unsigned parts) {
    kz_err err = {""};
    if (is_kept && !strcmp(kept_dir, c->checkpoint) && (kept.parts & parts) == parts)
        return &kept;
    close_kept();
    golden_when_done(close_kept);
    is_kept = true;
    snprintf(kept_dir, sizeof kept_dir, "%s", c->checkpoint);
    if (golden_ok(c, open_model(&kept, c->checkpoint, parts, &err), &err, c->checkpoint))
        return &kept;
    close_kept();
    return NULL;
}

/* ---- requests ---------------------------------------------------------------------------------------------- */

golden_clone golden_clone_of(golden_case *c, const golden_model *m) {
    golden_clone clone = {NULL, NULL, 0};
    size_t n = 0;
    clone.x_vector = golden_f32(c, "speaker_embedding", &n);
    if (clone.x_vector && n != m->cfg.talker.d_model)
        golden_fail(c, "speaker_embedding: %zu numbers, the model is %zu wide", n, m->cfg.talker.d_model);
    clone.ref_code = golden_i32(c, "ref_codes", &n);
    clone.n_ref = n / m->cfg.n_code;
    return clone;
}

static kz_span span_of(const char *s) { return (kz_span){s, s ? strlen(s) : 0}; }

/* Who speaks which language. */
static bool resolve(golden_case *c, const kz_config *cfg, size_t item, kz_prompt_request *req) {
    kz_err err = {""};
    const char *name = golden_string(c, "speaker", item);
    const kz_named_id *speaker = NULL;
    if (name && *name) {
        speaker = kz_named_find(cfg->speakers, cfg->n_speaker, name);
        if (!speaker) {
            golden_fail(c, "the model has no speaker %s", name);
            return false;
        }
    }
    req->speaker = speaker ? speaker->id : -1;
    return golden_ok(c, kz_prompt_language(&req->language, cfg, golden_string(c, "language", item), speaker, &err),
                     &err, "language");
}

bool golden_request_make(golden_request *out, golden_case *c, golden_model *m, size_t item, const golden_clone *clone) {
    kz_err err = {""};
    *out = (golden_request){0};
    const char *text = golden_string(c, "text", item), *instruct = golden_string(c, "instruct", item);
    const char *ref = clone && clone->ref_code ? golden_string(c, "ref_text", item) : NULL;
    if (!m->cfg.instruct)
        instruct = NULL;
    kztts_status status = kz_prompt_tokenize(&out->tokens, m->tokenizer, &m->cfg, span_of(text), span_of(instruct),
                                             span_of(ref), true, &err);
    if (!golden_ok(c, status, &err, "tokenize"))
        return false;
    kz_prompt_request req = {.tokens = &out->tokens};
    req.mode = golden_flag(c, "non_streaming") ? KZ_TEXT_FULL : KZ_TEXT_STREAMING;
    if (clone) {
        req.x_vector = clone->x_vector;
        req.ref_code = clone->ref_code;
        req.n_ref = clone->n_ref;
    }
    if (!resolve(c, &m->cfg, item, &req))
        return false;
    return golden_ok(c, kz_prompt_build(&out->prompt, &m->ctx, &m->cfg, &m->embed, &req, &err), &err, "prompt");
}

void golden_request_free(golden_request *r) {
    kz_prompt_free(&r->prompt);
    kz_prompt_tokens_free(&r->tokens);
}
