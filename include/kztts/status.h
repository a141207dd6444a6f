/* kztts: status numbers. They are never renumbered.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZTTS_STATUS_H
#define KZTTS_STATUS_H

/* Zero and above are states, below zero are failures. A failure's number without its sign is the exit code of the
 * command line for it. */
typedef enum kztts_status {
    KZTTS_OK = 0,
    KZTTS_AGAIN = 1, /* no data yet: give more text, or call kztts_stream_finish() */
    KZTTS_END = 2,   /* the utterance is over */

    KZTTS_ERROR_FAILED = -1,    /* unexpected: an operating system call failed */
    KZTTS_ERROR_ARGUMENT = -2,  /* wrong use: bad value, unknown language, call in the wrong state */
    KZTTS_ERROR_TEXT = -3,      /* the text can't be spoken: not UTF-8, empty, too long */
    KZTTS_ERROR_OUTPUT = -4,    /* an audio device or encoder isn't usable */
    KZTTS_ERROR_VOICE = -5,     /* the voice doesn't fit the model */
    KZTTS_ERROR_NOT_FOUND = -6, /* model, voice or file not found */
    KZTTS_ERROR_NETWORK = -7,   /* reserved for downloads */
    KZTTS_ERROR_FORMAT = -8,    /* a file is damaged or of an unknown format */
    KZTTS_ERROR_MEMORY = -9,    /* out of memory */
    KZTTS_ERROR_GUARD = -10     /* generation gave no usable speech */
} kztts_status;

#endif
