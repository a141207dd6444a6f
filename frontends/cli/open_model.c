/* open_model.c: opening a model for commands that only look at it.  SPDX-License-Identifier: Apache-2.0 */
#include "open_model.h"

#include <stdlib.h>
#include <string.h>

int kz_cli_open_model(const kz_args *args, kz_opened *opened) {
    memset(opened, 0, sizeof *opened);
    if (args->n_word > 0)
        return kz_cli_usage(args->command, "'%s' is too much; a model is named with -m", args->words[0]);
    return kz_cli_open_model_at(args, args->value[KZ_OPT_MODEL].text, true, opened);
}

int kz_cli_open_model_at(const kz_args *args, const char *asked, bool log, kz_opened *opened) {
    kztts_model_options options;
    memset(opened, 0, sizeof *opened);
    int code = kz_cli_model_path_of(asked, &opened->path);
    if (code != KZ_GO_ON)
        return code;
    kz_cli_model_options(args, &options);
    if (!log)
        options.log = NULL;
    kztts_status status = kztts_model_open(&opened->model, opened->path, &options);
    if (status < 0)
        return kz_cli_fail_status(status, opened->model ? kztts_model_message(opened->model) : NULL);
    opened->info.size = sizeof opened->info;
    status = kztts_model_get_info(opened->model, &opened->info);
    return status < 0 ? kz_cli_fail_status(status, NULL) : KZ_GO_ON;
}

void kz_cli_close_model(kz_opened *opened) {
    kztts_model_close(&opened->model);
    free(opened->path);
    opened->path = NULL;
}
