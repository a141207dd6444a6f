/* check_kernels.c: every table against the C one, bit for bit, on random shapes.  SPDX-License-Identifier: Apache-2.0
 *
 * check_kernels [--seed N] [--rounds N] [--only KERNEL] [--cpu NAME] [--hash] [--bench]
 * --hash prints a hash over everything the C kernels gave: the same on every machine. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static size_t pick(check_rng *rng, const size_t *from, size_t n) { return from[check_range(rng, 0, n - 1)]; }
#define PICK(rng, ...) pick(rng, (const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* A vector's length: mostly about the lane count, sometimes long. */
static size_t some_length(check_rng *rng) {
    return check_range(rng, 0, 3) ? check_range(rng, 1, 70) : check_range(rng, 71, 1100);
}

/* ---- matmul ---- */

typedef struct mm_shape {
    kz_mm mm;
    size_t n_row, n_panel;
} mm_shape;

static mm_shape mm_random(check_rng *rng, kz_dtype type) {
    mm_shape s = {.n_row = check_range(rng, 0, 1) ? check_range(rng, 1, 40) : check_range(rng, 1, 5)};
    kz_mm *mm = &s.mm;
    mm->n_out = check_range(rng, 0, 2) ? PICK(rng, 1, 5, 16, 17, 84) : check_range(rng, 1, 200);
    mm->n_seg = PICK(rng, 1, 1, 2, 7);
    mm->seg_len = check_range(rng, 0, 1) ? check_range(rng, 0, 40) * 2 + 1 : check_range(rng, 1, 90);
    mm->x_row = mm->seg_len + PICK(rng, 0, 0, 1, 13);
    mm->seg_step = check_range(rng, 1, 3) * mm->x_row;
    mm->y_row = mm->n_out + PICK(rng, 0, 0, 1, 9, 30);
    mm->res_row = mm->n_out + PICK(rng, 0, 5);
    s.n_panel = (mm->n_out + KZ_PANEL - 1) / KZ_PANEL;
    int exponent = (int)PICK(rng, 0, 0, 0, 60, 75);
    size_t n_byte = s.n_panel * kz_panel_bytes(type, mm->n_seg * mm->seg_len);
    unsigned char *w = check_buffer(n_byte);
    check_weights(rng, w, type, n_byte / kz_dtype_size(type), -exponent);
    mm->w = w;
    float *x = check_floats((s.n_row - 1) * mm->x_row + (mm->n_seg - 1) * mm->seg_step + mm->seg_len);
    check_mixed(rng, x, (s.n_row - 1) * mm->x_row + (mm->n_seg - 1) * mm->seg_step + mm->seg_len, -exponent);
    mm->x = x;
    return s;
}

/* Quantised weights and rows: one segment. Some are large: more rows, panels and inputs than a kernel takes at once. */
static mm_shape mm_random_quantized(check_rng *rng, kz_dtype type) {
    mm_shape s = {.n_row = check_range(rng, 0, 1) ? check_range(rng, 1, 40) : check_range(rng, 1, 5)};
    kz_mm *mm = &s.mm;
    mm->n_out = check_range(rng, 0, 2) ? PICK(rng, 1, 5, 16, 17, 84) : check_range(rng, 1, 200);
    mm->n_seg = 1;
    mm->seg_len = check_range(rng, 0, 1) ? PICK(rng, 1, 32, 33, 64, 65, 96, 128, 320) : check_range(rng, 1, 400);
    if (check_range(rng, 0, 3) == 0)
        s.n_row = check_range(rng, 41, 100);
    if (check_range(rng, 0, 14) == 0)
        mm->seg_len = PICK(rng, 1024, 1056, 2100);
    if (check_range(rng, 0, 14) == 0)
        mm->n_out = check_range(rng, 200, 600);
    mm->y_row = mm->n_out + PICK(rng, 0, 0, 1, 9, 30);
    mm->res_row = mm->n_out + PICK(rng, 0, 5);
    s.n_panel = (mm->n_out + KZ_PANEL - 1) / KZ_PANEL;
    size_t n_byte = s.n_panel * kz_panel_bytes(type, mm->seg_len), n_pair = (mm->seg_len + KZ_PAIR - 1) / KZ_PAIR;
    unsigned char *w = check_buffer(n_byte);
    check_weights(rng, w, type, n_byte, 0);
    mm->w = w;
    kz_qx *qx = check_buffer(s.n_row * n_pair * sizeof *qx);
    float *x = check_floats(mm->seg_len);
    for (size_t r = 0; r < s.n_row; r++) {
        check_mixed(rng, x, mm->seg_len, (int)PICK(rng, 0, 0, 0, 60));
        kz_kernels_get(KZ_CPU_C)->quantize(qx + r * n_pair, x, mm->seg_len);
    }
    mm->qx = qx;
    return s;
}

