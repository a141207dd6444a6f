/* prepared.c: an opened model as the contents of a prepared file.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "convert/collect.h"
#include "convert/texts.h"
#include "kztts/version.h"
#include "voice/voice.h"

enum { FILE_LIMIT = 16 << 20, HASH_TEXT = 80 };

/* The model's other files; what has no star must be there. */
static const char *const file_names[] = {
    "config.json",           "speech_tokenizer/config.json", "vocab.json", "merges.txt",
    "tokenizer_config.json", "*generation_config.json",      "*NOTICE",    "*LICENSE"};
enum { N_FILE = sizeof file_names / sizeof *file_names };

typedef struct contents {
    const kz_model *m;
    const char *source;
    kz_texts texts;
    const kz_collected *collected;
    kz_tensor *tensors;
    size_t n, cap;
    float **widened; /* tables of a GGUF file that were quantised */
    size_t n_widened;
    char *text[N_FILE], name[N_FILE][64];
    kz_err *err;
} contents;

static kztts_status add(contents *c, const kz_tensor *t) {
    if (c->n == c->cap) {
        size_t cap = c->cap ? 2 * c->cap : 256;
        kz_tensor *grown = kz_alloc(cap, sizeof *grown);
        if (!grown)
            return kz_fail_memory(c->err, cap * sizeof *grown, "the list of tensors");
        if (c->n)
            memcpy(grown, c->tensors, c->n * sizeof *grown);
        kz_free(c->tensors);
        c->tensors = grown;
        c->cap = cap;
    }
    c->tensors[c->n++] = *t;
    return KZTTS_OK;
}

/* ---- tensors as they are stored ---------------------------------------------------------------------------- */

typedef struct finite_job {
    const kz_tensor *t;
    bool *bad; /* a flag a worker */
} finite_job;

enum { CHUNK = 1024 };

static void check_some(void *arg, size_t begin, size_t end, int worker) {
    const finite_job *job = arg;
    const kz_tensor *t = job->t;
    float values[CHUNK];
    size_t size = t->n_byte / t->n_elem;
    for (size_t i = begin; i < end; i++) {
        size_t at = i * CHUNK, n = t->n_elem - at < CHUNK ? t->n_elem - at : CHUNK;
        float sum = 0;
        kz_to_f32(values, t->data + at * size, (kz_dtype)t->type, n);
        for (size_t k = 0; k < n; k++)
            sum += values[k] * 0.0F; /* not 0 only where a value isn't finite */
        if (!(sum == 0.0F))
            job->bad[worker] = true;
    }
}

static kztts_status check_finite(const contents *c, const kz_tensor *t) {
    bool bad[256] = {false};
    if (t->type > KZ_F16 || !t->n_elem)
        return KZTTS_OK;
    kz_pool_run(c->m->pool, (t->n_elem + CHUNK - 1) / CHUNK, 64, check_some, &(finite_job){t, bad});
    for (int i = 0; i < kz_pool_threads(c->m->pool); i++)
        if (bad[i])
            return kz_fail(c->err, KZTTS_ERROR_FORMAT,
                           "tensor %s holds a value that is not a finite number; the file is damaged", t->name);
    return KZTTS_OK;
}

/* The codec's encoder serves base models alone; what fills gaps and other files is made anew. */
static bool is_wanted(const contents *c, const kz_tensor *t) {
    bool encoder = strncmp(t->name, "encoder.", 8) == 0 || strncmp(t->name, "speaker_encoder.", 16) == 0;
    if (encoder && c->m->cfg.type != KZ_MODEL_BASE)
        return false;
    if (strncmp(t->name, "pad.", 4) == 0 || strncmp(t->name, KZ_PREPARED_FILE, sizeof KZ_PREPARED_FILE - 1) == 0)
        return false;
    return t->type != KZ_OTHER && !kz_is_panels(t) && !kz_collected_has(c->collected, t->name);
}

typedef struct widen_job {
    const kz_tensor *from;
    float *to;
    size_t n_row;
} widen_job;

static void widen_rows(void *arg, size_t begin, size_t end, int worker) {
    const widen_job *job = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        kz_stored_to_f32(job->to + i * job->n_row, job->from->data + i * kz_stored_bytes(job->from->type, job->n_row),
                         job->from->type, job->n_row);
}

/* What is looked up by rows is read as floats from any file: as floats it says the same here. */
static kztts_status widen(contents *c, kz_tensor *t) {
    size_t n_row = t->n_dim ? t->shape[t->n_dim - 1] : 0;
    if (!n_row || !t->n_elem)
        return KZTTS_OK;
    float *to = kz_alloc(t->n_elem, sizeof *to);
    if (!to)
        return kz_fail_memory(c->err, t->n_elem * sizeof *to, t->name);
    c->widened[c->n_widened++] = to;
    kz_pool_run(c->m->pool, t->n_elem / n_row, 64, widen_rows, &(widen_job){t, to, n_row});
    t->type = KZ_F32;
    t->n_byte = t->n_elem * sizeof *to;
    t->data = (const unsigned char *)to;
    return KZTTS_OK;
}

