/* clone.c: a recording into a voice file: what clone, voices add and design share.  SPDX-License-Identifier: Apache-2.0 */
#include "clone.h"

#include <stdio.h>
#include <string.h>

#include "consent.h"
#include "language.h"
#include "open_model.h"
#include "recording.h"
#include "signals.h"

typedef struct clone_run {
    const kz_args *args;
    const kz_clone_job *job;
    kz_recording recording;
    const kz_opened *model; /* the job's, or the one below */
    kz_opened opened;
    kztts_voice *voice;
    char consent[KZ_CONSENT_MAX + 2], created[32];
} clone_run;

int kz_needs_type(const char *path, const kztts_model_info *info, const char *type, const char *what) {
    if (strcmp(info->type, type) == 0)
        return KZ_GO_ON;
    return kz_cli_fail(KZ_EXIT_VOICE, "'%s' is a %s model; only a %s model %s: name one with -m", path, info->type,
                       type, what);
}

void kz_voice_meta_from(kztts_voice_meta *meta, const kz_args *args, const char *language, char created[32]) {
    kztts_voice_meta_init(meta, sizeof *meta);
    kz_utc(created);
    meta->name = args->value[KZ_OPT_NAME].text;
    meta->language = language;
    meta->licence = args->value[KZ_OPT_LICENCE].text;
    meta->created = created;
    meta->overwrite = args->value[KZ_OPT_FORCE].flag;
}

int kz_voice_save(const kz_args *args, kztts_voice *voice, const kz_voice_target *target,
                  const kztts_voice_meta *meta) {
    kztts_voice_info info = {.size = sizeof info};
    int code = kz_voice_target_folder(target);
    if (code != KZ_GO_ON)
        return code;
    kztts_status status = kztts_voice_save(voice, target->path, meta);
    if (status < 0)
        return kz_cli_fail_status(status, kztts_voice_message(voice));
    if (args->value[KZ_OPT_QUIET].flag || kztts_voice_get_info(voice, &info) < 0)
        return KZ_EXIT_OK;
    if (info.kind == KZTTS_VOICE_CLONE)
        kz_cli_line("ok kind=clone width=%d frames=%llu model=%s/%s out=%s", info.d_model,
                    (unsigned long long)info.frames, info.model_type ? info.model_type : "-",
                    info.model_size ? info.model_size : "-", target->path);
    else
        kz_cli_line("ok kind=described out=%s", target->path);
    return KZ_EXIT_OK;
}

static int open_base(clone_run *run) {
    int code = KZ_GO_ON;
    run->model = run->job->opened;
    if (!run->model) {
        code = kz_cli_open_model_at(run->args, run->args->value[KZ_OPT_MODEL].text, true, &run->opened);
        run->model = &run->opened;
    }
    if (code != KZ_GO_ON)
        return code;
    return kz_needs_type(run->model->path, &run->model->info, "base", "clones a recording");
}

static int get_consent(clone_run *run, const char **statement) {
    *statement = run->job->consent ? run->job->consent : run->consent;
    return run->job->consent ? KZ_GO_ON : kz_consent(run->args, run->consent);
}

static int get_language(const clone_run *run, const char **name) {
    *name = run->job->language;
    return *name ? KZ_GO_ON : kz_cli_language_name(run->model->model, run->args->value[KZ_OPT_LANGUAGE].text, name);
}

static int make_voice(clone_run *run) {
    const char *transcript = run->job->transcript;
    const kz_value *v = run->args->value;
    kz_recording_use use = {.transcript = transcript,
                            .strict = v[KZ_OPT_STRICT].flag,
                            .raw = v[KZ_OPT_RAW].flag,
                            .full = true,
                            .quiet = v[KZ_OPT_QUIET].flag};
    int code;
    if ((code = kz_recording_decode(&run->recording, run->model->info.sample_rate)) != KZ_GO_ON ||
        (code = kz_recording_check(&run->recording, &use)) != KZ_GO_ON)
        return code;
    kztts_status status = kztts_voice_clone(&run->voice, run->model->model, run->recording.pcm, run->recording.n,
                                            v[KZ_OPT_X_VECTOR_ONLY].flag ? NULL : transcript);
    return status < 0 ? kz_cli_fail_status(status, run->voice ? kztts_voice_message(run->voice) : NULL) : KZ_GO_ON;
}

static int clone(clone_run *run, const kz_voice_target *target) {
    kztts_voice_meta meta;
    const char *language, *consent;
    int code;
    if ((code = kz_recording_load(&run->recording, run->job->path)) != KZ_GO_ON ||
        (code = get_consent(run, &consent)) != KZ_GO_ON || (code = open_base(run)) != KZ_GO_ON ||
        (code = get_language(run, &language)) != KZ_GO_ON || (code = make_voice(run)) != KZ_GO_ON)
        return code;
    kz_voice_meta_from(&meta, run->args, language, run->created);
    meta.source = "recording";
    meta.source_sha256 = run->recording.sha256;
    meta.consent = consent;
    meta.consent_date = run->created;
    return kz_voice_save(run->args, run->voice, target, &meta);
}

int kz_clone(const kz_args *args, const kz_clone_job *job, const kz_voice_target *target) {
    clone_run run = {.args = args, .job = job};
    int code = clone(&run, target);
    kztts_voice_close(&run.voice);
    kz_cli_close_model(&run.opened);
    kz_recording_free(&run.recording);
    return code;
}
