/* cmd_doctor.c: `kztts doctor`: is this machine ready, and what to do if not.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "hash/hash.h"
#include "hub_use.h"
#include "open_model.h"
#include "sink.h"
#include "source.h"
#include "test_voice.h"

int kz_cmd_doctor(const kz_args *args);

/* The self-test of the bundled voice: weights by their SHA-256, and the MD5 of what they say. */
static const char recorded_weights[] = "8beba3d6857a7177052b22679140f889341dc56ef7eb7e06fffa9d1205beb2d0";
static const char recorded_md5[] = "358cc85a6d76c7fccf5973365b9182a8";

enum { TEST_FRAMES = 13 /* about a second */, LINE = 400 };

typedef struct report {
    bool json, first, failed;
} report;

typedef enum { FINE, WARN, BAD } verdict;

static void tell(report *r, verdict v, const char *name, const char *text) {
    static const char *const words[] = {"ok", "warn", "fail"};
    if (r->json) {
        fputs(r->first ? "[\n {\"check\": " : ",\n {\"check\": ", stdout);
        kz_cli_print_json_string(name);
        printf(", \"verdict\": \"%s\", \"text\": ", words[v]);
        kz_cli_print_json_string(text);
        putchar('}');
    } else {
        printf("%-5s%-12s%s\n", words[v], name, text);
    }
    r->first = false;
    r->failed |= v == BAD;
}

static void check_cpu(report *r) {
    char text[LINE] = "", missed[LINE] = "", best[32] = "none";
    const char *name;
    int usable = 0;
    for (int i = 0; (name = kztts_cpu_level(i, &usable)) != NULL; i++) {
        char *to = usable ? text : missed;
        size_t n = strlen(to);
        snprintf(to + n, LINE - n, "%s%s", n ? ", " : "", name);
        if (usable)
            snprintf(best, sizeof best, "%s", name);
    }
    char line[3 * LINE];
    snprintf(line, sizeof line, "%s (usable: %s%s%s)%s", best, text, *missed ? "; not here: " : "", missed,
             strcmp(best, "c") == 0 ? ": no fast level, expect slow speech; a newer CPU is the only cure" : "");
    tell(r, strcmp(best, "c") == 0 ? WARN : FINE, "cpu", line);
}

/* "MemAvailable" of /proc/meminfo in bytes, 0 when it can't be told. */
static uint64_t memory_free(void) {
    char line[128];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/meminfo", "rb");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtoull(line + 13, NULL, 10);
    if (f)
        fclose(f);
    return kib * 1024;
}

static void check_memory(report *r, const kztts_model_info *info) {
    char text[LINE];
    uint64_t room = memory_free(), need = info->packed_bytes + info->stream_bytes;
    if (room == 0) {
        tell(r, WARN, "memory", "the system doesn't tell how much is free");
        return;
    }
    snprintf(text, sizeof text, "%.0f MiB free, the model needs up to %.0f MiB%s", (double)room / 1048576,
             (double)need / 1048576,
             need > room       ? ": too much; close programs, or take a smaller model or --quant q8"
             : need > room / 2 ? ": not much is left for others"
                               : "");
    tell(r, need > room ? BAD : need > room / 2 ? WARN : FINE, "memory", text);
}

static void check_pages(report *r) {
    char text[128] = "";
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    if (n == 0)
        tell(r, FINE, "huge pages", "the system doesn't tell of any; kztts does without");
    else if (strstr(text, "[never]"))
        tell(r, WARN, "huge pages",
             "off; as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled makes large models a little "
             "faster");
    else
        tell(r, FINE, "huge pages", strstr(text, "[always]") ? "always" : "where programs ask for them");
}

