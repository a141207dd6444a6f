/* test_alloc.c: every allocation fails in turn, and the frame loop makes none.  SPDX-License-Identifier: Apache-2.0
 *
 * The program brings its own malloc, which counts, remembers what is alive and fails on demand. That is glibc's way;
 * elsewhere, and under sanitizers (they bring theirs), the test is skipped. */
#include <stdio.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if !defined(__GLIBC__) || defined(SANITIZED)

int main(void) {
    printf("SKIP test_alloc: needs glibc and no sanitizer\n");
    return 77;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kztts/kztts.h"

#define MODEL KZ_TEST_DATA "/checkpoints/tiny-cv"

/* Seen by the libraries too, the JSON reader above all. */
#pragma GCC visibility push(default)

/* ---- malloc ------------------------------------------------------------------------------------------------ */

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);
extern void __libc_free(void *p);

enum { MAX_SEEN = 1 << 18 };

static atomic_size_t n_call;     /* allocations since the counter was set back */
static atomic_size_t fail_from;  /* number of the first that fails; 0 = none */
static atomic_size_t fail_count; /* how many fail from there on */
static atomic_size_t n_failed;
static atomic_llong n_live; /* blocks */
static atomic_bool noting;  /* note the callers */
static unsigned char from_json[MAX_SEEN], from_libc[MAX_SEEN];

static void note_caller(size_t number, const void *caller) {
    Dl_info info;
    if (number < MAX_SEEN && dladdr(caller, &info) && info.dli_fname) {
        from_json[number] = strstr(info.dli_fname, "cjson") != NULL;
        from_libc[number] = strstr(info.dli_fname, "/libc.so") != NULL;
    }
}

/* Whether the call may go on. */
static int count_call(const void *caller) {
    size_t number = atomic_fetch_add(&n_call, 1) + 1;
    size_t from = atomic_load(&fail_from);
    if (atomic_load(&noting))
        note_caller(number, caller);
    if (from && number >= from && number - from < atomic_load(&fail_count)) {
        atomic_fetch_add(&n_failed, 1);
        errno = ENOMEM;
        return 0;
    }
    return 1;
}

static void *count_block(void *p) {
    if (p)
        atomic_fetch_add(&n_live, 1);
    return p;
}

void *malloc(size_t n) { return count_call(__builtin_return_address(0)) ? count_block(__libc_malloc(n)) : NULL; }

void *calloc(size_t count, size_t size) {
    return count_call(__builtin_return_address(0)) ? count_block(__libc_calloc(count, size)) : NULL;
}

void *realloc(void *p, size_t n) {
    if (!count_call(__builtin_return_address(0)))
        return NULL;
    if (!p)
        return count_block(__libc_malloc(n));
    if (!n)
        atomic_fetch_sub(&n_live, 1);
    return __libc_realloc(p, n);
}

void *aligned_alloc(size_t alignment, size_t n) {
    return count_call(__builtin_return_address(0)) ? count_block(__libc_memalign(alignment, n)) : NULL;
}

void *memalign(size_t alignment, size_t n);
void *memalign(size_t alignment, size_t n) {
    return count_call(__builtin_return_address(0)) ? count_block(__libc_memalign(alignment, n)) : NULL;
}

