/* cmd_verify.c: `kztts verify`: checksums of a prepared file, or how far two models agree.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli.h"
#include "progress.h"
#include "signals.h"

int kz_cmd_verify(const kz_args *args);

static int on_progress(void *user, uint64_t done, uint64_t total) {
    kz_progress_bytes(user, done, total);
    return kz_signals_seen();
}

static int verify_file(const kz_args *args, const char *path) {
    char message[512] = "", what[] = "reading";
    bool quiet = args->value[KZ_OPT_QUIET].flag;
    kz_signals_install();
    kz_signals_graceful();
    kz_progress_begin(quiet, 0);
    kztts_status status = kztts_check_file(path, on_progress, what, message, sizeof message);
    kz_progress_end();
    if (status == KZTTS_END)
        return 128 + kz_signals_seen();
    if (status < 0)
        return kz_cli_fail_status(status, message);
    if (!quiet)
        kz_cli_line("ok %s: all checksums are right", path);
    return KZ_EXIT_OK;
}

int kz_cmd_verify(const kz_args *args) {
    if (args->n_word == 1)
        return verify_file(args, args->words[0]);
    return kz_cli_usage(args->command, "a prepared file, or two models to compare");
}
