/* language.h: two-letter language codes.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_LANGUAGE_H
#define KZ_LANGUAGE_H

#include "kztts/kztts.h"

/* The model's name of a language: "german" for "de" (unless the model lists "de" itself); other words as they are. */
const char *kz_cli_language(const kztts_model *model, const char *asked);

/* The same, for what is written into files: 2 and a message when the model has no such language. *name NULL: none is
 * asked for (NULL or "auto"). */
int kz_cli_language_name(const kztts_model *model, const char *asked, const char **name);

/* The same for a folder's name such as "de" or "de_DE": NULL where the model has no such language. */
const char *kz_cli_language_of_folder(const kztts_model *model, const char *folder);

#endif
