/* inspect.c: what a model's files hold, in words.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

/* Groups by the beginning of names; the first that fits counts. */
static const struct {
    const char *group, *begin;
} groups[] = {
    {"tables", "talker.model.text_embedding."},
    {"tables", "talker.model.projected_text_embedding."},
    {"tables", "talker.model.codec_embedding."},
    {"tables", "talker.code_predictor.model.codec_embedding."},
    {"predictor", "talker.code_predictor."},
    {"talker", "talker."},
    {"speaker encoder", "speaker_encoder."},
    {"codec", "decoder."},
    {"codec encoder", "encoder."},
};
static const char *const order[] = {"talker", "predictor", "tables", "codec", "speaker encoder", "codec encoder"};

enum { MAX_TYPES = 64 };

static bool in_group(const char *name, const char *group) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strncmp(name, groups[i].begin, strlen(groups[i].begin)) == 0)
            return strcmp(groups[i].group, group) == 0;
    return false;
}

/* Numbers in matrices, by type. */
static void count_types(uint64_t count[MAX_TYPES], const kz_weights *w, const char *group) {
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        if (t->n_dim >= 2 && t->type >= 0 && t->type < MAX_TYPES && in_group(t->name, group))
            count[t->type] += t->n_elem;
    }
}

static void append(char *out, size_t n_out, const char *before, const char *text) {
    size_t n = strlen(out);
    (void)snprintf(out + n, n_out - n, "%s%s", before, text);
}

/* "talker Q8_0": the types by how many numbers they hold. */
static void describe_group(kz_model *m, const char *group) {
    uint64_t count[MAX_TYPES] = {0};
    count_types(count, m->weights, group);
    if (m->codec_weights != m->weights)
        count_types(count, m->codec_weights, group);
    for (bool first = true;; first = false) {
        int most = 0;
        for (int i = 1; i < MAX_TYPES; i++)
            most = count[i] > count[most] ? i : most;
        if (!count[most])
            return;
        if (first)
            append(m->weight_types, sizeof m->weight_types, *m->weight_types ? ", " : "", group);
        append(m->weight_types, sizeof m->weight_types, first ? " " : " and ", kz_type_name(most));
        count[most] = 0;
    }
}

void kz_model_describe(kz_model *m) {
    const char *quant = kz_weights_meta(m->weights, "quant"); /* of a prepared file */
    if (kz_weights_prepared(m->weights))
        (void)snprintf(m->weight_types, sizeof m->weight_types, "%.180s", quant ? quant : "");
    for (size_t i = 0; i < sizeof order / sizeof *order && !kz_weights_prepared(m->weights); i++)
        describe_group(m, order[i]);
    (void)snprintf(m->tokenizer_hash, sizeof m->tokenizer_hash, "%016llx",
                   (unsigned long long)kz_tokenizer_hash(m->tokenizer));
}
