/* derive.c: settings that follow from names, tokens or tensors.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/derive.h"

#include <stdio.h>
#include <string.h>

/* ---- single ones ------------------------------------------------------------------------------------------- */

/* The name says it in some files; else the talker's width does. */
static const char *model_size(const kz_gg_source *s, const cJSON *tree) {
    static const char *const sign[][2] = {{"0.6b", "0b6"}, {"0b6", "0b6"}, {"1.7b", "1b7"}, {"1b7", "1b7"}};
    const kz_gg_file *f;
    const kz_gg_value *v = kz_gg_find_key(s, "general.name", &f);
    kz_gg_string name = {"", 0};
    if (v && !kz_gg_text(v, &name))
        name.n = 0;
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
        for (size_t k = 0; k + strlen(sign[i][0]) <= name.n; k++) {
            size_t n = 0;
            while (sign[i][0][n] && (name.s[k + n] | 0x20) == (sign[i][0][n] | 0x20))
                n++;
            if (!sign[i][0][n])
                return sign[i][1];
        }
    const cJSON *width = kz_gg_get(tree, "talker_config.hidden_size");
    return cJSON_IsNumber(width) && width->valuedouble > 1024 ? "1b7" : "0b6";
}

static kztts_status is_speaker(void *user, kz_gg_string token, int64_t id) {
    (void)id;
    *(bool *)user = *(bool *)user || (token.n > 6 && !memcmp(token.s, "<|spk_", 6));
    return KZTTS_OK;
}

/* Layout D doesn't say it. */
static const char *model_type(const kz_gg_source *s) {
    bool speakers = false;
    (void)kz_gg_codec_tokens(s, is_speaker, &speakers);
    if (speakers)
        return "custom_voice";
    return kz_gg_tensor_named(s, "speaker_encoder.fc.weight") ? "base" : "voice_design";
}

static size_t count_layers(const kz_gg_source *s, const char *format) {
    size_t n = 0;
    char name[KZ_GG_NAME];
    const char *at = strchr(format, '%');
    for (;; n++) {
        (void)snprintf(name, sizeof name, "%.*s%zu%s", (int)(at - format), format, n, at + 1);
        if (!kz_gg_tensor_named(s, name))
            return n;
    }
}

cJSON *kz_gg_special(const kz_gg_source *s, const cJSON *tree, const char *path) {
    if (strcmp(path, "tts_model_size") == 0)
        return cJSON_CreateString(model_size(s, tree));
    if (strcmp(path, "tts_model_type") == 0)
        return cJSON_CreateString(model_type(s));
    return cJSON_CreateNumber(1 + (double)count_layers(s, "talker.code_predictor.lm_head.%.weight"));
}

/* ---- lists of names ---------------------------------------------------------------------------------------- */

/* What older files leave out. */
static const struct {
    const char *name;
    int id;
} released_languages[] = {{"chinese", 2055},    {"english", 2050}, {"german", 2053},   {"italian", 2070},
                          {"portuguese", 2071}, {"spanish", 2054}, {"japanese", 2058}, {"korean", 2064},
                          {"french", 2061},     {"russian", 2069}};

static kztts_status put_id(kz_gg_source *s, cJSON *object, kz_gg_string name, int64_t id) {
    if (memchr(name.s, '\0', name.n))
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: \"%s\" can't be a name", s->half[0].files[0].label,
                       kz_gg_show(name).s);
    char *text = kz_strndup(name.s, name.n);
    bool added = text && cJSON_AddNumberToObject(object, text, (double)id);
    kz_free(text);
    return added ? KZTTS_OK : kz_fail_memory(s->err, name.n, "names");
}

static kztts_status bad_lists(const kz_gg_source *s, const char *names, const char *ids) {
    return kz_fail(
        s->err, KZTTS_ERROR_FORMAT,
        "%s: keys \"%s\" and \"%s\": expected a list of strings and one as long of whole numbers, at most %d",
        s->half[0].files[0].label, names, ids, KZ_MAX_LIST);
}