static float *mm_column(check_rng *rng, size_t n_panel) {
    float *x = check_floats(n_panel * KZ_PANEL);
    check_mixed(rng, x, n_panel * KZ_PANEL, 0);
    return x;
}

static void check_mm(check_run *run, kz_dtype type) {
    check_rng *rng = &run->rng;
    mm_shape s = kz_is_quantized(type) ? mm_random_quantized(rng, type) : mm_random(rng, type);
    kz_mm *mm = &s.mm;
    if (check_range(rng, 0, 1))
        mm->bias = mm_column(rng, s.n_panel);
    size_t mode = check_range(rng, 0, 3); /* no res, res, res and scale, scale without res */
    bool in_place = mode != 0 && check_range(rng, 0, 1);
    check_pair y = check_outputs(rng, (s.n_row - 1) * mm->y_row + mm->n_out);
    if (in_place) {
        mm->res_row = mm->y_row;
        check_mixed(rng, y.want, y.n, 0);
        memcpy(y.got, y.want, y.n * sizeof(float));
    } else if (mode != 0) {
        float *res = check_floats((s.n_row - 1) * mm->res_row + mm->n_out);
        check_mixed(rng, res, (s.n_row - 1) * mm->res_row + mm->n_out, 0);
        mm->res = res;
    }
    if (mode >= 2)
        mm->scale = mm_column(rng, s.n_panel);
    if (mode == 3) /* without res, scale does nothing */
        mm->res = NULL, in_place = false;
    size_t p0 = check_range(rng, 0, 2) ? 0 : check_range(rng, 0, s.n_panel), p1 = check_range(rng, p0, s.n_panel);
    size_t r0 = check_range(rng, 0, 2) ? 0 : check_range(rng, 0, s.n_row), r1 = check_range(rng, r0, s.n_row);
    p1 = check_range(rng, 0, 2) ? s.n_panel : p1;
    r1 = check_range(rng, 0, 2) ? s.n_row : r1;
    mm->y = y.want;
    mm->res = in_place ? y.want : mm->res;
    run->c->mm[type](mm, p0, p1, r0, r1);
    mm->y = y.got;
    mm->res = in_place ? y.got : mm->res;
    run->k->mm[type](mm, p0, p1, r0, r1);
    check_equal(run, &y);
}

static void check_mm_f32(check_run *run) { check_mm(run, KZ_F32); }
static void check_mm_bf16(check_run *run) { check_mm(run, KZ_BF16); }
static void check_mm_f16(check_run *run) { check_mm(run, KZ_F16); }
static void check_mm_q8(check_run *run) { check_mm(run, KZ_Q8); }
static void check_mm_q4(check_run *run) { check_mm(run, KZ_Q4); }
static void check_mm_q4_0(check_run *run) { check_mm(run, KZ_Q4_0); }

/* Rows of all magnitudes; ties, whole blocks of zeros and blocks too small to count. */
static void check_quantize(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n = some_length(rng), n_pair = (n + KZ_PAIR - 1) / KZ_PAIR;
    float *x = check_floats(n);
    for (size_t i = 0; i < n; i += KZ_BLOCK) {
        size_t m = n - i < KZ_BLOCK ? n - i : KZ_BLOCK, kind = check_range(rng, 0, 9);
        if (kind >= 3)
            check_mixed(rng, x + i, m, (int)PICK(rng, 0, 0, 3, 100) - (int)PICK(rng, 0, 0, 99, 120));
        else if (kind >= 1)
            for (size_t j = 0; j < m; j++)
                x[i + j] = j ? 0.5f * ((float)check_range(rng, 0, 508) - 254) : 127.0f;
    }
    check_pair q = check_outputs(rng, n_pair * sizeof(kz_qx) / sizeof(float));
    run->c->quantize((kz_qx *)(void *)q.want, x, n);
    run->k->quantize((kz_qx *)(void *)q.got, x, n);
    check_equal(run, &q);
}

/* ---- rows ---- */

/* n random inputs of mixed magnitudes. */
static float *inputs(check_rng *rng, size_t n) {
    float *x = check_floats(n);
    check_mixed(rng, x, n, (int)check_range(rng, 0, 4));
    return x;
}

/* An input and the two outputs for it; in place the outputs already hold the input. */
typedef struct unary {
    check_pair y;
    const float *x_want, *x_got;
} unary;

