/* containers.c: is a WAV, AIFF, AU, CAF or FLAC file whole?  SPDX-License-Identifier: Apache-2.0
 *
 * libsndfile reads what is there of a file that was cut off and says nothing. A reference that ends in the middle of a word
 * makes a bad voice, so it is refused here. */
#include <string.h>

#include "internal.h"

enum { TAG_EXTENSIBLE = 0xfffe };

/* Sizes from here on mean "not known yet": writers to pipes leave 0xFFFFFFFF, or the largest size a program can count. */
#define STREAM_SIZE 0x7fff0000u

static kztts_status no_sound(const kz_job *job, kz_kind kind) {
    return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is %s, but only a header: it has no sound in it", job->name,
                          kz_kind_name(kind));
}

static kztts_status bad_header(const kz_job *job, kz_kind kind, const char *what) {
    return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is %s, but damaged: %s", job->name, kz_kind_name(kind), what);
}

/* ---- WAV --------------------------------------------------------------------------------------------------- */

typedef struct riff_walk {
    kz_riff *riff;
    bool has_format, has_data;
    uint64_t data64; /* of ds64 */
} riff_walk;

static uint32_t get16(const kz_riff *riff, const unsigned char *p) {
    return riff->big_endian ? kz_be16(p) : kz_le16(p);
}

static uint32_t get32(const kz_riff *riff, const unsigned char *p) {
    return riff->big_endian ? kz_be32(p) : kz_le32(p);
}

static kztts_status read_format(const kz_job *job, kz_riff *riff, const unsigned char *p, size_t n) {
    if (n < 16)
        return bad_header(job, KZ_KIND_WAV, "its format chunk is too short");
    riff->tag = get16(riff, p);
    riff->channels = get16(riff, p + 2);
    riff->rate = get32(riff, p + 4);
    riff->block = get16(riff, p + 12);
    riff->bits = get16(riff, p + 14);
    if (riff->tag == TAG_EXTENSIBLE) {
        if (n < 40)
            return bad_header(job, KZ_KIND_WAV, "its format chunk is too short");
        riff->tag = get16(riff, p + 24); /* the GUID's first bytes; the rest is the same for all */
    }
    return KZTTS_OK;
}

/* The chunk of samples: `size` as written, `room` bytes are left in the file. */
static kztts_status read_data(const kz_job *job, riff_walk *walk, size_t at, uint64_t size, size_t room) {
    kz_riff *riff = walk->riff;
    uint32_t whole = get32(riff, job->data + 4);
    if (riff->rf64 && size == UINT32_MAX)
        size = walk->data64;
    riff->streaming = size >= STREAM_SIZE && size > room;
    if (size == 0 && (whole == 0 || whole >= STREAM_SIZE))
        riff->streaming = true; /* never finished: the sizes were to be filled in later */
    riff->data_at = at;
    riff->data_size = riff->streaming || size > room ? room : (size_t)size;
    if (!riff->streaming && size > (uint64_t)room + KZ_CUT_TOLERANCE)
        return kz_source_fail_cut(job, size, room);
    walk->has_data = true;
    return KZTTS_OK;
}

static kztts_status walk_riff(const kz_job *job, riff_walk *walk) {
    kz_riff *riff = walk->riff;
    kztts_status status = KZTTS_OK;
    size_t at = 12;
    while (!status && !walk->has_data && job->n - at >= 8) {
        const unsigned char *p = job->data + at;
        size_t room = job->n - at - 8;
        uint32_t size = get32(riff, p + 4);
        if (memcmp(p, "data", 4) == 0) {
            status = read_data(job, walk, at + 8, size, room);
            break;
        }
        if (size > room)
            return bad_header(job, KZ_KIND_WAV, "it is cut off, or its chunks make no sense, before the sound begins");
        if (memcmp(p, "fmt ", 4) == 0) {
            status = read_format(job, riff, p + 8, size);
            walk->has_format = true;
        } else if (memcmp(p, "ds64", 4) == 0 && size >= 24) {
            walk->data64 = kz_le64(p + 16);
        }
        size_t step = (size_t)size + (size & 1);
        at += 8 + (step < room ? step : room);
    }
    return status;
}

static kztts_status refuse_tag(const kz_job *job, unsigned tag) {
    static const struct {
        unsigned tag;
        const char *name;
    } names[] = {{0x0055, "MP3"},  {0x0050, "MPEG layer II"}, {0x00ff, "AAC"},   {0x0161, "WMA"},   {0x0162, "WMA"},
                 {0x2000, "AC-3"}, {0x0022, "TrueSpeech"},    {0x0040, "G.721"}, {0x0064, "G.726"}, {0x566f, "Vorbis"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                                  "%s is WAV that holds %s, which can't be read: convert it to plain WAV", job->name,
                                  names[i].name);
    return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                          "%s is WAV of an unknown kind (format 0x%04x), which can't be read: convert it to plain WAV",
                          job->name, tag);
}

