/* voice_choice.c: which voice `say` speaks with.  SPDX-License-Identifier: Apache-2.0 */
#include "voice_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *ending, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(ending, list[i]) == 0)
            return true;
    return false;
}

/* -v with a file that is no voice file. */
static int check_word(const char *word) {
    static const char *const sound[] = {".wav", ".mp3", ".flac", ".ogg", ".opus", ".aiff", ".m4a"};
    static const char *const other[] = {".json", ".bin", ".f32", ".spk", ".qvoice", ".pt", ".gguf"};
    const char *dot = strrchr(word, '.');
    if (dot && is_one_of(dot, sound, sizeof sound / sizeof sound[0]))
        return kz_cli_fail(KZ_EXIT_USAGE,
                           "-v '%s' is a recording: --ref FILE speaks with its voice, kztts clone makes a "
                           "voice of it",
                           word);
    if (dot && is_one_of(dot, other, sizeof other / sizeof other[0]))
        return kz_cli_fail(KZ_EXIT_USAGE, "-v '%s' is no .kzvoice file; kztts voices import makes one of it", word);
    return KZ_GO_ON;
}

static int check_reference(const kz_args *args) {
    static const kz_option_id ids[] = {KZ_OPT_REF_TEXT, KZ_OPT_REF_TEXT_FILE, KZ_OPT_X_VECTOR_ONLY, KZ_OPT_STRICT,
                                       KZ_OPT_RAW};
    const kz_value *v = args->value;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0] && !v[KZ_OPT_REF].text; i++)
        if (v[ids[i]].given && !v[ids[i]].from_env)
            return kz_cli_usage(args->command, "--%s belongs to --ref, which isn't given", kz_options[ids[i]].name);
    if (v[KZ_OPT_REF].text && v[KZ_OPT_VOICE].text && v[KZ_OPT_REF].from_env == v[KZ_OPT_VOICE].from_env)
        return kz_cli_usage(args->command, "-v and --ref are two voices; give one");
    const char *text = v[KZ_OPT_REF_TEXT_FILE].text;
    bool stdin_twice = v[KZ_OPT_REF].text && strcmp(v[KZ_OPT_REF].text, "-") == 0 && text && strcmp(text, "-") == 0;
    bool text_stdin = (args->n_word == 0 && args->n_file == 0) ||
                      (args->n_word == 1 && !args->literal && strcmp(args->words[0], "-") == 0);
    bool ref_stdin = v[KZ_OPT_REF].text && (strcmp(v[KZ_OPT_REF].text, "-") == 0 || (text && strcmp(text, "-") == 0));
    if (stdin_twice || (ref_stdin && text_stdin))
        return kz_cli_usage(args->command, "standard input can be one thing only: text, recording or transcript");
    return KZ_GO_ON;
}

/* The command line goes before the environment. */
static const char *recording_of(const kz_args *args) {
    const kz_value *ref = &args->value[KZ_OPT_REF], *voice = &args->value[KZ_OPT_VOICE];
    return ref->text && voice->text && ref->from_env ? NULL : ref->text;
}

int kz_voice_choice_prepare(kz_voice_choice *c, const kz_args *args) {
    const char *ref = recording_of(args), *word = args->value[KZ_OPT_VOICE].text;
    memset(c, 0, sizeof *c);
    int code = check_reference(args);
    if (code == KZ_GO_ON && word && !ref)
        code = check_word(word);
    if (code != KZ_GO_ON || !ref)
        return code;
    if ((code = kz_transcript(args, &c->transcript)) != KZ_GO_ON)
        return code;
    return kz_recording_load(&c->recording, ref);
}

static int outcome(const kz_voice_choice *c, kztts_status status) {
    return status < 0 ? kz_cli_fail_status(status, c->voice ? kztts_voice_message(c->voice) : NULL) : KZ_GO_ON;
}

