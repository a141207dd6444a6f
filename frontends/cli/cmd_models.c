/* cmd_models.c: `kztts models`: what the hub's cache has.  SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "consent.h"
#include "hub_use.h"

int kz_cmd_models(const kz_args *args);

/* nftw has no pointer for its caller. */
static struct {
    uint64_t bytes;
    kz_hub *hub;
    int n_file, n_bad;
    kztts_status status;
} walk;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)path, (void)at;
    walk.bytes += type == FTW_F ? (uint64_t)st->st_size : 0;
    return 0;
}

/* "models--USER--REPO" to USER/REPO. */
static bool repo_of(const char *name, kz_hub *hub, kz_hub_repo *repo) {
    char id[KZ_HUB_NAME];
    if (strncmp(name, "models--", 8) != 0 || strlen(name) >= sizeof id)
        return false;
    const char *mid = strstr(name + 8, "--");
    if (!mid)
        return false;
    snprintf(id, sizeof id, "%.*s/%s", (int)(mid - name - 8), name + 8, mid + 2);
    return kz_hub_parse(hub, id, repo) >= 0;
}

static void print_model(kz_hub *hub, const kz_hub_repo *repo, bool json, bool first) {
    char folder[KZ_HUB_PATH], snapshot[KZ_HUB_PATH] = "";
    bool main = kz_hub_snapshot(hub, repo, snapshot), whole = main && kz_hub_has_model(snapshot);
    walk.bytes = 0;
    if (!kz_hub_folder(hub, repo, folder))
        return;
    nftw(folder, add_size, 16, FTW_PHYS);
    if (!json) {
        printf("%-48s %9.1f MB  %s\n", repo->id, (double)walk.bytes / 1e6,
               whole  ? "a whole model"
               : main ? "files"
                      : "no main revision, or not whole");
        return;
    }
    fputs(first ? "\n {\"repo\": " : ",\n {\"repo\": ", stdout);
    kz_cli_print_json_string(repo->id);
    printf(", \"bytes\": %llu, \"whole\": %s, \"path\": ", (unsigned long long)walk.bytes, whole ? "true" : "false");
    if (main)
        kz_cli_print_json_string(snapshot);
    else
        fputs("null", stdout);
    putchar('}');
}

static int list(const kz_args *args, kz_hub *hub, char **words, int n) {
    struct dirent **names;
    bool json = args->value[KZ_OPT_JSON].flag, first = true;
    kz_hub_repo repo;
    (void)words;
    if (n > 0)
        return kz_cli_usage(args->command, "'%s' is too much", words[0]);
    int count = scandir(hub->cache, &names, NULL, alphasort);
    if (json)
        putchar('[');
    for (int i = 0; i < count; i++) {
        if (repo_of(names[i]->d_name, hub, &repo)) {
            print_model(hub, &repo, json, first);
            first = false;
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    if (json)
        puts(first ? "]" : "\n]");
    if (first)
        kz_cli_note(args->value[KZ_OPT_QUIET].flag, "no model is in '%s'; kztts pull fetches one", hub->cache);
    return kz_cli_flush();
}

/* The model of the word and its folder in the cache. */
static int named(const kz_args *args, kz_hub *hub, char **words, int n, kz_hub_repo *repo, char folder[KZ_HUB_PATH]) {
    struct stat st;
    if (n != 1)
        return kz_cli_usage(args->command, n ? "one model at a time" : "which model? (kztts models lists them)");
    kztts_status status = kz_hub_parse(hub, words[0], repo);
    if (status < 0)
        return kz_cli_hub_failed(hub, status);
    if (!kz_hub_folder(hub, repo, folder) || stat(folder, &st) != 0)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "%s isn't in '%s' (kztts models lists what is)", repo->id, hub->cache);
    return KZ_GO_ON;
}

static int path(const kz_args *args, kz_hub *hub, char **words, int n) {
    kz_hub_repo repo;
    char folder[KZ_HUB_PATH], snapshot[KZ_HUB_PATH];
    int code = named(args, hub, words, n, &repo, folder);
    if (code != KZ_GO_ON)
        return code;
    if (!kz_hub_snapshot(hub, &repo, snapshot))
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "%s has no revision '%s' in '%s'; kztts pull fetches it", repo.id,
                           repo.revision, hub->cache);
    puts(snapshot);
    return kz_cli_flush();
}

