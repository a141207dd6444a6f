/* message.c: what is said on standard error.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"

/* One line; control characters (of file names and texts in messages) don't reach the terminal. */
static void say(const char *head, const char *fmt, va_list list) {
    char line[2048];
    vsnprintf(line, sizeof line, fmt, list);
    for (char *p = line; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    kz_progress_clear();
    fprintf(stderr, "%s%s\n", head, line);
}

int kz_cli_fail(int exit_code, const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    say("kztts: ", fmt, list);
    va_end(list);
    return exit_code;
}

void kz_cli_note(bool quiet, const char *fmt, ...) {
    va_list list;
    if (quiet)
        return;
    va_start(list, fmt);
    say("kztts: note: ", fmt, list);
    va_end(list);
}

void kz_cli_line(const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    say("", fmt, list);
    va_end(list);
}

int kz_cli_fail_status(kztts_status status, const char *message) {
    int code = status < 0 ? -(int)status : KZ_EXIT_FAILED;
    return kz_cli_fail(code, "%s", message && *message ? message : kztts_status_text(status));
}

int kz_cli_usage(const kz_command *command, const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    say("kztts: ", fmt, list);
    va_end(list);
    fprintf(stderr, "usage: kztts %s %s   (kztts help %s explains it)\n", command->name, command->arguments,
            command->name);
    return KZ_EXIT_USAGE;
}

void kz_cli_log(void *user, kztts_log_level level, const char *message) {
    const bool *quiet = user;
    if (level <= KZTTS_LOG_WARNING)
        kz_cli_note(*quiet, "%s", message);
}

/* Whether standard output is a pipe that nobody reads; errno of an earlier failed write is lost by now. */
static bool reader_gone(void) {
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

int kz_cli_flush(void) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return KZ_EXIT_OK;
    if (errno == EPIPE || (failed && reader_gone()))
        return KZ_EXIT_OK;
    return kz_cli_fail(KZ_EXIT_FAILED, "can't write to standard output: %s", strerror(errno ? errno : EIO));
}

double kz_cli_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
