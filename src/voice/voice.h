/* voice.h: voices as files: .kzvoice and the forms of other engines.  SPDX-License-Identifier: Apache-2.0
 *
 * in         bytes of unknown origin
 * out        a checked kz_voice_file; bytes to be written
 * state      none
 * threads    any
 * memory     fresh memory, freed with kz_voice_file_free or kz_free
 *
 * docs/formats.md describes the forms. */
#ifndef KZ_VOICE_H
#define KZ_VOICE_H

#include "base/base.h"
#include "flow.h"
#include "hash/hash.h"
#include "weights/weights.h"

#define KZ_VOICE_FORMAT_NAME "kzvoice/1"
#define KZ_VOICE_JSON_NAME "kzvoice-json/1"
#define KZ_VOICE_FAMILY_NAME "qwen3-tts-12hz"

enum {
    KZ_VOICE_MAX_FRAMES = 4096,   /* of the recording; 60 s have 750 */
    KZ_VOICE_MAX_WIDTH = 1 << 14, /* of the speaker vector */
    KZ_VOICE_MAX_CODES = 1 << 20, /* codes are below this whatever the model */
    KZ_VOICE_MAX_BYTES = 4 << 20, /* of a file */
    KZ_VOICE_TEXT_BYTES = 16384,  /* of a transcript or a description */
    KZ_VOICE_MAX_VALUES = 300000  /* in a JSON file or a pickle */
};

/* What a file says, by its keys. */
typedef enum kz_voice_key {
    KZ_VOICE_FORMAT,
    KZ_VOICE_NAME,
    KZ_VOICE_LANGUAGE,
    KZ_VOICE_FAMILY,
    KZ_VOICE_MODEL_TYPE,
    KZ_VOICE_MODEL_SIZE,
    KZ_VOICE_D_MODEL,
    KZ_VOICE_CODE_GROUPS,
    KZ_VOICE_CODEBOOK_SIZE,
    KZ_VOICE_SPEAKER_SHA256,
    KZ_VOICE_CODEC_SHA256,
    KZ_VOICE_X_VECTOR_ONLY,
    KZ_VOICE_REF_TEXT,
    KZ_VOICE_DESCRIPTION,
    KZ_VOICE_SEED,
    KZ_VOICE_SOURCE,
    KZ_VOICE_SOURCE_SHA256,
    KZ_VOICE_CONSENT,
    KZ_VOICE_CONSENT_DATE,
    KZ_VOICE_LICENCE,
    KZ_VOICE_ENGINE,
    KZ_VOICE_CREATED,
    KZ_VOICE_KEYS
} kz_voice_key;

/* A voice outside of any model. It has a vector (a clone), a description, or both (a designed voice that was cloned);
 * ref_code only beside a vector and a ref_text. */
typedef struct kz_voice_file {
    const char *text[KZ_VOICE_KEYS]; /* UTF-8, NULL = not said; always NULL for what is in the members below */
    char *strings;                   /* what text points into after reading */
    size_t d_model;
    float *x_vector; /* [d_model] or NULL; finite, not all zero */
    size_t n_ref, n_code;
    size_t codebook_size; /* codes are below it; 0 = not known */
    kz_code *ref_code;    /* [n_ref, n_code] or NULL */
    bool has_seed;
    uint64_t seed; /* of a described voice */
} kz_voice_file;

void kz_voice_file_free(kz_voice_file *f);

/* ---- reading: FORMAT with a sentence; on failure *out is empty ------------------------------------------------- */

/* A .kzvoice file. NOT_FOUND, FORMAT, MEMORY. */
kztts_status kz_voice_file_read(kz_voice_file *out, const char *path, kz_err *err);
kztts_status kz_voice_file_parse(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err);

/* Another engine's form, known by the ending; ARGUMENT for others. which: in a file of several voices the name of one
 * (.gguf) or its number from 1 (.pt); NULL where there is one. Family, source and its hash are set where the file
 * doesn't tell. docs/formats.md has the layouts. */
kztts_status kz_voice_import(kz_voice_file *out, const char *path, const char *which, kz_err *err);

/* The same of bytes in memory. */
kztts_status kz_voice_import_json(kz_voice_file *out, const char *text, size_t n, const char *label, kz_err *err);
kztts_status kz_voice_import_raw(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err);
kztts_status kz_voice_import_qvoice(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err);
kztts_status kz_voice_import_torch(kz_voice_file *out, const void *data, size_t n, const char *which, const char *label,
                                   kz_err *err);

kztts_status kz_voice_import_gguf(kz_voice_file *out, const void *data, size_t n, const char *which, const char *label,
                                  kz_err *err);

/* A .spk file with what lies beside it under the same name: .rvq and .txt, NULL where there is none. */
typedef struct kz_voice_pair {
    const void *vector, *code, *text;
    size_t n_vector, n_code, n_text; /* bytes */
} kz_voice_pair;
kztts_status kz_voice_import_pair(kz_voice_file *out, const kz_voice_pair *pair, const char *label, kz_err *err);

/* Whether the model can speak with it: VOICE with a sentence otherwise. path: the file, for messages. */
kztts_status kz_voice_file_fit(const kz_voice_file *f, const kz_config *cfg, const char *path, kz_err *err);

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* The bytes of a file, in fresh memory. Equal voices give equal bytes. VOICE when it couldn't be read again. */
kztts_status kz_voice_file_encode(const kz_voice_file *f, char **out, size_t *n, kz_err *err);
kztts_status kz_voice_json_encode(const kz_voice_file *f, char **out, size_t *n, kz_err *err);

/* Whether a value (valid UTF-8) may stand under a key; if not, *expected says in words what may, *limit is the most
 * bytes. */
bool kz_voice_text_check(kz_voice_key key, const char *value, const char **expected, size_t *limit);
const char *kz_voice_key_name(kz_voice_key key);

/* ---- hashes --------------------------------------------------------------------------------------------------- */

/* SHA-256 over all tensors whose name begins with prefix, in the order of their names: name, type, shape and the SHA-256
 * of the bytes of each (docs/formats.md). An empty text when there are none. MEMORY. */
kztts_status kz_voice_hash_tensors(char hex[KZ_HASH_TEXT], const kz_weights *w, const char *prefix, kz_pool *pool,
                                   kz_err *err);

#endif
