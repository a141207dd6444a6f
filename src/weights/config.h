/* config.h: settings from text in memory. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         the three files' text
 * out        a part of kz_config each
 * state      none
 * threads    any
 * memory     the lists of kz_config, freed with kz_config_free */
#ifndef KZ_CONFIG_H
#define KZ_CONFIG_H

#include "weights/weights.h"

enum {
    KZ_MAX_VOCAB = 1 << 21,
    KZ_SUPPRESSED = 1024 /* ids at the end of the talker's vocabulary that it never speaks, but for the end */
};

typedef struct kz_text_file {
    const char *text;
    size_t n;
} kz_text_file;

/* generation.text NULL: no such file. On failure *out is as after kz_config_free. */
kztts_status kz_config_parse(kz_config *out, const kz_text_file *config, const kz_text_file *generation,
                             const kz_text_file *codec, kz_err *err);

kztts_status kz_generation_parse(kz_generation_config *out, const kz_text_file *file, kz_err *err);
kztts_status kz_codec_parse(kz_codec_config *out, const kz_text_file *file, kz_err *err);

/* Lower-cases ASCII letters of a name into dst; false when it is empty, too long, or has control
 * characters (it may be shown on a terminal). */
bool kz_named_lower(char dst[KZ_MAX_NAME], const char *name);

#endif
