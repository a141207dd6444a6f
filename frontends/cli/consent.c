/* consent.c: the speaker's consent, questions on a terminal, dates.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "consent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool kz_can_ask(void) { return isatty(STDIN_FILENO) && isatty(STDERR_FILENO); }

bool kz_ask(const char *question, char *out, size_t size) {
    fprintf(stderr, "%s ", question);
    fflush(stderr);
    if (!fgets(out, (int)size, stdin))
        return false;
    out[strcspn(out, "\r\n")] = '\0';
    return out[strspn(out, " \t")] != '\0';
}

int kz_consent(const kz_args *args, char statement[KZ_CONSENT_MAX + 2]) {
    const char *given = args->value[KZ_OPT_CONSENT].text;
    if (given && given[strspn(given, " \t\r\n")] == '\0')
        return kz_cli_fail(KZ_EXIT_USAGE, "--consent: the statement is empty");
    if (given && strlen(given) > KZ_CONSENT_MAX)
        return kz_cli_fail(KZ_EXIT_USAGE, "--consent: the statement is longer than %d bytes", KZ_CONSENT_MAX);
    if (given) {
        memcpy(statement, given, strlen(given) + 1);
        return KZ_GO_ON;
    }
    if (!kz_can_ask())
        return kz_cli_fail(KZ_EXIT_USAGE,
                           "a voice of a person needs the person's consent: state it with --consent, e.g. --consent "
                           "'I am Ada Example and this is my own voice'; it is stored in the voice file");
    fputs("A voice of a person needs the person's consent. State it in a line, for example: I am Ada Example and\n"
          "this is my own voice. It is stored in the voice file.\n",
          stderr);
    if (!kz_ask("consent:", statement, KZ_CONSENT_MAX + 2))
        return kz_cli_fail(KZ_EXIT_USAGE, "without a statement of consent no voice is made");
    return KZ_GO_ON;
}

void kz_utc(char out[32]) {
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    struct tm t;
    bool given = fixed && kz_cli_natural(fixed, &seconds) && seconds < 253402300800u; /* to the year 9999 */
    time_t now = given ? (time_t)seconds : time(NULL);
    if (!gmtime_r(&now, &t) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
        out[0] = '\0';
}
