/* collect.c: the list of a model's matrices.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "convert/collect.h"

/* What a voice file's hash of the codec is made of stays as it is stored: a few small matrices. */
static const char kept[] = "decoder.quantizer.";

static void *grow(void *old, size_t n, size_t *cap, size_t size) {
    size_t more = *cap ? 2 * *cap : 128;
    void *grown = kz_alloc(more, size);
    if (!grown)
        return NULL;
    if (n)
        memcpy(grown, old, n * size);
    kz_free(old);
    *cap = more;
    return grown;
}

static kztts_status add_part(kz_collected *c, const char *name, kz_err *err) {
    if (c->n_part == c->cap_part) {
        char **grown = grow(c->parts, c->n_part, &c->cap_part, sizeof *c->parts);
        if (!grown)
            return kz_fail_memory(err, c->cap_part * sizeof *c->parts, "the list of tensors");
        c->parts = grown;
    }
    if (!(c->parts[c->n_part] = kz_strndup(name, strlen(name))))
        return kz_fail_memory(err, strlen(name), "a name");
    c->n_part++;
    return KZTTS_OK;
}

static kztts_status make_room(kz_collected *c, kz_err *err) {
    size_t cap = c->cap;
    if (c->n < c->cap)
        return KZTTS_OK;
    kz_tensor *panels = grow(c->panels, c->n, &cap, sizeof *c->panels);
    if (!panels)
        return kz_fail_memory(err, cap * sizeof *c->panels, "the list of matrices");
    c->panels = panels;
    cap = c->cap;
    kz_dtype *types = grow(c->types, c->n, &cap, sizeof *c->types);
    if (!types)
        return kz_fail_memory(err, cap * sizeof *c->types, "the list of matrices");
    c->types = types;
    c->cap = cap;
    return KZTTS_OK;
}

kztts_status kz_collect(void *collected, const kz_panels *panels, kz_err *err) {
    kz_collected *c = collected;
    if (strncmp(panels->names[0], kept, sizeof kept - 1) == 0)
        return KZTTS_OK;
    KZ_TRY(make_room(c, err));
    kz_tensor t = kz_panels_tensor(panels);
    if (!t.name)
        return kz_fail_memory(err, strlen(panels->names[0]), "a name");
    c->types[c->n] = panels->type;
    c->panels[c->n++] = t;
    for (size_t i = 0; i < panels->n_name; i++)
        KZ_TRY(add_part(c, panels->names[i], err));
    return KZTTS_OK;
}

bool kz_collected_has(const kz_collected *c, const char *name) {
    for (size_t i = 0; i < c->n_part; i++)
        if (strcmp(c->parts[i], name) == 0)
            return true;
    return false;
}

void kz_collected_free(kz_collected *c) {
    for (size_t i = 0; i < c->n; i++)
        kz_free((void *)(uintptr_t)c->panels[i].name);
    for (size_t i = 0; i < c->n_part; i++)
        kz_free(c->parts[i]);
    kz_free(c->panels);
    kz_free(c->types);
    kz_free(c->parts);
    *c = (kz_collected){0};
}

/* ---- in words ---------------------------------------------------------------------------------------------- */

typedef enum group { TALKER, PREDICTOR, CODEC, GROUPS } group;

static group group_of(const char *name) {
    static const char predictor[] = "talker.code_predictor.", talker[] = "talker.";
    if (strncmp(name, predictor, sizeof predictor - 1) == 0)
        return PREDICTOR;
    return strncmp(name, talker, sizeof talker - 1) == 0 ? TALKER : CODEC;
}

void kz_collected_types(char out[KZ_COLLECTED_TEXT], const kz_collected *c) {
    static const char *const names[GROUPS] = {"talker=", ",predictor=", ",codec="};
    bool used[GROUPS][KZ_DTYPES] = {{false}};
    size_t at = 0;
    for (size_t i = 0; i < c->n; i++)
        used[group_of(c->panels[i].name)][c->types[i]] = true;
    for (int g = 0; g < GROUPS; g++) {
        const char *before = names[g];
        for (int type = 0; type < KZ_DTYPES; type++) {
            if (!used[g][type] || at >= KZ_COLLECTED_TEXT)
                continue;
            at += (size_t)snprintf(out + at, KZ_COLLECTED_TEXT - at, "%s%s", before, kz_dtype_name((kz_dtype)type));
            before = "+";
        }
    }
}

const char *kz_collected_rounding(const kz_collected *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->types[i] == KZ_Q4)
            return "least squared error";
    return "nearest";
}
