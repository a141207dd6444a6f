/* fuzz_replay.c: runs a fuzz target over files, without a fuzzer.  SPDX-License-Identifier: Apache-2.0
 *
 *      fuzz_<reader> FILE|FOLDER...
 *
 * Every seed is also run cut off at some lengths and with some bytes changed, so that the replay is more than a
 * reading of good files. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CUTS = 16, CHANGES = 48 };

static unsigned n_file, n_run;

/* Exactly `size` bytes, so that the address sanitizer sees a read beyond the end. */
static void run_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    n_run++;
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void run_variants(uint8_t *data, size_t size) {
    uint32_t state = (uint32_t)size + 1;
    run_copy(data, size);
    if (!size)
        return;
    for (size_t i = 0; i < CUTS; i++)
        run_copy(data, next_random(&state) % size);
    for (size_t i = 0; i < CHANGES; i++) {
        /* half of the changes near the beginning, where headers are */
        size_t range = i % 2 && size > 256 ? 256 : size;
        size_t at = next_random(&state) % range;
        uint8_t old = data[at];
        data[at] = (uint8_t)next_random(&state);
        run_copy(data, size);
        data[at] = old;
    }
}

static int replay_file(const char *path, size_t size) {
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(size + 1);
    int ok = f && data && fread(data, 1, size, f) == size;
    if (f)
        fclose(f);
    if (ok) {
        run_variants(data, size);
        n_file++;
    } else {
        fprintf(stderr, "%s: can't be read\n", path);
    }
    free(data);
    return ok ? 0 : 1;
}

static int replay(const char *path) {
    struct stat st;
    struct dirent *entry;
    int bad = 0;
    if (stat(path, &st)) {
        fprintf(stderr, "%s: not found\n", path);
        return 1;
    }
    if (!S_ISDIR(st.st_mode))
        return replay_file(path, (size_t)st.st_size);
    DIR *dir = opendir(path);
    if (!dir)
        return 1;
    while ((entry = readdir(dir)) != NULL) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= sizeof name)
            bad = 1;
        else
            bad |= replay(name);
    }
    closedir(dir);
    return bad;
}

int main(int argc, char **argv) {
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    printf("%u files, %u runs\n", n_file, n_run);
    if (!n_file) {
        fprintf(stderr, "no seed was found\n");
        return 1;
    }
    return bad;
}
