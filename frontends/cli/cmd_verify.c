/* cmd_verify.c: `kztts verify`: checksums of a prepared file, or how far two models agree.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "progress.h"
#include "signals.h"
#include "verify.h"

int kz_cmd_verify(const kz_args *args);

static const char *const own_texts[] = {
    "Good morning. The train leaves at half past seven.",    "Please bring two loaves of bread and a bottle of milk.",
    "She asked me whether the old bridge was still open.",   "We walked along the river until it was too dark to see.",
    "Nobody knew why the clock had stopped in the night.",   "The soup is hot, so wait a moment before you try it.",
    "Is there anything else that I can do for you today?",   "A small boat came slowly around the island.",
    "He wrote his name in large letters on the first page.", "Thank you, that is very kind of you!",
};

/* ---- one file ---------------------------------------------------------------------------------------------- */

static int on_progress(void *user, uint64_t done, uint64_t total) {
    kz_progress_bytes(user, done, total);
    return kz_signals_seen();
}

/* A folder, or a file of models or of anything else: those have no checksums. */
static bool has_none(const char *path) {
    char begin[65] = "";
    struct stat st;
    if (stat(path, &st) != 0 || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)))
        return false;
    FILE *f = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    size_t n = f ? fread(begin, 1, sizeof begin - 1, f) : 0;
    if (f)
        fclose(f);
    return S_ISDIR(st.st_mode) || (n > 8 && !strstr(begin + 8, "kztts/"));
}

static int verify_file(const kz_args *args, const char *path) {
    char message[512] = "", what[] = "reading";
    bool quiet = args->value[KZ_OPT_QUIET].flag;
    if (has_none(path))
        return kz_cli_fail(KZ_EXIT_FORMAT,
                           "%s: no prepared file: only those, as kztts convert makes them, have checksums; or give a "
                           "second model to compare this one with",
                           path);
    kz_progress_begin(quiet, 0);
    kztts_status status = kztts_check_file(path, on_progress, what, message, sizeof message);
    kz_progress_end();
    if (status == KZTTS_END)
        return 128 + kz_signals_seen();
    if (status < 0)
        return kz_cli_fail_status(status, message);
    if (!quiet)
        kz_cli_line("ok %s: all checksums are right", path);
    return KZ_EXIT_OK;
}

/* ---- two models -------------------------------------------------------------------------------------------- */

static int open_side(kz_verify *v, int which) {
    kz_args args = *v->args;
    int code;
    if (which == 0)
        args.value[KZ_OPT_QUANT].text = NULL; /* it is the second model's */
    if ((code = kz_voice_choice_prepare(&v->voice[which], &args)) != KZ_GO_ON ||
        (code = kz_cli_open_model_at(&args, args.words[which], which == 0, &v->model[which])) != KZ_GO_ON)
        return code;
    return kz_voice_choice_open(&v->voice[which], &args, v->model[which].model, &v->model[which].info);
}

static int check_pair(kz_verify *v) {
    const kztts_model_info *a = &v->model[0].info, *b = &v->model[1].info;
    v->n_group = a->code_groups;
    if (a->code_groups != b->code_groups || a->codebook_size != b->codebook_size || a->sample_rate != b->sample_rate ||
        a->frame_samples != b->frame_samples || strcmp(a->type, b->type) != 0)
        return kz_cli_fail(KZ_EXIT_VOICE,
                           "these models can't be compared: %s, %d groups of %d codes, and %s, %d groups of %d codes",
                           a->type, a->code_groups, a->codebook_size, b->type, b->code_groups, b->codebook_size);
    return KZ_GO_ON;
}

/* A voice with a recording as context begins with a codec that has heard it. */
static int open_decoder(kz_verify *v) {
    kztts_model_options options;
    kztts_voice_info voice = {.size = sizeof voice};
    if (kztts_voice_get_info(v->voice[0].voice, &voice) < 0 || voice.frames)
        return KZ_GO_ON;
    kz_cli_model_options(v->args, &options);
    kztts_status status = kztts_decoder_open(&v->decoder, v->model[1].path, KZTTS_DECODE_CONTINUOUS, &options);
    return status < 0 ? kz_cli_fail_status(status, v->decoder ? kztts_decoder_message(v->decoder) : NULL) : KZ_GO_ON;
}

static int run_line(kz_verify *v, const char *line) {
    int code = *line ? kz_verify_text(v, line) : KZ_GO_ON;
    kz_progress_update((double)v->frames[0] * v->model[0].info.frame_samples / v->model[0].info.sample_rate);
    return code;
}

/* Without the blanks around it, which a sentence is spoken without too. */
static char *trimmed(char *line) {
    static const char blanks[] = " \t\r\v\f";
    line += strspn(line, blanks);
    size_t n = strlen(line);
    while (n && strchr(blanks, line[n - 1]))
        line[--n] = '\0';
    return line;
}

static int run_texts(kz_verify *v, char *lines) {
    int code = KZ_GO_ON;
    if (!lines)
        for (size_t i = 0; i < sizeof own_texts / sizeof *own_texts && code == KZ_GO_ON && !kz_signals_seen(); i++)
            code = run_line(v, own_texts[i]);
    for (char *line = lines, *next; line && code == KZ_GO_ON && !kz_signals_seen(); line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        code = run_line(v, trimmed(line));
    }
    if (code == KZ_GO_ON && !v->n_text && !kz_signals_seen())
        return kz_cli_fail(KZ_EXIT_TEXT, "there is no text to compare the models on");
    return code;
}

static int compare(kz_verify *v, char *lines) {
    const kz_value *value = v->args->value;
    int code;
    if ((code = open_side(v, 0)) != KZ_GO_ON || (code = open_side(v, 1)) != KZ_GO_ON ||
        (code = check_pair(v)) != KZ_GO_ON || (code = open_decoder(v)) != KZ_GO_ON)
        return code;
    kz_signals_graceful();
    kz_progress_begin(value[KZ_OPT_QUIET].flag, 0);
    code = run_texts(v, lines);
    kz_progress_end();
    if (code != KZ_GO_ON)
        return code;
    if (kz_signals_seen())
        return 128 + kz_signals_seen();
    if (value[KZ_OPT_JSON].flag)
        kz_verify_print_json(v);
    else
        kz_verify_print(v);
    return kz_cli_flush();
}

static int verify_pair(const kz_args *args) {
    kz_verify v = {.args = args};
    kz_text texts = {NULL, 0};
    int code = KZ_GO_ON;
    if (args->value[KZ_OPT_TEXTS].text)
        code = kz_cli_text_file(args->value[KZ_OPT_TEXTS].text, &texts);
    if (code == KZ_GO_ON)
        code = compare(&v, texts.data);
    free(texts.data);
    kztts_decoder_close(&v.decoder);
    for (int i = 0; i < 2; i++) {
        kz_voice_choice_free(&v.voice[i]);
        kz_cli_close_model(&v.model[i]);
    }
    return code;
}

int kz_cmd_verify(const kz_args *args) {
    kz_signals_install();
    if (args->n_word == 2)
        return verify_pair(args);
    if (args->n_word != 1)
        return kz_cli_usage(args->command, "a prepared file, or two models to compare");
    kz_signals_graceful();
    return verify_file(args, args->words[0]);
}
