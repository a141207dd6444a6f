/* play.c: the sink that plays, on the first of the systems below that has a device.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "players.h"

#if defined(KZ_WITH_ALSA) || defined(KZ_WITH_PULSE)
#define KZ_PLAY_LACKS NULL
#else
#define KZ_PLAY_LACKS "libasound and libpulse (packages libasound2-dev, libpulse-dev), which play"
#endif

typedef struct play_state {
    const kz_player_type *type;
    kz_player *player;
} play_state;

static bool open_with(kz_sink *sink, const kz_player_type *type, const char *device) {
    play_state *play = sink->state;
    char message[KZ_PLAYER_MESSAGE];
    play->player = type->open(device, sink->sample_rate, message, sizeof message);
    if (!play->player) {
        size_t n = strlen(sink->message);
        snprintf(sink->message + n, sizeof sink->message - n, "%s%s: %s", n ? "; " : "", type->name, message);
        return false;
    }
    play->type = type;
    sink->message[0] = '\0';
    return true;
}

#ifdef KZ_WITH_PULSE
/* "pulse" or "pulse:SINK". */
static bool is_pulse(const char *device) {
    return strncmp(device, "pulse", 5) == 0 && (!device[5] || device[5] == ':');
}

/* What the user names; else the desktop's sound server, if one runs, else the device that ALSA takes for the default. */
static bool open_any(kz_sink *sink) {
    const char *device = sink->options.device;
    if (device && is_pulse(device))
        return open_with(sink, &kz_player_pulse, device[5] ? device + 6 : NULL);
    if (!device && kz_pulse_runs() && open_with(sink, &kz_player_pulse, NULL))
        return true;
    return open_with(sink, &kz_player_alsa, device);
}
#else
static bool open_any(kz_sink *sink) { return open_with(sink, &kz_player_alsa, sink->options.device); }
#endif

static int play_start(kz_sink *sink) {
    sink->state = calloc(1, sizeof(play_state));
    if (!sink->state)
        return ENOMEM;
    sink->message[0] = '\0';
    return open_any(sink) ? 0 : KZ_SINK_REFUSED;
}

static int play_write(kz_sink *sink, const float *pcm, size_t n) {
    play_state *play = sink->state;
    return play->type->write(play->player, pcm, n, sink->options.stopped);
}

static int play_finish(kz_sink *sink) {
    play_state *play = sink->state;
    return play->type->drain(play->player, sink->options.stopped);
}

static void play_release(kz_sink *sink) {
    play_state *play = sink->state;
    if (play->player)
        play->type->close(play->player);
    free(play);
}

bool kz_play_probe(const kz_sink_options *options, char *message, size_t size) {
    enum { ANY_RATE = 24000 }; /* devices take what the system converts for them */
    kz_sink sink;
    int error = kz_sink_open(&sink, &kz_sink_play, options, NULL);
    sink.sample_rate = ANY_RATE;
    error = error ? error : play_start(&sink);
    snprintf(message, size, "%s", error > 0 ? strerror(error) : sink.message);
    kz_sink_close(&sink, false);
    return error == 0;
}

int kz_play_list(void (*found)(void *user, const char *name, const char *what), void *user) {
#ifdef KZ_WITH_PULSE
    int error = kz_player_pulse.list(found, user);
    if (error)
        return error;
#endif
    return kz_player_alsa.list(found, user);
}

const kz_sink_type kz_sink_play = {.name = "play",
                                   .extensions = "",
                                   .lacks = KZ_PLAY_LACKS,
                                   .silent = true,
                                   .start = play_start,
                                   .write = play_write,
                                   .finish = play_finish,
                                   .release = play_release};
