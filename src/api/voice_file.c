/* voice_file.c: voices from files and into files.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/api.h"

/* The weights a voice depends on: what makes the vector, and what the codes stand for. */
#define SPEAKER_PREFIX "speaker_encoder."
#define CODEC_PREFIX "decoder.quantizer."

/* ---- reading --------------------------------------------------------------------------------------------------- */

static kztts_status hash_part(char hex[KZ_HASH_TEXT], const kz_model *m, kz_voice_key key, kz_err *err) {
    bool speaker = key == KZ_VOICE_SPEAKER_SHA256;
    return kz_voice_hash_tensors(hex, speaker ? m->weights : m->codec_weights, speaker ? SPEAKER_PREFIX : CODEC_PREFIX,
                                 m->pool, err);
}

static kztts_status compare_hash(kztts_voice *voice, kz_voice_key key, const char *what, const char *path) {
    char hex[KZ_HASH_TEXT];
    const char *made_with = voice->file.text[key];
    if (!made_with)
        return KZTTS_OK;
    KZ_TRY(hash_part(hex, &voice->model->m, key, &voice->err));
    if (*hex && strcmp(hex, made_with) != 0)
        kz_model_log(&voice->model->m, KZTTS_LOG_WARNING,
                     "%.200s: made with another %s than this model's; it may sound different", path, what);
    return KZTTS_OK;
}

static kztts_status warn_differences(kztts_voice *voice, const char *path) {
    const kz_model *m = &voice->model->m;
    const char *size = voice->file.text[KZ_VOICE_MODEL_SIZE];
    if (m->cfg.type != KZ_MODEL_BASE || !m->log)
        return KZTTS_OK;
    if (size && strcmp(size, m->cfg.size) != 0)
        kz_model_log(m, KZTTS_LOG_WARNING, "%.200s: made for a model of size %s, this one is %s", path, size,
                     m->cfg.size);
    KZ_TRY(compare_hash(voice, KZ_VOICE_SPEAKER_SHA256, "speaker encoder", path));
    return voice->file.ref_code ? compare_hash(voice, KZ_VOICE_CODEC_SHA256, "codec", path) : KZTTS_OK;
}

static kztts_status copy_recording(kz_voice *v, const kz_voice_file *f, kz_err *err) {
    size_t n = f->n_ref * f->n_code;
    const char *text = f->text[KZ_VOICE_REF_TEXT];
    v->ref_code = kz_alloc(n, sizeof *v->ref_code);
    v->ref_text = kz_strndup(text, strlen(text));
    if (!v->ref_code || !v->ref_text)
        return kz_fail_memory(err, n * sizeof *v->ref_code, "a voice");
    memcpy(v->ref_code, f->ref_code, n * sizeof *v->ref_code);
    v->n_ref = f->n_ref;
    return KZTTS_OK;
}

/* What the model's kind speaks with. */
static kztts_status use_file(kz_voice *v, const kz_voice_file *f, kz_model_type type, kz_err *err) {
    const char *description = f->text[KZ_VOICE_DESCRIPTION];
    if (type == KZ_MODEL_VOICE_DESIGN) {
        v->description = kz_strndup(description, strlen(description));
        return v->description ? KZTTS_OK : kz_fail_memory(err, strlen(description), "the description");
    }
    if (!(v->x_vector = kz_alloc(f->d_model, sizeof *v->x_vector)))
        return kz_fail_memory(err, f->d_model * sizeof *v->x_vector, "a speaker vector");
    memcpy(v->x_vector, f->x_vector, f->d_model * sizeof *v->x_vector);
    return f->ref_code ? copy_recording(v, f, err) : KZTTS_OK;
}

static kztts_status read_file(kztts_voice *voice, const char *path, bool import, const char *which) {
    kz_voice_file *f = &voice->file;
    if (!path || !*path)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT, "a voice file: no path given");
    KZ_TRY(import ? kz_voice_import(f, path, which, &voice->err) : kz_voice_file_read(f, path, &voice->err));
    const char *words = f->ref_code ? f->text[KZ_VOICE_REF_TEXT] : NULL;
    if (words && !kz_text_speakable(words, strlen(words)))
        return kz_fail(&voice->err, KZTTS_ERROR_FORMAT, "%.200s: ref_text has no letter and no digit", path);
    voice->from_file = true;
    return KZTTS_OK;
}

