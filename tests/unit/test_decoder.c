/* test_decoder.c: the decoder's promises, bit for bit, on a small random model.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decoder/decoder.h"

#define CHECKPOINT KZ_TEST_DATA "/checkpoints/odd-base"

enum { MAX_THREADS = 3, N_TEST_FRAME = 650 };

static struct {
    kz_config config;
    kz_weights *weights;
    kz_pool *pool[MAX_THREADS + 1];
    kz_decoder *decoder;
    kz_code codes[N_TEST_FRAME * KZ_MAX_CODE];
} rig;

/* ---- helpers ----------------------------------------------------------------------------------------------- */

static uint32_t next_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static size_t samples(size_t n_frame) { return n_frame * rig.config.codec.frame_samples; }

static const kz_code *frame_codes(size_t frame) { return rig.codes + frame * rig.config.codec.n_code; }

static kz_decoder_state *new_state(kz_decode_mode mode, size_t max_frame, int n_thread) {
    kz_err err = {""};
    kz_decoder_state *state = NULL;
    kztts_status status = kz_decoder_state_new(&state, rig.decoder, mode, max_frame, n_thread, &err);
    if (status != KZTTS_OK)
        fail_msg("state: %s", err.message);
    return state;
}

/* Frames in calls of `split` frames (0 = all at once). */
static void run(kz_decoder_state *state, int n_thread, const kz_code *codes, size_t n_frame, size_t split, float *pcm) {
    const kz_ctx ctx = {.k = kz_kernels_best(), .pool = rig.pool[n_thread]};
    for (size_t f = 0, n; f < n_frame; f += n) {
        n = split == 0 || split > n_frame - f ? n_frame - f : split;
        kz_decoder_run(&ctx, rig.decoder, state, codes + f * rig.config.codec.n_code, n, pcm + samples(f));
    }
}

/* What a fresh state makes of the frames. The caller frees it. */
static float *decode(kz_decode_mode mode, size_t max_frame, int n_thread, const kz_code *codes, size_t n_frame,
                     size_t split) {
    float *pcm = malloc(samples(n_frame) * sizeof *pcm);
    assert_non_null(pcm);
    kz_decoder_state *state = new_state(mode, max_frame, n_thread);
    run(state, n_thread, codes, n_frame, split, pcm);
    kz_decoder_state_free(state);
    return pcm;
}

static bool same(const float *a, const float *b, size_t n_frame) {
    return memcmp(a, b, samples(n_frame) * sizeof *a) == 0;
}

/* ---- what a run gives -------------------------------------------------------------------------------------- */

static void test_decoder_length(void **unused) {
    enum { N = 5, GUARD = 64 };
    (void)unused;
    const size_t n = samples(N);
    float *pcm = malloc((n + GUARD) * sizeof *pcm);
    assert_non_null(pcm);
    for (size_t i = 0; i < n + GUARD; i++)
        pcm[i] = 7.0f;
    kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, 2, 1);
    run(state, 1, rig.codes, 0, 0, pcm);
    assert_true(pcm[0] == 7.0f);
    run(state, 1, rig.codes, N, 0, pcm);
    kz_decoder_state_free(state);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(pcm[i] >= -1.0f && pcm[i] <= 1.0f);
        sum += fabs((double)pcm[i]);
    }
    assert_true(sum / (double)n > 0.01); /* it isn't silence */
    for (size_t i = n; i < n + GUARD; i++)
        assert_true(pcm[i] == 7.0f);
    free(pcm);
}

static void test_decoder_split(void **unused) {
    enum { N = 9 };
    static const size_t splits[] = {1, 2, 3, 7, 0}, max_frames[] = {1, 2, 4, 8};
    (void)unused;
    float *want = decode(KZ_DECODE_CONTINUOUS, N, 1, rig.codes, N, 0);
    for (int n_thread = 1; n_thread <= MAX_THREADS; n_thread++)
        for (size_t m = 0; m < sizeof max_frames / sizeof *max_frames; m++)
            for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
                float *got = decode(KZ_DECODE_CONTINUOUS, max_frames[m], n_thread, rig.codes, N, splits[i]);
                if (!same(want, got, N))
                    fail_msg("%d threads, max_frame %zu, split %zu differ", n_thread, max_frames[m], splits[i]);
                free(got);
            }
    free(want);
}

