/* play_alsa.c: playing with ALSA.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "players.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void kz_player_sleep(void) {
    struct timespec t = {.tv_nsec = 10 * 1000 * 1000};
    nanosleep(&t, NULL);
}

#ifdef KZ_WITH_ALSA

#include <alsa/asoundlib.h>

enum { CHUNK = 512, WAIT_MS = 20, LAST_MS = 30 };

struct kz_player {
    snd_pcm_t *pcm;
    int rate;
};

/* libasound would write to standard error. */
static void no_report(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/* Sound begins with 40 ms of it, half a frame of the released models, not when the buffer is full. */
static int set_up(snd_pcm_t *pcm, int rate) {
    snd_pcm_sw_params_t *params = NULL;
    int error = snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, (unsigned)rate, 1,
                                   KZ_PLAYER_BUFFER_S * 1000000);
    if (error >= 0)
        error = snd_pcm_sw_params_malloc(&params);
    if (error >= 0)
        error = snd_pcm_sw_params_current(pcm, params);
    if (error >= 0)
        error = snd_pcm_sw_params_set_start_threshold(pcm, params, (snd_pcm_uframes_t)rate / 25);
    if (error >= 0)
        error = snd_pcm_sw_params(pcm, params);
    if (params)
        snd_pcm_sw_params_free(params);
    return error;
}

static kz_player *alsa_open(const char *device, int sample_rate, char *message, size_t size) {
    kz_player *player = calloc(1, sizeof *player);
    int error = player ? 0 : -ENOMEM;
    if (!device)
        device = "default";
    snd_lib_error_set_handler(no_report);
    if (!error)
        error = snd_pcm_open(&player->pcm, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (!error)
        error = set_up(player->pcm, sample_rate);
    if (error >= 0) {
        player->rate = sample_rate;
        return player;
    }
    snprintf(message, size, "'%.80s': %s", device, snd_strerror(error));
    if (player && player->pcm)
        snd_pcm_close(player->pcm);
    free(player);
    return NULL;
}

/* One step; n: samples left, what was taken comes off. */
static int write_some(kz_player *player, const int16_t *values, size_t n, size_t *done) {
    snd_pcm_sframes_t taken = snd_pcm_writei(player->pcm, values, n);
    *done = taken > 0 ? (size_t)taken : 0;
    if (taken == -EAGAIN) {
        int ready = snd_pcm_wait(player->pcm, WAIT_MS);
        taken = ready < 0 ? ready : 0;
    }
    if (taken < 0 && taken != -EINTR) /* a gap was heard, or the computer slept */
        taken = snd_pcm_recover(player->pcm, (int)taken, 1);
    return taken < 0 && taken != -EINTR ? (int)-taken : 0;
}

static int alsa_write(kz_player *player, const float *pcm, size_t n, bool (*stopped)(void)) {
    int16_t values[CHUNK];
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK, at = 0, done;
        for (size_t i = 0; i < part; i++)
            values[i] = kz_pcm_s16(pcm[i]);
        while (at < part) {
            if (stopped && stopped())
                return 0;
            int error = write_some(player, values + at, part - at, &done);
            if (error)
                return error;
            at += done;
        }
        pcm += part;
        n -= part;
    }
    return 0;
}

/* snd_pcm_drain can't be interrupted everywhere: only the last moment is left to it. */
static int alsa_drain(kz_player *player, bool (*stopped)(void)) {
    snd_pcm_sframes_t delay = 0, last = (snd_pcm_sframes_t)player->rate * LAST_MS / 1000;
    if (snd_pcm_state(player->pcm) == SND_PCM_STATE_PREPARED)
        snd_pcm_start(player->pcm);
    for (int step = 0; step < KZ_PLAYER_BUFFER_S * 200; step++) {
        if (stopped && stopped())
            return 0;
        if (snd_pcm_state(player->pcm) != SND_PCM_STATE_RUNNING || snd_pcm_delay(player->pcm, &delay) < 0 ||
            delay <= last)
            break;
        kz_player_sleep();
    }
    snd_pcm_nonblock(player->pcm, 0);
    snd_pcm_drain(player->pcm);
    return 0;
}

static void alsa_close(kz_player *player) {
    snd_pcm_drop(player->pcm);
    snd_pcm_close(player->pcm);
    free(player);
}

/* One device of ALSA's list, if it plays. Descriptions have lines. */
static void list_one(void *hint, void (*found)(void *user, const char *name, const char *what), void *user) {
    char *name = snd_device_name_get_hint(hint, "NAME"), *what = snd_device_name_get_hint(hint, "DESC");
    char *way = snd_device_name_get_hint(hint, "IOID");
    for (char *p = what; p && *p; p++)
        if (*p == '\n')
            *p = ' ';
    if (name && (!way || strcmp(way, "Output") == 0))
        found(user, name, what ? what : "");
    free(name);
    free(what);
    free(way);
}

static int alsa_list(void (*found)(void *user, const char *name, const char *what), void *user) {
    void **hints = NULL;
    snd_lib_error_set_handler(no_report);
    int error = snd_device_name_hint(-1, "pcm", &hints);
    if (error < 0)
        return -error;
    for (void **hint = hints; *hint; hint++)
        list_one(*hint, found, user);
    snd_device_name_free_hint(hints);
    return 0;
}

#else

static kz_player *alsa_open(const char *device, int sample_rate, char *message, size_t size) {
    (void)device, (void)sample_rate;
    snprintf(message, size, "not built in (package libasound2-dev)");
    return NULL;
}

static int alsa_write(kz_player *player, const float *pcm, size_t n, bool (*stopped)(void)) {
    (void)player, (void)pcm, (void)n, (void)stopped;
    return ENOSYS;
}

static int alsa_drain(kz_player *player, bool (*stopped)(void)) {
    (void)player, (void)stopped;
    return ENOSYS;
}

static void alsa_close(kz_player *player) { (void)player; }

static int alsa_list(void (*found)(void *user, const char *name, const char *what), void *user) {
    (void)found, (void)user;
    return 0;
}

#endif

const kz_player_type kz_player_alsa = {.name = "ALSA",
                                       .open = alsa_open,
                                       .write = alsa_write,
                                       .drain = alsa_drain,
                                       .close = alsa_close,
                                       .list = alsa_list};
