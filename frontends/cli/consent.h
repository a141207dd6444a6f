/* consent.h: the speaker's consent, questions on a terminal, dates.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CONSENT_H
#define KZ_CONSENT_H

#include "cli.h"

enum { KZ_CONSENT_MAX = 4096 };

/* Whether somebody can be asked: standard input and standard error are a terminal. */
bool kz_can_ask(void);

/* A line from the terminal into out; false for none. */
bool kz_ask(const char *question, char *out, size_t size);

/* --consent, or asked for. Without either: exit 2 with a sentence. */
int kz_consent(const kz_args *args, char statement[KZ_CONSENT_MAX + 2]);

/* "2026-01-31T12:00:00Z": now, or SOURCE_DATE_EPOCH. */
void kz_utc(char out[32]);

#endif
