/* aac.c: samples into AAC-LC frames, with libvo-aacenc.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

const int kz_aac_rates[] = {96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 0};

/* The library's limit for one channel. */
int kz_aac_highest(int rate) { return 6 * rate / 1000 < 160 ? 6 * rate / 1000 : 160; }

int kz_aac_bits(const kz_sink *sink) {
    int asked = sink->options.bitrate ? sink->options.bitrate : KZ_AAC_BITRATE,
        most = kz_aac_highest(sink->sample_rate);
    return 1000 * (asked < most ? asked : most);
}

#ifdef KZ_WITH_VO_AACENC

#include <vo-aacenc/cmnMemory.h>
#include <vo-aacenc/voAAC.h>

enum { FRAME = KZ_AAC_FRAME, OUT_BYTES = 8192, DELAY = 1600 };

struct kz_aac {
    VO_AUDIO_CODECAPI api;
    VO_HANDLE handle;
    VO_MEM_OPERATOR memory; /* the library's own functions, which it wants to be handed */
    int (*frame)(void *user, const unsigned char *data, size_t n);
    void *user;
    short in[FRAME];
    size_t n_in;
    uint64_t n_sample, n_frame;
    unsigned char out[OUT_BYTES];
};

int kz_aac_delay(void) { return DELAY; }

kz_aac *kz_aac_open(int sample_rate, int bits_per_second, bool adts,
                    int (*frame)(void *user, const unsigned char *data, size_t n), void *user) {
    AACENC_PARAM param = {
        .sampleRate = sample_rate, .bitRate = bits_per_second, .nChannels = 1, .adtsUsed = adts ? 1 : 0};
    kz_aac *aac = calloc(1, sizeof *aac);
    if (!aac)
        return NULL;
    aac->memory = (VO_MEM_OPERATOR){
        .Alloc = cmnMemAlloc, .Free = cmnMemFree, .Set = cmnMemSet, .Copy = cmnMemCopy, .Check = cmnMemCheck};
    VO_CODEC_INIT_USERDATA data = {.memflag = VO_IMF_USERMEMOPERATOR, .memData = &aac->memory};
    aac->frame = frame;
    aac->user = user;
    if (voGetAACEncAPI(&aac->api) == 0 && aac->api.Init(&aac->handle, VO_AUDIO_CodingAAC, &data) == 0 &&
        aac->api.SetParam(aac->handle, VO_PID_AAC_ENCPARAM, &param) == 0)
        return aac;
    kz_aac_close(aac);
    return NULL;
}

static int encode(kz_aac *aac) {
    VO_CODECBUFFER in = {.Buffer = (VO_PBYTE)aac->in, .Length = sizeof aac->in};
    VO_CODECBUFFER out = {.Buffer = aac->out, .Length = sizeof aac->out};
    VO_AUDIO_OUTPUTINFO info;
    aac->n_in = 0;
    aac->n_frame++;
    memset(&info, 0, sizeof info);
    if (aac->api.SetInputData(aac->handle, &in) != 0 || aac->api.GetOutputData(aac->handle, &out, &info) != 0)
        return ENOMEM; /* the only thing that can be wrong with a whole frame */
    return aac->frame(aac->user, aac->out, (size_t)out.Length);
}

int kz_aac_write(kz_aac *aac, const float *pcm, size_t n) {
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        aac->in[aac->n_in++] = kz_pcm_s16(pcm[i]);
        aac->n_sample++;
        if (aac->n_in == FRAME)
            error = encode(aac);
    }
    return error;
}

int kz_aac_finish(kz_aac *aac) {
    uint64_t need = (aac->n_sample + DELAY + FRAME - 1) / FRAME;
    int error = 0;
    while (aac->n_sample && aac->n_frame < need && !error) {
        memset(aac->in + aac->n_in, 0, (FRAME - aac->n_in) * sizeof *aac->in);
        error = encode(aac);
    }
    return error;
}

void kz_aac_close(kz_aac *aac) {
    if (aac && aac->handle)
        aac->api.Uninit(aac->handle);
    free(aac);
}

#else

int kz_aac_delay(void) { return 0; }

kz_aac *kz_aac_open(int sample_rate, int bits_per_second, bool adts,
                    int (*frame)(void *user, const unsigned char *data, size_t n), void *user) {
    (void)sample_rate, (void)bits_per_second, (void)adts, (void)frame, (void)user;
    return NULL;
}

int kz_aac_write(kz_aac *aac, const float *pcm, size_t n) {
    (void)aac, (void)pcm, (void)n;
    return ENOSYS;
}

int kz_aac_finish(kz_aac *aac) {
    (void)aac;
    return ENOSYS;
}

void kz_aac_close(kz_aac *aac) { (void)aac; }

#endif
