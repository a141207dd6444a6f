/* fuzz_source.c: a recording of any bytes, read and checked as a reference.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the bytes, the answer is samples that are numbers within the limits, or a status with a sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "source.h"

enum { RATE = 24000, SECONDS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libsndfile 1.2 forgets the Vorbis state when a header is damaged: a few kilobytes once a file. Only allocations made
 * inside that library are meant. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:vorbis_info_init\n"; }

static void require(int condition) {
    if (!condition)
        abort();
}

static void check_audio(const kz_source_audio *audio) {
    require(audio->pcm && audio->n > 0 && audio->rate == RATE);
    require(audio->n <= (size_t)SECONDS * RATE + RATE / 1000);
    require(audio->file_rate > 0 && audio->channels > 0 && audio->seconds > 0);
    require(memchr(audio->format, 0, sizeof audio->format) != NULL);
    for (size_t i = 0; i < audio->n; i++)
        require(isfinite(audio->pcm[i]));
}

static void check_reference(const kz_source_audio *audio, const uint8_t *data, size_t size) {
    kz_reference_report report;
    char transcript[64];
    size_t n = size < sizeof transcript ? size : sizeof transcript - 1;
    memcpy(transcript, data + size - n, n); /* any bytes: UTF-8 or not */
    transcript[n] = '\0';
    kz_reference_options options = {.rate = audio->rate, .file_rate = audio->file_rate, .transcript = transcript};
    options.raw = size & 1;
    options.strict = size & 2;
    kz_reference_check(&report, audio->pcm, audio->n, &options);
    require(report.action.first <= audio->n && report.action.n <= audio->n - report.action.first);
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++)
        require(memchr(report.finding[i].text, 0, sizeof report.finding[i].text) && report.finding[i].text[0]);
    float *out;
    size_t n_out;
    if (kz_reference_apply(&report, audio->pcm, &out, &n_out) == KZTTS_OK)
        require(n_out == report.action.n + report.action.pad);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_source_audio audio;
    kz_source_limits limits = {.seconds = SECONDS};
    char message[KZ_SOURCE_MESSAGE];
    kztts_status status = kz_source_decode(data, size, "input", RATE, &limits, &audio, message, sizeof message);
    if (status == KZTTS_OK) {
        check_audio(&audio);
        check_reference(&audio, data, size);
    } else {
        require(!audio.pcm && audio.n == 0 && message[0] && strlen(message) < sizeof message - 1);
    }
    kz_source_free(&audio);
    return 0;
}
