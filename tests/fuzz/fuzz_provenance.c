/* fuzz_provenance.c: the tags of a sound file of any bytes.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the bytes, what comes out is UTF-8 without control characters, ended, and numbers that make sense. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "provenance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

static void check_text(const char *text, size_t size) {
    require(memchr(text, 0, size) != NULL);
    utf8proc_ssize_t n = (utf8proc_ssize_t)strlen(text);
    for (utf8proc_ssize_t at = 0, used; at < n; at += used) {
        utf8proc_int32_t code;
        used = utf8proc_iterate((const utf8proc_uint8_t *)text + at, n - at, &code);
        require(used > 0 && code >= 0x20 && !(code >= 0x7f && code < 0xa0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_provenance p;
    kz_aac_info info;
    kz_provenance_read(&p, data, size);
    check_text(p.comment, sizeof p.comment);
    check_text(p.software, sizeof p.software);
    if (kz_aac_inspect(data, size, &info))
        require(info.format && info.rate >= 0 && info.channels >= 0 && isfinite(info.seconds) && info.seconds >= 0);
    return 0;
}
