/* identify.c: what a file is, by its first bytes.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "internal.h"

/* A signature; `seems` NULL: of a kind that can be read. */
typedef struct signature {
    unsigned offset, n;
    const char *bytes;
    const char *seems;
    kz_kind kind;
} signature;

#define OTHER(offset, bytes, seems) {offset, sizeof(bytes) - 1, bytes, seems, KZ_KIND_OTHER}
#define KIND(offset, bytes, kind) {offset, sizeof(bytes) - 1, bytes, NULL, kind}

/* The first that fits counts. Names that people know the files by. */
static const signature signatures[] = {
    KIND(0, "fLaC", KZ_KIND_FLAC),
    KIND(0, ".snd", KZ_KIND_AU),
    OTHER(4, "ftypM4A", "M4A (sound in MP4)"),
    OTHER(4, "ftypM4B", "M4B (sound in MP4)"),
    OTHER(4, "ftypqt", "a QuickTime movie"),
    OTHER(4, "ftyp3g", "a 3GP film or recording"),
    OTHER(4, "ftypheic", "a HEIC picture"),
    OTHER(4, "ftypavif", "an AVIF picture"),
    OTHER(4, "ftyp", "an MP4 film or recording"),
    OTHER(4, "moov", "a QuickTime movie"),
    OTHER(4, "mdat", "a QuickTime movie"),
    OTHER(0, "\x1a\x45\xdf\xa3", "WebM or Matroska"),
    OTHER(0, "FLV\x01", "a Flash film"),
    OTHER(0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "WMA or WMV"),
    OTHER(0, "#!AMR", "an AMR recording"),
    OTHER(0, "#!SILK", "a SILK recording"),
    OTHER(0, "\x02#!SILK", "a SILK recording"),
    OTHER(0, "ADIF", "AAC"),
    OTHER(0, "\xff\xf1", "AAC"),
    OTHER(0, "\xff\xf9", "AAC"),
    OTHER(0, "\x0b\x77", "Dolby AC-3"),
    OTHER(0, "MThd", "MIDI (notes, no sound)"),
    OTHER(0, "wvpk", "WavPack"),
    OTHER(0, "MAC ", "Monkey's Audio"),
    OTHER(0, "MPCK", "Musepack"),
    OTHER(0, "MP+", "Musepack"),
    OTHER(0, "TTA1", "True Audio"),
    OTHER(0, "DSD ", "DSD"),
    OTHER(0, "FRM8", "DSD"),
    OTHER(0, ".RMF", "RealMedia"),
    OTHER(0, ".ra\xfd", "RealAudio"),
    OTHER(0, "riff\x2e\x91\xcf\x11", "Wave64"),
    OTHER(0, "NIST_1A", "NIST SPHERE"),
    OTHER(0, "Creative Voice File", "VOC"),
    OTHER(0, "8SVX", "Amiga 8SVX"),
    OTHER(0, "\x00\x00\x01\xba", "an MPEG film"),
    OTHER(0, "\x00\x00\x01\xb3", "an MPEG film"),
    OTHER(0, "\x89PNG\r\n\x1a\n", "a PNG picture"),
    OTHER(0, "\xff\xd8\xff", "a JPEG picture"),
    OTHER(0, "GIF8", "a GIF picture"),
    OTHER(0, "BM", "a BMP picture"),
    OTHER(0, "II*\0", "a TIFF picture"),
    OTHER(0, "MM\0*", "a TIFF picture"),
    OTHER(0, "%PDF", "a PDF document"),
    OTHER(0, "PK\x03\x04", "a ZIP archive (or an office document, or a .pt file)"),
    OTHER(0, "PK\x05\x06", "an empty ZIP archive"),
    OTHER(0, "Rar!", "a RAR archive"),
    OTHER(0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    OTHER(0, "\x1f\x8b", "gzip data"),
    OTHER(0, "BZh", "bzip2 data"),
    OTHER(0,
          "\xfd"
          "7zXZ",
          "xz data"),
    OTHER(0, "\x28\xb5\x2f\xfd", "Zstandard data"),
    OTHER(257, "ustar", "a tar archive"),
    OTHER(0,
          "\x7f"
          "ELF",
          "a program"),
    OTHER(0, "MZ", "a Windows program"),
    OTHER(0, "GGUF", "a GGUF model"),
    OTHER(0, "\x93NUMPY", "a NumPy array"),
    OTHER(0, "SQLite format 3", "an SQLite database"),
    OTHER(0, "version https://git-lfs", "a Git LFS pointer: the recording itself has not been fetched"),
};

static bool fits(const signature *s, const unsigned char *data, size_t n) {
    return n >= (size_t)s->offset + s->n && memcmp(data + s->offset, s->bytes, s->n) == 0;
}

static kz_kind identify_riff(const unsigned char *data, size_t n, const char **seems) {
    if (n < 12)
        *seems = "the first bytes of a RIFF file";
    else if (memcmp(data + 8, "WAVE", 4) == 0)
        return KZ_KIND_WAV;
    else if (memcmp(data + 8, "AVI ", 4) == 0)
        *seems = "an AVI film";
    else if (memcmp(data + 8, "WEBP", 4) == 0)
        *seems = "a WebP picture";
    else if (memcmp(data + 8, "RMID", 4) == 0)
        *seems = "MIDI (notes, no sound)";
    else
        *seems = "a RIFF file without sound";
    return KZ_KIND_OTHER;
}

static kz_kind identify_form(const unsigned char *data, size_t n, const char **seems) {
    if (n >= 12 && (memcmp(data + 8, "AIFF", 4) == 0 || memcmp(data + 8, "AIFC", 4) == 0))
        return KZ_KIND_AIFF;
    *seems = n >= 12 && memcmp(data + 8, "8SVX", 4) == 0 ? "Amiga 8SVX" : "an IFF file without sound";
    return KZ_KIND_OTHER;
}

/* After an ID3v2 tag comes MP3 as a rule, but some tag others too. */
static kz_kind identify_tagged(const unsigned char *data, size_t n, const char **seems) {
    size_t at = kz_skip_tags(data, n);
    if (kz_is_mpeg(data + at, n - at))
        return KZ_KIND_MP3;
    if (n - at >= 4 && memcmp(data + at, "fLaC", 4) == 0)
        return KZ_KIND_FLAC;
    *seems = at == n ? "a tag (ID3), cut off before the sound begins"
             : n - at >= 2 && data[at] == 0xff && (data[at + 1] & 0xf6) == 0xf0 ? "AAC"
                                                                                : "a tag (ID3) without MP3 behind it";
    return KZ_KIND_OTHER;
}

/* Packets of 188 bytes that all begin alike. */
static bool is_transport_stream(const unsigned char *data, size_t n) {
    return n >= 377 && data[0] == 0x47 && data[188] == 0x47 && data[376] == 0x47;
}

/* A safetensors file begins with the length of the JSON that follows. */
static bool is_safetensors(const unsigned char *data, size_t n) {
    return n >= 10 && data[8] == '{' && kz_le64(data) >= 2 && kz_le64(data) <= (uint64_t)100 << 20;
}

static bool begins(const unsigned char *data, size_t n, const char *lower) {
    size_t length = strlen(lower);
    if (n < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = data[i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != (unsigned char)lower[i])
            return false;
    }
    return true;
}

/* Text of some kind, or NULL. */
static const char *identify_text(const unsigned char *data, size_t n) {
    if (n > 512)
        n = 512;
    if (n >= 2 && ((data[0] == 0xff && data[1] == 0xfe) || (data[0] == 0xfe && data[1] == 0xff)))
        return "text in UTF-16";
    if (n >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        data += 3, n -= 3;
    for (size_t i = 0; i < n; i++)
        if ((data[i] < 32 && !strchr("\t\n\r\f\x1b", data[i])) || data[i] == 127 || data[i] == 0)
            return NULL;
    while (n > 0 && strchr(" \t\r\n", *data))
        data++, n--;
    if (begins(data, n, "<!doctype html") || begins(data, n, "<html"))
        return "a web page (a download that went wrong?)";
    if (n > 0 && (*data == '{' || *data == '['))
        return "JSON text";
    if (begins(data, n, "<?xml") || begins(data, n, "<svg"))
        return "XML text";
    return "text";
}

kz_kind kz_identify(const unsigned char *data, size_t n, const char **seems) {
    *seems = NULL;
    if (n >= 4 && (memcmp(data, "RIFF", 4) == 0 || memcmp(data, "RIFX", 4) == 0 || memcmp(data, "RF64", 4) == 0))
        return identify_riff(data, n, seems);
    if (n >= 4 && memcmp(data, "FORM", 4) == 0)
        return identify_form(data, n, seems);
    if (n >= 4 && memcmp(data, "OggS", 4) == 0)
        return kz_identify_ogg(data, n, seems);
    if (n >= 6 && memcmp(data, "caff\0\1", 6) == 0)
        return KZ_KIND_CAF;
    if (n >= 10 && memcmp(data, "ID3", 3) == 0)
        return identify_tagged(data, n, seems);
    if (kz_is_mpeg(data, n))
        return KZ_KIND_MP3;
    const char *text = identify_text(data, n);
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (fits(&signatures[i], data, n) && !(text && signatures[i].n < 4)) {
            *seems = signatures[i].seems;
            return signatures[i].kind;
        }
    if (is_transport_stream(data, n))
        *seems = "an MPEG transport stream";
    else if (is_safetensors(data, n))
        *seems = "a safetensors or voice file";
    else
        *seems = text;
    return KZ_KIND_OTHER;
}

const char *kz_kind_name(kz_kind kind) {
    switch (kind) {
    case KZ_KIND_WAV:
        return "WAV";
    case KZ_KIND_AIFF:
        return "AIFF";
    case KZ_KIND_AU:
        return "AU";
    case KZ_KIND_CAF:
        return "CAF";
    case KZ_KIND_FLAC:
        return "FLAC";
    case KZ_KIND_MP3:
        return "MP3";
    case KZ_KIND_OGG_VORBIS:
        return "Ogg Vorbis";
    case KZ_KIND_OGG_FLAC:
        return "FLAC in Ogg";
    case KZ_KIND_OGG_OPUS:
        return "Opus";
    case KZ_KIND_OTHER:
        break;
    }
    return "unknown";
}