int posix_memalign(void **out, size_t alignment, size_t n) {
    void *p = count_call(__builtin_return_address(0)) ? count_block(__libc_memalign(alignment, n)) : NULL;
    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

void free(void *p) {
    if (p)
        atomic_fetch_sub(&n_live, 1);
    __libc_free(p);
}

#pragma GCC visibility pop

static void start_counting(size_t from, size_t count) {
    atomic_store(&n_call, 0);
    atomic_store(&n_failed, 0);
    atomic_store(&fail_count, count);
    atomic_store(&fail_from, from);
}

static size_t stop_counting(void) {
    atomic_store(&fail_from, 0);
    return atomic_load(&n_call);
}

/* ---- what is run ------------------------------------------------------------------------------------------- */

enum { FRAMES = 3, FRAME_SAMPLES = 1920 };

static kztts_status read_frames(kztts_stream *stream, int n_frame) {
    static float pcm[FRAME_SAMPLES];
    for (int i = 0; i < n_frame; i++) {
        size_t n = 0;
        kztts_status status = kztts_stream_read(stream, pcm, FRAME_SAMPLES, &n);
        if (status != KZTTS_OK)
            return status;
    }
    return KZTTS_OK;
}

static kztts_status speak(kztts_stream *stream, int n_frame) {
    static const char text[] = "Hello, world.";
    kztts_status status = kztts_stream_put(stream, text, sizeof text - 1);
    if (status == KZTTS_OK)
        status = kztts_stream_finish(stream);
    return status == KZTTS_OK ? read_frames(stream, n_frame) : status;
}

/* Model, voice, stream, three frames. */
static kztts_status run_all(void) {
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_stream *stream = NULL;
    kztts_model_options options;
    kztts_stream_options stream_options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    kztts_stream_options_init(&stream_options, sizeof stream_options);
    stream_options.max_frames = FRAMES;
    kztts_status status = kztts_model_open(&model, MODEL, &options);
    if (status == KZTTS_OK)
        status = kztts_voice_preset(&voice, model, "ryan");
    if (status == KZTTS_OK)
        status = kztts_stream_open(&stream, model, voice, &stream_options);
    if (status == KZTTS_OK)
        status = speak(stream, FRAMES);
    kztts_stream_close(&stream);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return status;
}

/* A text of several parts, to its end. The model stays from run to run. */
static kztts_model *small;
static uint64_t n_sample; /* of the last whole run */

static kztts_status speak_parts(void) {
    static const char text[] = "The first of three sentences. The second one follows it. And this is the last one.";
    static float pcm[FRAME_SAMPLES];
    kztts_voice *voice = NULL;
    kztts_stream *stream = NULL;
    kztts_stream_options options;
    size_t n = 0;
    uint64_t total = 0;
    kztts_stream_options_init(&options, sizeof options);
    options.max_frames = 2;
    options.chunk_letters = 30;
    kztts_status status = kztts_voice_preset(&voice, small, "ryan");
    if (status == KZTTS_OK)
        status = kztts_stream_open(&stream, small, voice, &options);
    if (status == KZTTS_OK)
        status = kztts_stream_put(stream, text, sizeof text - 1);
    if (status == KZTTS_OK)
        status = kztts_stream_finish(stream);
    while (status == KZTTS_OK && (status = kztts_stream_read(stream, pcm, FRAME_SAMPLES, &n)) == KZTTS_OK)
        total += n;
    kztts_stream_close(&stream);
    kztts_voice_close(&voice);
    if (status != KZTTS_END)
        return status;
    n_sample = total;
    return KZTTS_OK;
}

/* Voices as files: the model and a cloned voice stay from run to run. */
static kztts_model *base;
static kztts_voice *cloned;
static char voice_path[80], json_path[80];

static kztts_status read_voices(void) {
    kztts_voice *loaded = NULL, *imported = NULL, *alone = NULL;
    kztts_status status = kztts_voice_load(&loaded, base, voice_path);
    if (status == KZTTS_OK)
        status = kztts_voice_import(&imported, base, json_path);
    if (status == KZTTS_OK)
        status = kztts_voice_inspect(&alone, voice_path);
    kztts_voice_close(&loaded);
    kztts_voice_close(&imported);
    kztts_voice_close(&alone);
    return status;
}

static kztts_status write_voices(void) {
    kztts_voice_meta meta;
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.overwrite = 1;
    kztts_status status = kztts_voice_save(cloned, voice_path, &meta);
    return status == KZTTS_OK ? kztts_voice_export(cloned, json_path, &meta) : status;
}

/* What is made to fail. */
static kztts_status (*run)(void) = run_all;

/* ---- tests ------------------------------------------------------------------------------------------------- */

/* Lets allocations from .. from + count - 1 of a run fail. */
static void fail_run(size_t from, size_t count) {
    long long live = atomic_load(&n_live);
    start_counting(from, count);
    kztts_status status = run();
    stop_counting();
    long long left = atomic_load(&n_live) - live;
    if (!atomic_load(&n_failed))
        fail_msg("allocation %zu wasn't reached", from);
    /* glibc's qsort does without its extra memory */
    bool spared = status == KZTTS_OK && count == 1 && from_libc[from];
    if (status != KZTTS_ERROR_MEMORY && !spared)
        fail_msg("allocation %zu failed (%zu in a row): status %d (%s), expected out of memory", from, count,
                 (int)status, kztts_status_text(status));
    if (left)
        fail_msg("allocation %zu failed (%zu in a row): %lld blocks are left over", from, count, left);
}

static size_t count_run(void) {
    long long live = atomic_load(&n_live);
    start_counting(0, 0);
    assert_int_equal(run(), KZTTS_OK);
    size_t n = stop_counting();
    assert_true(n > 0 && n < MAX_SEEN);
    assert_int_equal(atomic_load(&n_live) - live, 0);
    return n;
}

/* The JSON reader makes thousands of equal allocations: of those a part is enough. All others fail one by one. */
static void test_each_fails(void **state) {
    (void)state;
    enum { JSON_RUNS = 1500, OWN_RUNS = 6000 };
    size_t n_json = 0, n_run = 0;
    count_run(); /* what the C library keeps for itself is there now */
    atomic_store(&noting, true);
    size_t n = count_run();
    atomic_store(&noting, false);
    assert_int_equal(count_run(), n);
    for (size_t i = 1; i <= n; i++)
        n_json += from_json[i];
    size_t json_step = n_json / JSON_RUNS + 1, own_step = (n - n_json) / OWN_RUNS + 1, json = 0, own = 0;
    for (size_t i = 1; i <= n; i++) {
        if ((from_json[i] ? json++ % json_step : own++ % own_step) != 0)
            continue;
        fail_run(i, 1);
        n_run++;
    }
    printf("%zu allocations, %zu of them by the JSON reader; %zu made to fail (JSON: one in %zu, others: one in %zu)\n",
           n, n_json, n_run, json_step, own_step);
    assert_int_equal(count_run(), n);
}

/* Every allocation of a run. */
static void fail_each(kztts_status (*what)(void), const char *name) {
    run = what;
    count_run();
    size_t n = count_run();
    memset(from_libc, 0, sizeof from_libc);
    for (size_t i = 1; i <= n; i++)
        fail_run(i, 1);
    for (size_t i = 1; i <= n; i += n / 20 + 1)
        fail_run(i, SIZE_MAX);
    printf("%s: %zu allocations made to fail\n", name, n);
    run = run_all;
}

/* Some of a run with many. */
static void fail_some(kztts_status (*what)(void), const char *name) {
    enum { RUNS = 400 };
    run = what;
    count_run();
    size_t n = count_run(), step = n / RUNS + 1;
    memset(from_libc, 0, sizeof from_libc);
    for (size_t i = 1; i <= n; i += step)
        fail_run(i, 1);
    for (size_t i = 1; i <= n; i += n / 20 + 1)
        fail_run(i, SIZE_MAX);
    printf("%s: one in %zu of %zu allocations made to fail\n", name, step, n);
    run = run_all;
}

/* A part that can't be made is said, never left out. */
static void test_parts_fail(void **state) {
    (void)state;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    assert_int_equal(kztts_model_open(&small, MODEL, &options), KZTTS_OK);
    assert_int_equal(speak_parts(), KZTTS_OK);
    uint64_t whole = n_sample;
    assert_true(whole > 6 * FRAME_SAMPLES); /* three parts of two frames, and the pauses between them */
    fail_each(speak_parts, "a text of three parts");
    assert_int_equal(n_sample, whole);
    kztts_model_close(&small);
}

static char prepared_path[80];

static kztts_status convert(void) {
    kztts_convert_options options;
    kztts_convert_options_init(&options, sizeof options);
    options.threads = 1;
    options.overwrite = 1;
    options.quant = "q8";
    return kztts_convert(MODEL, prepared_path, &options, NULL, 0);
}

static int go_on(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen) {
    (void)user, (void)frame, (void)group, (void)scores, (void)n, (void)chosen;
    return 0;
}

/* A prepared model, its codec and tokenizer alone, its checksums, a trace. */
static kztts_status use_prepared(void) {
    static const int32_t codes[16];
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_decoder *decoder = NULL;
    kztts_tokenizer *tokenizer = NULL;
    kztts_model_options options;
    kztts_trace_request trace = {.size = sizeof trace, .text = "Hello.", .codes = codes, .n_frame = 1, .fn = go_on};
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    kztts_status status = kztts_model_open(&model, prepared_path, &options);
    if (status == KZTTS_OK)
        status = kztts_voice_preset(&voice, model, "ryan");
    if (status == KZTTS_OK)
        status = kztts_model_trace(model, voice, &trace, NULL, 0);
    if (status == KZTTS_OK)
        status = kztts_decoder_open(&decoder, prepared_path, KZTTS_DECODE_CONTINUOUS, &options);
    if (status == KZTTS_OK)
        status = kztts_tokenizer_open(&tokenizer, prepared_path, KZTTS_PATTERN_NATIVE);
    kztts_tokenizer_close(&tokenizer);
    kztts_decoder_close(&decoder);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return status;
}

static void test_prepared_fails(void **state) {
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char folder[64];
    (void)snprintf(folder, sizeof folder, "%.30s/kztts-alloc-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(prepared_path, sizeof prepared_path, "%s/a.kztts", folder);
    fail_some(convert, "converting");
    fail_some(use_prepared, "prepared files"); /* what failures of converting left is whole */
    assert_int_equal(kztts_check_file(prepared_path, NULL, NULL, NULL, 0), KZTTS_OK);
    assert_int_equal(remove(prepared_path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left */
}

static void log_nothing(void *user, kztts_log_level level, const char *message) {
    (void)user, (void)level, (void)message;
}

static void test_voice_files_fail(void **state) {
    (void)state;
    enum { N = 6000 };
    static float pcm[N];
    const char *tmp = getenv("TMPDIR");
    char folder[64];
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    options.log = log_nothing; /* hashes are compared for the log only */
    for (int i = 0; i < N; i++)
        pcm[i] = (float)(i * 37 % 101 - 50) / 200;
    (void)snprintf(folder, sizeof folder, "%.30s/kztts-alloc-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(voice_path, sizeof voice_path, "%s/a.kzvoice", folder);
    (void)snprintf(json_path, sizeof json_path, "%s/a.json", folder);
    assert_int_equal(kztts_model_open(&base, KZ_TEST_DATA "/checkpoints/odd-base", &options), KZTTS_OK);
    assert_int_equal(kztts_voice_clone(&cloned, base, pcm, N, "Hello."), KZTTS_OK);
    fail_each(write_voices, "writing voices");
    fail_each(read_voices, "reading voices"); /* what failures of writing left is whole */
    kztts_voice_close(&cloned);
    kztts_model_close(&base);
    assert_int_equal(remove(voice_path), 0);
    assert_int_equal(remove(json_path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left */
}

/* Once there is no memory, there is none for tidying up either. */
static void test_all_fail_from(void **state) {
    (void)state;
    enum { RUNS = 150 };
    size_t n = count_run(), step = n / RUNS + 1;
    for (size_t i = 1; i <= n; i += step)
        fail_run(i, SIZE_MAX);
}

/* Objects are NULL after an open that got no memory at all. */
static void test_null_without_memory(void **state) {
    (void)state;
    kztts_model *model = (kztts_model *)state;
    start_counting(1, SIZE_MAX);
    kztts_status status = kztts_model_open(&model, MODEL, NULL);
    stop_counting();
    assert_int_equal(status, KZTTS_ERROR_MEMORY);
    assert_null(model);
}

static void check_frame_loop(int threads, kztts_text_mode mode, int uncached) {
    enum { N = 40 };
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_stream *stream = NULL;
    kztts_model_options options;
    kztts_stream_options stream_options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = threads;
    kztts_stream_options_init(&stream_options, sizeof stream_options);
    stream_options.max_frames = N + 1;
    stream_options.text_mode = mode;
    stream_options.predictor_uncached = uncached;
    assert_int_equal(kztts_model_open(&model, MODEL, &options), KZTTS_OK);
    assert_int_equal(kztts_voice_preset(&voice, model, NULL), KZTTS_OK);
    assert_int_equal(kztts_stream_open(&stream, model, voice, &stream_options), KZTTS_OK);
    assert_int_equal(speak(stream, 1), KZTTS_OK);
    start_counting(0, 0);
    assert_int_equal(read_frames(stream, N - 1), KZTTS_OK);
    assert_int_equal(stop_counting(), 0);
    kztts_stream_close(&stream);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
}

static void test_frame_loop_allocates_nothing(void **state) {
    (void)state;
    check_frame_loop(1, KZTTS_TEXT_FULL, 0);
    check_frame_loop(1, KZTTS_TEXT_STREAMING, 0);
    check_frame_loop(1, KZTTS_TEXT_FULL, 1);
    check_frame_loop(3, KZTTS_TEXT_FULL, 0);
}

/* The instrument itself: a test that can't fail proves nothing. */
static void test_counter_counts(void **state) {
    (void)state;
    long long live = atomic_load(&n_live);
    start_counting(2, 1);
    void *volatile a = malloc(10);
    void *volatile b = calloc(3, 10);
    void *volatile c = realloc(a, 100);
    size_t n = stop_counting();
    assert_int_equal(n, 3);
    assert_non_null(c);
    assert_null(b);
    assert_int_equal(atomic_load(&n_live) - live, 1);
    free(c);
    assert_int_equal(atomic_load(&n_live) - live, 0);
}

/* Valgrind and the like put their own malloc before ours. */
static bool ours_is_used(void) {
    start_counting(0, 0);
    void *volatile p = malloc(10);
    free(p);
    return stop_counting() == 1;
}

int main(void) {
    if (!ours_is_used()) {
        printf("SKIP test_alloc: another malloc is in front of the test's own\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_counts),      cmocka_unit_test(test_frame_loop_allocates_nothing),
        cmocka_unit_test(test_null_without_memory), cmocka_unit_test(test_voice_files_fail),
        cmocka_unit_test(test_parts_fail),          cmocka_unit_test(test_prepared_fails),
        cmocka_unit_test(test_each_fails),          cmocka_unit_test(test_all_fail_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
