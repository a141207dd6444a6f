/* dir.c: what is in a folder.  SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* One more name; the list grows by doubling. */
static bool keep(char ***names, size_t n, const char *name) {
    if (!(n & (n - 1))) {
        char **grown = kz_alloc(n ? 2 * n : 1, sizeof *grown);
        if (!grown)
            return false;
        if (n)
            memcpy(grown, *names, n * sizeof *grown);
        kz_free(*names);
        *names = grown;
    }
    return ((*names)[n] = kz_strndup(name, strlen(name))) != NULL;
}

kztts_status kz_dir_list(char ***names, size_t *n_name, const char *path, size_t limit, kz_err *err) {
    const struct dirent *entry;
    bool room = true;
    *names = NULL;
    *n_name = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return kz_fail(err, errno == ENOENT ? KZTTS_ERROR_NOT_FOUND : KZTTS_ERROR_FAILED, "%s: %s", path,
                       strerror(errno));
    while (*n_name < limit && room && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            room = keep(names, *n_name, entry->d_name);
            *n_name += room;
        }
    closedir(dir);
    if (!room) {
        kz_dir_list_free(*names, *n_name);
        *names = NULL;
        *n_name = 0;
        return kz_fail_memory(err, limit, path);
    }
    if (*n_name)
        qsort(*names, *n_name, sizeof **names, by_string);
    return KZTTS_OK;
}

void kz_dir_list_free(char **names, size_t n_name) {
    for (size_t i = 0; i < n_name; i++)
        kz_free(names[i]);
    kz_free(names);
}
