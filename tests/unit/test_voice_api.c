/* test_voice_api.c: voices into files and from files, through the public API.  SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "recordings.h"
#include "speech.h"
#include "voice/voice.h"

enum { CLIP = 24000, WIDTH = 84, FRAME_LIMIT = 8 };

static char folder[64];
static kztts_model *base, *design, *presets;
static char log_text[4096];

static void on_log(void *user, kztts_log_level level, const char *message) {
    (void)user;
    if (level > KZTTS_LOG_WARNING)
        return;
    size_t n = strlen(log_text);
    (void)snprintf(log_text + n, sizeof log_text - n, "%s\n", message);
}

static kztts_model *open_model(const char *path) {
    kztts_model *model = NULL;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 2;
    options.log = on_log;
    if (kztts_model_open(&model, path, &options) != KZTTS_OK)
        fprintf(stderr, "%s\n", kztts_model_message(model));
    return model;
}

static int open_all(void **state) {
    (void)state;
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%.30s/kztts-voice-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    base = open_model(ODD);
    design = open_model(DESIGN);
    presets = open_model(PRESETS);
    return mkdtemp(folder) && base && design && presets ? 0 : -1;
}

static int close_all(void **state) {
    (void)state;
    kztts_model_close(&base);
    kztts_model_close(&design);
    kztts_model_close(&presets);
    return rmdir(folder); /* fails when a test left something */
}

