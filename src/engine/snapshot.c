/* snapshot.c: what a cloned voice's recording leaves behind, kept in a file: the codec's state after it, and the
 * talker's keys and values of the prompt rows that don't depend on the text.  SPDX-License-Identifier: Apache-2.0
 *
 * A safetensors file for this machine alone, made again whenever it doesn't fit: it names the engine's version, samples
 * of the weights, and the voice itself, all compared in full, and has checksums of the rest. It can only save time: bits are
 * those of a fresh start. */
#include <stdio.h>
#include <string.h>

#include "engine/stream.h"
#include "hash/hash.h"

enum { N_PART = 6, HEADER_ROOM = 4096, SAMPLE = 64, SUMS_ROOM = N_PART * KZ_SUM_DIGITS + 1 };

#define FORMAT "kzsnapshot/3"
static const char *const names[N_PART] = {"x_vector", "ref_codes", "rows", "keys", "values", "codec"};

typedef struct part {
    const char *name;
    bool is_bytes; /* U8, else F32 or (codes) I32 */
    bool is_codes;
    size_t n; /* values */
    const void *data;
} part;

/* ---- which weights ----------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001B3U; /* FNV-1a */
    return hash;
}

/* Names, shapes and the ends of every tensor: another checkpoint is noticed without reading gigabytes. */
static uint64_t sample_weights(uint64_t hash, const kz_weights *w) {
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        size_t n = t->n_byte < SAMPLE ? t->n_byte : SAMPLE;
        hash = mix(hash, t->name, strlen(t->name));
        hash = mix(hash, t->shape, sizeof t->shape);
        hash = mix(hash, t->data, n);
        hash = mix(hash, t->data + t->n_byte - n, n);
    }
    return hash;
}

static uint64_t model_hash(const kz_model *m) {
    return sample_weights(sample_weights(0xCBF29CE484222325U, m->weights), m->codec_weights);
}

uint64_t kz_model_fingerprint(const kz_model *m) {
    const kz_generation_config *g = &m->cfg.generation;
    double numbers[] = {(double)g->temperature,        (double)g->top_p,     (double)g->sub_temperature,
                        (double)g->sub_top_p,          (double)g->top_k,     (double)g->sub_top_k,
                        (double)g->repetition_penalty, (double)g->do_sample, (double)g->sub_do_sample,
                        (double)g->max_new_tokens};
    return mix(model_hash(m), numbers, sizeof numbers);
}

uint64_t kz_voice_fingerprint(const kz_heard *h) {
    const char *const words[] = {h->speaker, h->description, h->ref_text};
    uint64_t hash = 0xCBF29CE484222325U;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = mix(mix(hash, &i, sizeof i), words[i] ? words[i] : "", words[i] ? strlen(words[i]) : 0);
    if (h->x_vector)
        hash = mix(hash, h->x_vector, h->d_model * sizeof *h->x_vector);
    return h->ref_code ? mix(hash, h->ref_code, h->n_ref * h->n_code * sizeof *h->ref_code) : hash;
}

static void make_key(char *key, size_t n, const kz_model *m) {
    uint64_t hash = model_hash(m);
    (void)snprintf(key, n, "kztts %s weights %016llx %s", KZTTS_VERSION_STRING, (unsigned long long)hash,
                   kz_dtype_name(m->talker.stack.layers[0].qkv.type)); /* they may have been quantised at opening */
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

static size_t part_bytes(const part *p) { return p->n * (p->is_bytes ? 1 : 4); }

/* The header, padded with spaces to whole words. Returns its length, 0 when it doesn't fit. */
static size_t make_header(char *out, size_t room, const char *key, const part *parts) {
    char sums[SUMS_ROOM] = "";
    for (size_t i = 0; i < N_PART; i++)
        kz_sum_write(sums + i * KZ_SUM_DIGITS, kz_sum(parts[i].data, part_bytes(&parts[i])));
    int at =
        snprintf(out, room, "{\"__metadata__\":{\"format\":\"" FORMAT "\",\"key\":\"%s\",\"sums\":\"%s\"}", key, sums);
    size_t offset = 0;
    for (size_t i = 0; i < N_PART && at > 0 && (size_t)at < room; i++) {
        const char *type = parts[i].is_bytes ? "U8" : parts[i].is_codes ? "I32" : "F32";
        size_t end = offset + part_bytes(&parts[i]);
        at += snprintf(out + at, room - (size_t)at,
                       ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}", parts[i].name, type,
                       parts[i].n, offset, end);
        offset = end;
    }
    if (at <= 0 || (size_t)at + 8 >= room)
        return 0;
    out[at++] = '}';
    while (at % 8)
        out[at++] = ' ';
    return (size_t)at;
}

static kztts_status write_parts(const char *path, const char *key, const part *parts, kz_err *err) {
    char header[HEADER_ROOM];
    size_t n_header = make_header(header, sizeof header, key, parts), n = sizeof(uint64_t) + n_header, at;
    for (size_t i = 0; i < N_PART; i++)
        n += part_bytes(&parts[i]);
    unsigned char *file = n_header ? kz_alloc(n, 1) : NULL;
    if (!file)
        return kz_fail_memory(err, n, "a voice's snapshot");
    for (size_t i = 0; i < sizeof(uint64_t); i++)
        file[i] = (unsigned char)((uint64_t)n_header >> 8 * i);
    memcpy(file + sizeof(uint64_t), header, n_header);
    at = sizeof(uint64_t) + n_header;
    for (size_t i = 0; i < N_PART; i++) {
        memcpy(file + at, parts[i].data, part_bytes(&parts[i]));
        at += part_bytes(&parts[i]);
    }
    kztts_status status = kz_file_write(path, file, n, true, err);
    kz_free(file);
    return status;
}

