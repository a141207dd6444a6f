/* stream.c: the stream handle: calls in their order, whole characters, samples.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/api.h"

/* Bytes of text that may wait to be spoken; of a character whose end has not come yet. */
enum { MAX_TEXT = 1 << 20, LONGEST_CUT = 3 };

typedef enum stream_phase { PHASE_TEXT, PHASE_SPEECH, PHASE_END, PHASE_BROKEN } stream_phase;

struct kztts_stream {
    kztts_model *model;
    const kz_voice *voice;
    kz_stream *s;
    kz_utterance utterance;
    char *instruct, *snapshot; /* owned copies */
    stream_phase phase;
    kztts_status broken;       /* in PHASE_BROKEN: why */
    char cut[LONGEST_CUT + 1]; /* the beginning of a character */
    size_t n_cut;
    uint64_t n_valid; /* bytes of whole characters so far */
    kz_err err;
};

/* ---- open and close ---------------------------------------------------------------------------------------- */

/* An own copy of a string, NULL for NULL. */
static kztts_status copy_string(char **out, const char *text, kz_err *err) {
    *out = text ? kz_strndup(text, strlen(text)) : NULL;
    return text && !*out ? kz_fail_memory(err, strlen(text), "an option") : KZTTS_OK;
}

static kztts_status set_options(kztts_stream *stream, const kztts_stream_options *options) {
    kztts_stream_options o;
    kz_utterance u;
    char *instruct, *snapshot;
    KZ_TRY(kz_api_stream_options(&o, options, &stream->err));
    KZ_TRY(kz_api_utterance(&u, stream->model, stream->voice, &o, &stream->err));
    KZ_TRY(copy_string(&instruct, u.instruct, &stream->err));
    kztts_status status = copy_string(&snapshot, u.snapshot, &stream->err);
    if (status < 0) {
        kz_free(instruct);
        return status;
    }
    kz_free(stream->instruct);
    kz_free(stream->snapshot);
    stream->utterance = u;
    stream->utterance.instruct = stream->instruct = instruct;
    stream->utterance.snapshot = stream->snapshot = snapshot;
    return KZTTS_OK;
}

static kztts_status break_stream(kztts_stream *stream, kztts_status status) {
    stream->phase = PHASE_BROKEN;
    stream->broken = status;
    return status;
}

static kztts_status begin(kztts_stream *stream) {
    KZ_TRY(kz_stream_begin(stream->s, stream->voice, &stream->utterance, &stream->err));
    stream->phase = PHASE_TEXT;
    stream->n_cut = 0;
    stream->n_valid = 0;
    stream->err.message[0] = 0;
    return KZTTS_OK;
}

/* The model's spare one, or one more. */
static kztts_status take_stream(kztts_stream *stream) {
    if ((stream->s = atomic_exchange(&stream->model->spare, NULL)))
        return KZTTS_OK;
    kztts_status status = kz_stream_new(&stream->s, &stream->model->m, &stream->err);
    if (status < 0) {
        kz_stream_free(stream->s);
        stream->s = NULL;
    }
    return status;
}

/* The model keeps one. */
static void give_back(kztts_model *model, kz_stream *s) {
    kz_stream *none = NULL;
    kz_stream_rest(s);
    if (!atomic_compare_exchange_strong(&model->spare, &none, s))
        kz_stream_free(s);
}

static kztts_status open_stream(kztts_stream *stream, kztts_model *model, const kztts_voice *voice,
                                const kztts_stream_options *options) {
    if (!model || !model->open || !voice)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "a stream needs an opened model and a voice");
    if (voice->model != model)
        return kz_fail(&stream->err, KZTTS_ERROR_VOICE, "the voice was made for another model");
    stream->model = model;
    stream->voice = &voice->v;
    KZ_TRY(set_options(stream, options));
    KZ_TRY(take_stream(stream));
    return begin(stream);
}

kztts_status kztts_stream_open(kztts_stream **out, kztts_model *model, const kztts_voice *voice,
                               const kztts_stream_options *options) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_stream *stream = *out = kz_alloc(1, sizeof *stream);
    if (!stream)
        return KZTTS_ERROR_MEMORY;
    stream->phase = PHASE_BROKEN;
    stream->broken = open_stream(stream, model, voice, options);
    return stream->broken;
}

