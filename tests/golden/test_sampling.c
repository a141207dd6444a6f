/* test_sampling.c: logits and history in, scores and the distribution that is drawn from out, at the published
 * vocabularies.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "golden.h"
#include "sampling/sampling.h"

/* The released models' talker: codes below 2048, then ids that can't be spoken except the one that ends speech. */
enum { CODES = 2048, EOS = 2150, MIN_TOKENS = 2, DRAWS = 64 };

typedef struct buffers {
    size_t n;
    float *scores, *probs, *scratch;
    int32_t *order;
} buffers;

static double setting(const golden_case *c, const char *key, double fallback) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(c->settings, "settings");
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(all, key);
    if (cJSON_IsBool(v))
        return cJSON_IsTrue(v) ? 1 : 0;
    return cJSON_IsNumber(v) ? v->valuedouble : fallback;
}

static void talker_rules(golden_case *c, buffers *b) {
    size_t n_history;
    const int32_t *history = golden_i32(c, "history", &n_history);
    uint8_t *seen = golden_memory(c, b->n, 1);
    for (size_t i = 0; i < n_history; i++)
        seen[history[i]] = 1;
    const kz_token_rules rules = {
        .penalty = (float)setting(c, "repetition_penalty", 1.05),
        .seen = seen,
        .suppress_from = CODES,
        .eos = EOS,
        .hide_eos = n_history < MIN_TOKENS,
    };
    kz_sampling_rules(b->scores, b->n, &rules);
}

static kz_sampling settings_of(const golden_case *c, bool predictor) {
    kz_sampling s = {
        .sample = setting(c, predictor ? "subtalker_dosample" : "do_sample", 1) != 0,
        .temperature = (float)setting(c, predictor ? "subtalker_temperature" : "temperature", 0.9),
        .top_k = (int)setting(c, predictor ? "subtalker_top_k" : "top_k", 50),
        .top_p = (float)setting(c, predictor ? "subtalker_top_p" : "top_p", 1.0),
    };
    return s;
}

/* Whatever the seed, only what the distribution allows may be drawn. */
static void check_draws(golden_case *c, buffers *b) {
    for (uint32_t i = 0; i < DRAWS; i++) {
        int32_t token = kz_sampling_draw(golden_kernels(), b->scores, b->n, 7, i, i % 16, b->scratch);
        if (token < 0 || (size_t)token >= b->n || !(b->probs[token] > 0)) {
            golden_fail(c, "draw %u gave token %d, which has no share", (unsigned)i, (int)token);
            return;
        }
    }
}

static void check_probs(golden_case *c, buffers *b) {
    memcpy(b->probs, b->scores, b->n * sizeof *b->probs);
    float sum = golden_kernels()->softmax_exp(b->probs, b->n);
    for (size_t i = 0; i < b->n; i++)
        b->probs[i] /= sum;
    golden_check_f32(c, "probs", b->probs, b->n);
    check_draws(c, b);
}

static void check(golden_case *c) {
    const char *part = golden_string(c, "part", 0);
    bool predictor = part && !strcmp(part, "predictor");
    buffers b;
    const float *logits = golden_f32(c, "logits", &b.n);
    if (!logits || b.n != (predictor ? 2048u : 3072u)) {
        golden_fail(c, "logits of another size than the published vocabulary");
        return;
    }
    b.scores = golden_memory(c, b.n, sizeof(float));
    b.probs = golden_memory(c, b.n, sizeof(float));
    b.scratch = golden_memory(c, b.n, sizeof(float));
    b.order = golden_memory(c, b.n, sizeof(int32_t));
    memcpy(b.scores, logits, b.n * sizeof *logits);
    if (!predictor)
        talker_rules(c, &b);
    kz_sampling s = settings_of(c, predictor);
    if (s.sample)
        kz_sampling_filter(golden_kernels(), b.scores, b.n, &s, b.scratch, b.order);
    golden_check_f32(c, "scores", b.scores, b.n);
    if (golden_tensor(c, "probs"))
        check_probs(c, &b);
    int32_t token = kz_sampling_argmax(b.scores, b.n);
    golden_check_i32(c, "token", &token, 1);
}

int main(int argc, char **argv) { return golden_main("sampling", check, argc, argv); }
