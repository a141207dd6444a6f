/* test_speaker.c: sound to x-vector.  SPDX-License-Identifier: Apache-2.0 */
#include "golden.h"

int main(void) { return golden_main_skip("speaker", "the speaker encoder isn't part of this version"); }
