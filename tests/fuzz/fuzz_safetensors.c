/* fuzz_safetensors.c: any bytes as a safetensors file.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "weights/directory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Everything that opens must be consistent and readable. */
static unsigned read_all(const kz_weights *w) {
    unsigned sum = 0;
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        kz_err err;
        float *copy;
        if (kz_weights_find(w, t->name) != t)
            abort();
        for (size_t j = 0; j < t->n_byte; j++)
            sum += t->data[j];
        if (kz_weights_copy(&copy, w, t->name, t->n_dim, t->shape, &err) == KZTTS_OK)
            sum += t->n_elem ? copy[t->n_elem - 1] > 0 : 0;
        kz_free(copy);
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static volatile unsigned sink;
    kz_weights *w;
    kz_err err = {""};
    kztts_status status = kz_weights_open_memory(&w, data, n, "input", &err);
    if (status == KZTTS_OK) {
        if (kz_weights_bytes(w) != n || kz_weights_meta(w, ""))
            sink += 1;
        sink += read_all(w);
    } else if (w || !err.message[0]) {
        abort();
    }
    kz_weights_close(w);
    return 0;
}
