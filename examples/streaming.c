/* streaming.c: text in while samples go out.  SPDX-License-Identifier: Apache-2.0
 *
 *      streaming MODEL_FOLDER < text > speech.f32
 *      streaming MODEL_FOLDER < text | aplay -f FLOAT_LE -r 24000
 *      streaming MODEL_FOLDER TEXT_FILE OUT_FILE
 *
 * Reads lines and writes 32-bit float samples, frame by frame. Control-C stops within a frame. */
#include <kztts/kztts.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* All samples that can be had without more text. Returns 0 to go on, 1 at the end, -1 after a failure. */
static int drain(kztts_stream *stream) {
    float pcm[1920];
    size_t n;
    for (;;) {
        if (interrupted)
            kztts_stream_cancel(stream);
        kztts_status status = kztts_stream_read(stream, pcm, sizeof pcm / sizeof *pcm, &n);
        if (status == KZTTS_AGAIN)
            return 0;
        if (status == KZTTS_END)
            return 1;
        if (status < 0) {
            fprintf(stderr, "speech: %s\n", kztts_stream_message(stream));
            return -1;
        }
        if (fwrite(pcm, sizeof *pcm, n, stdout) != n || fflush(stdout)) {
            fprintf(stderr, "stdout can't be written\n");
            return -1;
        }
    }
}

static int speak_stdin(kztts_stream *stream) {
    char line[4096];
    int state = 0;
    while (!state && !interrupted && fgets(line, sizeof line, stdin)) {
        if (kztts_stream_put(stream, line, strlen(line)) < 0) {
            fprintf(stderr, "text: %s\n", kztts_stream_message(stream));
            return -1;
        }
        state = drain(stream);
    }
    if (!state && kztts_stream_finish(stream) < 0) {
        fprintf(stderr, "text: %s\n", kztts_stream_message(stream));
        return -1;
    }
    return state ? state : drain(stream);
}

int main(int argc, char **argv) {
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_stream *stream = NULL;
    kztts_stream_options options;
    kztts_summary summary;
    int result = 1;

    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: %s MODEL_FOLDER [TEXT_FILE OUT_FILE]\n", argv[0]);
        return 2;
    }
    if (argc == 4 && (!freopen(argv[2], "rb", stdin) || !freopen(argv[3], "wb", stdout))) {
        fprintf(stderr, "%s can't be read, or %s can't be written\n", argv[2], argv[3]);
        return 1;
    }
    signal(SIGINT, on_interrupt);
    kztts_stream_options_init(&options, sizeof options);
    options.text_mode = KZTTS_TEXT_STREAMING;

    if (kztts_model_open(&model, argv[1], NULL) < 0)
        fprintf(stderr, "model: %s\n", model ? kztts_model_message(model) : "out of memory");
    else if (kztts_voice_preset(&voice, model, NULL) < 0)
        fprintf(stderr, "voice: %s\n", voice ? kztts_voice_message(voice) : "out of memory");
    else if (kztts_stream_open(&stream, model, voice, &options) < 0)
        fprintf(stderr, "stream: %s\n", stream ? kztts_stream_message(stream) : "out of memory");
    else if (speak_stdin(stream) >= 0)
        result = 0;

    summary.size = sizeof summary;
    if (!result && kztts_stream_get_summary(stream, &summary) >= 0)
        fprintf(stderr, "%llu frames, finish %s\n", (unsigned long long)summary.frames,
                kztts_finish_text(summary.finish));
    kztts_stream_close(&stream);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return result;
}
