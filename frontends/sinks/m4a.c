/* m4a.c: AAC in an MP4 file.  SPDX-License-Identifier: Apache-2.0
 *
 * ftyp; mdat with the frames, whose size is patched at the end; moov, the table of contents, behind it. The edit list
 * tells which part of the decoded samples is sound, so the length is exact. The frames make one chunk: players read them
 * in a row anyway. ISO/IEC 14496-12 (boxes), 14496-14 (esds), and QuickTime's list of tags (ilst). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { HEADER = 40, MDAT = 32 /* where its size is */, BOX = 8 };

typedef struct m4a_state {
    kz_aac *aac;
    kz_outfile *out;
    uint64_t n_byte; /* of frames */
    uint32_t *size;  /* [n_frame] bytes of each frame */
    size_t n_frame, room;
    unsigned char *moov; /* being built */
    size_t n, moov_room;
    bool failed; /* no memory for it */
} m4a_state;

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static void put(m4a_state *m, const void *data, size_t n) {
    if (m->n + n > m->moov_room && !m->failed) {
        size_t room = 2 * m->moov_room + n + 1024;
        unsigned char *moov = realloc(m->moov, room);
        m->failed = !moov;
        if (moov) {
            m->moov = moov;
            m->moov_room = room;
        }
    }
    if (m->failed)
        return;
    memcpy(m->moov + m->n, data, n);
    m->n += n;
}

static void big_endian(unsigned char *p, uint64_t value, int n_byte) {
    for (int i = 0; i < n_byte; i++)
        p[i] = (unsigned char)(value >> (8 * (n_byte - 1 - i)) & 0xff);
}

static void put_number(m4a_state *m, uint64_t value, int n_byte) {
    unsigned char bytes[8];
    big_endian(bytes, value, n_byte);
    put(m, bytes, (size_t)n_byte);
}

static void put_zeros(m4a_state *m, size_t n) {
    static const unsigned char zeros[64];
    put(m, zeros, n);
}

/* Begins a box; the result is for end_box(). */
static size_t begin_box(m4a_state *m, const char *type) {
    size_t at = m->n;
    put_zeros(m, 4);
    put(m, type, 4);
    return at;
}

/* One with a version and flags. */
static size_t begin_full(m4a_state *m, const char *type, unsigned version, unsigned flags) {
    size_t at = begin_box(m, type);
    put_number(m, (uint64_t)version << 24 | flags, 4);
    return at;
}

static void end_box(m4a_state *m, size_t at) {
    if (!m->failed)
        big_endian(m->moov + at, m->n - at, 4);
}

static void put_matrix(m4a_state *m) {
    static const uint32_t unity[9] = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
    for (int i = 0; i < 9; i++)
        put_number(m, unity[i], 4);
}

/* ---- the table of contents --------------------------------------------------------------------------------------- */

/* Times of making and changing: none, so that equal sound makes equal files. */
static void put_mvhd(m4a_state *m, int rate, uint64_t n_sample) {
    size_t box = begin_full(m, "mvhd", 1, 0);
    put_zeros(m, 16);
    put_number(m, (uint64_t)rate, 4);
    put_number(m, n_sample, 8);
    put_number(m, 0x00010000, 4); /* speed 1 */
    put_number(m, 0x0100, 2);     /* full volume */
    put_zeros(m, 10);
    put_matrix(m);
    put_zeros(m, 24);
    put_number(m, 2, 4); /* the next track's number */
    end_box(m, box);
}

static void put_tkhd(m4a_state *m, uint64_t n_sample) {
    size_t box = begin_full(m, "tkhd", 1, 7); /* enabled, in the movie, in the preview */
    put_zeros(m, 16);
    put_number(m, 1, 4); /* number */
    put_zeros(m, 4);
    put_number(m, n_sample, 8);
    put_zeros(m, 12);
    put_number(m, 0x0100, 2); /* full volume */
    put_zeros(m, 2);
    put_matrix(m);
    put_zeros(m, 8); /* width, height */
    end_box(m, box);
}

