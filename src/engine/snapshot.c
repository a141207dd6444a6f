/* snapshot.c: what a cloned voice's recording leaves behind, kept in a file: the codec's state after it, and the
 * talker's keys and values of the prompt rows that don't depend on the text.  SPDX-License-Identifier: Apache-2.0
 *
 * A safetensors file for this machine alone, made again whenever it doesn't fit: it names the engine's version, samples
 * of the weights, and the voice itself, all compared in full. It can only save time: bits are those of a fresh start. */
#include <stdio.h>
#include <string.h>

#include "engine/stream.h"

enum { N_PART = 6, HEADER_ROOM = 4096, SAMPLE = 64, KEEP_MAX = 64 << 20 };

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

static void make_key(char *key, size_t n, const kz_model *m) {
    uint64_t hash = sample_weights(sample_weights(0xCBF29CE484222325U, m->weights), m->codec_weights);
    (void)snprintf(key, n, "kztts %s weights %016llx %s", KZTTS_VERSION_STRING, (unsigned long long)hash,
                   kz_dtype_name(m->talker.stack.layers[0].qkv.type)); /* they may have been quantised at opening */
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

static size_t part_bytes(const part *p) { return p->n * (p->is_bytes ? 1 : 4); }

/* The header, padded with spaces to whole words. Returns its length, 0 when it doesn't fit. */
static size_t make_header(char *out, size_t room, const char *key, const part *parts) {
    int at = snprintf(out, room, "{\"__metadata__\":{\"format\":\"kzsnapshot/1\",\"key\":\"%s\"}", key);
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

/* The whole file, or NULL. */
static kz_snapshot_block *join_parts(const char *key, const part *parts) {
    char header[HEADER_ROOM];
    size_t n_header = make_header(header, sizeof header, key, parts), n = sizeof(uint64_t) + n_header, at;
    for (size_t i = 0; i < N_PART; i++)
        n += part_bytes(&parts[i]);
    kz_snapshot_block *block = n_header ? kz_alloc(sizeof *block + n, 1) : NULL;
    if (!block)
        return NULL;
    unsigned char *file = block->data;
    block->n = n;
    for (size_t i = 0; i < sizeof(uint64_t); i++)
        file[i] = (unsigned char)((uint64_t)n_header >> 8 * i);
    memcpy(file + sizeof(uint64_t), header, n_header);
    at = sizeof(uint64_t) + n_header;
    for (size_t i = 0; i < N_PART; i++) {
        memcpy(file + at, parts[i].data, part_bytes(&parts[i]));
        at += part_bytes(&parts[i]);
    }
    return block;
}

/* Keys and values of n rows, and the codec's bytes, in one block. */
typedef struct copies {
    float *k, *v;
    unsigned char *codec;
    size_t n_cache, n_codec;
} copies;

static size_t cache_values(const kz_stack_config *c, size_t n_row) { return c->n_layer * c->n_kv * n_row * c->d_head; }

static bool make_copies(copies *c, const kz_stream *s, size_t n_row) {
    const kz_stack *stack = &s->model->talker.stack;
    c->n_cache = cache_values(&stack->cfg, n_row);
    c->n_codec = kz_decoder_state_size(s->primed);
    c->k = kz_alloc(2 * c->n_cache * sizeof *c->k + c->n_codec, 1);
    if (!c->k)
        return false;
    c->v = c->k + c->n_cache;
    c->codec = (unsigned char *)(c->v + c->n_cache);
    kz_stack_cache_out(stack, &s->talker.stack, n_row, c->k, c->v);
    kz_decoder_state_out(s->primed, c->codec);
    return true;
}

static kz_snapshot_block *make_block(const kz_stream *s) {
    const kz_model *m = s->model;
    const kz_voice *v = s->voice;
    size_t n_row = s->prompt.n_fixed, d = m->cfg.talker.d_model;
    char key[128];
    copies c;
    if (!make_copies(&c, s, n_row))
        return NULL;
    make_key(key, sizeof key, m);
    part parts[N_PART] = {{"x_vector", false, false, d, v->x_vector},
                          {"ref_codes", false, true, v->n_ref * m->cfg.n_code, v->ref_code},
                          {"rows", false, false, n_row * d, s->prompt.rows},
                          {"keys", false, false, c.n_cache, c.k},
                          {"values", false, false, c.n_cache, c.v},
                          {"codec", true, false, c.n_codec, c.codec}};
    kz_snapshot_block *block = join_parts(key, parts);
    kz_free(c.k);
    return block;
}

kztts_status kz_snapshot_write(const kz_stream *s, const char *path, kz_err *err) {
    kz_snapshot_block *block = make_block(s);
    if (!block)
        return kz_fail_memory(err, s->prompt.n_fixed * s->prompt.d_model, "a voice's snapshot");
    kztts_status status = kz_file_write(path, block->data, block->n, true, err);
    kz_free(block);
    return status;
}

void kz_snapshot_keep(const kz_stream *s) {
    kz_snapshot_block *none = NULL;
    size_t n_cache = cache_values(&s->model->talker.stack.cfg, s->prompt.n_fixed);
    if (n_cache > KEEP_MAX / (2 * sizeof(float)))
        return;
    kz_snapshot_block *block = make_block(s);
    if (block && !atomic_compare_exchange_strong(&s->voice->memory->block, &none, block))
        kz_free(block);
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
    return format && made_for && strcmp(format, "kzsnapshot/1") == 0 && strcmp(made_for, key) == 0 &&
           same(find(w, "x_vector", KZ_F32), s->voice->x_vector, s->model->cfg.talker.d_model * sizeof(float)) &&
           same(find(w, "ref_codes", KZ_I32), s->voice->ref_code, n_code * sizeof(kz_code));
}

/* Copies of unaligned file data into the state. */
static bool take_cache(kz_stream *s, const kz_tensor *k, const kz_tensor *v, size_t n_row) {
    const kz_stack *stack = &s->model->talker.stack;
    size_t n = cache_values(&stack->cfg, n_row);
    if (!k || !v || k->n_elem != n || v->n_elem != n)
        return false;
    float *copy = kz_alloc(2 * n, sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, k->data, n * sizeof *copy);
    memcpy(copy + n, v->data, n * sizeof *copy);
    kz_stack_cache_in(stack, &s->talker.stack, n_row, copy, copy + n);
    kz_free(copy);
    return true;
}

/* Prompt rows that begin the one at hand bring their keys and values along. */
static void read_cache(kz_stream *s, const kz_weights *w) {
    const kz_tensor *rows = find(w, "rows", KZ_F32);
    size_t n_row = s->prompt.n_fixed, n_byte = n_row * s->model->cfg.talker.d_model * sizeof(float);
    if (s->n_ready < n_row && n_row < s->prompt.n_row && same(rows, s->prompt.rows, n_byte) &&
        take_cache(s, find(w, "keys", KZ_F32), find(w, "values", KZ_F32), n_row))
        s->n_ready = n_row;
}

static bool take_parts(kz_stream *s, const kz_weights *w) {
    const kz_tensor *codec = find(w, "codec", KZ_U8);
    if (!codec || codec->n_byte != kz_decoder_state_size(s->primed) || !kz_decoder_state_in(s->primed, codec->data))
        return false;
    read_cache(s, w);
    return true;
}

bool kz_snapshot_read(kz_stream *s, const char *path) {
    kz_weights *w = NULL;
    kz_err ignored;
    if (!kz_file_exists(path) || kz_weights_open_file(&w, path, &ignored) < 0)
        return false;
    bool ok = is_ours(w, s) && take_parts(s, w);
    kz_weights_close(w);
    return ok;
}

bool kz_snapshot_recall(kz_stream *s) {
    const kz_snapshot_block *block = atomic_load(&s->voice->memory->block);
    kz_weights *w = NULL;
    kz_err ignored;
    if (!block || kz_weights_open_memory(&w, block->data, block->n, "a voice's snapshot", &ignored) < 0)
        return false;
    bool ok = take_parts(s, w);
    kz_weights_close(w);
    return ok;
}
