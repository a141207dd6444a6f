/* golden.c: reads the fixtures' manifest, runs cases, prints verdicts.  SPDX-License-Identifier: Apache-2.0 */
#include "golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_PATH_BYTES = 4096, MAX_WORST = 128 };

/* The largest share of the tolerance that a tensor used. */
typedef struct worst {
    char name[64];
    double max_share, rms_share;
} worst;

struct golden_set {
    char root[MAX_PATH_BYTES];
    cJSON *manifest;
    worst list[MAX_WORST];
    size_t n_worst;
    int n_case, n_fail;
};

typedef struct run {
    const char *group;
    golden_fn fn;
    bool shared;
} run;

static const char *option_match = "";
static const kz_kernels *option_kernels;
static int option_threads = 2;
static void (*when_done[4])(void);

const kz_kernels *golden_kernels(void) { return option_kernels ? option_kernels : kz_kernels_best(); }
int golden_threads(void) { return option_threads; }

void golden_when_done(void (*fn)(void)) {
    size_t i = 0;
    while (i < sizeof when_done / sizeof *when_done && when_done[i] && when_done[i] != fn)
        i++;
    assert_true(i < sizeof when_done / sizeof *when_done);
    when_done[i] = fn;
}

const char *golden_root(const golden_case *c) { return c->set->root; }
const cJSON *golden_manifest(const golden_case *c) { return c->set->manifest; }

/* ---- settings ---------------------------------------------------------------------------------------------- */

const char *golden_string(const golden_case *c, const char *key, size_t item) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(c->settings, key);
    if (cJSON_IsArray(v))
        v = cJSON_GetArrayItem(v, (int)item);
    return cJSON_IsString(v) ? v->valuestring : NULL;
}

double golden_number(const golden_case *c, const char *key, double fallback) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(c->settings, key);
    return cJSON_IsNumber(v) ? v->valuedouble : fallback;
}

bool golden_flag(const golden_case *c, const char *key) {
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c->settings, key)) != 0;
}

/* ---- memory and tensors ------------------------------------------------------------------------------------ */

/* Header of a block; the payload begins KZ_ALIGN bytes after it. */
typedef struct block {
    struct block *next;
} block;

void *golden_memory(golden_case *c, size_t count, size_t size) {
    size_t n = 0;
    if (!kz_mul(count, size, &n) || !kz_add(n, KZ_ALIGN, &n))
        fail_msg("a fixture is too large");
    block *b = kz_alloc(n, 1);
    assert_non_null(b);
    b->next = c->memory;
    c->memory = b;
    return (unsigned char *)b + KZ_ALIGN;
}

static void free_memory(golden_case *c) {
    for (block *b = c->memory; b;) {
        block *next = b->next;
        kz_free(b);
        b = next;
    }
    c->memory = NULL;
}

const kz_tensor *golden_tensor(const golden_case *c, const char *name) { return kz_weights_find(c->file, name); }

static const kz_tensor *find_type(golden_case *c, const char *name, int a, int b, size_t *n) {
    const kz_tensor *t = golden_tensor(c, name);
    *n = 0;
    if (!t)
        return NULL;
    if (t->type != a && t->type != b) {
        golden_fail(c, "%s: unexpected type %d in the fixture", name, t->type);
        return NULL;
    }
    *n = t->n_elem;
    return t;
}

const float *golden_f32(golden_case *c, const char *name, size_t *n) {
    const kz_tensor *t = find_type(c, name, KZ_F32, KZ_F32, n);
    if (!t)
        return NULL;
    float *y = golden_memory(c, *n, sizeof *y);
    if (*n)
        memcpy(y, t->data, *n * sizeof *y);
    return y;
}