/* An object name: id from two lists, or NULL when there are none. */
static kztts_status add_names(kz_gg_source *s, cJSON *object, const char *names_key, const char *ids_key, bool *found) {
    const kz_gg_file *f;
    const kz_gg_value *names = kz_gg_find_key(s, names_key, &f), *ids = kz_gg_find_key(s, ids_key, &f);
    kz_gg_walk walk = {0};
    kz_gg_string name;
    int64_t id;
    *found = names != NULL;
    if (!names && !ids)
        return KZTTS_OK;
    bool empty = names && names->type == KZ_GG_ARRAY && names->n == 0;
    if (!names || !ids || ids->type != KZ_GG_ARRAY || names->n != ids->n || names->n > KZ_MAX_LIST ||
        (!empty && names->item != KZ_GG_STRING))
        return bad_lists(s, names_key, ids_key);
    while (kz_gg_next(names, &walk, &name)) {
        if (!kz_gg_int_at(ids, walk.i - 1, &id))
            return bad_lists(s, names_key, ids_key);
        KZ_TRY(put_id(s, object, name, id));
    }
    return KZTTS_OK;
}

/* A dialect is a language's name ("" and "false": none) or its id (0: none). */
static cJSON *dialect_value(const kz_gg_value *list, kz_gg_walk *walk, uint64_t i, const cJSON *languages) {
    kz_gg_string text;
    int64_t id;
    if (kz_gg_next(list, walk, &text)) {
        if (!text.n || kz_gg_is(text, "false") || memchr(text.s, '\0', text.n))
            return cJSON_CreateFalse();
        char *copy = kz_strndup(text.s, text.n);
        cJSON *value = copy ? cJSON_CreateString(copy) : NULL;
        kz_free(copy);
        return value;
    }
    if (!kz_gg_int_at(list, i, &id))
        return NULL;
    for (const cJSON *v = languages->child; v && id; v = v->next)
        if (v->valuedouble == (double)id)
            return cJSON_CreateString(v->string);
    return cJSON_CreateFalse();
}

static kztts_status add_dialects(kz_gg_source *s, cJSON *talker, const char *key, const cJSON *speakers,
                                 const cJSON *languages) {
    const kz_gg_file *f;
    const kz_gg_value *list = kz_gg_find_key(s, key, &f);
    kz_gg_walk walk = {0};
    uint64_t i = 0;
    if (!list)
        return KZTTS_OK;
    cJSON *dialects = cJSON_AddObjectToObject(talker, "spk_is_dialect");
    if (!dialects)
        return kz_fail_memory(s->err, 64, "dialects");
    for (const cJSON *v = speakers->child; v; v = v->next, i++) {
        cJSON *value = list->type == KZ_GG_ARRAY && i < list->n ? dialect_value(list, &walk, i, languages) : NULL;
        if (!value || !cJSON_AddItemToObject(dialects, v->string, value)) {
            cJSON_Delete(value);
            return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                           "%s: key \"%s\": expected a list of strings or ids, one for each speaker", f->label, key);
        }
    }
    return KZTTS_OK;
}

/* Layout D: `<|codec_language_english|>`, `<|spk_serena|>`. */
typedef struct token_lists {
    kz_gg_source *s;
    cJSON *languages, *speakers;
} token_lists;

static kztts_status add_codec_token(void *user, kz_gg_string token, int64_t id) {
    static const char language[] = "<|codec_language_", speaker[] = "<|spk_";
    const token_lists *lists = user;
    const char *begin[2] = {language, speaker};
    cJSON *object[2] = {lists->languages, lists->speakers};
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(begin[i]);
        if (token.n > n + 2 && !memcmp(token.s, begin[i], n))
            return put_id(lists->s, object[i], (kz_gg_string){token.s + n, token.n - n - 2}, id);
    }
    return KZTTS_OK;
}

static kztts_status fill_lists(kz_gg_source *s, cJSON *talker, cJSON *languages, cJSON *speakers) {
    const kz_gg_lists *keys = s->half[0].scheme->lists;
    bool found;
    if (!keys)
        return kz_gg_codec_tokens(s, add_codec_token, &(token_lists){s, languages, speakers});
    KZ_TRY(add_names(s, languages, keys->language_names, keys->language_ids, &found));
    for (size_t i = 0; !found && i < sizeof released_languages / sizeof *released_languages; i++)
        KZ_TRY(put_id(s, languages, (kz_gg_string){released_languages[i].name, strlen(released_languages[i].name)},
                      released_languages[i].id));
    KZ_TRY(add_names(s, speakers, keys->speaker_names, keys->speaker_ids, &found));
    return add_dialects(s, talker, keys->speaker_dialects, speakers, languages);
}

