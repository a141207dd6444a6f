/* convert.h: a model in another kind of file.  SPDX-License-Identifier: Apache-2.0
 *
 * in         any model that the engine opens
 * out        a file, whole or not at all
 * state      none
 * threads    any; works on the pool of the model that it opens
 * memory     the opened model; tables that aren't packed are copied from the mapping piece by piece */
#ifndef KZ_CONVERT_H
#define KZ_CONVERT_H

#include "engine/engine.h"

typedef struct kz_convert {
    kz_model_options model; /* how the source is opened: types of weights, threads */
    bool overwrite;
    kz_progress progress;
} kz_convert;

/* The kind of file is the ending of its name. ARGUMENT (another ending, the source itself, a file that is there), END when
 * the progress wants no more, and what opening and writing give. */
kztts_status kz_convert_run(const char *source, const char *target, const kz_convert *c, kz_err *err);

#endif
