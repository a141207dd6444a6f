/* stream.c: the stream handle: text is collected, samples are handed out.  SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <string.h>

#include "api/api.h"

/* Bytes of text one utterance takes at most. */
enum { MAX_TEXT = 1 << 20 };

typedef enum stream_phase { PHASE_TEXT, PHASE_SPEECH, PHASE_END, PHASE_BROKEN } stream_phase;

struct kztts_stream {
    const kztts_model *model;
    const kz_voice *voice;
    kz_stream *s;
    kz_utterance utterance;
    char *instruct, *snapshot; /* owned copies */
    stream_phase phase;
    kztts_status broken; /* in PHASE_BROKEN: why */
    char *text;
    size_t n_text, cap_text, n_valid; /* n_valid: prefix known to be whole UTF-8 characters */
    const float *pcm;                 /* rest of the frame */
    size_t n_pcm;
    uint64_t n_read;
    atomic_bool cancelled;
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

static kztts_status open_stream(kztts_stream *stream, kztts_model *model, const kztts_voice *voice,
                                const kztts_stream_options *options) {
    if (!model || !model->open || !voice)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "a stream needs an opened model and a voice");
    if (voice->model != model)
        return kz_fail(&stream->err, KZTTS_ERROR_VOICE, "the voice was made for another model");
    stream->model = model;
    stream->voice = &voice->v;
    KZ_TRY(set_options(stream, options));
    KZ_TRY(kz_stream_new(&stream->s, &model->m, &stream->err));
    stream->phase = PHASE_TEXT;
    return KZTTS_OK;
}

kztts_status kztts_stream_open(kztts_stream **out, kztts_model *model, const kztts_voice *voice,
                               const kztts_stream_options *options) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_stream *stream = *out = kz_alloc(1, sizeof *stream);
    if (!stream)
        return KZTTS_ERROR_MEMORY;
    atomic_init(&stream->cancelled, false);
    stream->phase = PHASE_BROKEN;
    stream->broken = open_stream(stream, model, voice, options);
    return stream->broken;
}

void kztts_stream_close(kztts_stream **stream) {
    if (!stream || !*stream)
        return;
    kz_stream_free((*stream)->s);
    kz_free((*stream)->instruct);
    kz_free((*stream)->snapshot);
    kz_free((*stream)->text);
    kz_free(*stream);
    *stream = NULL;
}

kztts_status kztts_stream_restart(kztts_stream *stream, const kztts_stream_options *options) {
    if (!stream || !stream->s)
        return KZTTS_ERROR_ARGUMENT;
    if (options)
        KZ_TRY(set_options(stream, options));
    stream->phase = PHASE_TEXT;
    stream->n_text = stream->n_valid = stream->n_pcm = 0;
    stream->n_read = 0;
    stream->err.message[0] = 0;
    atomic_store(&stream->cancelled, false);
    return KZTTS_OK;
}

/* ---- text -------------------------------------------------------------------------------------------------- */

static kztts_status break_stream(kztts_stream *stream, kztts_status status) {
    stream->phase = PHASE_BROKEN;
    stream->broken = status;
    return status;
}

static kztts_status fail_utf8(kztts_stream *stream) {
    return break_stream(stream,
                        kz_fail(&stream->err, KZTTS_ERROR_TEXT, "the text is not UTF-8 at byte %zu", stream->n_valid));
}

static kztts_status grow_text(kztts_stream *stream, size_t n) {
    if (n > MAX_TEXT - stream->n_text)
        return kz_fail(&stream->err, KZTTS_ERROR_TEXT, "the text is longer than %d bytes; speak it in parts", MAX_TEXT);
    size_t need = stream->n_text + n, cap = stream->cap_text ? stream->cap_text : 256;
    if (need <= stream->cap_text)
        return KZTTS_OK;
    while (cap < need)
        cap *= 2;
    char *text = kz_alloc(cap, 1);
    if (!text)
        return kz_fail_memory(&stream->err, cap, "the text");
    if (stream->n_text)
        memcpy(text, stream->text, stream->n_text);
    kz_free(stream->text);
    stream->text = text;
    stream->cap_text = cap;
    return KZTTS_OK;
}

kztts_status kztts_stream_put(kztts_stream *stream, const char *text, size_t n) {
    enum { LONGEST_CUT = 3 }; /* bytes of a character whose end has not come yet */
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (!text && n)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "kztts_stream_put: no text given");
    if (stream->phase == PHASE_BROKEN)
        return stream->broken;
    if (stream->phase != PHASE_TEXT)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "text after finish; restart the stream for a new utterance");
    if (!n)
        return KZTTS_OK;
    KZ_TRY(grow_text(stream, n));
    memcpy(stream->text + stream->n_text, text, n);
    stream->n_text += n;
    stream->n_valid += kz_utf8_valid(stream->text + stream->n_valid, stream->n_text - stream->n_valid);
    return stream->n_text - stream->n_valid > LONGEST_CUT ? fail_utf8(stream) : KZTTS_OK;
}