kztts_status kz_gg_lists_add(kz_gg_source *s, cJSON *tree) {
    cJSON *talker = kz_gg_get(tree, "talker_config");
    cJSON *languages = cJSON_AddObjectToObject(talker, "codec_language_id"),
          *speakers = cJSON_AddObjectToObject(talker, "spk_id");
    if (!languages || !speakers)
        return kz_fail_memory(s->err, 64, "names");
    return fill_lists(s, talker, languages, speakers);
}

/* ---- sizes of tensors -------------------------------------------------------------------------------------- */

/* Size i of a tensor without its sizes of 1 at the end, 0 when there is none. Layout D drops those of 1. */
static size_t size_at(const kz_gg_source *s, const char *name, int i) {
    const kz_tensor *t = kz_gg_tensor_named(s, name);
    return t && i < t->n_dim ? t->shape[i] : 0;
}

static size_t size_of(const kz_gg_source *s, int i, const char *format, size_t number) {
    char name[KZ_GG_NAME];
    const char *at = strchr(format, '%');
    (void)snprintf(name, sizeof name, "%.*s%zu%s", (int)(at - format), format, number, at + 1);
    return size_at(s, name, i);
}

/* Of a codebook, divided by its usage or not. */
static size_t book_size(const kz_gg_source *s, const char *prefix, const char *sum, int i) {
    char name[KZ_GG_NAME];
    (void)snprintf(name, sizeof name, "%s.divided", prefix);
    size_t n = size_at(s, name, i);
    (void)snprintf(name, sizeof name, "%s.%s", prefix, sum);
    return n ? n : size_at(s, name, i);
}

/* Sets a number that isn't there yet; 0 isn't set. */
static kztts_status fill_in(kz_gg_source *s, cJSON *tree, const char *path, double value) {
    if (value == 0 || kz_gg_get(tree, path))
        return KZTTS_OK;
    return kz_gg_set(s, tree, path, cJSON_CreateNumber(value));
}

static kztts_status fill_in_list(kz_gg_source *s, cJSON *tree, const char *path, const size_t *values, size_t n) {
    int list[KZ_MAX_STAGE];
    if (kz_gg_get(tree, path))
        return KZTTS_OK;
    for (size_t i = 0; i < n; i++)
        list[i] = values[i] < INT32_MAX ? (int)values[i] : 0;
    return kz_gg_set(s, tree, path, cJSON_CreateIntArray(list, (int)n));
}

static size_t number_at(const cJSON *tree, const char *path) {
    const cJSON *v = kz_gg_get(tree, path);
    return cJSON_IsNumber(v) && v->valuedouble >= 1 && v->valuedouble < 1e9 ? (size_t)v->valuedouble : 0;
}

/* ---- speaker encoder --------------------------------------------------------------------------------------- */

#define SP "speaker_encoder."
#define SC "speaker_encoder_config."

kztts_status kz_gg_derive_speaker(kz_gg_source *s, cJSON *tree) {
    size_t channels[KZ_SPEAKER_BLOCKS], kernels[KZ_SPEAKER_BLOCKS];
    channels[0] = size_at(s, SP "blocks.0.conv.weight", 0);
    kernels[0] = size_at(s, SP "blocks.0.conv.weight", 2);
    if (!channels[0]) {
        cJSON_DeleteItemFromObjectCaseSensitive(tree, "speaker_encoder_config");
        return kz_gg_set(s, tree, "speaker_encoder_config", cJSON_CreateFalse());
    }
    for (size_t i = 1; i < KZ_SPEAKER_BLOCKS - 1; i++) {
        channels[i] = size_of(s, 0, SP "blocks.%.tdnn1.conv.weight", i);
        kernels[i] = size_of(s, 2, SP "blocks.%.res2net_block.blocks.0.conv.weight", i);
    }
    channels[KZ_SPEAKER_BLOCKS - 1] = size_at(s, SP "mfa.conv.weight", 0);
    kernels[KZ_SPEAKER_BLOCKS - 1] = 1;
    KZ_TRY(fill_in(s, tree, SC "enc_dim", (double)size_at(s, SP "fc.weight", 0)));
    KZ_TRY(fill_in(s, tree, SC "sample_rate", 24000));
    KZ_TRY(fill_in(s, tree, SC "mel_dim", (double)size_at(s, SP "blocks.0.conv.weight", 1)));
    KZ_TRY(fill_in_list(s, tree, SC "enc_channels", channels, KZ_SPEAKER_BLOCKS));
    KZ_TRY(fill_in_list(s, tree, SC "enc_kernel_sizes", kernels, KZ_SPEAKER_BLOCKS));
    KZ_TRY(fill_in(s, tree, SC "enc_attention_channels", (double)size_at(s, SP "asp.tdnn.conv.weight", 0)));
    KZ_TRY(fill_in(s, tree, SC "enc_se_channels", (double)size_at(s, SP "blocks.1.se_block.conv1.weight", 0)));
    return fill_in(s, tree, SC "enc_res2net_scale",
                   1 + (double)count_layers(s, SP "blocks.1.res2net_block.blocks.%.conv.weight"));
}

