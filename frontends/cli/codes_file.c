/* codes_file.c: the codes of `say --codes`: a line a frame, numbers separated by a blank.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "signals.h"

static int file_error(const kz_codes_file *file, int error) {
    return kz_cli_fail(KZ_EXIT_FAILED, "can't write '%s': %s", file->name, strerror(error));
}

int kz_codes_file_open(kz_codes_file *file, const kz_args *args, const kz_output *sound) {
    const char *path = args->value[KZ_OPT_CODES].text;
    memset(file, 0, sizeof *file);
    file->out.fd = -1;
    if (!path)
        return KZ_GO_ON;
    bool to_stdout = strcmp(path, "-") == 0;
    file->name = to_stdout ? "standard output" : path;
    if (to_stdout && sound->sink.out.is_stdout)
        return kz_cli_fail(KZ_EXIT_USAGE, "sound and codes can't both go to standard output: name a file with -o");
    int error = kz_outfile_open(&file->out, to_stdout ? NULL : path);
    if (error)
        return file_error(file, error);
    file->open = true;
    if (file->out.created)
        kz_signals_remove(path);
    return KZ_GO_ON;
}

void kz_codes_file_start(kz_codes_file *file) {
    if (file->open && !file->started)
        file->error = kz_outfile_start(&file->out);
    file->started = true;
}

void kz_codes_file_write(kz_codes_file *file, const int32_t *codes, int n_code) {
    char line[4096];
    size_t n = 0;
    kz_codes_file_start(file);
    for (int i = 0; i < n_code && !file->error; i++) {
        n += (size_t)snprintf(line + n, sizeof line - n, "%ld%c", (long)codes[i], i + 1 < n_code ? ' ' : '\n');
        if (n + 16 > sizeof line || i + 1 == n_code) {
            file->error = kz_outfile_write(&file->out, line, n);
            n = 0;
        }
    }
}

int kz_codes_file_close(kz_codes_file *file, bool keep) {
    if (!file->open)
        return KZ_GO_ON;
    file->open = false;
    int error = kz_outfile_close(&file->out, keep && !file->error);
    if (file->error && file->error != EPIPE)
        return file_error(file, file->error);
    return error ? file_error(file, error) : KZ_GO_ON;
}
