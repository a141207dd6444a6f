/* err.c: statuses with a sentence.  SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "base/base.h"

kztts_status kz_fail(kz_err *err, kztts_status status, const char *fmt, ...) {
    if (err) {
        va_list args;
        va_start(args, fmt);
        (void)vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
    }
    return status;
}

kztts_status kz_fail_memory(kz_err *err, size_t n_byte, const char *what) {
    return kz_fail(err, KZTTS_ERROR_MEMORY, "out of memory: %zu bytes for %s", n_byte, what);
}