static unary unary_random(check_rng *rng, size_t n, float limit) {
    unary u = {.y = check_outputs(rng, n)};
    float *x = check_floats(n);
    if (limit > 0 && check_range(rng, 0, 1))
        check_fill(rng, x, n, -limit, limit);
    else
        check_mixed(rng, x, n, (int)check_range(rng, 0, 4));
    u.x_want = u.x_got = x;
    if (check_range(rng, 0, 1)) {
        memcpy(u.y.want, x, n * sizeof *x);
        memcpy(u.y.got, x, n * sizeof *x);
        u.x_want = u.y.want, u.x_got = u.y.got;
    }
    return u;
}

static void check_dwconv(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n_tap = check_range(rng, 1, 8), n_row = check_range(rng, 1, 9), n_ch = check_range(rng, 1, 70);
    const float *x = inputs(rng, (n_row + n_tap - 1) * n_ch), *w = inputs(rng, n_tap * n_ch), *b = inputs(rng, n_ch);
    check_pair y = check_outputs(rng, n_row * n_ch);
    run->c->dwconv(y.want, x, w, b, n_tap, n_row, n_ch);
    run->k->dwconv(y.got, x, w, b, n_tap, n_row, n_ch);
    check_equal(run, &y);
}

static void check_tile_in(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n = some_length(rng), x_step = n + PICK(rng, 0, 0, 7), v_step = n + PICK(rng, 0, 16);
    bool both = check_range(rng, 0, 1);
    const float *x =
        inputs(rng, (both ? 7 : 6) * x_step + n); /* ends there: a row that doesn't count must not be read */
    check_pair v = check_outputs(rng, 7 * v_step + n);
    run->c->tile_in(v.want, v_step, x, x_step, n, both);
    run->k->tile_in(v.got, v_step, x, x_step, n, both);
    check_equal(run, &v);
}

static void check_tile_out(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n = some_length(rng), m_step = n + PICK(rng, 0, 16);
    bool both = check_range(rng, 0, 1);
    const float *m = inputs(rng, 7 * m_step + n);
    check_pair y0 = check_outputs(rng, n), y1 = check_outputs(rng, n);
    run->c->tile_out(y0.want, both ? y1.want : NULL, m, m_step, n);
    run->k->tile_out(y0.got, both ? y1.got : NULL, m, m_step, n);
    if (check_equal(run, &y0))
        check_equal(run, &y1);
}

static void check_rmsnorm(check_run *run) {
    size_t n = some_length(&run->rng);
    unary u = unary_random(&run->rng, n, 0);
    const float *w = inputs(&run->rng, n);
    run->c->rmsnorm(u.y.want, u.x_want, w, n, 1e-6f);
    run->k->rmsnorm(u.y.got, u.x_got, w, n, 1e-6f);
    check_equal(run, &u.y);
}

static void check_layernorm(check_run *run) {
    size_t n = some_length(&run->rng);
    unary u = unary_random(&run->rng, n, 3);
    const float *w = inputs(&run->rng, n), *b = inputs(&run->rng, n);
    run->c->layernorm(u.y.want, u.x_want, w, b, n, 1e-6f);
    run->k->layernorm(u.y.got, u.x_got, w, b, n, 1e-6f);
    check_equal(run, &u.y);
}

static size_t some_head(check_rng *rng) {
    return check_range(rng, 0, 2) ? PICK(rng, 10, 12, 20, 64, 128) : check_range(rng, 1, 150);
}

static void check_rope(check_run *run) {
    check_rng *rng = &run->rng;
    size_t d_head = (some_head(rng) + 1) / 2 * 2;
    const float *cs = inputs(rng, d_head);
    check_pair x = check_outputs(rng, d_head);
    check_mixed(rng, x.want, d_head, 0);
    memcpy(x.got, x.want, d_head * sizeof(float));
    run->c->rope(x.want, cs, d_head);
    run->k->rope(x.got, cs, d_head);
    check_equal(run, &x);
}