static void check_cache(report *r, const kz_args *args) {
    char text[KZ_HUB_PATH + LINE], above[KZ_HUB_PATH];
    struct statvfs fs;
    kz_hub hub;
    if (kz_hub_open(&hub, args->value[KZ_OPT_HF_TOKEN].text, args->value[KZ_OPT_OFFLINE].flag) < 0) {
        tell(r, WARN, "cache", hub.message);
        return;
    }
    snprintf(above, sizeof above, "%s", hub.cache);
    for (char *slash; access(above, F_OK) != 0 && (slash = strrchr(above, '/')) != NULL;)
        *(slash == above ? slash + 1 : slash) = '\0';
    bool writable = access(above, W_OK) == 0;
    double gb = statvfs(above, &fs) == 0 ? (double)fs.f_bavail * (double)fs.f_frsize / 1e9 : 0;
    snprintf(text, sizeof text, "%s: %s, %.1f GB free%s", hub.cache, writable ? "writable" : "not writable", gb,
             !writable  ? "; HF_HUB_CACHE names another place"
             : gb < 5.0 ? "; a released model takes up to 4.6 GB"
                        : "");
    tell(r, writable && gb >= 5.0 ? FINE : WARN, "cache", text);
    snprintf(text, sizeof text, "%s%s%s", hub.endpoint,
             !kz_hub_has_network() ? ": this build has no libcurl, it can't fetch; what is in the cache works" : "",
             hub.offline ? " (off: --offline, HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE)" : "");
    tell(r, kz_hub_has_network() ? FINE : WARN, "hub", text);
}

/* Every kind of sink that writes for others, those that this build has no library for behind. */
static void check_writes(report *r) {
    char text[3 * LINE] = "", lacks[2 * LINE] = "";
    const kz_sink_type *type;
    for (int i = 0; (type = kz_sink_type_at(i)) != NULL; i++) {
        size_t n = strlen(text), m = strlen(lacks);
        if (type->lacks) /* up to the comma: the library and its package */
            snprintf(lacks + m, sizeof lacks - m, "%s%s without %.*s", m ? ", " : "; not ", type->name,
                     (int)strcspn(type->lacks, ","), type->lacks);
        else if (!type->silent)
            snprintf(text + n, LINE - n, "%s%s", n ? ", " : "", type->name);
    }
    strncat(text, lacks, sizeof text - strlen(text) - 1);
    tell(r, *lacks ? WARN : FINE, "writes", text);
}

static void check_reads(report *r) {
    char text[LINE];
    const char *formats = kz_source_formats();
    bool all = strstr(formats, "FLAC") && strstr(formats, "Opus") && kz_source_resamples();
    snprintf(text, sizeof text, "%s, %s%s", formats,
             kz_source_resamples() ? "of any rate" : "at the model's rate only (no libsoxr)",
             all ? "" : "; a build with libsndfile, libopusfile and libsoxr reads more");
    tell(r, all ? FINE : WARN, "reads", text);
}

/* SHA-256 of the model's weights; "" when they aren't one file. */
static void weights_hash(const char *folder, char hex[KZ_HASH_TEXT]) {
    char path[KZ_HUB_PATH], block[1 << 14];
    kz_sha256 sha;
    size_t n;
    hex[0] = '\0';
    FILE *f = kz_hub_format(path, "%s/model.safetensors", folder) ? fopen(path, "rb") : NULL;
    if (!f)
        return;
    kz_sha256_init(&sha);
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        kz_sha256_add(&sha, block, n);
    fclose(f);
    kz_sha256_end(&sha, hex);
}

/* A second of greedy speech. */
static kztts_status speak(const kz_opened *m, char hex[33], double *wall, char message[LINE]) {
    kztts_stream_options options;
    kztts_voice *voice = NULL;
    kz_md5 md5;
    float *pcm = NULL;
    size_t n = 0;
    kztts_stream_options_init(&options, sizeof options);
    options.max_frames = TEST_FRAMES;
    options.sample = options.sub_sample = 0;
    double start = kz_cli_now();
    kztts_status status = kz_test_voice(&voice, m);
    if (status >= 0)
        status = kztts_speak(m->model, voice, "One, two, three, four, five.", &options, &pcm, &n, message, LINE);
    else
        snprintf(message, LINE, "%s", voice ? kztts_voice_message(voice) : "out of memory");
    *wall = kz_cli_now() - start;
    kz_md5_init(&md5);
    for (size_t i = 0; status >= 0 && i < n; i++) {
        unsigned char bytes[2];
        kz_pcm_s16_bytes(pcm + i, 1, bytes);
        kz_md5_update(&md5, bytes, sizeof bytes);
    }
    kz_md5_hex(&md5, hex);
    kztts_free(pcm);
    kztts_voice_close(&voice);
    return status;
}