void kztts_stream_close(kztts_stream **stream) {
    if (!stream || !*stream)
        return;
    if ((*stream)->s)
        give_back((*stream)->model, (*stream)->s);
    kz_free((*stream)->instruct);
    kz_free((*stream)->snapshot);
    kz_free(*stream);
    *stream = NULL;
}

kztts_status kztts_stream_restart(kztts_stream *stream, const kztts_stream_options *options) {
    if (!stream || !stream->s)
        return KZTTS_ERROR_ARGUMENT;
    if (options)
        KZ_TRY(set_options(stream, options));
    kztts_status status = begin(stream);
    return status < 0 ? break_stream(stream, status) : KZTTS_OK;
}

/* ---- text -------------------------------------------------------------------------------------------------- */

static kztts_status fail_utf8(kztts_stream *stream) {
    return break_stream(stream, kz_fail(&stream->err, KZTTS_ERROR_TEXT, "the text is not UTF-8 at byte %llu",
                                        (unsigned long long)stream->n_valid));
}

/* Whether text may come, and for `what`. */
static kztts_status check_phase(kztts_stream *stream, const char *what) {
    if (stream->phase == PHASE_BROKEN)
        return stream->broken;
    if (stream->phase == PHASE_TEXT)
        return KZTTS_OK;
    return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "%s after finish; restart the stream for a new text", what);
}

static kztts_status check_pending(kztts_stream *stream, size_t n) {
    size_t waiting = kz_stream_pending(stream->s) + stream->n_cut;
    if (n <= MAX_TEXT && waiting <= MAX_TEXT - n)
        return KZTTS_OK;
    return kz_fail(&stream->err, KZTTS_ERROR_TEXT,
                   "more than %d bytes of text would wait to be spoken; speak it in parts, or read samples as it comes",
                   MAX_TEXT);
}

static kztts_status pass_on(kztts_stream *stream, const char *text, size_t n) {
    stream->n_valid += n;
    kztts_status status = n ? kz_stream_put(stream->s, (kz_span){text, n}, &stream->err) : KZTTS_OK;
    return status < 0 ? break_stream(stream, status) : KZTTS_OK;
}

/* Bytes that complete the character whose beginning waits; how many were used. */
static kztts_status mend(kztts_stream *stream, const char *text, size_t n, size_t *used) {
    *used = 0;
    while (stream->n_cut && *used < n) {
        stream->cut[stream->n_cut++] = text[(*used)++];
        size_t valid = kz_utf8_valid(stream->cut, stream->n_cut);
        if (!valid && stream->n_cut > LONGEST_CUT)
            return fail_utf8(stream);
        if (!valid)
            continue;
        if (valid < stream->n_cut) /* an incomplete character is never followed by a whole one */
            return fail_utf8(stream);
        stream->n_cut = 0;
        KZ_TRY(pass_on(stream, stream->cut, valid));
    }
    return KZTTS_OK;
}

kztts_status kztts_stream_put(kztts_stream *stream, const char *text, size_t n) {
    size_t used;
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (!text && n)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "kztts_stream_put: no text given");
    KZ_TRY(check_phase(stream, "text"));
    if (!n)
        return KZTTS_OK;
    KZ_TRY(check_pending(stream, n));
    KZ_TRY(mend(stream, text, n, &used));
    size_t valid = kz_utf8_valid(text + used, n - used), rest = n - used - valid;
    KZ_TRY(pass_on(stream, text + used, valid));
    if (rest > LONGEST_CUT)
        return fail_utf8(stream);
    if (rest)
        memcpy(stream->cut, text + used + valid, rest);
    stream->n_cut += rest;
    return KZTTS_OK;
}

kztts_status kztts_stream_flush(kztts_stream *stream) {
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    KZ_TRY(check_phase(stream, "flush"));
    if (stream->n_cut)
        return fail_utf8(stream);
    kztts_status status = kz_stream_flush(stream->s, &stream->err);
    return status < 0 ? break_stream(stream, status) : KZTTS_OK;
}

