/* adts.c: AAC sink: frames that each tell their own size (ADTS).  SPDX-License-Identifier: Apache-2.0
 *
 * An ID3 tag, as the segments of HTTP live streaming have it, then the frames: fit for pipes. How much of the first and
 * the last frame is sound can't be told; m4a files tell. */
#include <errno.h>

#include "parts.h"

static int put_frame(void *user, const unsigned char *data, size_t n) { return kz_outfile_write(user, data, n); }

static int adts_start(kz_sink *sink) {
    unsigned char tag[KZ_ID3_MAX];
    sink->state = kz_aac_open(sink->sample_rate, kz_aac_bits(sink), true, put_frame, &sink->out);
    if (!sink->state)
        return ENOMEM;
    size_t n = kz_id3_make(sink, tag);
    return n ? kz_outfile_write(&sink->out, tag, n) : 0;
}

static int adts_write(kz_sink *sink, const float *pcm, size_t n) { return kz_aac_write(sink->state, pcm, n); }

static int adts_finish(kz_sink *sink) { return kz_aac_finish(sink->state); }

static void adts_release(kz_sink *sink) { kz_aac_close(sink->state); }

const kz_sink_type kz_sink_aac = {.name = "aac",
                                  .extensions = ".aac",
                                  .lacks = KZ_AAC_LACKS,
                                  .rates = kz_aac_rates,
                                  .bitrate = KZ_AAC_BITRATE,
                                  .highest = kz_aac_highest,
                                  .start = adts_start,
                                  .write = adts_write,
                                  .finish = adts_finish,
                                  .release = adts_release};
