/* recordings.h: recordings made in tests: signals, and WAV files of every kind.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TEST_RECORDINGS_H
#define KZ_TEST_RECORDINGS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; a zeroed one is empty. */
typedef struct bytes {
    unsigned char *data; /* free() */
    size_t n, capacity;
} bytes;

void bytes_put(bytes *b, const void *data, size_t n);
void bytes_text(bytes *b, const char *text); /* without its NUL */
/* `size` bytes of a number, least significant first, or last */
void bytes_number(bytes *b, uint64_t value, unsigned size, int big_endian);
void bytes_free(bytes *b);

/* How a WAV file is written. Zero fields: 16-bit PCM, mono, 24000 Hz, plain. */
typedef struct wav_kind {
    int rate, channels;
    unsigned tag, bits; /* of the format, e.g. 3, 32; 0 = 1, 16 */
    int extensible;     /* format 0xfffe with the tag in a GUID */
    int big_endian;     /* RIFX */
    int before, after;  /* odd chunks before the format, after the data */
    int rf64;           /* sizes in a ds64 chunk */
    int sizes;          /* 1: `riff_size` and `data_size` are written instead of the true ones */
    uint32_t riff_size, data_size;
} wav_kind;

/* Appends a file with these sample bytes, already in the file's order. */
void wav_write(bytes *b, const wav_kind *kind, const void *samples, size_t n);

/* Appends the header and n frames of the mean-free test signal, 16-bit: speech-like bursts. */
void wav_write_speech(bytes *b, const wav_kind *kind, size_t frames);

/* Something like speech: syllables of a voiced sound between 100 and 3000 Hz, pauses, and a noise floor.
 * level and noise: RMS of loud frames and of the noise, dBFS. Whole multiples of 1 / 32768. */
void speech_like(float *pcm, size_t n, int rate, double level, double noise, uint64_t seed);

/* x * 32768, rounded, saturated. */
int16_t to_s16(float x);

#endif
