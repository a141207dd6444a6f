/* verify_text.c: both models on one text.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "signals.h"
#include "verify.h"

enum { FRAMES = 250 }; /* at most, unless the user says otherwise: 20 s of the released models */

typedef struct speech {
    int32_t *codes;
    float *pcm;
    size_t n_frame, n_code, cap;
    size_t n_pcm, cap_pcm;
    bool ended; /* the model ended it */
    bool no_memory;
} speech;

/* A's scores while both get the same codes. */
typedef struct lesson {
    kz_verify *v;
    const int32_t *codes; /* A's: [n_frame][n_group] */
    size_t n_frame;
    float *scores;  /* [frame][width] */
    size_t width;   /* scores of a frame, all groups */
    size_t n_first; /* of the first group */
    size_t n_other; /* of each other */
    int32_t end;    /* what A would take behind its last frame */
    bool second, no_memory;
} lesson;

static bool grow(void **p, size_t *cap, size_t need, size_t size) {
    size_t more = *cap ? *cap : 256;
    if (need <= *cap)
        return true;
    while (more < need)
        more *= 2;
    void *grown = realloc(*p, more * size);
    if (!grown)
        return false;
    *p = grown;
    *cap = more;
    return true;
}

/* ---- speaking ---------------------------------------------------------------------------------------------- */

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    speech *s = user;
    void *p = s->codes;
    (void)frame;
    s->n_code = (size_t)n_code;
    if (!grow(&p, &s->cap, (s->n_frame + 1) * s->n_code, sizeof *codes)) {
        s->no_memory = true;
        return;
    }
    s->codes = p;
    memcpy(s->codes + s->n_frame++ * s->n_code, codes, s->n_code * sizeof *codes);
}

int kz_verify_limit(const kz_verify *v, int which) {
    const int given = v->args->value[KZ_OPT_MAX_FRAMES].integer, most = v->model[which].info.max_frames,
              limit = given ? given : FRAMES;
    return limit < most ? limit : most;
}

/* One utterance: a text cut into several has several prompts, of which a trace would know none. */
static void set_options(kztts_stream_options *o, const kz_verify *v, int which) {
    const kz_value *value = v->args->value;
    kztts_stream_options_init(o, sizeof *o);
    if (value[KZ_OPT_LANGUAGE].text)
        o->language = kz_cli_language(v->model[which].model, value[KZ_OPT_LANGUAGE].text);
    o->seed = v->voice[0].has_seed && !value[KZ_OPT_SEED].given ? v->voice[0].seed : value[KZ_OPT_SEED].seed;
    o->max_frames = kz_verify_limit(v, which);
    o->split = KZTTS_SPLIT_OFF;
    if (value[KZ_OPT_GREEDY].flag)
        o->sample = o->sub_sample = 0;
}

static kztts_status read_all(kztts_stream *stream, speech *s) {
    enum { PIECE = 4096 };
    kztts_status status = KZTTS_OK;
    while (status == KZTTS_OK && !kz_signals_seen()) {
        void *p = s->pcm;
        size_t n = 0;
        if (!grow(&p, &s->cap_pcm, s->n_pcm + PIECE, sizeof *s->pcm))
            return KZTTS_ERROR_MEMORY;
        s->pcm = p;
        status = kztts_stream_read(stream, s->pcm + s->n_pcm, PIECE, &n);
        s->n_pcm += n;
    }
    return status < 0 ? status : KZTTS_OK;
}

static int speak(kz_verify *v, int which, const char *text, speech *s) {
    kztts_stream *stream = NULL;
    kztts_stream_options o;
    kztts_summary summary = {.size = sizeof summary};
    set_options(&o, v, which);
    o.on_frame = on_frame;
    o.on_frame_user = s;
    kztts_status status = kztts_stream_open(&stream, v->model[which].model, v->voice[which].voice, &o);
    kz_signals_cancel(stream);
    if (status >= 0)
        status = kztts_stream_put(stream, text, strlen(text));
    if (status >= 0)
        status = kztts_stream_finish(stream);
    if (status >= 0)
        status = read_all(stream, s);
    if (status >= 0)
        status = kztts_stream_get_summary(stream, &summary);
    s->ended = summary.finish == KZTTS_FINISH_EOS;
    if (s->no_memory)
        status = KZTTS_ERROR_MEMORY;
    int code = status < 0 ? kz_cli_fail_status(status, stream ? kztts_stream_message(stream) : NULL) : KZ_GO_ON;
    kz_signals_cancel(NULL);
    kztts_stream_close(&stream);
    return code;
}

/* ---- the same codes for both ------------------------------------------------------------------------------- */

static float *place(const lesson *l, uint64_t frame, int group) {
    return l->scores + (size_t)frame * l->width + (group ? l->n_first + (size_t)(group - 1) * l->n_other : 0);
}

