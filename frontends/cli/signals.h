/* signals.h: Ctrl-C and termination.  SPDX-License-Identifier: Apache-2.0
 *
 * Before kz_signals_graceful(): a signal ends the program at once. After: the first one is only noted, so that the frame
 * and the file can be completed; a second one ends at once. Ending at once removes the files named here. */
#ifndef KZ_SIGNALS_H
#define KZ_SIGNALS_H

/* Installs the handlers for SIGINT and SIGTERM (unless they are ignored, as for background jobs of a shell). */
void kz_signals_install(void);

/* A file to remove when ending at once, at most eight; the string must stay. */
void kz_signals_remove(const char *path);
void kz_signals_keep(void); /* forget those files */

void kz_signals_graceful(void);

/* The signal that came, or 0. The exit code is 128 + it. */
int kz_signals_seen(void);

#endif
