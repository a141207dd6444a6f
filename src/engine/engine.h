/* engine.h: owns time: which stage runs when.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a checkpoint directory; text, voice, options
 * out        pcm
 * state      kz_model: none after opening. kz_stream: one text, in parts
 * threads    model: shared; stream: one user, kz_stream_cancel from any thread
 * memory     an utterance's arena is sized before its first frame; the frame loop allocates nothing */
#ifndef KZ_ENGINE_H
#define KZ_ENGINE_H

#include "decoder/decoder.h"
#include "join/join.h"
#include "kztts/kztts.h"
#include "predictor/predictor.h"
#include "prompt/prompt.h"
#include "split/split.h"
#include "talker/talker.h"

typedef struct kz_model {
    kz_config cfg;
    kz_weights *weights, *codec_weights; /* of a prepared file: the same */
    kz_tokenizer *tokenizer;
    kz_pool *pool, *codec_pool; /* the codec's decoder's may be the same one */
    uint64_t memory;            /* of the machine, 0 = unknown */
    const kz_kernels *kernels, *predictor_kernels;
    kz_embed embed;
    kz_talker talker;
    kz_predictor predictor;
    kz_decoder *decoder;
    char format[48];        /* of the files, in words */
    char weight_types[192]; /* what they hold, group by group */
    char tokenizer_hash[20];
    kztts_log_fn log;
    void *log_user;
} kz_model;

typedef struct kz_model_options {
    int threads, codec_threads; /* codec_threads 0: as threads */
    const char *cpu, *predictor_cpu;
    const char *quant; /* as kz_quant_parse reads it, or NULL */
    const char *codec; /* file or folder of the codec of a GGUF file, NULL: looked for beside it */
    kztts_log_fn log;
    void *log_user;
    kz_panels_fn on_panels; /* told of every matrix (kz_weights_watch), or NULL */
    void *on_panels_user;
} kz_model_options;

kztts_status kz_model_open(kz_model *m, const char *path, const kz_model_options *options, kz_err *err);
void kz_model_close(kz_model *m);
void kz_model_log(const kz_model *m, kztts_log_level level, const char *fmt, ...) KZ_PRINTF(3, 4);

/* What a list like "talker=q8,predictor=q8" asks for: a type alone is for both groups, groups it doesn't name stay as
 * they are stored. ARGUMENT. */
typedef struct kz_quant_choice {
    kz_quant talker, predictor;
    bool codec_f32; /* the codec must be f32; else it is as stored */
} kz_quant_choice;
kztts_status kz_quant_parse(kz_quant_choice *out, const char *text, kz_err *err);

/* The kernels of a CPU level; NULL = the best. ARGUMENT names the usable ones. */
kztts_status kz_model_kernels(const kz_kernels **out, const char *name, kz_err *err);

/* Threads for the codec's decoder: `pool` itself for 0 or as many as it has, else others. ARGUMENT. */
kztts_status kz_codec_pool(kz_pool **out, kz_pool *pool, int n_thread, kz_err *err);

/* ---- prepared files (prepared.c) ---- */

kztts_status kz_model_open_prepared(kz_model *m, const char *path, kz_err *err); /* files only, no layers */
kztts_status kz_tokenizer_prepared(kz_tokenizer **out, const kz_weights *w, const char *path, kz_pattern pattern,
                                   kz_err *err);
uint64_t kz_model_weight_bytes(const kz_model *m); /* of the files */
uint64_t kz_model_parameters(const kz_model *m);

/* ---- GGUF files (gguf.c) ---- */

kztts_status kz_model_open_gguf(kz_model *m, const char *path, const char *codec, kz_err *err); /* files, no layers */
kztts_status kz_codec_open_gguf(kz_codec_config *cfg, kz_weights **w, const char *path, const char *codec, kz_err *err);
kztts_status kz_tokenizer_gguf(kz_tokenizer **out, const char *path, kz_pattern pattern, kz_err *err);

/* Fills weight_types and tokenizer_hash (inspect.c). */
void kz_model_describe(kz_model *m);

/* Bytes of packed weights. */
size_t kz_model_packed_bytes(const kz_model *m);

/* What the stages take. talker: a step, its head included; its products are also those of a row of the prompt, nearly.
 * predictor: every weight once; predictor_frame: as often as a frame reads it. codec: a frame on its own. */
typedef struct kz_model_work {
    kz_work talker, predictor, predictor_frame, codec;
} kz_model_work;
kz_model_work kz_model_count_work(const kz_model *m);

/* What a voice's utterances have in common, so that none but the first computes it. */
typedef struct kz_warm kz_warm;
kz_warm *kz_warm_new(void); /* NULL: no memory */
void kz_warm_free(kz_warm *warm);

/* Who speaks, resolved. */
typedef struct kz_voice {
    const kz_named_id *speaker; /* or NULL */
    char *description;          /* voice by description, or NULL */
    float *x_vector;            /* [d_model] or NULL: clones */
    kz_code *ref_code;          /* [n_ref, n_code] or NULL */
    size_t n_ref;
    char *ref_text; /* or NULL */
    kz_warm *warm;  /* or NULL: slower beginnings */
} kz_voice;

/* Numbers that differ between checkpoints, and between voices that sound different. */
uint64_t kz_model_fingerprint(const kz_model *m);
typedef struct kz_heard { /* of a voice; NULL: it has none */
    const char *speaker, *description, *ref_text;
    const float *x_vector; /* [d_model] */
    size_t d_model;
    const kz_code *ref_code; /* [n_ref, n_code] */
    size_t n_ref, n_code;
} kz_heard;
uint64_t kz_voice_fingerprint(const kz_heard *heard);

