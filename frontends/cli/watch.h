/* watch.h: a thread that ends a speech when nobody reads its sound any more.  SPDX-License-Identifier: Apache-2.0
 *
 * A read of the stream may take the time of several frames; a reader that goes is seen meanwhile. */
#ifndef KZ_WATCH_H
#define KZ_WATCH_H

#include <pthread.h>
#include <stdbool.h>

#include "kztts/kztts.h"

typedef struct kz_watch {
    pthread_t thread;
    kztts_stream *stream;
    int out, wake[2]; /* the sound's file; a pipe that ends the watch */
    bool on;
} kz_watch;

/* Cancels the stream when the pipe or socket `out` has no reader. Where there is no room for a thread, the next write finds
 * out. The stream must outlast the watch. */
void kz_watch_begin(kz_watch *watch, int out, kztts_stream *stream);
void kz_watch_end(kz_watch *watch); /* also one that hasn't begun */

#endif
