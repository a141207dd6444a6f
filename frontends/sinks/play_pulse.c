/* play_pulse.c: playing with PulseAudio, or PipeWire in its place.  SPDX-License-Identifier: Apache-2.0
 *
 * The library is looked for when it is needed, not when the program starts: it brings some twenty others. */
#define _POSIX_C_SOURCE 200809L

#include "players.h"

#ifdef KZ_WITH_PULSE

#include <dlfcn.h>
#include <errno.h>
#include <pulse/def.h>
#include <pulse/simple.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 512 };

/* The functions of libpulse-simple that are used. */
typedef struct pulse_library {
    void *handle;
    pa_simple *(*create)(const char *, const char *, pa_stream_direction_t, const char *, const char *,
                         const pa_sample_spec *, const pa_channel_map *, const pa_buffer_attr *, int *);
    void (*destroy)(pa_simple *);
    int (*write)(pa_simple *, const void *, size_t, int *);
    int (*drain)(pa_simple *, int *);
    int (*flush)(pa_simple *, int *);
} pulse_library;

struct kz_player {
    pulse_library pulse;
    pa_simple *stream;
    int rate;
    bool drained;
    double heard_at; /* when the last sample written will have been played */
};

bool kz_pulse_runs(void) {
    char path[4096];
    const char *server = getenv("PULSE_SERVER"), *folder = getenv("XDG_RUNTIME_DIR");
    if (server && *server)
        return true;
    if (!folder || snprintf(path, sizeof path, "%s/pulse/native", folder) >= (int)sizeof path)
        return false;
    return access(path, F_OK) == 0;
}

/* Pointers to functions aren't pointers to objects in C: their bytes are copied. */
static bool find(void *library, const char *name, void *function, size_t size) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size < sizeof symbol ? size : sizeof symbol);
    return symbol != NULL;
}

static bool load(pulse_library *p) {
    p->handle = dlopen("libpulse-simple.so.0", RTLD_NOW | RTLD_LOCAL);
    return p->handle && find(p->handle, "pa_simple_new", &p->create, sizeof p->create) &&
           find(p->handle, "pa_simple_free", &p->destroy, sizeof p->destroy) &&
           find(p->handle, "pa_simple_write", &p->write, sizeof p->write) &&
           find(p->handle, "pa_simple_drain", &p->drain, sizeof p->drain) &&
           find(p->handle, "pa_simple_flush", &p->flush, sizeof p->flush);
}

static void pulse_close(kz_player *player) {
    if (player->stream && !player->drained) /* a flush takes back what was played ahead, too */
        player->pulse.flush(player->stream, NULL);
    if (player->stream)
        player->pulse.destroy(player->stream);
    if (player->pulse.handle)
        dlclose(player->pulse.handle);
    free(player);
}

static void explain(int error, const char *device, char *message, size_t size) {
    if (error == PA_ERR_CONNECTIONREFUSED || error == PA_ERR_CONNECTIONTERMINATED)
        snprintf(message, size, "no server answers");
    else if (error == PA_ERR_NOENTITY && device)
        snprintf(message, size, "no sink '%.80s'", device);
    else
        snprintf(message, size, "the server refuses (error %d)", error);
}

/* Sound begins with 40 ms of it, half a frame of the released models. */
static kz_player *pulse_open(const char *device, int sample_rate, char *message, size_t size) {
    uint32_t second = (uint32_t)sample_rate * sizeof(float);
    pa_sample_spec spec = {.format = PA_SAMPLE_FLOAT32NE, .rate = (uint32_t)sample_rate, .channels = 1};
    pa_buffer_attr buffer = {.maxlength = UINT32_MAX,
                             .tlength = KZ_PLAYER_BUFFER_S * second,
                             .prebuf = second / 25,
                             .minreq = UINT32_MAX,
                             .fragsize = UINT32_MAX};
    int error = 0;
    kz_player *player = calloc(1, sizeof *player);
    if (!player || !load(&player->pulse)) {
        snprintf(message, size, "%s",
                 player ? "libpulse-simple.so.0 isn't here (package libpulse0)" : strerror(ENOMEM));
    } else {
        player->stream =
            player->pulse.create(NULL, "kztts", PA_STREAM_PLAYBACK, device, "speech", &spec, NULL, &buffer, &error);
        player->rate = sample_rate;
        if (player->stream)
            return player;
        explain(error, device, message, size);
    }
    if (player)
        pulse_close(player);
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* pa_simple_write waits for room, and nothing interrupts it: it is called when, by the clock, there is room. (The latency
 * that the server tells is no measure: it may be longer than all that is waiting.) */
static bool wait_for_room(kz_player *player, bool (*stopped)(void)) {
    if (player->heard_at < now())
        player->heard_at = now(); /* the beginning, or there was a gap */
    while (!(stopped && stopped())) {
        if (player->heard_at - now() < 0.75 * KZ_PLAYER_BUFFER_S)
            return true;
        kz_player_sleep();
    }
    return false;
}

static int pulse_write(kz_player *player, const float *pcm, size_t n, bool (*stopped)(void)) {
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK;
        if (!wait_for_room(player, stopped))
            return 0;
        if (player->pulse.write(player->stream, pcm, part * sizeof *pcm, NULL) < 0)
            return EIO;
        player->heard_at += (double)part / player->rate;
        pcm += part;
        n -= part;
    }
    return 0;
}

/* pa_simple_drain can't be interrupted either: only the last moment is left to it. */
static int pulse_drain(kz_player *player, bool (*stopped)(void)) {
    while (now() < player->heard_at) {
        if (stopped && stopped())
            return 0;
        kz_player_sleep();
    }
    player->drained = true;
    return player->pulse.drain(player->stream, NULL) < 0 ? EIO : 0;
}

static int pulse_list(void (*found)(void *user, const char *name, const char *what), void *user) {
    if (kz_pulse_runs())
        found(user, "pulse", "the desktop's sound server; pulse:SINK names a sink of it (pactl list short sinks)");
    return 0;
}

const kz_player_type kz_player_pulse = {.name = "PulseAudio",
                                        .open = pulse_open,
                                        .write = pulse_write,
                                        .drain = pulse_drain,
                                        .close = pulse_close,
                                        .list = pulse_list};

#endif
