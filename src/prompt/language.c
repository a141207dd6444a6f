/* language.c: which language tag a request gets (specification 3.1).  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "prompt/prompt.h"

static bool is_dialect(const char *name) { return strstr(name, "dialect") != NULL; }

static kztts_status fail_language(const kz_config *cfg, const char *language, kz_err *err) {
    char near[256];
    kz_named_near(near, sizeof near, cfg->languages, cfg->n_language, language);
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
