/* test_decode.c: codes to sound against the official program, every stage of it where the fixture holds them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decoder/decoder.h"
#include "golden.h"

/* Everything that decoding a case needs. */
typedef struct rig {
    kz_config config;
    kz_weights *weights;
    kz_pool *pool;
    kz_decoder *decoder;
    const kz_code *codes; /* [n_frame, n_code] */
    size_t n_frame;
} rig;

static bool rig_open(golden_case *c, rig *r) {
    kz_err err = {""};
    char *dir = kz_path_join(c->checkpoint, "speech_tokenizer");
    bool ok = dir && golden_ok(c, kz_config_read(&r->config, c->checkpoint, &err), &err, "config") &&
              golden_ok(c, kz_weights_open_dir(&r->weights, dir, &err), &err, "weights") &&
              golden_ok(c, kz_pool_new(&r->pool, golden_threads(), &err), &err, "threads") &&
              golden_ok(c, kz_decoder_load(&r->decoder, &r->config.codec, r->weights, r->pool, &err), &err, "decoder");
    kz_free(dir);
    return ok;
}

static void rig_close(rig *r) {
    kz_decoder_free(r->decoder);
    kz_pool_free(r->pool);
    kz_weights_close(r->weights);
    kz_config_free(&r->config);
}

/* The fixture's codes [n_code, n_frame], a frame after the other. */
static bool read_codes(golden_case *c, rig *r) {
    size_t n, n_code = r->config.codec.n_code;
    const int32_t *stored = golden_i32(c, "codes", &n);
    if (!stored || n % n_code != 0) {
        golden_fail(c, "codes: %zu numbers, expected a multiple of %zu", n, n_code);
        return false;
    }
    r->n_frame = n / n_code;
    kz_code *codes = golden_memory(c, n, sizeof *codes);
    for (size_t i = 0; i < n; i++)
        codes[i % r->n_frame * n_code + i / r->n_frame] = stored[i];
    r->codes = codes;
    return true;
}

static const float *decode(golden_case *c, const rig *r, kz_decode_mode mode, size_t max_frame, const kz_tap *tap) {
    kz_err err = {""};
    kz_ctx ctx = {.k = golden_kernels(), .pool = r->pool, .tap = tap};
    kz_decoder_state *state = NULL;
    float *pcm = golden_memory(c, r->n_frame * r->config.codec.frame_samples, sizeof *pcm);
    if (golden_ok(c, kz_decoder_state_new(&state, r->decoder, mode, max_frame, golden_threads(), &err), &err, "state"))
        kz_decoder_run(&ctx, r->decoder, state, r->codes, r->n_frame, pcm);
    kz_decoder_state_free(state);
    return pcm;
}

/* ---- stages ------------------------------------------------------------------------------------------------ */

enum { MAX_STAGE = 64 };

/* Rows of a stage, gathered over the calls. */
typedef struct stage {
    char name[48]; /* as in the fixture */
    float *rows;
    size_t n_row, n_col, max_elem;
} stage;

typedef struct gather {
    golden_case *c;
    size_t n_block, n_stage;
    stage list[MAX_STAGE];
} gather;

static void fixture_name(const gather *g, char *name, size_t n, const char *tap, int index) {
    if (strcmp(tap, "transformer_layer") == 0)
        snprintf(name, n, "transformer_layer_%d", index);
    else if (strcmp(tap, "upsample_conv") == 0)
        snprintf(name, n, "upsample_%d_conv", index);
    else if (strcmp(tap, "upsample") == 0)
        snprintf(name, n, "upsample_%d", index);
    else if (strcmp(tap, "block_0") == 0)
        snprintf(name, n, "decoder_0");
    else if (strcmp(tap, "block_convt") == 0)
        snprintf(name, n, "decoder_%d_convt", index);
    else if (strcmp(tap, "block_unit") == 0)
        snprintf(name, n, "decoder_%d_unit_%d", index / 3, index % 3);
    else if (strcmp(tap, "block") == 0)
        snprintf(name, n, "decoder_%d", index);
    else if (strcmp(tap, "last_snake") == 0)
        snprintf(name, n, "decoder_%zu", g->n_block + 1);
    else
        snprintf(name, n, "%s", tap);
}

static stage *find_stage(gather *g, const char *name) {
    for (size_t i = 0; i < g->n_stage; i++)
        if (strcmp(g->list[i].name, name) == 0)
            return &g->list[i];
    return NULL;
}

static stage *add_stage(gather *g, const char *name) {
    const kz_tensor *want = golden_tensor(g->c, name);
    if (!want || g->n_stage == MAX_STAGE)
        return NULL;
    stage *s = &g->list[g->n_stage++];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->max_elem = want->n_elem;
    s->rows = golden_memory(g->c, want->n_elem, sizeof *s->rows);
    return s;
}

