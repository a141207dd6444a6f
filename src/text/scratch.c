/* scratch.c: memory of a call that grows and is used again; the list of ids.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/internal.h"

kztts_status kz_scratch_reserve(kz_scratch *scratch, size_t count, size_t size, kz_err *err) {
    size_t need, roomy;
    if (!kz_mul(count, size, &need))
        return kz_fail_memory(err, SIZE_MAX, "text");
    if (need <= scratch->n_byte)
        return KZTTS_OK;
    roomy = need < 256 ? 256 : need;
    if (roomy < SIZE_MAX / 2 && scratch->n_byte > roomy / 2)
        roomy = scratch->n_byte * 2; /* at least doubled: growing word by word stays linear */
    void *data = kz_alloc(roomy, 1);
    if (!data)
        return kz_fail_memory(err, roomy, "text");
    kz_free(scratch->data);
    scratch->data = data;
    scratch->n_byte = roomy;
    return KZTTS_OK;
}

void kz_scratch_free(kz_scratch *scratch) {
    kz_free(scratch->data);
    *scratch = (kz_scratch){0};
}

kztts_status kz_ids_push(kz_ids *ids, int32_t id, kz_err *err) {
    if (ids->n == ids->cap) {
        size_t cap;
        if (!kz_mul(ids->cap ? ids->cap : 32, 2, &cap))
            return kz_fail_memory(err, SIZE_MAX, "token ids");
        int32_t *grown = kz_alloc(cap, sizeof *grown);
        if (!grown)
            return kz_fail_memory(err, cap * sizeof *grown, "token ids");
        if (ids->n)
            memcpy(grown, ids->id, ids->n * sizeof *grown);
        kz_free(ids->id);
        ids->id = grown;
        ids->cap = cap;
    }
    ids->id[ids->n++] = id;
    return KZTTS_OK;
}

void kz_ids_free(kz_ids *ids) {
    if (!ids)
        return;
    kz_free(ids->id);
    *ids = (kz_ids){0};
}
