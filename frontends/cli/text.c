/* text.c: where the text of a request comes from.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static int read_all(int fd, const char *name, size_t max, const char *what, int too_long_exit, char **data, size_t *n) {
    size_t cap = 1 << 14;
    char *buf = malloc(cap);
    ssize_t got = 0;
    *n = 0;
    while (buf && (got = read(fd, buf + *n, cap - 1 - *n)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        *n += (size_t)got;
        if (*n > max) {
            free(buf);
            return kz_cli_fail(too_long_exit, "%s: the %s is longer than %zu bytes, which is the limit", name, what,
                               max);
        }
        if (*n == cap - 1) {
            char *bigger = realloc(buf, cap *= 2);
            if (!bigger)
                free(buf);
            buf = bigger;
        }
    }
    if (!buf)
        return kz_cli_fail(KZ_EXIT_MEMORY, "%s: out of memory", name);
    if (got < 0) {
        int error = errno;
        free(buf);
        return kz_cli_fail(KZ_EXIT_FAILED, "can't read %s: %s", name, strerror(error));
    }
    buf[*n] = '\0';
    *data = buf;
    return KZ_GO_ON;
}

/* A missing file that looks like sound: Piper users know -f as the output. */
static const char *file_hint(const char *path) {
    static const char *const sound[] = {".wav", ".mp3", ".flac", ".ogg", ".opus", ".raw", ".pcm", ".f32"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof sound / sizeof sound[0]; i++)
        if (strcmp(dot, sound[i]) == 0)
            return " (-f names the text to read; -o names the output)";
    return "";
}

int kz_cli_read_file(const char *path, size_t max, const char *what, int too_long_exit, char **data, size_t *n) {
    if (!path)
        return read_all(STDIN_FILENO, "standard input", max, what, too_long_exit, data, n);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int error = errno;
        return kz_cli_fail(error == ENOENT || error == ENOTDIR ? KZ_EXIT_NOT_FOUND : KZ_EXIT_FAILED,
                           "can't open '%s': %s%s", path, strerror(error), error == ENOENT ? file_hint(path) : "");
    }
    int code = read_all(fd, path, max, what, too_long_exit, data, n);
    close(fd);
    return code;
}

/* Bytes of the UTF-8 character at p (at most n), 0 when it isn't one. */
static size_t char_length(const unsigned char *p, size_t n) {
    static const struct {
        unsigned char mask, lead;
        uint32_t lowest;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t k = 0; k < 4; k++) {
        if ((p[0] & forms[k].mask) != forms[k].lead)
            continue;
        uint32_t code = p[0] & (unsigned char)~forms[k].mask;
        if (k >= n)
            return 0;
        for (size_t i = 1; i <= k; i++) {
            if ((p[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (p[i] & 0x3f);
        }
        bool fits = code >= forms[k].lowest && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return fits ? k + 1 : 0;
    }
    return 0;
}

static int check_text(const char *data, size_t n, const char *name) {
    const unsigned char *p = (const unsigned char *)data;
    for (size_t i = 0; i < n;) {
        size_t len = char_length(p + i, n - i);
        if (p[i] == 0 || len == 0) {
            bool utf16 = n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff));
            return kz_cli_fail(KZ_EXIT_TEXT, "%s: %s at byte offset %zu (0x%02x); a text is UTF-8%s", name,
                               p[i] == 0 ? "a NUL byte" : "invalid UTF-8", i, p[i],
                               utf16 ? ": this one is UTF-16, convert it with iconv -f UTF-16 -t UTF-8" : "");
        }
        i += len;
    }
    return KZ_GO_ON;
}

/* Drops a BOM, makes CRLF LF, drops newlines at the end. */
static void tidy(kz_text *text) {
    size_t to = 0, from = text->n >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (; from < text->n; from++)
        if (!(text->data[from] == '\r' && from + 1 < text->n && text->data[from + 1] == '\n'))
            text->data[to++] = text->data[from];
    while (to > 0 && text->data[to - 1] == '\n')
        to--;
    text->data[to] = '\0';
    text->n = to;
}

/* Checks and tidies a piece and appends it after `separator`. */
static int append(kz_text *text, kz_text piece, const char *name, char separator, bool first) {
    int code = check_text(piece.data, piece.n, name);
    if (code != KZ_GO_ON)
        return code;
    tidy(&piece);
    if (text->n + piece.n + !first > KZ_TEXT_MAX)
        return kz_cli_fail(KZ_EXIT_TEXT, "the text is longer than %d bytes, which is the limit", KZ_TEXT_MAX);
    char *data = realloc(text->data, text->n + piece.n + 2);
    if (!data)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the text");
    if (!first)
        data[text->n++] = separator;
    memcpy(data + text->n, piece.data, piece.n + 1);
    text->data = data;
    text->n += piece.n;
    return KZ_GO_ON;
}

static int from_file(kz_text *text, const char *path, bool first) {
    kz_text piece = {0};
    const char *from = strcmp(path, "-") == 0 ? NULL : path;
    int code = kz_cli_read_file(from, KZ_TEXT_MAX, "text", KZ_EXIT_TEXT, &piece.data, &piece.n);
    if (code == KZ_GO_ON)
        code = append(text, piece, from ? from : "standard input", '\n', first);
    free(piece.data);
    return code;
}

/* Words as one piece, so that an offset counts from the first. */
static int from_words(kz_text *text, const kz_args *args) {
    kz_text piece = {0};
    size_t size = 1;
    for (int i = 0; i < args->n_word; i++)
        size += strlen(args->words[i]) + 1;
    piece.data = malloc(size);
    if (!piece.data)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the text");
    for (int i = 0; i < args->n_word; i++) {
        size_t n = strlen(args->words[i]);
        if (i > 0)
            piece.data[piece.n++] = ' ';
        memcpy(piece.data + piece.n, args->words[i], n);
        piece.n += n;
    }
    piece.data[piece.n] = '\0';
    int code = append(text, piece, "the text", ' ', true);
    free(piece.data);
    return code;
}

int kz_cli_text_file(const char *path, kz_text *text) {
    memset(text, 0, sizeof *text);
    return from_file(text, path, true);
}

int kz_cli_text_word(const char *word, const char *name, kz_text *text) {
    kz_text piece = {.data = malloc(strlen(word) + 1), .n = strlen(word)};
    memset(text, 0, sizeof *text);
    if (!piece.data)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for %s", name);
    memcpy(piece.data, word, piece.n + 1);
    int code = append(text, piece, name, ' ', true);
    free(piece.data);
    return code;
}

int kz_cli_text(const kz_args *args, kz_text *text) {
    bool dash = args->n_word == 1 && strcmp(args->words[0], "-") == 0 && !args->literal;
    int code = KZ_GO_ON;
    text->data = NULL;
    text->n = 0;
    if (args->n_word > 0 && !dash)
        return from_words(text, args);
    if (!dash && args->n_file == 0 && isatty(STDIN_FILENO))
        return kz_cli_usage(args->command, "no text: give it as words, with -f FILE, or on standard input");
    if (dash || args->n_file == 0)
        return from_file(text, "-", true);
    for (int i = 0; i < args->n_file && code == KZ_GO_ON; i++)
        code = from_file(text, args->files[i], i == 0);
    return code;
}
