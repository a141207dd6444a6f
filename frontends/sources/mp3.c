/* mp3.c: where MP3 begins behind its tags, and whether all of it is there.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "internal.h"

size_t kz_skip_tags(const unsigned char *data, size_t n) {
    size_t at = 0;
    while (n - at >= 10 && memcmp(data + at, "ID3", 3) == 0) {
        size_t size = 0;
        for (size_t i = 6; i < 10; i++)
            size = size << 7 | (data[at + i] & 0x7fu);
        if (size > n - at - 10)
            return n;
        at += 10 + size;
    }
    while (at > 0 && at < n && data[at] == 0) /* padding that the tag doesn't count */
        at++;
    return at;
}

/* A frame header of layer II or III that makes sense. */
static bool is_header(const unsigned char *p, size_t n) {
    if (n < 4 || p[0] != 0xff || (p[1] & 0xe0) != 0xe0)
        return false;
    unsigned version = p[1] >> 3 & 3, layer = p[1] >> 1 & 3, rate = p[2] >> 4, frequency = p[2] >> 2 & 3;
    return version != 1 && (layer == 1 || layer == 2) && rate != 15 && frequency != 3 && (p[3] & 3) != 2;
}

/* Bytes of the frame that begins with this header; 0: it doesn't say. */
static size_t frame_size(const unsigned char *p) {
    /* thousands of bits a second: MPEG 1 layer II, layer III, MPEG 2 both */
    static const unsigned short kbits[3][15] = {
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
    };
    static const unsigned hertz[3] = {44100, 48000, 32000};
    unsigned version = p[1] >> 3 & 3, layer3 = (p[1] >> 1 & 3) == 1, padding = p[2] >> 1 & 1;
    unsigned rate = hertz[p[2] >> 2 & 3] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
    unsigned bits = 1000u * kbits[version != 3 ? 2 : layer3][p[2] >> 4];
    return bits ? (layer3 && version != 3 ? 72 : 144) * bits / rate + padding : 0;
}

/* Two bytes look like a header too often: the next frame must follow where this one ends. */
bool kz_is_mpeg(const unsigned char *p, size_t n) {
    if (!is_header(p, n))
        return false;
    size_t size = frame_size(p);
    return size == 0 || size + 4 > n || is_header(p + size, n - size);
}

/* Where the encoder's notes stand in a frame: behind the header and the side information. */
static size_t info_offset(const unsigned char *p) {
    bool version1 = (p[1] >> 3 & 3) == 3, mono = p[3] >> 6 == 3;
    return 4 + (version1 ? (mono ? 17 : 32) : (mono ? 9 : 17));
}

static bool has_info(const unsigned char *p, size_t n) {
    size_t at = info_offset(p);
    return n >= at + 16 && (memcmp(p + at, "Xing", 4) == 0 || memcmp(p + at, "Info", 4) == 0);
}

/* Most encoders write into the first frame, which is silent, how many bytes there are. Without that, a cut can't be seen. */
kztts_status kz_mp3_check(const kz_job *job) {
    size_t at = kz_skip_tags(job->data, job->n), room = job->n - at;
    const unsigned char *p = job->data + at;
    if (room < 4 || !has_info(p, room))
        return KZTTS_OK;
    const unsigned char *info = p + info_offset(p);
    uint32_t flags = kz_be32(info + 4);
    if (!(flags & 2))
        return KZTTS_OK;
    uint32_t announced = kz_be32(info + (flags & 1 ? 12 : 8));
    return announced > (uint64_t)room + KZ_CUT_TOLERANCE ? kz_source_fail_cut(job, announced, room) : KZTTS_OK;
}

/* Whole frames, past what isn't one. */
static uint32_t count_frames(const unsigned char *p, size_t n) {
    uint32_t count = 0;
    for (size_t at = 0; at + 4 <= n;) {
        size_t size = is_header(p + at, n - at) ? frame_size(p + at) : 0;
        if (size >= 4 && size <= n - at && (at + size + 4 > n || is_header(p + at + size, n - at - size)))
            count++, at += size;
        else if (size >= 4 && size <= n - at && count > 0 && memchr("TALI", p[at + size], 4))
            count++, at += size; /* the last one, before a tag: TAG, APETAGEX, LYRICS, ID3 */
        else
            at++;
    }
    return count;
}

size_t kz_mp3_make_info(const unsigned char *data, size_t n, size_t at, unsigned char info[KZ_MP3_INFO]) {
    const unsigned char *p = data + at;
    if (n - at < 4 || !is_header(p, n - at) || (p[1] >> 1 & 3) != 1 || has_info(p, n - at))
        return 0;
    memset(info, 0, KZ_MP3_INFO);
    memcpy(info, p, 4);
    info[1] |= 1; /* no check sum */
    size_t offset = info_offset(p), size = 0;
    for (unsigned rate = 1; rate < 15 && size < offset + 12; rate++) {
        info[2] = (unsigned char)(rate << 4 | (p[2] & 0x0c));
        size = frame_size(info);
    }
    uint32_t count = count_frames(p, n - at);
    memcpy(info + offset, "Xing\0\0\0\1", 8);
    for (unsigned i = 0; i < 4; i++)
        info[offset + 8 + i] = (unsigned char)(count >> (24 - 8 * i) & 0xff);
    return count && size <= KZ_MP3_INFO ? size : 0;
}
