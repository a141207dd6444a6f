/* test_source_refusals.c: what can't be read is refused, with a sentence that says why.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internal.h"
#include "recordings.h"
#include "source.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static char message[KZ_SOURCE_MESSAGE];
static kz_source_audio audio;

static void must_refuse(const char *what, const unsigned char *data, size_t n, double seconds, kztts_status status,
                        const char *fragment) {
    kz_source_limits limits = {.seconds = seconds};
    unsigned char *copy = malloc(n ? n : 1); /* exactly this size, for the address sanitizer */
    assert_non_null(copy);
    if (n)
        memcpy(copy, data, n);
    kztts_status got = kz_source_decode(copy, n, "in.wav", 24000, &limits, &audio, message, sizeof message);
    free(copy);
    if (got != status)
        fail_msg("%s: status %d, expected %d: \"%s\"", what, got, status, message);
    if (!strstr(message, fragment))
        fail_msg("%s: \"%s\" has no \"%s\"", what, message, fragment);
    assert_true(strncmp(message, "'in.wav' ", 9) == 0);
    assert_null(audio.pcm);
    assert_int_equal(audio.n, 0);
}

/* ---- first bytes of files that are no recordings, or of kinds that aren't read ------------------------------- */

#define ROW(bytes, fragment) {bytes, sizeof(bytes) - 1, fragment}

static const struct {
    const char *bytes;
    size_t n;
    const char *fragment;
} others[] = {
    ROW("\0\0\0\x20"
        "ftypM4A \0\0\2\0M4A mp42isom\0\0\0\0",
        "is M4A (sound in MP4), which can't be read as a recording"),
    ROW("\0\0\0\x1c"
        "ftypisom\0\0\2\0isomiso2mp41",
        "is an MP4 film or recording, which"),
    ROW("\0\0\0\x14"
        "ftypqt  \0\0\0\0qt  ",
        "is a QuickTime movie, which"),
    ROW("\0\0\0\x14"
        "ftyp3gp4\0\0\0\0",
        "is a 3GP film or recording, which"),
    ROW("\0\0\0\x08"
        "moov\0\0\0\0",
        "is a QuickTime movie, which"),
    ROW("\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f", "is WebM or Matroska, which"),
    ROW("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9", "is WMA or WMV, which"),
    ROW("#!AMR\n\x3c\x08", "is an AMR recording, which"),
    ROW("\xff\xf1\x50\x80\x01\x7f\xfc", "is AAC, which"),
    ROW("\x0b\x77\x12\x34", "is Dolby AC-3, which"),
    ROW("MThd\0\0\0\6\0\1", "is MIDI (notes, no sound), which"),
    ROW("wvpk\x10\0\0\0", "is WavPack, which"),
    ROW("MAC \x96\x0f", "is Monkey's Audio, which"),
    ROW("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", "is Wave64, which"),
    ROW("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a PNG picture, which"),
    ROW("\xff\xd8\xff\xe0\0\x10JFIF", "is a JPEG picture, which"),
    ROW("GIF89a\1\0\1\0", "is a GIF picture, which"),
    ROW("RIFF\x10\0\0\0WEBPVP8 ", "is a WebP picture, which"),
    ROW("RIFF\x10\0\0\0AVI LIST", "is an AVI film, which"),
    ROW("RIFF\x10\0\0\0", "is the first bytes of a RIFF file, which"),
    ROW("FORM\0\0\0\x10ILBM", "is an IFF file without sound, which"),
    ROW("%PDF-1.7\n%\xe2\xe3", "is a PDF document, which"),
    ROW("PK\3\4\x14\0\0\0", "is a ZIP archive (or an office document, or a .pt file), which"),
    ROW("\x1f\x8b\x08\0", "is gzip data, which"),
    ROW("\x7f"
        "ELF\2\1\1",
        "is a program, which"),
    ROW("GGUF\3\0\0\0", "is a GGUF model, which"),
    ROW("\x93NUMPY\1\0", "is a NumPy array, which"),
    ROW("\x40\0\0\0\0\0\0\0{\"spk_embedding\":", "is a safetensors or voice file, which"),
    ROW("version https://git-lfs.github.com/spec/v1\noid",
        "is a Git LFS pointer: the recording itself has not been fetched"),
    ROW("Hello, this is what I say.\n", "is text, which"),
    ROW("BMW and MP3 are words\n", "is text, which"),
    ROW("BM\x36\x10\0\0\0\0\0\0", "is a BMP picture, which"),
    ROW("\xef\xbb\xbf Gr\xc3\xbc\xc3\x9f"
        "e",
        "is text, which"),
    ROW("\xff\xfeH\0i\0", "is text in UTF-16, which"),
    ROW("<!DOCTYPE HTML><html>", "is a web page (a download that went wrong?), which"),
    ROW(" {\"error\": 404}", "is JSON text, which"),
    ROW("<?xml version=\"1.0\"?>", "is XML text, which"),
    ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x08Speex   ", "is Speex in Ogg, which"),
    ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x07\x80theora", "is an Ogg film, which"),
    ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x07\x09unknwn", "is Ogg with an unknown codec, which"),
    ROW("OggS\0\2\0\0", "is the first bytes of an Ogg file, which"),
    ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x08Opus", "is the first bytes of an Ogg file, which"),
    ROW("ID3\3\0\0\0\0\x0f\x76tag", "is a tag (ID3), cut off before the sound begins, which"),
    ROW("ID3\3\0\0\0\0\0\2tt\xff\xf1\x50\x80", "is AAC, which"),
    ROW("ID3\3\0\0\0\0\0\2ttsomething", "is a tag (ID3) without MP3 behind it, which"),
    ROW("\x01\x02\x03\x04\x05\x06\x07\x08\x09", "is of no kind that is known here; "),
    ROW("\0", "is of no kind that is known here; "),
};

