/* hub.h: models of a hub: their cache on disk, and fetching them.  SPDX-License-Identifier: Apache-2.0
 *
 * in         names as USER/REPO[@REVISION], environment (HF_*), bytes of a hub: hostile, all checked
 * out        paths of files in the cache, whose layout is that of the hub's own client: models--USER--REPO with blobs,
 *            refs and snapshots/COMMIT, whose files are relative links into blobs; locks in .locks
 * state      a kz_hub: settings and the message of the last failure
 * threads    an object by one at a time; processes share the cache under locks
 * memory     kz_hub_tree_free; the rest is the caller's
 *
 * Functions return KZTTS_OK or a kztts_status with the sentence in hub->message. */
#ifndef KZ_HUB_H
#define KZ_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kztts/status.h"

#if defined(__GNUC__) || defined(__clang__)
#define KZ_HUB_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define KZ_HUB_PRINTF(f, a)
#endif

enum { KZ_HUB_PATH = 4096, KZ_HUB_NAME = 200, KZ_HUB_HASH = 65, KZ_HUB_COMMIT = 41 };

typedef struct kz_hub {
    char cache[KZ_HUB_PATH];
    char endpoint[512]; /* without a slash at the end */
    char token[512];    /* "" = none */
    bool offline;
    long meta_timeout, data_timeout; /* s */
    /* may be NULL; total: bytes of the file */
    void (*progress)(void *user, const char *file, uint64_t done, uint64_t total);
    void (*note)(void *user, const char *text);
    void *user;
    char message[1200];
} kz_hub;

typedef struct kz_hub_repo {
    char id[KZ_HUB_NAME], revision[KZ_HUB_NAME], quant[32]; /* quant: "" = none */
} kz_hub_repo;

typedef struct kz_hub_file {
    char *path; /* inside the repository, checked */
    uint64_t size;
    char hash[KZ_HUB_HASH]; /* SHA-256 of the bytes (64 digits) or SHA-1 of the git blob (40) */
} kz_hub_file;

typedef struct kz_hub_tree {
    char commit[KZ_HUB_COMMIT];
    kz_hub_file *files;
    size_t n;
} kz_hub_tree;

/* ---- settings and names ------------------------------------------------------------------------------------ */

/* From the environment. token: instead of HF_TOKEN, or NULL. */
kztts_status kz_hub_open(kz_hub *hub, const char *token, bool offline);
kztts_status kz_hub_fail(kz_hub *hub, kztts_status status, const char *fmt, ...) KZ_HUB_PRINTF(3, 4);

/* An alias of a released model, or USER/REPO; then [@REVISION] and [:QUANT]. */
kztts_status kz_hub_parse(kz_hub *hub, const char *text, kz_hub_repo *repo);
bool kz_hub_path_ok(const char *path); /* relative, without .. and the like */
bool kz_hub_is_hex(const char *text, size_t n);
const char *kz_hub_alias(int i, const char **id); /* NULL past the end */

/* Whether the path fits one of the patterns (* ? []), which are separated by commas; NULL = all fit. Case
 * makes no difference. */
bool kz_hub_included(const char *path, const char *patterns);

/* ---- cache ------------------------------------------------------------------------------------------------- */

/* printf into a path; false when it is too long. */
bool kz_hub_format(char out[KZ_HUB_PATH], const char *fmt, ...) KZ_HUB_PRINTF(2, 3);
bool kz_hub_folder(const kz_hub *hub, const kz_hub_repo *repo, char out[KZ_HUB_PATH]);
bool kz_hub_commit(const kz_hub *hub, const kz_hub_repo *repo, char commit[KZ_HUB_COMMIT]); /* of refs/REVISION */

/* The folder of the revision's files; false when there is none. */
bool kz_hub_snapshot(const kz_hub *hub, const kz_hub_repo *repo, char out[KZ_HUB_PATH]);
bool kz_hub_has_model(const char *folder); /* all files of a model in released form are in it */

/* The .gguf file in the folder whose name has `quant` ("": the only one). */
kztts_status kz_hub_gguf(kz_hub *hub, const char *folder, const char *quant, char out[KZ_HUB_PATH]);

kztts_status kz_hub_make_folders(kz_hub *hub, const char *path); /* those above the last / */
kztts_status kz_hub_link(kz_hub *hub, const char *folder, const char *commit, const kz_hub_file *file);
kztts_status kz_hub_write_ref(kz_hub *hub, const char *folder, const kz_hub_repo *repo, const char *commit);

/* Hash of a file as `like` was made: 64 digits SHA-256, 40 digits git's SHA-1. */
kztts_status kz_hub_hash(kz_hub *hub, const char *path, const char *like, char out[KZ_HUB_HASH]);

/* An exclusive lock; released by closing *fd. */
kztts_status kz_hub_lock(kz_hub *hub, const kz_hub_repo *repo, const char *hash, int *fd);

/* ---- network ----------------------------------------------------------------------------------------------- */

bool kz_hub_has_network(void); /* whether this build can fetch */

/* The answer to a question for the hub's list of files. */
kztts_status kz_hub_parse_tree(kz_hub *hub, const char *json, size_t n, kz_hub_tree *tree);
void kz_hub_tree_free(kz_hub_tree *tree);
kztts_status kz_hub_fetch_tree(kz_hub *hub, const kz_hub_repo *repo, kz_hub_tree *tree);

/* Bytes from *have on are appended to fd, which has that many; more than size is an error. Retries what may pass. */
kztts_status kz_hub_fetch_file(kz_hub *hub, const kz_hub_repo *repo, const char *commit, const kz_hub_file *file,
                               int fd, uint64_t *have);

/* Fetches what of the repository is missing and included; folder receives the snapshot's. */
kztts_status kz_hub_pull(kz_hub *hub, const kz_hub_repo *repo, const char *include, char folder[KZ_HUB_PATH]);

/* The model of a name: from the cache without a request when it is there, else fetched. file: a file of the repository,
 * or NULL. */
kztts_status kz_hub_model(kz_hub *hub, const kz_hub_repo *repo, const char *file, char path[KZ_HUB_PATH]);

#endif
