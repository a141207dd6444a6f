/* cache.c: the cache on disk, as the hub's own client lays it out.  SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git_hash.h"
#include "hash/hash.h"
#include "hub.h"

enum { BLOCK = 1 << 16 };

static bool there(const char *folder, const char *name) {
    char path[KZ_HUB_PATH];
    struct stat st;
    return kz_hub_format(path, "%s/%s", folder, name) && stat(path, &st) == 0;
}

bool kz_hub_folder(const kz_hub *hub, const kz_hub_repo *repo, char out[KZ_HUB_PATH]) {
    const char *slash = strchr(repo->id, '/');
    return kz_hub_format(out, "%s/models--%.*s--%s", hub->cache, (int)(slash - repo->id), repo->id, slash + 1);
}

bool kz_hub_commit(const kz_hub *hub, const kz_hub_repo *repo, char commit[KZ_HUB_COMMIT]) {
    char path[KZ_HUB_PATH], folder[KZ_HUB_PATH], text[KZ_HUB_COMMIT + 2] = "";
    if (kz_hub_is_hex(repo->revision, KZ_HUB_COMMIT - 1)) {
        memcpy(commit, repo->revision, KZ_HUB_COMMIT);
        return true;
    }
    if (!kz_hub_folder(hub, repo, folder) || !kz_hub_format(path, "%s/refs/%s", folder, repo->revision))
        return false;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (!kz_hub_is_hex(text, KZ_HUB_COMMIT - 1))
        return false;
    memcpy(commit, text, KZ_HUB_COMMIT);
    return true;
}

bool kz_hub_snapshot(const kz_hub *hub, const kz_hub_repo *repo, char out[KZ_HUB_PATH]) {
    char commit[KZ_HUB_COMMIT], folder[KZ_HUB_PATH];
    struct stat st;
    return kz_hub_commit(hub, repo, commit) && kz_hub_folder(hub, repo, folder) &&
           kz_hub_format(out, "%s/snapshots/%s", folder, commit) && stat(out, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One file, or all its pieces model-00001-of-0000N. */
static bool has_weights(const char *folder) {
    char name[64];
    if (there(folder, "model.safetensors"))
        return true;
    for (int total = 2; total < 100; total++) {
        int have = 0;
        for (; have < total; have++) {
            snprintf(name, sizeof name, "model-%05d-of-%05d.safetensors", have + 1, total);
            if (!there(folder, name))
                break;
        }
        if (have == total)
            return there(folder, "model.safetensors.index.json");
    }
    return false;
}

bool kz_hub_has_model(const char *folder) {
    return there(folder, "config.json") && has_weights(folder) &&
           (there(folder, "tokenizer.json") || (there(folder, "vocab.json") && there(folder, "merges.txt"))) &&
           there(folder, "speech_tokenizer/config.json") && there(folder, "speech_tokenizer/model.safetensors");
}

/* Whether the name ends in .gguf, has the word, and is neither a codec nor a later piece of a file in pieces. */
static bool gguf_fits(const char *name, const char *quant) {
    size_t n = strlen(name);
    const char *of = strstr(name, "-of-");
    if (n < 5 || strcmp(name + n - 5, ".gguf") != 0 || (*quant && !strcasestr(name, quant)) ||
        strstr(name, "tokenizer") || strstr(name, "codec") || strstr(name, "mmproj"))
        return false;
    return !of || of - name < 6 || strncmp(of - 6, "-00001", 6) == 0;
}

kztts_status kz_hub_gguf(kz_hub *hub, const char *folder, const char *quant, char out[KZ_HUB_PATH]) {
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char first[256] = "";
    int n = 0;
    while (dir && (entry = readdir(dir)) != NULL)
        if (gguf_fits(entry->d_name, quant) && there(folder, entry->d_name) && n++ == 0)
            snprintf(first, sizeof first, "%s", entry->d_name);
    if (dir)
        closedir(dir);
    if (n == 0)
        return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND, "no .gguf file with '%s' in its name is in '%s'", quant, folder);
    if (n > 1)
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT, "%d .gguf files fit in '%s', '%s' is one; -hff names the file", n,
                           folder, first);
    return kz_hub_format(out, "%s/%s", folder, first) ? KZTTS_OK
                                                      : kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND, "a path is too long");
}

kztts_status kz_hub_make_folders(kz_hub *hub, const char *path) {
    char part[KZ_HUB_PATH];
    if (!kz_hub_format(part, "%s", path))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path in the cache is too long");
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return kz_hub_fail(hub, KZTTS_ERROR_FAILED,
                               "can't make the folder '%s': %s (HF_HUB_CACHE names another place)", part,
                               strerror(errno));
        *p = '/';
    }
    return KZTTS_OK;
}

