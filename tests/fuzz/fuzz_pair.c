/* fuzz_pair.c: any bytes as a .spk file with what lies beside it.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: how many bytes are the vector, how many of the rest the codes (a byte each, 255: there are none), then those
 * bytes, then the text. */
#include "fuzz/voice_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_voice_file f;
    kz_err err = {""};
    if (n < 2)
        return 0;
    size_t n_vector = data[0] < n - 2 ? data[0] : n - 2, left = n - 2 - n_vector,
           n_code = data[1] < left ? data[1] : left;
    kz_voice_pair pair = {.vector = data + 2, .n_vector = n_vector};
    if (data[1] != 255) {
        pair.code = data + 2 + n_vector;
        pair.n_code = n_code;
        pair.text = data + 2 + n_vector + n_code;
        pair.n_text = left - n_code;
    }
    kztts_status status = kz_voice_import_pair(&f, &pair, "input", &err);
    check_outcome(&f, status, &err);
    return 0;
}