/* So many rows that the last blocks work in several tiles, against so few that one is enough. */
static void test_decoder_tiles(void **unused) {
    enum { N = 40 };
    (void)unused;
    float *want = decode(KZ_DECODE_CONTINUOUS, 1, 1, rig.codes, N, 1);
    float *got = decode(KZ_DECODE_CONTINUOUS, N, 2, rig.codes, N, 0);
    assert_true(same(want, got, N));
    free(got);
    free(want);
}

static void test_decoder_levels(void **unused) {
    enum { N = 6 };
    (void)unused;
    float *want = decode(KZ_DECODE_CONTINUOUS, 3, 1, rig.codes, N, 0);
    float *got = malloc(samples(N) * sizeof *got);
    assert_non_null(got);
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_ctx ctx = {.k = kz_kernels_get((kz_cpu_level)level), .pool = rig.pool[2]};
        if (!ctx.k)
            continue;
        kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, 2, 2);
        kz_decoder_run(&ctx, rig.decoder, state, rig.codes, N, got);
        kz_decoder_state_free(state);
        if (!same(want, got, N))
            fail_msg("kernels %s differ", ctx.k->name);
    }
    free(got);
    free(want);
}

static void test_decoder_reset(void **unused) {
    enum { N = 8 };
    (void)unused;
    for (int mode = KZ_DECODE_CONTINUOUS; mode <= KZ_DECODE_REFERENCE; mode++) {
        float *want = decode((kz_decode_mode)mode, 2, 2, rig.codes, N, 0);
        float *got = malloc(samples(20) * sizeof *got);
        assert_non_null(got);
        kz_decoder_state *state = new_state((kz_decode_mode)mode, 2, 2);
        run(state, 2, frame_codes(100), 20, 3, got);
        run(state, 2, rig.codes, N, 0, got);
        assert_false(same(want, got, N)); /* it does carry a state */
        kz_decoder_reset(state);
        run(state, 2, rig.codes, N, 0, got);
        assert_true(same(want, got, N));
        kz_decoder_state_free(state);
        free(got);
        free(want);
    }
}

static void test_decoder_causal(void **unused) {
    enum { N = 8 };
    (void)unused;
    const size_t n_code = rig.config.codec.n_code;
    float *want = decode(KZ_DECODE_CONTINUOUS, N, 1, rig.codes, N, 0);
    kz_code *codes = malloc(N * n_code * sizeof *codes);
    assert_non_null(codes);
    for (size_t t = 0; t < N; t++)
        for (size_t i = 0; i < n_code; i += n_code - 1) { /* of the first and of the last group */
            memcpy(codes, rig.codes, N * n_code * sizeof *codes);
            kz_code *changed = &codes[t * n_code + i];
            *changed = (*changed + 1) % (kz_code)rig.config.codec.codebook_size;
            float *got = decode(KZ_DECODE_CONTINUOUS, N, 1, codes, N, 0);
            assert_true(same(want, got, t));
            assert_false(same(want + samples(t), got + samples(t), 1));
            free(got);
        }
    free(codes);
    free(want);
}

/* Sound of frames `begin` .. `end` - 1 decoded on their own, without the first `n_drop` frames of it. */
static void decode_chunk(size_t begin, size_t end, size_t n_drop, float *pcm) {
    float *chunk = decode(KZ_DECODE_CONTINUOUS, 4, 1, frame_codes(begin), end - begin, 0);
    memcpy(pcm, chunk + samples(n_drop), samples(end - begin - n_drop) * sizeof *pcm);
    free(chunk);
}

