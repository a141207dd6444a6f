/* pull.c: what is missing of a repository comes into the cache.  SPDX-License-Identifier: Apache-2.0
 *
 * A file grows as blobs/HASH.incomplete under its lock, goes on from there after a cut, and gets its name when size and
 * hash are right. The revision's ref is written last: one of ours means that all that was asked for is there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "hub.h"

/* Which .gguf file a second one belongs to, its name doesn't always tell: all come. */
#define CODEC_FILES "*tokenizer*.gguf,*codec*.gguf,*mmproj*.gguf"

static const char model_files[] = "*.json,*.txt,*.safetensors,*LICENSE*,*NOTICE*";

static bool has_blob(const char *blob, uint64_t size) {
    struct stat st;
    return stat(blob, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == size;
}

static kztts_status check_blob(kz_hub *hub, const char *part, const kz_hub_file *file) {
    char hash[KZ_HUB_HASH];
    kztts_status status = kz_hub_hash(hub, part, file->hash, hash);
    if (status < 0 || strcmp(hash, file->hash) == 0)
        return status;
    unlink(part);
    return kz_hub_fail(hub, KZTTS_ERROR_FORMAT,
                       "'%s' came damaged: its hash is %s, the hub says %s; it is removed, pull again", file->path,
                       hash, file->hash);
}

/* Under the lock. */
static kztts_status fill_blob(kz_hub *hub, const kz_hub_repo *repo, const char *commit, const kz_hub_file *file,
                              const char *blob) {
    char part[KZ_HUB_PATH];
    struct stat st;
    if (has_blob(blob, file->size))
        return KZTTS_OK;
    if (!kz_hub_format(part, "%s.incomplete", blob))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path in the cache is too long");
    int fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || fstat(fd, &st) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't write '%s': %s", part, strerror(error));
    }
    uint64_t have = (uint64_t)st.st_size <= file->size ? (uint64_t)st.st_size : 0;
    kztts_status status = KZTTS_OK;
    if (ftruncate(fd, (off_t)have) != 0)
        status = kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't write '%s': %s", part, strerror(errno));
    if (status >= 0 && have < file->size)
        status = kz_hub_fetch_file(hub, repo, commit, file, fd, &have);
    if (close(fd) != 0 && status >= 0)
        status = kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't write '%s': %s", part, strerror(errno));
    if (status >= 0)
        status = check_blob(hub, part, file);
    if (status >= 0 && rename(part, blob) != 0)
        status = kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't write '%s': %s", blob, strerror(errno));
    return status;
}

static kztts_status pull_file(kz_hub *hub, const kz_hub_repo *repo, const char *folder, const char *commit,
                              const kz_hub_file *file) {
    char blob[KZ_HUB_PATH];
    int lock;
    if (!kz_hub_format(blob, "%s/blobs/%s", folder, file->hash))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path in the cache is too long");
    kztts_status status = kz_hub_make_folders(hub, blob);
    if (status < 0 || (status = kz_hub_lock(hub, repo, file->hash, &lock)) < 0)
        return status;
    status = fill_blob(hub, repo, commit, file, blob);
    if (status >= 0)
        status = kz_hub_link(hub, folder, commit, file);
    close(lock);
    return status;
}

/* Before anything is fetched, not after hours. */
static kztts_status check_space(kz_hub *hub, const char *folder, const kz_hub_tree *tree, const char *include) {
    char path[KZ_HUB_PATH];
    struct statvfs fs;
    uint64_t need = 0;
    int fits = 0;
    for (size_t i = 0; i < tree->n; i++) {
        const kz_hub_file *file = &tree->files[i];
        if (!kz_hub_included(file->path, include))
            continue;
        fits++;
        struct stat st = {0};
        if (!kz_hub_format(path, "%s/blobs/%s", folder, file->hash) || has_blob(path, file->size))
            continue;
        need += file->size;
        if (kz_hub_format(path, "%s/blobs/%s.incomplete", folder, file->hash) && stat(path, &st) == 0 &&
            (uint64_t)st.st_size <= file->size)
            need -= (uint64_t)st.st_size;
    }
    if (fits == 0)
        return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND, "none of the %zu files fits '%s'", tree->n,
                           include ? include : "");
    uint64_t room = statvfs(hub->cache, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
    if (need <= room)
        return KZTTS_OK;
    return kz_hub_fail(hub, KZTTS_ERROR_FAILED,
                       "%.1f MB are to be fetched and only %.1f MB are free in '%s'; make room, or name another place "
                       "with HF_HUB_CACHE",
                       (double)need / 1e6, (double)room / 1e6, hub->cache);
}

