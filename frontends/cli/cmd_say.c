/* cmd_say.c: `kztts say`: a text into sound.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "signals.h"
#include "speaking.h"

int kz_cmd_say(const kz_args *args);

/* Everything that can be wrong with the request comes first: it costs the user no waiting for the model. */
static int prepare(kz_speaking *run, kz_text *text) {
    int code;
    if ((code = kz_voice_choice_prepare(&run->choice, run->args)) != KZ_GO_ON)
        return code;
    if ((code = kz_cli_text(run->args, text)) != KZ_GO_ON)
        return code;
    if (strspn(text->data, " \t\r\n\v\f") == text->n)
        return kz_cli_fail(KZ_EXIT_TEXT, "the text is empty: there is nothing to speak");
    return kz_speaking_prepare(run);
}

static int put_text(kz_speaking *run, const kz_text *text) {
    kztts_status status = kz_speaking_put(run, text->data, text->n);
    if (status >= 0)
        status = kztts_stream_finish(run->stream);
    return status < 0 ? kz_speaking_failed(run, status) : KZ_GO_ON;
}

/* Until the end, a signal, or an error. */
static int speak(kz_speaking *run) {
    kztts_status status = KZTTS_OK;
    int code = KZ_GO_ON;
    while (status == KZTTS_OK && code == KZ_GO_ON && !run->codes.error && !kz_signals_seen())
        code = kz_speaking_read(run, &status);
    return code == KZ_GO_ON ? kz_speaking_end(run) : code;
}

static int run_all(kz_speaking *run, kz_text *text) {
    int code;
    if ((code = prepare(run, text)) != KZ_GO_ON || (code = kz_speaking_open(run)) != KZ_GO_ON)
        return code;
    if ((code = put_text(run, text)) == KZ_GO_ON)
        code = speak(run);
    kz_progress_end();
    return code;
}

int kz_cmd_say(const kz_args *args) {
    kz_speaking run;
    kz_text text = {0};
    if (args->value[KZ_OPT_LIST_AUDIO].flag)
        return kz_output_list_devices();
    kz_speaking_init(&run, args);
    kz_signals_install();
    int code = kz_speaking_close(&run, run_all(&run, &text));
    kz_speaking_free(&run);
    free(text.data);
    return code;
}
