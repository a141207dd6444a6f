/* language.c: two-letter language codes.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <strings.h>

#include "cli.h"
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

int kz_cli_language_name(const kztts_model *model, const char *asked, const char **name) {
    const char *listed;
    *name = NULL;
    if (!asked || strcasecmp(asked, "auto") == 0)
        return KZ_GO_ON;
    asked = kz_cli_language(model, asked);
    for (int i = 0; (listed = kztts_model_language(model, i)) != NULL; i++)
        if (strcasecmp(listed, asked) == 0)
            *name = listed;
    return *name ? KZ_GO_ON
                 : kz_cli_fail(KZ_EXIT_USAGE, "the model knows no language '%s' (kztts info lists them)", asked);
}

const char *kz_cli_language_of_folder(const kztts_model *model, const char *folder) {
    char code[32];
    const char *listed;
    size_t n = strcspn(folder, "_-");
    if (n >= sizeof code)
        return NULL;
    for (size_t i = 0; i < n; i++)
        code[i] = folder[i] >= 'A' && folder[i] <= 'Z' ? (char)(folder[i] - 'A' + 'a') : folder[i];
    code[n] = '\0';
    const char *name = kz_cli_language(model, code);
    for (int i = 0; (listed = kztts_model_language(model, i)) != NULL; i++)
        if (strcasecmp(listed, name) == 0)
            return listed;
    return NULL;
}
