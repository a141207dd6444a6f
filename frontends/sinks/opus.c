/* opus.c: Opus in Ogg, with libopusenc.  SPDX-License-Identifier: Apache-2.0
 *
 * Any rate goes in; Opus itself knows 48000 only, and the library resamples. Pages of a pipe hold a frame of the released
 * models, 80 ms, those of a file a second. The serial number is always the same: equal sound makes equal files. */
#include <errno.h>
#include <stdlib.h>

#include "parts.h"

static int highest(int rate) {
    (void)rate;
    return 256;
}

#ifdef KZ_WITH_OPUSENC

#include <opusenc.h>

enum { BLOCK = 960, SERIAL = 1, PIPE_PAGE = 3840, FILE_PAGE = 48000 /* samples at 48000 Hz */ };

typedef struct opus_state {
    OggOpusEnc *encoder;
    OggOpusComments *comments;
    kz_outfile *out;
    int error; /* errno of the first failed write */
    float block[BLOCK];
    int n; /* in block */
} opus_state;

static int on_write(void *user, const unsigned char *data, opus_int32 n) {
    opus_state *opus = user;
    if (!opus->error)
        opus->error = kz_outfile_write(opus->out, data, (size_t)n);
    return opus->error != 0;
}

static int on_close(void *user) {
    (void)user;
    return 0;
}

static int failure(kz_sink *sink, int code) {
    const opus_state *opus = sink->state;
    if (opus->error)
        return opus->error;
    return code == OPE_ALLOC_FAIL ? ENOMEM : kz_sink_fail(sink, "libopusenc can't go on: %s", ope_strerror(code));
}

static bool add_comment(OggOpusComments *comments, const char *name, const char *text) {
    return !*text || ope_comments_add(comments, name, text) == OPE_OK;
}

static int opus_start(kz_sink *sink) {
    static const OpusEncCallbacks callbacks = {on_write, on_close};
    int code = OPE_OK, bitrate = sink->options.bitrate ? sink->options.bitrate : sink->type->bitrate;
    opus_state *opus = calloc(1, sizeof *opus);
    sink->state = opus;
    if (!opus)
        return ENOMEM;
    opus->out = &sink->out;
    opus->comments = ope_comments_create();
    if (!opus->comments || !add_comment(opus->comments, "COMMENT", sink->comment) ||
        !add_comment(opus->comments, "SOFTWARE", sink->software))
        return ENOMEM;
    opus->encoder = ope_encoder_create_callbacks(&callbacks, opus, opus->comments, sink->sample_rate, 1, 0, &code);
    if (!opus->encoder)
        return failure(sink, code);
    if ((code = ope_encoder_ctl(opus->encoder, OPUS_SET_BITRATE(1000 * bitrate))) != OPE_OK ||
        (code = ope_encoder_ctl(opus->encoder, OPE_SET_SERIALNO(SERIAL))) != OPE_OK ||
        (code = ope_encoder_ctl(opus->encoder, OPE_SET_DECISION_DELAY(0))) != OPE_OK ||
        (code = ope_encoder_ctl(opus->encoder, OPE_SET_MUXING_DELAY(sink->out.seekable ? FILE_PAGE : PIPE_PAGE))) !=
            OPE_OK ||
        (code = ope_encoder_flush_header(opus->encoder)) != OPE_OK)
        return failure(sink, code);
    return 0;
}

static int put_block(kz_sink *sink) {
    opus_state *opus = sink->state;
    int code = ope_encoder_write_float(opus->encoder, opus->block, opus->n);
    opus->n = 0;
    return code != OPE_OK || opus->error ? failure(sink, code) : 0;
}

/* Whole blocks: the library's result depends on how the samples come. */
static int opus_write(kz_sink *sink, const float *pcm, size_t n) {
    opus_state *opus = sink->state;
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        opus->block[opus->n++] = pcm[i];
        if (opus->n == BLOCK)
            error = put_block(sink);
    }
    return error;
}

static int opus_finish(kz_sink *sink) {
    opus_state *opus = sink->state;
    int error = opus->n ? put_block(sink) : 0;
    if (error)
        return error;
    int code = ope_encoder_drain(opus->encoder);
    return code != OPE_OK || opus->error ? failure(sink, code) : 0;
}

static void opus_release(kz_sink *sink) {
    opus_state *opus = sink->state;
    if (opus->encoder)
        ope_encoder_destroy(opus->encoder);
    if (opus->comments)
        ope_comments_destroy(opus->comments);
    free(opus);
}

const kz_sink_type kz_sink_opus = {.name = "opus",
                                   .extensions = ".opus .ogg",
                                   .bitrate = 48,
                                   .highest = highest,
                                   .start = opus_start,
                                   .write = opus_write,
                                   .finish = opus_finish,
                                   .release = opus_release};

#else

const kz_sink_type kz_sink_opus = {.name = "opus",
                                   .extensions = ".opus .ogg",
                                   .bitrate = 48,
                                   .highest = highest,
                                   .lacks = "libopusenc (package libopusenc-dev), which writes Opus"};

#endif
