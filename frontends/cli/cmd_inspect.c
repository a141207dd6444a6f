/* cmd_inspect.c: `kztts inspect`: what a file is, needs and can do.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "open_model.h"
#include "provenance.h"
#include "recording.h"
#include "user_voices.h"
#include "voice_info.h"

int kz_cmd_inspect(const kz_args *args);

enum { HEAD = 1 << 16, INSPECT_RATE = 24000, INSPECT_SECONDS = 7200 };

static int inspect_model(const kz_args *args, const char *path) {
    kz_opened opened;
    char slashed[KZ_PATH];
    /* a name alone would be looked for among the installed ones */
    snprintf(slashed, sizeof slashed, "%s%s", strchr(path, '/') ? "" : "./", path);
    int code = kz_cli_open_model_at(args, slashed, true, &opened);
    if (code == KZ_GO_ON) {
        if (args->value[KZ_OPT_JSON].flag)
            kz_info_print_json(&opened);
        else
            kz_info_print(&opened);
        code = kz_cli_flush();
    }
    kz_cli_close_model(&opened);
    return code;
}

static int inspect_voice(const kz_args *args, const char *path) {
    kztts_voice *voice = NULL;
    kztts_voice_info info = {.size = sizeof info};
    kztts_status status = kztts_voice_inspect(&voice, path);
    if (status >= 0)
        status = kztts_voice_get_info(voice, &info);
    int code = status < 0 ? kz_cli_fail_status(status, voice ? kztts_voice_message(voice) : NULL) : KZ_GO_ON;
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

/* Weights: what stands beside them tells what they are. */
static int inspect_weights(const kz_args *args, const char *path) {
    char folder[KZ_PATH], config[KZ_PATH];
    struct stat st;
    const char *slash = strrchr(path, '/');
    int n = slash ? snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path)
                  : snprintf(folder, sizeof folder, ".");
    int m = snprintf(config, sizeof config, "%s/config.json", folder);
    if (n < 0 || n >= KZ_PATH || m < 0 || m >= KZ_PATH)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "the name is too long");
    if (stat(config, &st) == 0)
        return inspect_model(args, folder);
    return kz_cli_fail(KZ_EXIT_FORMAT,
                       "'%s' is a safetensors file; without a config.json beside it, nothing says of which model",
                       path);
}

static void print_sound(const kz_recording *r, const kz_provenance *p, const kz_reference_report *check) {
    char text[160];
    kz_print_row("file", r->path);
    snprintf(text, sizeof text, "a recording: %s, %d Hz, %d channel%s, %.2f s", r->audio.format, r->audio.file_rate,
             r->audio.channels, r->audio.channels == 1 ? "" : "s", r->audio.seconds);
    kz_print_row("is", text);
    kz_print_row("provenance", *p->comment ? p->comment : "none said");
    kz_print_row("software", *p->software ? p->software : NULL);
    kz_print_row("generated", kz_provenance_generated(p) ? "yes, by its own account" : "not said");
    if (!check) {
        kz_print_row("can", "be played; for a voice it must be WAV, FLAC, Ogg, Opus or MP3");
        return;
    }
    kz_print_row("needs", "a base model, to be a voice or codes (clone, say --ref, encode)");
    kz_print_row("can", check->refused                     ? "not serve as a reference:"
                        : check->worst == KZ_SEVERITY_WARN ? "serve as a reference, with warnings:"
                                                           : "serve as a reference");
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++)
        if (check->finding[i].severity >= KZ_SEVERITY_WARN) {
            snprintf(text, sizeof text, "%s: %.120s", check->finding[i].name, check->finding[i].text);
            kz_print_row("", text);
        }
}

static void print_sound_json(const kz_recording *r, const kz_provenance *p, const kz_reference_report *check) {
    bool first = true;
    fputs("{\n  \"file\": ", stdout);
    kz_cli_print_json_string(r->path);
    kz_print_json_row("is", "recording");
    kz_print_json_row("format", r->audio.format);
    printf(",\n  \"sample_rate\": %d,\n  \"channels\": %d,\n  \"seconds\": %.6g", r->audio.file_rate, r->audio.channels,
           r->audio.seconds);
    kz_print_json_row("provenance", *p->comment ? p->comment : NULL);
    kz_print_json_row("software", *p->software ? p->software : NULL);
    printf(",\n  \"ai_generated\": %s", kz_provenance_generated(p) ? "true" : "null");
    if (!check) {
        puts("\n}");
        return;
    }
    kz_print_json_row("needs", "base");
    printf(",\n  \"reference\": \"%s\",\n  \"findings\": [", kz_severity_name(check->worst));
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++) {
        const kz_finding *f = &check->finding[i];
        if (f->severity < KZ_SEVERITY_WARN)
            continue;
        printf("%s{\"check\": \"%s\", \"severity\": \"%s\", \"text\": ", first ? "" : ", ", f->name,
               kz_severity_name(f->severity));
        kz_cli_print_json_string(f->text);
        putchar('}');
        first = false;
    }
    puts("]\n}");
}

