/* signals.h: Ctrl-C and termination.  SPDX-License-Identifier: Apache-2.0
 *
 * Before kz_signals_graceful(): a signal ends the program at once. After: the first one is only noted, so that the frame
 * and the file can be completed; a second one ends at once. Ending at once removes the files named here. */
#ifndef KZ_SIGNALS_H
#define KZ_SIGNALS_H

#include "kztts/kztts.h"

/* Installs the handlers for SIGINT, SIGTERM and SIGHUP (unless they are ignored, as for background jobs of a shell). */
void kz_signals_install(void);

/* A file to remove when ending at once, at most eight; the string must stay. */
void kz_signals_remove(const char *path);
void kz_signals_keep(void); /* forget those files */

void kz_signals_graceful(void);

/* What speaks: its text is ended when a read goes on for a second after a signal was noted (while samples are held back, or
 * there are none for long). NULL before it is closed. */
void kz_signals_cancel(kztts_stream *stream);

/* The signal that came, or 0. The exit code is 128 + it. */
int kz_signals_seen(void);

#endif
