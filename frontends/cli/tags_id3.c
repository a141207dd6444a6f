/* tags_id3.c: ID3v2.3 and ID3v2.4 tags, as MP3 and AAC files begin with.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tags.h"

enum { HEADER = 10, FRAME_HEADER = 10, TEXT = 1200 };

/* Encodings of text. */
enum { LATIN_1, UTF_16, UTF_16_BE, UTF_8 };

static size_t seven_bits(const unsigned char *p) {
    return (size_t)(p[0] & 0x7f) << 21 | (size_t)(p[1] & 0x7f) << 14 | (size_t)(p[2] & 0x7f) << 7 | (p[3] & 0x7f);
}

/* Bytes of the tag at the beginning, 0 when there is none. */
static size_t tag_size(kz_bytes file) {
    if (file.n < HEADER || memcmp(file.data, "ID3", 3) != 0)
        return 0;
    size_t size = HEADER + seven_bits(file.data + 6);
    return size < file.n ? size : file.n;
}

size_t kz_id3_size(kz_bytes file) {
    size_t at = 0, size;
    while ((size = tag_size((kz_bytes){file.data + at, file.n - at})) > 0)
        at += size;
    return at;
}

static size_t put_utf8(unsigned char *out, uint32_t code) {
    if (code < 0x80) {
        out[0] = (unsigned char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (unsigned char)(0x80 | (code & 0x3f));
    out[0] = (unsigned char)((0xf00u >> n & 0xff) | code);
    return n;
}

static uint32_t unit(const unsigned char *p, bool big) {
    return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

/* Text up to its end or a NUL into UTF-8; returns the bytes made. *used: bytes read, with the NUL. */
static size_t convert(unsigned encoding, kz_bytes text, unsigned char out[TEXT], size_t *used) {
    size_t at = 0, n = 0, width = encoding == UTF_16 || encoding == UTF_16_BE ? 2 : 1;
    bool big = encoding == UTF_16_BE;
    if (encoding == UTF_16 && text.n >= 2 && unit(text.data, true) >= 0xfeff) {
        big = unit(text.data, true) == 0xfeff;
        at = 2;
    }
    while (at + width <= text.n) {
        uint32_t code = width == 2 ? unit(text.data + at, big) : text.data[at];
        at += width;
        if (code == 0)
            break;
        if (width == 2 && code >= 0xd800 && code < 0xdc00 && at + 2 <= text.n) {
            code = 0x10000 + ((code & 0x3ff) << 10 | (unit(text.data + at, big) & 0x3ff));
            at += 2;
        }
        if (n + 4 > TEXT)
            continue;
        if (encoding == UTF_8)
            out[n++] = (unsigned char)code;
        else
            n += put_utf8(out + n, code);
    }
    *used = at;
    return n;
}

static void read_frame(kz_provenance *p, const unsigned char *id, kz_bytes frame) {
    unsigned char text[TEXT];
    size_t n, used, skip = 1;
    if (frame.n < 5 || frame.data[0] > UTF_8)
        return;
    unsigned encoding = frame.data[0];
    if (memcmp(id, "COMM", 4) == 0) {
        skip = 4; /* the language; then a description that ends with NUL */
        convert(encoding, (kz_bytes){frame.data + skip, frame.n - skip}, text, &used);
        skip += used;
    } else if (memcmp(id, "TSSE", 4) != 0) {
        return;
    }
    n = convert(encoding, (kz_bytes){frame.data + skip, frame.n - skip}, text, &used);
    kz_tag_take(p, skip == 1 ? KZ_TAG_SOFTWARE : KZ_TAG_COMMENT, text, n);
}

/* Whatever follows the header of a tag of version 2.3 or 2.4. */
static void read_frames(kz_provenance *p, kz_bytes tag, unsigned version, bool extended) {
    size_t at = HEADER;
    if (extended && tag.n - at >= 4)
        at += version == 4 ? seven_bits(tag.data + at) : 4 + (size_t)kz_tag_be32(tag.data + at);
    while (at < tag.n && tag.n - at > FRAME_HEADER && tag.data[at] != 0) { /* NUL: filling */
        const unsigned char *header = tag.data + at;
        size_t size = version == 4 ? seven_bits(header + 4) : kz_tag_be32(header + 4);
        at += FRAME_HEADER;
        if (size > tag.n - at)
            return;
        read_frame(p, header, (kz_bytes){tag.data + at, size});
        at += size;
    }
}

void kz_tags_id3(kz_provenance *p, kz_bytes file) {
    size_t size = tag_size(file);
    if (size >= HEADER && (file.data[3] == 3 || file.data[3] == 4))
        read_frames(p, (kz_bytes){file.data, size}, file.data[3], file.data[5] & 0x40);
}
