/* config.c: config.json, and the three settings files together.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/config.h"

enum { FILE_LIMIT = 16 << 20, MAX_TEXT_WIDTH = 65536 };

/* ---- names ------------------------------------------------------------------------------------------------- */

/* Reads an object of name: id into fresh memory; none when it is absent. */
static kztts_status read_names(const kz_settings *s, const char *key, const char *path, kz_presence presence,
                               size_t table, kz_named_id **out, size_t *n_out) {
    kz_settings names;
    KZ_TRY(kz_settings_child(&names, s, key, path, presence));
    size_t n = 0;
    for (const cJSON *v = names.json ? names.json->child : NULL; v; v = v->next)
        n++;
    if (n > KZ_MAX_LIST)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %s%s: %zu names are more than the limit of %d", s->file,
                       s->path, key, n, KZ_MAX_LIST);
    kz_named_id *list = kz_alloc(n + 1, sizeof *list);
    if (!list)
        return kz_fail_memory(s->err, n * sizeof *list, key);
    *out = list; /* the caller frees it, also when what follows fails */
    for (const cJSON *v = n ? names.json->child : NULL; v; v = v->next) {
        kz_named_id *entry = &list[*n_out];
        size_t id;
        if (!kz_named_lower(entry->name, v->string))
            return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %s\"%s\": expected a name of 1 to %d printable bytes",
                           s->file, path, kz_show(v->string).s, KZ_MAX_NAME - 1);
        if (kz_named_find(list, *n_out, entry->name))
            return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %s%s is there twice", s->file, path, entry->name);
        KZ_TRY(kz_settings_size(&names, v->string, 0, table - 1, KZ_REQUIRED, &id));
        entry->id = (int32_t)id;
        entry->dialect = -1;
        ++*n_out;
    }
    return KZTTS_OK;
}

/* `spk_is_dialect`: false, or the name of a language. A speaker that isn't listed there has no dialect. */
static kztts_status read_dialects(const kz_settings *talker, kz_config *c) {
    kz_settings dialects;
    KZ_TRY(kz_settings_child(&dialects, talker, "spk_is_dialect", "talker_config.spk_is_dialect.", KZ_OPTIONAL));
    for (const cJSON *v = dialects.json ? dialects.json->child : NULL; v; v = v->next) {
        const kz_named_id *language = NULL, *found = kz_named_find(c->speakers, c->n_speaker, v->string);
        if (cJSON_IsString(v))
            language = kz_named_find(c->languages, c->n_language, v->valuestring);
        if (!language && !cJSON_IsFalse(v))
            return kz_settings_fail(&dialects, v->string, "false or a name of codec_language_id", v);
        if (found)
            c->speakers[found - c->speakers].dialect = language ? language->id : -1;
    }
    return KZTTS_OK;
}

/* ---- ids --------------------------------------------------------------------------------------------------- */

typedef struct id_field {
    const char *key;
    int32_t *out;
} id_field;

static kztts_status read_ids(const kz_settings *s, const id_field *fields, size_t n, size_t table) {
    for (size_t i = 0; i < n; i++) {
        size_t id;
        KZ_TRY(kz_settings_size(s, fields[i].key, 0, table - 1, KZ_REQUIRED, &id));
        *fields[i].out = (int32_t)id;
    }
    return KZTTS_OK;
}

static kztts_status read_text_ids(const kz_settings *s, kz_config *c) {
    const id_field fields[] = {{"im_start_token_id", &c->im_start},   {"im_end_token_id", &c->im_end},
                               {"assistant_token_id", &c->assistant}, {"tts_pad_token_id", &c->tts_pad},
                               {"tts_bos_token_id", &c->tts_bos},     {"tts_eos_token_id", &c->tts_eos}};
    return read_ids(s, fields, sizeof fields / sizeof *fields, c->text_vocab);
}

static kztts_status read_codec_ids(const kz_settings *s, kz_config *c) {
    const id_field fields[] = {{"codec_pad_id", &c->codec_pad},
                               {"codec_bos_id", &c->codec_bos},
                               {"codec_eos_token_id", &c->codec_eos},
                               {"codec_think_id", &c->codec_think},
                               {"codec_nothink_id", &c->codec_nothink},
                               {"codec_think_bos_id", &c->codec_think_bos},
                               {"codec_think_eos_id", &c->codec_think_eos}};
    return read_ids(s, fields, sizeof fields / sizeof *fields, c->vocab);
}

/* ---- models ------------------------------------------------------------------------------------------------ */

/* All layers see all positions before them: `layer_types`, where given, says so layer by layer. */
static kztts_status check_attention(const kz_settings *s) {
    const cJSON *types;
    KZ_TRY(kz_settings_expect_absent(s, "sliding_window"));
    KZ_TRY(kz_settings_find(s, "layer_types", &types));
    if (types && !cJSON_IsArray(types))
        return kz_settings_fail(s, "layer_types", "a list", types);
    for (const cJSON *v = types ? types->child : NULL; v; v = v->next)
        if (!cJSON_IsString(v) || strcmp(v->valuestring, "full_attention") != 0)
            return kz_settings_fail(s, "layer_types", "\"full_attention\" in every layer", v);
    return KZTTS_OK;
}

