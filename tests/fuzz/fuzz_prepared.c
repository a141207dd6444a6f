/* fuzz_prepared.c: any bytes as a prepared file; the header's checksum is set right, or nothing else would be reached.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "hash/hash.h"
#include "weights/directory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static unsigned read_bytes(const void *data, size_t n) {
    const unsigned char *p = data;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

/* Panels that are found must lie within the file, where kernels can read them. */
static unsigned read_panels(const kz_weights *w, size_t n_out, size_t n_in) {
    const kz_tensor *t;
    kz_dtype type = KZ_F32;
    kz_err err;
    if (kz_weights_panels(&t, &type, w, "a.weight", n_out, n_in, &err) < 0 || !t)
        return 0;
    if (t->n_byte != kz_panels_bytes(type, n_out, n_in) || (uintptr_t)t->data % KZ_ALIGN)
        abort();
    return read_bytes(t->data, t->n_byte);
}

static unsigned read_all(const kz_weights *w) {
    char *text;
    size_t n;
    kz_err err;
    kz_config config;
    unsigned sum = read_panels(w, 16, 2) + read_panels(w, 17, 64) + read_panels(w, 5, 3);
    sum += (unsigned)kz_weights_have(w, "a.weight") + (unsigned)kz_weights_prepared(w);
    if (kz_prepared_text(&text, &n, w, "vocab.json", &err) == KZTTS_OK && text)
        sum += read_bytes(text, n + 1);
    kz_free(text);
    if (kz_config_prepared(&config, w, &err) == KZTTS_OK)
        kz_config_free(&config);
    return sum + (unsigned)(kz_prepared_check(w, NULL, NULL, &err) == KZTTS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static volatile unsigned sink;
    const size_t begin = 8 + sizeof KZ_PREPARED_BEGIN - 1;
    kz_weights *w;
    kz_err err = {""};
    uint64_t n_header = 0;
    unsigned char *copy = kz_alloc(n + 1, 1); /* aligned as a mapping is */
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    for (size_t i = 0; i < 8 && n >= 8; i++)
        n_header |= (uint64_t)copy[i] << (8 * i);
    if (n_header <= n - 8 && 8 + n_header >= begin + KZ_SUM_DIGITS)
        kz_sum_write((char *)copy + begin,
                     kz_sum(copy + begin + KZ_SUM_DIGITS, 8 + (size_t)n_header - begin - KZ_SUM_DIGITS));
    kztts_status status = kz_weights_open_memory(&w, copy, n, "input", &err);
    if (status == KZTTS_OK)
        sink += read_all(w);
    else if (w || !err.message[0])
        abort();
    kz_weights_close(w);
    kz_free(copy);
    return 0;
}
