/* user_voices.c: voices that are files: the user's folder, names and paths.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "user_voices.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_MAX_BYTES = 200 };

static bool fits(int n) { return n > 0 && n < KZ_PATH; }

bool kz_user_folder(char out[KZ_PATH]) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return fits(snprintf(out, KZ_PATH, "%s/kztts/voices", data));
    return home && *home == '/' && fits(snprintf(out, KZ_PATH, "%s/.local/share/kztts/voices", home));
}

static bool ends_in(const char *word, const char *ending) {
    size_t n = strlen(word), m = strlen(ending);
    return n > m && strcmp(word + n - m, ending) == 0;
}

bool kz_voice_is_path(const char *word) { return strchr(word, '/') != NULL || ends_in(word, KZ_VOICE_ENDING); }

static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

static bool in_folder(const char *name, char out[KZ_PATH]) {
    char folder[KZ_PATH];
    if (!*name || *name == '.' || strchr(name, '/') || !kz_user_folder(folder))
        return false;
    return fits(snprintf(out, KZ_PATH, "%s/%s%s", folder, name, KZ_VOICE_ENDING));
}

bool kz_user_voice(const char *name, char out[KZ_PATH]) { return in_folder(name, out) && is_file(out); }

void kz_voice_snapshot(const char *path, char *out, size_t size) { snprintf(out, size, "%s.snapshot", path); }

int kz_voice_find(const char *word, char out[KZ_PATH]) {
    char near[KZ_PATH], folder[KZ_PATH];
    if (kz_user_voice(word, out))
        return KZ_GO_ON;
    if (kz_voice_is_path(word) || is_file(word)) {
        if (!fits(snprintf(out, KZ_PATH, "%s", word)) || !is_file(out))
            return kz_cli_fail(KZ_EXIT_NOT_FOUND, "no voice file '%s'", word);
        return KZ_GO_ON;
    }
    kz_user_voice_near(word, near, sizeof near);
    if (*near)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "you have no voice '%s'; did you mean '%s'?", word, near);
    if (!kz_user_folder(folder))
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "no voice '%s': HOME isn't set, so there is no folder of yours", word);
    return kz_cli_fail(KZ_EXIT_NOT_FOUND, "no voice '%s' in %s (kztts voices lists them)", word, folder);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Counts the names, or copies them when `names` is given. */
static int scan(DIR *dir, char **names, char *text, size_t *bytes) {
    const struct dirent *entry;
    int n = 0;
    *bytes = 0;
    rewinddir(dir);
    while ((entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || !ends_in(entry->d_name, KZ_VOICE_ENDING))
            continue;
        length -= strlen(KZ_VOICE_ENDING);
        if (names) {
            names[n] = text + *bytes;
            memcpy(names[n], entry->d_name, length);
            names[n][length] = '\0';
        }
        *bytes += length + 1;
        n++;
    }
    return n;
}

int kz_user_voice_names(char ***names, int *n) {
    char folder[KZ_PATH];
    size_t bytes, room;
    *names = NULL;
    *n = 0;
    DIR *dir = kz_user_folder(folder) ? opendir(folder) : NULL;
    if (!dir)
        return KZ_GO_ON;
    int count = scan(dir, NULL, NULL, &room);
    size_t head = (size_t)count * sizeof **names;
    char **block = malloc(head + room + 1);
    if (block && count) {
        /* a file may come or go between the two */
        int again = scan(dir, NULL, NULL, &bytes);
        if (again != count || bytes != room)
            count = 0;
        else
            scan(dir, block, (char *)block + head, &bytes);
    }
    closedir(dir);
    if (!block)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the list of voices");
    qsort(block, (size_t)count, sizeof *block, compare);
    *names = block;
    *n = count;
    return KZ_GO_ON;
}

void kz_user_voice_near(const char *word, char *out, size_t size) {
    char **names;
    int n, best = -1;
    *out = '\0';
    if (kz_user_voice_names(&names, &n) != KZ_GO_ON)
        return;
    for (int i = 0; i < n; i++) {
        int distance = kz_cli_distance(word, names[i]);
        if (distance < 0 || (best >= 0 && distance >= best))
            continue;
        best = distance;
        snprintf(out, size, "%s", names[i]);
    }
    free(names);
}

static int set_path(kz_voice_target *target, const kz_args *args, const char *asked) {
    const char *slash = strrchr(asked, '/'), *base = slash ? slash + 1 : asked, *dot = strrchr(base, '.');
    if (strcmp(asked, "-") == 0)
        return kz_cli_usage(args->command, "a voice is written to a file, not to standard output: -o NAME");
    if (!*base || *base == '.' || strlen(base) > NAME_MAX_BYTES)
        return kz_cli_usage(args->command, "'%s' can't be the name of a voice: 1 to %d bytes, not beginning with a dot",
                            asked, NAME_MAX_BYTES);
    if (dot && strcmp(dot, KZ_VOICE_ENDING) != 0)
        return kz_cli_usage(args->command,
                            "'%s': a voice file ends in %s; a NAME without an ending goes to your voices", asked,
                            KZ_VOICE_ENDING);
    target->user = !slash && !dot;
    if (target->user && !in_folder(asked, target->path))
        return kz_cli_fail(KZ_EXIT_FAILED,
                           "there is no folder for your voices: neither XDG_DATA_HOME nor HOME is set; "
                           "name a file with -o ./%s%s",
                           asked, KZ_VOICE_ENDING);
    if (!target->user && !fits(snprintf(target->path, KZ_PATH, "%s%s", asked, dot ? "" : KZ_VOICE_ENDING)))
        return kz_cli_fail(KZ_EXIT_USAGE, "the name of the voice file is too long");
    return KZ_GO_ON;
}

int kz_voice_target_from(kz_voice_target *target, const kz_args *args, const char *name) {
    const char *asked = args->value[KZ_OPT_VOICE_FILE].text ? args->value[KZ_OPT_VOICE_FILE].text : name;
    memset(target, 0, sizeof *target);
    if (!asked)
        return kz_cli_usage(args->command, "name the voice with -o NAME");
    int code = set_path(target, args, asked);
    if (code == KZ_GO_ON && is_file(target->path) && !args->value[KZ_OPT_FORCE].flag)
        return kz_cli_fail(KZ_EXIT_USAGE, "'%s' is there already; --force replaces it", target->path);
    return code;
}

int kz_voice_target_folder(const kz_voice_target *target) {
    char path[KZ_PATH];
    if (!target->user || !kz_user_folder(path))
        return KZ_GO_ON;
    for (char *p = path + 1;; p++) {
        char c = *p;
        if (c != '/' && c != '\0')
            continue;
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return kz_cli_fail(KZ_EXIT_FAILED, "can't make the folder '%s': %s", path, strerror(errno));
        if (c == '\0')
            return KZ_GO_ON;
        *p = c;
    }
}

void kz_bare_name(const char *path, char *out, size_t size) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    for (size_t dot = n; dot > from + 1; dot--)
        if (path[dot - 1] == '.') {
            n = dot - 1;
            break;
        }
    n -= from;
    if (n >= size)
        n = size - 1;
    memcpy(out, path + from, n);
    out[n] = '\0';
}
