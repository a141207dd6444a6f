/* sndfile.c: what libsndfile reads, from memory.  SPDX-License-Identifier: Apache-2.0
 *
 * Only containers that were identified and checked before come here, so that the library's rarer readers stay out of
 * reach of hostile bytes. */
#include "internal.h"

#ifdef KZ_WITH_SNDFILE

#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_FRAMES = 2048,
    FORMAT_MPEG = 0x230000 /* SF_FORMAT_MPEG, which libsndfile before 1.1 doesn't know */
};

/* The file as libsndfile sees it: perhaps a head of our own, the bytes, and the two sizes of a WAV stream put right. */
typedef struct view {
    unsigned char head[KZ_MP3_INFO];
    sf_count_t n_head;
    const unsigned char *data;
    sf_count_t n_data, at;
    sf_count_t patch_at[2];
    unsigned char patch[2][4];
    int n_patch;
} view;

static sf_count_t view_length(void *user) { return ((view *)user)->n_head + ((view *)user)->n_data; }

static sf_count_t view_tell(void *user) { return ((view *)user)->at; }

static sf_count_t view_seek(sf_count_t offset, int whence, void *user) {
    view *v = user;
    sf_count_t length = view_length(v), base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? v->at : length;
    if (offset < -base || offset > length - base)
        return -1;
    v->at = base + offset;
    return v->at;
}

static void apply_patches(const view *v, unsigned char *bytes, sf_count_t first, sf_count_t count) {
    for (int i = 0; i < v->n_patch; i++)
        for (sf_count_t k = 0; k < 4; k++)
            if (v->patch_at[i] + k >= first && v->patch_at[i] + k < first + count)
                bytes[v->patch_at[i] + k - first] = v->patch[i][k];
}

static sf_count_t view_read(void *out, sf_count_t count, void *user) {
    view *v = user;
    unsigned char *to = out;
    sf_count_t left = view_length(v) - v->at, from_head = 0;
    if (count > left)
        count = left;
    if (count <= 0)
        return 0;
    if (v->at < v->n_head) {
        from_head = count < v->n_head - v->at ? count : v->n_head - v->at;
        memcpy(to, v->head + v->at, (size_t)from_head);
    }
    if (count > from_head)
        memcpy(to + from_head, v->data + (v->at + from_head - v->n_head), (size_t)(count - from_head));
    apply_patches(v, to, v->at, count);
    v->at += count;
    return count;
}

static sf_count_t view_write(const void *data, sf_count_t count, void *user) {
    (void)data, (void)count, (void)user;
    return 0;
}

static void patch_size(view *v, size_t at, size_t size, bool big_endian) {
    unsigned char *p = v->patch[v->n_patch];
    for (unsigned k = 0; k < 4; k++)
        p[k] = (unsigned char)(size >> 8 * (big_endian ? 3 - k : k) & 0xff);
    v->patch_at[v->n_patch++] = (sf_count_t)at;
}

static void make_view(view *v, const kz_job *job, kz_kind kind, const kz_riff *riff) {
    size_t skip = 0;
    memset(v, 0, sizeof *v);
    if (kind == KZ_KIND_MP3) {
        skip = kz_skip_tags(job->data, job->n);
        v->n_head = (sf_count_t)kz_mp3_make_info(job->data, job->n, skip, v->head);
    }
    v->data = job->data + skip;
    v->n_data = (sf_count_t)(job->n - skip);
    if (riff && riff->streaming && !riff->rf64) {
        patch_size(v, 4, job->n - 8, riff->big_endian);
        patch_size(v, riff->data_at - 4, riff->data_size, riff->big_endian);
    }
}

/* "WAV, 16-bit PCM" */
static void describe(kz_source_audio *out, kz_kind kind, int format) {
    static const struct {
        int subtype;
        const char *name;
    } names[] = {
        {SF_FORMAT_PCM_S8, "8-bit PCM"},
        {SF_FORMAT_PCM_U8, "8-bit PCM"},
        {SF_FORMAT_PCM_16, "16-bit PCM"},
        {SF_FORMAT_PCM_24, "24-bit PCM"},
        {SF_FORMAT_PCM_32, "32-bit PCM"},
        {SF_FORMAT_FLOAT, "32-bit float"},
        {SF_FORMAT_DOUBLE, "64-bit float"},
        {SF_FORMAT_ULAW, "mu-law"},
        {SF_FORMAT_ALAW, "A-law"},
        {SF_FORMAT_IMA_ADPCM, "IMA ADPCM"},
        {SF_FORMAT_MS_ADPCM, "MS ADPCM"},
        {SF_FORMAT_GSM610, "GSM 6.10"},
        {SF_FORMAT_VORBIS, "Vorbis"},
        {0x0081, "layer II"},
        {0x0082, "layer III"},
    };
    const char *container = kind == KZ_KIND_OGG_VORBIS || kind == KZ_KIND_OGG_FLAC ? "Ogg" : kz_kind_name(kind);
    const char *coding = "other coding";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].subtype == (format & SF_FORMAT_SUBMASK))
            coding = names[i].name;
    snprintf(out->format, sizeof out->format, "%s, %s%s", container, kind == KZ_KIND_OGG_FLAC ? "FLAC " : "", coding);
}

