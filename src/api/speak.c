/* speak.c: one call for one utterance.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "api/api.h"

/* Samples in a block that doubles when it is full. */
typedef struct growing {
    float *pcm;
    size_t n, cap;
} growing;

static kztts_status make_room(growing *g, size_t n) {
    if (g->cap - g->n >= n)
        return KZTTS_OK;
    size_t cap = g->cap ? 2 * g->cap : 1 << 16;
    float *pcm = kz_alloc(cap, sizeof *pcm);
    if (!pcm)
        return KZTTS_ERROR_MEMORY;
    if (g->n)
        memcpy(pcm, g->pcm, g->n * sizeof *pcm);
    kz_free(g->pcm);
    g->pcm = pcm;
    g->cap = cap;
    return KZTTS_OK;
}

static kztts_status read_all(kztts_stream *stream, growing *g) {
    enum { PIECE = 1 << 12 };
    for (;;) {
        size_t n;
        KZ_TRY(make_room(g, PIECE));
        kztts_status status = kztts_stream_read(stream, g->pcm + g->n, PIECE, &n);
        g->n += n;
        if (status != KZTTS_OK)
            return status == KZTTS_END ? KZTTS_OK : status;
    }
}

static kztts_status speak(kztts_stream *stream, const char *text, growing *g) {
    KZ_TRY(kztts_stream_put(stream, text, strlen(text)));
    KZ_TRY(kztts_stream_finish(stream));
    return read_all(stream, g);
}

static void say(const char *what, char *message, size_t message_size) {
    if (message && message_size)
        (void)snprintf(message, message_size, "%s", what);
}

kztts_status kztts_speak(kztts_model *model, const kztts_voice *voice, const char *text,
                         const kztts_stream_options *options, float **pcm, size_t *n, char *message,
                         size_t message_size) {
    kztts_stream *stream = NULL;
    growing g = {0};
    say("", message, message_size);
    if (pcm)
        *pcm = NULL;
    if (n)
        *n = 0;
    if (!pcm || !n || !text) {
        say("kztts_speak: no text, or no place for the samples given", message, message_size);
        return KZTTS_ERROR_ARGUMENT;
    }
    kztts_status status = kztts_stream_open(&stream, model, voice, options);
    if (status >= 0)
        status = speak(stream, text, &g);
    if (status < 0) {
        const char *why = kztts_stream_message(stream);
        say(*why ? why : kztts_status_text(status), message, message_size);
        kz_free(g.pcm);
    } else {
        *pcm = g.pcm;
        *n = g.n;
    }
    kztts_stream_close(&stream);
    return status < 0 ? status : KZTTS_OK;
}

void kztts_free(void *p) { kz_free(p); }