static void test_refuse_other_kinds(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(others); i++) {
        must_refuse(others[i].fragment, (const unsigned char *)others[i].bytes, others[i].n, 0, KZTTS_ERROR_FORMAT,
                    others[i].fragment);
        assert_non_null(strstr(message, kz_source_formats())); /* says what can be read */
    }
    must_refuse("nothing", NULL, 0, 0, KZTTS_ERROR_FORMAT, "is empty");
}

/* ---- damaged WAV ------------------------------------------------------------------------------------------- */

static const unsigned char sixteen[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

typedef struct wav_row {
    wav_kind kind;
    size_t samples, keep; /* bytes of samples; of the file, 0 = all */
    const char *fragment;
} wav_row;

static const wav_row wavs[] = {
    {{0}, 0, 0, "is WAV, but only a header: it has no sound in it"},
    {{0}, 16, 36, "is WAV, but only a header: it has no sound in it"},
    {{.sizes = 1, .riff_size = UINT32_MAX, .data_size = UINT32_MAX}, 0, 0, "is WAV, but only a header"},
    {{.sizes = 1}, 0, 0, "is WAV, but only a header"},
    {{.sizes = 1, .riff_size = 500, .data_size = 0}, 16, 0, "is WAV, but only a header"},
    {{.sizes = 1, .riff_size = 1000, .data_size = 81},
     16,
     0,
     "is cut off: it announces 81 bytes of sound, 16 are there"},
    {{.sizes = 1, .riff_size = 1u << 30, .data_size = 1u << 30}, 16, 0, "announces 1073741824 bytes of sound, 16 are"},
    {{0}, 16, 12, "is WAV, but only a header"},
    {{0}, 16, 30, "is WAV, but damaged: it is cut off, or its chunks make no sense, before the sound begins"},
    {{.tag = 0x55, .bits = 16}, 16, 0, "is WAV that holds MP3, which can't be read: convert it to plain WAV"},
    {{.tag = 0x161, .bits = 16}, 16, 0, "is WAV that holds WMA, which can't be read"},
    {{.tag = 0x1234, .bits = 16}, 16, 0, "is WAV of an unknown kind (format 0x1234), which can't be read"},
    {{.tag = 0x1234, .bits = 16, .extensible = 1}, 16, 0, "is WAV of an unknown kind (format 0x1234)"},
    {{.rate = 3999}, 16, 0, "has 3999 samples a second; 4000 to 768000 can be read"},
    {{.rate = 1000000}, 16, 0, "has 1000000 samples a second; 4000 to 768000 can be read"},
    {{.channels = 65}, 16, 0, "has 65 channels; 1 to 64 can be read"},
};

static void test_refuse_damaged_wav(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(wavs); i++) {
        const wav_row *row = &wavs[i];
        bytes file = {0};
        if (row->kind.channels > 64) {
            static const unsigned char many[65 * 2 * 10];
            wav_write(&file, &row->kind, many, sizeof many);
        } else {
            wav_write(&file, &row->kind, sixteen, row->samples);
        }
#ifndef KZ_WITH_SNDFILE
        if (row->kind.channels > 64) {
            bytes_free(&file);
            continue;
        }
#endif
        must_refuse(row->fragment, file.data, row->keep ? row->keep : file.n, 0, KZTTS_ERROR_FORMAT, row->fragment);
        bytes_free(&file);
    }
}

