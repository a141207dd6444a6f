/* test_source_voice.c: one clip in many containers is one voice.  SPDX-License-Identifier: Apache-2.0
 *
 * The speaker vectors are compared with that of the clip itself: cosine at least 0.99, and 0.9 from 8 kHz. The files are
 * written here by libsndfile; without it there is nothing to test. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/api.h"
#include "containers.h"
#include "source.h"
#include "speech.h"

#ifdef KZ_WITH_SNDFILE

#include <sndfile.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { RATE = 24000, SECONDS = 3, CLIP = RATE * SECONDS, MPEG = 0x230000, LAYER3 = 0x82, OPUS = 0x64 };

static kztts_model *base;

static int open_base(void **state) {
    (void)state;
    return kztts_model_open(&base, ODD, NULL) == KZTTS_OK ? 0 : -1;
}

static int close_base(void **state) {
    (void)state;
    kztts_model_close(&base);
    return 0;
}

/* The noise floor of a living room; coarser codings stay below it. */
static float *make_clip(int rate, uint64_t seed) {
    float *pcm = malloc(sizeof *pcm * (size_t)rate * SECONDS);
    assert_non_null(pcm);
    speech_like(pcm, (size_t)rate * SECONDS, rate, -20, -45, seed);
    return pcm;
}

/* vector: [width of the model] */
static void speaker_vector(float *vector, const float *pcm, size_t n) {
    kztts_voice *voice;
    if (kztts_voice_clone(&voice, base, pcm, n, NULL) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(voice));
    memcpy(vector, voice->v.x_vector, base->m.cfg.talker.d_model * sizeof *vector);
    kztts_voice_close(&voice);
}

static double cosine(const float *a, const float *b) {
    double aa = 0, ab = 0, bb = 0;
    for (size_t i = 0; i < base->m.cfg.talker.d_model; i++) {
        aa += (double)a[i] * (double)a[i];
        ab += (double)a[i] * (double)b[i];
        bb += (double)b[i] * (double)b[i];
    }
    return ab / sqrt(aa * bb);
}

static void vector_of_file(float *vector, const bytes *file, const char *name) {
    char message[KZ_SOURCE_MESSAGE];
    kz_source_audio audio;
    if (kz_source_decode(file->data, file->n, "clip", RATE, NULL, &audio, message, sizeof message) != KZTTS_OK)
        fail_msg("%s: %s", name, message);
    speaker_vector(vector, audio.pcm, audio.n);
    kz_source_free(&audio);
}

typedef struct kind {
    int format;
    const char *name;
    double least; /* cosine with the clip */
    int optional; /* of libsndfile 1.1 */
} kind;

#define SAME 0.99999 /* nothing, or next to nothing, is lost */
#define NEAR 0.99
#define NARROW 0.9

static const kind kinds[] = {
    {SF_FORMAT_WAV | SF_FORMAT_PCM_U8, "wav 8", NEAR, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_16, "wav 16", SAME, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_24, "wav 24", SAME, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_32, "wav 32", SAME, 0},
    {SF_FORMAT_WAV | SF_FORMAT_FLOAT, "wav float", SAME, 0},
    {SF_FORMAT_WAV | SF_FORMAT_ULAW, "wav mu-law", NEAR, 0},
    {SF_FORMAT_WAV | SF_FORMAT_ALAW, "wav A-law", NEAR, 0},
    {SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, "wav extensible", SAME, 0},
    {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "flac", SAME, 0},
    {SF_FORMAT_OGG | SF_FORMAT_VORBIS, "ogg vorbis", NEAR, 0},
    {SF_FORMAT_AIFF | SF_FORMAT_PCM_16, "aiff", SAME, 0},
    {SF_FORMAT_AU | SF_FORMAT_PCM_16, "au", SAME, 0},
    {SF_FORMAT_CAF | SF_FORMAT_PCM_16, "caf", SAME, 0},
    {MPEG | LAYER3, "mp3", NEAR, 1},
#ifdef KZ_WITH_OPUSFILE
    {SF_FORMAT_OGG | OPUS, "ogg opus", NEAR, 0},
#endif
};

static const kind narrow[] = {{SF_FORMAT_WAV | SF_FORMAT_PCM_16, "wav 16, 8 kHz", NARROW, 0},
                              {SF_FORMAT_WAV | SF_FORMAT_ULAW, "wav mu-law, 8 kHz", NARROW, 0},
                              {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "flac, 8 kHz", NARROW, 0}};

static size_t compare(const kind *list, size_t n, int rate, const float *want) {
    static float vector[KZ_VOICE_MAX_WIDTH];
    float *pcm = make_clip(rate, 1);
    size_t n_read = 0;
    for (size_t i = 0; i < n; i++) {
        bytes file = {0};
        if (encode_clip(&file, list[i].format, rate, pcm, (size_t)rate * SECONDS)) {
            vector_of_file(vector, &file, list[i].name);
            double c = cosine(vector, want);
            print_message("%-20s %6zu bytes, cosine %.5f\n", list[i].name, file.n, c);
            if (!(c >= list[i].least))
                fail_msg("%s: cosine %.5f, at least %g expected", list[i].name, c, list[i].least);
            n_read++;
        } else if (!list[i].optional) {
            fail_msg("libsndfile doesn't write %s", list[i].name);
        }
        bytes_free(&file);
    }
    free(pcm);
    return n_read;
}

static void test_one_voice(void **state) {
    (void)state;
    static float want[KZ_VOICE_MAX_WIDTH], other[KZ_VOICE_MAX_WIDTH];
    float *pcm = make_clip(RATE, 1);
    speaker_vector(want, pcm, CLIP);
    for (size_t i = 1; i < CLIP; i++) /* thinner: differences of neighbours */
        pcm[i - 1] = pcm[i] - pcm[i - 1];
    speaker_vector(other, pcm, CLIP);
    free(pcm);
    print_message("another sound: cosine %.5f\n", cosine(other, want));
    assert_true(cosine(other, want) < 0.995); /* it does tell sounds apart, little as random weights do */
    assert_true(compare(kinds, LENGTH(kinds), RATE, want) >= 10);
    assert_int_equal(compare(narrow, LENGTH(narrow), 8000, want), LENGTH(narrow));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_voice)};
    return cmocka_run_group_tests(tests, open_base, close_base);
}

#else

int main(void) {
    puts("SKIP: built without libsndfile");
    return 77;
}

#endif
