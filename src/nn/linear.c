/* linear.c: matrix layers and how their outputs are split over threads.  SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nn/mm.h"

kz_name kz_namef(const char *fmt, ...) {
    kz_name name;
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(name.s, sizeof name.s, fmt, args);
    va_end(args);
    return name;
}

/* ---- packing ----------------------------------------------------------------------------------------------- */

typedef struct pack_job {
    const kz_pack *pack;
    void *dst;
    bool *bad;   /* a flag a worker */
    int stored;  /* type of the tensor */
    float *rows; /* of a panel a worker, when they must be widened */
} pack_job;

static void pack_some(void *arg, size_t begin, size_t end, int worker) {
    pack_job *job = arg;
    if (!kz_pack_panels(job->dst, job->pack, begin, end))
        job->bad[worker] = true;
}

/* Types that no panels can be made of directly are widened, a panel's rows at a time. */
static bool pack_widened(const pack_job *job, size_t panel, float *rows) {
    kz_pack pack = *job->pack;
    size_t first = panel * KZ_PANEL, n_row = pack.n_out - first < KZ_PANEL ? pack.n_out - first : KZ_PANEL;
    const unsigned char *src = (const unsigned char *)pack.src + kz_stored_bytes(job->stored, first * pack.n_in);
    kz_stored_to_f32(rows, src, job->stored, n_row * pack.n_in);
    pack.src = rows;
    pack.src_type = KZ_F32;
    pack.n_out = pack.out_inner = n_row;
    return kz_pack_panels((unsigned char *)job->dst + panel * kz_panel_bytes(pack.dst_type, pack.n_in), &pack, 0, 1);
}

static void pack_some_widened(void *arg, size_t begin, size_t end, int worker) {
    pack_job *job = arg;
    float *rows = job->rows + (size_t)worker * KZ_PANEL * job->pack->n_in;
    for (size_t panel = begin; panel < end; panel++)
        if (!pack_widened(job, panel, rows))
            job->bad[worker] = true;
}

static bool directly(int stored, kz_dtype panels) {
    return !kz_is_block(stored) &&
           (!kz_is_quantized((kz_dtype)stored) || !kz_is_quantized(panels) || stored == (int)panels);
}

kztts_status kz_mm_pack(void *dst, const kz_pack *pack, const kz_tensor *tensor, kz_pool *pool, kz_err *err) {
    bool bad[256] = {false};
    pack_job job = {.pack = pack, .dst = dst, .bad = bad, .stored = tensor->type};
    size_t n_panel = kz_round16(pack->n_out) / KZ_PANEL, n_row = (size_t)kz_pool_threads(pool) * KZ_PANEL;
    if (directly(tensor->type, pack->dst_type)) {
        kz_pool_run(pool, n_panel, 4, pack_some, &job);
    } else {
        if (!(job.rows = kz_alloc(n_row, pack->n_in * sizeof *job.rows)))
            return kz_fail_memory(err, n_row * pack->n_in * sizeof *job.rows, tensor->name);
        kz_pool_run(pool, n_panel, 4, pack_some_widened, &job);
        kz_free(job.rows);
    }
    kz_file_drop(tensor->data, tensor->n_byte); /* it won't be read again */
    for (int i = 0; i < kz_pool_threads(pool); i++)
        if (bad[i])
            return kz_mm_not_finite(tensor, err);
    return KZTTS_OK;
}

kztts_status kz_mm_not_finite(const kz_tensor *tensor, kz_err *err) {
    return kz_fail(err, KZTTS_ERROR_FORMAT, "tensor %s holds a value that is not a finite number; the file is damaged",
                   tensor->name);
}

void *kz_mm_panels_new(const kz_weights *w, kz_dtype type, size_t n_out, size_t n_in, kz_err *err) {
    size_t n, n_panel = kz_round16(n_out) / KZ_PANEL;
    void *panels = NULL;
    if (n_in < SIZE_MAX / (KZ_PANEL * sizeof(float)) && kz_mul(n_panel, kz_panel_bytes(type, n_in), &n))
        panels = kz_weights_room(w, n);
    else
        n = SIZE_MAX;
    if (!panels)
        kz_fail_memory(err, n, "packed weights");
    return panels;
}

/* A vector of n values, zero-padded to whole panels. */
kztts_status kz_mm_vector(float **out, const kz_weights *w, const char *name, size_t n, kz_err *err) {
    float *values;
    *out = NULL;
    KZ_TRY(kz_weights_copy(&values, w, name, 1, (size_t[]){n}, err));
    float *padded = kz_alloc(kz_round16(n), sizeof *padded);
    if (padded)
        memcpy(padded, values, n * sizeof *values);
    kz_free(values);
    *out = padded;
    return padded ? KZTTS_OK : kz_fail_memory(err, n * sizeof *values, name);
}

/* ---- loading ----------------------------------------------------------------------------------------------- */

