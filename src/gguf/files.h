/* files.h: which files a model is in. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a path
 * out        its parts; the file beside it that holds the codec
 * state      none
 * threads    any
 * memory     paths are freed with kz_free */
#ifndef KZ_GGUF_FILES_H
#define KZ_GGUF_FILES_H

#include "gguf/source.h"

/* How the codec's file of NAME.gguf is called when we write it: NAME with this behind. */
#define KZ_GG_CODEC_SUFFIX "-tokenizer.gguf"

/* The codec's file in the talker's folder; NOT_FOUND when there is none, or more than one that fits as well. */
kztts_status kz_gg_find_codec(char **out, const char *path, const kz_gg_scheme *talker, kz_err *err);

#endif