static int remove_one(const char *name, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(name);
}

static int rm(const kz_args *args, kz_hub *hub, char **words, int n) {
    kz_hub_repo repo;
    char folder[KZ_HUB_PATH], locks[KZ_HUB_PATH], question[KZ_HUB_PATH + 32], answer[16];
    int code = named(args, hub, words, n, &repo, folder);
    if (code != KZ_GO_ON)
        return code;
    if (!args->value[KZ_OPT_FORCE].flag) {
        if (!kz_can_ask())
            return kz_cli_fail(KZ_EXIT_USAGE, "'%s' would be removed; --force does it without asking", folder);
        snprintf(question, sizeof question, "remove %s? [y/N]", folder);
        if (!kz_ask(question, answer, sizeof answer) || (answer[0] != 'y' && answer[0] != 'Y'))
            return kz_cli_fail(KZ_EXIT_USAGE, "'%s' is kept", repo.id);
    }
    if (nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "can't remove '%s': %s", folder, strerror(errno));
    if (kz_hub_format(locks, "%s/.locks%s", hub->cache, strrchr(folder, '/')))
        nftw(locks, remove_one, 16, FTW_DEPTH | FTW_PHYS); /* there may be none */
    kz_cli_note(args->value[KZ_OPT_QUIET].flag, "removed %s", folder);
    return KZ_EXIT_OK;
}

/* A blob's name is its hash. */
static int verify_one(const char *name, const struct stat *st, int type, struct FTW *at) {
    char hash[KZ_HUB_HASH];
    const char *base = name + at->base;
    (void)st;
    if (type != FTW_F || (!kz_hub_is_hex(base, 40) && !kz_hub_is_hex(base, 64)))
        return 0;
    walk.status = kz_hub_hash(walk.hub, name, base, hash);
    walk.n_file++;
    if (walk.status >= 0 && strcmp(hash, base) != 0) {
        walk.n_bad++;
        kz_cli_line("damaged: %s", name);
    }
    return walk.status < 0;
}

static int verify(const kz_args *args, kz_hub *hub, char **words, int n) {
    kz_hub_repo repo;
    char folder[KZ_HUB_PATH], blobs[KZ_HUB_PATH];
    int code = named(args, hub, words, n, &repo, folder);
    if (code != KZ_GO_ON)
        return code;
    memset(&walk, 0, sizeof walk);
    walk.hub = hub;
    if (!kz_hub_format(blobs, "%s/blobs", folder) || nftw(blobs, verify_one, 16, FTW_PHYS) != 0)
        return walk.status < 0 ? kz_cli_hub_failed(hub, walk.status)
                               : kz_cli_fail(KZ_EXIT_NOT_FOUND, "%s has no files in '%s'", repo.id, folder);
    if (walk.n_bad > 0)
        return kz_cli_fail(KZ_EXIT_FORMAT, "%d of %d files of %s are damaged; remove them and pull again", walk.n_bad,
                           walk.n_file, repo.id);
    printf("ok: %d files of %s have the hashes of their names\n", walk.n_file, repo.id);
    return kz_cli_flush();
}

int kz_cmd_models(const kz_args *args) {
    static const struct {
        const char *name;
        int (*run)(const kz_args *args, kz_hub *hub, char **words, int n);
    } actions[] = {{"list", list}, {"path", path}, {"rm", rm}, {"remove", rm}, {"verify", verify}};
    kz_hub hub;
    int code = kz_cli_hub_open(args, &hub);
    if (code != KZ_GO_ON)
        return code;
    if (args->n_word == 0)
        return list(args, &hub, NULL, 0);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0)
            return actions[i].run(args, &hub, args->words + 1, args->n_word - 1);
    return kz_cli_usage(args->command, "'%s' is no action: list, path, rm or verify", args->words[0]);
}
