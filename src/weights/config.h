/* config.h: settings from text in memory. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         the three files' text
 * out        a part of kz_config each
 * state      none
 * threads    any
 * memory     the lists of kz_config, freed with kz_config_free */
#ifndef KZ_CONFIG_H
#define KZ_CONFIG_H

#include "weights/settings.h"

enum { KZ_MAX_VOCAB = 1 << 21 };

kztts_status kz_generation_parse(kz_generation_config *out, const kz_text_file *file, kz_err *err);
/* encoder NULL: its settings aren't read. */
kztts_status kz_codec_parse(kz_codec_config *out, kz_encoder_config *encoder, const kz_text_file *file, kz_err *err);

/* What base checkpoints have besides: parts of config.json and of the codec's file. */
kztts_status kz_speaker_read(const kz_settings *model, size_t d_model, kz_speaker_config *c);
kztts_status kz_encoder_read(const kz_settings *codec_file, const kz_codec_config *codec, kz_encoder_config *c);

/* Lower-cases ASCII letters of a name into dst; false when it is empty, too long, or has control
 * characters (it may be shown on a terminal). */
bool kz_named_lower(char dst[KZ_MAX_NAME], const char *name);

#endif
