/* progress.h: how far the speech is, on standard error.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_PROGRESS_H
#define KZ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins at the request. On a terminal a line that is rewritten, else a line every 10 s; quiet: nothing. total_s: length
 * of the sound, 0 = not known beforehand. */
void kz_progress_begin(bool quiet, double total_s);
void kz_progress_update(double audio_s);
/* For work on files: bytes done and in all. total_s plays no part. */
void kz_progress_bytes(const char *what, uint64_t done, uint64_t total);
void kz_progress_clear(void); /* takes the line off the terminal; the next update draws it again */
void kz_progress_end(void);

#endif
