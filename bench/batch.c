/* batch.c: frames a second of the language model, by how many utterances it speaks at once, as JSON lines.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   bench_batch MODEL [quant ("")] [threads (0 = all)] [frames an utterance (16)] [batch sizes (1 2 4 8)]...
 *
 * A text of one sentence and then as many for each size as fill two batches; greedy; codes alone count: the codec's time
 * is left out, the first sentence (which always runs alone) too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kztts/kztts.h"

static const char sentence[] = "The number of sentences that are spoken at once changes no sample of any of them.\n\n";

static int fail(const char *message) {
    fprintf(stderr, "bench_batch: %s\n", message);
    return 1;
}

/* Seconds of the language model for n sentences. */
static kztts_status speak(kztts_model *model, const kztts_voice *voice, const kztts_stream_options *o, int n,
                          kztts_summary *summary) {
    kztts_stream *stream = NULL;
    float pcm[4096];
    size_t got;
    kztts_status status = kztts_stream_open(&stream, model, voice, o);
    for (int i = 0; i < n && status >= 0; i++)
        status = kztts_stream_put(stream, sentence, sizeof sentence - 1);
    if (status >= 0)
        status = kztts_stream_finish(stream);
    while (status == KZTTS_OK)
        status = kztts_stream_read(stream, pcm, sizeof pcm / sizeof *pcm, &got);
    if (status < 0)
        fail(stream ? kztts_stream_message(stream) : "out of memory");
    else
        status = kztts_stream_get_summary(stream, summary);
    kztts_stream_close(&stream);
    return status;
}

static int run(kztts_model *model, const kztts_voice *voice, int frames, int batch) {
    kztts_stream_options o;
    kztts_summary one = {.size = sizeof one}, all = {.size = sizeof all};
    kztts_stream_options_init(&o, sizeof o);
    o.max_frames = frames;
    o.sample = o.sub_sample = 0;
    o.batch = batch;
    if (speak(model, voice, &o, 1, &one) < 0 || speak(model, voice, &o, 1 + 2 * batch, &all) < 0)
        return 1;
    double n = (double)(all.frames - one.frames),
           seconds = all.talker_s + all.predictor_s - one.talker_s - one.predictor_s;
    printf("{\"batch\":%d,\"frames\":%.0f,\"language_model_s\":%.2f,\"frames_s\":%.2f,\"prefill_s\":%.2f}\n", batch, n,
           seconds, n / seconds, all.prefill_s);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv) {
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_model_options options;
    if (argc < 2)
        return fail("usage: bench_batch MODEL [quant] [threads] [frames] [batch]...");
    kztts_model_options_init(&options, sizeof options);
    options.quant = argc > 2 && *argv[2] ? argv[2] : NULL;
    options.threads = argc > 3 ? atoi(argv[3]) : 0;
    int frames = argc > 4 ? atoi(argv[4]) : 16;
    int failed = kztts_model_open(&model, argv[1], &options) < 0;
    if (failed)
        fail(model ? kztts_model_message(model) : "out of memory");
    if (!failed && kztts_voice_preset(&voice, model, NULL) < 0)
        failed = fail(voice ? kztts_voice_message(voice) : "out of memory");
    for (int i = 0; i < 4 && argc <= 5 && !failed; i++)
        failed = run(model, voice, frames, 1 << i);
    for (int i = 5; i < argc && !failed; i++)
        failed = run(model, voice, frames, atoi(argv[i]));
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return failed;
}
