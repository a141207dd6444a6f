/* watch.c: ends a speech when nobody reads its sound any more.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static void *look(void *user) {
    kz_watch *watch = user;
    struct pollfd fds[2] = {{.fd = watch->out}, {.fd = watch->wake[0], .events = POLLIN}};
    int n;
    do
        n = poll(fds, 2, -1);
    while (n < 0 && errno == EINTR);
    if (n > 0 && (fds[0].revents & (POLLERR | POLLHUP)))
        kztts_stream_cancel(watch->stream);
    return NULL;
}

void kz_watch_begin(kz_watch *watch, int out, kztts_stream *stream) {
    watch->out = out;
    watch->stream = stream;
    if (pipe(watch->wake) != 0)
        return;
    watch->on = pthread_create(&watch->thread, NULL, look, watch) == 0;
    if (watch->on)
        return;
    close(watch->wake[0]);
    close(watch->wake[1]);
}

void kz_watch_end(kz_watch *watch) {
    if (!watch->on)
        return;
    watch->on = false;
    close(watch->wake[1]); /* seen as a hangup */
    pthread_join(watch->thread, NULL);
    close(watch->wake[0]);
}
