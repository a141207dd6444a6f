/* listener.h: a thread that ends a speech when nobody reads its sound any more.  SPDX-License-Identifier: Apache-2.0
 *
 * A read of the stream may take the time of several frames; a reader that goes is seen meanwhile. */
#ifndef KZ_LISTENER_H
#define KZ_LISTENER_H

#include <pthread.h>
#include <stdbool.h>

#include "kztts/kztts.h"

typedef struct kz_listener {
    pthread_t thread;
    kztts_stream *stream;
    int out, wake[2]; /* the sound's file; a pipe that ends the watch */
    bool on;
} kz_listener;

/* Cancels the stream when the pipe or socket `out` has no reader. Where there is no room for a thread, the next write finds
 * out. The stream must outlast the watch. */
void kz_listener_watch(kz_listener *listener, int out, kztts_stream *stream);
void kz_listener_leave(kz_listener *listener); /* also one that hasn't begun */

#endif
