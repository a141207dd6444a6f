/* shards.c: a model in several files, by its index.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/directory.h"
#include "weights/json.h"
#include "weights/sort.h"

enum { INDEX_LIMIT = 100000000, MAX_SHARD = 1024 };

/* A file's name without any path, so that an index can't lead out of its directory. */
static bool is_plain_name(const char *name) {
    size_t n = strlen(name);
    return n > 0 && n <= 255 && !strpbrk(name, "/\\:") && !strstr(name, "..") && strcmp(name, ".") != 0;
}

static int by_string(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Sorted list of the different files of the map; *files is freed with kz_free. */
static kztts_status list_files(const char ***files, size_t *n_file, const cJSON *map, const char *label, kz_err *err) {
    size_t n = 0;
    for (const cJSON *item = map->child; item; item = item->next, n++)
        if (!cJSON_IsString(item) || !is_plain_name(item->valuestring))
            return kz_fail(err, KZTTS_ERROR_FORMAT,
                           "%s: weight_map: \"%s\": expected the plain name of a file, found %s", label,
                           kz_show(item->string).s, kz_show_json(item).s);
    if (!n)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: weight_map is empty", label);
    const char **list = kz_alloc(n, sizeof *list);
    if (!list)
        return kz_fail_memory(err, n * sizeof *list, label);
    n = 0;
    for (const cJSON *item = map->child; item; item = item->next)
        list[n++] = item->valuestring;
    kz_sort(list, n, sizeof *list, by_string);
    *n_file = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
            list[(*n_file)++] = list[i];
    *files = list;
    if (*n_file > MAX_SHARD)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %zu files are more than the limit of %d", label, *n_file,
                       MAX_SHARD);
    return KZTTS_OK;
}

static kztts_status map_files(kz_weights *w, const char *dir, const char *const *files, kz_err *err) {
    for (size_t i = 0; i < w->n_shard; i++) {
        char *path = kz_path_join(dir, files[i]);
        if (!path)
            return kz_fail_memory(err, strlen(dir), "a path");
        kztts_status status = kz_weights_map_shard(w, i, path, err);
        kz_free(path);
        KZ_TRY(status);
    }
    return kz_weights_merge(w, err);
}

/* Every name must be in the file that the map says. Tensors that the map leaves out are taken as they are: no name is
 * in two files, so they can't stand for something else. */
static kztts_status check_map(const kz_weights *w, const cJSON *map, const char *const *files, const char *label,
                              kz_err *err) {
    for (const cJSON *item = map->child; item; item = item->next) {
        const kz_tensor *t = kz_weights_find(w, item->string);
        size_t i = t ? (size_t)(kz_weights_shard_of(w, t) - w->shards) : 0;
        if (!t || strcmp(files[i], item->valuestring) != 0)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: weight_map: tensor \"%s\" is not in %s", label,
                           kz_show(item->string).s, kz_show(item->valuestring).s);
    }
    return KZTTS_OK;
}

static kztts_status open_map(kz_weights **out, const char *dir, const cJSON *map, const char *label, kz_err *err) {
    const char **files = NULL;
    size_t n_file = 0;
    kz_weights *w = NULL;
    kztts_status status = list_files(&files, &n_file, map, label, err);
    if (status >= 0)
        status = kz_weights_new(&w, n_file, err);
    if (status >= 0)
        status = map_files(w, dir, files, err);
    if (status >= 0)
        status = check_map(w, map, files, label, err);
    kz_free(files);
    if (status < 0) {
        kz_weights_close(w);
        w = NULL;
    }
    *out = w;
    return status;
}

kztts_status kz_shards_open(kz_weights **out, const char *dir, const char *index_path, kz_err *err) {
    static const char label[] = "model.safetensors.index.json";
    char *text;
    size_t n;
    cJSON *json;
    const cJSON *map;
    *out = NULL;
    KZ_TRY(kz_file_read(&text, &n, index_path, INDEX_LIMIT, err));
    kztts_status status = kz_json_parse(&json, text, n, KZ_JSON_DIRECTORY, label, err);
    kz_free(text);
    KZ_TRY(status);
    if (!kz_json_item(&map, json, "weight_map") || !cJSON_IsObject(map))
        status = kz_fail(err, KZTTS_ERROR_FORMAT, "%s: weight_map: expected one object, found %s", label,
                         map && cJSON_IsObject(map) ? "two" : kz_show_json(map).s);
    else
        status = open_map(out, dir, map, label, err);
    cJSON_Delete(json);
    return status;
}
