/* write.c: a model as two files of layout A.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/write.h"

#include <stdio.h>
#include <string.h>

#include "gguf/derive.h"
#include "gguf/files.h"

/* One of the two. */
typedef struct half {
    kz_gg_keys keys;
    kz_gg_items items;
    kz_gg_buffer header;
    uint64_t n_data;
    char *path;
    kz_writer *writer;
} half;

typedef struct job {
    const kz_gguf_contents *c;
    cJSON *config, *generation, *codec;
    half half[2]; /* talker, codec */
    kz_err *err;
} job;

char *kz_gguf_codec_path(const char *path) {
    size_t n = strlen(path), m = strlen(".gguf");
    if (n <= m || strcmp(path + n - m, ".gguf") != 0)
        return NULL;
    char *name = kz_alloc(n - m + sizeof KZ_GG_CODEC_SUFFIX, 1);
    if (name) {
        memcpy(name, path, n - m);
        memcpy(name + n - m, KZ_GG_CODEC_SUFFIX, sizeof KZ_GG_CODEC_SUFFIX);
    }
    return name;
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

static kztts_status parse(cJSON **out, const job *j, kz_gguf_text which, const char *label) {
    return kz_json_parse(out, j->c->texts[which], j->c->n_text[which], KZ_JSON_SETTINGS, label, j->err);
}

static kztts_status parse_all(job *j) {
    KZ_TRY(parse(&j->config, j, KZ_GGUF_CONFIG, "config.json"));
    if (j->c->texts[KZ_GGUF_GENERATION])
        KZ_TRY(parse(&j->generation, j, KZ_GGUF_GENERATION, "generation_config.json"));
    return parse(&j->codec, j, KZ_GGUF_CODEC, "speech_tokenizer/config.json");
}

/* The layout has no key for it: readers take the released values. */
static kztts_status check_dilations(const job *j) {
    static const double released[KZ_SPEAKER_BLOCKS] = {1, 2, 3, 4, 1};
    const cJSON *list = kz_gg_get(j->config, "speaker_encoder_config.enc_dilations");
    int i = 0;
    for (const cJSON *v = list ? list->child : NULL; v; v = v->next, i++)
        if (i >= KZ_SPEAKER_BLOCKS || !cJSON_IsNumber(v) || v->valuedouble != released[i])
            return kz_fail(j->err, KZTTS_ERROR_FORMAT,
                           "setting speaker_encoder_config.enc_dilations: only 1, 2, 3, 4, 1 can be written in this "
                           "layout");
    return KZTTS_OK;
}

static kztts_status put_talker_keys(job *j) {
    kz_gg_keys *k = &j->half[0].keys;
    const cJSON *size = kz_gg_get(j->config, "tts_model_size"), *type = kz_gg_get(j->config, "tts_model_type");
    char name[128];
    const char *shown = cJSON_IsString(size) ? size->valuestring : "";
    shown = strcmp(shown, "0b6") == 0 ? "0.6B" : strcmp(shown, "1b7") == 0 ? "1.7B" : shown;
    (void)snprintf(name, sizeof name, "Qwen3-TTS-12Hz-%.30s-%.30s", shown,
                   cJSON_IsString(type) ? type->valuestring : "");
    kz_gg_key_text(k, "general.architecture", kz_gg_a.architecture);
    kz_gg_key_text(k, "general.name", name);
    kz_gg_key_text(k, "qwen3-tts.tokenizer_type", "qwen3_tts_tokenizer_12hz");
    KZ_TRY(check_dilations(j));
    KZ_TRY(kz_gg_put_keys(k, kz_gg_a.config, j->config, j->err));
    if (j->generation)
        KZ_TRY(kz_gg_put_keys(k, kz_gg_a.generation, j->generation, j->err));
    KZ_TRY(kz_gg_put_lists(k, kz_gg_a.lists, j->config, j->err));
    return kz_gg_put_tokenizer(k, j->c, j->err);
}

static kztts_status put_codec_keys(job *j) {
    kz_gg_keys *k = &j->half[1].keys;
    kz_gg_key_text(k, "general.architecture", kz_gg_a_codec.architecture);
    kz_gg_key_text(k, "general.name", "Qwen3-TTS-Tokenizer-12Hz");
    KZ_TRY(kz_gg_put_keys(k, kz_gg_a_codec.codec, j->codec, j->err));
    const cJSON *width = kz_gg_get(j->codec, "decoder_config.codebook_dim");
    if (cJSON_IsNumber(width) && width->valuedouble >= 2) /* of a codebook's rows */
        kz_gg_key_number(k, "qwen3-tts-tokenizer.decoder.codebook_dim_internal", (uint32_t)(width->valuedouble / 2));
    return KZTTS_OK;
}

/* ---- header ------------------------------------------------------------------------------------------------ */

static void put_item(kz_gg_buffer *b, const kz_gg_item *item, uint64_t offset) {
    kz_gg_put_number(b, strlen(item->name), 8);
    kz_gg_put_text(b, item->name);
    kz_gg_put_number(b, (uint64_t)item->t->n_dim, 4);
    for (int i = item->t->n_dim - 1; i >= 0; i--)
        kz_gg_put_number(b, item->t->shape[i], 8);
    kz_gg_put_number(b, (uint64_t)kz_gg_tensor_type_of(item->type), 4);
    kz_gg_put_number(b, offset, 8);
}

static kztts_status make_header(half *h, kz_err *err) {
    kz_gg_buffer *b = &h->header;
    kz_gg_put_text(b, "GGUF");
    kz_gg_put_number(b, 3, 4);
    kz_gg_put_number(b, h->items.n, 8);
    kz_gg_put_number(b, h->keys.n, 8);
    kz_gg_put(b, h->keys.bytes.s, h->keys.bytes.n);
    for (size_t i = 0; i < h->items.n; i++) {
        put_item(b, &h->items.item[i], h->n_data);
        h->n_data += (h->items.item[i].n_byte + KZ_GG_ALIGNMENT - 1) / KZ_GG_ALIGNMENT * KZ_GG_ALIGNMENT;
    }
    while (!b->failed && b->n % KZ_GG_ALIGNMENT)
        kz_gg_put_number(b, 0, 1);
    return b->failed || h->keys.bytes.failed ? kz_fail_memory(err, b->n, "the header") : KZTTS_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static kztts_status write_half(job *j, half *h, uint64_t *done, uint64_t total) {
    KZ_TRY(kz_writer_open(&h->writer, h->path, h->header.n + h->n_data, j->c->overwrite, j->err));
    KZ_TRY(kz_writer_put(h->writer, h->header.s, h->header.n, j->err));
    return kz_gg_write_items(h->writer, &h->items, j->c, done, total, j->err);
}

/* Both are written before either gets its name. */
static kztts_status write_files(job *j) {
    uint64_t done = 0, total = j->half[0].n_data + j->half[1].n_data;
    for (int i = 0; i < 2; i++) {
        kztts_status status = write_half(j, &j->half[i], &done, total);
        if (status != KZTTS_OK)
            return status;
    }
    for (int i = 1; i >= 0; i--) { /* the one that names the model comes last */
        kz_writer *w = j->half[i].writer;
        j->half[i].writer = NULL;
        KZ_TRY(kz_writer_close(w, true, j->err));
    }
    return KZTTS_OK;
}

static kztts_status prepare(job *j, const char *path) {
    j->half[0].path = kz_strndup(path, strlen(path));
    if (!(j->half[1].path = kz_gguf_codec_path(path)))
        return kz_fail(j->err, KZTTS_ERROR_ARGUMENT, "%s: the name must end in .gguf", path);
    if (!j->half[0].path)
        return kz_fail_memory(j->err, strlen(path), "a path");
    if (!j->c->overwrite && kz_file_exists(j->half[1].path))
        return kz_fail(j->err, KZTTS_ERROR_ARGUMENT,
                       "%s: the codec goes into this file, and there is one; allow overwriting or choose another name",
                       j->half[1].path);
    KZ_TRY(parse_all(j));
    const cJSON *n_code = kz_gg_get(j->codec, "decoder_config.num_quantizers");
    for (int i = 0; i < 2; i++)
        KZ_TRY(kz_gg_collect(&j->half[i].items, j->c, i == 1,
                             cJSON_IsNumber(n_code) && n_code->valuedouble > 0 ? (size_t)n_code->valuedouble : 0,
                             j->err));
    KZ_TRY(put_talker_keys(j));
    KZ_TRY(put_codec_keys(j));
    KZ_TRY(make_header(&j->half[0], j->err));
    return make_header(&j->half[1], j->err);
}

kztts_status kz_gguf_write(const char *path, const kz_gguf_contents *contents, kz_err *err) {
    job j = {.c = contents, .err = err};
    kztts_status status = prepare(&j, path);
    if (status >= 0)
        status = write_files(&j);
    for (int i = 0; i < 2; i++) {
        half *h = &j.half[i];
        (void)kz_writer_close(h->writer, false, NULL);
        kz_free(h->keys.bytes.s);
        kz_free(h->header.s);
        kz_free(h->items.item);
        kz_free(h->path);
    }
    cJSON_Delete(j.config);
    cJSON_Delete(j.generation);
    cJSON_Delete(j.codec);
    return status;
}