const int32_t *golden_i32(golden_case *c, const char *name, size_t *n) {
    const kz_tensor *t = find_type(c, name, KZ_I64, KZ_I32, n);
    if (!t)
        return NULL;
    int32_t *y = golden_memory(c, *n, sizeof *y);
    for (size_t i = 0; i < *n; i++) {
        int64_t wide = 0;
        if (t->type == KZ_I32)
            memcpy(&y[i], t->data + i * sizeof *y, sizeof *y);
        else
            memcpy(&wide, t->data + i * sizeof wide, sizeof wide);
        if (t->type == KZ_I64 && (wide < INT32_MIN || wide > INT32_MAX))
            golden_fail(c, "%s: value %lld is beyond 32 bits", name, (long long)wide);
        if (t->type == KZ_I64)
            y[i] = (int32_t)wide;
    }
    return y;
}

const unsigned char *golden_u8(golden_case *c, const char *name, size_t *n) {
    const kz_tensor *t = find_type(c, name, KZ_U8, KZ_U8, n);
    if (!t)
        return NULL;
    unsigned char *y = golden_memory(c, *n, 1);
    if (*n)
        memcpy(y, t->data, *n);
    return y;
}

/* ---- verdicts ---------------------------------------------------------------------------------------------- */

void golden_fail(golden_case *c, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "FAIL %s: ", c->name);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
    c->n_fail++;
}

bool golden_ok(golden_case *c, kztts_status status, const kz_err *err, const char *what) {
    if (status == KZTTS_OK)
        return true;
    golden_fail(c, "%s: status %d: %s", what, (int)status, err ? err->message : "");
    return false;
}

static void note_worst(golden_set *set, const char *name, double max_share, double rms_share) {
    size_t i = 0;
    while (i < set->n_worst && strcmp(set->list[i].name, name) != 0)
        i++;
    if (i == MAX_WORST)
        return;
    worst *w = &set->list[i];
    if (i == set->n_worst) {
        set->n_worst++;
        snprintf(w->name, sizeof w->name, "%s", name);
    }
    if (max_share > w->max_share)
        w->max_share = max_share;
    if (rms_share > w->rms_share)
        w->rms_share = rms_share;
}

typedef struct tolerance {
    double atol, rtol_of_max, rtol_of_rms;
} tolerance;

static double number_of(const cJSON *o, const char *key) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(v) ? v->valuedouble : -1;
}

static bool find_tolerance(golden_case *c, const char *name, tolerance *t) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(c->settings, "tensors");
    const cJSON *one = cJSON_GetObjectItemCaseSensitive(all, name);
    const cJSON *tol = cJSON_GetObjectItemCaseSensitive(one, "tolerance");
    t->atol = number_of(tol, "atol");
    t->rtol_of_max = number_of(tol, "rtol_of_max");
    t->rtol_of_rms = number_of(tol, "rtol_of_rms");
    if (t->atol < 0 || t->rtol_of_max < 0 || t->rtol_of_rms < 0) {
        golden_fail(c, "%s: the manifest has no tolerance for it", name);
        return false;
    }
    return true;
}

/* Squares and root without libm's float functions: only doubles, only sqrt. */
static double root(double x) {
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 200 && x > 0; i++)
        r = 0.5 * (r + x / r);
    return x > 0 ? r : 0;
}

/* Element i of got where want's element i is; columns > 0: got is [n / columns, columns], want its transpose. */
static float got_at(const float *got, size_t i, size_t n, size_t columns) {
    if (!columns)
        return got[i];
    size_t rows = n / columns;
    return got[(i % rows) * columns + i / rows];
}

typedef struct difference {
    double max, max_want, sum, sum_want;
    size_t at, n_place;
    size_t bad; /* a place where infinities or NaN don't meet, or n */
} difference;

