/* containers.h: recordings in other programs' containers, written by libsndfile.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TEST_CONTAINERS_H
#define KZ_TEST_CONTAINERS_H

#include "recordings.h"

/* Appends the mono clip as libsndfile writes it. 0: this libsndfile doesn't write that. Only with KZ_WITH_SNDFILE. */
int encode_clip(bytes *b, int format, int rate, const float *pcm, size_t n);

#endif