static bool known_tag(unsigned tag) {
    /* PCM, MS ADPCM, float, A-law, mu-law, IMA ADPCM, GSM */
    static const unsigned tags[] = {1, 2, 3, 6, 7, 0x11, 0x31};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

kztts_status kz_riff_check(const kz_job *job, kz_riff *riff) {
    riff_walk walk = {.riff = riff};
    memset(riff, 0, sizeof *riff);
    riff->big_endian = job->data[3] == 'X';
    riff->rf64 = memcmp(job->data, "RF64", 4) == 0;
    kztts_status status = walk_riff(job, &walk);
    if (status)
        return status;
    if (!walk.has_data)
        return no_sound(job, KZ_KIND_WAV);
    if (!walk.has_format)
        return bad_header(job, KZ_KIND_WAV, "it doesn't say how its samples are written");
    if (!known_tag(riff->tag))
        return refuse_tag(job, riff->tag);
    if (riff->channels == 0 || riff->block == 0)
        return bad_header(job, KZ_KIND_WAV, "its format makes no sense");
    return riff->data_size == 0 ? no_sound(job, KZ_KIND_WAV) : KZTTS_OK;
}

/* ---- AIFF, AU, CAF, FLAC ----------------------------------------------------------------------------------- */

kztts_status kz_aiff_check(const kz_job *job) {
    size_t at = 12;
    while (job->n - at >= 8) {
        const unsigned char *p = job->data + at;
        size_t room = job->n - at - 8;
        uint32_t size = kz_be32(p + 4);
        if (memcmp(p, "SSND", 4) == 0) {
            if (size > (uint64_t)room + KZ_CUT_TOLERANCE && size < STREAM_SIZE)
                return kz_source_fail_cut(job, size, room);
            return room <= 8 || size == 8 ? no_sound(job, KZ_KIND_AIFF) : KZTTS_OK;
        }
        if (size > room)
            return bad_header(job, KZ_KIND_AIFF, "it is cut off, or its chunks make no sense, before the sound begins");
        size_t step = (size_t)size + (size & 1);
        at += 8 + (step < room ? step : room);
    }
    return no_sound(job, KZ_KIND_AIFF);
}

kztts_status kz_au_check(const kz_job *job) {
    if (job->n < 24)
        return bad_header(job, KZ_KIND_AU, "its header is cut off");
    uint32_t at = kz_be32(job->data + 4), size = kz_be32(job->data + 8);
    if (at < 24 || at > job->n)
        return bad_header(job, KZ_KIND_AU, "its sound begins beyond its end");
    size_t room = job->n - at;
    if (room == 0 || size == 0)
        return no_sound(job, KZ_KIND_AU);
    return size != UINT32_MAX && size > (uint64_t)room + KZ_CUT_TOLERANCE ? kz_source_fail_cut(job, size, room)
                                                                          : KZTTS_OK;
}

kztts_status kz_caf_check(const kz_job *job) {
    bool described = false;
    size_t at = 8;
    while (job->n > at && job->n - at >= 12) {
        const unsigned char *p = job->data + at;
        size_t room = job->n - at - 12;
        uint64_t size = kz_be64(p + 4);
        if (memcmp(p, "desc", 4) == 0 && size >= 32 && room >= 32) {
            described = true;
            if (memcmp(p + 20, "lpcm", 4) != 0 && memcmp(p + 20, "ulaw", 4) != 0 && memcmp(p + 20, "alaw", 4) != 0)
                return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                                      "%s is CAF that holds %.4s, which can't be read: convert it to WAV", job->name,
                                      (const char *)(p + 20));
        }
        if (memcmp(p, "data", 4) == 0 && described) {
            if (size != UINT64_MAX && size > (uint64_t)room + KZ_CUT_TOLERANCE)
                return kz_source_fail_cut(job, size, room);
            return room <= 4 || size == 4 ? no_sound(job, KZ_KIND_CAF) : KZTTS_OK;
        }
        if (size > room)
            return bad_header(job, KZ_KIND_CAF, "it is cut off, or its chunks make no sense, before the sound begins");
        at += 12 + (size_t)size;
    }
    return no_sound(job, KZ_KIND_CAF);
}

/* Nothing but metadata blocks: libsndfile would call that an unspecific error. */
kztts_status kz_flac_check(const kz_job *job) {
    size_t at = 0;
    if (memcmp(job->data, "fLaC", 4) != 0)
        return KZTTS_OK; /* tagged; libsndfile finds its way */
    at = 4;
    for (bool last = false; !last;) {
        if (job->n - at < 4)
            return no_sound(job, KZ_KIND_FLAC);
        last = job->data[at] >> 7;
        size_t size = kz_be32(job->data + at) & 0xffffff;
        if (size > job->n - at - 4)
            return bad_header(job, KZ_KIND_FLAC, "it is cut off before the sound begins");
        at += 4 + size;
    }
    return at == job->n ? no_sound(job, KZ_KIND_FLAC) : KZTTS_OK;
}