static kztts_status read_predictor(const kz_settings *talker, kz_config *c) {
    kz_settings s;
    KZ_TRY(kz_settings_child(&s, talker, "code_predictor_config", "talker_config.code_predictor_config.", KZ_REQUIRED));
    KZ_TRY(kz_settings_stack(&s, &c->predictor));
    KZ_TRY(check_attention(&s));
    c->predictor.qk_norm = true;
    KZ_TRY(kz_settings_size(&s, "vocab_size", 1, KZ_MAX_VOCAB, KZ_REQUIRED, &c->sub_vocab));
    return kz_settings_expect_size(&s, "num_code_groups", KZ_REQUIRED, c->n_code, "talker_config.num_code_groups");
}

static kztts_status read_talker(const kz_settings *s, kz_config *c) {
    KZ_TRY(kz_settings_stack(s, &c->talker));
    KZ_TRY(check_attention(s));
    c->talker.qk_norm = true;
    KZ_TRY(kz_settings_size(s, "num_code_groups", 2, KZ_MAX_CODE, KZ_REQUIRED, &c->n_code));
    KZ_TRY(kz_settings_size(s, "vocab_size", KZ_SUPPRESSED + 1, KZ_MAX_VOCAB, KZ_REQUIRED, &c->vocab));
    KZ_TRY(kz_settings_size(s, "text_vocab_size", 1, KZ_MAX_VOCAB, KZ_REQUIRED, &c->text_vocab));
    KZ_TRY(kz_settings_size(s, "text_hidden_size", 1, MAX_TEXT_WIDTH, KZ_REQUIRED, &c->d_text));
    KZ_TRY(read_codec_ids(s, c));
    KZ_TRY(read_names(s, "codec_language_id", "talker_config.codec_language_id.", KZ_REQUIRED, c->vocab, &c->languages,
                      &c->n_language));
    KZ_TRY(read_names(s, "spk_id", "talker_config.spk_id.", KZ_OPTIONAL, c->vocab, &c->speakers, &c->n_speaker));
    KZ_TRY(read_dialects(s, c));
    return read_predictor(s, c);
}

static kztts_status read_type(const kz_settings *s, kz_config *c) {
    static const char *const names[] = {
        [KZ_MODEL_CUSTOM_VOICE] = "custom_voice", [KZ_MODEL_VOICE_DESIGN] = "voice_design", [KZ_MODEL_BASE] = "base"};
    const char *type, *size;
    size_t i = 0;
    KZ_TRY(kz_settings_expect(s, "model_type", KZ_REQUIRED, "qwen3_tts"));
    KZ_TRY(kz_settings_expect(s, "tokenizer_type", KZ_REQUIRED, "qwen3_tts_tokenizer_12hz"));
    KZ_TRY(kz_settings_string(s, "tts_model_type", &type));
    while (i < 3 && strcmp(type, names[i]) != 0)
        i++;
    if (i == 3)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                       "%s: tts_model_type: expected \"custom_voice\", \"voice_design\" or \"base\", found \"%s\"",
                       s->file, kz_show(type).s);
    c->type = (kz_model_type)i;
    KZ_TRY(kz_settings_string(s, "tts_model_size", &size));
    size_t n = strlen(size);
    if (!n || n >= sizeof c->size || strcmp(kz_show(size).s, size) != 0)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                       "%s: tts_model_size: expected 1 to %zu printable bytes, found \"%s\"", s->file,
                       sizeof c->size - 1, kz_show(size).s);
    memcpy(c->size, size, n + 1);
    /* The official call for the small preset voices drops the instruction; that for cloning takes none. */
    c->instruct = c->type == KZ_MODEL_VOICE_DESIGN || (c->type == KZ_MODEL_CUSTOM_VOICE && strcmp(size, "0b6") != 0);
    return KZTTS_OK;
}

static kztts_status read_model(kz_config *c, const kz_text_file *file, kz_err *err) {
    const char *label = file->label ? file->label : "config.json";
    cJSON *json;
    KZ_TRY(kz_json_parse(&json, file->text, file->n, KZ_JSON_SETTINGS, label, err));
    kz_settings s = {.json = json, .file = label, .path = "", .err = err}, talker;
    kztts_status status = read_type(&s, c);
    if (status >= 0)
        status = kz_settings_child(&talker, &s, "talker_config", "talker_config.", KZ_REQUIRED);
    if (status >= 0)
        status = read_talker(&talker, c);
    if (status >= 0)
        status = read_text_ids(&s, c);
    if (status >= 0 && c->type == KZ_MODEL_BASE)
        status = kz_speaker_read(&s, c->talker.d_model, &c->speaker);
    cJSON_Delete(json);
    return status;
}

/* The codec must have a row for every code that the models can make, and the models for every code of the codec (a
 * recording's codes are looked up in their tables). */
