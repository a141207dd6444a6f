/* output.h: the sound's way out of say and decode: choice of file and format, errors, the summary line.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_OUTPUT_H
#define KZ_OUTPUT_H

#include "cli.h"
#include "sink.h"

typedef struct kz_output {
    kz_sink sink;
    kz_sink_options options;
    const char *name;    /* for messages: the file's name or "standard output" */
    const char *summary; /* behind out= */
    bool open, closed_pipe;
} kz_output;

/* -o, --format, --play and standard output's kind decide; opens the file without touching what is in it. */
int kz_output_open(kz_output *out, const kz_args *args);

/* --list-audio. */
int kz_output_list_devices(void);

/* Before start: what the file says about itself, where its format can. model and voice: in a few words, NULL = not
 * known. */
void kz_output_tag(kz_output *out, const char *model, const char *voice);

int kz_output_start(kz_output *out, int sample_rate);

/* KZ_GO_ON; KZ_EXIT_OK when the reader has gone (closed_pipe is set then); KZ_EXIT_FAILED,
 * KZ_EXIT_OUTPUT. */
int kz_output_write(kz_output *out, const float *pcm, size_t n);
int kz_output_finish(kz_output *out);

/* Whether the reader has gone (closed_pipe is set then). */
bool kz_output_unread(kz_output *out);

/* When, in seconds of the output, a sample of those given is heard, or will be. */
double kz_output_place(const kz_output *out, uint64_t sample);

/* keep false: a file that was made here is removed. */
int kz_output_close(kz_output *out, bool keep);

/* The same rules for a codes file of `say`: one line a frame. */
typedef struct kz_codes_file {
    kz_outfile out;
    const char *name; /* NULL: no codes are asked for */
    bool open, started;
    int error; /* errno of the first failed write */
} kz_codes_file;

int kz_codes_file_open(kz_codes_file *file, const kz_args *args, const kz_output *sound);
void kz_codes_file_start(kz_codes_file *file); /* done by the first write too */
void kz_codes_file_write(kz_codes_file *file, const int32_t *codes, int n_code);
int kz_codes_file_close(kz_codes_file *file, bool keep);

#endif
