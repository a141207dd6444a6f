/* file.c: reading .kzvoice.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

void kz_voice_file_free(kz_voice_file *f) {
    kz_free(f->strings);
    kz_free(f->x_vector);
    kz_free(f->ref_code);
    *f = (kz_voice_file){0};
}

static kztts_status check_format(const kz_weights *w, const char *label, kz_err *err) {
    static const char kin[] = "kzvoice/";
    const char *format = kz_weights_meta(w, "format");
    if (!format || strncmp(format, kin, sizeof kin - 1) != 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not a voice file: its metadata has no format %s", label,
                       KZ_VOICE_FORMAT_NAME);
    if (strcmp(format, KZ_VOICE_FORMAT_NAME) != 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: a voice file of format %s; this version reads %s", label,
                       kz_show(format).s, KZ_VOICE_FORMAT_NAME);
    return KZTTS_OK;
}

static kztts_status read_texts(kz_voice_file *f, kz_voice_fields *fields, const kz_weights *w) {
    const char *key, *value;
    for (size_t i = 0; kz_weights_meta_at(w, i, &key, &value); i++)
        KZ_TRY(kz_voice_fields_put(fields, key, value));
    return kz_voice_fields_finish(f, fields);
}

static kztts_status read_vector(kz_voice_file *f, const kz_weights *w, const char *label, kz_err *err) {
    const kz_tensor *t = kz_weights_find(w, "spk_embedding");
    if (!t)
        return KZTTS_OK;
    if (t->n_dim != 1 || t->shape[0] != f->d_model || !t->shape[0])
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: spk_embedding: expected one dimension of d_model (%zu) numbers, found %d of %zu elements",
                       label, f->d_model, t->n_dim, t->n_elem);
    return kz_weights_copy(&f->x_vector, w, t->name, 1, t->shape, err);
}

static int64_t code_at(const kz_tensor *t, size_t i) {
    size_t size = t->type == KZ_I64 ? 8 : 4;
    uint64_t value = 0;
    for (size_t k = 0; k < size; k++)
        value |= (uint64_t)t->data[i * size + k] << (8 * k);
    return size == 8 ? (int64_t)value : (int32_t)(uint32_t)value;
}

static kztts_status read_codes(kz_voice_file *f, const kz_weights *w, const char *label, kz_err *err) {
    const kz_tensor *t = kz_weights_find(w, "ref_codes");
    if (!t)
        return KZTTS_OK;
    if ((t->type != KZ_I32 && t->type != KZ_I64) || t->n_dim != 2 || t->shape[1] != f->n_code || !f->n_code)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: ref_codes: expected integers (I32 or I64) of shape [frames, code_groups = %zu]", label,
                       f->n_code);
    if (t->shape[0] < 1 || t->shape[0] > KZ_VOICE_MAX_FRAMES)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: ref_codes: %zu frames; expected 1 to %d", label, t->shape[0],
                       KZ_VOICE_MAX_FRAMES);
    if (!f->codebook_size)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: codebook_size is missing; ref_codes need it", label);
    if (!(f->ref_code = kz_alloc(t->n_elem, sizeof *f->ref_code)))
        return kz_fail_memory(err, t->n_elem * sizeof *f->ref_code, "the codes of a recording");
    f->n_ref = t->shape[0];
    for (size_t i = 0; i < t->n_elem; i++) {
        int64_t code = code_at(t, i);
        f->ref_code[i] = code < 0 || code > INT32_MAX ? -1 : (kz_code)code; /* -1 is refused with its place */
    }
    return KZTTS_OK;
}

/* x_vector_only is written for other readers; here it may only agree with what is there. */
static kztts_status check_flag(const kz_voice_file *f, const kz_voice_fields *fields) {
    const char *flag = fields->value[KZ_VOICE_X_VECTOR_ONLY];
    if (!flag || !f->x_vector || (strcmp(flag, "true") == 0) == !f->ref_code)
        return KZTTS_OK;
    return kz_fail(fields->err, KZTTS_ERROR_FORMAT, "%s: x_vector_only is %s, but ref_codes %s", fields->label, flag,
                   f->ref_code ? "are there" : "are missing");
}

static kztts_status read_all(kz_voice_file *f, const kz_weights *w, const char *label, kz_err *err) {
    kz_voice_fields fields = {.label = label, .err = err};
    KZ_TRY(check_format(w, label, err));
    KZ_TRY(read_texts(f, &fields, w));
    KZ_TRY(read_vector(f, w, label, err));
    KZ_TRY(read_codes(f, w, label, err));
    KZ_TRY(check_flag(f, &fields));
    return kz_voice_file_check(f, label, err);
}

kztts_status kz_voice_file_parse(kz_voice_file *out, const void *data, size_t n, const char *label, kz_err *err) {
    kz_weights *w;
    *out = (kz_voice_file){0};
    KZ_TRY(kz_weights_open_memory(&w, data, n, label, err));
    kztts_status status = read_all(out, w, label, err);
    kz_weights_close(w);
    if (status < 0)
        kz_voice_file_free(out);
    return status;
}

/* Read, not mapped: a file that is cut short meanwhile would end the program. */
kztts_status kz_voice_file_read(kz_voice_file *out, const char *path, kz_err *err) {
    char *data;
    size_t n;
    *out = (kz_voice_file){0};
    KZ_TRY(kz_file_read(&data, &n, path, KZ_VOICE_MAX_BYTES, err));
    kztts_status status = kz_voice_file_parse(out, data, n, kz_show_path(path).s, err);
    kz_free(data);
    return status;
}