/* Headers whose fields contradict each other. */
static void test_refuse_nonsense_format(void **state) {
    (void)state;
    static const struct {
        size_t at;
        unsigned char byte;
    } changes[] = {{16, 8}, {16, 15}, {22, 0}, {32, 0}};
    for (size_t i = 0; i < LENGTH(changes); i++) {
        bytes file = {0};
        wav_write(&file, &(wav_kind){0}, sixteen, 16);
        file.data[changes[i].at] = changes[i].byte;
        must_refuse("format", file.data, file.n, 0, KZTTS_ERROR_FORMAT, "is WAV, but ");
        bytes_free(&file);
    }
    bytes file = {0};
    bytes_put(&file, "RIFF\x1c\0\0\0WAVEdata\x10\0\0\0", 20);
    bytes_put(&file, sixteen, 16);
    must_refuse("no fmt", file.data, file.n, 0, KZTTS_ERROR_FORMAT,
                "damaged: it doesn't say how its samples are written");
    bytes_free(&file);
}

/* ---- samples that are none --------------------------------------------------------------------------------- */

static void test_refuse_samples(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *fragment;
    } rows[] = {{NAN, "is damaged: a sample at 0.500 s is not a number"},
                {-NAN, "is damaged: a sample at 0.500 s is not a number"},
                {INFINITY, "is damaged: a sample at 0.500 s is inf, where -1 to 1 is the range"},
                {-INFINITY, "a sample at 0.500 s is -inf, where"},
                {3e38f, "a sample at 0.500 s is 3e+38, where"}};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        bytes samples = {0}, file = {0};
        for (int k = 0; k < 24000; k++) {
            float x = k == 12000 ? rows[i].value : 0.25f;
            uint32_t bits;
            memcpy(&bits, &x, 4);
            bytes_number(&samples, bits, 4, 0);
        }
        wav_write(&file, &(wav_kind){.tag = 3, .bits = 32}, samples.data, samples.n);
        must_refuse(rows[i].fragment, file.data, file.n, 0, KZTTS_ERROR_FORMAT, rows[i].fragment);
        bytes_free(&samples);
        bytes_free(&file);
    }
}

/* ---- the limit of seconds ---------------------------------------------------------------------------------- */

static void test_refuse_too_long(void **state) {
    (void)state;
    bytes file = {0};
    wav_write_speech(&file, &(wav_kind){.channels = 2}, 48000);
    must_refuse("2 s", file.data, file.n, 1.9, KZTTS_ERROR_ARGUMENT,
                "is 2.0 s long, the limit is 1.9 s: cut the recording");
    bytes_free(&file);
    /* a stream doesn't say how long it is, but here the bytes do */
    wav_write_speech(&file, &(wav_kind){.sizes = 1, .riff_size = UINT32_MAX, .data_size = UINT32_MAX}, 48000);
    must_refuse("stream", file.data, file.n, 1, KZTTS_ERROR_ARGUMENT, "is 2.0 s long, the limit is 1 s");
    bytes_free(&file);
}

