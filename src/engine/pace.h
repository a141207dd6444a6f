/* pace.h: how many frames the codec decodes at once, for this folder.  SPDX-License-Identifier: Apache-2.0
 *
 * in         when samples were handed out; what a frame's codes and its sound took last
 * out        a number of frames
 * state      kz_pace: of one text
 * threads    any
 * memory     none */
#ifndef KZ_ENGINE_PACE_H
#define KZ_ENGINE_PACE_H

#include "base/base.h"

enum { KZ_PACE_FRAMES = 8 }; /* at most */

/* Times in seconds. */
typedef struct kz_pace {
    double frame_s;         /* sound of a frame */
    double step_s, codec_s; /* work of a frame, as it was last: codes; sound */
    double lasts_until;     /* when the sound handed out ends if each piece is played at once */
} kz_pace;

void kz_pace_hand_out(kz_pace *pace, double seconds, double now);
double kz_pace_margin(const kz_pace *pace, double now); /* sound that is still to be heard */

/* How many frames the next call should take, 1 to KZ_PACE_FRAMES: of the codes of n_there (1 at least) that wait, to be
 * followed by others unless they are complete. n_said: frames of the utterance that have gone out. */
size_t kz_pace_frames(const kz_pace *pace, size_t n_there, bool complete, size_t n_said, double margin);

#endif
