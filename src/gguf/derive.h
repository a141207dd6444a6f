/* derive.h: settings that aren't single keys. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a tree of settings begun after a layout's table
 * out        the same, with what lists of names and shapes of tensors tell
 * state      none
 * threads    one
 * memory     the tree's */
#ifndef KZ_GGUF_DERIVE_H
#define KZ_GGUF_DERIVE_H

#include "gguf/source.h"

/* The value at "a.b.c", or NULL. */
cJSON *kz_gg_get(const cJSON *tree, const char *path);

/* Puts the value there, which belongs to the tree afterwards, or is freed on failure (MEMORY). NULL fails. */
kztts_status kz_gg_set(kz_gg_source *s, cJSON *tree, const char *path, cJSON *value);

/* The value of a setting that only code can tell, or NULL. */
cJSON *kz_gg_special(const kz_gg_source *s, const cJSON *tree, const char *path);

/* Languages, speakers and their dialects. */
kztts_status kz_gg_lists_add(kz_gg_source *s, cJSON *tree);

/* Sizes of the speaker encoder; false instead of an object when there is none. */
kztts_status kz_gg_derive_speaker(kz_gg_source *s, cJSON *tree);

/* What is missing of the codec's settings; false instead of the encoder's when it isn't in the file. */
kztts_status kz_gg_derive_codec(kz_gg_source *s, cJSON *tree);

#endif