static void put_edts(m4a_state *m, uint64_t n_sample) {
    size_t box = begin_box(m, "edts"), list = begin_full(m, "elst", 1, 0);
    put_number(m, 1, 4);
    put_number(m, n_sample, 8);
    put_number(m, (uint64_t)kz_aac_delay(), 8);
    put_number(m, 0x00010000, 4);
    end_box(m, list);
    end_box(m, box);
}

/* A descriptor of ISO/IEC 14496-1: its kind, its size in four bytes. */
static void put_descriptor(m4a_state *m, unsigned kind, size_t n) {
    put_number(m, (uint64_t)kind << 32 | 0x80808000u | n, 5);
}

static void put_esds(m4a_state *m, int rate, int bits) {
    unsigned index = 0;
    while (kz_aac_rates[index] != rate)
        index++;
    size_t box = begin_full(m, "esds", 0, 0);
    put_descriptor(m, 3, 37);
    put_number(m, 0, 3);
    put_descriptor(m, 4, 23);
    put_number(m, 0x40, 1); /* MPEG-4 audio */
    put_number(m, 0x15, 1); /* an audio stream */
    put_zeros(m, 3);
    put_number(m, (uint64_t)bits, 4); /* at most */
    put_number(m, (uint64_t)bits, 4); /* on average */
    put_descriptor(m, 5, 5);
    put_number(m, 2u << 11 | index << 7 | 1u << 3, 2); /* low complexity, rate, one channel */
    put_number(m, 0x56e500, 3);                        /* and no band replication */
    put_descriptor(m, 6, 1);
    put_number(m, 2, 1);
    end_box(m, box);
}

static void put_stsd(m4a_state *m, int rate, int bits) {
    size_t box = begin_full(m, "stsd", 0, 0);
    put_number(m, 1, 4);
    size_t entry = begin_box(m, "mp4a");
    put_zeros(m, 6);
    put_number(m, 1, 2); /* data reference */
    put_zeros(m, 8);
    put_number(m, 1, 2);  /* channels */
    put_number(m, 16, 2); /* bits */
    put_zeros(m, 4);
    put_number(m, (uint64_t)(rate < 65536 ? rate : 0) << 16, 4);
    put_esds(m, rate, bits);
    end_box(m, entry);
    end_box(m, box);
}

/* Frames: how long, how big, where. */
static void put_tables(m4a_state *m) {
    bool any = m->n_frame > 0;
    size_t box = begin_full(m, "stts", 0, 0);
    put_number(m, any, 4);
    if (any) {
        put_number(m, m->n_frame, 4);
        put_number(m, KZ_AAC_FRAME, 4);
    }
    end_box(m, box);
    box = begin_full(m, "stsc", 0, 0);
    put_number(m, any, 4);
    if (any) {
        put_number(m, 1, 4);
        put_number(m, m->n_frame, 4);
        put_number(m, 1, 4);
    }
    end_box(m, box);
    box = begin_full(m, "stsz", 0, 0);
    put_number(m, 0, 4);
    put_number(m, m->n_frame, 4);
    for (size_t i = 0; i < m->n_frame; i++)
        put_number(m, m->size[i], 4);
    end_box(m, box);
    box = begin_full(m, "stco", 0, 0);
    put_number(m, any, 4);
    if (any)
        put_number(m, HEADER, 4);
    end_box(m, box);
}

static void put_handler(m4a_state *m, const char *type, const char *maker, size_t n_maker) {
    size_t box = begin_full(m, "hdlr", 0, 0);
    put_zeros(m, 4);
    put(m, type, 4);
    put(m, maker, n_maker);
    put_zeros(m, 12 - n_maker + 1); /* and a name of no letters */
    end_box(m, box);
}

static void put_media(m4a_state *m, int rate, int bits) {
    size_t media = begin_box(m, "mdia"), box = begin_full(m, "mdhd", 1, 0);
    put_zeros(m, 16);
    put_number(m, (uint64_t)rate, 4);
    put_number(m, (uint64_t)m->n_frame * KZ_AAC_FRAME, 8);
    put_number(m, 0x55c4, 2); /* language: not said */
    put_zeros(m, 2);
    end_box(m, box);
    put_handler(m, "soun", "", 0);
    size_t info = begin_box(m, "minf");
    box = begin_full(m, "smhd", 0, 0);
    put_zeros(m, 4);
    end_box(m, box);
    box = begin_box(m, "dinf");
    size_t reference = begin_full(m, "dref", 0, 0);
    put_number(m, 1, 4);
    end_box(m, begin_full(m, "url ", 0, 1)); /* in this file */
    end_box(m, reference);
    end_box(m, box);
    box = begin_box(m, "stbl");
    put_stsd(m, rate, bits);
    put_tables(m);
    end_box(m, box);
    end_box(m, info);
    end_box(m, media);
}

