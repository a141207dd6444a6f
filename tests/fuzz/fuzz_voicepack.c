/* fuzz_voicepack.c: any bytes as a voice pack (GGUF).  SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/voice_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_voice_file f;
    kz_err err = {""};
    kztts_status status = kz_voice_import_gguf(&f, data, n, NULL, "input", &err);
    check_outcome(&f, status, &err);
    return 0;
}
