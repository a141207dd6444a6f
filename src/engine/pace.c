/* pace.c: how many frames the codec decodes at once.  SPDX-License-Identifier: Apache-2.0
 *
 * Weights are read once a call, so several frames a call cost much less than each alone; but their sound comes when the
 * last of them is done. As long as the sound handed out lasts, that is nobody's loss: so many frames are waited for as
 * half of it has time for. A machine that can't keep up one by one leaves the listener waiting anyway: the fewer calls,
 * the less, once as many frames of the utterance have been heard. Nothing of this shows in the samples. */
#include "engine/pace.h"

void kz_pace_hand_out(kz_pace *pace, double seconds, double now) {
    if (pace->lasts_until < now) /* the first sound, or it has been waited for */
        pace->lasts_until = now;
    pace->lasts_until += seconds;
}

double kz_pace_margin(const kz_pace *pace, double now) { return pace->lasts_until > now ? pace->lasts_until - now : 0; }

static bool in_time(const kz_pace *pace, size_t n, size_t n_there, double margin) {
    const double codes = n > n_there ? (double)(n - n_there) * pace->step_s : 0;
    return codes + (double)n * pace->codec_s <= margin / 2;
}

size_t kz_pace_frames(const kz_pace *pace, size_t n_there, bool complete, size_t n_said, double margin) {
    const double alone = pace->codec_s + (complete ? 0 : pace->step_s);
    const size_t most = complete && n_there < KZ_PACE_FRAMES ? n_there : KZ_PACE_FRAMES,
                 late = alone > pace->frame_s ? n_said : 0; /* so many when it is late in any case */
    size_t n = 1;
    while (n < most && (n < late || in_time(pace, n + 1, n_there, margin)))
        n++;
    return n;
}
