/* test_encode.c: sound to codes, with every intermediate stage.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cloning/cloning.h"
#include "golden.h"

static void watch(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    golden_case *c = user;
    char name[64];
    if (!strcmp(stage, "encoder_latent")) {
        golden_check_f32_columns(c, "downsample", data, n_row, n_col);
    } else if (!strcmp(stage, "encoder_conv")) {
        snprintf(name, sizeof name, "conv_%d", index);
        golden_check_f32_columns(c, name, data, n_row, n_col);
    } else if (!strcmp(stage, "encoder_convs_done")) {
        golden_check_f32_columns(c, "conv", data, n_row, n_col);
    }
}

/* Layers come in blocks of rows: collected until the clip is over. */
typedef struct layer_rows {
    golden_case *c;
    float *data[8];
    size_t n[8], cap, n_col;
} layer_rows;

static void watch_all(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    layer_rows *l = user;
    watch(l->c, stage, index, data, n_row, n_col);
    if (strcmp(stage, "encoder_layer") != 0 || index >= 8)
        return;
    if (!l->data[index])
        l->data[index] = golden_memory(l->c, l->cap, n_col * sizeof(float));
    if (l->n[index] + n_row <= l->cap)
        memcpy(l->data[index] + l->n[index] * n_col, data, n_row * n_col * sizeof *data);
    l->n[index] += n_row;
    l->n_col = n_col;
}

/* The clip, repeated where the case says so. */
static const float *get_clip(golden_case *c, size_t *n) {
    size_t n_stored, n_repeat = (size_t)golden_number(c, "repeat", 1);
    const float *stored = golden_f32(c, "wave", &n_stored);
    *n = (size_t)golden_number(c, "samples", 0);
    if (!stored || n_stored * n_repeat < *n) {
        golden_fail(c, "the clip is shorter than the case says");
        return NULL;
    }
    float *clip = golden_memory(c, *n, sizeof *clip);
    for (size_t i = 0; i < *n; i++)
        clip[i] = stored[i % n_stored];
    return clip;
}

static void run(golden_case *c, const kz_encoder *e, kz_pool *pool) {
    kz_err err = {""};
    kz_code *codes = NULL;
    size_t n, n_frame;
    const float *clip = get_clip(c, &n);
    if (!clip)
        return;
    layer_rows layers = {.c = c, .cap = n / 960 + 2};
    kz_tap tap = {watch_all, &layers};
    kz_ctx ctx = {.k = golden_kernels(), .pool = pool, .tap = &tap};
    if (golden_ok(c, kz_encoder_run(&ctx, e, clip, n, &codes, &n_frame, &err), &err, "encoder")) {
        size_t n_code = golden_tensor(c, "codes") ? golden_tensor(c, "codes")->shape[1] : 0;
        golden_check_i32(c, "codes", codes, n_frame * n_code);
        for (int i = 0; i < 8; i++) {
            char name[64];
            snprintf(name, sizeof name, "transformer_layer_%d", i);
            if (layers.data[i])
                golden_check_f32(c, name, layers.data[i], layers.n[i] * layers.n_col);
        }
    }
    kz_free(codes);
}

static void check(golden_case *c) {
    kz_err err = {""};
    kz_config cfg = {0};
    kz_weights *w = NULL;
    kz_encoder *e = NULL;
    kz_pool *pool = NULL;
    char *dir = kz_path_join(c->checkpoint, "speech_tokenizer");
    if (golden_ok(c, dir ? KZTTS_OK : KZTTS_ERROR_MEMORY, &err, "path") &&
        golden_ok(c, kz_config_read(&cfg, c->checkpoint, &err), &err, "config") &&
        golden_ok(c, kz_pool_new(&pool, golden_threads(), &err), &err, "threads") &&
        golden_ok(c, kz_weights_open_dir(&w, dir, &err), &err, "weights") &&
        golden_ok(c, kz_encoder_load(&e, &cfg.encoder, w, pool, &err), &err, "encoder"))
        run(c, e, pool);
    kz_encoder_free(e);
    kz_weights_close(w);
    kz_pool_free(pool);
    kz_config_free(&cfg);
    kz_free(dir);
}

int main(int argc, char **argv) { return golden_main("encode", check, argc, argv); }
