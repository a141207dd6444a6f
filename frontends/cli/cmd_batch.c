/* cmd_batch.c: `kztts batch`: a list of texts, each into a file of its own, resumed where it ended.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch_files.h"
#include "journal.h"
#include "manifest.h"
#include "progress.h"
#include "signals.h"
#include "speaking.h"

int kz_cmd_batch(const kz_args *args);

enum { EXIT_SOME_FAILED = 20, RETRIES = 2 };

typedef struct kz_batch {
    const kz_args *args;
    const char *path;
    bool quiet;
    kz_manifest manifest;
    char journal_path[KZ_BATCH_PATH];
    kz_journal journal;
    FILE *report;
    int report_error;   /* errno of the first failed write, but for standard output */
    kz_speaking shared; /* the model */
    int n_done, n_skipped, n_failed;
    double audio_s, start, last_line;
} kz_batch;

/* An item with all that is needed to speak it. */
typedef struct kz_work {
    const kz_item *item;
    kz_args args; /* the command line with what the item says itself */
    kz_text text;
    kz_item_files files;
    char key[KZ_HASH_TEXT];
    kz_speaking run;
    kztts_summary summary;
} kz_work;

/* ---- an item ----------------------------------------------------------------------------------------------- */

static void override(kz_args *args, kz_option_id option, const char *text) {
    if (!text)
        return;
    args->value[option].text = text;
    args->value[option].given = true;
    args->value[option].from_env = false;
}

static int set_from_item(kz_work *w, kz_option_id option, kz_field field) {
    const char *text = w->item->field[field];
    if (!text)
        return KZ_GO_ON;
    return kz_cli_set(&w->args.value[option], &kz_options[option], kz_manifest_fields[field], text);
}

static int set_output(const kz_batch *b, kz_work *w) {
    int code = set_from_item(w, KZ_OPT_FORMAT, KZ_FIELD_FORMAT);
    if (code == KZ_GO_ON)
        code = set_from_item(w, KZ_OPT_SPEED, KZ_FIELD_SPEED);
    kz_item_files_name(&w->files, b->args, b->path, w->item);
    override(&w->args, KZ_OPT_OUTPUT, w->files.out);
    override(&w->args, KZ_OPT_SRT, *w->files.srt ? w->files.srt : NULL);
    return code;
}

static int read_text(kz_work *w) {
    const char *text = w->item->field[KZ_FIELD_TEXT];
    return text ? kz_cli_text_word(text, "the text", &w->text) : kz_cli_text_file(w->files.text, &w->text);
}

static int prepare(const kz_batch *b, const kz_item *item, kz_work *w) {
    char *const *f = item->field;
    *w = (kz_work){.item = item, .args = *b->args, .summary = {.size = sizeof w->summary}};
    kz_speaking_init(&w->run, &w->args);
    override(&w->args, KZ_OPT_VOICE, f[KZ_FIELD_VOICE]);
    override(&w->args, KZ_OPT_LANGUAGE, f[KZ_FIELD_LANGUAGE]);
    override(&w->args, KZ_OPT_INSTRUCT, f[KZ_FIELD_INSTRUCT]);
    if (f[KZ_FIELD_SEED]) {
        kz_value *seed = &w->args.value[KZ_OPT_SEED];
        kz_cli_natural(f[KZ_FIELD_SEED], &seed->seed);
        seed->given = true;
        seed->random = false;
    }
    int code = set_output(b, w);
    return code == KZ_GO_ON ? read_text(w) : code;
}

static void add(kz_sha256 *s, const char *name, const char *value) {
    kz_sha256_add(s, name, strlen(name) + 1);
    kz_sha256_add(s, value ? value : "", value ? strlen(value) + 1 : 0);
}

static void add_number(kz_sha256 *s, const char *name, double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    add(s, name, digits);
}

/* Everything that the sound depends on, and no path. */
static void make_key(const kz_batch *b, kz_work *w) {
    static const kz_option_id ids[] = {KZ_OPT_LANGUAGE, KZ_OPT_INSTRUCT, KZ_OPT_FORMAT, KZ_OPT_QUANT,
                                       KZ_OPT_RATE,     KZ_OPT_BITRATE,  KZ_OPT_SPEED};
    const kztts_stream_options *o = &w->run.options;
    const double numbers[] = {o->text_mode,
                              o->max_frames,
                              o->sample,
                              o->temperature,
                              o->top_k,
                              o->top_p,
                              o->sub_sample,
                              o->sub_temperature,
                              o->sub_top_k,
                              o->sub_top_p,
                              o->split,
                              o->repetition_penalty,
                              o->chunk_letters,
                              o->guard,
                              o->sentence_silence_ms,
                              o->retries,
                              o->paragraph_silence_ms,
                              o->trim};
    kztts_voice_info voice = {.size = sizeof voice};
    kz_sha256 s;
    char hex[40];
    kz_sha256_init(&s);
    add(&s, "engine", kztts_version());
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)b->shared.info.fingerprint);
    add(&s, "model", hex);
    kztts_voice_get_info(w->run.choice.voice, &voice);
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)voice.fingerprint);
    add(&s, "voice", hex);
    snprintf(hex, sizeof hex, "%llu", (unsigned long long)o->seed);
    add(&s, "seed", hex);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        add(&s, kz_options[ids[i]].name, w->args.value[ids[i]].text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(&s, "option", numbers[i]);
    add(&s, "text", w->text.data);
    kz_sha256_end(&s, w->key);
}

