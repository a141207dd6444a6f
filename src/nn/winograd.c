/* winograd.c: convolutions of 7 taps, two outputs for 8 products (nn.h has the sums).  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "nn/mm.h"

enum { N_TAP = KZ_WINOGRAD_TAP, N_POINT = KZ_WINOGRAD_POINTS, MAX_THREAD = 256 };

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* ---- loading ----------------------------------------------------------------------------------------------- */

/* The two points p and -p. */
static void transform_pair(float *u, const double *w, double p, double n) {
    const double p2 = p * p;
    const double even = w[0] + p2 * (w[2] + p2 * (w[4] + p2 * w[6])), odd = p * (w[1] + p2 * (w[3] + p2 * w[5]));
    u[0] = (float)((even + odd) / n);
    u[1] = (float)((even - odd) / n);
}

static void transform(float *u, const float *tap) {
    double w[N_TAP];
    for (int i = 0; i < N_TAP; i++)
        w[i] = (double)tap[i];
    u[0] = -tap[0];
    transform_pair(u + 1, w, 1.0, -4.5);
    transform_pair(u + 3, w, 2.0, 90.0);
    transform_pair(u + 5, w, 0.5, 1.40625);
    u[7] = tap[6];
}

typedef struct pack_job {
    const kz_tensor *tensor; /* [n_ch][n_ch][N_TAP] */
    float *dst;              /* [N_POINT][n_panel][n_ch][16] */
    size_t n_ch, n_panel;
    bool bad[MAX_THREAD];
} pack_job;

/* One output: taps of some inputs at a time. */
static bool pack_output(const pack_job *job, size_t out) {
    enum { AT_ONCE = 64 };
    const size_t n_ch = job->n_ch, size = kz_dtype_size((kz_dtype)job->tensor->type);
    const unsigned char *src = job->tensor->data + out * n_ch * N_TAP * size;
    float *dst = job->dst + out / KZ_PANEL * n_ch * KZ_PANEL + out % KZ_PANEL;
    bool finite = true;
    for (size_t k = 0, n; k < n_ch; k += n) {
        float tap[AT_ONCE * N_TAP], u[N_POINT];
        n = min_size(AT_ONCE, n_ch - k);
        kz_to_f32(tap, src + k * N_TAP * size, (kz_dtype)job->tensor->type, n * N_TAP);
        for (size_t i = 0; i < n; i++) {
            transform(u, tap + i * N_TAP);
            for (size_t e = 0; e < N_POINT; e++) {
                dst[(e * job->n_panel * n_ch + k + i) * KZ_PANEL] = u[e];
                finite = finite && isfinite(u[e]);
            }
        }
    }
    return finite;
}

static void pack_some(void *arg, size_t begin, size_t end, int worker) {
    pack_job *job = arg;
    for (size_t out = begin; out < end; out++)
        if (!pack_output(job, out))
            job->bad[worker] = true;
}

/* What lies beyond the last output is zero: the memory is new. */
static kztts_status pack(kz_winograd *conv, const kz_weights *w, const char *name, kz_pool *pool, kz_err *err) {
    const size_t n_ch = conv->n_ch;
    kz_linear *lin = &conv->lin;
    pack_job job = {.n_ch = n_ch, .n_panel = kz_round16(n_ch) / KZ_PANEL};
    KZ_TRY(kz_weights_get(&job.tensor, w, name, 3, (size_t[]){n_ch, n_ch, N_TAP}, err));
    if (!(lin->panels = kz_mm_panels_new(w, lin->type, lin->n_out, lin->n_in, err)))
        return KZTTS_ERROR_MEMORY;
    job.dst = lin->panels;
    kz_pool_run(pool, n_ch, KZ_PANEL, pack_some, &job);
    kz_file_drop(job.tensor->data, job.tensor->n_byte);
    for (int i = 0; i < kz_pool_threads(pool); i++)
        if (job.bad[i])
            return kz_mm_not_finite(job.tensor, err);
    return KZTTS_OK;
}

static kztts_status load(kz_winograd *conv, const kz_weights *w, const char *prefix, kz_pool *pool, kz_err *err) {
    kz_linear *lin = &conv->lin;
    const kz_name weight = kz_namef("%s.weight", prefix);
    KZ_TRY(kz_mm_ready(lin, w, weight.s, KZ_QUANT_FLOAT, pool, err));
    if (!lin->panels)
        KZ_TRY(pack(conv, w, weight.s, pool, err));
    KZ_TRY(kz_mm_tell(lin, w, (const char *[]){weight.s}, 1, err));
    return kz_mm_vector(&conv->bias, w, kz_namef("%s.bias", prefix).s, conv->n_ch, err);
}

