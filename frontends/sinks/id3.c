/* id3.c: the tag that MP3 and AAC (ADTS) files begin with.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "parts.h"

/* Seven bits a byte: no sync word can appear in it. */
static void put_size(unsigned char *p, size_t n) {
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(n >> (21 - 7 * i) & 0x7f);
}

/* A frame: the encoding (3 = UTF-8), what stands before the text, the text. */
static size_t put_frame(unsigned char *p, const char *id, const char *before, size_t n_before, const char *text) {
    size_t n = strlen(text), size = 1 + n_before + n;
    if (n == 0)
        return 0;
    memcpy(p, id, 4);
    put_size(p + 4, size);
    p[8] = p[9] = 0;
    p[10] = 3;
    memcpy(p + 11, before, n_before);
    memcpy(p + 11 + n_before, text, n);
    return 10 + size;
}

size_t kz_id3_make(const kz_sink *sink, unsigned char tag[KZ_ID3_MAX]) {
    size_t n = 10;
    n += put_frame(tag + n, "TSSE", "", 0, sink->software);
    n += put_frame(tag + n, "COMM", "eng", 4, sink->comment); /* language, and a description of no letters */
    memcpy(tag, "ID3\4\0", 6);
    put_size(tag + 6, n - 10);
    return n > 10 ? n : 0;
}
