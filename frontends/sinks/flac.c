/* flac.c: FLAC sink: 16 bit, with libFLAC.  SPDX-License-Identifier: Apache-2.0
 *
 * The samples are those of the WAV file. The number of samples and their MD5 are written into the header at the end when
 * the output can be patched; else it says "not known". A block is a frame of the released models, 80 ms, so that a player
 * at the end of a pipe doesn't wait for more. */
#include <errno.h>
#include <stdlib.h>

#include "parts.h"

#ifdef KZ_WITH_FLAC

#include <FLAC/metadata.h>
#include <FLAC/stream_encoder.h>

enum { CHUNK = 1024, LONGEST_BLOCK = 4608 /* that every decoder takes */ };

typedef struct flac_state {
    FLAC__StreamEncoder *encoder;
    FLAC__StreamMetadata *comments;
    kz_outfile *out;
    uint64_t written, at; /* bytes; at: of the next patch */
    bool patching, muted;
    int error; /* errno of the first failed write */
} flac_state;

static FLAC__StreamEncoderWriteStatus on_write(const FLAC__StreamEncoder *encoder, const FLAC__byte data[], size_t n,
                                               uint32_t samples, uint32_t frame, void *user) {
    flac_state *flac = user;
    (void)encoder, (void)samples, (void)frame;
    if (flac->muted)
        return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
    int error =
        flac->patching ? kz_outfile_patch(flac->out, (size_t)flac->at, data, n) : kz_outfile_write(flac->out, data, n);
    if (flac->patching)
        flac->at += n;
    else
        flac->written += n;
    if (error && !flac->error)
        flac->error = error;
    return error ? FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR : FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

/* The encoder goes back to the header once, at its end. */
static FLAC__StreamEncoderSeekStatus on_seek(const FLAC__StreamEncoder *encoder, FLAC__uint64 offset, void *user) {
    flac_state *flac = user;
    (void)encoder;
    flac->patching = true;
    flac->at = offset;
    return FLAC__STREAM_ENCODER_SEEK_STATUS_OK;
}

static FLAC__StreamEncoderTellStatus on_tell(const FLAC__StreamEncoder *encoder, FLAC__uint64 *offset, void *user) {
    const flac_state *flac = user;
    (void)encoder;
    *offset = flac->patching ? flac->at : flac->written;
    return FLAC__STREAM_ENCODER_TELL_STATUS_OK;
}

static bool add_comment(FLAC__StreamMetadata *comments, const char *name, const char *text) {
    FLAC__StreamMetadata_VorbisComment_Entry entry;
    if (!*text)
        return true;
    if (!FLAC__metadata_object_vorbiscomment_entry_from_name_value_pair(&entry, name, text))
        return false;
    if (FLAC__metadata_object_vorbiscomment_append_comment(comments, entry, false))
        return true;
    free(entry.entry);
    return false;
}

static bool set_up(kz_sink *sink, flac_state *flac) {
    FLAC__StreamEncoder *e = flac->encoder;
    uint32_t rate = (uint32_t)sink->sample_rate, block = rate * 2 / 25;
    return FLAC__stream_encoder_set_channels(e, 1) && FLAC__stream_encoder_set_bits_per_sample(e, 16) &&
           FLAC__stream_encoder_set_sample_rate(e, rate) && FLAC__stream_encoder_set_compression_level(e, 5) &&
           FLAC__stream_encoder_set_blocksize(e, block < LONGEST_BLOCK ? block : LONGEST_BLOCK) &&
           FLAC__stream_encoder_set_metadata(e, &flac->comments, 1);
}

static int flac_start(kz_sink *sink) {
    flac_state *flac = calloc(1, sizeof *flac);
    sink->state = flac;
    if (!flac)
        return ENOMEM;
    flac->out = &sink->out;
    flac->encoder = FLAC__stream_encoder_new();
    flac->comments = FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT);
    if (!flac->encoder || !flac->comments || !add_comment(flac->comments, "COMMENT", sink->comment) ||
        !add_comment(flac->comments, "SOFTWARE", sink->software))
        return ENOMEM;
    bool seek = sink->out.seekable;
    FLAC__StreamEncoderInitStatus status =
        !set_up(sink, flac) ? FLAC__STREAM_ENCODER_INIT_STATUS_INVALID_METADATA
                            : FLAC__stream_encoder_init_stream(flac->encoder, on_write, seek ? on_seek : NULL,
                                                               seek ? on_tell : NULL, NULL, flac);
    if (flac->error)
        return flac->error;
    if (status != FLAC__STREAM_ENCODER_INIT_STATUS_OK)
        return kz_sink_fail(sink, "libFLAC refuses %d samples a second: %s", sink->sample_rate,
                            FLAC__StreamEncoderInitStatusString[status]);
    return 0;
}

/* After a call that failed. */
static int failure(kz_sink *sink) {
    flac_state *flac = sink->state;
    if (flac->error)
        return flac->error;
    return kz_sink_fail(sink, "libFLAC can't go on: %s", FLAC__stream_encoder_get_resolved_state_string(flac->encoder));
}

static int flac_write(kz_sink *sink, const float *pcm, size_t n) {
    flac_state *flac = sink->state;
    FLAC__int32 values[CHUNK];
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK;
        for (size_t i = 0; i < part; i++)
            values[i] = kz_pcm_s16(pcm[i]);
        if (!FLAC__stream_encoder_process_interleaved(flac->encoder, values, (uint32_t)part))
            return failure(sink);
        pcm += part;
        n -= part;
    }
    return 0;
}

static int flac_finish(kz_sink *sink) {
    flac_state *flac = sink->state;
    return FLAC__stream_encoder_finish(flac->encoder) ? flac->error : failure(sink);
}

static void flac_release(kz_sink *sink) {
    flac_state *flac = sink->state;
    flac->muted = true; /* deleting an encoder that isn't finished finishes it */
    if (flac->encoder)
        FLAC__stream_encoder_delete(flac->encoder);
    if (flac->comments)
        FLAC__metadata_object_delete(flac->comments);
    free(flac);
}

const kz_sink_type kz_sink_flac = {.name = "flac",
                                   .extensions = ".flac",
                                   .start = flac_start,
                                   .write = flac_write,
                                   .finish = flac_finish,
                                   .release = flac_release};

#else

const kz_sink_type kz_sink_flac = {
    .name = "flac", .extensions = ".flac", .lacks = "libFLAC (package libflac-dev), which writes FLAC"};

#endif
