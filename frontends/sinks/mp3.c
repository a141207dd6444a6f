/* mp3.c: MP3 sink: constant bit rate, with libmp3lame.  SPDX-License-Identifier: Apache-2.0
 *
 * An ID3 tag, then, when the output can be patched, a frame of silence that tells length, delay and padding, filled in at
 * the end, then sound. In a pipe that frame would tell a wrong length, and isn't written. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "parts.h"

/* The format's: of MPEG 1, 2 and 2.5. */
static const int rates[] = {8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 0};

static int highest(int rate) { return rate >= 32000 ? 320 : rate >= 16000 ? 160 : 64; }

#ifdef KZ_WITH_MP3LAME

#include <lame/lame.h>

enum { CHUNK = 1024, BYTES = CHUNK * 5 / 4 + 7200 /* that libmp3lame asks for */ };

typedef struct mp3_state {
    lame_t lame;
    size_t info_at; /* bytes of the tag before it */
} mp3_state;

/* What is wrong is told by return values. */
static void no_report(const char *format, va_list args) { (void)format, (void)args; }

static bool set_up(kz_sink *sink, lame_t lame) {
    int bitrate = sink->options.bitrate ? sink->options.bitrate : sink->type->bitrate,
        most = highest(sink->sample_rate);
    lame_set_errorf(lame, no_report);
    lame_set_debugf(lame, no_report);
    lame_set_msgf(lame, no_report);
    lame_set_write_id3tag_automatic(lame, 0);
    return lame_set_in_samplerate(lame, sink->sample_rate) == 0 &&
           lame_set_out_samplerate(lame, sink->sample_rate) == 0 && lame_set_num_channels(lame, 1) == 0 &&
           lame_set_mode(lame, MONO) == 0 && lame_set_VBR(lame, vbr_off) == 0 &&
           lame_set_brate(lame, bitrate < most ? bitrate : most) == 0 && lame_set_quality(lame, 3) == 0 &&
           lame_set_bWriteVbrTag(lame, sink->out.seekable) == 0 && lame_init_params(lame) >= 0;
}

static int mp3_start(kz_sink *sink) {
    unsigned char tag[KZ_ID3_MAX];
    mp3_state *mp3 = calloc(1, sizeof *mp3);
    sink->state = mp3;
    if (!mp3 || !(mp3->lame = lame_init()))
        return ENOMEM;
    if (!set_up(sink, mp3->lame))
        return kz_sink_fail(sink, "libmp3lame refuses %d samples a second", sink->sample_rate);
    mp3->info_at = kz_id3_make(sink, tag);
    return mp3->info_at ? kz_outfile_write(&sink->out, tag, mp3->info_at) : 0;
}

/* n: what the library returned: bytes, or below zero what went wrong. */
static int put(kz_sink *sink, const unsigned char *bytes, int n) {
    if (n == -2)
        return ENOMEM;
    if (n < 0)
        return kz_sink_fail(sink, "libmp3lame can't go on (error %d)", n);
    return n ? kz_outfile_write(&sink->out, bytes, (size_t)n) : 0;
}

static int mp3_write(kz_sink *sink, const float *pcm, size_t n) {
    mp3_state *mp3 = sink->state;
    unsigned char bytes[BYTES];
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK;
        int error = put(sink, bytes, lame_encode_buffer_ieee_float(mp3->lame, pcm, pcm, (int)part, bytes, BYTES));
        if (error)
            return error;
        pcm += part;
        n -= part;
    }
    return 0;
}

static int mp3_finish(kz_sink *sink) {
    mp3_state *mp3 = sink->state;
    unsigned char bytes[BYTES];
    int error = put(sink, bytes, lame_encode_flush(mp3->lame, bytes, BYTES));
    if (error || !sink->out.seekable)
        return error;
    size_t n = lame_get_lametag_frame(mp3->lame, bytes, BYTES); /* 0: the frames are too small for it */
    return n && n <= BYTES ? kz_outfile_patch(&sink->out, mp3->info_at, bytes, n) : 0;
}

static void mp3_release(kz_sink *sink) {
    mp3_state *mp3 = sink->state;
    if (mp3->lame)
        lame_close(mp3->lame);
    free(mp3);
}

const kz_sink_type kz_sink_mp3 = {.name = "mp3",
                                  .extensions = ".mp3",
                                  .rates = rates,
                                  .bitrate = 64,
                                  .highest = highest,
                                  .start = mp3_start,
                                  .write = mp3_write,
                                  .finish = mp3_finish,
                                  .release = mp3_release};

#else

const kz_sink_type kz_sink_mp3 = {.name = "mp3",
                                  .extensions = ".mp3",
                                  .rates = rates,
                                  .bitrate = 64,
                                  .highest = highest,
                                  .lacks = "libmp3lame (package libmp3lame-dev), which writes MP3"};

#endif
