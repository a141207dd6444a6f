/* tokenizer_files.h: a folder with tokenizer files, for the fuzz targets.  SPDX-License-Identifier: Apache-2.0 */
#ifndef TOKENIZER_FILES_H
#define TOKENIZER_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/internal.h"

static char files_folder[256];
static const char *const files_name[3] = {"vocab.json", "merges.txt", "tokenizer_config.json"};

/* Ends the program unless ok. */
static void files_need(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static void files_path(char path[300], int file) { snprintf(path, 300, "%s/%s", files_folder, files_name[file]); }

static void files_remove(void) {
    char path[300];
    for (int i = 0; i < 3; i++) {
        files_path(path, i);
        (void)remove(path);
    }
    (void)rmdir(files_folder);
}

/* Makes the folder, once; it is removed when the program ends. */
static void files_make_folder(void) {
    const char *tmp = getenv("TMPDIR");
    if (files_folder[0])
        return;
    snprintf(files_folder, sizeof files_folder, "%s/kztts-fuzz-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    files_need(mkdtemp(files_folder) != NULL, "no temporary folder");
    atexit(files_remove);
}

/* Opens a file of the folder for writing. A new file each time: some file systems wait for the disk when one that has
 * been emptied is closed. */
static FILE *files_open(int file) {
    char path[300];
    files_path(path, file);
    (void)remove(path);
    FILE *f = fopen(path, "wb");
    files_need(f != NULL, "can't write");
    return f;
}

static void files_write(int file, const char *text, size_t n) {
    FILE *f = files_open(file);
    files_need(fwrite(text, 1, n, f) == n, "can't write");
    files_need(fclose(f) == 0, "can't write");
}

/* A vocabulary of all bytes, ids 0 to 255, and then `more`: entries that begin with a comma, and the closing brace. */
static void files_write_vocab(const char *more, size_t n) {
    FILE *f = files_open(0);
    for (unsigned byte = 0; byte < 256; byte++) {
        char c[2];
        size_t k = kz_byte_character((unsigned char)byte, c);
        fprintf(f, "%s\"%s%.*s\":%u", byte ? "," : "{", byte == '"' || byte == '\\' ? "\\" : "", (int)k, c, byte);
    }
    files_need(fwrite(more, 1, n, f) == n, "can't write");
    files_need(fclose(f) == 0, "can't write");
}

#endif