/* What another engine's file doesn't say. */
static void complete_import(kz_voice_file *f, const kz_config *cfg) {
    if (!f->n_code)
        f->n_code = cfg->n_code;
    if (!f->codebook_size)
        f->codebook_size = cfg->codec.codebook_size;
    if (f->text[KZ_VOICE_ENGINE])
        return; /* an own export */
    f->text[KZ_VOICE_ENGINE] = "kztts " KZTTS_VERSION_STRING;
    f->text[KZ_VOICE_MODEL_TYPE] = kz_api_type_name(cfg->type);
    f->text[KZ_VOICE_MODEL_SIZE] = cfg->size; /* the model outlives the voice */
}

static kztts_status open_file(kztts_voice *voice, const char *path, bool import, const char *which) {
    const kz_config *cfg = &voice->model->m.cfg;
    KZ_TRY(read_file(voice, path, import, which));
    KZ_TRY(kz_voice_file_fit(&voice->file, cfg, path, &voice->err));
    if (import)
        complete_import(&voice->file, cfg);
    KZ_TRY(warn_differences(voice, path));
    return use_file(&voice->v, &voice->file, cfg->type, &voice->err);
}

static kztts_status open_voice(kztts_voice **out, kztts_model *model, const char *path, bool import,
                               const char *which) {
    KZ_TRY(kz_api_voice_new(out, model));
    return kz_api_voice_end(*out, open_file(*out, path, import, which));
}

kztts_status kztts_voice_load(kztts_voice **out, kztts_model *model, const char *path) {
    return open_voice(out, model, path, false, NULL);
}

kztts_status kztts_voice_import(kztts_voice **out, kztts_model *model, const char *path) {
    return open_voice(out, model, path, true, NULL);
}

kztts_status kztts_voice_import_one(kztts_voice **out, kztts_model *model, const char *path, const char *which) {
    return open_voice(out, model, path, true, which);
}

kztts_status kztts_voice_inspect(kztts_voice **out, const char *path) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_voice *voice = *out = kz_alloc(1, sizeof *voice);
    return voice ? read_file(voice, path, false, NULL) : KZTTS_ERROR_MEMORY;
}

/* ---- what a voice says about itself ---------------------------------------------------------------------------- */