static kztts_status find_parts(const kz_tensor **t, const kz_weights *w, const kz_linear_spec *spec, kz_err *err) {
    for (size_t i = 0; i < spec->n_part; i++) {
        size_t shape[3] = {spec->part[i].n_out, spec->n_in, 1};
        KZ_TRY(kz_weights_get_stored(&t[i], w, spec->part[i].weight, spec->conv1 ? 3 : 2, shape, err));
    }
    return KZTTS_OK;
}

/* Parts of one type keep it, if there is a kernel for it. Quantised ones of several types, or of one without a kernel,
 * become q8; floats of several types are widened. */
static kz_dtype common_type(const kz_tensor *const *t, size_t n) {
    bool same = true, quantized = false;
    for (size_t i = 0; i < n; i++) {
        same = same && t[i]->type == t[0]->type;
        quantized = quantized || kz_is_block(t[i]->type) || kz_is_quantized((kz_dtype)t[i]->type);
    }
    if (same && !kz_is_block(t[0]->type))
        return (kz_dtype)t[0]->type;
    return quantized ? KZ_Q8 : KZ_F32;
}

static kztts_status load_parts(kz_linear *lin, const kz_tensor *const *t, kz_pool *pool, kz_err *err) {
    size_t panel = kz_panel_bytes(lin->type, lin->n_in);
    for (size_t i = 0; i < lin->n_part; i++) {
        kz_pack pack = {.src = t[i]->data,
                        .src_type = (kz_dtype)t[i]->type,
                        .dst_type = lin->type,
                        .n_out = lin->part_out[i],
                        .n_in = lin->n_in,
                        .out_inner_step = (ptrdiff_t)lin->n_in,
                        .k_inner_step = 1,
                        .out_inner = lin->part_out[i],
                        .k_inner = lin->n_in};
        unsigned char *dst = (unsigned char *)lin->panels + lin->part_at[i] / KZ_PANEL * panel;
        KZ_TRY(kz_mm_pack(dst, &pack, t[i], pool, err));
    }
    return KZTTS_OK;
}

/* From the tensors of a checkpoint. */
static kztts_status pack_linear(kz_linear *lin, const kz_weights *w, const kz_linear_spec *spec, kz_pool *pool,
                                kz_err *err) {
    const kz_tensor *t[KZ_MAX_PART] = {NULL};
    KZ_TRY(find_parts(t, w, spec, err));
    lin->type = kz_mm_type(common_type(t, spec->n_part), spec->quant);
    if (!(lin->panels = kz_mm_panels_new(w, lin->type, lin->n_out, lin->n_in, err)))
        return KZTTS_ERROR_MEMORY;
    return load_parts(lin, t, pool, err);
}

static kztts_status load_linear(kz_linear *lin, const kz_weights *w, const kz_linear_spec *spec, kz_pool *pool,
                                kz_err *err) {
    const char *names[KZ_MAX_PART];
    lin->n_in = spec->n_in;
    lin->n_part = spec->n_part;
    for (size_t i = 0; i < spec->n_part; i++) {
        lin->part_at[i] = kz_round16(lin->n_out);
        lin->part_out[i] = spec->part[i].n_out;
        lin->n_out = lin->part_at[i] + lin->part_out[i];
        names[i] = spec->part[i].weight;
    }
    KZ_TRY(kz_mm_ready(lin, w, names[0], spec->quant, pool, err));
    if (!lin->panels)
        KZ_TRY(pack_linear(lin, w, spec, pool, err));
    KZ_TRY(kz_mm_tell(lin, w, names, spec->n_part, err));
    if (spec->bias)
        KZ_TRY(kz_mm_vector(&lin->bias, w, spec->bias, lin->n_out, err));
    if (spec->scale)
        KZ_TRY(kz_mm_vector(&lin->scale, w, spec->scale, lin->n_out, err));
    return KZTTS_OK;
}

kztts_status kz_linear_load(kz_linear *lin, const kz_weights *w, const kz_linear_spec *spec, kz_pool *pool,
                            kz_err *err) {
    *lin = (kz_linear){0};
    kztts_status status = load_linear(lin, w, spec, pool, err);
    if (status < 0)
        kz_linear_free(lin);
    return status;
}

void kz_linear_free(kz_linear *lin) {
    if (!lin->mapped)
        kz_slab_drop(lin->panels);
    kz_free(lin->bias);
    kz_free(lin->scale);
    *lin = (kz_linear){0};
}

size_t kz_linear_bytes(const kz_linear *lin) {
    size_t n = kz_round16(lin->n_out), n_vector = (lin->bias != NULL) + (size_t)(lin->scale != NULL);
    return (lin->mapped ? 0 : n / KZ_PANEL * kz_panel_bytes(lin->type, lin->n_in)) + n_vector * n * sizeof(float);
}

void kz_linear_work(kz_work *work, const kz_linear *lin, size_t n_row) {
    work->bytes += kz_round16(lin->n_out) / KZ_PANEL * kz_panel_bytes(lin->type, lin->n_in);
    work->products += (uint64_t)lin->n_out * lin->n_in * n_row;
}

