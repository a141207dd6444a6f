/* tree.c: the hub's list of a repository's files.  SPDX-License-Identifier: Apache-2.0
 *
 * {"sha": COMMIT, "siblings": [{"rfilename": PATH, "size": N, "blobId": SHA1, "lfs": {"sha256": HASH, "size": N}}]} */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "hub.h"

enum { FILES_LIMIT = 100000 };

void kz_hub_tree_free(kz_hub_tree *tree) {
    for (size_t i = 0; i < tree->n; i++)
        free(tree->files[i].path);
    free(tree->files);
    memset(tree, 0, sizeof *tree);
}

static const char *text_of(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static bool size_of(const cJSON *object, uint64_t *size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "size");
    double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(value >= 0 && value <= 1e15))
        return false;
    *size = (uint64_t)value;
    return (double)*size == value;
}

static kztts_status take_file(kz_hub *hub, const cJSON *object, kz_hub_tree *tree) {
    const char *path = text_of(object, "rfilename");
    const cJSON *lfs = cJSON_GetObjectItemCaseSensitive(object, "lfs");
    bool large = cJSON_IsObject(lfs);
    const char *hash = large ? text_of(lfs, "sha256") : text_of(object, "blobId");
    kz_hub_file *file = &tree->files[tree->n];
    if (!kz_hub_path_ok(path))
        return kz_hub_fail(hub, KZTTS_ERROR_FORMAT,
                           "the hub lists a file '%.200s', whose name would lead out of the cache; nothing is fetched",
                           path);
    if (!kz_hub_is_hex(hash, large ? 64 : 40) || !size_of(large ? lfs : object, &file->size))
        return kz_hub_fail(hub, KZTTS_ERROR_FORMAT,
                           "the hub tells no size and hash of '%.200s', so it couldn't be checked; is HF_ENDPOINT (%s) "
                           "a hub?",
                           path, hub->endpoint);
    memcpy(file->hash, hash, strlen(hash) + 1);
    file->path = strdup(path);
    if (!file->path)
        return kz_hub_fail(hub, KZTTS_ERROR_MEMORY, "out of memory for the list of files");
    tree->n++;
    return KZTTS_OK;
}

static kztts_status take_tree(kz_hub *hub, const cJSON *root, kz_hub_tree *tree) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "siblings"), *item;
    const char *commit = text_of(root, "sha");
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (!kz_hub_is_hex(commit, KZ_HUB_COMMIT - 1) || n <= 0 || n > FILES_LIMIT)
        return kz_hub_fail(hub, KZTTS_ERROR_FORMAT,
                           "the answer of %s isn't a list of a model's files: expected a commit and up to %d files",
                           hub->endpoint, FILES_LIMIT);
    memcpy(tree->commit, commit, KZ_HUB_COMMIT);
    tree->files = calloc((size_t)n, sizeof *tree->files);
    if (!tree->files)
        return kz_hub_fail(hub, KZTTS_ERROR_MEMORY, "out of memory for a list of %d files", n);
    cJSON_ArrayForEach(item, list) {
        kztts_status status = take_file(hub, item, tree);
        if (status < 0)
            return status;
    }
    return KZTTS_OK;
}

kztts_status kz_hub_parse_tree(kz_hub *hub, const char *json, size_t n, kz_hub_tree *tree) {
    cJSON *root = cJSON_ParseWithLength(json, n);
    memset(tree, 0, sizeof *tree);
    kztts_status status =
        root ? take_tree(hub, root, tree)
             : kz_hub_fail(hub, KZTTS_ERROR_FORMAT, "the answer of %s isn't JSON; is it a hub?", hub->endpoint);
    cJSON_Delete(root);
    if (status < 0)
        kz_hub_tree_free(tree);
    return status;
}
