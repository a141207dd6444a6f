/* scheme.c: tells the layouts from each other.  SPDX-License-Identifier: Apache-2.0
 *
 * Two of them share the name of the architecture, so a key decides. */
#include "gguf/scheme.h"

#include <stdio.h>
#include <string.h>

#include "gguf/gguf.h"

static const kz_gg_scheme *const schemes[] = {&kz_gg_a,       &kz_gg_b,       &kz_gg_c,       &kz_gg_d,
                                              &kz_gg_a_codec, &kz_gg_b_codec, &kz_gg_c_codec, &kz_gg_d_codec};

/* What is known and can't be used, and what to do. */
static const struct {
    const char *architecture, *text;
} others[] = {
    {"qwen3tts.voicepack", "a pack of voices (for kztts voices import)"},
    {"qwen3_tts_tokenizer", "a codec of codec.cpp's layout"},
    {"qwen3", "a part of a model split in another way"},
    {"qwen3vl", "a part of a model split in another way"},
};

static kztts_status unknown(const kz_gg_file *f, kz_gg_string architecture, kz_err *err) {
    const char *known = "an unknown layout";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (kz_gg_is(architecture, others[i].architecture))
            known = others[i].text;
    for (size_t i = 0; i < f->n_value; i++)
        if (f->values[i].key.n > 22 && !memcmp(f->values[i].key.s, "audiocpp.model_spec.", 20))
            known = "audio.cpp's layout";
    return kz_fail(
        err, KZTTS_ERROR_FORMAT,
        "%s: architecture \"%s\", %s. Known are A (\"qwen3-tts\" with talker.block_count), B (\"qwen3-tts\" with "
        "block_count), C (\"qwen3tts\" with talker.n_layers), D (\"qwen3tts\" with block_count, \"clip\"), and "
        "their codecs. Convert it from the released checkpoint",
        f->label, kz_gg_show(architecture).s, known);
}

kztts_status kz_gg_detect(const kz_gg_scheme **out, const kz_gg_file *f, kz_err *err) {
    kz_gg_string architecture = {"", 0};
    const kz_gg_value *v = kz_gg_find(f, "general.architecture");
    *out = NULL;
    if (!v || !kz_gg_text(v, &architecture))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: key \"general.architecture\": expected a string, found %s",
                       f->label, v ? kz_gg_type_name(v->type) : "nothing");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes && !*out; i++)
        if (kz_gg_is(architecture, schemes[i]->architecture) && kz_gg_find(f, schemes[i]->key))
            *out = schemes[i];
    return *out ? KZTTS_OK : unknown(f, architecture, err);
}

/* The row with the longest path in the text. */
static const kz_gg_key *row_of(const kz_gg_key *rows, const char *text, const kz_gg_key *best) {
    for (; rows && rows->path; rows++)
        if (rows->key && *rows->key && strstr(text, rows->path) && (!best || strlen(rows->path) > strlen(best->path)))
            best = rows;
    return best;
}

void kz_gguf_name_key(const kz_gguf_model *m, kz_err *err) {
    const kz_gg_key *best = NULL;
    for (size_t i = 0; err && i < sizeof schemes / sizeof *schemes; i++)
        if (schemes[i]->name == (schemes[i]->is_codec ? m->codec_scheme : m->scheme)) {
            bool codec = strstr(err->message, "speech_tokenizer") != NULL;
            if (codec == schemes[i]->is_codec)
                best = row_of(codec ? schemes[i]->codec : schemes[i]->config, err->message, best);
        }
    size_t n = best ? strlen(err->message) : 0;
    if (best)
        (void)snprintf(err->message + n, sizeof err->message - n, " (key \"%.*s\")", (int)strcspn(best->key, "|"),
                       best->key);
}