static difference compare(const float *got, const float *want, size_t n, size_t columns) {
    const double inf = (double)(1e30f * 1e30f);
    difference d = {.bad = n};
    for (size_t i = 0; i < n; i++) {
        double g = (double)got_at(got, i, n, columns), w = (double)want[i], e = g > w ? g - w : w - g;
        if (w == -inf && g == -inf)
            continue;
        if (!(e < inf)) {
            d.bad = i;
            return d;
        }
        if (e > d.max) {
            d.max = e;
            d.at = i;
        }
        double a = w < 0 ? -w : w;
        d.max_want = a > d.max_want ? a : d.max_want;
        d.sum += e * e;
        d.sum_want += w * w;
        d.n_place++;
    }
    return d;
}

static void check_f32(golden_case *c, const char *name, const float *got, size_t n, size_t columns) {
    size_t n_want = 0;
    const float *want = golden_f32(c, name, &n_want);
    tolerance t;
    if (!want || !find_tolerance(c, name, &t))
        return;
    c->n_check++;
    if (n != n_want) {
        golden_fail(c, "%s: %zu numbers, expected %zu", name, n, n_want);
        return;
    }
    difference d = compare(got, want, n, columns);
    if (d.bad < n) {
        golden_fail(c, "%s[%zu]: got %.9g, expected %.9g", name, d.bad, (double)got_at(got, d.bad, n, columns),
                    (double)want[d.bad]);
        return;
    }
    if (!d.n_place)
        return;
    double limit = t.atol + t.rtol_of_max * d.max_want;
    double rms = root(d.sum / (double)d.n_place), rms_limit = t.rtol_of_rms * root(d.sum_want / (double)d.n_place);
    note_worst(c->set, name, d.max / (limit > 1e-300 ? limit : 1e-300),
               rms / (rms_limit > 1e-300 ? rms_limit : 1e-300));
    if (d.max > limit || rms > rms_limit)
        golden_fail(c, "%s: largest error %.3g at [%zu] (got %.9g, expected %.9g, limit %.3g), rms %.3g (limit %.3g)",
                    name, d.max, d.at, (double)got_at(got, d.at, n, columns), (double)want[d.at], limit, rms,
                    rms_limit);
}

void golden_check_f32(golden_case *c, const char *name, const float *got, size_t n) { check_f32(c, name, got, n, 0); }

void golden_check_f32_columns(golden_case *c, const char *name, const float *got, size_t n_row, size_t n_col) {
    check_f32(c, name, got, n_row * n_col, n_col);
}

void golden_check_i32(golden_case *c, const char *name, const int32_t *got, size_t n) {
    size_t n_want = 0;
    const int32_t *want = golden_i32(c, name, &n_want);
    if (!want)
        return;
    c->n_check++;
    size_t i = 0;
    while (i < n && i < n_want && got[i] == want[i])
        i++;
    if (i < n && i < n_want)
        golden_fail(c, "%s[%zu] of %zu: got %d, expected %d", name, i, n_want, (int)got[i], (int)want[i]);
    else if (n != n_want)
        golden_fail(c, "%s: %zu numbers, expected %zu", name, n, n_want);
}

/* ---- running ----------------------------------------------------------------------------------------------- */

static void open_set(golden_set *set, const char *folder) {
    char path[MAX_PATH_BYTES + 32];
    kz_err err = {""};
    char *text = NULL;
    size_t n = 0;
    snprintf(set->root, sizeof set->root, "%s", folder);
    snprintf(path, sizeof path, "%s/manifest.json", set->root);
    if (kz_file_read(&text, &n, path, (size_t)64 << 20, &err) != KZTTS_OK)
        fail_msg("%s: %s", path, err.message);
    set->manifest = cJSON_ParseWithLength(text, n);
    kz_free(text);
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(set->manifest, "cases")))
        fail_msg("%s: not a manifest", path);
}

static const char *entry(const cJSON *o, const char *key) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : NULL;
}