kztts_status kz_snapshot_write(const kz_stream *s, const kz_prefix *prefix, const char *path, kz_err *err) {
    const kz_model *m = s->model;
    const kz_voice *v = s->voice;
    size_t d = m->cfg.talker.d_model, n_codec = kz_decoder_state_size(s->primed);
    const unsigned char *codec = kz_warm_codec(v->warm, n_codec);
    char key[128];
    if (!codec)
        return kz_fail_memory(err, n_codec, "a voice's snapshot");
    make_key(key, sizeof key, m);
    part parts[N_PART] = {{names[0], false, false, d, v->x_vector},
                          {names[1], false, true, v->n_ref * m->cfg.n_code, v->ref_code},
                          {names[2], false, false, prefix->n_row * d, prefix->rows},
                          {names[3], false, false, prefix->n_cache, prefix->k},
                          {names[4], false, false, prefix->n_cache, prefix->v},
                          {names[5], true, false, n_codec, codec}};
    return write_parts(path, key, parts, err);
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

/* The tensor of that name and type, or NULL. */
static const kz_tensor *find(const kz_weights *w, const char *name, int type) {
    const kz_tensor *t = kz_weights_find(w, name);
    return t && t->type == type ? t : NULL;
}

static bool same(const kz_tensor *t, const void *data, size_t n_byte) {
    return t && t->n_byte == n_byte && memcmp(t->data, data, n_byte) == 0;
}

static bool is_ours(const kz_weights *w, const kz_stream *s) {
    char key[128];
    const char *format = kz_weights_meta(w, "format"), *made_for = kz_weights_meta(w, "key");
    size_t n_code = s->voice->n_ref * s->model->cfg.n_code;
    make_key(key, sizeof key, s->model);
    return format && made_for && strcmp(format, FORMAT) == 0 && strcmp(made_for, key) == 0 &&
           same(find(w, "x_vector", KZ_F32), s->voice->x_vector, s->model->cfg.talker.d_model * sizeof(float)) &&
           same(find(w, "ref_codes", KZ_I32), s->voice->ref_code, n_code * sizeof(kz_code));
}

/* Whether all values are those that were written. */
static bool is_whole(const kz_weights *w) {
    char sum[KZ_SUM_DIGITS];
    const char *sums = kz_weights_meta(w, "sums");
    bool whole = sums && strlen(sums) == N_PART * KZ_SUM_DIGITS;
    for (size_t i = 0; whole && i < N_PART; i++) {
        const kz_tensor *t = kz_weights_find(w, names[i]);
        kz_sum_write(sum, t ? kz_sum(t->data, t->n_byte) : 0);
        whole = t && memcmp(sum, sums + i * KZ_SUM_DIGITS, sizeof sum) == 0;
    }
    return whole;
}

/* Prompt rows with their keys and values. */
static void read_prefix(const kz_stream *s, const kz_weights *w) {
    size_t d = s->model->cfg.talker.d_model;
    const kz_tensor *rows = find(w, "rows", KZ_F32), *k = find(w, "keys", KZ_F32), *v = find(w, "values", KZ_F32);
    if (!rows || !k || !v || !rows->n_elem || rows->n_elem % d || rows->n_elem / d > KZ_MAX_TEXT_TOKENS)
        return;
    kz_prefix *p = kz_prefix_new(s->model, rows->n_elem / d);
    if (!p)
        return;
    if (k->n_elem != p->n_cache || v->n_elem != p->n_cache) {
        kz_free(p);
        return;
    }
    memcpy(p->rows, rows->data, rows->n_byte);
    memcpy(p->k, k->data, k->n_byte);
    memcpy(p->v, v->data, v->n_byte);
    kz_warm_add(s->voice->warm, p, d);
}

/* The codec's state, once it has proved to be one. */
static bool read_codec(const kz_stream *s, const kz_tensor *codec) {
    if (!codec || codec->n_byte != kz_decoder_state_size(s->primed) || !kz_decoder_state_in(s->primed, codec->data))
        return false;
    return kz_warm_add_codec(s->voice->warm, codec->data, codec->n_byte, NULL) == KZTTS_OK;
}

/* The file, if it was made of this voice with this model; else NULL. */
static kz_weights *open_ours(const kz_stream *s, const char *path) {
    kz_weights *w = NULL;
    kz_err ignored;
    if (!s->voice->warm || !kz_file_exists(path) || kz_weights_open_file(&w, path, &ignored) < 0)
        return NULL;
    if (is_ours(w, s))
        return w;
    kz_weights_close(w);
    return NULL;
}

bool kz_snapshot_fits(const kz_stream *s, const char *path) {
    kz_weights *w = open_ours(s, path);
    bool fits = w != NULL;
    kz_weights_close(w);
    return fits;
}

bool kz_snapshot_read(const kz_stream *s, const char *path) {
    kz_weights *w = open_ours(s, path);
    bool ok = w && is_whole(w) && read_codec(s, find(w, "codec", KZ_U8));
    if (ok)
        read_prefix(s, w);
    kz_weights_close(w);
    return ok;
}
