/* test_stack.c: transformer layers with more query heads than the attention kernel takes at once.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stack whose heads share keys and values gives the bits of one that has a copy of them for every head. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nn/nn.h"

enum { N_LAYER = 2, D_MODEL = 12, D_FF = 20, D_HEAD = 6, MAX_HEAD = 80, N_ROW = 7, MAX_FILE = 1 << 20 };

/* A safetensors file that grows: header text and data apart. */
static struct file {
    char header[8192];
    size_t n_header;
    float data[MAX_FILE / sizeof(float)];
    size_t n_float;
    unsigned char whole[MAX_FILE + 8192 + 8];
    size_t n_whole;
} file;

static uint32_t rng_state;

static float next_float(void) {
    rng_state = rng_state * 1664525u + 1013904223u;
    return (float)(int32_t)rng_state / 2147483648.0f;
}

/* A tensor [n_head * n_out, n_in], or a vector (n_in 0), of random numbers. Of its heads n_copy that follow one another are
 * the same. */
static void add(kz_name name, size_t n_head, size_t n_copy, size_t n_out, size_t n_in) {
    size_t begin = file.n_float * sizeof(float), n_each = n_out * (n_in ? n_in : 1);
    for (size_t i = 0; i < n_head * n_each; i++, file.n_float++)
        file.data[file.n_float] = i / n_each % n_copy ? file.data[file.n_float - n_each] : next_float();
    kz_name shape = n_in ? kz_namef("%zu,%zu", n_head * n_out, n_in) : kz_namef("%zu", n_head * n_out);
    file.n_header += (size_t)snprintf(file.header + file.n_header, sizeof file.header - file.n_header,
                                      "%c\"%s.weight\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
                                      file.n_header ? ',' : '{', name.s, shape.s, begin, file.n_float * sizeof(float));
    assert_true(file.n_header < sizeof file.header);
}

/* Heads of keys and values: n_kv different ones, each n_copy times. */
static void make_file(size_t n_head, size_t n_kv, size_t n_copy) {
    file.n_header = file.n_float = 0;
    rng_state = 1;
    for (size_t i = 0; i < N_LAYER; i++) {
        kz_name l = kz_namef("s.layers.%zu", i);
        add(kz_namef("%s.input_layernorm", l.s), 1, 1, D_MODEL, 0);
        add(kz_namef("%s.post_attention_layernorm", l.s), 1, 1, D_MODEL, 0);
        add(kz_namef("%s.self_attn.q_proj", l.s), n_head, 1, D_HEAD, D_MODEL);
        add(kz_namef("%s.self_attn.k_proj", l.s), n_kv * n_copy, n_copy, D_HEAD, D_MODEL);
        add(kz_namef("%s.self_attn.v_proj", l.s), n_kv * n_copy, n_copy, D_HEAD, D_MODEL);
        add(kz_namef("%s.self_attn.o_proj", l.s), 1, 1, D_MODEL, n_head * D_HEAD);
        add(kz_namef("%s.mlp.gate_proj", l.s), 1, 1, D_FF, D_MODEL);
        add(kz_namef("%s.mlp.up_proj", l.s), 1, 1, D_FF, D_MODEL);
        add(kz_namef("%s.mlp.down_proj", l.s), 1, 1, D_MODEL, D_FF);
    }
    add(kz_namef("s.norm"), 1, 1, D_MODEL, 0);
    size_t n = (file.n_header + 1 + 7) / 8 * 8;
    memset(file.whole, 0, 8);
    file.whole[0] = (unsigned char)n;
    file.whole[1] = (unsigned char)(n >> 8);
    memset(file.whole + 8, ' ', n);
    memcpy(file.whole + 8, file.header, file.n_header);
    file.whole[8 + file.n_header] = '}';
    memcpy(file.whole + 8 + n, file.data, file.n_float * sizeof(float));
    file.n_whole = 8 + n + file.n_float * sizeof(float);
}

/* Rows of the same input through such a stack: the first three at once, then one by one. */
static void run(float y[N_ROW * D_MODEL], const kz_kernels *k, kz_pool *pool, size_t n_head, size_t n_kv,
                size_t n_copy) {
    kz_stack_config c = {.n_layer = N_LAYER,
                         .d_model = D_MODEL,
                         .d_ff = D_FF,
                         .n_head = n_head,
                         .n_kv = n_kv * n_copy,
                         .d_head = D_HEAD,
                         .rms_eps = 1e-5F,
                         .rope_theta = 10000.0F};
    kz_ctx ctx = {.k = k, .pool = pool};
    kz_weights *w;
    kz_stack stack;
    kz_stack_state state;
    kz_arena arena = {0};
    kz_err err = {""};
    make_file(n_head, n_kv, n_copy);
    if (kz_weights_open_memory(&w, file.whole, file.n_whole, "stack", &err) < 0 ||
        kz_stack_load(&stack, &c, w, "s", pool, &err) < 0)
        fail_msg("%s", err.message);
    kz_stack_layout(&stack, &state, &arena, N_ROW, 3, kz_pool_threads(pool));
    assert_int_equal(kz_arena_alloc(&arena, &err, "a state"), KZTTS_OK);
    kz_stack_layout(&stack, &state, &arena, N_ROW, 3, kz_pool_threads(pool));
    for (size_t i = 0; i < N_ROW * D_MODEL; i++)
        y[i] = next_float();
    kz_stack_run(&ctx, &stack, &state, y, 3, NULL);
    for (size_t i = 3; i < N_ROW; i++)
        kz_stack_run(&ctx, &stack, &state, y + i * D_MODEL, 1, NULL);
    kz_arena_free(&arena);
    kz_stack_free(&stack);
    kz_weights_close(w);
}

static void check_sharing(const kz_kernels *k, kz_pool *pool, size_t n_kv, size_t group) {
    float shared[N_ROW * D_MODEL], apart[N_ROW * D_MODEL];
    run(shared, k, pool, n_kv * group, n_kv, 1);
    run(apart, k, pool, n_kv * group, n_kv, group);
    if (memcmp(shared, apart, sizeof shared) != 0)
        fail_msg("%s: %zu heads of keys with %zu queries each: other bits than with a copy for each", k->name, n_kv,
                 group);
}

static void test_many_queries_a_head(void **state) {
    static const size_t groups[] = {2, 5, KZ_ATTEND_QUERIES, KZ_ATTEND_QUERIES + 1, 2 * KZ_ATTEND_QUERIES, 40};
    kz_pool *pool;
    (void)state;
    assert_int_equal(kz_pool_new(&pool, 3, NULL), KZTTS_OK);
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = kz_kernels_get((kz_cpu_level)level);
        for (size_t i = 0; k && i < sizeof groups / sizeof *groups; i++)
            for (size_t n_kv = 1; n_kv * groups[i] <= MAX_HEAD && n_kv <= 2; n_kv++)
                check_sharing(k, pool, n_kv, groups[i]);
    }
    kz_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_queries_a_head)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
