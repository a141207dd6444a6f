/* listener.c: ends a speech when nobody reads its sound any more.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "listener.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void *look(void *user) {
    kz_listener *listener = user;
    struct pollfd fds[2] = {{.fd = listener->out}, {.fd = listener->wake[0], .events = POLLIN}};
    int n;
    do
        n = poll(fds, 2, -1);
    while (n < 0 && errno == EINTR);
    if (n > 0 && (fds[0].revents & (POLLERR | POLLHUP)))
        kztts_stream_cancel(listener->stream);
    return NULL;
}

void kz_listener_watch(kz_listener *listener, int out, kztts_stream *stream) {
    listener->out = out;
    listener->stream = stream;
    if (pipe(listener->wake) != 0)
        return;
    sigset_t all, before; /* signals are the main thread's */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    listener->on = pthread_create(&listener->thread, NULL, look, listener) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (listener->on)
        return;
    close(listener->wake[0]);
    close(listener->wake[1]);
}

void kz_listener_leave(kz_listener *listener) {
    if (!listener->on)
        return;
    listener->on = false;
    close(listener->wake[1]); /* seen as a hangup */
    pthread_join(listener->thread, NULL);
    close(listener->wake[0]);
}