/* AAC isn't decoded here: what its headers say. */
static bool is_aac(kz_recording *r) {
    kz_aac_info info;
    if (!kz_aac_inspect(r->bytes, r->n_byte, &info))
        return false;
    snprintf(r->audio.format, sizeof r->audio.format, "%s", info.format);
    r->audio.file_rate = info.rate;
    r->audio.channels = info.channels;
    r->audio.seconds = info.seconds;
    return true;
}

static int inspect_sound(const kz_args *args, const char *path) {
    kz_recording r;
    kz_provenance provenance;
    kz_reference_report report, *check = NULL;
    int code = kz_recording_load(&r, path);
    if (code == KZ_GO_ON)
        kz_provenance_read(&provenance, r.bytes, r.n_byte);
    if (code == KZ_GO_ON && !is_aac(&r)) {
        r.max_seconds = INSPECT_SECONDS;
        code = kz_recording_decode(&r, INSPECT_RATE);
        check = &report;
    }
    if (code == KZ_GO_ON && check) {
        kz_reference_options options = {.rate = INSPECT_RATE, .file_rate = r.audio.file_rate};
        kz_reference_check(check, r.audio.pcm, r.audio.n, &options);
    }
    if (code == KZ_GO_ON) {
        if (args->value[KZ_OPT_JSON].flag)
            print_sound_json(&r, &provenance, check);
        else
            print_sound(&r, &provenance, check);
        code = kz_cli_flush();
    }
    kz_recording_free(&r);
    return code;
}

/* safetensors: 8 bytes of length, then JSON. */
static bool is_safetensors(const unsigned char *head, size_t n) {
    return n > 9 && head[8] == '{' && head[6] == 0 && head[7] == 0;
}

static bool has_text(const unsigned char *head, size_t n, const char *text) {
    size_t m = strlen(text);
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(head + i, text, m) == 0)
            return true;
    return false;
}

static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static int inspect_file(const kz_args *args, const char *path) {
    FILE *f = fopen(path, "rb");
    unsigned char *head = malloc(HEAD);
    if (!f || !head) {
        int error = errno;
        if (f)
            fclose(f);
        free(head);
        return kz_cli_fail(KZ_EXIT_FAILED, "can't read '%s': %s", path, f ? "out of memory" : strerror(error));
    }
    size_t n = fread(head, 1, HEAD, f);
    fclose(f);
    bool tensors = is_safetensors(head, n), voice = tensors && has_text(head, n, "kzvoice/");
    bool prepared = tensors && has_text(head, n < 64 ? n : 64, "\"format\":\"kztts/");
    bool gguf = n >= 4 && memcmp(head, "GGUF", 4) == 0;
    bool text = n > 0 && (head[0] == '{' || head[0] == '[') && ends_in(path, ".json");
    free(head);
    if (voice || ends_in(path, KZ_VOICE_ENDING))
        return inspect_voice(args, path);
    if (prepared || gguf)
        return inspect_model(args, path);
    if (tensors)
        return inspect_weights(args, path);
    if (text)
        return kz_cli_fail(KZ_EXIT_FORMAT,
                           "'%s' is a JSON file; if it is a voice, kztts voices import makes a voice file "
                           "of it",
                           path);
    return inspect_sound(args, path);
}

int kz_cmd_inspect(const kz_args *args) {
    struct stat st;
    char path[KZ_PATH];
    if (args->n_word == 0 && args->hub_path && stat(args->hub_path, &st) == 0)
        return S_ISDIR(st.st_mode) ? inspect_model(args, args->hub_path) : inspect_file(args, args->hub_path);
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one file at a time" : "inspect which file?");
    const char *word = args->words[0];
    if (strcmp(word, "-") == 0 && !args->literal)
        return inspect_sound(args, word);
    if (stat(word, &st) != 0 && kz_user_voice(word, path))
        return inspect_voice(args, path);
    if (stat(word, &st) != 0)
        return kz_cli_fail(KZ_EXIT_NOT_FOUND, "there is no file, folder or voice of yours '%s': %s", word,
                           strerror(errno));
    if (S_ISDIR(st.st_mode))
        return inspect_model(args, word);
    return S_ISREG(st.st_mode) ? inspect_file(args, word) : inspect_sound(args, word);
}