static const char *in_folder(const char *name) {
    static char path[4][400];
    static int next;
    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void remove_file(const char *name) { assert_int_equal(remove(in_folder(name)), 0); }

/* Files in the folder. */
static size_t count_files(void) {
    size_t n = 0;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static char *read_file(const char *name, size_t *n) {
    static const size_t most = 1 << 20;
    FILE *f = fopen(in_folder(name), "rb");
    char *data = malloc(most);
    assert_true(f && data);
    *n = fread(data, 1, most, f);
    fclose(f);
    return data;
}

static void write_file(const char *name, const void *data, size_t n) {
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static kztts_voice *clone_clip(const char *transcript) {
    static float pcm[CLIP];
    kztts_voice *voice = NULL;
    speech_like(pcm, CLIP, 24000, -20, -60, 3);
    if (kztts_voice_clone(&voice, base, pcm, CLIP, transcript) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(voice));
    return voice;
}

static kztts_voice_meta full_meta(void) {
    kztts_voice_meta meta;
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.name = "Zo\xc3\xab \xe5\xa3\xb0";
    meta.language = "english";
    meta.source_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    meta.consent = "I agree.\n\xe2\x80\x94 Zo\xc3\xab";
    meta.consent_date = "2026-03-01";
    meta.licence = "private";
    meta.created = "2026-03-01T10:00:00Z";
    return meta;
}

static void save(kztts_voice *voice, const char *name, const kztts_voice_meta *meta) {
    if (kztts_voice_save(voice, in_folder(name), meta) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(voice));
    assert_string_equal(kztts_voice_message(voice), "");
}

static kztts_voice *load(kztts_model *model, const char *name) {
    kztts_voice *voice = NULL;
    if (kztts_voice_load(&voice, model, in_folder(name)) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(voice));
    return voice;
}

static speech *speak(kztts_model *model, kztts_voice *voice) {
    speech *s = speech_new();
    kztts_stream_options options = speech_options(s);
    options.max_frames = FRAME_LIMIT;
    options.on_frame_user = s;
    kztts_stream *stream = NULL;
    if (kztts_stream_open(&stream, model, voice, &options) != KZTTS_OK)
        fail_msg("%s", kztts_stream_message(stream));
    speech_put(stream, ALL);
    speech_read_all(stream, s, ALL);
    kztts_stream_close(&stream);
    assert_true(s->n_sample > 0);
    return s;
}

static kztts_voice_info info_of(const kztts_voice *voice) {
    kztts_voice_info info = {.size = sizeof info};
    assert_int_equal(kztts_voice_get_info(voice, &info), KZTTS_OK);
    assert_int_equal(info.size, sizeof info);
    return info;
}

/* ---- round trips ------------------------------------------------------------------------------------------- */

static void check_info(const kztts_voice_info *info, const kztts_voice_meta *meta, const char *transcript) {
    assert_int_equal(info->kind, KZTTS_VOICE_CLONE);
    assert_string_equal(info->name, meta->name);
    assert_string_equal(info->language, meta->language);
    assert_string_equal(info->family, "qwen3-tts-12hz");
    assert_string_equal(info->model_type, "base");
    assert_string_equal(info->model_size, "1b7");
    assert_int_equal(info->d_model, WIDTH);
    assert_int_equal(info->frames, transcript ? (CLIP + FRAME_SAMPLES - 1) / FRAME_SAMPLES : 0);
    assert_int_equal(info->code_groups, transcript ? CODES : 0);
    assert_int_equal(info->x_vector_only, !transcript);
    if (transcript)
        assert_string_equal(info->ref_text, transcript);
    else
        assert_null(info->ref_text);
    assert_null(info->description);
    assert_int_equal(info->has_seed, 0);
    assert_string_equal(info->source, "recording");
    assert_string_equal(info->source_sha256, meta->source_sha256);
    assert_string_equal(info->consent, meta->consent);
    assert_string_equal(info->consent_date, meta->consent_date);
    assert_string_equal(info->licence, meta->licence);
    assert_string_equal(info->created, meta->created);
    assert_string_equal(info->engine, "kztts " KZTTS_VERSION_STRING);
    assert_int_equal(strlen(info->speaker_sha256), 64);
    assert_int_equal(info->codec_sha256 ? strlen(info->codec_sha256) : 0, transcript ? 64 : 0);
}

/* Saved and loaded, exported and imported: the same samples, the same words, the same bytes. */
static void check_trip(const char *transcript) {
    kztts_voice *fresh = clone_clip(transcript), *loaded, *imported = NULL, *alone = NULL;
    kztts_voice_meta meta = full_meta();
    size_t n, n_again;
    speech *want = speak(base, fresh), *got;
    log_text[0] = 0;
    save(fresh, "a.kzvoice", &meta);
    loaded = load(base, "a.kzvoice");
    got = speak(base, loaded);
    speech_check(want, got, "loaded");
    speech_free(got);
    kztts_voice_info info = info_of(loaded);
    check_info(&info, &meta, transcript);
    assert_string_equal(kztts_voice_name(loaded), meta.name);
    assert_int_equal(kztts_voice_export(loaded, in_folder("a.json"), NULL), KZTTS_OK);
    if (kztts_voice_import(&imported, base, in_folder("a.json")) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(imported));
    got = speak(base, imported);
    speech_check(want, got, "imported");
    speech_free(got);
    assert_int_equal(kztts_voice_inspect(&alone, in_folder("a.kzvoice")), KZTTS_OK);
    info = info_of(alone);
    check_info(&info, &meta, transcript);
    char *first = read_file("a.kzvoice", &n);
    kztts_voice *const again[3] = {loaded, imported, alone};
    for (int i = 0; i < 3; i++) {
        assert_true(info_of(again[i]).fingerprint == info_of(fresh).fingerprint);
        save(again[i], "b.kzvoice", NULL);
        char *same = read_file("b.kzvoice", &n_again);
        assert_int_equal(n, n_again);
        assert_memory_equal(first, same, n);
        free(same);
        remove_file("b.kzvoice");
    }
    assert_string_equal(log_text, "");
    free(first);
    kztts_voice_close(&fresh);
    kztts_voice_close(&loaded);
    kztts_voice_close(&imported);
    kztts_voice_close(&alone);
    speech_free(want);
    remove_file("a.kzvoice");
    remove_file("a.json");
}

static void test_trip_vector(void **state) {
    (void)state;
    check_trip(NULL);
}

static void test_trip_recording(void **state) {
    (void)state;
    check_trip("Gr\xc3\xbc\xc3\x9f"
               "e \"an\" alle,\n\xe4\xbd\xa0\xe5\xa5\xbd.");
}

static void test_described(void **state) {
    (void)state;
    kztts_voice *fresh = NULL, *loaded;
    kztts_voice_meta meta;
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.has_seed = 1;
    meta.seed = UINT64_MAX - 1;
    assert_int_equal(kztts_voice_describe(&fresh, design, "A calm deep voice."), KZTTS_OK);
    save(fresh, "Deep one.v2.kzvoice", &meta);
    loaded = load(design, "Deep one.v2.kzvoice");
    kztts_voice_info info = info_of(loaded);
    assert_int_equal(info.kind, KZTTS_VOICE_DESCRIBED);
    assert_string_equal(info.name, "Deep one.v2"); /* after the file */
    assert_string_equal(info.description, "A calm deep voice.");
    assert_string_equal(info.source, "designed");
    assert_string_equal(info.model_type, "voice_design");
    assert_true(info.has_seed && info.seed == meta.seed);
    assert_true(info.d_model == 0 && info.frames == 0 && !info.x_vector_only);
    speech *want = speak(design, fresh), *got = speak(design, loaded);
    speech_check(want, got, "described");
    speech_free(want);
    speech_free(got);
    kztts_voice_close(&fresh);
    kztts_voice_close(&loaded);
    remove_file("Deep one.v2.kzvoice");
}

/* A designed voice that was cloned: one file for both kinds of model. */
static void test_designed_clone(void **state) {
    (void)state;
    kztts_voice *fresh = clone_clip("Hello there."), *on_base, *on_design, *plain = NULL;
    kztts_voice_meta meta;
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.source = "designed";
    meta.description = "A calm deep voice.";
    save(fresh, "d.kzvoice", &meta);
    on_base = load(base, "d.kzvoice");
    on_design = load(design, "d.kzvoice");
    speech *want = speak(base, fresh), *got = speak(base, on_base);
    speech_check(want, got, "designed clone on base");
    speech_free(want);
    speech_free(got);
    assert_int_equal(kztts_voice_describe(&plain, design, meta.description), KZTTS_OK);
    want = speak(design, plain);
    got = speak(design, on_design);
    speech_check(want, got, "designed clone on voice_design");
    speech_free(want);
    speech_free(got);
    kztts_voice_close(&fresh);
    kztts_voice_close(&on_base);
    kztts_voice_close(&on_design);
    kztts_voice_close(&plain);
    remove_file("d.kzvoice");
}

static void test_import_raw(void **state) {
    (void)state;
    float x[WIDTH];
    kztts_voice *imported = NULL, *loaded;
    for (int i = 0; i < WIDTH; i++)
        x[i] = (float)(i * 37 % 101 - 50) / 400;
    write_file("v.BIN", x, sizeof x);
    assert_int_equal(kztts_voice_import(&imported, base, in_folder("v.BIN")), KZTTS_OK);
    kztts_voice_info info = info_of(imported);
    assert_string_equal(info.source, "imported");
    assert_string_equal(info.model_size, "1b7");
    assert_true(info.x_vector_only && info.d_model == WIDTH && !info.speaker_sha256);
    log_text[0] = 0;
    save(imported, "v.kzvoice", NULL);
    loaded = load(base, "v.kzvoice");
    assert_string_equal(log_text, "");
    speech *want = speak(base, imported), *got = speak(base, loaded);
    speech_check(want, got, "raw");
    speech_free(want);
    speech_free(got);
    kztts_voice_close(&imported);
    kztts_voice_close(&loaded);
    remove_file("v.BIN");
    remove_file("v.kzvoice");
}

/* ---- refusals ---------------------------------------------------------------------------------------------- */

typedef kztts_status (*opener)(kztts_voice **, kztts_model *, const char *);

static void check_refused(opener open, kztts_model *model, const char *path, kztts_status expected, const char *says) {
    kztts_voice *voice = NULL;
    kztts_stream *stream = NULL;
    kztts_status status = open(&voice, model, path);
    assert_non_null(voice);
    if (status != expected || !strstr(kztts_voice_message(voice), says))
        fail_msg("%s: status %d (expected %d), \"%s\" (expected \"%s\")", path ? path : "NULL", (int)status,
                 (int)expected, kztts_voice_message(voice), says);
    assert_int_equal(kztts_stream_open(&stream, model, voice, NULL) < 0, 1); /* it can't be made to speak */
    kztts_stream_close(&stream);
    assert_true(kztts_voice_save(voice, in_folder("x.kzvoice"), NULL) < 0 || remove(in_folder("x.kzvoice")) == 0);
    kztts_voice_close(&voice);
    assert_null(voice);
}

static kztts_status inspect(kztts_voice **out, kztts_model *model, const char *path) {
    (void)model;
    return kztts_voice_inspect(out, path);
}

/* A file for a model of another size and kind. */
static void write_voice(const char *name, const char *size, size_t width, const char *family, size_t n_code) {
    static float x[4096] = {1};
    static kz_code c[64];
    kz_voice_file f = {.d_model = width, .x_vector = x, .n_ref = 1, .n_code = n_code, .codebook_size = 32};
    kz_err err = {""};
    char *data;
    size_t n;
    f.ref_code = n_code ? c : NULL;
    f.text[KZ_VOICE_FAMILY] = family;
    f.text[KZ_VOICE_MODEL_SIZE] = size;
    f.text[KZ_VOICE_REF_TEXT] = "...";
    if (kz_voice_file_encode(&f, &data, &n, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    write_file(name, data, n);
    kz_free(data);
}

static void test_refused_files(void **state) {
    (void)state;
    const char *path = in_folder("f.kzvoice");
    char keep[400];
    strcpy(keep, path);
    path = keep;
    check_refused(kztts_voice_load, base, NULL, KZTTS_ERROR_ARGUMENT, "no path");
    check_refused(kztts_voice_load, base, "", KZTTS_ERROR_ARGUMENT, "no path");
    check_refused(kztts_voice_load, NULL, path, KZTTS_ERROR_ARGUMENT, "opened model");
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_NOT_FOUND, "f.kzvoice");
    check_refused(inspect, NULL, path, KZTTS_ERROR_NOT_FOUND, "f.kzvoice");
    check_refused(kztts_voice_load, base, folder, KZTTS_ERROR_FORMAT, "not a regular file");
    check_refused(kztts_voice_load, base, ODD "/model.safetensors", KZTTS_ERROR_FORMAT, "not a voice file");
    check_refused(kztts_voice_import, base, path, KZTTS_ERROR_ARGUMENT, "can be imported");
    check_refused(kztts_voice_import, base, "voice.xyz", KZTTS_ERROR_ARGUMENT, "can be imported");
    check_refused(kztts_voice_import, base, ODD "/vocab.json", KZTTS_ERROR_FORMAT, "neither a speaker vector");
    write_file("f.kzvoice", "", 0);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_FORMAT, "too few");
    write_file("f.kzvoice", "RIFF\0\0\0\0WAVE", 12);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_FORMAT, "not a safetensors file");
    write_voice("f.kzvoice", "0b6", 1024, "qwen3-tts-12hz", 0);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_VOICE,
                  "made for the 0.6B model (1024 wide), this one is 1.7B (84 wide)");
    check_refused(kztts_voice_load, presets, path, KZTTS_ERROR_VOICE, "custom_voice");
    check_refused(kztts_voice_load, design, path, KZTTS_ERROR_VOICE, "a cloned voice");
    write_voice("f.kzvoice", "1b7", WIDTH, "qwen3-tts-25hz", 0);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_VOICE, "family qwen3-tts-25hz");
    write_voice("f.kzvoice", "1b7", WIDTH, "qwen3-tts-12hz", 8);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_FORMAT, "no letter and no digit");
    static char large[KZ_VOICE_MAX_BYTES + 1];
    write_file("f.kzvoice", large, sizeof large);
    check_refused(kztts_voice_load, base, path, KZTTS_ERROR_FORMAT, "limit");
    remove_file("f.kzvoice");
    float x[WIDTH + 1] = {1};
    write_file("f.f32", x, sizeof x);
    check_refused(kztts_voice_import, base, in_folder("f.f32"), KZTTS_ERROR_VOICE, "85 wide");
    remove_file("f.f32");
    assert_int_equal(kztts_voice_load(NULL, base, path), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_inspect(NULL, path), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(count_files(), 0);
}

