/* language.c: which language tag a request gets (specification 3.1).  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "prompt/prompt.h"

static bool is_dialect(const char *name) { return strstr(name, "dialect") != NULL; }

static kztts_status fail_language(const kz_config *cfg, const char *language, kz_err *err) {
    kz_named_id offered[KZ_MAX_LIST];
    char near[256];
    size_t n = 0;
    for (size_t i = 0; i < cfg->n_language && n < KZ_MAX_LIST; i++)
        if (!is_dialect(cfg->languages[i].name))
            offered[n++] = cfg->languages[i];
    kz_named_near(near, sizeof near, offered, n, language);
    return kz_fail(err, KZTTS_ERROR_ARGUMENT, "unknown language \"%.60s\"; the model knows auto, %s", language, near);
}

kztts_status kz_prompt_language(int32_t *out, const kz_config *cfg, const char *language, const kz_named_id *speaker,
                                kz_err *err) {
    static const kz_named_id automatic = {.name = "auto"};
    bool chinese = false;
    *out = -1;
    if (language && !kz_named_find(&automatic, 1, language)) {
        const kz_named_id *found = kz_named_find(cfg->languages, cfg->n_language, language);
        if (!found || is_dialect(found->name))
            return fail_language(cfg, language, err);
        *out = found->id;
        chinese = strcmp(found->name, "chinese") == 0;
    }
    if ((*out < 0 || chinese) && speaker && speaker->dialect >= 0)
        *out = speaker->dialect;
    return KZTTS_OK;
}
