/* cmd_info.c: `kztts info`: what a model is and what it needs.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "open_model.h"

int kz_cmd_info(const kz_args *args);

typedef const char *(*name_fn)(const kztts_model *model, int i);

static void print_names(const char *label, const kztts_model *model, name_fn name) {
    printf("%-13s", label);
    for (int i = 0; name(model, i); i++)
        printf("%s%s", i ? ", " : "", name(model, i));
    puts(name(model, 0) ? "" : "none");
}

static void print_levels(const char *in_use) {
    int usable = 0;
    printf("%-13s%s (", "cpu level", in_use);
    for (int i = 0; kztts_cpu_level(i, &usable); i++)
        printf("%s%s%s", i ? ", " : "", kztts_cpu_level(i, NULL), usable ? "" : " not usable here");
    puts(")");
}

const char *kz_info_can(const kztts_model_info *info) {
    if (info->voice_width && !info->codec_encoder)
        return info->speaker_encoder ? "speak with voices cloned from recordings by the speaker's vector alone"
                                     : "speak with voices from .kzvoice files (no encoder to make new ones)";
    if (info->voice_width)
        return info->speaker_encoder
                   ? "speak with voices cloned from recordings (clone, say --ref), encode recordings"
                   : "speak with voices from .kzvoice files (no speaker encoder to make new ones), encode recordings";
    if (strcmp(info->type, "voice_design") == 0)
        return "speak with voices described in words (say -i, design)";
    return info->instruct ? "speak with its preset voices, follow an instruction (say -i)"
                          : "speak with its preset voices";
}

static double mib(uint64_t bytes) { return (double)bytes / (1 << 20); }

void kz_info_print(const kz_opened *opened) {
    const kztts_model_info *in = &opened->info;
    printf("%-13s%s\n", "kztts", kztts_version());
    printf("%-13s%s\n", "model", opened->path);
    printf("%-13s%s, size %s, %.1f million parameters\n", "type", in->type, in->model_size,
           (double)in->parameters / 1e6);
    printf("%-13s%s\n%-13s%s\n%-13s%s\n", "files", in->format, "stored", in->weight_types, "tokenizer", in->tokenizer);
    printf("%-13s%d Hz, frames of %d samples (%.0f ms), %d codes a frame of %d each\n", "sound", in->sample_rate,
           in->frame_samples, 1e3 * in->frame_samples / in->sample_rate, in->code_groups, in->codebook_size);
    printf("%-13s%d frames (%.0f s)\n", "limit", in->max_frames,
           (double)in->max_frames * in->frame_samples / in->sample_rate);
    print_names("voices", opened->model, kztts_model_speaker);
    print_names("languages", opened->model, kztts_model_language);
    printf("%-13s%s\n", "instruct", in->instruct ? "yes" : "no");
    printf("%-13s%s\n", "can", kz_info_can(in));
    printf("%-13stalker %s, predictor %s, codec %s\n", "weights", in->talker_weights, in->predictor_weights,
           in->codec_weights);
    print_levels(in->cpu);
    printf("%-13s%d\n", "threads", in->threads);
    printf("%-13sweight files %.1f MiB (mapped), packed %.1f MiB, a stream %.1f MiB\n", "memory", mib(in->weight_bytes),
           mib(in->packed_bytes), mib(in->stream_bytes));
}

static void json_key(const char *key) { printf(",\n  \"%s\": ", key); }

static void json_text(const char *key, const char *value) {
    json_key(key);
    kz_cli_print_json_string(value);
}

static void json_number(const char *key, uint64_t value) {
    json_key(key);
    printf("%llu", (unsigned long long)value);
}

static void json_names(const char *key, const kztts_model *model, name_fn name) {
    json_key(key);
    putchar('[');
    for (int i = 0; name(model, i); i++) {
        fputs(i ? ", " : "", stdout);
        kz_cli_print_json_string(name(model, i));
    }
    putchar(']');
}

static void json_levels(void) {
    int usable = 0;
    json_key("cpu_levels");
    putchar('[');
    for (int i = 0; kztts_cpu_level(i, &usable); i++) {
        fputs(i ? ", {\"name\": " : "{\"name\": ", stdout);
        kz_cli_print_json_string(kztts_cpu_level(i, NULL));
        printf(", \"usable\": %s}", usable ? "true" : "false");
    }
    putchar(']');
}

void kz_info_print_json(const kz_opened *opened) {
    const kztts_model_info *in = &opened->info;
    fputs("{\n  \"version\": ", stdout);
    kz_cli_print_json_string(kztts_version());
    json_text("model", opened->path);
    json_text("kind", in->kind);
    json_text("type", in->type);
    json_text("model_size", in->model_size);
    json_number("parameters", in->parameters);
    json_text("format", in->format);
    json_text("weight_types", in->weight_types);
    json_text("tokenizer", in->tokenizer);
    json_number("sample_rate", (uint64_t)in->sample_rate);
    json_number("frame_samples", (uint64_t)in->frame_samples);
    json_number("code_groups", (uint64_t)in->code_groups);
    json_number("codebook_size", (uint64_t)in->codebook_size);
    json_number("max_frames", (uint64_t)in->max_frames);
    json_names("voices", opened->model, kztts_model_speaker);
    json_names("languages", opened->model, kztts_model_language);
    json_key("instruct");
    fputs(in->instruct ? "true" : "false", stdout);
    json_key("clone");
    fputs(in->speaker_encoder ? "true" : "false", stdout);
    json_key("encode");
    fputs(in->codec_encoder ? "true" : "false", stdout);
    json_number("voice_width", (uint64_t)in->voice_width);
    json_key("design");
    fputs(strcmp(in->type, "voice_design") == 0 ? "true" : "false", stdout);
    json_text("talker_weights", in->talker_weights);
    json_text("predictor_weights", in->predictor_weights);
    json_text("codec_weights", in->codec_weights);
    json_text("cpu", in->cpu);
    json_levels();
    json_number("threads", (uint64_t)in->threads);
    json_number("weight_bytes", in->weight_bytes);
    json_number("packed_bytes", in->packed_bytes);
    json_number("stream_bytes", in->stream_bytes);
    puts("\n}");
}

int kz_cmd_info(const kz_args *args) {
    kz_opened opened;
    int code = kz_cli_open_model(args, &opened);
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