/* Any voice as a file's content, without copying. */
static kz_voice_file view(const kztts_voice *voice) {
    if (voice->from_file)
        return voice->file;
    const kz_voice *v = &voice->v;
    kz_voice_file f = {.x_vector = v->x_vector, .n_ref = v->n_ref, .ref_code = v->ref_code};
    f.text[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    f.text[KZ_VOICE_ENGINE] = "kztts " KZTTS_VERSION_STRING;
    f.text[KZ_VOICE_REF_TEXT] = v->ref_text;
    f.text[KZ_VOICE_DESCRIPTION] = v->description;
    f.text[KZ_VOICE_NAME] = v->speaker ? v->speaker->name : NULL;
    if (!voice->model)
        return f;
    const kz_config *c = &voice->model->m.cfg;
    f.text[KZ_VOICE_MODEL_TYPE] = kz_api_type_name(c->type);
    f.text[KZ_VOICE_MODEL_SIZE] = c->size;
    if (f.x_vector) {
        f.d_model = c->talker.d_model;
        f.n_code = c->n_code;
        f.codebook_size = c->codec.codebook_size;
        f.text[KZ_VOICE_SOURCE] = "recording";
    } else if (f.text[KZ_VOICE_DESCRIPTION]) {
        f.text[KZ_VOICE_SOURCE] = "designed";
    }
    return f;
}

static kztts_voice_kind kind_of(const kz_voice_file *f) {
    return f->x_vector ? KZTTS_VOICE_CLONE : f->text[KZ_VOICE_DESCRIPTION] ? KZTTS_VOICE_DESCRIBED : KZTTS_VOICE_PRESET;
}

/* Of one that was only looked at as if a model had loaded it. */
static uint64_t fingerprint(const kztts_voice *voice, const kz_voice_file *f) {
    const kz_voice *v = &voice->v;
    if (!voice->model)
        return kz_voice_fingerprint(&(kz_heard){.description = f->x_vector ? NULL : f->text[KZ_VOICE_DESCRIPTION],
                                                .ref_text = f->ref_code ? f->text[KZ_VOICE_REF_TEXT] : NULL,
                                                .x_vector = f->x_vector,
                                                .d_model = f->d_model,
                                                .ref_code = f->ref_code,
                                                .n_ref = f->n_ref,
                                                .n_code = f->n_code});
    return kz_voice_fingerprint(&(kz_heard){.speaker = v->speaker ? v->speaker->name : NULL,
                                            .description = v->description,
                                            .ref_text = v->ref_text,
                                            .x_vector = v->x_vector,
                                            .d_model = voice->model->m.cfg.talker.d_model,
                                            .ref_code = v->ref_code,
                                            .n_ref = v->n_ref,
                                            .n_code = voice->model->m.cfg.n_code});
}

kztts_status kztts_voice_get_info(const kztts_voice *voice, kztts_voice_info *info) {
    if (!voice || !info || info->size < sizeof info->size)
        return KZTTS_ERROR_ARGUMENT;
    if (!voice->model && !voice->from_file)
        return KZTTS_ERROR_ARGUMENT;
    kz_voice_file f = view(voice);
    size_t size = info->size;
    kztts_voice_info own = {.size = size,
                            .kind = kind_of(&f),
                            .name = f.text[KZ_VOICE_NAME],
                            .language = f.text[KZ_VOICE_LANGUAGE],
                            .family = f.text[KZ_VOICE_FAMILY],
                            .model_type = f.text[KZ_VOICE_MODEL_TYPE],
                            .model_size = f.text[KZ_VOICE_MODEL_SIZE],
                            .d_model = f.x_vector ? (int)f.d_model : 0,
                            .code_groups = f.ref_code ? (int)f.n_code : 0,
                            .frames = f.ref_code ? f.n_ref : 0,
                            .x_vector_only = f.x_vector && !f.ref_code,
                            .ref_text = f.text[KZ_VOICE_REF_TEXT],
                            .description = f.text[KZ_VOICE_DESCRIPTION],
                            .has_seed = f.has_seed,
                            .seed = f.seed,
                            .source = f.text[KZ_VOICE_SOURCE],
                            .source_sha256 = f.text[KZ_VOICE_SOURCE_SHA256],
                            .consent = f.text[KZ_VOICE_CONSENT],
                            .consent_date = f.text[KZ_VOICE_CONSENT_DATE],
                            .licence = f.text[KZ_VOICE_LICENCE],
                            .created = f.text[KZ_VOICE_CREATED],
                            .engine = f.text[KZ_VOICE_ENGINE],
                            .speaker_sha256 = f.text[KZ_VOICE_SPEAKER_SHA256],
                            .codec_sha256 = f.text[KZ_VOICE_CODEC_SHA256],
                            .fingerprint = fingerprint(voice, &f)};
    memcpy(info, &own, size < sizeof own ? size : sizeof own);
    return KZTTS_OK;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

#define META_MIN (offsetof(kztts_voice_meta, overwrite) + sizeof(int))

void kztts_voice_meta_init(kztts_voice_meta *meta, size_t size) {
    kztts_voice_meta own = {.size = size};
    if (meta)
        memcpy(meta, &own, size < sizeof own ? size : sizeof own);
}

static kztts_status set_text(kz_voice_file *f, kz_voice_key key, const char *value, kz_err *err) {
    const char *expected;
    size_t limit;
    if (!value)
        return KZTTS_OK;
    f->text[key] = *value ? value : NULL;
    if (!*value)
        return KZTTS_OK;
    size_t n = strlen(value), valid = kz_utf8_valid(value, n);
    if (valid < n)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s of a voice: not UTF-8 at byte %zu", kz_voice_key_name(key),
                       valid);
    if (!kz_voice_text_check(key, value, &expected, &limit))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s of a voice: expected %s, at most %zu bytes",
                       kz_voice_key_name(key), expected, limit);
    return KZTTS_OK;
}

