/* ogg.c: which codec an Ogg file holds, and whether its pages are whole.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "internal.h"

enum { PAGE_HEADER = 27, BEGINS = 2 /* flag of a stream's first page */ };

/* Bytes of the page at `at`: 0 when none begins there, `*whole` false when it runs beyond the end. */
static size_t page_size(const unsigned char *data, size_t n, size_t at, bool *whole) {
    *whole = false;
    if (n - at < 4 || memcmp(data + at, "OggS", 4) != 0)
        return 0;
    if (n - at < PAGE_HEADER)
        return n - at;
    size_t segments = data[at + 26], size = PAGE_HEADER + segments;
    if (n - at < size)
        return n - at;
    for (size_t i = 0; i < segments; i++)
        size += data[at + PAGE_HEADER + i];
    *whole = size <= n - at;
    return *whole ? size : n - at;
}

static bool packet_is(const unsigned char *packet, size_t n, const char *magic, size_t size) {
    return n >= size && memcmp(packet, magic, size) == 0;
}

kz_kind kz_identify_ogg(const unsigned char *data, size_t n, const char **seems) {
    bool whole;
    size_t size = page_size(data, n, 0, &whole);
    if (!whole || size <= (size_t)PAGE_HEADER + data[26]) {
        *seems = "the first bytes of an Ogg file";
        return KZ_KIND_OTHER;
    }
    const unsigned char *packet = data + PAGE_HEADER + data[26];
    size_t length = size - PAGE_HEADER - data[26];
    if (packet_is(packet, length, "OpusHead", 8))
        return KZ_KIND_OGG_OPUS;
    if (packet_is(packet, length, "\x01vorbis", 7))
        return KZ_KIND_OGG_VORBIS;
    if (packet_is(packet, length,
                  "\x7f"
                  "FLAC",
                  5))
        return KZ_KIND_OGG_FLAC;
    if (packet_is(packet, length, "Speex   ", 8))
        *seems = "Speex in Ogg";
    else if (packet_is(packet, length, "\x80theora", 7) || packet_is(packet, length, "fishead", 7))
        *seems = "an Ogg film";
    else
        *seems = "Ogg with an unknown codec";
    return KZ_KIND_OTHER;
}

/* Follows the pages; what isn't a page ends the walk: the decoder will judge it. */
kztts_status kz_ogg_check(const kz_job *job, kz_kind kind) {
    size_t at = 0, pages = 0;
    while (at < job->n) {
        bool whole;
        size_t size = page_size(job->data, job->n, at, &whole);
        if (size == 0)
            return KZTTS_OK;
        if (!whole)
            return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is cut off in the middle of an Ogg page: copy it again",
                                  job->name);
        /* libsndfile would read the first and be silent about the rest; libopusfile reads them all */
        if (pages > 0 && (job->data[at + 5] & BEGINS) && kind != KZ_KIND_OGG_OPUS)
            return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                                  "%s holds several Ogg streams: keep one, or convert it to WAV", job->name);
        at += size;
        pages++;
    }
    /* one page of identification, one at least of comments, one at least of sound */
    if (pages < 3)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is Ogg, but only a header: it has no sound in it",
                              job->name);
    return KZTTS_OK;
}
