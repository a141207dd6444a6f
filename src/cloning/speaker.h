/* speaker.h: the speaker encoder's layers, for this folder only.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CLONING_SPEAKER_H
#define KZ_CLONING_SPEAKER_H

#include "cloning/cloning.h"

enum { KZ_N_RES = KZ_SPEAKER_BLOCKS - 2, KZ_MAX_GROUP = 16 };

/* Squeeze-excitation Res2Net block. */
typedef struct kz_res_block {
    kz_linear in, out;           /* tdnn1, tdnn2 */
    kz_conv group[KZ_MAX_GROUP]; /* n_group - 1 */
    kz_linear squeeze, excite;
} kz_res_block;

struct kz_speaker_encoder {
    kz_speaker_config cfg;
    kz_conv first;
    kz_res_block block[KZ_N_RES];
    kz_linear mfa, attention_in, attention_out, fc;
};

#endif
