/* model_path.c: which model directory to use when none, or only a name, is given.  SPDX-License-Identifier: Apache-2.0
 *
 * Voice folders, in order: share/kztts/voices beside the executable's folder (installed), `voices` in the executable's
 * folder and up to three levels above it (build tree), KZTTS_DATA_DIR/voices (compiled in). */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#ifndef KZTTS_DATA_DIR
#define KZTTS_DATA_DIR "/usr/local/share/kztts"
#endif

#define DEFAULT_MODEL "kazeia-mini"

enum { N_FOLDER = 6, PATH_SIZE = 4096 };

/* Folder of the running executable, "" when it can't be told. */
static void executable_folder(char *out, size_t size) {
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    out[n > 0 ? (size_t)n : 0] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
}

/* The i-th voice folder; false when it can't be told or is too long. */
static bool voice_folder(int i, char *out, size_t size) {
    static const char *const from_exe[N_FOLDER - 1] = {"../share/kztts/voices", "voices", "../voices", "../../voices",
                                                       "../../../voices"};
    char exe[PATH_SIZE];
    int n;
    if (i == N_FOLDER - 1) {
        n = snprintf(out, size, "%s/voices", KZTTS_DATA_DIR);
    } else {
        executable_folder(exe, sizeof exe);
        if (!*exe)
            return false;
        n = snprintf(out, size, "%s/%s", exe, from_exe[i]);
    }
    return n > 0 && (size_t)n < size;
}

/* A checkpoint's folder, or a prepared file. */
static bool is_model(const char *folder, const char *name, char *out, size_t size) {
    char config[PATH_SIZE];
    struct stat st;
    int k = snprintf(out, size, "%s/%s.kztts", folder, name);
    if (k > 0 && (size_t)k < size && stat(out, &st) == 0)
        return true;
    int n = snprintf(out, size, "%s/%s", folder, name);
    int m = snprintf(config, sizeof config, "%s/%s/config.json", folder, name);
    return n > 0 && (size_t)n < size && m > 0 && (size_t)m < sizeof config && stat(config, &st) == 0;
}

static bool find_model(const char *name, char *out, size_t size) {
    char folder[PATH_SIZE];
    for (int i = 0; i < N_FOLDER; i++)
        if (voice_folder(i, folder, sizeof folder) && is_model(folder, name, out, size))
            return true;
    return false;
}

static int not_found(const char *name, bool asked) {
    char exe[PATH_SIZE];
    executable_folder(exe, sizeof exe);
    if (asked)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND,
                           "no model '%s': there is no such directory, and no such model in the voices folders "
                           "(%s/../share/kztts/voices, `voices` up to three levels above the program, %s/voices)",
                           name, exe, KZTTS_DATA_DIR);
    return kz_cli_fail(
        KZ_EXIT_NOT_FOUND,
        "no model: -m and KZTTS_MODEL are not given, and the default model '%s' is neither in "
        "%s/../share/kztts/voices, nor in a folder `voices` up to three levels above the program, nor in "
        "%s/voices; give a model directory with -m",
        name, exe, KZTTS_DATA_DIR);
}

static int copy(char **to, const char *from) {
    size_t n = strlen(from) + 1;
    *to = malloc(n);
    if (!*to)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    memcpy(*to, from, n);
    return KZ_GO_ON;
}

int kz_cli_model_path(const kz_args *args, char **path) {
    return kz_cli_model_path_of(args->value[KZ_OPT_MODEL].text, path);
}

int kz_cli_model_path_of(const char *asked, char **path) {
    char found[PATH_SIZE];
    struct stat st;
    *path = NULL;
    if (asked && (strchr(asked, '/') || stat(asked, &st) == 0))
        return copy(path, asked);
    if (find_model(asked ? asked : DEFAULT_MODEL, found, sizeof found))
        return copy(path, found);
    return not_found(asked ? asked : DEFAULT_MODEL, asked != NULL);
}

void kz_cli_model_options(const kz_args *args, kztts_model_options *options) {
    kztts_model_options_init(options, sizeof *options);
    options->threads = args->value[KZ_OPT_THREADS].integer;
    options->codec_threads = args->value[KZ_OPT_CODEC_THREADS].integer;
    options->cpu = args->value[KZ_OPT_CPU].text;
    options->predictor_cpu = args->predictor_cpu;
    options->quant = args->value[KZ_OPT_QUANT].text;
    options->codec = args->value[KZ_OPT_CODEC].text;
    options->log = kz_cli_log;
    options->log_user = (void *)(uintptr_t)&args->value[KZ_OPT_QUIET].flag;
}