static kztts_status set_meta(kz_voice_file *f, const kztts_voice_meta *meta, kz_err *err) {
    KZ_TRY(set_text(f, KZ_VOICE_NAME, meta->name, err));
    KZ_TRY(set_text(f, KZ_VOICE_LANGUAGE, meta->language, err));
    KZ_TRY(set_text(f, KZ_VOICE_SOURCE, meta->source, err));
    KZ_TRY(set_text(f, KZ_VOICE_SOURCE_SHA256, meta->source_sha256, err));
    KZ_TRY(set_text(f, KZ_VOICE_DESCRIPTION, meta->description, err));
    KZ_TRY(set_text(f, KZ_VOICE_CONSENT, meta->consent, err));
    KZ_TRY(set_text(f, KZ_VOICE_CONSENT_DATE, meta->consent_date, err));
    KZ_TRY(set_text(f, KZ_VOICE_LICENCE, meta->licence, err));
    KZ_TRY(set_text(f, KZ_VOICE_CREATED, meta->created, err));
    if (meta->has_seed) {
        f->has_seed = true;
        f->seed = meta->seed;
    }
    return KZTTS_OK;
}

/* The file's name without folder and ending; none when that can't be a name. */
static void name_after(kz_voice_file *f, const char *path, char name[256]) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.'), *expected;
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base), limit;
    if (n >= 256)
        return;
    memcpy(name, base, n);
    name[n] = 0;
    if (n && kz_utf8_valid(name, n) == n && kz_voice_text_check(KZ_VOICE_NAME, name, &expected, &limit))
        f->text[KZ_VOICE_NAME] = name;
}

/* What is made up for a file. */
typedef struct room {
    char speaker[KZ_HASH_TEXT], codec[KZ_HASH_TEXT], name[256];
} made_up;

static kztts_status prepare(kztts_voice *voice, kz_voice_file *f, const char *path, const kztts_voice_meta *meta,
                            made_up *made) {
    *f = view(voice);
    if (kind_of(f) == KZTTS_VOICE_PRESET)
        return kz_fail(&voice->err, KZTTS_ERROR_VOICE,
                       "a preset voice belongs to its model; only cloned and described voices become files");
    KZ_TRY(set_meta(f, meta, &voice->err));
    if (!f->text[KZ_VOICE_NAME] && !meta->name)
        name_after(f, path, made->name);
    if (voice->from_file || !f->x_vector)
        return KZTTS_OK;
    const kz_model *m = &voice->model->m;
    KZ_TRY(hash_part(made->speaker, m, KZ_VOICE_SPEAKER_SHA256, &voice->err));
    f->text[KZ_VOICE_SPEAKER_SHA256] = *made->speaker ? made->speaker : NULL;
    if (f->ref_code) {
        KZ_TRY(hash_part(made->codec, m, KZ_VOICE_CODEC_SHA256, &voice->err));
        f->text[KZ_VOICE_CODEC_SHA256] = *made->codec ? made->codec : NULL;
    }
    return KZTTS_OK;
}

typedef kztts_status (*encoder)(const kz_voice_file *, char **, size_t *, kz_err *);

static kztts_status write_file(kztts_voice *voice, const char *path, const kztts_voice_meta *given, encoder encode) {
    kztts_voice_meta meta;
    kz_voice_file f;
    made_up made;
    char *data;
    size_t n;
    if (!voice || (!voice->model && !voice->from_file))
        return KZTTS_ERROR_ARGUMENT;
    voice->err.message[0] = 0;
    if (!path || !*path)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT, "a voice file: no path given");
    kztts_voice_meta_init(&meta, sizeof meta);
    if (given && given->size < META_MIN)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT,
                       "kztts_voice_meta: the size %zu is too small; fill the struct with its init function",
                       given->size);
    if (given)
        memcpy(&meta, given, given->size < sizeof meta ? given->size : sizeof meta);
    KZ_TRY(prepare(voice, &f, path, &meta, &made));
    KZ_TRY(encode(&f, &data, &n, &voice->err));
    kztts_status status = kz_file_write(path, data, n, meta.overwrite != 0, &voice->err);
    kz_free(data);
    return status;
}

kztts_status kztts_voice_save(kztts_voice *voice, const char *path, const kztts_voice_meta *meta) {
    return write_file(voice, path, meta, kz_voice_file_encode);
}

kztts_status kztts_voice_export(kztts_voice *voice, const char *path, const kztts_voice_meta *meta) {
    return write_file(voice, path, meta, kz_voice_json_encode);
}
