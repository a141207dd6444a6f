/* cmd_clone.c: `kztts clone`: a recording into a voice file.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "clone.h"
#include "recording.h"

int kz_cmd_clone(const kz_args *args);

int kz_cmd_clone(const kz_args *args) {
    kz_voice_target target;
    kz_text transcript = {0};
    const char *file = args->value[KZ_OPT_REF_TEXT_FILE].text;
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word
                                               ? "one recording at a time (a transcript of several words needs "
                                                 "quotes)"
                                               : "no recording");
    if (strcmp(args->words[0], "-") == 0 && file && strcmp(file, "-") == 0)
        return kz_cli_usage(args->command, "recording and transcript can't both come from standard input");
    int code = kz_voice_target_from(&target, args, NULL);
    if (code == KZ_GO_ON)
        code = kz_transcript(args, &transcript);
    if (code == KZ_GO_ON)
        code = kz_clone(args, &(kz_clone_job){.path = args->words[0], .transcript = transcript.data}, &target);
    free(transcript.data);
    return code;
}
