/* cmd_decode.c: `kztts decode`: codes into sound.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "codes.h"
#include "output.h"
#include "progress.h"
#include "same_file.h"
#include "signals.h"

int kz_cmd_decode(const kz_args *args);

enum { PIECE = 8 }; /* frames a call; the sound doesn't depend on it */

typedef struct decode_run {
    const kz_args *args;
    bool quiet;
    char *model_path, *data;
    size_t n;
    kz_output out;
    kztts_decoder *decoder;
    kztts_model_info info;
    kz_codes codes;
    float *pcm; /* [PIECE * frame_samples] */
    double load_s, start, end;
    size_t done; /* frames */
} decode_run;

static int read_codes(decode_run *run) {
    const kz_args *args = run->args;
    bool dash = strcmp(args->words[0], "-") == 0 && !args->literal;
    return kz_cli_read_file(dash ? NULL : args->words[0], KZ_CODES_MAX_BYTES, "codes file", KZ_EXIT_FORMAT, &run->data,
                            &run->n);
}

static int open_decoder(decode_run *run) {
    kztts_model_options options;
    double start = kz_cli_now();
    kz_cli_model_options(run->args, &options);
    kztts_decode_mode mode =
        run->args->value[KZ_OPT_MODE].integer == 1 ? KZTTS_DECODE_REFERENCE : KZTTS_DECODE_CONTINUOUS;
    kztts_status status = kztts_decoder_open(&run->decoder, run->model_path, mode, &options);
    if (status < 0)
        return kz_cli_fail_status(status, run->decoder ? kztts_decoder_message(run->decoder) : NULL);
    run->info.size = sizeof run->info;
    status = kztts_decoder_get_info(run->decoder, &run->info);
    if (status < 0)
        return kz_cli_fail_status(status, NULL);
    run->pcm = calloc((size_t)PIECE * (size_t)run->info.frame_samples, sizeof *run->pcm);
    run->load_s = kz_cli_now() - start;
    return run->pcm ? KZ_GO_ON : kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the sound");
}

static int parse_codes(decode_run *run) {
    char message[256];
    int code = kz_codes_parse(&run->codes, run->data, run->n, run->info.code_groups, run->info.codebook_size, message,
                              sizeof message);
    free(run->data);
    run->data = NULL;
    return code ? kz_cli_fail(code, "%s: %s", run->args->words[0], message) : KZ_GO_ON;
}

static int decode(decode_run *run) {
    size_t width = (size_t)run->info.code_groups, frame = (size_t)run->info.frame_samples;
    kz_output_tag(&run->out, "codec, from codes", NULL);
    int code = kz_output_start(&run->out, run->info.sample_rate);
    while (code == KZ_GO_ON && run->done < run->codes.n_frame && !kz_signals_seen()) {
        size_t rest = run->codes.n_frame - run->done, n = rest < PIECE ? rest : PIECE;
        kztts_status status = kztts_decoder_run(run->decoder, run->codes.code + run->done * width, n, run->pcm);
        if (status < 0)
            return kz_cli_fail_status(status, kztts_decoder_message(run->decoder));
        code = kz_output_write(&run->out, run->pcm, n * frame);
        run->done += n;
        kz_progress_update((double)(run->done * frame) / run->info.sample_rate);
    }
    run->end = kz_cli_now();
    return code == KZ_GO_ON ? kz_output_finish(&run->out) : code;
}

/* What is wrong with the request itself comes first. */
static int prepare(decode_run *run) {
    const kz_args *args = run->args;
    int code;
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one codes file at a time" : "no codes file");
    if ((code = kz_cli_distinct_files(args)) != KZ_GO_ON || (code = kz_output_open(&run->out, args)) != KZ_GO_ON ||
        (code = read_codes(run)) != KZ_GO_ON)
        return code;
    return kz_cli_model_path(args, &run->model_path);
}

static int run_all(decode_run *run) {
    int code;
    if ((code = prepare(run)) != KZ_GO_ON || (code = open_decoder(run)) != KZ_GO_ON ||
        (code = parse_codes(run)) != KZ_GO_ON)
        return code;
    kz_signals_graceful();
    run->start = kz_cli_now();
    kz_progress_begin(run->quiet, (double)run->codes.n_frame * run->info.frame_samples / run->info.sample_rate);
    code = decode(run);
    kz_progress_end();
    return code;
}

static int finish(decode_run *run, int code) {
    bool done = code == KZ_GO_ON;
    kz_signals_keep();
    int sound = kz_output_close(&run->out, done || run->out.closed_pipe);
    if (run->out.closed_pipe)
        return KZ_EXIT_OK;
    if (done && sound != KZ_GO_ON)
        code = sound;
    if (code != KZ_GO_ON)
        return code;
    double audio = kz_sink_seconds(&run->out.sink), wall = run->end - run->start;
    if (!run->quiet)
        fprintf(stderr, "%s audio=%.2fs wall=%.2fs rtf=%.2f load=%.0fms frames=%zu mode=%s out=%s\n",
                kz_signals_seen() ? "interrupted" : "ok", audio, wall, audio > 0 ? wall / audio : 0, 1e3 * run->load_s,
                run->done, run->args->value[KZ_OPT_MODE].integer == 1 ? "reference" : "continuous", run->out.summary);
    return kz_signals_seen() ? 128 + kz_signals_seen() : KZ_EXIT_OK;
}

int kz_cmd_decode(const kz_args *args) {
    decode_run run = {.args = args, .quiet = args->value[KZ_OPT_QUIET].flag};
    run.out.sink.out.fd = -1;
    kz_signals_install();
    int code = finish(&run, run_all(&run));
    kztts_decoder_close(&run.decoder);
    free(run.codes.code);
    free(run.pcm);
    free(run.model_path);
    free(run.data);
    return code;
}
