/* fuzz_hub.c: any bytes as a hub's list of files, and as a model's name.  SPDX-License-Identifier: Apache-2.0
 *
 * What is taken must stay inside the cache and be able to be checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void need(bool right) {
    if (!right)
        abort();
}

static void check_tree(const kz_hub_tree *tree) {
    need(kz_hub_is_hex(tree->commit, 40));
    for (size_t i = 0; i < tree->n; i++) {
        const kz_hub_file *f = &tree->files[i];
        char padded[1100];
        need(f->path[0] != '/' && strlen(f->path) < 1050);
        snprintf(padded, sizeof padded, "/%s/", f->path);
        need(!strstr(padded, "/../") && !strstr(padded, "//") && !strstr(padded, "/./"));
        need(kz_hub_is_hex(f->hash, 40) || kz_hub_is_hex(f->hash, 64));
    }
}

static void check_name(kz_hub *hub, const uint8_t *data, size_t n) {
    char text[256];
    kz_hub_repo repo;
    n = n < sizeof text ? n : sizeof text - 1;
    memcpy(text, data, n);
    text[n] = '\0';
    if (kz_hub_parse(hub, text, &repo) < 0)
        return;
    need(strchr(repo.id, '/') && strchr(repo.id, '/') == strrchr(repo.id, '/') && !strstr(repo.id, ".."));
    need(*repo.revision && *repo.revision != '/' && !strstr(repo.revision, "../"));
    need(!strchr(repo.quant, '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_hub hub = {.endpoint = "http://hub"};
    kz_hub_tree tree;
    if (kz_hub_parse_tree(&hub, (const char *)data, n, &tree) >= 0)
        check_tree(&tree);
    kz_hub_tree_free(&tree);
    check_name(&hub, data, n);
    return 0;
}