static void test_decoder_reference(void **unused) {
    enum { N = N_TEST_FRAME };
    static const struct {
        size_t max_frame, split;
    } ways[] = {{1, 1}, {7, 40}, {64, 299}};
    (void)unused;
    float *want = malloc(samples(N) * sizeof *want);
    assert_non_null(want);
    decode_chunk(0, 300, 0, want);
    decode_chunk(275, 600, 25, want + samples(300));
    decode_chunk(575, N, 25, want + samples(600));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        float *got = decode(KZ_DECODE_REFERENCE, ways[i].max_frame, 1, rig.codes, N, ways[i].split);
        if (!same(want, got, N))
            fail_msg("max_frame %zu, split %zu differ from independent chunks", ways[i].max_frame, ways[i].split);
        free(got);
    }
    float *whole = decode(KZ_DECODE_CONTINUOUS, 4, 1, rig.codes, 301, 0);
    assert_true(same(want, whole, 300));
    assert_false(same(want + samples(300), whole + samples(300), 1));
    free(whole);
    free(want);
}

/* ---- what a state carries ---------------------------------------------------------------------------------- */

/* A state after so many frames, decoded `max_frame` at a time, goes on as a copy and as bytes in states that take another
 * number at a time: before and behind the window's length, whose keys slide at other places then. */
static void check_carried(size_t before, size_t max_frame, size_t other, const float *want) {
    enum { REST = 5 };
    kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, max_frame, 2);
    kz_decoder_state *copy = new_state(KZ_DECODE_CONTINUOUS, other, 2);
    kz_decoder_state *read = new_state(KZ_DECODE_CONTINUOUS, other, 2);
    const size_t size = kz_decoder_state_size(state);
    float *pcm = malloc(samples(before + REST) * sizeof *pcm);
    void *bytes = malloc(size);
    assert_true(pcm && bytes && kz_decoder_state_size(read) == size);
    run(read, 2, rig.codes, 3, 0, pcm); /* a past that must not be seen */
    run(state, 1, rig.codes, before, 0, pcm);
    kz_decoder_state_copy(copy, state);
    kz_decoder_state_out(state, bytes);
    assert_true(kz_decoder_state_in(read, bytes));
    kz_decoder_state *const states[] = {state, copy, read};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        run(states[i], 2, frame_codes(before), REST, 0, pcm);
        if (!same(want + samples(before), pcm, REST))
            fail_msg("%zu frames, %zu at a time, then %zu: way %zu goes on otherwise", before, max_frame, other, i);
        kz_decoder_state_free(states[i]);
    }
    free(bytes);
    free(pcm);
}

static void test_decoder_carried(void **unused) {
    static const size_t before[] = {1, 2, 9, 10, 11, 23, 30, 41};
    (void)unused;
    float *want = decode(KZ_DECODE_CONTINUOUS, 1, 1, rig.codes, 50, 1);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        check_carried(before[i], 1, 8, want);
        check_carried(before[i], 8, 1, want);
    }
    free(want);
}

/* A copy in reference mode knows how far its chunk has come. */
static void test_decoder_copy_of_reference(void **unused) {
    enum { BEFORE = 290, N = 310 };
    (void)unused;
    float *want = decode(KZ_DECODE_REFERENCE, 8, 1, rig.codes, N, 0), *got = malloc(samples(N) * sizeof *got);
    assert_non_null(got);
    kz_decoder_state *state = new_state(KZ_DECODE_REFERENCE, 8, 1), *copy = new_state(KZ_DECODE_REFERENCE, 4, 1);
    run(state, 1, rig.codes, BEFORE, 0, got);
    kz_decoder_state_copy(copy, state);
    run(copy, 1, frame_codes(BEFORE), N - BEFORE, 0, got);
    assert_true(same(want + samples(BEFORE), got, N - BEFORE));
    kz_decoder_state_free(copy);
    kz_decoder_state_free(state);
    free(got);
    free(want);
}