kztts_status kztts_stream_settle(kztts_stream *stream) {
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    KZ_TRY(check_phase(stream, "settle"));
    kztts_status status = kz_stream_settle(stream->s, &stream->err);
    return status < 0 ? break_stream(stream, status) : KZTTS_OK;
}

kztts_status kztts_stream_mark(kztts_stream *stream, uint64_t id) {
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    KZ_TRY(check_phase(stream, "a mark"));
    return kz_stream_mark(stream->s, id, &stream->err);
}

kztts_status kztts_stream_finish(kztts_stream *stream) {
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (stream->phase == PHASE_SPEECH || stream->phase == PHASE_END)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "finish was called before");
    KZ_TRY(check_phase(stream, "finish"));
    if (stream->n_cut)
        return fail_utf8(stream);
    kztts_status status = kz_stream_finish(stream->s, &stream->err);
    if (status < 0)
        return break_stream(stream, status);
    stream->phase = PHASE_SPEECH;
    return KZTTS_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------- */

kztts_status kztts_stream_read(kztts_stream *stream, float *pcm, size_t capacity, size_t *n) {
    if (n)
        *n = 0;
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (!pcm || !n || !capacity)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "kztts_stream_read: no room for samples given");
    if (stream->phase == PHASE_BROKEN)
        return stream->s ? kz_stream_break(stream->s, stream->broken) : stream->broken;
    if (stream->phase == PHASE_END)
        return KZTTS_END;
    kztts_status status = kz_stream_read(stream->s, pcm, capacity, n, &stream->err);
    if (status < 0)
        return break_stream(stream, status);
    if (status == KZTTS_END)
        stream->phase = PHASE_END;
    return status;
}

void kztts_stream_cancel(kztts_stream *stream) {
    if (stream && stream->s)
        kz_stream_cancel(stream->s);
}

/* ---- outcome ----------------------------------------------------------------------------------------------- */

const char *kztts_finish_text(kztts_finish_reason reason) {
    switch (reason) {
    case KZTTS_FINISH_NONE:
        return "none";
    case KZTTS_FINISH_EOS:
        return "eos";
    case KZTTS_FINISH_LENGTH:
        return "length";
    case KZTTS_FINISH_CANCELLED:
        return "cancelled";
    case KZTTS_FINISH_FAILED:
        return "failed";
    case KZTTS_FINISH_REPETITION:
        return "repetition";
    case KZTTS_FINISH_SILENCE:
        return "silence";
    }
    return "unknown";
}

kztts_status kztts_stream_get_summary(const kztts_stream *stream, kztts_summary *summary) {
    kztts_summary own = {0};
    if (!stream || !stream->s || !summary || summary->size < sizeof summary->size)
        return KZTTS_ERROR_ARGUMENT;
    size_t size = summary->size;
    kz_stream_get_summary(stream->s, &own);
    if (stream->phase == PHASE_BROKEN && stream->broken != KZTTS_ERROR_GUARD && own.finish != KZTTS_FINISH_CANCELLED)
        own.finish = KZTTS_FINISH_FAILED;
    memcpy(summary, &own, size < sizeof own ? size : sizeof own);
    summary->size = size;
    return KZTTS_OK;
}

kztts_status kztts_stream_get_pass(const kztts_stream *stream, int pass, kztts_pass_times *times) {
    if (!stream || !stream->s || pass < 0 || !times || times->size < sizeof times->size)
        return KZTTS_ERROR_ARGUMENT;
    size_t size = times->size;
    if ((size_t)pass + 1 >= stream->model->m.cfg.n_code)
        return KZTTS_END;
    const kz_pass_times *p = &kz_stream_passes(stream->s)[pass];
    kztts_pass_times own = {.input_s = p->input, .layers_s = p->layers, .head_s = p->head, .sampling_s = p->draw};
    memcpy(times, &own, size < sizeof own ? size : sizeof own);
    times->size = size;
    return KZTTS_OK;
}

const char *kztts_stream_message(const kztts_stream *stream) { return stream ? stream->err.message : ""; }
