/* language.c: two-letter language codes.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "language.h"

const char *kz_cli_language(const kztts_model *model, const char *asked) {
    static const char *const names[][2] = {
        {"zh", "chinese"}, {"en", "english"},  {"de", "german"}, {"it", "italian"}, {"pt", "portuguese"},
        {"es", "spanish"}, {"ja", "japanese"}, {"ko", "korean"}, {"fr", "french"},  {"ru", "russian"}};
    const char *listed;
    for (int i = 0; (listed = kztts_model_language(model, i)) != NULL; i++)
        if (strcmp(listed, asked) == 0)
            return asked;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], asked) == 0)
            return names[i][1];
    return asked;
}