static int put_text(kz_work *w) {
    kztts_status status = kz_speaking_put(&w->run, w->text.data, w->text.n);
    if (status >= 0)
        status = kztts_stream_finish(w->run.stream);
    return status < 0 ? kz_speaking_failed(&w->run, status) : KZ_GO_ON;
}

static int speak(kz_work *w) {
    kztts_status status = KZTTS_OK;
    int code;
    if ((code = kz_output_open(&w->run.out, &w->args)) != KZ_GO_ON || (code = put_text(w)) != KZ_GO_ON)
        return code;
    while (status == KZTTS_OK && code == KZ_GO_ON && !kz_signals_seen())
        code = kz_speaking_read(&w->run, &status);
    kztts_stream_get_summary(w->run.stream, &w->summary);
    if (code == KZ_GO_ON && !kz_signals_seen() && w->summary.cut)
        return kz_speaking_failed(&w->run, KZTTS_ERROR_GUARD);
    if (kz_signals_seen())
        return 128 + kz_signals_seen();
    return code == KZ_GO_ON ? kz_speaking_end(&w->run) : code;
}

/* ---- report ------------------------------------------------------------------------------------------------ */

static void report_item(kz_batch *b, const kz_work *w, const char *status, int code) {
    FILE *f = b->report;
    double audio = kz_sink_seconds(&w->run.out.sink);
    errno = 0;
    fputs("{\"id\":", f);
    kz_cli_write_json_string(f, w->files.id);
    fprintf(f, ",\"line\":%d,\"status\":\"%s\",\"out\":", w->item->line, status);
    kz_cli_write_json_string(f, w->files.out);
    if (strcmp(status, "ok") == 0)
        fprintf(f, ",\"audio_s\":%.3f,\"wall_s\":%.3f,\"seed\":%llu,\"chunks\":%d,\"retried\":%d,\"early\":%d", audio,
                w->run.end - w->run.start, (unsigned long long)w->summary.seed, w->summary.chunks, w->summary.retried,
                w->summary.early);
    if (strcmp(status, "failed") == 0)
        fprintf(f, ",\"code\":%d", code);
    fputs("}\n", f);
    if ((fflush(f) != 0 || ferror(f)) && !b->report_error)
        b->report_error = errno ? errno : EIO;
}

/* At most a line in ten seconds, or each on a terminal; the last one always. */
static void tell_progress(kz_batch *b) {
    int n = b->n_done + b->n_skipped + b->n_failed, spoken = b->n_done + b->n_failed;
    double now = kz_cli_now(), wall = now - b->start;
    bool last = n == b->manifest.n;
    if (b->quiet || (!last && now - b->last_line < (isatty(STDERR_FILENO) ? 0.5 : 10.0)))
        return;
    b->last_line = now;
    double left = spoken ? wall / spoken * (b->manifest.n - n) : 0;
    kz_cli_line("kztts: %d of %d items, %.1f s of audio, rtf %.2f, %.0f s left", n, b->manifest.n, b->audio_s,
                b->audio_s > 0 ? wall / b->audio_s : 0, left);
}

/* ---- the list ---------------------------------------------------------------------------------------------- */