static int from_recording(kz_voice_choice *c, const kz_args *args, kztts_model *model, const kztts_model_info *info) {
    const kz_value *v = args->value;
    kz_recording_use use = {.transcript = c->transcript.data,
                            .strict = v[KZ_OPT_STRICT].flag,
                            .raw = v[KZ_OPT_RAW].flag,
                            .quiet = v[KZ_OPT_QUIET].flag};
    int code;
    if (strcmp(info->type, "base") != 0)
        return kz_cli_fail(KZ_EXIT_VOICE, "this %s model can't take the voice of a recording; a base model can (-m)",
                           info->type);
    if ((code = kz_recording_decode(&c->recording, info->sample_rate)) != KZ_GO_ON ||
        (code = kz_recording_check(&c->recording, &use)) != KZ_GO_ON)
        return code;
    snprintf(c->label, sizeof c->label, "cloned");
    return outcome(c, kztts_voice_clone(&c->voice, model, c->recording.pcm, c->recording.n,
                                        v[KZ_OPT_X_VECTOR_ONLY].flag ? NULL : c->transcript.data));
}

static int from_file(kz_voice_choice *c, const kz_args *args, kztts_model *model, const kztts_model_info *model_info,
                     const char *path) {
    kztts_voice_info info = {.size = sizeof info};
    kztts_status status = kztts_voice_load(&c->voice, model, path);
    if (status >= 0)
        status = kztts_voice_get_info(c->voice, &info);
    if (status < 0)
        return outcome(c, status);
    bool described = strcmp(model_info->type, "voice_design") == 0; /* a clone may have its description too */
    c->has_seed = described && info.has_seed;
    c->seed = info.seed;
    if (described && args->value[KZ_OPT_INSTRUCT].text)
        kz_cli_note(args->value[KZ_OPT_QUIET].flag, "-i is ignored: the voice brings its own description");
    return KZ_GO_ON;
}

/* No preset of that name, or a model without presets: the user's voices. */
static int from_word(kz_voice_choice *c, const kz_args *args, kztts_model *model, const kztts_model_info *info,
                     const char *word) {
    char path[KZ_PATH], near[256];
    int code;
    if (kz_voice_is_path(word)) {
        code = kz_voice_find(word, path);
        return code == KZ_GO_ON ? from_file(c, args, model, info, path) : code;
    }
    kztts_status status = kztts_voice_preset(&c->voice, model, word);
    if (status >= 0 || (status != KZTTS_ERROR_NOT_FOUND && status != KZTTS_ERROR_VOICE))
        return outcome(c, status);
    if (*word && kz_user_voice(word, path)) {
        kztts_voice_close(&c->voice);
        kz_voice_snapshot(path, c->snapshot, sizeof c->snapshot);
        return from_file(c, args, model, info, path);
    }
    if (strcmp(info->type, "base") == 0 && *word)
        return kz_voice_find(word, path);
    kz_user_voice_near(word, near, sizeof near);
    if (*near)
        return kz_cli_fail(-(int)status, "%s; among yours there is %s", kztts_voice_message(c->voice), near);
    return outcome(c, status);
}

/* One word: names of files may have blanks and worse. */
static void set_label(kz_voice_choice *c, const kztts_model_info *info) {
    const char *name = kztts_voice_name(c->voice);
    if (!*c->label)
        snprintf(c->label, sizeof c->label, "%s",
                 *name                                     ? name
                 : strcmp(info->type, "voice_design") == 0 ? "described"
                                                           : "none");
    for (char *p = c->label; *p; p++)
        if ((unsigned char)*p <= 0x20 || *p == 0x7f)
            *p = '_';
}

int kz_voice_choice_open(kz_voice_choice *c, const kz_args *args, kztts_model *model, const kztts_model_info *info) {
    const char *word = args->value[KZ_OPT_VOICE].text, *instruct = args->value[KZ_OPT_INSTRUCT].text;
    int code;
    if (recording_of(args))
        code = from_recording(c, args, model, info);
    else if (word)
        code = from_word(c, args, model, info, word);
    else if (strcmp(info->type, "voice_design") == 0)
        code = outcome(c, kztts_voice_describe(&c->voice, model, instruct ? instruct : ""));
    else if (strcmp(info->type, "base") == 0)
        code = kz_cli_fail(KZ_EXIT_VOICE,
                           "a base model has no preset voices, it speaks with cloned ones: give one with -v "
                           "(kztts clone makes them), or a recording with --ref");
    else
        code = outcome(c, kztts_voice_preset(&c->voice, model, NULL));
    if (code == KZ_GO_ON)
        set_label(c, info);
    return code;
}

void kz_voice_choice_free(kz_voice_choice *c) {
    kztts_voice_close(&c->voice);
    kz_recording_free(&c->recording);
    free(c->transcript.data);
}
