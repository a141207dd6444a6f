/* names.c: names of repositories, revisions and files, and which are allowed.  SPDX-License-Identifier: Apache-2.0 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "hub.h"

static const struct {
    const char *alias, *id;
} aliases[] = {{"0.6b-custom", "Qwen/Qwen3-TTS-12Hz-0.6B-CustomVoice"},
               {"0.6b-base", "Qwen/Qwen3-TTS-12Hz-0.6B-Base"},
               {"1.7b-custom", "Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice"},
               {"1.7b-base", "Qwen/Qwen3-TTS-12Hz-1.7B-Base"},
               {"1.7b-design", "Qwen/Qwen3-TTS-12Hz-1.7B-VoiceDesign"}};

enum { N_ALIAS = sizeof aliases / sizeof aliases[0], PATH_LIMIT = 1024, PART_LIMIT = 255 };

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

const char *kz_hub_alias(int i, const char **id) {
    if (i < 0 || i >= N_ALIAS)
        return NULL;
    *id = aliases[i].id;
    return aliases[i].alias;
}

bool kz_hub_is_hex(const char *text, size_t n) { return strlen(text) == n && strspn(text, "0123456789abcdef") == n; }

bool kz_hub_path_ok(const char *path) {
    size_t length = strlen(path);
    if (length == 0 || length > PATH_LIMIT)
        return false;
    for (const char *p = path; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '\\')
            return false;
    for (const char *part = path;; part++) {
        size_t n = strcspn(part, "/");
        if (n == 0 || n > PART_LIMIT || (n == 1 && *part == '.') || (n == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        part += n;
        if (!*part)
            return true;
    }
}

/* USER or REPO. */
static bool part_ok(const char *part, size_t n) {
    return n > 0 && n <= 96 && strspn(part, LETTERS) >= n && *part != '.' && *part != '-' && part[n - 1] != '.' &&
           part[n - 1] != '-';
}

static bool id_ok(const char *id) {
    const char *slash = strchr(id, '/');
    return slash && !strstr(id, "--") && !strstr(id, "..") && part_ok(id, (size_t)(slash - id)) &&
           part_ok(slash + 1, strlen(slash + 1));
}

static bool revision_ok(const char *revision) {
    return revision[strspn(revision, LETTERS "/")] == '\0' && !strstr(revision, "..") &&
           kz_hub_path_ok(revision); /* as git has it */
}

/* Cuts the text at its last `mark`; the part behind it into out, which stays as it is when there is none. */
static bool cut(char *text, char mark, char *out, size_t size) {
    char *at = strrchr(text, mark);
    if (!at)
        return true;
    int n = snprintf(out, size, "%s", at + 1);
    *at = '\0';
    return n > 0 && (size_t)n < size;
}

kztts_status kz_hub_parse(kz_hub *hub, const char *text, kz_hub_repo *repo) {
    memset(repo, 0, sizeof *repo);
    memcpy(repo->revision, "main", 5);
    int n = snprintf(repo->id, sizeof repo->id, "%s", text);
    bool ok = n > 0 && (size_t)n < sizeof repo->id && cut(repo->id, ':', repo->quant, sizeof repo->quant) &&
              cut(repo->id, '@', repo->revision, sizeof repo->revision);
    for (int i = 0; ok && i < N_ALIAS; i++)
        if (strcasecmp(repo->id, aliases[i].alias) == 0)
            snprintf(repo->id, sizeof repo->id, "%s", aliases[i].id);
    if (!ok || !id_ok(repo->id))
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT,
                           "'%.200s' isn't the name of a model on the hub: expected USER/REPO, USER/REPO@REVISION, or "
                           "0.6b-custom, 0.6b-base, 1.7b-custom, 1.7b-base, 1.7b-design",
                           text);
    if (!revision_ok(repo->revision) || repo->quant[strspn(repo->quant, LETTERS)])
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT,
                           "'%.200s': a revision is a branch, a tag or a commit; a quantisation a word such as Q8_0",
                           text);
    return KZTTS_OK;
}

bool kz_hub_included(const char *path, const char *patterns) {
    char pattern[256];
    if (!patterns)
        return true;
    for (size_t n; *patterns; patterns += n + (patterns[n] == ',')) {
        n = strcspn(patterns, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)(n < sizeof pattern ? n : sizeof pattern - 1), patterns);
        if (*pattern && fnmatch(pattern, path, FNM_CASEFOLD) == 0)
            return true;
    }
    return false;
}