static void put_tag(m4a_state *m, const char *type, const char *text) {
    if (!*text)
        return;
    size_t box = begin_box(m, type), data = begin_full(m, "data", 0, 1); /* UTF-8 */
    put_zeros(m, 4);
    put(m, text, strlen(text));
    end_box(m, data);
    end_box(m, box);
}

static void put_tags(m4a_state *m, const kz_sink *sink) {
    size_t user = begin_box(m, "udta"), meta = begin_full(m, "meta", 0, 0);
    put_handler(m, "mdir", "appl", 4);
    size_t list = begin_box(m, "ilst");
    put_tag(m, "\251cmt", sink->comment);
    put_tag(m, "\251too", sink->software);
    end_box(m, list);
    end_box(m, meta);
    end_box(m, user);
}

static void put_moov(m4a_state *m, const kz_sink *sink) {
    size_t moov = begin_box(m, "moov");
    put_mvhd(m, sink->sample_rate, sink->n_sample);
    size_t track = begin_box(m, "trak");
    put_tkhd(m, sink->n_sample);
    put_edts(m, sink->n_sample);
    put_media(m, sink->sample_rate, kz_aac_bits(sink));
    end_box(m, track);
    put_tags(m, sink);
    end_box(m, moov);
}

/* ---- the sink ---------------------------------------------------------------------------------------------------- */

static int put_frame(void *user, const unsigned char *data, size_t n) {
    m4a_state *m = user;
    if (m->n_frame == m->room) {
        size_t room = 2 * m->room + 256;
        uint32_t *size = realloc(m->size, room * sizeof *size);
        if (!size)
            return ENOMEM;
        m->size = size;
        m->room = room;
    }
    if (m->n_byte + n > UINT32_MAX - BOX)
        return EFBIG;
    m->size[m->n_frame++] = (uint32_t)n;
    m->n_byte += n;
    return kz_outfile_write(m->out, data, n);
}

static int m4a_start(kz_sink *sink) {
    static const unsigned char header[HEADER + 1] = "\0\0\0\40ftypM4A \0\0\2\0M4A mp42isomiso2\0\0\0\10mdat";
    m4a_state *m = calloc(1, sizeof *m);
    sink->state = m;
    if (!m || !(m->aac = kz_aac_open(sink->sample_rate, kz_aac_bits(sink), false, put_frame, m)))
        return ENOMEM;
    m->out = &sink->out;
    return kz_outfile_write(&sink->out, header, HEADER);
}

static int m4a_write(kz_sink *sink, const float *pcm, size_t n) {
    m4a_state *m = sink->state;
    return kz_aac_write(m->aac, pcm, n);
}

static int m4a_finish(kz_sink *sink) {
    m4a_state *m = sink->state;
    unsigned char size[4];
    int error = kz_aac_finish(m->aac);
    if (error)
        return error;
    put_moov(m, sink);
    if (m->failed)
        return ENOMEM;
    big_endian(size, m->n_byte + BOX, 4);
    error = kz_outfile_write(&sink->out, m->moov, m->n);
    return error ? error : kz_outfile_patch(&sink->out, MDAT, size, sizeof size);
}

static void m4a_release(kz_sink *sink) {
    m4a_state *m = sink->state;
    kz_aac_close(m->aac);
    free(m->size);
    free(m->moov);
    free(m);
}

const kz_sink_type kz_sink_m4a = {.name = "m4a",
                                  .extensions = ".m4a",
                                  .lacks = KZ_AAC_LACKS,
                                  .patched = true,
                                  .rates = kz_aac_rates,
                                  .bitrate = KZ_AAC_BITRATE,
                                  .highest = kz_aac_highest,
                                  .start = m4a_start,
                                  .write = m4a_write,
                                  .finish = m4a_finish,
                                  .release = m4a_release};