kztts_status kz_winograd_load(kz_winograd *conv, const kz_weights *w, const char *prefix, size_t n_ch, size_t dilation,
                              kz_pool *pool, kz_err *err) {
    *conv = (kz_winograd){.n_ch = n_ch, .dilation = dilation};
    conv->lin = (kz_linear){.type = KZ_F32, .n_in = n_ch, .n_out = N_POINT * kz_round16(n_ch), .n_part = 1};
    conv->lin.part_out[0] = conv->lin.n_out;
    kztts_status status = load(conv, w, prefix, pool, err);
    if (status < 0)
        kz_winograd_free(conv);
    return status;
}

void kz_winograd_free(kz_winograd *conv) {
    kz_linear_free(&conv->lin);
    kz_free(conv->bias);
    *conv = (kz_winograd){0};
}

void kz_winograd_work(kz_work *work, const kz_winograd *conv, size_t n_row) {
    kz_linear_work(work, &conv->lin, 0);
    work->products += (uint64_t)N_TAP * conv->n_ch * conv->n_ch * n_row;
}

/* ---- groups and tiles -------------------------------------------------------------------------------------- */

/* Tiles whose first outputs are neighbouring rows from `row` on; `both`: the second ones exist. */
typedef struct span {
    size_t row, n;
    bool both;
} span;

static size_t groups_a_frame(const kz_winograd *conv, size_t frame_row) {
    return (frame_row + 2 * conv->dilation - 1) / (2 * conv->dilation);
}

/* One or, where the frame ends amid the second outputs, two. */
static size_t spans_of(span s[2], const kz_winograd *conv, size_t frame_row, size_t group) {
    const size_t d = conv->dilation, a_frame = groups_a_frame(conv, frame_row), in_frame = group % a_frame * 2 * d;
    const size_t row = group / a_frame * frame_row + in_frame, rest = min_size(2 * d, frame_row - in_frame);
    const size_t n_tile = min_size(rest, d), n_both = rest - n_tile;
    size_t n = 0;
    if (n_both)
        s[n++] = (span){row, n_both, true};
    if (n_both < n_tile)
        s[n++] = (span){row + n_both, n_tile - n_both, false};
    return n;
}

/* Tiles of the groups before this one. */
static size_t tiles_before(const kz_winograd *conv, size_t frame_row, size_t group) {
    const size_t d = conv->dilation, a_frame = groups_a_frame(conv, frame_row), last = (a_frame - 1) * d;
    const size_t tiles_a_frame = last + min_size(d, frame_row - 2 * last);
    return group / a_frame * tiles_a_frame + group % a_frame * d;
}

static size_t tiles_in(const kz_winograd *conv, const kz_groups *g) {
    return tiles_before(conv, g->frame_row, g->end) - tiles_before(conv, g->frame_row, g->begin);
}

/* From point to point; the line more keeps eight points' columns in different sets of a cache. */
static size_t point_step(const kz_winograd *conv, size_t n_tile) { return n_tile * conv->n_ch + KZ_PANEL; }

size_t kz_winograd_count(const kz_winograd *conv, size_t n_row, size_t frame_row) {
    return n_row / frame_row * groups_a_frame(conv, frame_row);
}

size_t kz_winograd_row(const kz_winograd *conv, size_t frame_row, size_t group) {
    const size_t a_frame = groups_a_frame(conv, frame_row);
    return group / a_frame * frame_row + group % a_frame * 2 * conv->dilation;
}

size_t kz_winograd_scratch(const kz_winograd *conv, const kz_groups *groups) {
    return 2 * N_POINT * point_step(conv, tiles_in(conv, groups));
}

/* ---- running ----------------------------------------------------------------------------------------------- */

/* x: the rows; v and m: [N_POINT] rows of all tiles, `step` apart. */
typedef struct tiles {
    const kz_kernels *k;
    const kz_winograd *conv;
    const float *x;
    float *y; /* from the first of these groups on */
    float *v, *m;
    kz_groups all;
    size_t n_tile, step;
    kz_mm_cut cut;
} tiles;

static tiles tiles_of(const kz_kernels *k, const kz_winograd *conv, float *y, const float *x, const kz_groups *groups,
                      float *scratch) {
    const size_t n_tile = tiles_in(conv, groups), step = point_step(conv, n_tile);
    return (tiles){.k = k,
                   .conv = conv,
                   .x = x,
                   .y = y,
                   .v = scratch,
                   .m = scratch + N_POINT * step,
                   .all = *groups,
                   .n_tile = n_tile,
                   .step = step};
}

