/* buf.c: bytes of a file that grows in memory.  SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "voice/internal.h"

static bool make_room(kz_voice_buf *b, size_t n) {
    size_t need, cap = b->cap ? b->cap : 4096;
    if (b->failed || !kz_add(b->n, n, &need) || need > SIZE_MAX / 2) {
        b->failed = true;
        return false;
    }
    if (need <= b->cap)
        return true;
    while (cap < need)
        cap *= 2;
    char *data = kz_alloc(cap, 1);
    if (!data) {
        b->failed = true;
        return false;
    }
    if (b->n)
        memcpy(data, b->data, b->n);
    kz_free(b->data);
    b->data = data;
    b->cap = cap;
    return true;
}

void kz_voice_buf_put(kz_voice_buf *b, const void *data, size_t n) {
    if (!n || !make_room(b, n))
        return;
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

void kz_voice_buf_text(kz_voice_buf *b, const char *text) { kz_voice_buf_put(b, text, strlen(text)); }

void kz_voice_buf_number(kz_voice_buf *b, uint64_t value) {
    char text[KZ_VOICE_NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    kz_voice_buf_text(b, text);
}

void kz_voice_buf_little(kz_voice_buf *b, uint64_t value, int n_byte) {
    unsigned char bytes[8];
    for (int i = 0; i < n_byte; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    kz_voice_buf_put(b, bytes, (size_t)n_byte);
}

void kz_voice_buf_quoted(kz_voice_buf *b, const char *text) {
    kz_voice_buf_text(b, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\')
            (void)snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < 0x20)
            (void)snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            (void)snprintf(escape, sizeof escape, "%c", c);
        kz_voice_buf_text(b, escape);
    }
    kz_voice_buf_text(b, "\"");
}

kztts_status kz_voice_buf_finish(kz_voice_buf *b, char **out, size_t *n, kz_err *err) {
    if (b->failed) {
        kz_free(b->data);
        return kz_fail_memory(err, b->n, "a voice file");
    }
    *out = b->data;
    *n = b->n;
    return KZTTS_OK;
}
