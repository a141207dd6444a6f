/* signals.c: Ctrl-C and termination.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "signals.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A handler can only reach globals. */
static volatile sig_atomic_t seen, graceful;
enum { N_REMOVE = 8, PATIENCE_S = 1 };

static const char *volatile to_remove[N_REMOVE];
static kztts_stream *volatile speaking;

/* Handlers run on the main thread alone: the others block signals. */
static void cancel(int sig) {
    (void)sig;
    kztts_stream_cancel(speaking); /* an atomic store */
}

static void handle(int sig) {
    if (graceful && !seen) {
        seen = sig;
        alarm(PATIENCE_S);
        return;
    }
    for (int i = 0; i < N_REMOVE; i++)
        if (to_remove[i])
            unlink(to_remove[i]);
    _exit(128 + sig);
}

static void install(int sig, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(sig, &action, NULL);
}

static void install_ending(int sig) {
    struct sigaction old;
    if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        install(sig, handle);
}

void kz_signals_install(void) {
    install_ending(SIGINT);
    install_ending(SIGTERM);
    install_ending(SIGHUP);
    install(SIGALRM, cancel);
}

void kz_signals_remove(const char *path) {
    int i = 0;
    while (i < N_REMOVE && to_remove[i])
        i++;
    if (i < N_REMOVE)
        to_remove[i] = path;
}

void kz_signals_keep(void) {
    for (int i = 0; i < N_REMOVE; i++)
        to_remove[i] = NULL;
}

void kz_signals_graceful(void) { graceful = 1; }

void kz_signals_cancel(kztts_stream *stream) { speaking = stream; }

int kz_signals_seen(void) { return seen; }
