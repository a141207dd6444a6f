/* prepared.c: a model out of one prepared file.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

enum { N_FILE = 3, LABEL = 256 };

/* A text that the file holds, and what messages call it. */
static kztts_status read_held(kz_text_source *source, char **text, char label[LABEL], const kz_weights *w,
                              const char *path, const char *name, kz_err *err) {
    (void)snprintf(label, LABEL, "%.200s: %s", path, name);
    KZ_TRY(kz_prepared_text(text, &source->n, w, name, err));
    if (!*text)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s is missing; make the file again from its source", label);
    source->path = label;
    source->text = *text;
    return KZTTS_OK;
}

kztts_status kz_tokenizer_prepared(kz_tokenizer **out, const kz_weights *w, const char *path, kz_pattern pattern,
                                   kz_err *err) {
    static const char *const names[N_FILE] = {"vocab.json", "merges.txt", "tokenizer_config.json"};
    kz_tokenizer_files files = {.vocab = {.path = NULL}};
    kz_text_source *source[N_FILE] = {&files.vocab, &files.merges, &files.config};
    char *text[N_FILE] = {NULL}, label[N_FILE][LABEL];
    kztts_status status = KZTTS_OK;
    *out = NULL;
    for (int i = 0; i < N_FILE && status >= 0; i++)
        status = read_held(source[i], &text[i], label[i], w, path, names[i], err);
    if (status >= 0)
        status = kz_tokenizer_from(out, &files, pattern, err);
    for (int i = 0; i < N_FILE; i++)
        kz_free(text[i]);
    return status;
}

kztts_status kz_model_open_prepared(kz_model *m, const char *path, kz_err *err) {
    KZ_TRY(kz_prepared_open(&m->weights, path, err));
    m->codec_weights = m->weights;
    (void)snprintf(m->format, sizeof m->format, "prepared");
    KZ_TRY(kz_config_prepared(&m->cfg, m->weights, err));
    return kz_tokenizer_prepared(&m->tokenizer, m->weights, path, KZ_PATTERN_NATIVE, err);
}

/* ---- what files tell of themselves ------------------------------------------------------------------------- */

uint64_t kz_model_weight_bytes(const kz_model *m) {
    return kz_weights_bytes(m->weights) + (m->codec_weights == m->weights ? 0 : kz_weights_bytes(m->codec_weights));
}

static uint64_t count_elements(const kz_weights *w) {
    uint64_t n = 0;
    for (size_t i = 0; i < kz_weights_count(w); i++)
        n += kz_weights_at(w, i)->n_elem;
    return n;
}

uint64_t kz_model_parameters(const kz_model *m) {
    if (!kz_weights_prepared(m->weights))
        return count_elements(m->weights) + count_elements(m->codec_weights);
    const char *digits = kz_weights_meta(m->weights, "parameters");
    uint64_t n = 0;
    for (size_t i = 0; digits && i < 18 && digits[i] >= '0' && digits[i] <= '9'; i++)
        n = 10 * n + (uint64_t)(digits[i] - '0');
    return n;
}
