/* progress.c: how far the speech is, on standard error.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { BAR = 30 };

/* There is one standard error, so there is one progress line. */
static struct {
    bool active, terminal, drawn;
    double start, last, total_s;
} state;

static bool capable_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && (!term || strcmp(term, "dumb") != 0);
}

void kz_progress_begin(bool quiet, double total_s) {
    state.active = !quiet;
    state.terminal = capable_terminal();
    state.drawn = false;
    state.start = kz_cli_now();
    state.last = state.terminal ? state.start - 1 : state.start; /* a bar appears with the first frame */
    state.total_s = total_s;
}

/* Length known: filled up to where we are. Not known: one mark a second, going round. */
static void draw_bar(char *bar, double audio_s) {
    memset(bar, '.', BAR);
    bar[BAR] = '\0';
    if (state.total_s > 0) {
        double part = audio_s / state.total_s;
        memset(bar, '#', part < 1 ? (size_t)(part * (double)BAR) : BAR);
    } else {
        bar[(unsigned long long)audio_s % BAR] = '#';
    }
}

void kz_progress_update(double audio_s) {
    double now = kz_cli_now();
    if (!state.active || now - state.last < (state.terminal ? 0.1 : 10.0))
        return;
    state.last = now;
    double rtf = audio_s > 0 ? (now - state.start) / audio_s : 0;
    if (state.terminal) {
        char bar[BAR + 1];
        draw_bar(bar, audio_s);
        fprintf(stderr, "\r[%s] %.1f s of audio, rtf %.2f ", bar, audio_s, rtf);
        state.drawn = true;
    } else {
        fprintf(stderr, "kztts: %.1f s of audio, rtf %.2f\n", audio_s, rtf);
    }
}

void kz_progress_bytes(const char *what, uint64_t done, uint64_t total) {
    double now = kz_cli_now(), part = total ? (double)done / (double)total : 1;
    if (!state.active || now - state.last < (state.terminal ? 0.1 : 10.0))
        return;
    state.last = now;
    if (state.terminal) {
        char bar[BAR + 1];
        memset(bar, '.', BAR);
        memset(bar, '#', (size_t)(part * (double)BAR));
        bar[BAR] = '\0';
        fprintf(stderr, "\r[%s] %s, %.0f %% of %.0f MiB ", bar, what, 100 * part, (double)total / 1048576);
        state.drawn = true;
    } else {
        fprintf(stderr, "kztts: %s, %.0f %% of %.0f MiB\n", what, 100 * part, (double)total / 1048576);
    }
}

void kz_progress_clear(void) {
    if (state.drawn)
        fprintf(stderr, "\r%*s\r", BAR + 40, "");
    state.drawn = false;
}

void kz_progress_end(void) {
    kz_progress_clear();
    state.active = false;
}