static void check_attend(check_run *run) {
    check_rng *rng = &run->rng;
    size_t d_head = some_head(rng), n_head = check_range(rng, 1, 5),
           n_row = check_range(rng, 1, KZ_ATTEND_QUERIES / n_head);
    size_t n_pos = check_range(rng, 1, 150), n_all = n_pos + n_row - 1, stride = d_head + PICK(rng, 0, 3, 128);
    size_t n_kv = (n_all - 1) * stride + d_head, q_row = n_head * d_head + PICK(rng, 0, 7),
           y_row = n_head * d_head + PICK(rng, 0, 5);
    kz_attend a = {.y_row = y_row,
                   .q_row = q_row,
                   .n_row = n_row,
                   .n_head = n_head,
                   .stride = stride,
                   .d_head = d_head,
                   .n_pos = n_pos,
                   .window = check_range(rng, 0, 1) ? check_range(rng, 1, 80) : 0,
                   .scale = check_uniform(rng, 0.05f, 2.0f),
                   .score_row = n_all + PICK(rng, 0, 1, 9)};
    float *q = check_floats((n_row - 1) * q_row + n_head * d_head), *k = check_floats(n_kv);
    check_fill(rng, q, (n_row - 1) * q_row + n_head * d_head, -2, 2);
    check_fill(rng, k, n_kv, -2, 2);
    a.q = q;
    a.k = k;
    a.v = inputs(rng, n_kv);
    check_pair y = check_outputs(rng, (n_row - 1) * y_row + n_head * d_head);
    a.y = y.want;
    a.scores = check_floats((n_row * n_head - 1) * a.score_row + n_all);
    run->c->attend(&a);
    a.y = y.got;
    a.scores = check_floats((n_row * n_head - 1) * a.score_row + n_all);
    run->k->attend(&a);
    check_equal(run, &y);
}

static void check_softmax_exp(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n = some_length(rng);
    check_pair x = check_outputs(rng, n + 1); /* the sum is checked as the last element */
    check_fill(rng, x.want, n, -30, check_uniform(rng, -30, 90));
    if (check_range(rng, 0, 3) == 0)
        check_mixed(rng, x.want, n, 3);
    memcpy(x.got, x.want, n * sizeof(float));
    float *tight = check_floats(n); /* once more where memory ends */
    memcpy(tight, x.want, n * sizeof(float));
    x.want[n] = run->c->softmax_exp(x.want, n);
    x.got[n] = run->k->softmax_exp(x.got, n);
    check_equal(run, &x);
    if (run->k->softmax_exp(tight, n) != x.want[n] || memcmp(tight, x.want, n * sizeof(float)) != 0)
        run->failed++;
}

/* ---- elements ---- */

static void check_add(check_run *run) {
    size_t n = some_length(&run->rng);
    unary u = unary_random(&run->rng, n, 0);
    const float *b = inputs(&run->rng, n);
    run->c->add(u.y.want, u.x_want, b, n);
    run->k->add(u.y.got, u.x_got, b, n);
    check_equal(run, &u.y);
}

static void check_unary(check_run *run, void (*c)(float *, const float *, size_t),
                        void (*k)(float *, const float *, size_t), float limit) {
    size_t n = some_length(&run->rng);
    unary u = unary_random(&run->rng, n, limit);
    c(u.y.want, u.x_want, n);
    k(u.y.got, u.x_got, n);
    check_equal(run, &u.y);
}

static void check_silu(check_run *run) { check_unary(run, run->c->silu, run->k->silu, 120); }
static void check_gelu(check_run *run) { check_unary(run, run->c->gelu, run->k->gelu, 7); }
static void check_exp(check_run *run) { check_unary(run, run->c->exp, run->k->exp, 130); }

static void check_silu_mul(check_run *run) {
    size_t n = some_length(&run->rng);
    unary u = unary_random(&run->rng, n, 20);
    const float *up = inputs(&run->rng, n);
    run->c->silu_mul(u.y.want, u.x_want, up, n);
    run->k->silu_mul(u.y.got, u.x_got, up, n);
    check_equal(run, &u.y);
}

static void check_snake(check_run *run) {
    check_rng *rng = &run->rng;
    size_t n_ch = check_range(rng, 1, 100), n_row = check_range(rng, 1, 9);
    unary u = unary_random(rng, n_row * n_ch, 300);
    const float *alpha = inputs(rng, n_ch), *inv_beta = inputs(rng, n_ch);
    run->c->snake(u.y.want, u.x_want, alpha, inv_beta, n_row, n_ch);
    run->k->snake(u.y.got, u.x_got, alpha, inv_beta, n_row, n_ch);
    check_equal(run, &u.y);
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    void (*check)(check_run *run);
} checks[] = {
    {"mm_f32", check_mm_f32},     {"mm_bf16", check_mm_bf16},
    {"mm_f16", check_mm_f16},     {"mm_q8", check_mm_q8},
    {"mm_q4", check_mm_q4},       {"mm_q4_0", check_mm_q4_0},
    {"quantize", check_quantize}, {"dwconv", check_dwconv},
    {"tile_in", check_tile_in},   {"tile_out", check_tile_out},
    {"rmsnorm", check_rmsnorm},   {"layernorm", check_layernorm},
    {"rope", check_rope},         {"attend", check_attend},
    {"add", check_add},           {"silu", check_silu},
    {"silu_mul", check_silu_mul}, {"gelu", check_gelu},
    {"snake", check_snake},       {"softmax_exp", check_softmax_exp},
    {"exp", check_exp},
};