static void test_decoder_bytes_refused(void **unused) {
    (void)unused;
    kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, 2, 1), *other = new_state(KZ_DECODE_REFERENCE, 2, 1);
    const uint64_t window = rig.config.codec.transformer.window;
    const uint64_t bad[][2] = {{window, window}, {UINT64_MAX, UINT64_MAX}, {3, 2}, {1, (uint64_t)UINT32_MAX + 1}};
    float pcm[2][2048];
    uint64_t *bytes = malloc(kz_decoder_state_size(state) + sizeof *bytes);
    assert_true(bytes && samples(1) <= 2048);
    run(state, 1, rig.codes, 1, 0, pcm[0]);
    kz_decoder_state_out(state, bytes);
    assert_false(kz_decoder_state_in(other, bytes));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(bytes, bad[i], sizeof bad[i]);
        assert_false(kz_decoder_state_in(state, bytes));
        run(state, 1, rig.codes, 1, 0, pcm[1]); /* as after a reset */
        assert_true(same(pcm[0], pcm[1], 1));
    }
    assert_false(kz_decoder_state_in(state, (const char *)bytes + 1));
    kz_decoder_state_free(other);
    kz_decoder_state_free(state);
    free(bytes);
}

/* ---- stop -------------------------------------------------------------------------------------------------- */

typedef struct stopper {
    atomic_bool stop;
    const char *at;
    size_t n_after; /* stages seen after that one */
} stopper;

static void stop_there(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    stopper *s = user;
    (void)index, (void)data, (void)n_row, (void)n_col;
    s->n_after += atomic_load(&s->stop);
    if (strcmp(stage, s->at) == 0)
        atomic_store(&s->stop, true);
}

/* Wherever a call of eight frames is stopped, few stages follow (three layers of the transformer at most), and after a
 * reset nothing is left of it. */
static void test_decoder_stop(void **unused) {
    enum { N = 8, MOST_AFTER = 8 };
    static const char *const stages[] = {"rvq", "pre_transformer", "upsample", "block_0", "block_unit", "last_snake"};
    (void)unused;
    float *want = decode(KZ_DECODE_CONTINUOUS, N, 1, rig.codes, N, 0), *got = malloc(samples(N) * sizeof *got);
    assert_non_null(got);
    kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, N, 2);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        stopper s = {.at = stages[i]};
        const kz_tap tap = {stop_there, &s};
        const kz_ctx ctx = {.k = kz_kernels_best(), .pool = rig.pool[2], .tap = &tap, .stop = &s.stop};
        kz_decoder_run(&ctx, rig.decoder, state, rig.codes, N, got);
        if (!atomic_load(&s.stop) || s.n_after > MOST_AFTER)
            fail_msg("stopped at %s: %zu stages follow", stages[i], s.n_after);
        kz_decoder_reset(state);
        run(state, 2, rig.codes, N, 0, got);
        assert_true(same(want, got, N));
        kz_decoder_reset(state);
    }
    kz_decoder_state_free(state);
    free(got);
    free(want);
}

/* ---- codes out of range ------------------------------------------------------------------------------------- */

static void test_decoder_code_out_of_range(void **unused) {
    (void)unused;
    const size_t n_code = rig.config.codec.n_code;
    const kz_code size = (kz_code)rig.config.codec.codebook_size;
    kz_code *good = calloc(n_code, sizeof *good), *bad = calloc(n_code, sizeof *bad);
    assert_true(good && bad);
    const kz_code values[] = {-1, size, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < n_code; i++)
        bad[i] = values[i % 4];
    float *want = decode(KZ_DECODE_CONTINUOUS, 1, 1, good, 1, 0), *got = decode(KZ_DECODE_CONTINUOUS, 1, 1, bad, 1, 0);
    assert_true(same(want, got, 1));
    free(got);
    free(want);
    free(bad);
    free(good);
}

static void test_decoder_no_allocation(void **unused) {
    (void)unused;
    if (kz_alloc_count() == 0)
        skip(); /* counted in debug builds only */
    kz_decoder_state *state = new_state(KZ_DECODE_REFERENCE, 64, 2);
    float *pcm = malloc(samples(310) * sizeof *pcm);
    assert_non_null(pcm);
    assert_true(kz_decoder_state_bytes(state) > 0);
    const uint64_t before = kz_alloc_count();
    run(state, 2, rig.codes, 310, 0, pcm);
    kz_decoder_reset(state);
    assert_true(kz_alloc_count() == before);
    kz_decoder_state_free(state);
    free(pcm);
}

/* ---- taps -------------------------------------------------------------------------------------------------- */

