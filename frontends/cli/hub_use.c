/* hub_use.c: -hf, and the progress of fetching.  SPDX-License-Identifier: Apache-2.0 */
#include "hub_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool bars_off(void) {
    const char *off = getenv("HF_HUB_DISABLE_PROGRESS_BARS");
    return off && (strcmp(off, "1") == 0 || strcasecmp(off, "true") == 0 || strcasecmp(off, "yes") == 0 ||
                   strcasecmp(off, "on") == 0);
}

/* There is one standard error, so there is one progress line. */
static struct {
    char file[64];
    uint64_t first; /* bytes that were there when it began */
    double start, last;
    bool drawn;
} line;

static void wipe(void) {
    if (line.drawn)
        fprintf(stderr, "\r%*s\r", 110, "");
    line.drawn = false;
}

static void begin_line(const char *file, uint64_t done, double now) {
    snprintf(line.file, sizeof line.file, "%s", file);
    line.first = done;
    line.start = now;
    line.last = 0;
}

/* A line that is rewritten on a terminal, else one every 10 s. */
static void on_progress(void *user, const char *file, uint64_t done, uint64_t total) {
    const char *term = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && (!term || strcmp(term, "dumb") != 0);
    double now = kz_cli_now();
    (void)user;
    if (strncmp(line.file, file, sizeof line.file - 1) != 0 || done < line.first) {
        begin_line(file, done, now);
        line.last = terminal ? 0 : now;
    }
    if (done == total) {
        wipe();
        return;
    }
    if (now - line.last < (terminal ? 0.2 : 10.0))
        return;
    line.last = now;
    double rate = now > line.start ? (double)(done - line.first) / (now - line.start) : 0;
    double left = rate > 0 ? (double)(total - done) / rate : 0;
    fprintf(stderr, "%s%.40s: %.1f of %.1f MB, %.1f MB/s, %d:%02d left%s", terminal ? "\r" : "kztts: ", file,
            (double)done / 1e6, (double)total / 1e6, rate / 1e6, (int)(left / 60), (int)left % 60,
            terminal ? "   " : "\n");
    line.drawn = terminal;
}

static void on_note(void *user, const char *text) {
    const bool *quiet = user;
    wipe();
    kz_cli_note(*quiet, "%s", text);
}

int kz_cli_hub_failed(const kz_hub *hub, kztts_status status) {
    wipe();
    return kz_cli_fail_status(status, hub->message);
}

int kz_cli_hub_open(const kz_args *args, kz_hub *hub) {
    const kz_value *v = args->value;
    kztts_status status = kz_hub_open(hub, v[KZ_OPT_HF_TOKEN].text, v[KZ_OPT_OFFLINE].flag);
    hub->progress = v[KZ_OPT_QUIET].flag || bars_off() ? NULL : on_progress;
    hub->note = on_note;
    hub->user = (void *)(uintptr_t)&v[KZ_OPT_QUIET].flag;
    return status < 0 ? kz_cli_hub_failed(hub, status) : KZ_GO_ON;
}

static int find(kz_args *args) {
    kz_hub hub;
    kz_hub_repo repo;
    int code = kz_cli_hub_open(args, &hub);
    if (code != KZ_GO_ON)
        return code;
    args->hub_path = malloc(KZ_HUB_PATH);
    if (!args->hub_path)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    kztts_status status = kz_hub_parse(&hub, args->value[KZ_OPT_HF_REPO].text, &repo);
    if (status >= 0)
        status = kz_hub_model(&hub, &repo, args->value[KZ_OPT_HF_FILE].text, args->hub_path);
    return status < 0 ? kz_cli_hub_failed(&hub, status) : KZ_GO_ON;
}

int kz_cli_hub_model(kz_args *args) {
    kz_value *model = &args->value[KZ_OPT_MODEL];
    const kz_value *repo = &args->value[KZ_OPT_HF_REPO], *file = &args->value[KZ_OPT_HF_FILE];
    if (!repo->given)
        return file->given && !file->from_env
                   ? kz_cli_fail(KZ_EXIT_USAGE, "-hff names a file of the repository that -hf names")
                   : KZ_GO_ON;
    if (model->given && model->from_env == repo->from_env)
        return kz_cli_fail(KZ_EXIT_USAGE, "-m and -hf both name a model; one of them is enough");
    if (model->given && repo->from_env) /* the command line goes first */
        return KZ_GO_ON;
    int code = find(args);
    model->given = true;
    model->text = args->hub_path;
    return code;
}