kztts_status kztts_stream_finish(kztts_stream *stream) {
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (stream->phase == PHASE_BROKEN)
        return stream->broken;
    if (stream->phase != PHASE_TEXT)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "finish was called before");
    if (stream->n_valid < stream->n_text)
        return fail_utf8(stream);
    if (!kz_text_speakable(stream->text, stream->n_text))
        return break_stream(stream, kz_fail(&stream->err, KZTTS_ERROR_TEXT,
                                            "there is nothing to speak: the text has no letter and no digit"));
    kztts_status status = kz_stream_start(stream->s, stream->voice, &stream->utterance,
                                          (kz_span){stream->text, stream->n_text}, &stream->err);
    if (status < 0)
        return break_stream(stream, status);
    stream->phase = PHASE_SPEECH;
    return KZTTS_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------- */

/* The next frame into stream->pcm. */
static kztts_status next_frame(kztts_stream *stream) {
    if (atomic_load(&stream->cancelled))
        kz_stream_cancel(stream->s);
    kztts_status status = kz_stream_frame(stream->s, &stream->pcm, &stream->err);
    if (status < 0)
        return break_stream(stream, status);
    if (status == KZTTS_END || atomic_load(&stream->cancelled)) {
        stream->phase = PHASE_END;
        return KZTTS_END;
    }
    stream->n_pcm = stream->model->m.cfg.codec.frame_samples;
    return KZTTS_OK;
}

kztts_status kztts_stream_read(kztts_stream *stream, float *pcm, size_t capacity, size_t *n) {
    if (n)
        *n = 0;
    if (!stream)
        return KZTTS_ERROR_ARGUMENT;
    if (!pcm || !n || !capacity)
        return kz_fail(&stream->err, KZTTS_ERROR_ARGUMENT, "kztts_stream_read: no room for samples given");
    if (stream->phase == PHASE_BROKEN)
        return stream->broken;
    if (atomic_load(&stream->cancelled)) {
        stream->phase = PHASE_END;
        stream->n_pcm = 0;
    }
    if (stream->phase == PHASE_TEXT)
        return KZTTS_AGAIN;
    while (stream->phase == PHASE_SPEECH && *n < capacity) {
        kztts_status status = stream->n_pcm ? KZTTS_OK : next_frame(stream);
        if (status < 0 && !*n)
            return status; /* else the samples first; the next call says it */
        if (status != KZTTS_OK)
            break;
        size_t take = capacity - *n < stream->n_pcm ? capacity - *n : stream->n_pcm;
        memcpy(pcm + *n, stream->pcm, take * sizeof *pcm);
        stream->pcm += take;
        stream->n_pcm -= take;
        *n += take;
    }
    stream->n_read += *n;
    return *n ? KZTTS_OK : KZTTS_END;
}

void kztts_stream_cancel(kztts_stream *stream) {
    if (!stream || !stream->s)
        return;
    atomic_store(&stream->cancelled, true);
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
    }
    return "unknown";
}

kztts_status kztts_stream_get_summary(const kztts_stream *stream, kztts_summary *summary) {
    kztts_summary own = {0};
    if (!stream || !stream->s || !summary || summary->size < sizeof summary->size)
        return KZTTS_ERROR_ARGUMENT;
    size_t size = summary->size;
    if (stream->phase != PHASE_TEXT)
        kz_stream_get_summary(stream->s, &own);
    own.seed = stream->utterance.seed;
    own.text_mode = stream->utterance.text_mode == KZ_TEXT_STREAMING ? KZTTS_TEXT_STREAMING : KZTTS_TEXT_FULL;
    own.samples = stream->n_read;
    if (stream->phase == PHASE_BROKEN)
        own.finish = KZTTS_FINISH_FAILED;
    else if (own.finish == KZTTS_FINISH_NONE && atomic_load(&stream->cancelled))
        own.finish = KZTTS_FINISH_CANCELLED; /* one that comes after the end changes nothing */
    memcpy(summary, &own, size < sizeof own ? size : sizeof own);
    summary->size = size;
    return KZTTS_OK;
}

const char *kztts_stream_message(const kztts_stream *stream) { return stream ? stream->err.message : ""; }