/* ---- codec ------------------------------------------------------------------------------------------------- */

#define D "decoder."
#define DC "decoder_config."
#define E "encoder."
#define EC "encoder_config."

/* Heads of the released width (64) unless a key tells; the other of count and width follows from the rows. */
static kztts_status fill_heads(kz_gg_source *s, cJSON *tree, const char *prefix, size_t q_rows, size_t k_rows) {
    enum { RELEASED_HEAD = 64 };
    char heads[64], width[64], kv[64];
    (void)snprintf(heads, sizeof heads, "%snum_attention_heads", prefix);
    (void)snprintf(width, sizeof width, "%shead_dim", prefix);
    (void)snprintf(kv, sizeof kv, "%snum_key_value_heads", prefix);
    size_t n_head = number_at(tree, heads), d_head = number_at(tree, width);
    if (!d_head)
        d_head = n_head ? q_rows / n_head : RELEASED_HEAD;
    if (!d_head)
        return KZTTS_OK; /* the reader of the settings will say what is missing */
    KZ_TRY(fill_in(s, tree, width, (double)d_head));
    KZ_TRY(fill_in(s, tree, heads, (double)(q_rows / d_head)));
    return fill_in(s, tree, kv, (double)(k_rows / d_head));
}

static kztts_status fill_decoder(kz_gg_source *s, cJSON *tree) {
    size_t rate[KZ_MAX_STAGE], ratio[KZ_MAX_STAGE], n_rate = 0, n_ratio = 0, n;
    while (n_ratio < KZ_MAX_STAGE && (n = size_of(s, 2, D "upsample.%.0.conv.weight", n_ratio)))
        ratio[n_ratio++] = n;
    while (n_rate < KZ_MAX_STAGE && (n = size_of(s, 2, D "decoder.%.block.1.conv.weight", n_rate + 1)))
        rate[n_rate++] = n / 2;
    KZ_TRY(fill_in_list(s, tree, DC "upsampling_ratios", ratio, n_ratio));
    KZ_TRY(fill_in_list(s, tree, DC "upsample_rates", rate, n_rate));
    KZ_TRY(fill_in(s, tree, DC "latent_dim", (double)size_at(s, D "pre_conv.conv.weight", 0)));
    KZ_TRY(fill_in(s, tree, DC "codebook_dim", (double)size_at(s, D "pre_conv.conv.weight", 1)));
    KZ_TRY(fill_in(s, tree, DC "decoder_dim", (double)size_at(s, D "decoder.0.conv.weight", 0)));
    KZ_TRY(fill_in(s, tree, DC "hidden_size", (double)size_at(s, D "pre_transformer.input_proj.weight", 0)));
    KZ_TRY(fill_in(s, tree, DC "intermediate_size",
                   (double)size_at(s, D "pre_transformer.layers.0.mlp.gate_proj.weight", 0)));
    KZ_TRY(fill_in(s, tree, DC "num_hidden_layers",
                   (double)count_layers(s, D "pre_transformer.layers.%.mlp.gate_proj.weight")));
    KZ_TRY(fill_in(s, tree, DC "codebook_size",
                   (double)book_size(s, D "quantizer.rvq_first.vq.layers.0._codebook", "embedding_sum", 0)));
    KZ_TRY(fill_in(s, tree, DC "num_quantizers",
                   1 + (double)count_layers(s, D "quantizer.rvq_rest.vq.layers.%._codebook.divided") +
                       (double)count_layers(s, D "quantizer.rvq_rest.vq.layers.%._codebook.embedding_sum")));
    KZ_TRY(fill_in(s, tree, DC "sliding_window", 72));
    KZ_TRY(fill_in(s, tree, DC "rms_norm_eps", 1e-5));
    KZ_TRY(fill_in(s, tree, DC "rope_theta", 10000));
    return fill_heads(s, tree, DC, size_at(s, D "pre_transformer.layers.0.self_attn.q_proj.weight", 0),
                      size_at(s, D "pre_transformer.layers.0.self_attn.k_proj.weight", 0));
}