static size_t tile_at(const tiles *t, size_t group) {
    return tiles_before(t->conv, t->all.frame_row, group) - tiles_before(t->conv, t->all.frame_row, t->all.begin);
}

static void groups_in(const tiles *t, size_t begin, size_t end) {
    const size_t n_ch = t->conv->n_ch;
    float *v = t->v + tile_at(t, begin) * n_ch;
    span s[2];
    for (size_t g = begin; g < end; g++)
        for (size_t i = 0, n = spans_of(s, t->conv, t->all.frame_row, g); i < n; v += s[i++].n * n_ch)
            t->k->tile_in(v, t->step, t->x + s[i].row * n_ch, t->conv->dilation * n_ch, s[i].n * n_ch, s[i].both);
}

static void groups_out(const tiles *t, size_t begin, size_t end) {
    const size_t n_ch = t->conv->n_ch, first = kz_winograd_row(t->conv, t->all.frame_row, t->all.begin);
    const float *m = t->m + tile_at(t, begin) * n_ch;
    span s[2];
    for (size_t g = begin; g < end; g++)
        for (size_t i = 0, n = spans_of(s, t->conv, t->all.frame_row, g); i < n; m += s[i++].n * n_ch) {
            float *y = t->y + (s[i].row - first) * n_ch;
            t->k->tile_out(y, s[i].both ? y + t->conv->dilation * n_ch : NULL, m, t->step, s[i].n * n_ch);
        }
}

/* The products of point e. */
static kz_mm point_mm(const tiles *t, size_t e) {
    const kz_linear *lin = &t->conv->lin;
    const size_t n_ch = t->conv->n_ch, size = lin->n_out / N_POINT / KZ_PANEL * kz_panel_bytes(lin->type, n_ch);
    return (kz_mm){.w = (const unsigned char *)lin->panels + e * size,
                   .bias = e == 0 || e == N_POINT - 1 ? t->conv->bias : NULL,
                   .x = t->v + e * t->step,
                   .x_row = n_ch,
                   .n_seg = 1,
                   .seg_len = n_ch,
                   .y = t->m + e * t->step,
                   .y_row = n_ch,
                   .n_out = n_ch};
}

void kz_winograd_piece(const kz_kernels *k, const kz_winograd *conv, float *y, const float *x, const kz_groups *groups,
                       float *scratch) {
    const tiles t = tiles_of(k, conv, y, x, groups, scratch);
    groups_in(&t, groups->begin, groups->end);
    for (size_t e = 0; e < N_POINT; e++) {
        const kz_mm mm = point_mm(&t, e);
        k->mm[conv->lin.type](&mm, 0, kz_round16(conv->n_ch) / KZ_PANEL, 0, t.n_tile);
    }
    groups_out(&t, groups->begin, groups->end);
}

static void in_some(void *arg, size_t begin, size_t end, int worker) {
    (void)worker;
    groups_in(arg, begin, end);
}

static void out_some(void *arg, size_t begin, size_t end, int worker) {
    (void)worker;
    groups_out(arg, begin, end);
}

/* Items are (point, block of panels, block of rows). */
static void products_some(void *arg, size_t begin, size_t end, int worker) {
    const tiles *t = arg;
    const kz_mm_cut *cut = &t->cut;
    const size_t n_panel = kz_round16(t->conv->n_ch) / KZ_PANEL, a_point = cut->n_panel_block * cut->n_row_block;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const kz_mm mm = point_mm(t, i / a_point);
        const size_t p = i % a_point / cut->n_row_block * cut->panel_block, r = i % cut->n_row_block * cut->row_block;
        t->k->mm[t->conv->lin.type](&mm, p, min_size(p + cut->panel_block, n_panel), r,
                                    min_size(r + cut->row_block, t->n_tile));
    }
}

void kz_winograd_run(const kz_ctx *ctx, const kz_winograd *conv, float *y, const float *x, size_t n_row,
                     size_t frame_row, float *scratch) {
    const kz_groups all = {frame_row, 0, kz_winograd_count(conv, n_row, frame_row)};
    tiles t = tiles_of(ctx->k, conv, y, x, &all, scratch);
    t.cut = kz_mm_cuts(ctx->pool, kz_round16(conv->n_ch) / KZ_PANEL, t.n_tile);
    const size_t some = all.end / (4 * (size_t)kz_pool_width(ctx->pool)) + 1;
    kz_pool_run(ctx->pool, all.end, some, in_some, &t);
    kz_pool_run(ctx->pool, N_POINT * t.cut.n_panel_block * t.cut.n_row_block, 1, products_some, &t);
    kz_pool_run(ctx->pool, all.end, some, out_some, &t);
}