/* Longest recording that is cloned. */
enum { KZ_CLONE_MAX_SECONDS = 60 };

/* Fills a zeroed voice from mono samples at the model's rate; base checkpoints only. ref_text NULL: by the speaker
 * vector alone; else the recording and its words are the context of what is spoken. On failure free the voice too. */
kztts_status kz_voice_clone(kz_voice *voice, const kz_model *m, const float *wave, size_t n, const char *ref_text,
                            kz_err *err);
void kz_voice_free(kz_voice *voice); /* what it points to, but for speaker */

/* Codes [*n_frame, n_code] of a recording, in fresh memory (kz_free). */
kztts_status kz_model_encode(const kz_model *m, const float *wave, size_t n, kz_code **codes, size_t *n_frame,
                             kz_err *err);

typedef struct kz_stream kz_stream;

/* Tests may change what is between the stages, as if the model had gone wrong. */
typedef struct kz_probe {
    void (*logits)(void *user, uint64_t seed, size_t frame, float *logits,
                   size_t n); /* the talker's, before its rules */
    void (*pcm)(void *user, size_t frame, float *pcm, size_t n);
    void *user;
} kz_probe;

/* Checked, resolved options of a text. */
typedef struct kz_utterance {
    int32_t language; /* id or -1 */
    const char *instruct;
    const char *snapshot; /* file for what a recording leaves, or NULL; must stay until the text is over */
    uint64_t seed;
    kz_text_mode text_mode;
    kz_decode_mode decode_mode;
    size_t max_frames; /* of an utterance */
    bool max_given;    /* the caller's own limit: reaching it is no failure */
    kz_sampling sampling, sub_sampling;
    float repetition_penalty;
    int32_t eos;  /* codec id that ends it */
    bool special; /* special tokens in the text act (official behaviour, for tests) */
    bool uncached;
    kztts_frame_fn on_frame;
    void *on_frame_user;
    kztts_event_fn on_event;
    void *on_event_user;

    bool split; /* long texts are cut */
    kztts_commit commit;
    kz_split_options cut;
    int pause_ms[KZ_JOIN_CLASSES]; /* -1: the join's default */
    bool trim;
    size_t n_lane; /* utterances generated together; 0 = by cores and memory */
    bool guard;
    int retries;
    const kz_tap *tap; /* with one lane */
    const kz_probe *probe;
} kz_utterance;

/* Text tokens one utterance may have. */
enum { KZ_MAX_TEXT_TOKENS = 30000 };

kztts_status kz_stream_new(kz_stream **out, const kz_model *m, kz_err *err);
void kz_stream_free(kz_stream *s);

/* Forgets voice and text; memory stays, of one lane at most and of no very long one. As good as new for kz_stream_begin. */
void kz_stream_rest(kz_stream *s);

/* A new text: forgets the one before and an earlier cancel. The utterance's instruct is copied; the voice must stay. */
kztts_status kz_stream_begin(kz_stream *s, const kz_voice *voice, const kz_utterance *u, kz_err *err);

/* Valid UTF-8 of whole characters, in any pieces. */
kztts_status kz_stream_put(kz_stream *s, kz_span text, kz_err *err);
kztts_status kz_stream_flush(kz_stream *s, kz_err *err);  /* all text so far ends here */
kztts_status kz_stream_settle(kz_stream *s, kz_err *err); /* sentences whose end has been seen end here */
kztts_status kz_stream_mark(kz_stream *s, uint64_t id, kz_err *err);
size_t kz_stream_pending(const kz_stream *s); /* bytes that aren't spoken yet */

/* No more text comes. The first utterance is prepared. TEXT when there is nothing to speak. */
kztts_status kz_stream_finish(kz_stream *s, kz_err *err);

/* Up to capacity samples: OK, AGAIN, END; GUARD at the end of a text of which something was cut. */
kztts_status kz_stream_read(kz_stream *s, float *pcm, size_t capacity, size_t *n, kz_err *err);
/* In place of that when the text can't go on: its last events, then `status`, or END of a cancelled one. */
kztts_status kz_stream_break(kz_stream *s, kztts_status status);

void kz_stream_cancel(kz_stream *s); /* any thread */
void kz_stream_get_summary(const kz_stream *s, kztts_summary *out);
const kz_pass_times *kz_stream_passes(const kz_stream *s); /* [n_code - 1] */
const kz_prompt *kz_stream_prompt(const kz_stream *s);     /* of the first lane; tests */

/* Utterances that a stream generates together when the caller leaves it open. */
size_t kz_stream_lanes(const kz_model *m, const kz_utterance *u);

/* ---- trace.c ---- */

typedef struct kz_trace {
    const kz_code *codes; /* [n_frame, n_code], in range */
    size_t n_frame;
    /* Scores of a group (the talker's under its rules, which forbid with -inf) and the code the model would take; of
     * frame n_frame the first group alone. false ends the run (status END). */
    bool (*fn)(void *user, size_t frame, int group, const float *scores, size_t n, kz_code chosen);
    void *user;
} kz_trace;

/* Runs the language model over a text, with the codes given in place of its own. */
kztts_status kz_trace_run(const kz_model *m, const kz_voice *voice, const kz_utterance *u, kz_span text,
                          const kz_trace *t, kz_err *err);

/* Memory of one stream for max_frames frames after n_prompt rows; most of it is touched only as frames come. */
size_t kz_model_stream_bytes(const kz_model *m, size_t max_frames, size_t n_prompt);

#endif