static void on_tap(void *user, const char *tap, int index, const float *data, size_t n_row, size_t n_col) {
    gather *g = user;
    char name[48];
    fixture_name(g, name, sizeof name, tap, index);
    stage *s = find_stage(g, name);
    if (!s)
        s = add_stage(g, name);
    if (!s)
        return;
    if ((s->n_row + n_row) * n_col > s->max_elem) {
        golden_fail(g->c, "%s: more than the expected %zu numbers", name, s->max_elem);
        return;
    }
    memcpy(s->rows + s->n_row * n_col, data, n_row * n_col * sizeof *data);
    s->n_row += n_row;
    s->n_col = n_col;
}

/* The official program keeps time first in its transformer, channels first elsewhere. */
static bool time_first(const char *name) { return strstr(name, "transformer") != NULL; }

static void check_stage(golden_case *c, gather *g, const char *name) {
    stage *s = find_stage(g, name);
    if (!s)
        golden_fail(c, "%s: the fixture has it, no tap gave it", name);
    else if (time_first(name))
        golden_check_f32(c, name, s->rows, s->n_row * s->n_col);
    else
        golden_check_f32_columns(c, name, s->rows, s->n_row, s->n_col);
}

/* ---- sound ------------------------------------------------------------------------------------------------- */

typedef struct sounds {
    const float *reference, *continuous;
} sounds;

static void check_frame_rms(golden_case *c, const rig *r, const float *pcm) {
    const size_t n = r->config.codec.frame_samples;
    float *rms = golden_memory(c, r->n_frame, sizeof *rms);
    for (size_t f = 0; f < r->n_frame; f++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += (double)pcm[f * n + i] * (double)pcm[f * n + i];
        rms[f] = (float)sqrt(sum / (double)n);
    }
    golden_check_f32(c, "frame_rms", rms, r->n_frame);
}

/* "wave", "wave_A_B", "wave_whole_A_B": all frames, or frames A .. B - 1. */
static void check_wave(golden_case *c, const rig *r, const char *name, const sounds *got) {
    size_t begin = 0, end = r->n_frame;
    const float *pcm = got->reference;
    if (sscanf(name, "wave_whole_%zu_%zu", &begin, &end) == 2)
        pcm = got->continuous;
    else if (strcmp(name, "wave") != 0 && sscanf(name, "wave_%zu_%zu", &begin, &end) != 2)
        golden_fail(c, "%s: unknown tensor in the fixture", name);
    if (begin > end || end > r->n_frame) {
        golden_fail(c, "%s: frames beyond the %zu of the case", name, r->n_frame);
        return;
    }
    const size_t n = r->config.codec.frame_samples;
    golden_check_f32(c, name, pcm + begin * n, (end - begin) * n);
}

/* ---- a case ------------------------------------------------------------------------------------------------ */

static void check_tensors(golden_case *c, const rig *r, gather *g, const sounds *got) {
    for (size_t i = 0; i < kz_weights_count(c->file); i++) {
        const char *name = kz_weights_at(c->file, i)->name;
        if (strcmp(name, "codes") == 0)
            continue;
        if (strcmp(name, "frame_rms") == 0)
            check_frame_rms(c, r, got->reference);
        else if (strncmp(name, "wave", 4) == 0)
            check_wave(c, r, name, got);
        else
            check_stage(c, g, name);
    }
}

/* Up to 300 frames both modes are the same computation; beyond, they must part. */
static void check_modes(golden_case *c, const rig *r, const sounds *got) {
    const size_t chunk = 300 * r->config.codec.frame_samples, n = r->n_frame * r->config.codec.frame_samples;
    const size_t n_same = n < chunk ? n : chunk;
    if (memcmp(got->reference, got->continuous, n_same * sizeof(float)) != 0)
        golden_fail(c, "the modes differ before frame 300");
    if (n > chunk && memcmp(got->reference + chunk, got->continuous + chunk, (n - chunk) * sizeof(float)) == 0)
        golden_fail(c, "the modes agree after frame 300");
}

static void check(golden_case *c) {
    rig r = {0};
    if (rig_open(c, &r) && read_codes(c, &r)) {
        gather g = {.c = c, .n_block = r.config.codec.n_block};
        const kz_tap tap = {on_tap, &g};
        const size_t max_frame = r.n_frame > 8 ? 32 : 2;
        const sounds got = {decode(c, &r, KZ_DECODE_REFERENCE, max_frame, NULL),
                            decode(c, &r, KZ_DECODE_CONTINUOUS, max_frame, &tap)};
        check_modes(c, &r, &got);
        check_tensors(c, &r, &g, &got);
    }
    rig_close(&r);
}

int main(int argc, char **argv) { return golden_main("decode", check, argc, argv); }
