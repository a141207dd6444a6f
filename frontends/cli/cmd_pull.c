/* cmd_pull.c: `kztts pull`: a model of the hub into the cache.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "hub_use.h"

int kz_cmd_pull(const kz_args *args);

int kz_cmd_pull(const kz_args *args) {
    kz_hub hub;
    kz_hub_repo repo;
    char folder[KZ_HUB_PATH];
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one model at a time" : "pull which model?");
    int code = kz_cli_hub_open(args, &hub);
    if (code != KZ_GO_ON)
        return code;
    kztts_status status = kz_hub_parse(&hub, args->words[0], &repo);
    if (status >= 0 && *repo.quant)
        return kz_cli_usage(args->command, "'%s': pull takes --include '*%s*' instead of :%s", args->words[0],
                            repo.quant, repo.quant);
    if (status >= 0)
        status = kz_hub_pull(&hub, &repo, args->value[KZ_OPT_INCLUDE].text, folder);
    if (status < 0)
        return kz_cli_hub_failed(&hub, status);
    puts(folder);
    return kz_cli_flush();
}
