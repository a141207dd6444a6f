/* recordings.c: recordings made in tests.  SPDX-License-Identifier: Apache-2.0 */
#include "recordings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_put(bytes *b, const void *data, size_t n) {
    if (b->n + n > b->capacity) {
        b->capacity = 2 * b->capacity + n;
        unsigned char *fresh = realloc(b->data, b->capacity);
        if (!fresh) {
            fputs("out of memory\n", stderr);
            exit(1);
        }
        b->data = fresh;
    }
    if (n)
        memcpy(b->data + b->n, data, n);
    b->n += n;
}

void bytes_text(bytes *b, const char *text) { bytes_put(b, text, strlen(text)); }

void bytes_number(bytes *b, uint64_t value, unsigned size, int big_endian) {
    unsigned char out[8];
    for (unsigned i = 0; i < size; i++)
        out[big_endian ? size - 1 - i : i] = (unsigned char)(value >> 8 * i & 0xff);
    bytes_put(b, out, size);
}

void bytes_free(bytes *b) {
    free(b->data);
    memset(b, 0, sizeof *b);
}

/* ---- WAV --------------------------------------------------------------------------------------------------- */

static void put_format(bytes *b, const wav_kind *k) {
    unsigned bits = k->bits ? k->bits : 16, channels = (unsigned)(k->channels ? k->channels : 1);
    unsigned tag = k->tag ? k->tag : 1, rate = (unsigned)(k->rate ? k->rate : 24000), block = channels * bits / 8;
    int be = k->big_endian;
    bytes_text(b, "fmt ");
    bytes_number(b, k->extensible ? 40 : tag == 1 ? 16 : 18, 4, be);
    bytes_number(b, k->extensible ? 0xfffe : tag, 2, be);
    bytes_number(b, channels, 2, be);
    bytes_number(b, rate, 4, be);
    bytes_number(b, (uint64_t)rate * block, 4, be);
    bytes_number(b, block, 2, be);
    bytes_number(b, bits, 2, be);
    if (k->extensible) {
        static const unsigned char guid[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
        bytes_number(b, 22, 2, be);
        bytes_number(b, bits, 2, be);
        bytes_number(b, channels == 2 ? 3 : 4, 4, be); /* which loudspeakers */
        bytes_number(b, tag, 2, be);
        bytes_put(b, guid, sizeof guid);
    } else if (tag != 1) {
        bytes_number(b, 0, 2, be);
    }
}

/* A chunk of odd length, with its padding byte. */
static void put_odd_chunk(bytes *b, const char *name, int be) {
    bytes_text(b, name);
    bytes_number(b, 7, 4, be);
    bytes_text(b, "oddity!");
    bytes_number(b, 0, 1, be);
}

void wav_write(bytes *b, const wav_kind *k, const void *samples, size_t n) {
    bytes body = {0};
    int be = k->big_endian;
    if (k->before)
        put_odd_chunk(&body, "junk", be);
    if (k->rf64) {
        bytes_text(&body, "ds64");
        bytes_number(&body, 28, 4, 0);
        bytes_number(&body, 4 + 36 + 8 + 24 + n, 8, 0);
        bytes_number(&body, n, 8, 0);
        bytes_number(&body, 0, 8, 0);
        bytes_number(&body, 0, 4, 0);
    }
    put_format(&body, k);
    if (k->before)
        put_odd_chunk(&body, "note", be);
    bytes_text(&body, "data");
    bytes_number(&body, k->sizes ? k->data_size : k->rf64 ? UINT32_MAX : n, 4, be);
    bytes_put(&body, samples, n);
    if (n & 1)
        bytes_number(&body, 0, 1, be);
    if (k->after)
        put_odd_chunk(&body, "tail", be);
    bytes_text(b, k->rf64 ? "RF64" : be ? "RIFX" : "RIFF");
    bytes_number(b, k->sizes ? k->riff_size : k->rf64 ? UINT32_MAX : 4 + body.n, 4, be);
    bytes_text(b, "WAVE");
    bytes_put(b, body.data, body.n);
    bytes_free(&body);
}

void wav_write_speech(bytes *b, const wav_kind *k, size_t frames) {
    int channels = k->channels ? k->channels : 1;
    float *pcm = malloc((frames + 1) * sizeof *pcm);
    bytes samples = {0};
    if (!pcm)
        exit(1);
    speech_like(pcm, frames, k->rate ? k->rate : 24000, -20, -60, 1);
    for (size_t i = 0; i < frames; i++)
        for (int c = 0; c < channels; c++)
            bytes_number(&samples, (uint64_t)to_s16(pcm[i]), 2, k->big_endian);
    wav_write(b, k, samples.data, samples.n);
    bytes_free(&samples);
    free(pcm);
}

/* ---- signals ----------------------------------------------------------------------------------------------- */

static double next_uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 40) / (double)(1 << 24) - 0.5;
}

int16_t to_s16(float x) {
    float y = roundf(x * 32768.0f);
    return (int16_t)(y > 32767 ? 32767 : y < -32768 ? -32768 : y);
}

/* Syllables of 0.2 s, every fifth left out; each swells and fades. */
void speech_like(float *pcm, size_t n, int rate, double level, double noise, uint64_t seed) {
    const double pi = 3.14159265358979323846;
    double loud = pow(10, level / 20) * 1.63, hiss = pow(10, noise / 20) * sqrt(12.0), phase = 0;
    for (size_t i = 0; i < n; i++) {
        double t = (double)i / rate, syllable = floor(t / 0.2), within = t / 0.2 - syllable;
        double pitch = 110 + 30 * sin(2 * pi * 0.7 * t), envelope = sin(pi * within);
        phase += 2 * pi * pitch / rate;
        /* harmonics by recurrence: sin(h p) = 2 cos(p) sin((h - 1) p) - sin((h - 2) p) */
        double x = 0, before = 0, here = sin(phase), twice = 2 * cos(phase);
        for (int h = 1; h <= 20 && h * pitch < 0.45 * rate; h++) {
            x += here / h;
            double next = twice * here - before;
            before = here;
            here = next;
        }
        if (fmod(syllable, 5) == 4)
            envelope = 0;
        pcm[i] = (float)to_s16((float)(loud * envelope * x + hiss * next_uniform(&seed))) / 32768.0f;
    }
}
