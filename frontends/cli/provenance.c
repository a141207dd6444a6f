/* provenance.c: what sound files say about where they come from.  SPDX-License-Identifier: Apache-2.0 */
#include "provenance.h"

#include <string.h>

#include "tags.h"

uint32_t kz_tag_be32(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

uint32_t kz_tag_le32(const unsigned char *p) {
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Bytes of the UTF-8 character at p, 0 when it is none or a control character. */
static size_t character(const unsigned char *p, size_t n) {
    static const uint32_t least[5] = {0, 0x20, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > n)
        return 0;
    uint32_t code = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    bool control = code < least[length] || (code >= 0x7f && code < 0xa0);
    return control || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : length;
}

static void take(char *out, size_t size, const unsigned char *text, size_t n) {
    size_t used = 0;
    for (size_t at = 0; at < n && text[at];) {
        size_t length = character(text + at, n - at);
        if (used + (length ? length : 1) >= size)
            break;
        if (length)
            memcpy(out + used, text + at, length);
        else
            out[used] = '?';
        used += length ? length : 1;
        at += length ? length : 1;
    }
    out[used] = '\0';
}

bool kz_provenance_generated(const kz_provenance *p) { return strstr(p->comment, "AI-generated speech") != NULL; }

void kz_tag_take(kz_provenance *p, kz_tag tag, const unsigned char *text, size_t n) {
    kz_provenance other;
    if (tag == KZ_TAG_SOFTWARE) {
        if (!*p->software)
            take(p->software, sizeof p->software, text, n);
        return;
    }
    take(other.comment, sizeof other.comment, text, n);
    if (!*p->comment || (kz_provenance_generated(&other) && !kz_provenance_generated(p)))
        memcpy(p->comment, other.comment, sizeof p->comment);
}

/* ---- WAV --------------------------------------------------------------------------------------------------------- */

static void read_list(kz_provenance *p, const unsigned char *list, size_t n) {
    size_t at = 4;
    if (n < 4 || memcmp(list, "INFO", 4) != 0)
        return;
    while (n - at >= 8) {
        size_t length = kz_tag_le32(list + at + 4), room = n - at - 8, used = length < room ? length : room;
        if (memcmp(list + at, "ICMT", 4) == 0)
            kz_tag_take(p, KZ_TAG_COMMENT, list + at + 8, used);
        else if (memcmp(list + at, "ISFT", 4) == 0)
            kz_tag_take(p, KZ_TAG_SOFTWARE, list + at + 8, used);
        at += 8 + used;
        at += used % 2 && at < n;
    }
}

static void read_wav(kz_provenance *p, kz_bytes file) {
    const unsigned char *data = file.data;
    for (size_t at = 12; file.n - at >= 8;) {
        size_t length = kz_tag_le32(data + at + 4), room = file.n - at - 8, used = length < room ? length : room;
        if (memcmp(data + at, "LIST", 4) == 0)
            read_list(p, data + at + 8, used);
        at += 8 + used;
        at += used % 2 && at < file.n;
    }
}

/* ---- which kind -------------------------------------------------------------------------------------------------- */

void kz_provenance_read(kz_provenance *p, const unsigned char *data, size_t n) {
    kz_bytes file = {data, n};
    memset(p, 0, sizeof *p);
    if (n < 12)
        return;
    if (memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WAVE", 4) == 0)
        read_wav(p, file);
    else if (memcmp(data, "OggS", 4) == 0)
        kz_tags_ogg(p, file);
    else if (memcmp(data + 4, "ftyp", 4) == 0)
        kz_tags_mp4(p, file);
    else {
        size_t tag = kz_id3_size(file);
        kz_tags_id3(p, file);
        kz_tags_flac(p, (kz_bytes){data + tag, n - tag}); /* some programs put ID3 before FLAC too */
    }
}

/* ---- AAC --------------------------------------------------------------------------------------------------------- */

/* The size in the header of an ADTS frame, 0 when there is none. */
static size_t adts_size(const unsigned char *p, size_t n) {
    if (n < 7 || p[0] != 0xff || (p[1] & 0xf6) != 0xf0 || (p[2] >> 2 & 15) > 12)
        return 0;
    size_t size = (size_t)(p[3] & 3) << 11 | (size_t)p[4] << 3 | p[5] >> 5;
    return size >= 7 && size <= n ? size : 0;
}

static bool adts_info(kz_bytes file, kz_aac_info *info) {
    static const int rates[] = {96000, 88200, 64000, 48000, 44100, 32000, 24000,
                                22050, 16000, 12000, 11025, 8000,  7350};
    size_t at = kz_id3_size(file), size;
    uint64_t n_frame = 0;
    const unsigned char *first = file.data + at;
    while ((size = adts_size(file.data + at, file.n - at)) > 0) {
        at += size;
        n_frame++;
    }
    if (n_frame == 0 || at != file.n) /* what looks like a frame may be one of MP3 */
        return false;
    info->format = "AAC (ADTS)";
    info->rate = rates[first[2] >> 2 & 15];
    info->channels = (first[2] & 1) << 2 | first[3] >> 6;
    info->seconds = (double)(n_frame * 1024) / info->rate;
    return true;
}

bool kz_aac_inspect(const unsigned char *data, size_t n, kz_aac_info *info) {
    kz_bytes file = {data, n};
    return kz_mp4_info(file, info) || adts_info(file, info);
}