static int on_scores(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen) {
    lesson *l = user;
    kz_verify *v = l->v;
    const size_t i = (size_t)frame * (size_t)v->n_group + (size_t)group;
    const bool at_end = frame == l->n_frame;
    if (!l->second) {
        memcpy(place(l, frame, group), scores, (size_t)n * sizeof *scores);
        l->end = chosen;
    } else if (at_end) {
        v->n_end++;
        v->end_equal += l->end == chosen;
    } else {
        kz_agreement_add(&v->group[group], place(l, frame, group), scores, n, l->codes[i] == chosen);
    }
    return kz_signals_seen();
}

/* Group widths, from the first frame. */
static int on_widths(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen) {
    lesson *l = user;
    (void)frame;
    (void)scores;
    (void)chosen;
    *(group ? &l->n_other : &l->n_first) = (size_t)n;
    return group > 0;
}

static int trace(kz_verify *v, int which, const char *text, const speech *s, kztts_trace_fn fn, lesson *l) {
    char message[512] = "";
    kztts_stream_options o;
    set_options(&o, v, which);
    kztts_trace_request r = {
        .size = sizeof r, .text = text, .options = &o, .codes = s->codes, .n_frame = s->n_frame, .fn = fn, .user = l};
    kztts_status status = kztts_model_trace(v->model[which].model, v->voice[which].voice, &r, message, sizeof message);
    return status < 0 ? kz_cli_fail_status(status, message) : KZ_GO_ON;
}

static int teach(kz_verify *v, const char *text, const speech *s) {
    lesson l = {.v = v, .codes = s->codes, .n_frame = s->n_frame};
    int code = trace(v, 0, text, s, on_widths, &l);
    if (code != KZ_GO_ON)
        return code;
    l.width = l.n_first + (size_t)(v->n_group - 1) * l.n_other;
    l.scores = calloc((s->n_frame + 1) * l.width, sizeof *l.scores);
    if (!l.scores)
        code = kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the scores of %zu frames", s->n_frame);
    else
        code = trace(v, 0, text, s, on_scores, &l);
    l.second = true;
    if (code == KZ_GO_ON)
        code = trace(v, 1, text, s, on_scores, &l);
    free(l.scores);
    return code;
}

/* ---- sound ------------------------------------------------------------------------------------------------- */

static void add_noise(kz_sound_error *e, const speech *s, const float *y, size_t n_y) {
    const size_t n_x = s->n_pcm, n = n_x > n_y ? n_x : n_y;
    for (size_t i = 0; i < n; i++) {
        const double a = i < n_x ? (double)s->pcm[i] : 0, b = i < n_y ? (double)y[i] : 0;
        e->signal += a * a;
        e->noise += (a - b) * (a - b);
    }
    e->missing += n_x > n_y ? n_x - n_y : n_y - n_x;
    e->n_text++;
}

static void add_mel(kz_mel_sum *m, const speech *a, const speech *b, int rate) {
    bool cut;
    double d = kz_mel_distance(a->pcm, a->n_pcm, b->pcm, b->n_pcm, rate, &cut);
    if (d < 0)
        return;
    m->sum += d;
    m->n_text++;
    m->n_cut_text += cut;
}

static int compare_codecs(kz_verify *v, const speech *a) {
    size_t frame = (size_t)v->model[0].info.frame_samples, n = a->n_frame * frame;
    if (!v->decoder || !a->n_frame)
        return KZ_GO_ON;
    float *pcm = calloc(n, sizeof *pcm);
    if (!pcm)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the sound");
    kztts_decoder_restart(v->decoder);
    kztts_status status = kztts_decoder_run(v->decoder, a->codes, a->n_frame, pcm);
    if (status >= 0)
        add_noise(&v->codec, a, pcm, n);
    free(pcm);
    return status < 0 ? kz_cli_fail_status(status, kztts_decoder_message(v->decoder)) : KZ_GO_ON;
}

static void compare_free(kz_verify *v, const speech *a, const speech *b) {
    size_t least = a->n_frame < b->n_frame ? a->n_frame : b->n_frame, same = 0;
    while (same < least &&
           memcmp(a->codes + same * a->n_code, b->codes + same * a->n_code, a->n_code * sizeof *a->codes) == 0)
        same++;
    bool all = same == a->n_frame && same == b->n_frame;
    v->frames[0] += a->n_frame;
    v->frames[1] += b->n_frame;
    v->n_same += all;
    v->first_sum += same;
    if (!v->n_text || same < v->first_min)
        v->first_min = same;
    v->n_cut[0] += !a->ended;
    v->n_cut[1] += !b->ended;
    add_noise(&v->free, a, b->pcm, b->n_pcm);
    add_mel(&v->mel, a, b, v->model[0].info.sample_rate);
}

int kz_verify_text(kz_verify *v, const char *text) {
    speech a = {0}, b = {0};
    int code = speak(v, 0, text, &a);
    if (code == KZ_GO_ON && a.n_frame)
        code = teach(v, text, &a);
    if (code == KZ_GO_ON)
        code = compare_codecs(v, &a);
    if (code == KZ_GO_ON)
        code = speak(v, 1, text, &b);
    if (code == KZ_GO_ON && !kz_signals_seen()) {
        compare_free(v, &a, &b);
        v->n_text++;
    }
    free(a.codes);
    free(a.pcm);
    free(b.codes);
    free(b.pcm);
    return code;
}
