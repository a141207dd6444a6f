/* players.h: the systems that sound can be played with.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_PLAYERS_H
#define KZ_PLAYERS_H

#include "sink.h"

enum { KZ_PLAYER_MESSAGE = 200 };

typedef struct kz_player kz_player;

/* Functions return 0 or an errno value. Those that wait do it in steps of some 10 ms, between which `stopped` (may be
 * NULL) is asked; when it says true, they return at once. */
typedef struct kz_player_type {
    const char *name;
    /* device NULL: the system's choice. On failure NULL and a few words in `message`. */
    kz_player *(*open)(const char *device, int sample_rate, char *message, size_t size);
    int (*write)(kz_player *player, const float *pcm, size_t n, bool (*stopped)(void));
    int (*drain)(kz_player *player, bool (*stopped)(void)); /* until all is heard */
    void (*close)(kz_player *player);                       /* at once: what isn't heard yet is dropped */
    int (*list)(void (*found)(void *user, const char *name, const char *what), void *user);
} kz_player_type;

extern const kz_player_type kz_player_alsa, kz_player_pulse;

/* Seconds of sound that may be waiting in a device: enough for a pause in the making. */
#define KZ_PLAYER_BUFFER_S 2

/* Whether a PulseAudio server (or PipeWire in its place) seems to run for this user. */
bool kz_pulse_runs(void);

void kz_player_sleep(void); /* 10 ms */

#endif
