/* hello.c: one sentence into a WAV file.  SPDX-License-Identifier: Apache-2.0
 *
 *      hello MODEL_FOLDER OUT.wav [TEXT]
 *      hello --version
 *
 * cc hello.c $(pkg-config --cflags --libs kztts) */
#include <kztts/kztts.h>

#include <stdio.h>
#include <string.h>

static void put_le(unsigned char *p, unsigned long value, int n_byte) {
    for (int i = 0; i < n_byte; i++)
        p[i] = (unsigned char)(value >> (8 * i) & 0xff);
}

/* Mono, 16 bit. */
static int write_wav(const char *path, const float *pcm, size_t n, int sample_rate) {
    unsigned char head[44] = "RIFF....WAVEfmt ";
    FILE *f = fopen(path, "wb");
    if (!f)
        return -1;
    put_le(head + 4, (unsigned long)(36 + 2 * n), 4);
    put_le(head + 16, 16, 4);
    put_le(head + 20, 1, 2);
    put_le(head + 22, 1, 2);
    put_le(head + 24, (unsigned long)sample_rate, 4);
    put_le(head + 28, (unsigned long)sample_rate * 2, 4);
    put_le(head + 32, 2, 2);
    put_le(head + 34, 16, 2);
    memcpy(head + 36, "data", 4);
    put_le(head + 40, (unsigned long)(2 * n), 4);
    fwrite(head, 1, sizeof head, f);
    for (size_t i = 0; i < n; i++) {
        unsigned char sample[2];
        float v = pcm[i] * 32767.0f;
        put_le(sample, (unsigned long)(long)(v < 0 ? v - 0.5f : v + 0.5f), 2);
        fwrite(sample, 1, 2, f);
    }
    int bad = ferror(f);
    return fclose(f) || bad ? -1 : 0;
}

int main(int argc, char **argv) {
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_model_info info;
    float *pcm = NULL;
    size_t n = 0;
    char message[512];
    int result = 1;

    if (argc == 2 && !strcmp(argv[1], "--version")) {
        printf("kztts %s\n", kztts_version());
        return 0;
    }
    if (argc < 3) {
        fprintf(stderr, "usage: %s MODEL_FOLDER OUT.wav [TEXT]\n", argv[0]);
        return 2;
    }
    const char *text = argc > 3 ? argv[3] : "Hello, I speak offline on your own computer.";

    if (kztts_model_open(&model, argv[1], NULL) < 0) {
        fprintf(stderr, "model: %s\n", model ? kztts_model_message(model) : "out of memory");
        goto done;
    }
    if (kztts_voice_preset(&voice, model, NULL) < 0) {
        fprintf(stderr, "voice: %s\n", voice ? kztts_voice_message(voice) : "out of memory");
        goto done;
    }
    if (kztts_speak(model, voice, text, NULL, &pcm, &n, message, sizeof message) < 0) {
        fprintf(stderr, "speech: %s\n", message);
        goto done;
    }
    info.size = sizeof info;
    if (kztts_model_get_info(model, &info) < 0 || write_wav(argv[2], pcm, n, info.sample_rate)) {
        fprintf(stderr, "%s can't be written\n", argv[2]);
        goto done;
    }
    printf("%s: %.2f s\n", argv[2], (double)n / info.sample_rate);
    result = 0;

done:
    kztts_free(pcm);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return result;
}
