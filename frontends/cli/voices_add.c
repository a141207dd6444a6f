/* voices_add.c: `kztts voices add and import`.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clone.h"
#include "consent.h"
#include "language.h"
#include "open_model.h"
#include "recording.h"
#include "voices.h"

typedef struct addition {
    const kz_args *args;
    const char *source;
    kz_voice_target target;
    kz_opened opened;
    kztts_voice *voice;
    char name[256], consent[KZ_CONSENT_MAX + 2], created[32];
} addition;

static int outcome(const addition *a, kztts_status status) {
    return status < 0 ? kz_cli_fail_status(status, a->voice ? kztts_voice_message(a->voice) : NULL) : KZ_GO_ON;
}

static bool has_ending(const char *word, const char *ending) {
    size_t n = strlen(word), m = strlen(ending);
    return n > m && strcmp(word + n - m, ending) == 0;
}

static bool is_foreign(const char *word) {
    static const char *const endings[] = {".json", ".bin", ".f32", ".spk", ".qvoice", ".pt", ".gguf"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (has_ending(word, endings[i]))
            return true;
    return false;
}

/* Saves a voice that comes from a file: what the file says stays, consent is asked for where it says none. */
static int save_copy(addition *a) {
    kztts_voice_info info = {.size = sizeof info};
    kztts_voice_meta meta;
    int code = outcome(a, kztts_voice_get_info(a->voice, &info));
    if (code != KZ_GO_ON)
        return code;
    kz_voice_meta_from(&meta, a->args, a->args->value[KZ_OPT_LANGUAGE].text, a->created);
    if (info.created)
        meta.created = NULL;
    if (a->args->value[KZ_OPT_VOICE_FILE].text && !meta.name) {
        kz_bare_name(a->target.path, a->name, sizeof a->name);
        meta.name = a->name;
    }
    bool person = info.kind == KZTTS_VOICE_CLONE && (!info.source || strcmp(info.source, "designed") != 0);
    if (a->args->value[KZ_OPT_CONSENT].text || (person && !info.consent)) {
        if ((code = kz_consent(a->args, a->consent)) != KZ_GO_ON)
            return code;
        meta.consent = a->consent;
        meta.consent_date = a->created;
    }
    return kz_voice_save(a->args, a->voice, &a->target, &meta);
}

static int add_file(addition *a) {
    int code = outcome(a, kztts_voice_inspect(&a->voice, a->source));
    return code == KZ_GO_ON ? save_copy(a) : code;
}

static int add_recording(addition *a, const char *path, const char *transcript_file) {
    kz_text transcript = {0};
    int code = kz_transcript(a->args, &transcript);
    if (code == KZ_GO_ON && !transcript.data && transcript_file)
        code = kz_cli_text_file(transcript_file, &transcript);
    if (code == KZ_GO_ON)
        code = kz_clone(a->args, &(kz_clone_job){.path = path, .transcript = transcript.n ? transcript.data : NULL},
                        &a->target);
    free(transcript.data);
    return code;
}

/* A folder with instruct.txt: a description. */
static int add_described(addition *a, const char *path) {
    kz_text text = {0};
    kztts_voice_meta meta;
    const char *language = NULL;
    int code = kz_cli_text_file(path, &text);
    if (code == KZ_GO_ON)
        code = kz_cli_open_model_at(a->args, a->args->value[KZ_OPT_MODEL].text, true, &a->opened);
    if (code == KZ_GO_ON)
        code = kz_needs_type(a->opened.path, &a->opened.info, "voice_design", "makes a voice of a description");
    if (code == KZ_GO_ON)
        code = kz_cli_language_name(a->opened.model, a->args->value[KZ_OPT_LANGUAGE].text, &language);
    if (code == KZ_GO_ON)
        code = outcome(a, kztts_voice_describe(&a->voice, a->opened.model, text.data));
    if (code == KZ_GO_ON) {
        kz_voice_meta_from(&meta, a->args, language, a->created);
        code = kz_voice_save(a->args, a->voice, &a->target, &meta);
    }
    free(text.data);
    return code;
}

static int add_folder(addition *a) {
    char recording[KZ_PATH], text[KZ_PATH];
    if (kz_voice_part(recording, a->source, "ref.wav"))
        return add_recording(a, recording, kz_voice_part(text, a->source, "ref.txt") ? text : NULL);
    if (kz_voice_part(text, a->source, "instruct.txt"))
        return add_described(a, text);
    return kz_cli_fail(KZ_EXIT_NOT_FOUND, "the folder '%s' has neither ref.wav nor instruct.txt", a->source);
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* NAME.wav has its words in NAME.txt beside it. */
static int import_recording(addition *a) {
    char text[KZ_PATH];
    struct stat st;
    int n = snprintf(text, sizeof text, "%.*s.txt", (int)(strlen(a->source) - 4), a->source);
    bool there = n > 0 && n < KZ_PATH && stat(text, &st) == 0;
    return add_recording(a, a->source, there ? text : NULL);
}

static int import_file(addition *a) {
    int code = kz_cli_open_model_at(a->args, a->args->value[KZ_OPT_MODEL].text, true, &a->opened);
    if (code == KZ_GO_ON)
        code = outcome(
            a, kztts_voice_import_one(&a->voice, a->opened.model, a->source, a->args->value[KZ_OPT_WHICH].text));
    return code == KZ_GO_ON ? save_copy(a) : code;
}

static int begin(addition *a, const kz_args *args, char **words, int n) {
    char name[256];
    struct stat st;
    const char *which = args->value[KZ_OPT_WHICH].text;
    memset(a, 0, sizeof *a);
    a->args = args;
    if (n != 1)
        return kz_cli_usage(args->command, n ? "one at a time; -o names the voice" : "of which file?");
    a->source = words[0];
    if (strcmp(a->source, "-") != 0 && stat(a->source, &st) != 0)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "there is no file '%s'", a->source);
    kz_bare_name(a->source, name, sizeof name);
    if (which && strspn(which, "0123456789") < strlen(which))
        snprintf(name, sizeof name, "%s", which); /* by name: it is that of the voice */
    return kz_voice_target_from(&a->target, args, strcmp(name, "-") == 0 ? NULL : name);
}

static int end(addition *a, int code) {
    kztts_voice_close(&a->voice);
    kz_cli_close_model(&a->opened);
    return code;
}

int kz_voices_add(const kz_args *args, char **words, int n) {
    addition a;
    int code = begin(&a, args, words, n);
    if (code != KZ_GO_ON)
        return code;
    if (is_foreign(a.source))
        code = kz_cli_usage(args->command, "'%s' is of another engine: kztts voices import takes it", a.source);
    else if (is_folder(a.source))
        code = add_folder(&a);
    else if (has_ending(a.source, KZ_VOICE_ENDING))
        code = add_file(&a);
    else
        code = add_recording(&a, a.source, NULL);
    return end(&a, code);
}

int kz_voices_import(const kz_args *args, char **words, int n) {
    addition a;
    if (n == 1 && is_folder(words[0]) && !kz_is_voice_folder(words[0]))
        return kz_voices_import_tree(args, words[0]);
    int code = begin(&a, args, words, n);
    if (code != KZ_GO_ON)
        return code;
    if (has_ending(a.source, KZ_VOICE_ENDING))
        code = kz_cli_usage(args->command, "'%s' is a voice file already: kztts voices add takes it", a.source);
    else if (is_folder(a.source))
        code = add_folder(&a);
    else if (has_ending(a.source, ".wav"))
        code = import_recording(&a);
    else
        code = import_file(&a);
    return end(&a, code);
}
