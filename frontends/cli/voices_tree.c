/* voices_tree.c: `kztts voices import FOLDER`: a folder of voices, as other programs keep them.
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clone.h"
#include "consent.h"
#include "language.h"
#include "voices.h"

enum { MOST = 4096 }; /* voices of a folder */

typedef struct found {
    char recording[KZ_PATH], text[KZ_PATH]; /* recording "": a description in text; text "": there is none */
    char name[256], language[256];          /* the folder's name, or "" */
} found;

typedef struct tree {
    const kz_args *args;
    const char *folder;
    found *voice;
    int n, imported, skipped, failed, code;
    kz_opened opened;
    char consent[KZ_CONSENT_MAX + 2], created[32];
} tree;

bool kz_voice_part(char out[KZ_PATH], const char *folder, const char *name) {
    struct stat st;
    int n = snprintf(out, KZ_PATH, "%s/%s", folder, name);
    return n > 0 && n < KZ_PATH && stat(out, &st) == 0;
}

bool kz_is_voice_folder(const char *folder) {
    char path[KZ_PATH];
    return kz_voice_part(path, folder, "ref.wav") || kz_voice_part(path, folder, "instruct.txt");
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static int add(tree *t, const found *f) {
    if (t->n == MOST)
        return kz_cli_fail(KZ_EXIT_USAGE, "'%s' holds more than %d voices", t->folder, MOST);
    found *wider = realloc(t->voice, (size_t)(t->n + 1) * sizeof *wider);
    if (!wider)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the list of voices");
    t->voice = wider;
    t->voice[t->n++] = *f;
    return KZ_GO_ON;
}

/* NAME.wav with NAME.txt; a .wav alone may be anything. */
static int add_wav(tree *t, const char *folder, const char *file) {
    found f = {.recording = ""};
    char text[256 + 4];
    kz_bare_name(file, f.name, sizeof f.name);
    snprintf(text, sizeof text, "%s.txt", f.name);
    if (!kz_voice_part(f.recording, folder, file) || !kz_voice_part(f.text, folder, text))
        return KZ_GO_ON;
    return add(t, &f);
}

static int add_voice_folder(tree *t, const char *folder, const char *language) {
    found f = {.recording = ""};
    kz_bare_name(folder, f.name, sizeof f.name);
    snprintf(f.language, sizeof f.language, "%.255s", language);
    if (!kz_voice_part(f.recording, folder, "ref.wav")) {
        f.recording[0] = '\0';
        if (!kz_voice_part(f.text, folder, "instruct.txt"))
            return KZ_GO_ON;
    } else if (!kz_voice_part(f.text, folder, "ref.txt")) {
        f.text[0] = '\0';
    }
    return add(t, &f);
}

/* language: NULL in the folder that was asked for; folders in it are voices or languages, in those voices. */
static int scan(tree *t, const char *folder, const char *language);

static int look_at(tree *t, const char *folder, const char *language, const char *name) {
    char path[KZ_PATH];
    struct stat st;
    size_t n = strlen(name);
    if (name[0] == '.' || !kz_voice_part(path, folder, name) || stat(path, &st) != 0)
        return KZ_GO_ON;
    if (S_ISREG(st.st_mode) && !language && n > 4 && strcmp(name + n - 4, ".wav") == 0)
        return add_wav(t, folder, name);
    if (!S_ISDIR(st.st_mode))
        return KZ_GO_ON;
    if (kz_is_voice_folder(path))
        return add_voice_folder(t, path, language ? language : "");
    return language ? KZ_GO_ON : scan(t, path, name);
}

static int scan(tree *t, const char *folder, const char *language) {
    struct dirent **entries;
    int code = KZ_GO_ON, n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "can't read the folder '%s'", folder);
    for (int i = 0; i < n; i++) {
        if (code == KZ_GO_ON)
            code = look_at(t, folder, language, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return code;
}

/* ---- importing -------------------------------------------------------------------------------------------------- */

static const char *language_of(const tree *t, const found *f) {
    if (t->args->value[KZ_OPT_LANGUAGE].text || !*f->language)
        return NULL;
    return kz_cli_language_of_folder(t->opened.model, f->language);
}

static int import_recording(const tree *t, const found *f, const kz_text *text, const kz_voice_target *target) {
    kz_clone_job job = {.path = f->recording,
                        .transcript = text->n ? text->data : NULL,
                        .language = language_of(t, f),
                        .consent = t->consent,
                        .opened = &t->opened};
    return kz_clone(t->args, &job, target);
}

static int import_description(tree *t, const found *f, const kz_text *text, const kz_voice_target *target) {
    kztts_voice *voice = NULL;
    kztts_voice_meta meta;
    const char *language = language_of(t, f);
    int code =
        language ? KZ_GO_ON : kz_cli_language_name(t->opened.model, t->args->value[KZ_OPT_LANGUAGE].text, &language);
    if (code == KZ_GO_ON) {
        kztts_status status = kztts_voice_describe(&voice, t->opened.model, text->data);
        if (status < 0)
            code = kz_cli_fail_status(status, voice ? kztts_voice_message(voice) : NULL);
    }
    if (code == KZ_GO_ON) {
        kz_voice_meta_from(&meta, t->args, language, t->created);
        code = kz_voice_save(t->args, voice, target, &meta);
    }
    kztts_voice_close(&voice);
    return code;
}

static bool is_fit(const tree *t, const found *f) {
    return strcmp(t->opened.info.type, *f->recording ? "base" : "voice_design") == 0;
}

/* The others go on when one fails; the first failure is the exit code. */
static void import_one(tree *t, const found *f) {
    kz_voice_target target;
    kz_text text = {0};
    if (!is_fit(t, f)) {
        kz_cli_note(t->args->value[KZ_OPT_QUIET].flag, "skipped %s: a %s model takes %s", f->name,
                    *f->recording ? "base" : "voice_design", *f->recording ? "recordings" : "descriptions");
        t->skipped++;
        return;
    }
    int code = kz_voice_target_from(&target, t->args, f->name);
    if (code == KZ_GO_ON && *f->text)
        code = kz_cli_text_file(f->text, &text);
    if (code == KZ_GO_ON)
        code = *f->recording ? import_recording(t, f, &text, &target) : import_description(t, f, &text, &target);
    free(text.data);
    t->imported += code == KZ_EXIT_OK;
    t->failed += code != KZ_EXIT_OK;
    t->code = t->code ? t->code : code;
}

static int prepare(tree *t) {
    bool person = false;
    int code = scan(t, t->folder, NULL);
    if (code == KZ_GO_ON && !t->n)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND,
                           "the folder '%s' holds no voices: neither NAME.wav with NAME.txt, nor NAME/ref.wav or "
                           "NAME/instruct.txt, in folders of languages or without",
                           t->folder);
    if (code == KZ_GO_ON)
        code = kz_cli_open_model_at(t->args, t->args->value[KZ_OPT_MODEL].text, true, &t->opened);
    for (int i = 0; i < t->n && code == KZ_GO_ON; i++)
        person = person || (*t->voice[i].recording && is_fit(t, t->voice + i));
    return code == KZ_GO_ON && person ? kz_consent(t->args, t->consent) : code;
}

static int import_all(tree *t) {
    int code = prepare(t);
    if (code != KZ_GO_ON)
        return code;
    for (int i = 0; i < t->n; i++)
        import_one(t, t->voice + i);
    if (!t->imported && !t->failed)
        return kz_cli_fail(KZ_EXIT_VOICE, "none of the %d voices of '%s' is for a %s model", t->n, t->folder,
                           t->opened.info.type);
    if (!t->args->value[KZ_OPT_QUIET].flag)
        kz_cli_line("ok imported=%d skipped=%d failed=%d", t->imported, t->skipped, t->failed);
    return t->code;
}

int kz_voices_import_tree(const kz_args *args, const char *folder) {
    static const kz_option_id own[] = {KZ_OPT_VOICE_FILE, KZ_OPT_NAME, KZ_OPT_WHICH, KZ_OPT_REF_TEXT,
                                       KZ_OPT_REF_TEXT_FILE};
    tree t = {.args = args, .folder = folder};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (args->value[own[i]].text)
            return kz_cli_usage(args->command, "--%s is of one voice; '%s' is a folder of several",
                                kz_options[own[i]].name, folder);
    int code = import_all(&t);
    kz_cli_close_model(&t.opened);
    free(t.voice);
    return code;
}
