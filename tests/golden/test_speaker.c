/* test_speaker.c: sound to log mel to speaker vector.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cloning/cloning.h"
#include "golden.h"

static void watch(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    char name[64];
    snprintf(name, sizeof name, "block_%d", index);
    const char *want = !strcmp(stage, "mel")             ? "mel"
                       : !strcmp(stage, "speaker_block") ? name
                       : !strcmp(stage, "speaker_mfa")   ? "mfa"
                       : !strcmp(stage, "speaker_asp")   ? "asp"
                                                         : NULL;
    if (want)
        golden_check_f32_columns(user, want, data, n_row, n_col);
}

static void run(golden_case *c, const kz_speaker_encoder *sp, kz_pool *pool, size_t d_out) {
    kz_err err = {""};
    size_t n;
    kz_tap tap = {watch, c};
    kz_ctx ctx = {.k = golden_kernels(), .pool = pool, .tap = &tap};
    const float *wave = golden_f32(c, "wave", &n);
    float *x_vector = golden_memory(c, d_out, sizeof *x_vector);
    if (!wave)
        golden_fail(c, "no clip");
    else if (golden_ok(c, kz_speaker_run(&ctx, sp, wave, n, x_vector, &err), &err, "speaker encoder"))
        golden_check_f32(c, "embedding", x_vector, d_out);
}

static void check(golden_case *c) {
    kz_err err = {""};
    kz_config cfg = {0};
    kz_weights *w = NULL;
    kz_speaker_encoder *sp = NULL;
    kz_pool *pool = NULL;
    if (golden_ok(c, kz_config_read(&cfg, c->checkpoint, &err), &err, "config") &&
        golden_ok(c, kz_pool_new(&pool, golden_threads(), &err), &err, "threads") &&
        golden_ok(c, kz_weights_open_dir(&w, c->checkpoint, &err), &err, "weights") &&
        golden_ok(c, kz_speaker_load(&sp, &cfg.speaker, w, pool, &err), &err, "speaker encoder"))
        run(c, sp, pool, cfg.speaker.d_out);
    kz_speaker_free(sp);
    kz_weights_close(w);
    kz_pool_free(pool);
    kz_config_free(&cfg);
}

int main(int argc, char **argv) { return golden_main("speaker", check, argc, argv); }
