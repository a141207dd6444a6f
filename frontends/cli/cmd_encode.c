/* cmd_encode.c: `kztts encode`: a recording into codes.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "clone.h"
#include "open_model.h"
#include "output.h"
#include "recording.h"
#include "same_file.h"
#include "signals.h"

int kz_cmd_encode(const kz_args *args);

typedef struct encode_run {
    kz_args args; /* with --codes, given or not */
    kz_recording recording;
    kz_opened opened;
    kz_codes_file file;
    int32_t *codes;
    size_t n_frame;
} encode_run;

static int encode(encode_run *run) {
    char message[512] = "";
    const kz_recording *r = &run->recording;
    kztts_status status = kztts_model_encode(run->opened.model, r->audio.pcm, r->audio.n, &run->codes, &run->n_frame,
                                             message, sizeof message);
    return status < 0 ? kz_cli_fail_status(status, message) : KZ_GO_ON;
}

static int run_all(encode_run *run) {
    const kz_args *args = &run->args;
    kz_output none = {0};
    int code;
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one recording at a time" : "no recording");
    if ((code = kz_cli_distinct_files(args)) != KZ_GO_ON ||
        (code = kz_recording_load(&run->recording, args->words[0])) != KZ_GO_ON ||
        (code = kz_codes_file_open(&run->file, args, &none)) != KZ_GO_ON ||
        (code = kz_cli_open_model_at(args, args->value[KZ_OPT_MODEL].text, true, &run->opened)) != KZ_GO_ON ||
        (code = kz_needs_type(run->opened.path, &run->opened.info, "base", "has an encoder for recordings")) !=
            KZ_GO_ON ||
        (code = kz_recording_decode(&run->recording, run->opened.info.sample_rate)) != KZ_GO_ON)
        return code;
    if ((code = encode(run)) != KZ_GO_ON)
        return code;
    int width = run->opened.info.code_groups;
    for (size_t i = 0; i < run->n_frame; i++)
        kz_codes_file_write(&run->file, run->codes + i * (size_t)width, width);
    return KZ_GO_ON;
}

int kz_cmd_encode(const kz_args *args) {
    encode_run run = {.args = *args};
    run.file.out.fd = -1;
    if (!args->value[KZ_OPT_CODES].text)
        run.args.value[KZ_OPT_CODES].text = "-";
    kz_signals_install();
    int code = run_all(&run);
    kz_signals_keep();
    int closed = kz_codes_file_close(&run.file, code == KZ_GO_ON);
    if (code == KZ_GO_ON)
        code = closed;
    if (code == KZ_GO_ON) {
        code = KZ_EXIT_OK;
        if (!args->value[KZ_OPT_QUIET].flag)
            kz_cli_line("ok audio=%.2fs frames=%zu out=%s", run.recording.audio.seconds, run.n_frame,
                        run.args.value[KZ_OPT_CODES].text);
    }
    kztts_free(run.codes);
    kz_cli_close_model(&run.opened);
    kz_recording_free(&run.recording);
    return code;
}
