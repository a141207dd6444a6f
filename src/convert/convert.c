/* convert.c: which kind of file, and refusing what would destroy something.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/collect.h"

typedef kztts_status (*writer)(const kz_model *m, const kz_collected *collected, const char *source, const char *target,
                               const kz_convert *o, kz_err *err);

static const struct {
    const char *ending;
    writer write;
} kinds[] = {{".kztts", kz_convert_prepared}, {".gguf", kz_convert_gguf}};

static writer find_writer(const char *target) {
    size_t n = strlen(target);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t m = strlen(kinds[i].ending);
        if (n > m && strcmp(target + n - m, kinds[i].ending) == 0)
            return kinds[i].write;
    }
    return NULL;
}

static kztts_status check_names(const char *source, const char *target, bool overwrite, kz_err *err) {
    if (!find_writer(target))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: the ending of the name tells the kind of file: .kztts or .gguf",
                       target);
    if (kz_file_same(source, target))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: source and target are the same file; choose another name",
                       target);
    if (kz_file_exists(target) && !overwrite) /* known before the work, not after it */
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: is there already; allow overwriting or choose another name",
                       target);
    return KZTTS_OK;
}

kztts_status kz_convert_run(const char *source, const char *target, const kz_convert *c, kz_err *err) {
    kz_collected collected = {0};
    kz_model_options options = c->model;
    kz_model m;
    KZ_TRY(check_names(source, target, c->overwrite, err));
    options.on_panels = kz_collect;
    options.on_panels_user = &collected;
    kztts_status status = kz_model_open(&m, source, &options, err);
    if (status >= 0) {
        status = find_writer(target)(&m, &collected, source, target, c, err);
        kz_model_close(&m);
    }
    kz_collected_free(&collected);
    return status;
}
