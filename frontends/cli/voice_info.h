/* voice_info.h: what a voice is, needs and can do, for people and as JSON.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_VOICE_INFO_H
#define KZ_VOICE_INFO_H

#include "cli.h"

/* "clone", "described" or "preset" */
const char *kz_voice_kind_name(kztts_voice_kind kind);

/* "clone with context, for models of width 1024 (base 0b6)" */
void kz_voice_summary(const kztts_voice_info *info, char *out, size_t size);

/* All that the file says, on standard output. */
void kz_voice_print(const kztts_voice_info *info, const char *path);
void kz_voice_print_json(const kztts_voice_info *info, const char *path);

/* A line "label        text" with control characters made harmless; text NULL: nothing. */
void kz_print_row(const char *label, const char *text);

/* ",\n  "key": "text"" or nothing for NULL. */
void kz_print_json_row(const char *key, const char *text);

#endif