static void check_meta(kztts_voice *voice, const kztts_voice_meta *meta, const char *says) {
    kztts_status status = kztts_voice_save(voice, in_folder("m.kzvoice"), meta);
    if (status != KZTTS_ERROR_ARGUMENT || !strstr(kztts_voice_message(voice), says))
        fail_msg("status %d, \"%s\", expected \"%s\"", (int)status, kztts_voice_message(voice), says);
    assert_int_equal(count_files(), 0);
}

static void test_refused_meta(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip(NULL);
    static char long_name[202];
    memset(long_name, 'n', 201);
    const struct {
        size_t at; /* of the string in the struct */
        const char *value, *says;
    } rows[] = {
        {offsetof(kztts_voice_meta, name), "a\nb", "name of a voice: expected one line"},
        {offsetof(kztts_voice_meta, name), long_name, "at most 200 bytes"},
        {offsetof(kztts_voice_meta, name), "a\xc0\x80", "name of a voice: not UTF-8 at byte 1"},
        {offsetof(kztts_voice_meta, language), "\x1b[31m", "language of a voice"},
        {offsetof(kztts_voice_meta, source), "theft", "recording, designed, preset or imported"},
        {offsetof(kztts_voice_meta, source_sha256), "ABCD", "64 hexadecimal digits"},
        {offsetof(kztts_voice_meta, consent), "\x07", "consent of a voice"},
        {offsetof(kztts_voice_meta, consent_date), "01.03.2026", "consent_date of a voice: expected a date"},
        {offsetof(kztts_voice_meta, licence), "a\nb", "licence of a voice"},
        {offsetof(kztts_voice_meta, created), "2026-03-01 10:00:00Z", "created of a voice: expected a date"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kztts_voice_meta meta;
        kztts_voice_meta_init(&meta, sizeof meta);
        memcpy((char *)&meta + rows[i].at, &rows[i].value, sizeof rows[i].value);
        check_meta(voice, &meta, rows[i].says);
    }
    kztts_voice_meta meta = {0};
    check_meta(voice, &meta, "init");
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.has_seed = 1; /* of what? */
    assert_int_equal(kztts_voice_save(voice, in_folder("m.kzvoice"), &meta), KZTTS_ERROR_VOICE);
    kztts_voice_meta_init(NULL, sizeof meta);
    kztts_voice_close(&voice);
}

static void test_refused_places(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip(NULL), *preset = NULL, *empty = NULL;
    kztts_voice_meta meta;
    kztts_voice_meta_init(&meta, sizeof meta);
    size_t n;
    const char *path = in_folder("p.kzvoice");
    char keep[400];
    strcpy(keep, path);
    path = keep;
    write_file("p.kzvoice", "mine", 4);
    assert_int_equal(kztts_voice_save(voice, path, NULL), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(kztts_voice_message(voice), "is there already"));
    assert_int_equal(kztts_voice_export(voice, path, NULL), KZTTS_ERROR_ARGUMENT);
    char *data = read_file("p.kzvoice", &n);
    assert_true(n == 4 && memcmp(data, "mine", 4) == 0);
    free(data);
    meta.overwrite = 1;
    save(voice, "p.kzvoice", &meta);
    data = read_file("p.kzvoice", &n);
    assert_true(n > 300);
    free(data);
    assert_int_equal(count_files(), 1);
    remove_file("p.kzvoice");
    assert_int_equal(kztts_voice_save(voice, in_folder("none/p.kzvoice"), &meta), KZTTS_ERROR_NOT_FOUND);
    assert_int_equal(kztts_voice_save(voice, folder, &meta), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_save(voice, "/dev/null", &meta), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_save(voice, "", &meta), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_save(voice, NULL, &meta), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_save(NULL, path, &meta), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_preset(&preset, presets, NULL), KZTTS_OK);
    assert_int_equal(kztts_voice_save(preset, path, NULL), KZTTS_ERROR_VOICE);
    assert_int_equal(info_of(preset).kind, KZTTS_VOICE_PRESET);
    assert_string_equal(info_of(preset).name, kztts_voice_name(preset));
    assert_int_equal(kztts_voice_describe(&empty, design, ""), KZTTS_OK);
    assert_int_equal(kztts_voice_save(empty, path, NULL), KZTTS_ERROR_VOICE);
    assert_int_equal(count_files(), 0);
    kztts_voice_close(&voice);
    kztts_voice_close(&preset);
    kztts_voice_close(&empty);
}

/* A name of 250 bytes leaves no room for a longer one beside it. */
static void test_long_file_name(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip(NULL);
    char name[256] = "";
    memset(name, 'l', 250);
    save(voice, name, NULL);
    remove_file(name);
    kztts_voice_close(&voice);
}

/* ---- warnings ---------------------------------------------------------------------------------------------- */

/* The file with one digit of a hash changed. */
static void change_hash(const char *key) {
    size_t n;
    char *data = read_file("w.kzvoice", &n), *at = NULL;
    for (size_t i = 0; i + strlen(key) < n && !at; i++)
        if (memcmp(data + i, key, strlen(key)) == 0)
            at = data + i + strlen(key);
    assert_non_null(at);
    *at = *at == '0' ? '1' : '0';
    write_file("w.kzvoice", data, n);
    free(data);
}

static void check_warning(const char *key, const char *says) {
    kztts_voice *voice = clone_clip("Hello there."), *loaded;
    save(voice, "w.kzvoice", NULL);
    change_hash(key);
    log_text[0] = 0;
    loaded = load(base, "w.kzvoice");
    if (!strstr(log_text, says) || strchr(log_text, '\n')[1])
        fail_msg("\"%s\", expected \"%s\" alone", log_text, says);
    kztts_voice_close(&voice);
    kztts_voice_close(&loaded);
    remove_file("w.kzvoice");
}

static void test_warnings(void **state) {
    (void)state;
    check_warning("\"speaker_sha256\":\"", "another speaker encoder");
    check_warning("\"codec_sha256\":\"", "another codec");
    check_warning("\"model_size\":\"", "of size 0b7, this one is 1b7");
}

/* ---- info -------------------------------------------------------------------------------------------------- */

static void test_info(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip(NULL), *broken = NULL;
    kztts_voice_info info;
    memset(&info, 0x5a, sizeof info);
    info.size = offsetof(kztts_voice_info, language); /* an older program's */
    assert_int_equal(kztts_voice_get_info(voice, &info), KZTTS_OK);
    assert_int_equal(info.kind, KZTTS_VOICE_CLONE);
    for (size_t i = info.size; i < sizeof info; i++)
        assert_int_equal(((const unsigned char *)&info)[i], 0x5a);
    info.size = 0;
    assert_int_equal(kztts_voice_get_info(voice, &info), KZTTS_ERROR_ARGUMENT);
    info.size = sizeof info;
    assert_int_equal(kztts_voice_get_info(NULL, &info), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_get_info(voice, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_clone(&broken, base, NULL, 0, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_get_info(broken, &info), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_voice_save(broken, in_folder("b"), NULL), KZTTS_ERROR_ARGUMENT);
    kztts_voice_close(&broken);
    kztts_voice_close(&voice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trip_vector),    cmocka_unit_test(test_trip_recording),
        cmocka_unit_test(test_described),      cmocka_unit_test(test_designed_clone),
        cmocka_unit_test(test_import_raw),     cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_refused_meta),   cmocka_unit_test(test_refused_places),
        cmocka_unit_test(test_long_file_name), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_info),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