/* Rates are listed last first. */
static kztts_status fill_rates(kz_gg_source *s, cJSON *tree) {
    size_t applied[KZ_MAX_STAGE], listed[KZ_MAX_STAGE], n_rate = 0, n;
    while (n_rate < KZ_MAX_STAGE && size_of(s, 2, E "encoder.layers.%.block.1.conv.weight", 3 * n_rate + 1) &&
           (n = size_of(s, 2, E "encoder.layers.%.conv.weight", 3 * n_rate + 3)))
        applied[n_rate++] = n / 2;
    for (size_t i = 0; i < n_rate; i++)
        listed[i] = applied[n_rate - 1 - i];
    KZ_TRY(fill_in(s, tree, EC "last_kernel_size",
                   (double)size_of(s, 2, E "encoder.layers.%.conv.weight", 3 * n_rate + 2)));
    return fill_in_list(s, tree, EC "upsampling_ratios", listed, n_rate);
}

static kztts_status fill_encoder(kz_gg_source *s, cJSON *tree) {
    size_t n_filter = size_at(s, E "encoder.layers.0.conv.weight", 0),
           n_narrow = size_at(s, E "encoder.layers.1.block.1.conv.weight", 0);
    KZ_TRY(fill_rates(s, tree));
    KZ_TRY(fill_in(s, tree, EC "num_filters", (double)n_filter));
    KZ_TRY(fill_in(s, tree, EC "kernel_size", (double)size_at(s, E "encoder.layers.0.conv.weight", 2)));
    KZ_TRY(
        fill_in(s, tree, EC "residual_kernel_size", (double)size_at(s, E "encoder.layers.1.block.1.conv.weight", 2)));
    KZ_TRY(fill_in(s, tree, EC "compress", n_narrow ? (double)(n_filter / n_narrow) : 0));
    KZ_TRY(fill_in(s, tree, EC "hidden_size", (double)size_at(s, E "downsample.conv.weight", 0)));
    KZ_TRY(fill_in(s, tree, EC "intermediate_size",
                   (double)size_at(s, E "encoder_transformer.layers.0.mlp.fc1.weight", 0)));
    KZ_TRY(fill_in(s, tree, EC "num_hidden_layers",
                   (double)count_layers(s, E "encoder_transformer.layers.%.mlp.fc1.weight")));
    KZ_TRY(fill_in(s, tree, EC "norm_eps", 1e-5));
    KZ_TRY(fill_in(s, tree, EC "rope_theta", 10000));
    static const char book[] = E "quantizer.semantic_residual_vector_quantizer.layers.0.codebook";
    KZ_TRY(fill_in(s, tree, EC "codebook_size", (double)book_size(s, book, "embed_sum", 0)));
    KZ_TRY(fill_in(s, tree, EC "codebook_dim", (double)book_size(s, book, "embed_sum", 1)));
    KZ_TRY(fill_in(s, tree, EC "sampling_rate", (double)number_at(tree, "output_sample_rate")));
    return fill_heads(s, tree, EC, size_at(s, E "encoder_transformer.layers.0.self_attn.q_proj.weight", 0),
                      size_at(s, E "encoder_transformer.layers.0.self_attn.k_proj.weight", 0));
}

/* Samples a frame: all rates multiplied. */
static double frame_samples(const cJSON *tree) {
    static const char *const lists[] = {DC "upsampling_ratios", DC "upsample_rates"};
    double n = 1;
    for (int i = 0; i < 2; i++) {
        const cJSON *list = kz_gg_get(tree, lists[i]);
        for (const cJSON *v = list ? list->child : NULL; v; v = v->next)
            n *= v->valuedouble;
    }
    return n < 1e9 ? n : 0;
}

kztts_status kz_gg_derive_codec(kz_gg_source *s, cJSON *tree) {
    KZ_TRY(fill_in(s, tree, "output_sample_rate", 24000));
    KZ_TRY(fill_decoder(s, tree));
    KZ_TRY(fill_in(s, tree, "decode_upsample_rate", frame_samples(tree)));
    if (size_at(s, E "encoder.layers.0.conv.weight", 0) &&
        kz_gg_tensor_named(s, E "quantizer.semantic_residual_vector_quantizer.input_proj.weight"))
        return fill_encoder(s, tree);
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "encoder_config");
    return kz_gg_set(s, tree, "encoder_config", cJSON_CreateFalse());
}
