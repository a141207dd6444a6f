/* voice_info.c: what a voice is, needs and can do, for people and as JSON.  SPDX-License-Identifier: Apache-2.0 */
#include "voice_info.h"

#include <stdio.h>
#include <string.h>

const char *kz_voice_kind_name(kztts_voice_kind kind) {
    return kind == KZTTS_VOICE_CLONE ? "clone" : kind == KZTTS_VOICE_DESCRIBED ? "described" : "preset";
}

void kz_voice_summary(const kztts_voice_info *info, char *out, size_t size) {
    const char *type = info->model_type ? info->model_type : "unknown",
               *number = info->model_size ? info->model_size : "";
    if (info->kind == KZTTS_VOICE_CLONE)
        snprintf(out, size, "clone %s, for base models of width %d (made on %s %s)",
                 info->x_vector_only ? "by vector" : "with context", info->d_model, type, number);
    else
        snprintf(out, size, "described, for voice_design models%s", info->has_seed ? ", with a seed" : "");
}

static void put_clean(char c) { putchar((unsigned char)c < 0x20 || c == 0x7f ? '?' : c); }

void kz_print_row(const char *label, const char *text) {
    if (!text)
        return;
    size_t n = 0;
    for (; label[n]; n++)
        put_clean(label[n]);
    printf("%*s", n < 12 ? 13 - (int)n : 1, "");
    for (; *text; text++)
        put_clean(*text);
    putchar('\n');
}

static void print_needs(const kztts_voice_info *info) {
    char text[160];
    if (info->kind == KZTTS_VOICE_CLONE) {
        snprintf(text, sizeof text, "a base model of width %d%s", info->d_model,
                 info->frames ? " with the same codec" : "");
        kz_print_row("needs", text);
        kz_print_row("can", info->frames ? "speak as the recording does, room and manner included"
                                         : "speak with the speaker's timbre");
    } else {
        kz_print_row("needs", "a voice_design model");
        kz_print_row("can", "speak as described; the seed decides who it is");
    }
}

static bool needs_consent(const kztts_voice_info *info) {
    return info->kind == KZTTS_VOICE_CLONE && !(info->source && strcmp(info->source, "designed") == 0);
}

void kz_voice_print(const kztts_voice_info *info, const char *path) {
    char text[160];
    kz_print_row("file", path);
    kz_print_row("is",
                 info->kind == KZTTS_VOICE_CLONE ? "a voice (.kzvoice), a clone" : "a voice (.kzvoice), described");
    kz_print_row("name", info->name);
    kz_print_row("language", info->language);
    print_needs(info);
    snprintf(text, sizeof text, "%s %s of %s", info->model_type ? info->model_type : "unknown",
             info->model_size ? info->model_size : "", info->family ? info->family : "an unknown family");
    kz_print_row("made on", text);
    if (info->d_model) {
        snprintf(text, sizeof text, "%d numbers", info->d_model);
        kz_print_row("vector", text);
    }
    if (info->frames) {
        snprintf(text, sizeof text, "%llu frames of %d codes", (unsigned long long)info->frames, info->code_groups);
        kz_print_row("context", text);
    }
    kz_print_row("transcript", info->ref_text);
    kz_print_row("description", info->description);
    if (info->has_seed) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)info->seed);
        kz_print_row("seed", text);
    }
    kz_print_row("source", info->source);
    kz_print_row("recording", info->source_sha256);
    kz_print_row("consent", info->consent || !needs_consent(info) ? info->consent : "none");
    kz_print_row("consent date", info->consent_date);
    kz_print_row("licence", info->licence);
    kz_print_row("created", info->created);
    kz_print_row("engine", info->engine);
    kz_print_row("speaker enc.", info->speaker_sha256);
    kz_print_row("codec", info->codec_sha256);
}

void kz_print_json_row(const char *key, const char *text) {
    if (!text)
        return;
    printf(",\n  \"%s\": ", key);
    kz_cli_print_json_string(text);
}

void kz_voice_print_json(const kztts_voice_info *info, const char *path) {
    fputs("{\n  \"file\": ", stdout);
    kz_cli_print_json_string(path);
    kz_print_json_row("is", "voice");
    kz_print_json_row("kind", kz_voice_kind_name(info->kind));
    kz_print_json_row("name", info->name);
    kz_print_json_row("language", info->language);
    kz_print_json_row("family", info->family);
    kz_print_json_row("model_type", info->model_type);
    kz_print_json_row("model_size", info->model_size);
    kz_print_json_row("needs", info->kind == KZTTS_VOICE_CLONE ? "base" : "voice_design");
    if (info->d_model)
        printf(",\n  \"width\": %d,\n  \"frames\": %llu,\n  \"x_vector_only\": %s", info->d_model,
               (unsigned long long)info->frames, info->x_vector_only ? "true" : "false");
    if (info->has_seed)
        printf(",\n  \"seed\": %llu", (unsigned long long)info->seed);
    kz_print_json_row("ref_text", info->ref_text);
    kz_print_json_row("description", info->description);
    kz_print_json_row("source", info->source);
    kz_print_json_row("source_sha256", info->source_sha256);
    kz_print_json_row("consent", info->consent);
    kz_print_json_row("consent_date", info->consent_date);
    kz_print_json_row("licence", info->licence);
    kz_print_json_row("created", info->created);
    kz_print_json_row("engine", info->engine);
    kz_print_json_row("speaker_sha256", info->speaker_sha256);
    kz_print_json_row("codec_sha256", info->codec_sha256);
    puts("\n}");
}