static bool is_there(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

/* Speaks the item unless it is done; its outcome. */
static int run_item(kz_batch *b, kz_work *w, bool *skipped) {
    int code;
    w->run.model = b->shared.model;
    w->run.info = b->shared.info;
    w->run.quiet = true;
    bool there = is_there(w->files.out) && (!*w->files.srt || is_there(w->files.srt));
    if ((code = kz_voice_choice_prepare(&w->run.choice, &w->args)) != KZ_GO_ON ||
        (code = kz_timing_open(&w->run.timing, &w->args, &w->run.out)) != KZ_GO_ON ||
        (code = kz_speaking_open(&w->run)) != KZ_GO_ON)
        return code;
    make_key(b, w);
    *skipped = there && kz_journal_has(&b->journal, w->key, w->files.out);
    if (*skipped || (code = kz_journal_begin(&b->journal, w->files.out)) != KZ_GO_ON)
        return code;
    return speak(w);
}

static int end_item(kz_batch *b, kz_work *w, int code, bool skipped) {
    bool done = code == KZ_GO_ON && !skipped;
    kz_signals_keep();
    int closed = kz_speaking_close_files(&w->run, done);
    if (done && closed != KZ_GO_ON) {
        code = closed;
        done = false;
    }
    if (kz_signals_seen())
        return 128 + kz_signals_seen();
    if (code != KZ_GO_ON)
        kz_cli_line("kztts: item %s (line %d) failed", w->files.id, w->item->line);
    report_item(b, w, done ? "ok" : skipped ? "skipped" : "failed", code);
    b->n_done += done;
    b->n_skipped += skipped;
    b->n_failed += code != KZ_GO_ON;
    if (!done)
        return KZ_GO_ON;
    b->audio_s += kz_sink_seconds(&w->run.out.sink);
    return kz_journal_add(&b->journal, w->key, w->files.out);
}

static int run_items(kz_batch *b) {
    int code = KZ_GO_ON;
    b->start = b->last_line = kz_cli_now();
    for (int i = 0; i < b->manifest.n && code == KZ_GO_ON && !kz_signals_seen() && !ferror(b->journal.file); i++) {
        kz_work w;
        bool skipped = false;
        code = prepare(b, &b->manifest.items[i], &w);
        if (code == KZ_GO_ON)
            code = run_item(b, &w, &skipped);
        code = end_item(b, &w, code, skipped);
        w.run.model = NULL;
        kz_speaking_free(&w.run);
        free(w.text.data);
        tell_progress(b);
    }
    if (kz_signals_seen())
        return 128 + kz_signals_seen();
    if (ferror(b->journal.file))
        return KZ_EXIT_FAILED;
    return code == KZ_GO_ON && b->n_failed ? EXIT_SOME_FAILED : code;
}

static int open_files(kz_batch *b) {
    const char *report = b->args->value[KZ_OPT_REPORT].text;
    bool named = report && strcmp(report, "-") != 0;
    kz_batch_journal(b->journal_path, b->args, b->path);
    int code = kz_journal_open(&b->journal, b->journal_path);
    if (code != KZ_GO_ON)
        return code;
    b->report = named ? fopen(report, "w") : stdout;
    return b->report ? KZ_GO_ON
                     : kz_cli_fail(KZ_EXIT_FAILED, "can't write the report '%s': %s", report, strerror(errno));
}

/* A report that isn't whole is a failure of its own. Standard output is looked at when the program ends. */
static int close_report(kz_batch *b, int code) {
    if (!b->report || b->report == stdout)
        return code;
    if (fclose(b->report) != 0 && !b->report_error)
        b->report_error = errno;
    if (!b->report_error)
        return code;
    kz_cli_fail(KZ_EXIT_FAILED, "can't write the report '%s': %s", b->args->value[KZ_OPT_REPORT].text,
                strerror(b->report_error));
    return code == KZ_GO_ON || code == EXIT_SOME_FAILED ? KZ_EXIT_FAILED : code;
}

static int run_all(kz_batch *b) {
    int code;
    if (b->args->n_word != 1)
        return kz_cli_usage(b->args->command, "name one manifest");
    b->path = b->args->words[0];
    if (strlen(b->path) > KZ_BATCH_NAME)
        return kz_cli_usage(b->args->command, "the manifest's name is too long");
    if ((code = kz_manifest_read(&b->manifest, b->path)) != KZ_GO_ON ||
        (code = kz_batch_check_files(b->args, b->path, &b->manifest)) != KZ_GO_ON ||
        (code = kz_speaking_model(&b->shared)) != KZ_GO_ON || (code = open_files(b)) != KZ_GO_ON)
        return code;
    kz_signals_graceful();
    return run_items(b);
}

int kz_cmd_batch(const kz_args *args) {
    kz_args own = *args;
    kz_batch b = {.args = &own, .quiet = args->value[KZ_OPT_QUIET].flag};
    if (!own.value[KZ_OPT_RETRIES].given)
        own.value[KZ_OPT_RETRIES].integer = RETRIES; /* nobody waits for a first sound */
    kz_speaking_init(&b.shared, &own);
    kz_signals_install();
    int code = close_report(&b, run_all(&b));
    kz_journal_close(&b.journal);
    kz_manifest_free(&b.manifest);
    kz_speaking_free(&b.shared);
    if (!b.quiet && (code == KZ_GO_ON || code == EXIT_SOME_FAILED))
        kz_cli_line("%s items=%d done=%d skipped=%d failed=%d audio=%.2fs", b.n_failed ? "failed" : "ok",
                    b.n_done + b.n_skipped + b.n_failed, b.n_done, b.n_skipped, b.n_failed, b.audio_s);
    int flushed = kz_cli_flush();
    return code == KZ_GO_ON ? flushed == KZ_GO_ON ? KZ_EXIT_OK : flushed : code;
}
