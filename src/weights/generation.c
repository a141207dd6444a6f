/* generation.c: generation_config.json.  SPDX-License-Identifier: Apache-2.0 */
#include "weights/config.h"
#include "weights/settings.h"

/* What the official program does without the file or a key. */
static const kz_generation_config defaults = {.do_sample = true,
                                              .sub_do_sample = true,
                                              .temperature = 0.9f,
                                              .top_p = 1,
                                              .repetition_penalty = 1.05f,
                                              .sub_temperature = 0.9f,
                                              .sub_top_p = 1,
                                              .top_k = 50,
                                              .sub_top_k = 50,
                                              .max_new_tokens = 2048};

enum { MAX_TOP_K = 1 << 30, MAX_TOKENS = 1 << 20 };

/* A temperature of 0 divides by zero when sampling; without sampling it isn't used. */
static kztts_status read_temperature(const kz_settings *s, const char *key, bool sample, float *out) {
    return kz_settings_float(s, key, sample ? 1e-6 : 0, 100, KZ_OPTIONAL, out);
}

static kztts_status read(const kz_settings *s, kz_generation_config *g) {
    KZ_TRY(kz_settings_bool(s, "do_sample", KZ_OPTIONAL, &g->do_sample));
    KZ_TRY(kz_settings_bool(s, "subtalker_dosample", KZ_OPTIONAL, &g->sub_do_sample));
    KZ_TRY(read_temperature(s, "temperature", g->do_sample, &g->temperature));
    KZ_TRY(read_temperature(s, "subtalker_temperature", g->sub_do_sample, &g->sub_temperature));
    KZ_TRY(kz_settings_int(s, "top_k", 0, MAX_TOP_K, KZ_OPTIONAL, &g->top_k));
    KZ_TRY(kz_settings_int(s, "subtalker_top_k", 0, MAX_TOP_K, KZ_OPTIONAL, &g->sub_top_k));
    KZ_TRY(kz_settings_float(s, "top_p", 0, 1, KZ_OPTIONAL, &g->top_p));
    KZ_TRY(kz_settings_float(s, "subtalker_top_p", 0, 1, KZ_OPTIONAL, &g->sub_top_p));
    KZ_TRY(kz_settings_float(s, "repetition_penalty", 1e-3, 1e3, KZ_OPTIONAL, &g->repetition_penalty));
    return kz_settings_int(s, "max_new_tokens", 1, MAX_TOKENS, KZ_OPTIONAL, &g->max_new_tokens);
}

kztts_status kz_generation_parse(kz_generation_config *out, const kz_text_file *file, kz_err *err) {
    const char *label = file->label ? file->label : "generation_config.json";
    cJSON *json;
    *out = defaults;
    if (!file->text)
        return KZTTS_OK;
    KZ_TRY(kz_json_parse(&json, file->text, file->n, KZ_JSON_SETTINGS, label, err));
    kztts_status status = read(&(kz_settings){.json = json, .file = label, .path = "", .err = err}, out);
    cJSON_Delete(json);
    return status;
}