typedef struct tap_log {
    char text[2048];
    size_t n;
} tap_log;

static void log_tap(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    tap_log *log = user;
    assert_non_null(data);
    int n = snprintf(log->text + log->n, sizeof log->text - log->n, "%s %d [%zu %zu]\n", stage, index, n_row, n_col);
    assert_true(n > 0 && (size_t)n < sizeof log->text - log->n);
    log->n += (size_t)n;
}

static void test_decoder_taps(void **unused) {
    static const char want[] = "rvq 0 [2 36]\n"
                               "pre_conv 0 [2 60]\n"
                               "transformer_layer 0 [2 28]\n"
                               "transformer_layer 1 [2 28]\n"
                               "transformer_layer 2 [2 28]\n"
                               "pre_transformer 0 [2 60]\n"
                               "upsample_conv 0 [4 60]\n"
                               "upsample 0 [4 60]\n"
                               "upsample_conv 1 [8 60]\n"
                               "upsample 1 [8 60]\n"
                               "block_0 0 [8 80]\n"
                               "block_convt 1 [64 40]\n"
                               "block_unit 3 [64 40]\n"
                               "block_unit 4 [64 40]\n"
                               "block_unit 5 [64 40]\n"
                               "block 1 [64 40]\n"
                               "block_convt 2 [320 20]\n"
                               "block_unit 6 [320 20]\n"
                               "block_unit 7 [320 20]\n"
                               "block_unit 8 [320 20]\n"
                               "block 2 [320 20]\n"
                               "block_convt 3 [1280 10]\n"
                               "block_unit 9 [1280 10]\n"
                               "block_unit 10 [1280 10]\n"
                               "block_unit 11 [1280 10]\n"
                               "block 3 [1280 10]\n"
                               "block_convt 4 [3840 5]\n"
                               "block_unit 12 [3840 5]\n"
                               "block_unit 13 [3840 5]\n"
                               "block_unit 14 [3840 5]\n"
                               "block 4 [3840 5]\n"
                               "last_snake 0 [3840 5]\n";
    (void)unused;
    tap_log log = {0};
    const kz_tap tap = {log_tap, &log};
    const kz_ctx ctx = {.k = kz_kernels_best(), .pool = NULL, .tap = &tap};
    float *pcm = malloc(samples(2) * sizeof *pcm);
    assert_non_null(pcm);
    kz_decoder_state *state = new_state(KZ_DECODE_CONTINUOUS, 2, 1);
    kz_decoder_run(&ctx, rig.decoder, state, rig.codes, 2, pcm);
    assert_string_equal(log.text, want);
    kz_decoder_state_free(state);
    free(pcm);
}

/* ---- refusals ---------------------------------------------------------------------------------------------- */

static void test_decoder_bad_max_frame(void **unused) {
    static const size_t bad[] = {0, 513, SIZE_MAX};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kz_err err = {""};
        kz_decoder_state *state = NULL;
        assert_int_equal(kz_decoder_state_new(&state, rig.decoder, KZ_DECODE_CONTINUOUS, bad[i], 1, &err),
                         KZTTS_ERROR_ARGUMENT);
        assert_null(state);
        assert_non_null(strstr(err.message, "max_frame"));
    }
}

