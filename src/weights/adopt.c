/* adopt.c: tensors that another container holds.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/directory.h"

static kztts_status copy_files(kz_weights *w, const kz_adopted *what, kz_err *err) {
    for (size_t i = 0; i < what->n_file; i++) {
        w->shards[i].label = kz_strndup(what->files[i].label, strlen(what->files[i].label));
        w->shards[i].file = what->files[i].file;
        if (!w->shards[i].label)
            return kz_fail_memory(err, strlen(what->files[i].label), "a file's name");
    }
    return KZTTS_OK;
}

static kztts_status copy_tensors(kz_shard *shard, const kz_adopted *what, kz_err *err) {
    size_t n_string = 0;
    for (size_t i = 0; i < what->n_tensor; i++)
        n_string += strlen(what->tensors[i].name) + 1; /* all are in memory already: no overflow */
    shard->strings = kz_alloc(n_string + 1, 1);
    shard->tensors = kz_alloc(what->n_tensor + 1, sizeof *shard->tensors);
    if (!shard->strings || !shard->tensors)
        return kz_fail_memory(err, n_string, shard->label);
    char *at = shard->strings;
    for (size_t i = 0; i < what->n_tensor; i++) {
        kz_tensor *t = &shard->tensors[shard->n_tensor++];
        size_t n = strlen(what->tensors[i].name) + 1;
        *t = what->tensors[i];
        t->name = memcpy(at, what->tensors[i].name, n);
        t->loose = true;
        at += n;
    }
    return KZTTS_OK;
}

kztts_status kz_weights_adopt(kz_weights **out, const kz_adopted *what, kz_err *err) {
    kz_weights *w;
    *out = NULL;
    KZ_TRY(kz_weights_new(&w, what->n_file, err));
    kztts_status status = copy_files(w, what, err);
    if (status >= 0)
        status = copy_tensors(&w->shards[0], what, err);
    if (status >= 0)
        status = kz_weights_merge(w, err);
    if (status < 0) {
        kz_weights_close(w);
        return status;
    }
    w->adopted = (kz_adopted){.name_in_file = what->name_in_file, .release = what->release, .owner = what->owner};
    *out = w;
    return KZTTS_OK;
}
