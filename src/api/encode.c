/* encode.c: a recording into codes.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "api/api.h"

static kztts_status encode(const kztts_model *model, const float *pcm, size_t n, int32_t **codes, size_t *n_frame,
                           kz_err *err) {
    if (!codes || !n_frame || !pcm)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "kztts_model_encode: no samples, or no place for the codes given");
    if (!model || !model->open)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "kztts_model_encode needs an opened model");
    return kz_model_encode(&model->m, pcm, n, codes, n_frame, err);
}

kztts_status kztts_model_encode(const kztts_model *model, const float *pcm, size_t n, int32_t **codes, size_t *n_frame,
                                char *message, size_t message_size) {
    kz_err err = {0};
    if (codes)
        *codes = NULL;
    if (n_frame)
        *n_frame = 0;
    kztts_status status = encode(model, pcm, n, codes, n_frame, &err);
    if (message && message_size)
        (void)snprintf(message, message_size, "%s", err.message);
    if (status < 0 && n_frame)
        *n_frame = 0;
    return status < 0 ? status : KZTTS_OK;
}
