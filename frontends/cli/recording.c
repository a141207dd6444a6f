/* recording.c: a recording that is to be a voice: reading it, the reference check and its report.
 * SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/hash.h"

static const char *shown(const kz_recording *r) { return strcmp(r->path, "-") == 0 ? "standard input" : r->path; }

int kz_recording_load(kz_recording *r, const char *path) {
    char message[KZ_SOURCE_MESSAGE];
    memset(r, 0, sizeof *r);
    r->path = path;
    kztts_status status = kz_source_load(path, NULL, &r->bytes, &r->n_byte, message, sizeof message);
    if (status < 0)
        return kz_cli_fail_status(status, message);
    kz_sha256_hex(r->bytes, r->n_byte, r->sha256);
    return KZ_GO_ON;
}

int kz_recording_decode(kz_recording *r, int rate) {
    char message[KZ_SOURCE_MESSAGE];
    kz_source_limits limits = {.seconds = r->max_seconds};
    kztts_status status =
        kz_source_decode(r->bytes, r->n_byte, r->path, rate, &limits, &r->audio, message, sizeof message);
    free(r->bytes);
    r->bytes = NULL;
    return status < 0 ? kz_cli_fail_status(status, message) : KZ_GO_ON;
}

/* "clipping: ...; noise: ..." of all findings of one severity. */
static void join(const kz_reference_report *report, kz_severity severity, char *out, size_t size) {
    size_t n = 0;
    *out = '\0';
    for (int i = 0; i < KZ_REF_CODE_COUNT && n < size; i++) {
        const kz_finding *f = &report->finding[i];
        if (f->severity == severity)
            n += (size_t)snprintf(out + n, size - n, "%s%s: %s", n ? "; " : "", f->name, f->text);
    }
}

static int refuse(const kz_recording *r, const kz_recording_use *use, const kz_reference_report *report) {
    char reasons[1600];
    bool only_transcript = true;
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++)
        if (report->finding[i].severity == KZ_SEVERITY_ERROR && i != KZ_REF_CODE_TRANSCRIPT)
            only_transcript = false;
    join(report, KZ_SEVERITY_ERROR, reasons, sizeof reasons);
    const char *hint = use->strict ? " (without --strict, warnings are no errors)"
                       : use->raw  ? ""
                                   : " (--raw takes it as it is)";
    return kz_cli_fail(only_transcript ? KZ_EXIT_TEXT : KZ_EXIT_FORMAT, "'%s' can't serve as a reference: %s%s",
                       shown(r), reasons, hint);
}

static void report_all(const kz_recording *r, const kz_reference_report *report) {
    const kz_source_audio *a = &r->audio;
    kz_cli_line("reference %s: %s, %d Hz, %d channel%s, %.2f s", shown(r), a->format, a->file_rate, a->channels,
                a->channels == 1 ? "" : "s", a->seconds);
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++) {
        const kz_finding *f = &report->finding[i];
        kz_cli_line("  %-8s %-11s %s", kz_severity_name(f->severity), f->name, f->text);
    }
}

static void report_use(const kz_recording *r, const kz_reference_report *report) {
    const kz_reference_action *a = &report->action;
    double rate = r->audio.rate;
    size_t end = r->audio.n - a->first - a->n;
    if (a->first == 0 && end == 0 && a->pad == 0)
        kz_cli_line("used: the recording as it is");
    else
        kz_cli_line("used: %.2f s of it (%.2f s cut off at the start, %.2f s at the end) and %.2f s of silence added",
                    (double)a->n / rate, (double)a->first / rate, (double)end / rate, (double)a->pad / rate);
}

int kz_recording_check(kz_recording *r, const kz_recording_use *use) {
    kz_reference_report report;
    kz_reference_options options = {.rate = r->audio.rate,
                                    .file_rate = r->audio.file_rate,
                                    .transcript = use->transcript,
                                    .strict = use->strict,
                                    .raw = use->raw};
    kz_reference_check(&report, r->audio.pcm, r->audio.n, &options);
    if (use->full && !use->quiet)
        report_all(r, &report);
    if (report.refused)
        return refuse(r, use, &report);
    for (int i = 0; i < KZ_REF_CODE_COUNT && !use->full; i++)
        if (report.finding[i].severity == KZ_SEVERITY_WARN)
            kz_cli_note(use->quiet, "%s: %s: %s", shown(r), report.finding[i].name, report.finding[i].text);
    if (use->full && !use->quiet)
        report_use(r, &report);
    kztts_status status = kz_reference_apply(&report, r->audio.pcm, &r->pcm, &r->n);
    return status < 0 ? kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the recording") : KZ_GO_ON;
}

void kz_recording_free(kz_recording *r) {
    free(r->bytes);
    free(r->pcm);
    kz_source_free(&r->audio);
    r->bytes = NULL;
    r->pcm = NULL;
}

int kz_transcript(const kz_args *args, kz_text *text) {
    const char *words = args->value[KZ_OPT_REF_TEXT].text, *file = args->value[KZ_OPT_REF_TEXT_FILE].text;
    memset(text, 0, sizeof *text);
    if (words && file)
        return kz_cli_fail(KZ_EXIT_USAGE, "give the transcript with --ref-text or with --ref-text-file, not both");
    int code = words ? kz_cli_text_word(words, "the transcript", text) : file ? kz_cli_text_file(file, text) : KZ_GO_ON;
    if (code == KZ_GO_ON && text->data && strspn(text->data, " \t\r\n\v\f") == text->n)
        return kz_cli_fail(KZ_EXIT_TEXT, "the transcript is empty: it holds the words that are said in the recording");
    return code;
}