static void run_case(golden_set *set, golden_fn fn, const cJSON *item, const char *name, const char *file) {
    char path[2 * MAX_PATH_BYTES], checkpoint[2 * MAX_PATH_BYTES];
    kz_err err = {""};
    golden_case c = {.name = name, .settings = item, .set = set};
    const char *model = entry(item, "checkpoint");
    snprintf(path, sizeof path, "%s/%s", set->root, file);
    if (model) {
        snprintf(checkpoint, sizeof checkpoint, "%s/checkpoints/%s", set->root, model);
        c.checkpoint = checkpoint;
    }
    if (golden_ok(&c, kz_weights_open_file(&c.file, path, &err), &err, path)) {
        fn(&c);
        if (!c.n_check && !c.n_fail)
            golden_fail(&c, "nothing was compared");
    }
    free_memory(&c);
    kz_weights_close(c.file);
    set->n_case++;
    set->n_fail += c.n_fail > 0;
}

static void print_worst(const golden_set *set, const char *group) {
    for (size_t i = 0; i < set->n_worst; i++)
        printf("  %-10s %-24s uses %6.3f of the maximum's tolerance, %6.3f of the rms'\n", group, set->list[i].name,
               set->list[i].max_share, set->list[i].rms_share);
}

static void run_set(golden_set *set, const run *r) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(set->manifest, "cases")) {
        const char *group = entry(item, "group"), *name = entry(item, "case");
        const char *file = entry(item, "file");
        if (group && name && file && !strcmp(group, r->group) && strstr(name, option_match))
            run_case(set, r->fn, item, name, file);
    }
    for (size_t i = 0; i < sizeof when_done / sizeof *when_done && when_done[i]; i++)
        when_done[i]();
    print_worst(set, r->group);
    printf("golden %s (%s): %d cases, %d failed\n", r->group, set->root, set->n_case, set->n_fail);
}

static void say_skip(const run *r, const char *why) {
    printf("SKIP golden %s, %s set: %s\n", r->group, r->shared ? "shared" : "repository", why);
    fflush(stdout);
}

static void test_set(void **state) {
    const run *r = *state;
    char folder[MAX_PATH_BYTES];
    const char *shared = getenv("KZTTS_SHARED");
    if (r->shared && (!shared || !*shared)) {
        say_skip(r, "set KZTTS_SHARED to the folder that holds fixtures/");
        skip();
    }
    if (r->shared)
        snprintf(folder, sizeof folder, "%s/fixtures", shared);
    else
        snprintf(folder, sizeof folder, "%s", KZ_TEST_DATA);
    golden_set *set = kz_alloc(1, sizeof *set);
    assert_non_null(set);
    open_set(set, folder);
    const char *left_out = entry(cJSON_GetObjectItemCaseSensitive(set->manifest, "left_out"), r->group);
    if (left_out)
        say_skip(r, left_out);
    else
        run_set(set, r);
    int n_case = set->n_case, n_fail = set->n_fail;
    cJSON_Delete(set->manifest);
    kz_free(set);
    if (left_out)
        skip();
    assert_int_equal(n_fail, 0);
    assert_true(n_case > 0);
}

static int run_group(run *repository) {
    run shared = *repository;
    shared.shared = true;
    const struct CMUnitTest tests[] = {
        {"golden_repository", test_set, NULL, NULL, repository},
        {"golden_shared", test_set, NULL, NULL, &shared},
    };
    return cmocka_run_group_tests_name(repository->group, tests, NULL, NULL);
}

static bool read_options(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && !strcmp(argv[i], "--match"))
            option_match = value;
        else if (value && !strcmp(argv[i], "--cpu") && kz_kernels_by_name(value))
            option_kernels = kz_kernels_by_name(value);
        else if (value && !strcmp(argv[i], "--threads") && atoi(value) > 0)
            option_threads = atoi(value);
        else {
            fprintf(stderr, "%s: not understood: %s (known: --match TEXT, --cpu LEVEL, --threads N)\n", argv[0],
                    argv[i]);
            return false;
        }
    }
    return true;
}

int golden_main(const char *group, golden_fn fn, int argc, char **argv) {
    run r = {.group = group, .fn = fn};
    return read_options(argc, argv) ? run_group(&r) : 2;
}