static kztts_status check_codec(const kz_config *c, const char *label, kz_err *err) {
    const kz_codec_config *codec = &c->codec;
    if (codec->n_code != c->n_code)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: decoder_config.num_quantizers: expected %zu "
                       "(talker_config.num_code_groups of config.json), found %zu",
                       label, c->n_code, codec->n_code);
    if (codec->codebook_size != c->sub_vocab)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: decoder_config.codebook_size: expected %zu "
                       "(talker_config.code_predictor_config.vocab_size of config.json), found %zu",
                       label, c->sub_vocab, codec->codebook_size);
    if (codec->codebook_size > c->vocab || codec->codebook_size < c->vocab - KZ_SUPPRESSED)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: decoder_config.codebook_size: expected %zu to %zu "
                       "(talker_config.vocab_size of config.json less %d, to all of it), found %zu",
                       label, c->vocab - KZ_SUPPRESSED, c->vocab, KZ_SUPPRESSED, codec->codebook_size);
    return KZTTS_OK;
}

kztts_status kz_config_parse(kz_config *out, const kz_text_file *config, const kz_text_file *generation,
                             const kz_text_file *codec, kz_err *err) {
    *out = (kz_config){0};
    kztts_status status = read_model(out, config, err);
    if (status >= 0)
        status = kz_generation_parse(&out->generation, generation, err);
    if (status >= 0)
        status = kz_codec_parse(&out->codec, out->type == KZ_MODEL_BASE ? &out->encoder : NULL, codec, err);
    if (status >= 0)
        status = check_codec(out, codec->label ? codec->label : "speech_tokenizer/config.json", err);
    if (status < 0)
        kz_config_free(out);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static kztts_status read_file(char **text, size_t *n, const char *dir, const char *name, kz_presence presence,
                              kz_err *err) {
    *text = NULL;
    *n = 0;
    char *path = kz_path_join(dir, name);
    if (!path)
        return kz_fail_memory(err, strlen(dir), "a path");
    kztts_status status = KZTTS_OK;
    if (presence == KZ_REQUIRED || kz_file_exists(path))
        status = kz_file_read(text, n, path, FILE_LIMIT, err);
    kz_free(path);
    return status;
}

kztts_status kz_config_read(kz_config *out, const char *dir, kz_err *err) {
    static const char *const names[3] = {"config.json", "generation_config.json", "speech_tokenizer/config.json"};
    char *text[3] = {0};
    size_t n[3] = {0};
    kztts_status status = KZTTS_OK;
    *out = (kz_config){0};
    for (int i = 0; i < 3 && status >= 0; i++)
        status = read_file(&text[i], &n[i], dir, names[i], i == 1 ? KZ_OPTIONAL : KZ_REQUIRED, err);
    if (status >= 0)
        status = kz_config_parse(out, &(kz_text_file){text[0], n[0], NULL}, &(kz_text_file){text[1], n[1], NULL},
                                 &(kz_text_file){text[2], n[2], NULL}, err);
    for (int i = 0; i < 3; i++)
        kz_free(text[i]);
    return status;
}

void kz_config_free(kz_config *config) {
    kz_free(config->languages);
    kz_free(config->speakers);
    *config = (kz_config){0};
}

kztts_status kz_codec_config_read(kz_codec_config *out, const char *codec_dir, kz_err *err) {
    char *text;
    size_t n;
    *out = (kz_codec_config){0};
    KZ_TRY(read_file(&text, &n, codec_dir, "config.json", KZ_REQUIRED, err));
    kztts_status status = kz_codec_parse(out, NULL, &(kz_text_file){text, n, NULL}, err);
    kz_free(text);
    return status;
}

/* ---- prepared files ---------------------------------------------------------------------------------------- */

static kztts_status read_held(kz_text_file *file, const kz_weights *w, const char *name, kz_presence presence,
                              kz_err *err) {
    char *text;
    KZ_TRY(kz_prepared_text(&text, &file->n, w, name, err));
    file->text = text;
    if (text || presence == KZ_OPTIONAL)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_FORMAT, "the prepared file holds no %s; make it again", name);
}

static void free_held(kz_text_file *file) { kz_free((void *)(uintptr_t)file->text); }

kztts_status kz_config_prepared(kz_config *out, const kz_weights *w, kz_err *err) {
    kz_text_file file[3] = {{.text = NULL}};
    *out = (kz_config){0};
    kztts_status status = read_held(&file[0], w, "config.json", KZ_REQUIRED, err);
    if (status >= 0)
        status = read_held(&file[1], w, "generation_config.json", KZ_OPTIONAL, err);
    if (status >= 0)
        status = read_held(&file[2], w, "speech_tokenizer/config.json", KZ_REQUIRED, err);
    if (status >= 0)
        status = kz_config_parse(out, &file[0], &file[1], &file[2], err);
    for (int i = 0; i < 3; i++)
        free_held(&file[i]);
    return status;
}

kztts_status kz_codec_config_prepared(kz_codec_config *out, const kz_weights *w, kz_err *err) {
    kz_text_file file = {.text = NULL};
    *out = (kz_codec_config){0};
    KZ_TRY(read_held(&file, w, "speech_tokenizer/config.json", KZ_REQUIRED, err));
    kztts_status status = kz_codec_parse(out, NULL, &file, err);
    free_held(&file);
    return status;
}
