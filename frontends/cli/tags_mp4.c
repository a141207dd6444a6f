/* tags_mp4.c: tags and length of sound in MP4 files.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tags.h"

/* The next box in `in` from *at on: its type and body. false: no whole one is left. */
static bool next_box(kz_bytes in, size_t *at, const unsigned char **type, kz_bytes *body) {
    size_t head = 8, room = in.n - *at;
    if (room < head)
        return false;
    const unsigned char *p = in.data + *at;
    uint64_t size = kz_tag_be32(p);
    if (size == 1 && room >= 16) {
        head = 16;
        size = (uint64_t)kz_tag_be32(p + 8) << 32 | kz_tag_be32(p + 12);
    } else if (size == 0) {
        size = room; /* up to the end */
    }
    if (size < head || size > room)
        return false;
    *type = p + 4;
    *body = (kz_bytes){p + head, (size_t)size - head};
    *at += (size_t)size;
    return true;
}

/* The first box of that type, in `in` behind `skip` bytes; of no bytes when there is none. */
static kz_bytes find(kz_bytes in, size_t skip, const char *wanted) {
    const unsigned char *type;
    kz_bytes body, none = {in.data, 0};
    if (in.n < skip)
        return none;
    for (size_t at = skip; next_box(in, &at, &type, &body);)
        if (memcmp(type, wanted, 4) == 0)
            return body;
    return none;
}

void kz_tags_mp4(kz_provenance *p, kz_bytes file) {
    const unsigned char *type;
    kz_bytes item, udta = find(find(file, 0, "moov"), 0, "udta"), list = find(find(udta, 0, "meta"), 4, "ilst");
    for (size_t at = 0; next_box(list, &at, &type, &item);) {
        kz_bytes data = find(item, 0, "data");
        if (data.n < 8 || kz_tag_be32(data.data) != 1) /* 1: UTF-8 */
            continue;
        if (memcmp(type, "\251cmt", 4) == 0)
            kz_tag_take(p, KZ_TAG_COMMENT, data.data + 8, data.n - 8);
        else if (memcmp(type, "\251too", 4) == 0)
            kz_tag_take(p, KZ_TAG_SOFTWARE, data.data + 8, data.n - 8);
    }
}

/* Seconds of a movie header, in either width; below zero when it makes no sense. */
static double length(kz_bytes header) {
    bool wide = header.n >= 32 && header.data[0] == 1;
    if (header.n < 20)
        return -1;
    const unsigned char *p = header.data + (wide ? 20 : 12);
    uint32_t scale = kz_tag_be32(p);
    double ticks =
        wide ? (double)kz_tag_be32(p + 4) * 4294967296.0 + (double)kz_tag_be32(p + 8) : (double)kz_tag_be32(p + 4);
    return scale ? ticks / scale : -1;
}

bool kz_mp4_info(kz_bytes file, kz_aac_info *info) {
    if (file.n < 12 || memcmp(file.data + 4, "ftyp", 4) != 0)
        return false;
    kz_bytes moov = find(file, 0, "moov"), media = find(find(moov, 0, "trak"), 0, "mdia");
    kz_bytes table = find(find(media, 0, "minf"), 0, "stbl"), sound = find(find(table, 0, "stsd"), 8, "mp4a");
    info->seconds = length(find(moov, 0, "mvhd"));
    if (sound.n < 28 || info->seconds < 0)
        return false;
    info->format = "AAC in MP4";
    info->channels = sound.data[16] << 8 | sound.data[17];
    info->rate = (int)(kz_tag_be32(sound.data + 24) >> 16);
    return true;
}
