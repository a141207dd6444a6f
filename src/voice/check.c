/* check.c: what makes a voice whole, and whether a model can speak with it.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "voice/internal.h"
#include "weights/json.h"

static bool says(const kz_voice_file *f, kz_voice_key key) { return f->text[key] && *f->text[key]; }

/* ---- by itself ------------------------------------------------------------------------------------------------- */

static kztts_status check_vector(const kz_voice_file *f, const char *label, kz_err *err) {
    bool silent = true;
    if (f->d_model < 1 || f->d_model > KZ_VOICE_MAX_WIDTH)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: the speaker vector has %zu numbers; expected 1 to %d", label,
                       f->d_model, KZ_VOICE_MAX_WIDTH);
    for (size_t i = 0; i < f->d_model; i++) {
        if (!(f->x_vector[i] >= -1e6F && f->x_vector[i] <= 1e6F))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: number %zu of the speaker vector isn't usable: %g", label, i,
                           (double)f->x_vector[i]);
        silent = silent && f->x_vector[i] == 0;
    }
    return silent ? kz_fail(err, KZTTS_ERROR_FORMAT, "%s: the speaker vector is all zero", label) : KZTTS_OK;
}

static kztts_status check_codes(const kz_voice_file *f, const char *label, kz_err *err) {
    kz_code most = (kz_code)(f->codebook_size ? f->codebook_size : KZ_VOICE_MAX_CODES);
    const char *missing = !f->x_vector                  ? "a speaker vector"
                          : !says(f, KZ_VOICE_REF_TEXT) ? "ref_text, the words of the recording"
                                                        : NULL;
    if (missing)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: codes of a recording need %s", label, missing);
    if (f->n_ref < 1 || f->n_ref > KZ_VOICE_MAX_FRAMES || f->n_code < 1 || f->n_code > KZ_MAX_CODE)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: the recording has %zu frames of %zu codes; expected 1 to %d of 1 to %d", label, f->n_ref,
                       f->n_code, KZ_VOICE_MAX_FRAMES, KZ_MAX_CODE);
    for (size_t i = 0; i < f->n_ref * f->n_code; i++)
        if (f->ref_code[i] < 0 || f->ref_code[i] >= most)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: frame %zu, group %zu: code %ld isn't from 0 to %ld", label,
                           i / f->n_code, i % f->n_code, (long)f->ref_code[i], (long)most - 1);
    return KZTTS_OK;
}

kztts_status kz_voice_file_check(const kz_voice_file *f, const char *label, kz_err *err) {
    if (!f->x_vector && !says(f, KZ_VOICE_DESCRIPTION))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: neither a speaker vector nor a description is there", label);
    if (f->has_seed && !says(f, KZ_VOICE_DESCRIPTION))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: seed: it belongs to a description, and there is none", label);
    if (!says(f, KZ_VOICE_FAMILY))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: family is missing; expected the models' family, such as %s", label,
                       KZ_VOICE_FAMILY_NAME);
    if (f->x_vector)
        KZ_TRY(check_vector(f, label, err));
    return f->ref_code ? check_codes(f, label, err) : KZTTS_OK;
}

/* ---- against a model ------------------------------------------------------------------------------------------- */

/* "0b6" as people write it: "0.6B". Others as they are. */
static kz_shown show_size(const char *size) {
    kz_shown shown = kz_show(size);
    size_t whole = strspn(size, "0123456789"), part = size[whole] == 'b' ? strspn(size + whole + 1, "0123456789") : 0;
    if (whole && part && whole + 1 + part == strlen(size) && whole + part < 12)
        (void)snprintf(shown.s, sizeof shown.s, "%.*s.%sB", (int)whole, size, size + whole + 1);
    return shown;
}

static kztts_status fail_width(const kz_voice_file *f, const kz_config *cfg, const char *label, kz_err *err) {
    const char *size = f->text[KZ_VOICE_MODEL_SIZE];
    kz_shown own = show_size(cfg->size);
    if (!size)
        return kz_fail(err, KZTTS_ERROR_VOICE, "%s: made for a model %zu wide, this one is %s (%zu wide)", label,
                       f->d_model, own.s, cfg->talker.d_model);
    return kz_fail(err, KZTTS_ERROR_VOICE, "%s: made for the %s model (%zu wide), this one is %s (%zu wide)", label,
                   show_size(size).s, f->d_model, own.s, cfg->talker.d_model);
}

static kztts_status fit_codes(const kz_voice_file *f, const kz_config *cfg, const char *label, kz_err *err) {
    if (f->n_code != cfg->n_code)
        return kz_fail(err, KZTTS_ERROR_VOICE, "%s: its recording has %zu codes a frame, this model has %zu", label,
                       f->n_code, cfg->n_code);
    if (f->codebook_size && f->codebook_size != cfg->codec.codebook_size)
        return kz_fail(err, KZTTS_ERROR_VOICE, "%s: made with a codec of %zu codes, this model's has %zu", label,
                       f->codebook_size, cfg->codec.codebook_size);
    for (size_t i = 0; i < f->n_ref * f->n_code; i++)
        if ((size_t)f->ref_code[i] >= cfg->codec.codebook_size)
            return kz_fail(err, KZTTS_ERROR_VOICE,
                           "%s: frame %zu, group %zu: code %ld; this model's codec has 0 to %zu", label, i / f->n_code,
                           i % f->n_code, (long)f->ref_code[i], cfg->codec.codebook_size - 1);
    return KZTTS_OK;
}

static kztts_status fit_base(const kz_voice_file *f, const kz_config *cfg, const char *label, kz_err *err) {
    if (!f->x_vector)
        return kz_fail(err, KZTTS_ERROR_VOICE,
                       "%s: a voice by description alone; a voice_design checkpoint speaks with it, this one is base",
                       label);
    if (f->d_model != cfg->talker.d_model)
        return fail_width(f, cfg, label, err);
    return f->ref_code ? fit_codes(f, cfg, label, err) : KZTTS_OK;
}

kztts_status kz_voice_file_fit(const kz_voice_file *f, const kz_config *cfg, const char *path, kz_err *err) {
    const char *family = f->text[KZ_VOICE_FAMILY];
    kz_shown shown = kz_show_path(path);
    const char *label = shown.s;
    if (!family || strcmp(family, KZ_VOICE_FAMILY_NAME) != 0)
        return kz_fail(err, KZTTS_ERROR_VOICE, "%s: made for models of the family %s, this one is of %s", label,
                       kz_show(family ? family : "?").s, KZ_VOICE_FAMILY_NAME);
    if (cfg->type == KZ_MODEL_BASE)
        return fit_base(f, cfg, label, err);
    if (cfg->type == KZ_MODEL_CUSTOM_VOICE)
        return kz_fail(err, KZTTS_ERROR_VOICE,
                       "%s: this checkpoint (custom_voice) speaks with its presets only; a base checkpoint speaks with "
                       "cloned voices, a voice_design one with described ones",
                       label);
    if (!says(f, KZ_VOICE_DESCRIPTION))
        return kz_fail(err, KZTTS_ERROR_VOICE,
                       "%s: a cloned voice; a base checkpoint speaks with it, this one is voice_design", label);
    return KZTTS_OK;
}
