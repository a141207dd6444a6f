/* fuzz_gguf.c: GGUF files from arbitrary bytes, through every step up to settings, tokenizer and tensors.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "gguf/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What readers behind would read. */
static void read_tensors(const kz_weights *w) {
    static float row[256];
    for (size_t i = 0; w && i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        if (kz_weights_find(w, t->name) != t)
            abort();
        size_t n = t->n_elem < 256 ? t->n_elem : 256;
        bool plain = t->type >= KZ_I64 && t->type <= KZ_OTHER;
        if (!plain && n % kz_stored_group(t->type) == 0)
            kz_stored_to_f32(row, t->data + t->n_byte - kz_stored_bytes(t->type, n), t->type, n);
    }
}

static void read_source(kz_gg_source *s, kz_gguf_model *out) {
    kz_config cfg;
    kz_err err;
    if (kz_gg_map_tensors(s) < 0)
        return;
    if (s->half[0].scheme && kz_gg_tokenizer(s, out) >= 0 && !(out->texts[KZ_GGUF_VOCAB] && out->texts[KZ_GGUF_MERGES]))
        abort();
    if (s->half[0].scheme) {
        (void)kz_gg_settings(s, KZ_GGUF_CONFIG, &out->texts[KZ_GGUF_CONFIG], &out->n_text[KZ_GGUF_CONFIG]);
        (void)kz_gg_settings(s, KZ_GGUF_GENERATION, &out->texts[KZ_GGUF_GENERATION], &out->n_text[KZ_GGUF_GENERATION]);
        (void)kz_gg_weights(&out->weights, s, false);
    }
    if (s->half[1].scheme) {
        (void)kz_gg_settings(s, KZ_GGUF_CODEC, &out->texts[KZ_GGUF_CODEC], &out->n_text[KZ_GGUF_CODEC]);
        (void)kz_gg_weights(&out->codec, s, true);
    }
    kz_text_file text[3];
    for (int i = 0; i < 3; i++)
        text[i] = (kz_text_file){out->texts[i] ? out->texts[i] : "{}", out->texts[i] ? out->n_text[i] : 2, "file"};
    if (kz_config_parse(&cfg, &text[0], &text[1], &text[2], &err) < 0)
        kz_gguf_name_key(out, &err);
    else
        kz_config_free(&cfg);
    read_tensors(out->weights);
    read_tensors(out->codec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_err err;
    kz_gg_file *f = kz_alloc(1, sizeof *f);
    kz_gg_source *s = kz_alloc(1, sizeof *s);
    kz_gguf_model out = {.label = kz_strndup("file", 4)};
    if (!f || !s || kz_gg_file_memory(f, data, size, "file", &err) < 0) {
        kz_free(f);
        kz_free(s);
        kz_gguf_close(&out);
        return 0;
    }
    s->n_ref = 1;
    s->err = &err;
    kz_gg_half half = {.files = f, .n_file = 1};
    if (kz_gg_detect(&half.scheme, f, &err) >= 0) {
        out.scheme = out.codec_scheme = half.scheme->name;
        s->half[half.scheme->is_codec] = half;
        read_source(s, &out);
    } else {
        kz_gg_half_close(&half);
    }
    kz_gguf_close(&out);
    kz_gg_source_release(s);
    return 0;
}
