/* gguf.c: an opened model as GGUF files.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/collect.h"
#include "convert/texts.h"

/* In the order of kz_gguf_text; what has a star may be missing. */
static const char *const names[KZ_GGUF_TEXTS] = {
    "config.json", "*generation_config.json", "speech_tokenizer/config.json", "vocab.json",
    "merges.txt",  "tokenizer_config.json"};

static kztts_status read_texts(const kz_texts *t, kz_gguf_contents *c, char **texts, kz_err *err) {
    for (int i = 0; i < KZ_GGUF_TEXTS; i++) {
        bool optional = names[i][0] == '*';
        KZ_TRY(kz_texts_get(t, names[i] + optional, &texts[i], &c->n_text[i], err));
        if (!texts[i] && !optional)
            return kz_fail(err, KZTTS_ERROR_NOT_FOUND, "%s: no %s", t->source, names[i]);
        c->texts[i] = texts[i];
    }
    return KZTTS_OK;
}

static kztts_status check_target(const char *source, const char *target, kz_err *err) {
    char *codec = kz_gguf_codec_path(target);
    bool same = codec && kz_file_same(source, codec);
    kz_free(codec);
    return same ? kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: its codec would be written over the source", target)
                : KZTTS_OK;
}

kztts_status kz_convert_gguf(const kz_model *m, const kz_collected *collected, const char *source, const char *target,
                             const kz_convert *o, kz_err *err) {
    kz_gguf_contents c = {.weights = m->weights,
                          .codec = m->codec_weights,
                          .talker = m->cfg.talker.quant,
                          .predictor = m->cfg.predictor.quant,
                          .overwrite = o->overwrite,
                          .pool = m->pool,
                          .progress = o->progress.fn,
                          .progress_user = o->progress.user};
    char *texts[KZ_GGUF_TEXTS] = {NULL};
    kz_texts t;
    (void)collected;
    if (kz_weights_prepared(m->weights))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT,
                       "%s: a prepared file's matrices lie as kernels read them; make the GGUF file from its source",
                       source);
    KZ_TRY(check_target(source, target, err));
    KZ_TRY(kz_texts_open(&t, m, source, o->model.codec, err));
    kztts_status status = read_texts(&t, &c, texts, err);
    if (status >= 0)
        status = kz_gguf_write(target, &c, err);
    for (int i = 0; i < KZ_GGUF_TEXTS; i++)
        kz_free(texts[i]);
    kz_texts_close(&t);
    return status;
}
