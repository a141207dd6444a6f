/* test_convert.c: models as prepared files: they speak with the bits of their source, and nothing is left by what fails.
 * SPDX-License-Identifier: Apache-2.0 */
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

enum { CLIP = 24000 };

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%.30s/kztts-convert-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); /* fails when a test, or what it tested, left something */
}

static const char *in_folder(const char *name) {
    static char path[4][400];
    static int next;
    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void remove_file(const char *name) { assert_int_equal(remove(in_folder(name)), 0); }

static void convert(const char *source, const char *name, const char *quant, int threads) {
    char message[512];
    kztts_convert_options options;
    kztts_convert_options_init(&options, sizeof options);
    options.quant = quant;
    options.threads = threads;
    if (kztts_convert(source, in_folder(name), &options, message, sizeof message) != KZTTS_OK)
        fail_msg("%s: %s", source, message);
    assert_string_equal(message, "");
}

static kztts_model *open_quant(const char *path, const char *quant) {
    kztts_model *model = NULL;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.quant = quant;
    options.threads = 2;
    if (kztts_model_open(&model, path, &options) != KZTTS_OK)
        fail_msg("%s: %s", path, kztts_model_message(model));
    return model;
}

/* ---- the same bits ----------------------------------------------------------------------------------------- */

static kztts_voice *make_voice(kztts_model *model, const char *type) {
    if (strcmp(type, "base") != 0)
        return speech_open_voice(model);
    static float clip[CLIP];
    kztts_voice *voice = NULL;
    speech_like(clip, CLIP, CLIP, -20, -60, 7);
    assert_int_equal(kztts_voice_clone(&voice, model, clip, CLIP, "A clip."), KZTTS_OK);
    return voice;
}

/* The hashes of the weights in a voice file too. */
static char *voice_bytes(kztts_voice *voice, const char *name, size_t *n) {
    char *data = calloc(1, 1 << 20);
    kztts_voice_info info = {.size = sizeof info};
    assert_non_null(data);
    *n = 0;
    assert_int_equal(kztts_voice_get_info(voice, &info), KZTTS_OK);
    if (info.kind == KZTTS_VOICE_PRESET)
        return data;
    assert_int_equal(kztts_voice_save(voice, in_folder(name), NULL), KZTTS_OK);
    FILE *f = fopen(in_folder(name), "rb");
    assert_non_null(f);
    *n = fread(data, 1, 1 << 20, f);
    fclose(f);
    remove_file(name);
    return data;
}

static void compare_models(kztts_model *a, kztts_model *b, const char *what) {
    kztts_model_info x = {.size = sizeof x}, y = {.size = sizeof y};
    size_t n_a, n_b;
    assert_int_equal(kztts_model_get_info(a, &x), KZTTS_OK);
    assert_int_equal(kztts_model_get_info(b, &y), KZTTS_OK);
    assert_string_equal(x.kind, "directory");
    assert_string_equal(y.kind, "prepared");
    assert_string_equal(x.talker_weights, y.talker_weights);
    assert_string_equal(x.predictor_weights, y.predictor_weights);
    assert_string_equal(x.codec_weights, y.codec_weights);
    assert_true(x.parameters == y.parameters);
    assert_true(y.packed_bytes < x.packed_bytes / 2); /* nothing large is copied */
    kztts_voice *voice_a = make_voice(a, x.type), *voice_b = make_voice(b, y.type);
    char *bytes_a = voice_bytes(voice_a, "v.kzvoice", &n_a), *bytes_b = voice_bytes(voice_b, "v.kzvoice", &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(bytes_a, bytes_b, n_a);
    speech *want = speech_make(a, voice_a, NULL, ALL, ALL), *got = speech_make(b, voice_b, NULL, ALL, ALL);
    assert_true(want->n_frame > 0);
    speech_check(want, got, what);
    speech_free(want);
    speech_free(got);
    free(bytes_a);
    free(bytes_b);
    kztts_voice_close(&voice_a);
    kztts_voice_close(&voice_b);
}

static void test_same_bits(void **state) {
    static const char *const models[] = {PRESETS, DESIGN, ODD};
    static const char *const quants[] = {NULL, "q8", "q4", "talker=q4_0,predictor=q8"};
    (void)state;
    for (size_t m = 0; m < 3; m++)
        for (size_t q = 0; q < 4; q++) {
            char what[200];
            (void)snprintf(what, sizeof what, "%s as %s", models[m], quants[q] ? quants[q] : "stored");
            convert(models[m], "a.kztts", quants[q], 2);
            kztts_model *a = open_quant(models[m], quants[q]), *b = open_quant(in_folder("a.kztts"), NULL);
            compare_models(a, b, what);
            kztts_model_close(&a);
            kztts_model_close(&b);
            remove_file("a.kztts");
        }
}

/* From a file with the source's types, at opening and into another file. */
static void test_quantized_later(void **state) {
    (void)state;
    convert(ODD, "full.kztts", NULL, 2);
    convert(in_folder("full.kztts"), "q8.kztts", "q8", 2);
    kztts_model *a = open_quant(ODD, "q8"), *b = open_quant(in_folder("full.kztts"), "q8"),
                *c = open_quant(in_folder("q8.kztts"), NULL);
    kztts_voice *voice[3] = {make_voice(a, "base"), make_voice(b, "base"), make_voice(c, "base")};
    speech *want = speech_make(a, voice[0], NULL, ALL, ALL), *later = speech_make(b, voice[1], NULL, ALL, ALL),
           *again = speech_make(c, voice[2], NULL, ALL, ALL);
    speech_check(want, later, "at opening");
    speech_check(want, again, "from a prepared file");
    speech_free(want);
    speech_free(later);
    speech_free(again);
    for (int i = 0; i < 3; i++)
        kztts_voice_close(&voice[i]);
    kztts_model_close(&a);
    kztts_model_close(&b);
    kztts_model_close(&c);
    remove_file("full.kztts");
    remove_file("q8.kztts");
}

static char *read_whole(const char *name, size_t *n) {
    FILE *f = fopen(in_folder(name), "rb");
    struct stat st;
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    char *data = malloc((size_t)st.st_size);
    assert_non_null(data);
    *n = fread(data, 1, (size_t)st.st_size, f);
    assert_int_equal(*n, st.st_size);
    fclose(f);
    return data;
}

static void test_same_file(void **state) {
    size_t n[2];
    (void)state;
    convert(PRESETS, "a.kztts", "q8", 1);
    convert(PRESETS, "b.kztts", "q8", 3);
    char *a = read_whole("a.kztts", &n[0]), *b = read_whole("b.kztts", &n[1]);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(a, b, n[0]);
    free(a);
    free(b);
    remove_file("a.kztts");
    remove_file("b.kztts");
}

static void test_parts(void **state) {
    int32_t codes[2 * CODES] = {0};
    float pcm[2][2 * FRAME_SAMPLES];
    static const char *const name = "a.kztts";
    (void)state;
    for (int i = 0; i < 2 * CODES; i++)
        codes[i] = i;
    convert(PRESETS, name, NULL, 2);
    for (int i = 0; i < 2; i++) {
        kztts_decoder *decoder = NULL;
        assert_int_equal(kztts_decoder_open(&decoder, i ? in_folder(name) : PRESETS, KZTTS_DECODE_CONTINUOUS, NULL),
                         KZTTS_OK);
        assert_int_equal(kztts_decoder_run(decoder, codes, 2, pcm[i]), KZTTS_OK);
        kztts_decoder_close(&decoder);
    }
    assert_memory_equal(pcm[0], pcm[1], sizeof pcm[0]);
    int32_t *ids[2];
    size_t n[2];
    for (int i = 0; i < 2; i++) {
        kztts_tokenizer *tokenizer = NULL;
        assert_int_equal(kztts_tokenizer_open(&tokenizer, i ? in_folder(name) : PRESETS, KZTTS_PATTERN_NATIVE),
                         KZTTS_OK);
        assert_int_equal(kztts_tokenizer_encode(tokenizer, "One, two.", 9, 0, &ids[i], &n[i]), KZTTS_OK);
        kztts_tokenizer_close(&tokenizer);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(ids[0], ids[1], n[0] * sizeof **ids);
    kztts_free(ids[0]);
    kztts_free(ids[1]);
    remove_file(name);
}

/* ---- checksums --------------------------------------------------------------------------------------------- */

static void flip(const char *name, long at) {
    FILE *f = fopen(in_folder(name), "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    int c = fgetc(f);
    assert_int_equal(fseek(f, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    assert_int_equal(fputc(c ^ 0x40, f), c ^ 0x40);
    fclose(f);
}

static int stop_at_once(void *user, uint64_t done, uint64_t total) {
    int *calls = user;
    assert_true(done <= total);
    return ++*calls > 0;
}

static int count(void *user, uint64_t done, uint64_t total) {
    uint64_t *last = user;
    assert_true(done >= *last && done <= total);
    *last = done;
    return 0;
}

static void test_check(void **state) {
    char message[512];
    struct stat st;
    uint64_t last = 0;
    int calls = 0;
    (void)state;
    convert(PRESETS, "a.kztts", "q8", 2);
    const char *path = in_folder("a.kztts");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(kztts_check_file(path, count, &last, message, sizeof message), KZTTS_OK);
    assert_true(last > (uint64_t)st.st_size / 2);
    assert_int_equal(kztts_check_file(path, stop_at_once, &calls, NULL, 0), KZTTS_END);
    for (int i = 1; i < 8; i++) { /* places all over the data */
        long at = -1 - (long)(st.st_size / 16 * i);
        flip("a.kztts", at);
        assert_int_equal(kztts_check_file(path, NULL, NULL, message, sizeof message), KZTTS_ERROR_FORMAT);
        assert_non_null(strstr(message, "another checksum than the header says"));
        flip("a.kztts", at);
    }
    assert_int_equal(kztts_check_file(path, NULL, NULL, message, sizeof message), KZTTS_OK);
    flip("a.kztts", 300);
    assert_int_equal(kztts_check_file(path, NULL, NULL, message, sizeof message), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(message, "the header's checksum is"));
    assert_int_equal(kztts_check_file(PRESETS "/model.safetensors", NULL, NULL, message, sizeof message),
                     KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(message, "no prepared file"));
    assert_int_equal(kztts_check_file(in_folder("none"), NULL, NULL, message, sizeof message), KZTTS_ERROR_NOT_FOUND);
    assert_int_equal(kztts_check_file(NULL, NULL, NULL, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    remove_file("a.kztts");
}

/* ---- refusals ---------------------------------------------------------------------------------------------- */

static void refuse(const char *source, const char *target, const char *quant, kztts_status expected,
                   const char *fragment) {
    char message[512];
    kztts_convert_options options;
    kztts_convert_options_init(&options, sizeof options);
    options.quant = quant;
    kztts_status status = kztts_convert(source, target, &options, message, sizeof message);
    if (status != expected || !strstr(message, fragment))
        fail_msg("status %d (expected %d), message \"%s\" (expected \"...%s...\")", status, expected, message,
                 fragment);
}

static void test_refused(void **state) {
    (void)state;
    convert(PRESETS, "a.kztts", "q8", 2);
    refuse(PRESETS, in_folder("a.bin"), NULL, KZTTS_ERROR_ARGUMENT, "the ending of the name tells");
    refuse(PRESETS, in_folder(".kztts"), NULL, KZTTS_OK, "");
    remove_file(".kztts");
    refuse(PRESETS, in_folder("a.kztts"), NULL, KZTTS_ERROR_ARGUMENT, "is there already");
    refuse(in_folder("a.kztts"), in_folder("a.kztts"), NULL, KZTTS_ERROR_ARGUMENT, "are the same file");
    refuse(in_folder("a.kztts"), in_folder("b.kztts"), "q4", KZTTS_ERROR_ARGUMENT, "is q8 in this file");
    refuse(PRESETS, in_folder("b.kztts"), "q9", KZTTS_ERROR_ARGUMENT, "\"q9\" is not understood");
    refuse(PRESETS "/none", in_folder("b.kztts"), NULL, KZTTS_ERROR_NOT_FOUND, "no such model");
    refuse(PRESETS, in_folder("none/b.kztts"), NULL, KZTTS_ERROR_NOT_FOUND, "can't be written");
    refuse(NULL, in_folder("b.kztts"), NULL, KZTTS_ERROR_ARGUMENT, "no source or no target");
    refuse(PRESETS, "", NULL, KZTTS_ERROR_ARGUMENT, "no source or no target");
    kztts_convert_options zero = {0};
    assert_int_equal(kztts_convert(PRESETS, in_folder("b.kztts"), &zero, NULL, 0), KZTTS_ERROR_ARGUMENT);
    remove_file("a.kztts");
}

static void test_overwrite_and_stop(void **state) {
    size_t n[2];
    int calls = 0;
    kztts_convert_options options;
    (void)state;
    convert(PRESETS, "a.kztts", NULL, 2);
    char *before = read_whole("a.kztts", &n[0]);
    kztts_convert_options_init(&options, sizeof options);
    options.overwrite = 1;
    options.quant = "q8";
    options.on_progress = stop_at_once;
    options.on_progress_user = &calls;
    assert_int_equal(kztts_convert(PRESETS, in_folder("a.kztts"), &options, NULL, 0), KZTTS_END);
    assert_int_equal(calls, 1);
    char *after = read_whole("a.kztts", &n[1]);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(before, after, n[0]);
    free(after);
    options.on_progress = NULL;
    assert_int_equal(kztts_convert(PRESETS, in_folder("a.kztts"), &options, NULL, 0), KZTTS_OK);
    after = read_whole("a.kztts", &n[1]);
    assert_true(n[1] < n[0]);
    free(before);
    free(after);
    remove_file("a.kztts");
}

/* ---- traces ------------------------------------------------------------------------------------------------ */

typedef struct traced {
    int32_t chosen[(FRAMES + 1) * CODES];
    float first[FRAMES + 1][8]; /* some scores of group 0 */
    float second[FRAMES][8];    /* and of group 1 */
    uint64_t calls;
} traced;

static int keep(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen) {
    traced *t = user;
    assert_true(frame <= FRAMES && group < CODES && n > 8 && chosen >= 0 && chosen < n);
    assert_true(frame * CODES + (uint64_t)group == t->calls++);
    t->chosen[frame * CODES + (uint64_t)group] = chosen;
    if (group < 2)
        memcpy(group ? t->second[frame] : t->first[frame], scores, sizeof t->first[0]);
    return 0;
}

static kztts_status trace(kztts_model *model, kztts_voice *voice, const int32_t *codes, size_t n, traced *t) {
    char message[512];
    kztts_stream_options options = speech_options(NULL);
    kztts_trace_request r = {.size = sizeof r,
                             .text = speech_text,
                             .options = &options,
                             .codes = codes,
                             .n_frame = n,
                             .fn = keep,
                             .user = t};
    memset(t, 0, sizeof *t);
    return kztts_model_trace(model, voice, &r, message, sizeof message);
}

/* By its own codes a model goes where it went; another's codes lead it elsewhere from the next code on, whatever it
 * would have taken itself. */
static void test_trace(void **state) {
    static traced own, other, quantized;
    int32_t codes[FRAMES * CODES];
    (void)state;
    kztts_model *model = speech_open_model(PRESETS, NULL, 2), *q8 = open_quant(PRESETS, "predictor=q8");
    kztts_voice *voice = speech_open_voice(model), *voice8 = speech_open_voice(q8);
    speech *s = speech_make(model, voice, NULL, ALL, ALL);
    assert_int_equal(s->n_frame, FRAMES);
    memcpy(codes, s->codes, sizeof codes);
    assert_int_equal(trace(model, voice, codes, FRAMES, &own), KZTTS_OK);
    assert_int_equal(own.calls, FRAMES * CODES + 1);
    assert_memory_equal(own.chosen, codes, sizeof codes);

    codes[3 * CODES] = (codes[3 * CODES] + 1) % 8; /* first code of frame 3 */
    assert_int_equal(trace(model, voice, codes, FRAMES, &other), KZTTS_OK);
    assert_memory_equal(own.first, other.first, 4 * sizeof own.first[0]);
    assert_memory_equal(own.second, other.second, 3 * sizeof own.second[0]);
    assert_memory_not_equal(own.second[3], other.second[3], sizeof own.second[3]);
    assert_memory_not_equal(own.first[4], other.first[4], sizeof own.first[4]);

    /* The talker sees the codes that are given, so nothing of the predictor's weights. */
    assert_int_equal(trace(q8, voice8, codes, FRAMES, &quantized), KZTTS_OK);
    assert_memory_equal(other.first, quantized.first, sizeof other.first);
    assert_memory_not_equal(other.second, quantized.second, sizeof other.second);
    speech_free(s);
    kztts_voice_close(&voice);
    kztts_voice_close(&voice8);
    kztts_model_close(&model);
    kztts_model_close(&q8);
}

static int stop_trace(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen) {
    (void)frame;
    (void)group;
    (void)scores;
    (void)n;
    (void)chosen;
    return ++*(int *)user == 5;
}

static void test_trace_refused(void **state) {
    char message[512];
    int32_t codes[2 * CODES] = {0};
    int calls = 0;
    (void)state;
    kztts_model *model = speech_open_model(PRESETS, NULL, 2);
    kztts_voice *voice = speech_open_voice(model);
    kztts_trace_request r = {
        .size = sizeof r, .text = "Hello.", .codes = codes, .n_frame = 2, .fn = stop_trace, .user = &calls};
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_END);
    assert_int_equal(calls, 5);
    codes[CODES + 2] = 1 << 20;
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "frame 1, group 2: code 1048576 is not from 0 to "));
    codes[CODES + 2] = -1;
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    codes[CODES + 2] = 0;
    r.text = "\xff";
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_ERROR_TEXT);
    r.text = " ... ";
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_ERROR_TEXT);
    r.text = NULL;
    assert_int_equal(kztts_model_trace(model, voice, &r, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_model_trace(model, voice, NULL, NULL, 0), KZTTS_ERROR_ARGUMENT);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_quantized_later),
        cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_overwrite_and_stop),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_trace_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
