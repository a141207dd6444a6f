/* signals.c: Ctrl-C and termination.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "signals.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A handler can only reach globals. */
static volatile sig_atomic_t seen, graceful;
enum { N_REMOVE = 8 };

static const char *volatile to_remove[N_REMOVE];

static void handle(int sig) {
    if (graceful && !seen) {
        seen = sig;
        return;
    }
    for (int i = 0; i < N_REMOVE; i++)
        if (to_remove[i])
            unlink(to_remove[i]);
    _exit(128 + sig);
}

static void install(int sig) {
    struct sigaction old, action;
    if (sigaction(sig, NULL, &old) != 0 || old.sa_handler == SIG_IGN)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(sig, &action, NULL);
}

void kz_signals_install(void) {
    install(SIGINT);
    install(SIGTERM);
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

int kz_signals_seen(void) { return seen; }