typedef struct options {
    uint64_t seed;
    unsigned rounds;
    const char *only, *cpu;
    bool hash, bench;
} options;

/* The kernel at work, for the fault handler. */
static const char *at_table = "", *at_kernel = "";

static void on_fault(int signal_number) {
    static const char text[] = "FAIL: access beyond a buffer's end in ";
    (void)signal_number;
    (void)!write(2, text, sizeof text - 1);
    (void)!write(2, at_table, strlen(at_table));
    (void)!write(2, " ", 1);
    (void)!write(2, at_kernel, strlen(at_kernel));
    (void)!write(2, "\n", 1);
    _exit(1);
}

/* Checks k against c. Every kernel has its own sequence of random numbers, whatever --only leaves out. */
static void check_table(check_run *run, const options *opt) {
    at_table = run->k->name;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (opt->only && strcmp(opt->only, checks[i].name) != 0)
            continue;
        run->name = at_kernel = checks[i].name;
        run->rng.state = opt->seed * 1000003u + i;
        unsigned failed = run->failed;
        for (unsigned round = 0; round < opt->rounds; round++) {
            check_memory_reset();
            checks[i].check(run);
        }
        printf("%-7s %-12s %s\n", run->k->name, checks[i].name, run->failed == failed ? "ok" : "FAILED");
    }
}

static bool parse(options *opt, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--hash") == 0)
            opt->hash = true;
        else if (strcmp(argv[i], "--bench") == 0)
            opt->bench = true;
        else if (value && strcmp(argv[i], "--seed") == 0)
            opt->seed = strtoull(value, NULL, 10), i++;
        else if (value && strcmp(argv[i], "--rounds") == 0)
            opt->rounds = (unsigned)strtoul(value, NULL, 10), i++;
        else if (value && strcmp(argv[i], "--only") == 0)
            opt->only = value, i++;
        else if (value && strcmp(argv[i], "--cpu") == 0)
            opt->cpu = value, i++;
        else
            return false;
    }
    return true;
}

static int run_hash(const options *opt) {
    const kz_kernels *c = kz_kernels_get(KZ_CPU_C);
    check_run run = {.c = c, .k = c, .hash = 0xcbf29ce484222325u};
    check_table(&run, opt);
    printf("hash %016" PRIx64 " seed %" PRIu64 " rounds %u\n", run.hash, opt->seed, opt->rounds);
    return run.failed != 0;
}

static int run_checks(const options *opt) {
    check_run run = {.c = kz_kernels_get(KZ_CPU_C), .hash = 0};
    unsigned n_table = 0;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = kz_kernels_get((kz_cpu_level)level);
        if (!k || k == run.c || (opt->cpu && strcmp(opt->cpu, k->name) != 0))
            continue;
        n_table++;
        run.k = k;
        check_table(&run, opt);
    }
    if (n_table == 0)
        printf("SKIP: no other table than \"c\" %s on this machine\n", opt->cpu ? "of that name" : "");
    printf("%u passed, %u failed\n", run.passed, run.failed);
    return run.failed ? 1 : n_table ? 0 : 77;
}

int main(int argc, char **argv) {
    options opt = {.rounds = 150, .seed = (uint64_t)time(NULL)};
    const char *seed = getenv("KZTTS_TEST_SEED");
    if (seed)
        opt.seed = strtoull(seed, NULL, 10);
    if (!parse(&opt, argc, argv)) {
        fprintf(stderr, "check_kernels [--seed N] [--rounds N] [--only KERNEL] [--cpu NAME] [--hash] [--bench]\n");
        return 2;
    }
    if (opt.bench) {
        const kz_kernels *k = kz_kernels_by_name(opt.cpu ? opt.cpu : "best");
        if (k)
            check_bench(k);
        return k ? 0 : 77;
    }
    if (!check_memory_init()) {
        fprintf(stderr, "check_kernels: no memory: %s\n", strerror(errno));
        return 2;
    }
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    printf("seed %" PRIu64 "\n", opt.seed);
    return opt.hash ? run_hash(&opt) : run_checks(&opt);
}