static kztts_status add_stored(contents *c, const kz_weights *w) {
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        kz_tensor t = *kz_weights_at(w, i);
        if (!is_wanted(c, &t))
            continue;
        if (kz_is_block(t.type) || (t.type >= KZ_Q8 && t.type < KZ_DTYPES))
            KZ_TRY(widen(c, &t));
        KZ_TRY(check_finite(c, &t));
        KZ_TRY(add(c, &t));
    }
    return KZTTS_OK;
}

/* ---- other files ------------------------------------------------------------------------------------------- */

static kztts_status add_files(contents *c) {
    for (int i = 0; i < N_FILE; i++) {
        bool optional = file_names[i][0] == '*';
        const char *name = file_names[i] + optional;
        size_t n = 0;
        KZ_TRY(kz_texts_get(&c->texts, name, &c->text[i], &n, c->err));
        if (!c->text[i] && !optional)
            return kz_fail(c->err, KZTTS_ERROR_NOT_FOUND, "%s: no %s", c->source, name);
        if (!c->text[i])
            continue;
        (void)snprintf(c->name[i], sizeof c->name[i], KZ_PREPARED_FILE "%s", name);
        KZ_TRY(add(c, &(kz_tensor){.name = c->name[i],
                                   .type = KZ_U8,
                                   .n_dim = 1,
                                   .shape = {n},
                                   .n_elem = n,
                                   .n_byte = n,
                                   .data = (const unsigned char *)c->text[i]}));
    }
    return KZTTS_OK;
}

/* ---- what the file tells of itself ------------------------------------------------------------------------- */

typedef struct facts {
    char quant[KZ_COLLECTED_TEXT], source[HASH_TEXT], codec[HASH_TEXT], parameters[24];
} facts;

/* Of what a prepared file was made is passed on. */
static kztts_status hash_source(char out[HASH_TEXT], const contents *c, const kz_weights *w, const char *key) {
    const char *known = kz_weights_meta(c->m->weights, key);
    if (!kz_weights_prepared(c->m->weights))
        return kz_voice_hash_tensors(out, w, "", c->m->pool, c->err);
    (void)snprintf(out, HASH_TEXT, "%.64s", known ? known : "");
    return KZTTS_OK;
}

static kztts_status find_facts(facts *f, const contents *c) {
    kz_collected_types(f->quant, c->collected);
    (void)snprintf(f->parameters, sizeof f->parameters, "%llu", (unsigned long long)kz_model_parameters(c->m));
    KZ_TRY(hash_source(f->source, c, c->m->weights, "source_sha256"));
    return hash_source(f->codec, c, c->m->codec_weights, "codec_source_sha256");
}

static kztts_status write_contents(const contents *c, const char *target, const kz_convert *o) {
    facts f;
    KZ_TRY(find_facts(&f, c));
    const kz_meta meta[] = {{"engine", "kztts " KZTTS_VERSION_STRING},
                            {"quant", f.quant},
                            {"rounding", kz_collected_rounding(c->collected)},
                            {"parameters", f.parameters},
                            {"source_sha256", f.source},
                            {"codec_source_sha256", f.codec}};
    const kz_prepared p = {c->tensors, c->n, meta, sizeof meta / sizeof *meta};
    return kz_prepared_write(target, &p, o->overwrite, c->m->pool, &o->progress, c->err);
}

static kztts_status fill(contents *c) {
    size_t n = kz_weights_count(c->m->weights) + kz_weights_count(c->m->codec_weights);
    c->widened = kz_alloc(n, sizeof *c->widened);
    if (!c->widened)
        return kz_fail_memory(c->err, n * sizeof *c->widened, "the list of tables");
    for (size_t i = 0; i < c->collected->n; i++)
        KZ_TRY(add(c, &c->collected->panels[i]));
    KZ_TRY(add_stored(c, c->m->weights));
    if (c->m->codec_weights != c->m->weights)
        KZ_TRY(add_stored(c, c->m->codec_weights));
    return add_files(c);
}

kztts_status kz_convert_prepared(const kz_model *m, const kz_collected *collected, const char *source,
                                 const char *target, const kz_convert *o, kz_err *err) {
    contents c = {.m = m, .source = source, .collected = collected, .err = err};
    KZ_TRY(kz_texts_open(&c.texts, m, source, o->model.codec, err));
    kztts_status status = fill(&c);
    if (status == KZTTS_OK)
        status = write_contents(&c, target, o);
    for (int i = 0; i < N_FILE; i++)
        kz_free(c.text[i]);
    for (size_t i = 0; i < c.n_widened; i++)
        kz_free(c.widened[i]);
    kz_free(c.widened);
    kz_free(c.tensors);
    kz_texts_close(&c.texts);
    return status;
}
