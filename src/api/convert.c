/* convert.c: models as other kinds of files, and checking them.  SPDX-License-Identifier: Apache-2.0 */
#include "convert/convert.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"

void kztts_convert_options_init(kztts_convert_options *options, size_t size) {
    kztts_convert_options all = {.size = size};
    if (!options || size < sizeof size)
        return;
    memset(options, 0, size);
    memcpy(options, &all, size < sizeof all ? size : sizeof all);
}

typedef struct told {
    kztts_progress_fn fn;
    void *user;
} told;

static bool tell(void *user, uint64_t done, uint64_t total) {
    const told *t = user;
    return t->fn(t->user, done, total) == 0;
}

static kztts_status say(kztts_status status, const kz_err *err, char *message, size_t message_size) {
    if (message && message_size)
        (void)snprintf(message, message_size, "%s", status < 0 ? err->message : "");
    return status;
}

static kztts_status convert(const char *source, const char *target, const kztts_convert_options *options, kz_err *err) {
    kztts_convert_options o;
    kztts_convert_options_init(&o, sizeof o);
    if (options && options->size < sizeof options->size)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "kztts_convert: the options' size isn't set");
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    if (!source || !*source || !target || !*target)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "kztts_convert: no source or no target given");
    if (o.threads < 0 || o.threads > 256)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "threads: %d is not from 0 to 256", o.threads);
    told t = {o.on_progress, o.on_progress_user};
    kz_convert c = {
        .model = {.threads = o.threads, .quant = o.quant, .codec = o.codec, .log = o.log, .log_user = o.log_user},
        .overwrite = o.overwrite != 0,
        .progress = {o.on_progress ? tell : NULL, &t}};
    return kz_convert_run(source, target, &c, err);
}

kztts_status kztts_convert(const char *source, const char *target, const kztts_convert_options *options, char *message,
                           size_t message_size) {
    kz_err err = {""};
    return say(convert(source, target, options, &err), &err, message, message_size);
}

static kztts_status check(const char *path, kztts_progress_fn on_progress, void *user, kz_err *err) {
    kz_weights *w;
    kz_pool *pool;
    told t = {on_progress, user};
    if (!path || !*path)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "kztts_check_file: no path given");
    KZ_TRY(kz_prepared_open(&w, path, err));
    kztts_status status = kz_pool_new(&pool, 0, err);
    if (status >= 0) {
        status = kz_prepared_check(w, pool, &(kz_progress){on_progress ? tell : NULL, &t}, err);
        kz_pool_free(pool);
    }
    kz_weights_close(w);
    return status;
}

kztts_status kztts_check_file(const char *path, kztts_progress_fn on_progress, void *user, char *message,
                              size_t message_size) {
    kz_err err = {""};
    return say(check(path, on_progress, user, &err), &err, message, message_size);
}
