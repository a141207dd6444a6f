/* import_gguf.c: voice packs: GGUF files of several voices.  SPDX-License-Identifier: Apache-2.0
 *
 * Architecture qwen3tts.voicepack; the lists voicepack.names and voicepack.ref_texts; of each voice the tensors
 * voicepack.spk.NAME.embd (f32) and voicepack.code.NAME.codes (i32: 16 codes a frame). No other GGUF file is read here. */
#include <stdio.h>
#include <string.h>

#include "gguf/container.h"
#include "voice/importing.h"

enum { MAX_VOICES = 4096 };

typedef struct pack {
    kz_importing r;
    kz_gg_file file;
    kz_gg_string name; /* of the voice that is taken */
} pack;

static kztts_status fail(const pack *g, const char *what) {
    return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT, "%s: %s", g->r.fields.label, what);
}

/* ---- which voice ----------------------------------------------------------------------------------------------- */

/* The key's text, empty when there is none. */
static kz_gg_string text_of(const pack *g, const char *key) {
    kz_gg_string text = {"", 0};
    const kz_gg_value *v = kz_gg_find(&g->file, key);
    if (v)
        (void)kz_gg_text(v, &text);
    return text;
}

static kztts_status fail_choice(const pack *g, const kz_gg_value *list) {
    char names[200] = "";
    size_t at = 0;
    kz_gg_walk walk = {0};
    kz_gg_string name;
    while (at + 80 < sizeof names && kz_gg_next(list, &walk, &name)) {
        char begin[40] = "";
        memcpy(begin, name.s, name.n < sizeof begin ? name.n : sizeof begin - 1);
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", kz_show(begin).s);
    }
    return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT, "%s: it holds %llu voices; choose one by its name: %s",
                   g->r.fields.label, (unsigned long long)list->n, names);
}

static kztts_status choose(pack *g, const char *which) {
    const kz_gg_value *names = kz_gg_find(&g->file, "voicepack.names"),
                      *texts = kz_gg_find(&g->file, "voicepack.ref_texts");
    kz_gg_walk at_name = {0}, at_text = {0};
    kz_gg_string words, consent = text_of(g, "crispasr.voice.consent_attestation");
    if (!names || !texts || !names->n || names->n > MAX_VOICES || names->n != texts->n)
        return fail(g, "a voice pack without names, of more than 4096, or without a transcript for each");
    while (kz_gg_next(names, &at_name, &g->name) && kz_gg_next(texts, &at_text, &words)) {
        if (which ? !kz_gg_is(g->name, which) : names->n > 1)
            continue;
        KZ_TRY(kz_importing_text(&g->r, KZ_VOICE_NAME, g->name.s, g->name.n));
        KZ_TRY(kz_importing_text(&g->r, KZ_VOICE_CONSENT, consent.s, consent.n));
        return kz_importing_text(&g->r, KZ_VOICE_REF_TEXT, words.s, words.n);
    }
    return fail_choice(g, names);
}

/* ---- tensors --------------------------------------------------------------------------------------------------- */

/* The tensor PREFIX + name of the voice + ENDING, or NULL. */
static const kz_gg_tensor *find(const pack *g, const char *prefix, const char *ending) {
    size_t a = strlen(prefix), b = strlen(ending);
    for (size_t i = 0; i < g->file.n_tensor; i++) {
        kz_gg_string name = g->file.tensors[i].name;
        if (name.n == a + g->name.n + b && memcmp(name.s, prefix, a) == 0 &&
            memcmp(name.s + a, g->name.s, g->name.n) == 0 && memcmp(name.s + a + g->name.n, ending, b) == 0)
            return &g->file.tensors[i];
    }
    return NULL;
}

/* Rows and columns of a tensor of this type, within bounds; dimensions before these must be 1. */
static kztts_status get_shape(const pack *g, const kz_gg_tensor *t, int type, size_t max_row, size_t max_col,
                              const char *what, size_t *n_row, size_t *n_col) {
    *n_col = t ? t->shape[t->n_dim - 1] : 0;
    *n_row = t && t->n_dim > 1 ? t->shape[t->n_dim - 2] : 1;
    if (t && t->type == type && *n_row <= max_row && *n_col <= max_col && t->n_elem == *n_row * *n_col)
        return KZTTS_OK;
    return kz_fail(g->r.fields.err, KZTTS_ERROR_FORMAT,
                   "%s: %s of the voice: no such tensor, or of another type or shape", g->r.fields.label, what);
}

static kztts_status read_tensors(pack *g) {
    const kz_gg_tensor *vector = find(g, "voicepack.spk.", ".embd"), *codes = find(g, "voicepack.code.", ".codes");
    size_t n_row, n_col;
    KZ_TRY(get_shape(g, vector, KZ_F32, 1, KZ_VOICE_MAX_WIDTH, "the speaker vector", &n_row, &n_col));
    KZ_TRY(kz_importing_floats(&g->r, vector->data, n_col));
    if (!codes)
        return KZTTS_OK;
    KZ_TRY(get_shape(g, codes, KZ_I32, KZ_VOICE_MAX_FRAMES, KZ_MAX_CODE, "the codes", &n_row, &n_col));
    KZ_TRY(kz_importing_codes(&g->r, n_row, n_col));
    for (size_t i = 0; i < codes->n_elem; i++)
        g->r.f->ref_code[i] = (kz_code)(int32_t)(uint32_t)kz_little(codes->data + 4 * i, 4);
    return KZTTS_OK;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static kztts_status read_all(pack *g, const char *which) {
    if (!kz_gg_is(text_of(g, "general.architecture"), "qwen3tts.voicepack"))
        return fail(g, "a GGUF file, but no voice pack (architecture qwen3tts.voicepack)");
    KZ_TRY(choose(g, which));
    return read_tensors(g);
}

kztts_status kz_voice_import_gguf(kz_voice_file *out, const void *data, size_t n, const char *which, const char *label,
                                  kz_err *err) {
    pack g = {.name = {"", 0}};
    kz_importing_begin(&g.r, out, data, n, label, err);
    kztts_status status = kz_gg_file_memory(&g.file, data, n, label, err);
    if (status >= 0)
        status = read_all(&g, which);
    kz_gg_file_close(&g.file);
    return kz_importing_end(&g.r, status);
}