/* Where links aren't possible. */
static bool copy_file(const char *from, const char *to) {
    char block[BLOCK];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    bool ok = out != NULL;
    while (ok && (n = fread(block, 1, sizeof block, in)) > 0)
        ok = fwrite(block, 1, n, out) == n;
    ok = ok && !ferror(in);
    if (out && fclose(out) != 0)
        ok = false;
    if (in)
        fclose(in);
    if (!ok && out)
        unlink(to);
    return ok;
}

kztts_status kz_hub_link(kz_hub *hub, const char *folder, const char *commit, const kz_hub_file *file) {
    char path[KZ_HUB_PATH], blob[KZ_HUB_PATH], up[KZ_HUB_PATH] = "../../";
    struct stat st;
    size_t n = 6;
    for (const char *p = file->path; *p; p++)
        if (*p == '/' && n + 80 < sizeof up)
            n += (size_t)snprintf(up + n, sizeof up - n, "../");
    snprintf(up + n, sizeof up - n, "blobs/%s", file->hash);
    if (!kz_hub_format(path, "%s/snapshots/%s/%s", folder, commit, file->path) ||
        !kz_hub_format(blob, "%s/blobs/%s", folder, file->hash))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "the path of '%s' in the cache is too long", file->path);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == file->size)
        return KZTTS_OK;
    kztts_status status = kz_hub_make_folders(hub, path);
    if (status < 0)
        return status;
    unlink(path); /* a link to nowhere, or a broken copy */
    if (symlink(up, path) == 0 || errno == EEXIST || copy_file(blob, path))
        return KZTTS_OK;
    return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't make '%s': %s", path, strerror(errno));
}

kztts_status kz_hub_write_ref(kz_hub *hub, const char *folder, const kz_hub_repo *repo, const char *commit) {
    char path[KZ_HUB_PATH], fresh[KZ_HUB_PATH], before[KZ_HUB_COMMIT];
    if (strcmp(repo->revision, commit) == 0 || (kz_hub_commit(hub, repo, before) && strcmp(before, commit) == 0))
        return KZTTS_OK;
    if (!kz_hub_format(path, "%s/refs/%s", folder, repo->revision) ||
        !kz_hub_format(fresh, "%s.%ld.tmp", path, (long)getpid()))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path in the cache is too long");
    kztts_status status = kz_hub_make_folders(hub, path);
    if (status < 0)
        return status;
    FILE *f = fopen(fresh, "wb");
    bool ok = f && fputs(commit, f) >= 0;
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok || rename(fresh, path) != 0)
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't write '%s': %s", path, strerror(errno));
    return KZTTS_OK;
}

kztts_status kz_hub_hash(kz_hub *hub, const char *path, const char *like, char out[KZ_HUB_HASH]) {
    bool large = strlen(like) == 64;
    char block[BLOCK];
    struct stat st;
    kz_sha256 sha;
    kz_git_hash git;
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f || fstat(fileno(f), &st) != 0) {
        int error = errno;
        if (f)
            fclose(f);
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't read '%s': %s", path, strerror(error));
    }
    kz_sha256_init(&sha);
    kz_git_hash_init(&git, (uint64_t)st.st_size);
    while ((n = fread(block, 1, sizeof block, f)) > 0) {
        if (large)
            kz_sha256_add(&sha, block, n);
        else
            kz_git_hash_add(&git, block, n);
    }
    bool failed = ferror(f) != 0;
    fclose(f);
    if (large)
        kz_sha256_end(&sha, out);
    else
        kz_git_hash_end(&git, out);
    return failed ? kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't read all of '%s'", path) : KZTTS_OK;
}

/* Waits for the lock of the file as it is now: the other client may remove lock files. */
static int lock_file(const char *path) {
    struct stat mine, now;
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        while (flock(fd, LOCK_EX) != 0)
            if (errno != EINTR)
                return fd; /* no locks on this file system: go on without */
        if (fstat(fd, &mine) == 0 && stat(path, &now) == 0 && mine.st_ino == now.st_ino && mine.st_dev == now.st_dev)
            return fd;
        close(fd);
    }
}

kztts_status kz_hub_lock(kz_hub *hub, const kz_hub_repo *repo, const char *hash, int *fd) {
    char path[KZ_HUB_PATH];
    const char *slash = strchr(repo->id, '/');
    if (!kz_hub_format(path, "%s/.locks/models--%.*s--%s/%s.lock", hub->cache, (int)(slash - repo->id), repo->id,
                       slash + 1, hash))
        return kz_hub_fail(hub, KZTTS_ERROR_FAILED, "a path in the cache is too long");
    kztts_status status = kz_hub_make_folders(hub, path);
    if (status < 0)
        return status;
    *fd = lock_file(path);
    return *fd < 0 ? kz_hub_fail(hub, KZTTS_ERROR_FAILED, "can't open '%s': %s", path, strerror(errno)) : KZTTS_OK;
}
