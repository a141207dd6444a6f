/* tags_vorbis.c: the comments of FLAC, Opus and Vorbis.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "tags.h"

enum { PAGE = 27, PACKET = 1 << 16 };

/* Whether the comment begins with this name, in any case, and "="; then *value is where its value begins. */
static bool named(kz_bytes comment, const char *name, size_t *value) {
    size_t n = strlen(name);
    if (comment.n <= n || comment.data[n] != '=')
        return false;
    for (size_t i = 0; i < n; i++)
        if ((comment.data[i] & 0xdf) != name[i])
            return false;
    *value = n + 1;
    return true;
}

static void read_comment(kz_provenance *p, kz_bytes comment) {
    size_t at;
    if (named(comment, "COMMENT", &at) || named(comment, "DESCRIPTION", &at))
        kz_tag_take(p, KZ_TAG_COMMENT, comment.data + at, comment.n - at);
    else if (named(comment, "SOFTWARE", &at))
        kz_tag_take(p, KZ_TAG_SOFTWARE, comment.data + at, comment.n - at);
}

/* A length, then as many bytes; false when they aren't there. */
static bool next_text(kz_bytes block, size_t *at, kz_bytes *text) {
    if (block.n - *at < 4)
        return false;
    size_t n = kz_tag_le32(block.data + *at);
    *at += 4;
    if (n > block.n - *at)
        return false;
    *text = (kz_bytes){block.data + *at, n};
    *at += n;
    return true;
}

/* The maker of the encoder, the number of comments, the comments. */
static void read_comments(kz_provenance *p, kz_bytes block) {
    size_t at = 0;
    kz_bytes text;
    if (!next_text(block, &at, &text) || block.n - at < 4)
        return;
    uint32_t n_comment = kz_tag_le32(block.data + at);
    at += 4;
    for (uint32_t i = 0; i < n_comment && next_text(block, &at, &text); i++)
        read_comment(p, text);
}

void kz_tags_flac(kz_provenance *p, kz_bytes file) {
    if (file.n < 8 || memcmp(file.data, "fLaC", 4) != 0)
        return;
    size_t at = 4;
    bool last = false;
    while (!last && file.n - at >= 4) {
        const unsigned char *header = file.data + at;
        size_t size = kz_tag_be32(header) & 0xffffff;
        at += 4;
        if (size > file.n - at)
            return;
        if ((header[0] & 0x7f) == 4)
            read_comments(p, (kz_bytes){file.data + at, size});
        at += size;
        last = header[0] & 0x80;
    }
}

/* ---- Ogg --------------------------------------------------------------------------------------------------------- */

/* The second packet of the first stream, which has the comments: put together of segments in pages. */
typedef struct second_packet {
    unsigned char *data; /* [PACKET] */
    size_t n;
    int n_packet; /* that have ended */
} second_packet;

/* The segments of a page; lengths below 255 end packets. */
static void add_page(second_packet *packet, const unsigned char *lengths, size_t n_segment, const unsigned char *body) {
    for (size_t i = 0; i < n_segment && packet->n_packet < 2; i++) {
        size_t n = lengths[i], room = PACKET - packet->n, used = n < room ? n : room;
        if (packet->n_packet == 1) {
            memcpy(packet->data + packet->n, body, used);
            packet->n += used;
        }
        body += n;
        packet->n_packet += n < 255;
    }
}

static void find_second(second_packet *packet, kz_bytes file) {
    uint32_t serial = 0;
    for (size_t at = 0; packet->n_packet < 2 && file.n - at >= PAGE && memcmp(file.data + at, "OggS", 4) == 0;) {
        const unsigned char *page = file.data + at;
        size_t n_segment = page[26], size = 0;
        if (file.n - at - PAGE < n_segment)
            return;
        for (size_t i = 0; i < n_segment; i++)
            size += page[PAGE + i];
        if (file.n - at - PAGE - n_segment < size)
            return;
        if (at == 0)
            serial = kz_tag_le32(page + 14);
        if (kz_tag_le32(page + 14) == serial)
            add_page(packet, page + PAGE, n_segment, page + PAGE + n_segment);
        at += PAGE + n_segment + size;
    }
}

void kz_tags_ogg(kz_provenance *p, kz_bytes file) {
    second_packet packet = {.data = malloc(PACKET)};
    size_t skip = 0;
    if (!packet.data)
        return;
    find_second(&packet, file);
    if (packet.n >= 8 && memcmp(packet.data, "OpusTags", 8) == 0)
        skip = 8;
    else if (packet.n >= 7 && memcmp(packet.data, "\3vorbis", 7) == 0)
        skip = 7;
    else if (packet.n >= 4 && packet.data[0] == 4) /* FLAC in Ogg */
        skip = 4;
    if (skip)
        read_comments(p, (kz_bytes){packet.data + skip, packet.n - skip});
    free(packet.data);
}
