/* fuzz_qvoice.c: any bytes as a .qvoice file.  SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/voice_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_voice_file f;
    kz_err err = {""};
    kztts_status status = kz_voice_import_qvoice(&f, data, n, "input", &err);
    check_outcome(&f, status, &err);
    return 0;
}