/* Does libsndfile see the container that was identified? */
static bool container_fits(kz_kind kind, int format) {
    int major = format & SF_FORMAT_TYPEMASK;
    switch (kind) {
    case KZ_KIND_WAV:
        return major == SF_FORMAT_WAV || major == SF_FORMAT_WAVEX || major == SF_FORMAT_RF64;
    case KZ_KIND_AIFF:
        return major == SF_FORMAT_AIFF;
    case KZ_KIND_AU:
        return major == SF_FORMAT_AU;
    case KZ_KIND_CAF:
        return major == SF_FORMAT_CAF;
    case KZ_KIND_FLAC:
        return major == SF_FORMAT_FLAC;
    case KZ_KIND_MP3:
        return major == FORMAT_MPEG;
    case KZ_KIND_OGG_VORBIS:
    case KZ_KIND_OGG_FLAC:
        return major == SF_FORMAT_OGG;
    default:
        return false;
    }
}

static kztts_status decode(kz_job *job, SNDFILE *file, const SF_INFO *info) {
    float *block = malloc(sizeof *block * BLOCK_FRAMES * (size_t)info->channels);
    if (!block)
        return kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while reading %s", job->name);
    kztts_status status = KZTTS_OK;
    sf_count_t n;
    while (!status && (n = sf_readf_float(file, block, BLOCK_FRAMES)) > 0)
        status = kz_mono_add(job, block, (size_t)n, info->channels);
    free(block);
    return status;
}

/* Less than announced came out: cut off or damaged. */
static kztts_status check_length(const kz_job *job, SNDFILE *file, uint64_t frames) {
    if (sf_error(file) != SF_ERR_NO_ERROR)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is damaged after %.2f s: libsndfile says \"%s\"", job->name,
                              (double)job->out->n / job->out->file_rate, sf_strerror(file));
    if (job->out->n < frames)
        return kz_source_fail(
            job, KZTTS_ERROR_FORMAT, "%s is cut off or damaged: it announces %.2f s, %.2f s are there: copy it again",
            job->name, (double)frames / job->out->file_rate, (double)job->out->n / job->out->file_rate);
    return KZTTS_OK;
}

kztts_status kz_decode_sndfile(kz_job *job, kz_kind kind, const kz_riff *riff) {
    SF_VIRTUAL_IO io = {view_length, view_seek, view_read, view_write, view_tell};
    SF_INFO info = {0};
    view v;
    make_view(&v, job, kind, riff);
    if (kind == KZ_KIND_MP3 && !kz_sndfile_reads_mp3())
        return kz_source_fail(
            job, KZTTS_ERROR_FORMAT,
            "%s is MP3, and the libsndfile of this system is too old for it (1.1 and later read it); %s "
            "can be read",
            job->name, kz_source_formats());
    SNDFILE *file = sf_open_virtual(&io, SFM_READ, &info, &v);
    if (!file)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                              "%s is %s, but damaged or of a rare kind: libsndfile says \"%s\"", job->name,
                              kz_kind_name(kind), sf_strerror(NULL));
    uint64_t frames = info.frames > 0 && info.frames < SF_COUNT_MAX / 2 ? (uint64_t)info.frames : 0;
    kztts_status status = KZTTS_OK;
    if (!container_fits(kind, info.format))
        status = kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s begins as %s, but isn't: libsndfile reads format 0x%x",
                                job->name, kz_kind_name(kind), (unsigned)info.format);
    if (!status)
        status = kz_mono_begin(job, info.samplerate, info.channels, frames);
    if (!status) {
        describe(job->out, kind, info.format);
        status = decode(job, file, &info);
    }
    if (!status)
        status = check_length(job, file, frames);
    sf_close(file);
    return status;
}

bool kz_sndfile_reads_mp3(void) {
    int count = 0;
    if (sf_command(NULL, SFC_GET_FORMAT_MAJOR_COUNT, &count, (int)sizeof count) != 0)
        return false;
    for (int i = 0; i < count; i++) {
        SF_FORMAT_INFO format = {.format = i};
        if (sf_command(NULL, SFC_GET_FORMAT_MAJOR, &format, (int)sizeof format) == 0 && format.format == FORMAT_MPEG)
            return true;
    }
    return false;
}

#else

bool kz_sndfile_reads_mp3(void) { return false; }

#endif