/* ---- running ----------------------------------------------------------------------------------------------- */

typedef struct mm_job {
    const kz_mm *mm;
    void (*kernel)(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1);
    size_t n_panel, n_row;
    kz_mm_cut cut;
} mm_job;

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static void mm_some(void *arg, size_t begin, size_t end, int worker) {
    const mm_job *job = arg;
    const kz_mm_cut *cut = &job->cut;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t p0 = i / cut->n_row_block * cut->panel_block, r0 = i % cut->n_row_block * cut->row_block;
        job->kernel(job->mm, p0, min_size(p0 + cut->panel_block, job->n_panel), r0,
                    min_size(r0 + cut->row_block, job->n_row));
    }
}

/* Below this many multiply-adds waking others costs more than it saves. */
enum { MIN_SHARED_WORK = 32768, ROW_BLOCK = 96, PANELS_AT_ONCE = 4, ROWS_AT_ONCE = 8 };

/* Some for every thread, each large enough for the kernel's register tiles. All rows meet a block of panels before the
 * next block: panels are larger. */
kz_mm_cut kz_mm_cuts(const kz_pool *pool, size_t n_panel, size_t n_row) {
    kz_mm_cut cut = {.row_block = n_row, .n_row_block = 1};
    size_t least = n_row == 1 ? PANELS_AT_ONCE : 2;
    if (n_row >= 2 * ROW_BLOCK) {
        cut.n_row_block = (n_row + ROW_BLOCK - 1) / ROW_BLOCK;
        cut.row_block = (n_row + cut.n_row_block - 1) / cut.n_row_block;
    }
    size_t pieces = 8 * (size_t)kz_pool_width(pool) / cut.n_row_block + 1; /* wanted along the panels */
    cut.panel_block = (n_panel / pieces + least - 1) / least * least;
    if (cut.panel_block < least)
        cut.panel_block = least;
    cut.n_panel_block = (n_panel + cut.panel_block - 1) / cut.panel_block;
    return cut;
}

void kz_mm_run(const kz_ctx *ctx, kz_dtype type, const kz_mm *mm, size_t n_row) {
    size_t n_panel = kz_round16(mm->n_out) / KZ_PANEL, work = n_panel * KZ_PANEL * mm->n_seg * mm->seg_len * n_row;
    if (kz_pool_threads(ctx->pool) == 1 || work < MIN_SHARED_WORK) {
        ctx->k->mm[type](mm, 0, n_panel, 0, n_row);
        return;
    }
    mm_job job = {mm, ctx->k->mm[type], n_panel, n_row, kz_mm_cuts(ctx->pool, n_panel, n_row)};
    kz_pool_run(ctx->pool, job.cut.n_panel_block * job.cut.n_row_block, 1, mm_some, &job);
}

kz_mm kz_linear_mm(const kz_linear *lin, float *y, size_t y_row, const float *x, size_t x_row, const float *res) {
    return (kz_mm){.w = lin->panels,
                   .bias = lin->bias,
                   .x = x,
                   .x_row = x_row,
                   .n_seg = 1,
                   .seg_len = lin->n_in,
                   .seg_step = 0,
                   .y = y,
                   .y_row = y_row,
                   .n_out = lin->n_out,
                   .res = res,
                   .res_row = y_row,
                   .scale = res ? lin->scale : NULL};
}

/* ---- quantised rows ---------------------------------------------------------------------------------------- */

static size_t n_pair(const kz_linear *lin) { return (lin->n_in + KZ_PAIR - 1) / KZ_PAIR; }

size_t kz_linear_scratch(const kz_linear *lin, size_t n_row) {
    return kz_is_quantized(lin->type) ? n_row * n_pair(lin) : 0;
}

typedef struct rows_job {
    const kz_ctx *ctx;
    const kz_linear *lin;
    const float *x;
    size_t x_row;
} rows_job;

static void quantize_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    (void)worker;
    for (size_t r = begin; r < end; r++)
        job->ctx->k->quantize(job->ctx->qx + r * n_pair(job->lin), job->x + r * job->x_row, job->lin->n_in);
}

/* Once for all outputs and threads. */
static void quantize_rows(const kz_ctx *ctx, const kz_linear *lin, const float *x, size_t x_row, size_t n_row) {
    rows_job job = {ctx, lin, x, x_row};
    assert(ctx->qx);
    kz_pool_run(ctx->pool, n_row, ROWS_AT_ONCE, quantize_some, &job);
}

void kz_linear_run(const kz_ctx *ctx, const kz_linear *lin, float *y, size_t y_row, const float *x, size_t x_row,
                   size_t n_row, const float *res) {
    kz_mm mm = kz_linear_mm(lin, y, y_row, x, x_row, res);
    mm.qx = ctx->qx;
    if (kz_is_quantized(lin->type))
        quantize_rows(ctx, lin, x, x_row, n_row);
    kz_mm_run(ctx, lin->type, &mm, n_row);
}