static void self_test(report *r, const kz_opened *m, const kz_args *args) {
    char hex[33], hash[KZ_HASH_TEXT], message[LINE] = "", text[LINE + 200];
    double wall;
    kztts_status status = speak(m, hex, &wall, message);
    if (status < 0) {
        snprintf(text, sizeof text, "can't speak: %s", message);
        tell(r, BAD, "self-test", text);
        return;
    }
    weights_hash(m->path, hash);
    bool known = strcmp(hash, recorded_weights) == 0 && !args->value[KZ_OPT_QUANT].given;
    bool right = known && strcmp(hex, recorded_md5) == 0;
    snprintf(text, sizeof text, "%d frames in %.2f s, md5 %s%s%s", TEST_FRAMES, wall, hex,
             !known  ? " (none recorded for this model)"
             : right ? ", as recorded"
                     : ", recorded was ",
             known && !right ? recorded_md5 : "");
    if (known && !right)
        strncat(text, ": compiler or CPU don't compute as they should; try --cpu c, and report it",
                sizeof text - strlen(text) - 1);
    tell(r, known && !right ? BAD : FINE, "self-test", text);
}

static void count_device(void *user, const char *name, const char *what) {
    (void)name, (void)what;
    ++*(int *)user;
}

/* As kztts say --play and --list-audio find them. */
static void check_audio(report *r) {
    const kz_sink_options options = {0};
    char text[KZ_SINK_MESSAGE + LINE], message[KZ_SINK_MESSAGE];
    int n = 0;
    if (kz_sink_check(&kz_sink_play, &options, 0, message, sizeof message) != KZ_SINK_FITS) {
        tell(r, WARN, "audio", message);
        return;
    }
    bool plays = kz_play_probe(&options, message, sizeof message);
    int error = kz_play_list(count_device, &n);
    if (plays && error)
        snprintf(text, sizeof text, "--play works; the devices can't be listed: %s", strerror(error));
    else if (plays)
        snprintf(text, sizeof text, "--play works; kztts say --list-audio lists %d device%s", n, n == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "nothing to play on (%s); files and pipes need none", message);
    tell(r, FINE, "audio", text);
}

static void check_model(report *r, const kz_args *args) {
    kz_opened opened;
    char text[KZ_HUB_PATH];
    int code = kz_cli_open_model_at(args, args->value[KZ_OPT_MODEL].text, false, &opened);
    if (code == KZ_GO_ON) {
        snprintf(text, sizeof text, "%.3000s: %s, %s", opened.path, opened.info.type, opened.info.model_size);
        tell(r, FINE, "model", text);
        check_memory(r, &opened.info);
        self_test(r, &opened, args);
    } else {
        tell(r, BAD, "model",
             "can't be opened (the reason is on standard error); kztts pull fetches one, -m names one");
    }
    kz_cli_close_model(&opened);
}

int kz_cmd_doctor(const kz_args *args) {
    report r = {.json = args->value[KZ_OPT_JSON].flag, .first = true};
    if (args->n_word > 0)
        return kz_cli_usage(args->command, "'%s' is too much; a model is named with -m", args->words[0]);
    check_cpu(&r);
    check_pages(&r);
    check_cache(&r, args);
    check_audio(&r);
    check_writes(&r);
    check_reads(&r);
    check_model(&r, args);
    if (r.json)
        puts("\n]");
    int code = kz_cli_flush();
    return code == KZ_EXIT_OK && r.failed ? KZ_EXIT_FAILED : code;
}