/* The configuration disagrees with the tensors or makes no sense: a message that names what, nothing leaked. */
static void test_decoder_bad_config(void **unused) {
#define FIELD(f) offsetof(kz_codec_config, f)
    static const struct {
        size_t at, value;
        const char *names;
    } bad[] = {{FIELD(n_code), 0, "num_quantizers"},
               {FIELD(n_code), 65, "num_quantizers"},
               {FIELD(n_code), 17, "rvq_rest.vq.layers.15"},
               {FIELD(codebook_size), 0, "codebook_size"},
               {FIELD(codebook_size), 33, "embedding_sum"},
               {FIELD(d_codebook), 35, "codebook_dim"},
               {FIELD(d_codebook), 34, "embedding_sum"},
               {FIELD(d_latent), 0, "latent_dim"},
               {FIELD(d_latent), 61, "pre_conv"},
               {FIELD(d_decoder), 15, "decoder_dim"},
               {FIELD(d_decoder), 81, "decoder.0.conv"},
               {FIELD(n_upsample), 9, "upsampling_ratios"},
               {FIELD(n_block), SIZE_MAX, "upsample_rates"},
               {FIELD(n_block), 3, "upsample_rates"},
               {FIELD(upsample[0]), 0, "upsample_rates"},
               {FIELD(block_rate[0]), SIZE_MAX, "upsample_rates"},
               {FIELD(frame_samples), 1919, "upsample_rates"},
               {FIELD(transformer.d_model), 29, "input_proj"},
               {FIELD(transformer.n_layer), 4, "layers.3"},
               {FIELD(transformer.d_head), 12, "self_attn"},
               {FIELD(transformer.d_ff), 55, "mlp"},
               {FIELD(transformer.window), 0, "sliding_window"},
               {FIELD(transformer.window), SIZE_MAX / 16, "sliding_window"}};
#undef FIELD
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kz_codec_config cfg = rig.config.codec;
        memcpy((unsigned char *)&cfg + bad[i].at, &bad[i].value, sizeof bad[i].value);
        kz_err err = {""};
        kz_decoder *d = NULL;
        kztts_status status = kz_decoder_load(&d, &cfg, rig.weights, rig.pool[1], &err);
        if (status != KZTTS_ERROR_FORMAT || d || !strstr(err.message, bad[i].names))
            fail_msg("%zu (%s): status %d, message \"%s\"", i, bad[i].names, (int)status, err.message);
    }
}

static void test_decoder_free_null(void **unused) {
    (void)unused;
    kz_decoder_free(NULL);
    kz_decoder_state_free(NULL);
}

/* ---- rig --------------------------------------------------------------------------------------------------- */

static int open_rig(void **unused) {
    (void)unused;
    kz_err err = {""};
    if (kz_config_read(&rig.config, CHECKPOINT, &err) < 0 ||
        kz_weights_open_dir(&rig.weights, CHECKPOINT "/speech_tokenizer", &err) < 0)
        fail_msg("%s", err.message);
    for (int n = 1; n <= MAX_THREADS; n++)
        if (kz_pool_new(&rig.pool[n], n, &err) < 0)
            fail_msg("%s", err.message);
    if (kz_decoder_load(&rig.decoder, &rig.config.codec, rig.weights, rig.pool[2], &err) < 0)
        fail_msg("%s", err.message);
    const char *text = getenv("KZTTS_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
    printf("seed %llu (KZTTS_TEST_SEED)\n", (unsigned long long)seed);
    for (size_t i = 0; i < N_TEST_FRAME * rig.config.codec.n_code; i++)
        rig.codes[i] = (kz_code)(next_random(&seed) % rig.config.codec.codebook_size);
    return 0;
}

static int close_rig(void **unused) {
    (void)unused;
    kz_decoder_free(rig.decoder);
    for (int n = 1; n <= MAX_THREADS; n++)
        kz_pool_free(rig.pool[n]);
    kz_weights_close(rig.weights);
    kz_config_free(&rig.config);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decoder_length),
                                       cmocka_unit_test(test_decoder_split),
                                       cmocka_unit_test(test_decoder_tiles),
                                       cmocka_unit_test(test_decoder_levels),
                                       cmocka_unit_test(test_decoder_reset),
                                       cmocka_unit_test(test_decoder_causal),
                                       cmocka_unit_test(test_decoder_reference),
                                       cmocka_unit_test(test_decoder_code_out_of_range),
                                       cmocka_unit_test(test_decoder_no_allocation),
                                       cmocka_unit_test(test_decoder_taps),
                                       cmocka_unit_test(test_decoder_bad_max_frame),
                                       cmocka_unit_test(test_decoder_bad_config),
                                       cmocka_unit_test(test_decoder_free_null),
                                       cmocka_unit_test(test_decoder_carried),
                                       cmocka_unit_test(test_decoder_copy_of_reference),
                                       cmocka_unit_test(test_decoder_bytes_refused),
                                       cmocka_unit_test(test_decoder_stop)};
    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