static kztts_status pull_all(kz_hub *hub, const kz_hub_repo *repo, const kz_hub_tree *tree, const char *include,
                             char out[KZ_HUB_PATH]) {
    char folder[KZ_HUB_PATH], cache[KZ_HUB_PATH];
    if (!kz_hub_folder(hub, repo, folder) || !kz_hub_format(cache, "%s/", hub->cache) ||
        !kz_hub_format(out, "%s/snapshots/%s", folder, tree->commit))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "the path of the cache is too long");
    kztts_status status = kz_hub_make_folders(hub, cache);
    if (status >= 0)
        status = check_space(hub, folder, tree, include);
    for (size_t i = 0; i < tree->n && status >= 0; i++)
        if (kz_hub_included(tree->files[i].path, include))
            status = pull_file(hub, repo, folder, tree->commit, &tree->files[i]);
    return status < 0 ? status : kz_hub_write_ref(hub, folder, repo, tree->commit);
}

kztts_status kz_hub_pull(kz_hub *hub, const kz_hub_repo *repo, const char *include, char folder[KZ_HUB_PATH]) {
    kz_hub_tree tree;
    kztts_status status = kz_hub_fetch_tree(hub, repo, &tree);
    if (status >= 0)
        status = pull_all(hub, repo, &tree, include, folder);
    kz_hub_tree_free(&tree);
    return status;
}

/* What the folder has of the wanted: the file, the .gguf, or a whole model. */
static kztts_status find(kz_hub *hub, const kz_hub_repo *repo, const char *file, const char *folder,
                         char path[KZ_HUB_PATH]) {
    struct stat st;
    if (file)
        return kz_hub_format(path, "%s/%s", folder, file) && stat(path, &st) == 0
                   ? KZTTS_OK
                   : kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND, "%s has no file '%s'", repo->id, file);
    if (*repo->quant || !kz_hub_has_model(folder)) {
        kztts_status status = kz_hub_gguf(hub, folder, repo->quant, path);
        if (status >= 0 || *repo->quant || status == KZTTS_ERROR_ARGUMENT)
            return status;
        return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND,
                           "%s isn't a whole model: expected config.json, weights, vocabulary and speech_tokenizer; a "
                           ".gguf file is named by -hf %s:QUANT, or with -hff",
                           repo->id, repo->id);
    }
    return kz_hub_format(path, "%s", folder) ? KZTTS_OK : kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path is too long");
}

kztts_status kz_hub_model(kz_hub *hub, const kz_hub_repo *repo, const char *file, char path[KZ_HUB_PATH]) {
    char folder[KZ_HUB_PATH], include[KZ_HUB_PATH];
    if (file && !kz_hub_path_ok(file))
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT, "'%.200s' isn't a file's path in a repository", file);
    if (kz_hub_snapshot(hub, repo, folder) && find(hub, repo, file, folder, path) >= 0)
        return KZTTS_OK;
    if (file || *repo->quant)
        snprintf(include, sizeof include, "%s%s%s," CODEC_FILES, file ? "" : "*", file ? file : repo->quant,
                 file ? "" : "*.gguf");
    else
        snprintf(include, sizeof include, "%s", model_files);
    kztts_status status = kz_hub_pull(hub, repo, include, folder);
    return status < 0 ? status : find(hub, repo, file, folder, path);
}