/* ---- other containers that are cut or empty ---------------------------------------------------------------- */

static void test_refuse_other_containers(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *fragment;
    } rows[] = {
        ROW(".snd\0\0\0\x18", "is AU, but damaged: its header is cut off"),
        ROW(".snd\0\0\0\x18\0\0\0\0\0\0\0\3\0\0\x5d\xc0\0\0\0\1", "is AU, but only a header"),
        ROW(".snd\0\0\0\x99\0\0\0\x10\0\0\0\3\0\0\x5d\xc0\0\0\0\1",
            "is AU, but damaged: its sound begins beyond its end"),
        ROW(".snd\0\0\0\x18\0\0\1\0\0\0\0\3\0\0\x5d\xc0\0\0\0\1\1\2\3\4",
            "is cut off: it announces 256 bytes of sound, 4"),
        ROW("FORM\0\0\0\x04"
            "AIFF",
            "is AIFF, but only a header"),
        ROW("FORM\0\0\0\x04"
            "AIFFSSND\0\0\2\0\0\0\0\0\0\0\0\0",
            "is cut off: it announces 512 bytes of sound, 8 are there"),
        ROW("FORM\0\0\0\x04"
            "AIFFCOMM\0\0\2\0",
            "is AIFF, but damaged: it is cut off, or its chunks make no sense"),
        ROW("caff\0\1\0\0", "is CAF, but only a header"),
        ROW("caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xd7\x70\0\0\0\0\0alac\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "is CAF that holds alac, which can't be read"),
        ROW("caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xd7\x70\0\0\0\0\0lpcm\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0\1\0\0\0\x10"
            "data\0\0\0\0\0\0\1\0\0\0\0\0",
            "is cut off: it announces 256 bytes of sound, 4 are there"),
        ROW("fLaC", "is FLAC, but only a header"),
        ROW("fLaC\x80\0\0\x22\0\0", "is FLAC, but damaged: it is cut off before the sound begins"),
        ROW("fLaC\x80\0\0\2\0\0", "is FLAC, but only a header"),
        ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x08OpusHead", "is Ogg, but only a header"),
        ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x08OpusHeadOggS\0\0",
            "is cut off in the middle of an Ogg page"),
        ROW("\xff\xfb\x90\xc4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Info\0\0\0\3\0\0\0\x10\0\1\0\0aaaa",
            "is cut off: it announces 65536 bytes of sound, 41 are there"),
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        must_refuse(rows[i].fragment, (const unsigned char *)rows[i].bytes, rows[i].n, 0, KZTTS_ERROR_FORMAT,
                    rows[i].fragment);
}

/* Whole containers full of rubbish: no sound comes, no crash either. */
static void test_refuse_rubbish_inside(void **state) {
    (void)state;
    static const struct {
        const char *head;
        size_t n;
        const char *fragment;
    } rows[] = {
        ROW("fLaC\x80\0\0\x22\x10\0\x10\0\0\0\x0e\0\0\x10\5\xdc\1\x70\0\0\x5d\xc0", " is "),
        ROW("\xff\xfb\x90\xc4", "is of no kind that is known here"),
        ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x08OpusHead", "Opus"),
        ROW("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x07\x01vorbis", "Ogg Vorbis"),
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        bytes file = {0};
        bytes_put(&file, rows[i].head, rows[i].n);
        for (unsigned k = 0; k < 3000; k++)
            bytes_number(&file, k * 2654435761u >> 24, 1, 0);
        must_refuse(rows[i].fragment, file.data, file.n, 0, KZTTS_ERROR_FORMAT, rows[i].fragment);
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuse_other_kinds),     cmocka_unit_test(test_refuse_damaged_wav),
        cmocka_unit_test(test_refuse_nonsense_format), cmocka_unit_test(test_refuse_samples),
        cmocka_unit_test(test_refuse_too_long),        cmocka_unit_test(test_refuse_other_containers),
        cmocka_unit_test(test_refuse_rubbish_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
