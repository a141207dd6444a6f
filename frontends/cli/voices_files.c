/* voices_files.c: `kztts voices show, check, rm and export`.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "consent.h"
#include "open_model.h"
#include "user_voices.h"
#include "voice_info.h"
#include "voices.h"

static int outcome(kztts_status status, kztts_voice *const *voice) {
    return status < 0 ? kz_cli_fail_status(status, *voice ? kztts_voice_message(*voice) : NULL) : KZ_GO_ON;
}

/* Finds and reads a voice without a model. */
static int inspect(const char *word, char path[KZ_PATH], kztts_voice **voice, kztts_voice_info *info) {
    int code = kz_voice_find(word, path);
    *voice = NULL;
    info->size = sizeof *info;
    if (code == KZ_GO_ON)
        code = outcome(kztts_voice_inspect(voice, path), voice);
    return code == KZ_GO_ON ? outcome(kztts_voice_get_info(*voice, info), voice) : code;
}

int kz_voices_show(const kz_args *args, char **words, int n) {
    char path[KZ_PATH];
    kztts_voice *voice;
    kztts_voice_info info;
    if (n != 1)
        return kz_cli_usage(args->command, n ? "one voice at a time" : "show which voice?");
    int code = inspect(words[0], path, &voice, &info);
    if (code == KZ_GO_ON) {
        if (args->value[KZ_OPT_JSON].flag)
            kz_voice_print_json(&info, path);
        else
            kz_voice_print(&info, path);
        code = kz_cli_flush();
    }
    kztts_voice_close(&voice);
    return code;
}

/* On the model, where one is named: does it fit, was it made with the same encoders? */
static int check_fit(const kz_args *args, const char *path) {
    kz_opened opened;
    kztts_voice *voice = NULL;
    int code = kz_cli_open_model_at(args, args->value[KZ_OPT_MODEL].text, true, &opened);
    if (code == KZ_GO_ON)
        code = outcome(kztts_voice_load(&voice, opened.model, path), &voice);
    kztts_voice_close(&voice);
    kz_cli_close_model(&opened);
    return code;
}

int kz_voices_check(const kz_args *args, char **words, int n) {
    char path[KZ_PATH], text[256];
    kztts_voice *voice;
    kztts_voice_info info;
    bool model = args->value[KZ_OPT_MODEL].given;
    if (n != 1)
        return kz_cli_usage(args->command, n ? "one voice at a time" : "check which voice?");
    int code = inspect(words[0], path, &voice, &info);
    if (code == KZ_GO_ON && model)
        code = check_fit(args, path);
    if (code == KZ_GO_ON) {
        kz_voice_summary(&info, text, sizeof text);
        printf("ok: %s%s\n", text, model ? "; it fits the model" : "");
        code = kz_cli_flush();
    }
    kztts_voice_close(&voice);
    return code;
}

static int remove_voice(const kz_args *args, const char *word) {
    char path[KZ_PATH], question[KZ_PATH + 32], answer[16];
    if (strchr(word, '/'))
        return kz_cli_usage(args->command, "rm takes names of your voices; '%s' is a path", word);
    if (!kz_user_voice(word, path)) {
        int code = kz_voice_find(word, path);
        return code == KZ_GO_ON ? kz_cli_usage(args->command, "rm takes names of your voices; '%s' is a file", word)
                                : code;
    }
    if (!args->value[KZ_OPT_FORCE].flag) {
        if (!kz_can_ask())
            return kz_cli_fail(KZ_EXIT_USAGE, "'%s' would be removed; --force does it without asking", path);
        snprintf(question, sizeof question, "remove %s? [y/N]", path);
        if (!kz_ask(question, answer, sizeof answer) || (answer[0] != 'y' && answer[0] != 'Y'))
            return kz_cli_fail(KZ_EXIT_USAGE, "'%s' is kept", word);
    }
    if (unlink(path) != 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "can't remove '%s': %s", path, strerror(errno));
    char snapshot[KZ_PATH + 16];
    kz_voice_snapshot(path, snapshot, sizeof snapshot);
    unlink(snapshot); /* there may be none */
    kz_cli_note(args->value[KZ_OPT_QUIET].flag, "removed %s", path);
    return KZ_GO_ON;
}

int kz_voices_rm(const kz_args *args, char **words, int n) {
    int code = KZ_GO_ON;
    if (n == 0)
        return kz_cli_usage(args->command, "remove which voice?");
    for (int i = 0; i < n && code == KZ_GO_ON; i++)
        code = remove_voice(args, words[i]);
    return code == KZ_GO_ON ? KZ_EXIT_OK : code;
}

int kz_voices_export(const kz_args *args, char **words, int n) {
    char path[KZ_PATH], own[KZ_PATH];
    kztts_voice *voice = NULL;
    kztts_voice_info info;
    kztts_voice_meta meta;
    const char *to = args->value[KZ_OPT_VOICE_FILE].text;
    if (n != 1)
        return kz_cli_usage(args->command, n ? "one voice at a time" : "export which voice?");
    kz_bare_name(words[0], own, sizeof own - 5);
    memcpy(own + strlen(own), ".json", 6);
    to = to ? to : own;
    const char *dot = strrchr(to, '.');
    if (!dot || strcmp(dot, ".json") != 0)
        return kz_cli_usage(args->command, "a voice is exported to a .json file, not to '%s'", to);
    kztts_voice_meta_init(&meta, sizeof meta);
    meta.overwrite = args->value[KZ_OPT_FORCE].flag;
    int code = inspect(words[0], path, &voice, &info);
    if (code == KZ_GO_ON && !meta.overwrite && access(to, F_OK) == 0)
        code = kz_cli_fail(KZ_EXIT_USAGE, "'%s' is there already; --force replaces it", to);
    if (code == KZ_GO_ON)
        code = outcome(kztts_voice_export(voice, to, &meta), &voice);
    if (code == KZ_GO_ON) {
        kz_cli_note(args->value[KZ_OPT_QUIET].flag, "wrote %s", to);
        code = KZ_EXIT_OK;
    }
    kztts_voice_close(&voice);
    return code;
}
