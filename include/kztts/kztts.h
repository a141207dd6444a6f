/* kztts: speech from Qwen3-TTS 12 Hz models.  SPDX-License-Identifier: Apache-2.0
 *
 * A complete program (error checks left out; see examples/hello.c for them):
 *
 *      kztts_model *model;
 *      kztts_voice *voice;
 *      kztts_stream *stream;
 *      float pcm[1920];
 *      size_t n;
 *
 *      kztts_model_open(&model, "path/of/a/checkpoint", NULL);
 *      kztts_voice_preset(&voice, model, NULL);
 *      kztts_stream_open(&stream, model, voice, NULL);
 *      kztts_stream_put(stream, "Hello.", 6);
 *      kztts_stream_finish(stream);
 *      while (kztts_stream_read(stream, pcm, 1920, &n) == KZTTS_OK)
 *          play(pcm, n);
 *      kztts_stream_close(&stream);
 *      kztts_voice_close(&voice);
 *      kztts_model_close(&model);
 *
 * Conventions
 *  - Audio is mono float, -1 to 1, at kztts_model_info.sample_rate (24000 Hz in all released models).
 *  - Functions that can fail return a kztts_status; below zero is a failure. `open` style functions set *out to an
 *    object even when they fail (except out of memory, then to NULL), so that its `message` function can say what
 *    went wrong in a sentence; such an object can only be asked for its message and closed.
 *  - `close` takes the handle's address, sets it to NULL, and accepts NULL and half-built objects.
 *  - Option structs are filled by their `init` function; pass sizeof of the struct you compiled with. A NULL options
 *    pointer means all defaults. Strings in options are copied during the call.
 *  - The library prints nothing, never exits, reads no environment variable and has no global state.
 *  - The same model file, text, voice, options and seed give the same samples, bit for bit, on every CPU, for every
 *    number of threads, every batch size and every way of putting text and reading samples.
 *
 * Functions are there since version 0.1.0 where nothing else is said. */
#ifndef KZTTS_KZTTS_H
#define KZTTS_KZTTS_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "version.h"

#if defined(_WIN32) || defined(__CYGWIN__)
#define KZTTS_API
#elif defined(__GNUC__)
#define KZTTS_API __attribute__((visibility("default")))
#else
#define KZTTS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- general ----------------------------------------------------------------------------------------------- */

/* The library's version, "major.minor.patch". Any thread; the string is static. */
KZTTS_API const char *kztts_version(void);

/* A status in a few words, e.g. "not found". Any thread; the string is static. */
KZTTS_API const char *kztts_status_text(kztts_status status);

/* CPU levels this library was built with, best last: 0, 1, ... until NULL. *usable (may be NULL) is set to 1 when this
 * machine can run the level. Names are what kztts_model_options.cpu takes. On CPUs with AMX, Linux is asked here, and when a
 * model opens at the best level, to let the process use the tiles' registers; where it refuses, "amx" can't be used. Any
 * thread; the string is static. */
KZTTS_API const char *kztts_cpu_level(int i, int *usable);

/* ---- model ------------------------------------------------------------------------------------------------- */

/* An opened checkpoint: read-only afterwards, shared by any number of voices and streams in any threads. It must
 * outlive them. */
typedef struct kztts_model kztts_model;

typedef enum kztts_log_level {
    KZTTS_LOG_ERROR = 0,
    KZTTS_LOG_WARNING = 1, /* e.g. an instruction that the model can't follow */
    KZTTS_LOG_INFO = 2,
    KZTTS_LOG_DEBUG = 3
} kztts_log_level;

/* Called on the thread that calls into the library, with a sentence without a newline. */
typedef void (*kztts_log_fn)(void *user, kztts_log_level level, const char *message);

typedef struct kztts_model_options {
    size_t size;               /* of this struct, set by init */
    int threads;               /* threads that work on one request, the caller's included, up to 256; 0 = one per usable
                                  core */
    const char *cpu;           /* highest CPU level to use, e.g. "c", "avx2"; NULL = the best */
    const char *predictor_cpu; /* the same for the code predictor alone; NULL = as cpu. For tests */
    kztts_log_fn log;          /* NULL = silent */
    void *log_user;
    const char *quant; /* types that matrices get at opening: groups "talker" and "predictor" (their layers, heads and
                        * projections), types "q8" (blocks of 32 with 8 bits), "q4", "q4_0" (4 bits) and "stored", as in
                        * "talker=q8,predictor=q8" or, for both, "q8"; the codec stays as it is
                        * ("codec=f32" only makes sure of it); NULL = as they are stored */
    const char *codec; /* of a GGUF file: the file or folder that holds the model's codec; NULL = looked for beside it.
                          ARGUMENT for other models */
    int codec_threads; /* threads that turn codes into sound, the caller's included; 0 = as `threads` */
} kztts_model_options;

KZTTS_API void kztts_model_options_init(kztts_model_options *options, size_t size);

/* Opens a checkpoint directory in the released layout (config.json, model.safetensors, vocab.json, merges.txt,
 * tokenizer_config.json, speech_tokenizer/), a prepared file (kztts_convert), or a GGUF file in one of the layouts of
 * docs/formats.md (the talker's; one that holds the codec is looked for beside it). A directory or GGUF file takes time and
 * memory: weights are checked and packed. A prepared file is mapped: it must not be changed while the model is open.
 * NOT_FOUND, FORMAT, ARGUMENT, MEMORY. Any thread. */
KZTTS_API kztts_status kztts_model_open(kztts_model **out, const char *path, const kztts_model_options *options);

/* What the last failing open said, "" if none. Valid until close. */
KZTTS_API const char *kztts_model_message(const kztts_model *model);

/* Close the model's voices and streams first. */
KZTTS_API void kztts_model_close(kztts_model **model);

typedef struct kztts_model_info {
    size_t size;            /* of this struct, set by the caller before the call */
    const char *type;       /* "custom_voice", "voice_design" or "base" */
    const char *model_size; /* as the configuration says, e.g. "0b6", "1b7" */
    const char *cpu;        /* CPU level in use */
    int threads;            /* in use */
    int sample_rate;        /* Hz */
    int frame_samples;      /* samples a frame */
    int code_groups;        /* codes a frame */
    int codebook_size;      /* codes are 0 .. codebook_size - 1 */
    int speakers;           /* number of preset voices */
    int languages;          /* number of languages besides "auto" */
    int instruct;           /* 1 when the model follows an instruction */
    int max_frames;         /* default limit of an utterance */
    uint64_t weight_bytes;  /* of the weight files */
    uint64_t packed_bytes;  /* weights held in memory besides the mapped files */
    uint64_t stream_bytes;  /* memory of one stream before it speaks, at the default limit; the rest grows with use */
    uint64_t parameters;    /* numbers in the weight files */
    int voice_width;        /* numbers of the speaker vectors that fit (base models), else 0 */
    uint64_t fingerprint;   /* of weights and settings, from samples of them: other checkpoints have others */
    const char *talker_weights;    /* type of the talker's matrices: "f32", "bf16", "f16", "q8", "q4" or "q4_0" */
    const char *predictor_weights; /* the same of the code predictor */
    const char *codec_weights;     /* the same of the codec */
    const char *kind;              /* of the file: "directory", "prepared" or "gguf" */
    const char *format;            /* of the files: "safetensors", "GGUF, layout A", ... */
    const char
        *weight_types;     /* what they hold, as "talker BF16, predictor BF16, tables BF16, codec F32"; "" of a codec */
    const char *tokenizer; /* 16 hexadecimal digits, equal for models that give every text the same token ids */
    int speaker_encoder;   /* 1: recordings can be cloned by the speaker's vector */
    int codec_encoder;     /* 1: recordings can be encoded, and be the context of a clone */
    /* What a frame takes, to compare its time with what a machine can do. Matrices only, as packed. */
    uint64_t talker_bytes;          /* weights that a step of the talker reads */
    uint64_t talker_products;       /* multiply-adds of a step, and of each row of a prompt */
    uint64_t predictor_bytes;       /* the code predictor's weights, each once */
    uint64_t predictor_frame_bytes; /* as often as they are read for a frame: the layers once a code */
    uint64_t codec_bytes;           /* weights that the codec reads for a frame */
    uint64_t codec_products;        /* its multiply-adds */
    int codec_threads;              /* that turn codes into sound */
} kztts_model_info;

/* Strings are valid until the model is closed. ARGUMENT for a size of 0 or a NULL. Any thread. */
KZTTS_API kztts_status kztts_model_get_info(const kztts_model *model, kztts_model_info *info);

/* Names of preset voices and languages, lower case, NULL when i is out of range. Dialects of speakers aren't listed.
 * Valid until the model is closed. Any thread. */
KZTTS_API const char *kztts_model_speaker(const kztts_model *model, int i);
KZTTS_API const char *kztts_model_language(const kztts_model *model, int i);

/* ---- models as other kinds of files ------------------------------------------------------------------------ */

/* Called now and then on the thread that called in; done and total are bytes. Any other return than 0 ends the work: the
 * call returns END, and nothing is left behind. */
typedef int (*kztts_progress_fn)(void *user, uint64_t done, uint64_t total);

typedef struct kztts_convert_options {
    size_t size;                   /* of this struct, set by init */
    const char *quant;             /* types of weights, as kztts_model_options.quant */
    int threads;                   /* 0 = one per usable core; the file is the same for every number */
    int overwrite;                 /* 1: a file of that name is replaced */
    kztts_progress_fn on_progress; /* or NULL */
    void *on_progress_user;
    kztts_log_fn log; /* NULL = silent */
    void *log_user;
    const char *codec; /* as kztts_model_options.codec */
} kztts_convert_options;

KZTTS_API void kztts_convert_options_init(kztts_convert_options *options, size_t size);

/* Writes the model at `source` (whatever kztts_model_open takes) as another file, whole or not at all. The target's ending
 * tells which: .kztts, a prepared file (docs/formats.md): one file with all that is needed, matrices as kernels read
 * them, opened in no time and shared between processes. It speaks with the bits of its source opened with the same
 * types of weights. .gguf: layout A of docs/formats.md, for other programs; the codec goes into a second file,
 * NAME-tokenizer.gguf. Needs the memory of an opened model. `message` (of message_size bytes, may be NULL) says why it
 * failed. Any thread. ARGUMENT (another ending; a file of that name; the source itself), NOT_FOUND, FORMAT, FAILED (no
 * room), MEMORY. */
KZTTS_API kztts_status kztts_convert(const char *source, const char *target, const kztts_convert_options *options,
                                     char *message, size_t message_size);

/* Reads a prepared file as a whole and compares its checksums. Opening one checks its header alone. on_progress may be
 * NULL. FORMAT (damaged: what differs is named; or no prepared file), NOT_FOUND, FAILED, MEMORY. Any thread. */
KZTTS_API kztts_status kztts_check_file(const char *path, kztts_progress_fn on_progress, void *user, char *message,
                                        size_t message_size);

/* ---- voice ------------------------------------------------------------------------------------------------- */

/* Who speaks. Read-only after making: any number of streams in any threads. */
typedef struct kztts_voice kztts_voice;

/* A preset voice by name (any case). name NULL: the model's first. name "": no speaker row, as the official call
 * with an empty speaker. VOICE when the model has no presets, NOT_FOUND for an unknown name (near ones are named). */
KZTTS_API kztts_status kztts_voice_preset(kztts_voice **out, kztts_model *model, const char *name);

/* A voice by description (voice_design models), UTF-8; "" lets the model choose. VOICE for other models, TEXT. */
KZTTS_API kztts_status kztts_voice_describe(kztts_voice **out, kztts_model *model, const char *description);

/* A voice from a recording (base models): n mono samples at the model's rate, -1 to 1, used as they are: 5 to 15 s of one
 * clear speaker serve best, 0.06 to 60 s are taken. transcript NULL: by the speaker's vector alone. Else it must be
 * what is said in the recording (UTF-8), and the recording becomes the context of all that is spoken: closer to it,
 * room and manner included. Takes seconds. VOICE for other models, ARGUMENT, TEXT, MEMORY. */
KZTTS_API kztts_status kztts_voice_clone(kztts_voice **out, kztts_model *model, const float *pcm, size_t n,
                                         const char *transcript);

/* ---- voices as files (.kzvoice) */

typedef enum kztts_voice_kind {
    KZTTS_VOICE_PRESET = 0,    /* of the model */
    KZTTS_VOICE_DESCRIBED = 1, /* a description, perhaps with a seed */
    KZTTS_VOICE_CLONE = 2      /* a speaker vector, perhaps with a recording as context; a designed voice may have its
                                  description too */
} kztts_voice_kind;

/* What is written beside the voice itself. Strings are UTF-8; NULL: as the voice's own file says, if it has one; "":
 * nothing. */
typedef struct kztts_voice_meta {
    size_t size;          /* of this struct, set by init */
    const char *name;     /* at most 200 bytes, one line; NULL for a new voice: the file's name without folder and
                                  ending */
    const char *language; /* that it was recorded in, as kztts_model_language names it; at most 63 bytes */
    const char *source;   /* "recording", "designed", "preset" or "imported"; NULL for a new clone: "recording", for
                                  a new described voice: "designed" */
    const char *source_sha256; /* of the recording's file, 64 lower-case hexadecimal digits */
    const char *description;   /* of a designed voice that was cloned; at most 16384 bytes. A described voice is written
                                  with this in place of its own, and so speaks with it when loaded */
    int has_seed;              /* 1: seed is what made the designed voice speak so */
    uint64_t seed;
    const char *consent;      /* the speaker's statement; at most 4096 bytes */
    const char *consent_date; /* UTC, "2026-01-31" or "2026-01-31T12:00:00Z" */
    const char *licence;      /* at most 1000 bytes, one line */
    const char *created; /* UTC, as consent_date. Only what is given here is written: equal voices make equal files */
    int overwrite;       /* 1: a file of that name is replaced */
} kztts_voice_meta;

KZTTS_API void kztts_voice_meta_init(kztts_voice_meta *meta, size_t size);

/* Writes a cloned or described voice as a .kzvoice file (docs/formats.md): whole or not at all. meta NULL: defaults. The
 * voice stays as it is. VOICE for presets (they belong to their model), ARGUMENT (a value above; a file of that name is
 * there), NOT_FOUND (folder), FAILED, MEMORY. One thread at a time for one voice; its streams may go on. */
KZTTS_API kztts_status kztts_voice_save(kztts_voice *voice, const char *path, const kztts_voice_meta *meta);

/* The same as JSON, for other programs and for kztts_voice_import, which gets the same voice from it, bit for bit. */
KZTTS_API kztts_status kztts_voice_export(kztts_voice *voice, const char *path, const kztts_voice_meta *meta);

/* A voice from a .kzvoice file. base models take those with a speaker vector, voice_design models those with a
 * description. VOICE when the model is of another width, family or type, FORMAT, NOT_FOUND, MEMORY. A voice made with
 * another speaker encoder or codec that fits is taken with a warning in the log. */
KZTTS_API kztts_status kztts_voice_load(kztts_voice **out, kztts_model *model, const char *path);

/* A voice from another engine's file, known by its ending: .json (a list of numbers, an object with one, or an export),
 * .bin or .f32 (the speaker vector's numbers of 4 bytes, little endian), .spk (the same, with the codes and the words of
 * .rvq and .txt files of that name beside it, where there are any), .qvoice, .pt (clone prompts of the official program;
 * nothing in it is run) and .gguf (voice packs). docs/formats.md has the layouts. Errors as for load; ARGUMENT for other
 * endings; FORMAT where several voices are in the file: the message names them. */
KZTTS_API kztts_status kztts_voice_import(kztts_voice **out, kztts_model *model, const char *path);

/* One voice of a file of several: its name (.gguf), or its number from 1 in decimal digits (.pt). NULL: the only one.
 * Errors as for import; FORMAT where there is no such voice, ARGUMENT for files that hold one. Since 0.1. */
KZTTS_API kztts_status kztts_voice_import_one(kztts_voice **out, kztts_model *model, const char *path,
                                              const char *which);

/* Reads a .kzvoice file without a model: such a voice can be asked for its info, saved and exported; it can't speak.
 * FORMAT, NOT_FOUND, MEMORY. */
KZTTS_API kztts_status kztts_voice_inspect(kztts_voice **out, const char *path);

typedef struct kztts_voice_info {
    size_t size; /* of this struct, set by the caller before the call */
    kztts_voice_kind kind;
    const char *name; /* strings: NULL when nothing is said */
    const char *language;
    const char *family;     /* of the models that it is for */
    const char *model_type; /* of the model that made it: "base", "voice_design", ... */
    const char *model_size; /* e.g. "0b6" */
    int d_model;            /* numbers of the speaker vector, 0 = none */
    int code_groups;        /* codes a frame of the recording as context */
    uint64_t frames;        /* of the recording as context, 0 = none */
    int x_vector_only;      /* 1: a clone without a recording as context */
    const char *ref_text;   /* what is said in the recording */
    const char *description;
    int has_seed;
    uint64_t seed; /* of a described voice: to be given as kztts_stream_options.seed */
    const char *source, *source_sha256, *consent, *consent_date, *licence, *created; /* as in kztts_voice_meta */
    const char *engine;                        /* that made the file, e.g. "kztts 0.1.0" */
    const char *speaker_sha256, *codec_sha256; /* of the weights that it was made with */
    uint64_t fingerprint; /* of what is heard of it: speaker, recording, description; not of its name or file */
} kztts_voice_info;

/* Strings are valid until the voice is closed. ARGUMENT for a size of 0 or a NULL. Any thread. */
KZTTS_API kztts_status kztts_voice_get_info(const kztts_voice *voice, kztts_voice_info *info);

KZTTS_API const char *kztts_voice_name(const kztts_voice *voice); /* preset's or file's name, or "" */
KZTTS_API const char *kztts_voice_message(const kztts_voice *voice);
KZTTS_API void kztts_voice_close(kztts_voice **voice);

/* ---- stream ------------------------------------------------------------------------------------------------ */

/* Text in, samples out; one text at a time, one user at a time (kztts_stream_cancel excepted).
 *
 * A long text is cut at sentences into chunks, each an utterance of the model (split); they are spoken in order and
 * joined: the silence where two meet is brought to a fixed length. A text of one chunk comes out as without split. */
typedef struct kztts_stream kztts_stream;

typedef enum kztts_text_mode {
    KZTTS_TEXT_AUTO = 0,     /* as the official call of the model's type: full for custom_voice and voice_design */
    KZTTS_TEXT_FULL = 1,     /* the model reads the whole text before the first frame */
    KZTTS_TEXT_STREAMING = 2 /* one text token a frame */
} kztts_text_mode;

typedef enum kztts_decode_mode {
    KZTTS_DECODE_CONTINUOUS = 0, /* exact state from frame to frame */
    KZTTS_DECODE_REFERENCE = 1   /* independent chunks of 300 frames, as the official program writes files; differs
                                    from continuous from frame 300 on */
} kztts_decode_mode;

/* Codes of a frame, code_groups of them, before its samples can be read; frame counts from 0 over all chunks, in the
 * order of the samples. Called inside kztts_stream_read on the reader's thread; may call kztts_stream_cancel, nothing else
 * on the stream. */
typedef void (*kztts_frame_fn)(void *user, uint64_t frame, const int32_t *codes, int n_code);

typedef enum kztts_finish_reason {
    KZTTS_FINISH_NONE = 0,   /* not over */
    KZTTS_FINISH_EOS = 1,    /* the model ended it */
    KZTTS_FINISH_LENGTH = 2, /* max_frames, or the guard: far longer than such a text can be */
    KZTTS_FINISH_CANCELLED = 3,
    KZTTS_FINISH_FAILED = 4,
    KZTTS_FINISH_REPETITION = 5, /* the guard: the codes went in circles */
    KZTTS_FINISH_SILENCE = 6     /* the guard: nothing but silence came */
} kztts_finish_reason;

typedef enum kztts_split {
    KZTTS_SPLIT_AUTO = 0, /* long texts are cut at sentences */
    KZTTS_SPLIT_OFF = 1   /* all text is one utterance, spoken after finish (with commit `token` as it comes) */
} kztts_split;

/* When text that was put is spoken. */
typedef enum kztts_commit {
    KZTTS_COMMIT_FINISH = 0,   /* all at once, when kztts_stream_finish is called */
    KZTTS_COMMIT_SENTENCE = 1, /* a sentence once the next one has begun, or at a flush or finish */
    KZTTS_COMMIT_LINE = 2,     /* a line once it has ended */
    KZTTS_COMMIT_TOKEN = 3     /* word by word, as one utterance in streaming text mode; never cut */
} kztts_commit;

/* Whether an utterance that goes wrong is cut (docs/guards.md says when). The end of a text of which a part was cut is
 * KZTTS_ERROR_GUARD instead of KZTTS_END, after all its samples. */
typedef enum kztts_guard {
    KZTTS_GUARD_AUTO = 0, /* on, unless max_frames is given */
    KZTTS_GUARD_ON = 1,
    KZTTS_GUARD_OFF = 2
} kztts_guard;

typedef enum kztts_event_type {
    KZTTS_EVENT_SENTENCE_BEGIN = 1,
    KZTTS_EVENT_SENTENCE_END = 2,
    KZTTS_EVENT_MARK = 3,  /* of kztts_stream_mark */
    KZTTS_EVENT_FINISH = 4 /* the last one; comes for a text that failed or was cancelled too */
} kztts_event_type;

typedef struct kztts_event {
    size_t size; /* of this struct, as the library knows it */
    kztts_event_type type;
    uint64_t sample;     /* where it happens, counted from the first sample of the text: never falls, and never lies
                            behind the end of the samples */
    uint64_t text_begin; /* bytes of the text: the sentence's, without blanks around it (commit `token`: at its begin
                            what is there of it); the mark's place (twice) */
    uint64_t text_end;
    int exact;                  /* 0: a border inside a chunk, estimated */
    uint64_t mark;              /* id of a mark */
    kztts_finish_reason finish; /* of FINISH */
} kztts_event;

/* In order, inside the call of kztts_stream_read that hands out the samples before it (or finds the end). Sentences
 * don't overlap. May call kztts_stream_cancel, nothing else on the stream. The event is valid during the call. */
typedef void (*kztts_event_fn)(void *user, const kztts_event *event);

/* Numbers below zero mean: as the model's generation_config.json says. */
typedef struct kztts_stream_options {
    size_t size;          /* of this struct, set by init */
    const char *language; /* e.g. "english"; NULL or "auto" = the model decides */
    const char *instruct; /* how to speak; NULL or "" = none. Models that can't follow it ignore it with a warning in
                             the log. For a described voice the description is used instead */
    uint64_t seed;        /* randomness of sampling; default 0 */
    kztts_text_mode text_mode;
    kztts_decode_mode decode_mode;
    int max_frames;           /* ends an utterance (finish reason length), up to 2^20; 0 = the model's limit */
    int sample;               /* 1 = draw, 0 = greedy; talker */
    float temperature;        /* 0.001 to 100 */
    int top_k;                /* 0 = all */
    float top_p;              /* 0 to 1 */
    float repetition_penalty; /* 0.001 to 100; 1 = none */
    int sub_sample;           /* the same for the code predictor */
    float sub_temperature;
    int sub_top_k;
    float sub_top_p;
    int predictor_uncached;  /* 1: recompute the predictor without its cache: slow, same codes; for tests */
    kztts_frame_fn on_frame; /* or NULL */
    void *on_frame_user;
    const char *snapshot;    /* a file where what the recording of a cloned voice leaves behind is kept, so that a later
                             process begins at once too (streams of one kztts_voice do anyway); made again when it doesn't fit. NULL:
                             none. Saves time only, the samples are the same */
    kztts_event_fn on_event; /* or NULL */
    void *on_event_user;
    kztts_split split;
    kztts_commit commit;
    int sentence_silence_ms;  /* pause at a join between two sentences, 0 to 60000; -1 (init): docs/text.md */
    int paragraph_silence_ms; /* the same between two paragraphs */
    int trim;                 /* 1: the silence at the outer ends is brought to the joins' margin too */
    int chunk_letters;        /* a chunk's greatest length, 20 to 4000; an ideograph counts 3, a kana or Hangul syllable
                                 2; 0 = 300 */
    int batch; /* utterances that are generated together, 1 to 16; 0 = 4, with 4 threads or more 8, fewer where
                                 they would fill an eighth of the memory. Speed only */
    kztts_guard guard;
    int retries; /* 0 to 10: how often an utterance that a guard cut is tried again: with the next seed, in the end in
                    shorter parts. Above 0, an utterance's samples come only once all of it has been generated */
} kztts_stream_options;

KZTTS_API void kztts_stream_options_init(kztts_stream_options *options, size_t size);

/* Model and voice must outlive the stream. ARGUMENT (unknown language with near matches, values out of range), TEXT
 * (instruction not UTF-8), VOICE (voice of another model), MEMORY. */
KZTTS_API kztts_status kztts_stream_open(kztts_stream **out, kztts_model *model, const kztts_voice *voice,
                                         const kztts_stream_options *options);

/* Appends n bytes of UTF-8 text, cut anywhere. n may be 0. At most 1 MiB waits unspoken: of more nothing is taken (TEXT), and
 * the text goes on. TEXT when invalid too (the byte offset is named): then the text has failed, and the stream needs a
 * restart, as after other errors. With commit `token` what comes after the model has ended the utterance isn't spoken.
 * ARGUMENT after finish, MEMORY. */
KZTTS_API kztts_status kztts_stream_put(kztts_stream *stream, const char *text, size_t n);

/* All text so far is to be spoken without waiting for more, as if a sentence ended here. Nothing with commit `finish`
 * and `token`. Errors as for put. Since 0.2.0. */
KZTTS_API kztts_status kztts_stream_flush(kztts_stream *stream);

/* The writer pauses: a sentence whose end has been seen is to be spoken although what follows isn't known; one without an
 * end waits on. For a timer of a few hundred milliseconds with commit `sentence`. Errors as for put. Since 0.2.0. */
KZTTS_API kztts_status kztts_stream_settle(kztts_stream *stream);

/* A mark between the text put before and what comes after: event MARK at the sentence that begins next, or at the end.
 * None comes of marks that a text which is cancelled or fails hasn't reached. Any id; at most 4096 wait at a time. ARGUMENT
 * after finish, MEMORY. Since 0.2.0. */
KZTTS_API kztts_status kztts_stream_mark(kztts_stream *stream, uint64_t id);

/* No more text comes. TEXT when there is nothing to speak (no letter or digit). ARGUMENT when called before, MEMORY. */
KZTTS_API kztts_status kztts_stream_finish(kztts_stream *stream);

/* Up to `capacity` samples into pcm; *n says how many. OK: *n > 0. AGAIN: more text or finish is needed. END: the text
 * is over (see kztts_stream_get_summary for why). GUARD: it is over, and a part of it was cut. Works as long as the next
 * frame takes, or as up to 8 frames take: then the sound handed out before lasts more than that if it was played at once,
 * or the machine doesn't keep up with speech frame by frame. */
KZTTS_API kztts_status kztts_stream_read(kztts_stream *stream, float *pcm, size_t capacity, size_t *n);

/* Ends the text: samples not yet read are dropped and the next read returns END, within one frame's work, whatever happened
 * before. Any thread, at any time while the stream is open. */
KZTTS_API void kztts_stream_cancel(kztts_stream *stream);

/* Makes the stream ready for the next utterance, from any state (after a cancel too), with new options, or the same
 * for NULL. Bits are those of a fresh stream. Errors as for open; options that are refused leave the text at hand as it is. */
KZTTS_API kztts_status kztts_stream_restart(kztts_stream *stream, const kztts_stream_options *options);

typedef struct kztts_summary {
    size_t size; /* of this struct, set by the caller before the call */
    kztts_finish_reason finish;
    uint64_t frames;  /* generated so far */
    uint64_t samples; /* read so far */
    uint64_t seed;
    kztts_text_mode text_mode; /* in use: never AUTO */
    int text_tokens;           /* of the text alone */
    int prompt_rows;           /* positions before the first frame */
    double prefill_s;          /* seconds of work: prompt, */
    double talker_s;           /* talker steps, */
    double predictor_s;        /* code predictor, */
    double decoder_s;          /* codec */
    int chunks;                /* utterances spoken or begun */
    int cut;                   /* of them, cut by a guard (finish is the first one's reason then) */
    int early;                 /* of them, far shorter than their text needs */
    int retried;               /* attempts that were thrown away */
    int batch;                 /* utterances generated together at most */
    uint64_t text_bytes;       /* spoken or begun, of the text put */
    double heads_s;            /* of talker_s and predictor_s: their heads, and drawing codes */
} kztts_summary;

KZTTS_API kztts_status kztts_stream_get_summary(const kztts_stream *stream, kztts_summary *summary);

/* Of predictor_s: one of the passes that the code predictor makes for a frame, over all frames so far, in seconds. */
typedef struct kztts_pass_times {
    size_t size;     /* of this struct, set by the caller before the call */
    double input_s;  /* its rows, and the projection to the predictor's width */
    double layers_s; /* with the last norm */
    double head_s;
    double sampling_s; /* drawing the code, and its embedding */
} kztts_pass_times;

/* Pass 0 .. code_groups - 2. END: there is no such pass. The stream's user. ARGUMENT. */
KZTTS_API kztts_status kztts_stream_get_pass(const kztts_stream *stream, int pass, kztts_pass_times *times);
KZTTS_API const char *kztts_finish_text(kztts_finish_reason reason); /* "eos", "length", ... static */
KZTTS_API const char *kztts_stream_message(const kztts_stream *stream);

/* A model keeps the memory of one closed stream for the next one, which then speaks some milliseconds sooner; it goes when the
 * model is closed. */
KZTTS_API void kztts_stream_close(kztts_stream **stream);

/* One call for one utterance: *pcm receives *n samples (free with kztts_free). On failure *pcm is NULL and `message`
 * (of message_size bytes, may be NULL) says why. Any thread. */
KZTTS_API kztts_status kztts_speak(kztts_model *model, const kztts_voice *voice, const char *text,
                                   const kztts_stream_options *options, float **pcm, size_t *n, char *message,
                                   size_t message_size);
KZTTS_API void kztts_free(void *p);

/* ---- parts: for tools and tests ---------------------------------------------------------------------------- */

/* Samples to codes, as kztts_voice_clone makes them of a recording (base models): n mono samples at the model's rate, -1
 * to 1, 0.06 to 60 s. *codes receives *n_frame frames of code_groups codes each (free with kztts_free). On failure *codes
 * is NULL and `message` (of message_size bytes, may be NULL) says why. Any thread. VOICE for other models, ARGUMENT,
 * FORMAT, MEMORY. */
KZTTS_API kztts_status kztts_model_encode(const kztts_model *model, const float *pcm, size_t n, int32_t **codes,
                                          size_t *n_frame, char *message, size_t message_size);

/* Scores of one group of a frame (group 0: n is the talker's vocabulary, and what may not be drawn is -inf), and the code
 * that the model would take. Of the frame behind the last one group 0 alone comes: whether it would end there. Any other
 * return than 0 ends the call with END. */
typedef int (*kztts_trace_fn)(void *user, uint64_t frame, int group, const float *scores, int n, int32_t chosen);

typedef struct kztts_trace_request {
    size_t size;                         /* of this struct */
    const char *text;                    /* UTF-8; one utterance, at most 30000 tokens */
    const kztts_stream_options *options; /* language, instruct, seed, sampling, text_mode count; NULL = defaults */
    const int32_t *codes;                /* n_frame frames of code_groups codes */
    size_t n_frame;
    kztts_trace_fn fn;
    void *user;
} kztts_trace_request;

/* Runs the language model over a text while the codes are given to it in place of its own (such as those that another
 * model made of the text), and shows at each what it would have done. No sound is made. `message` as above. Any thread,
 * beside other work on the model. ARGUMENT (a code out of range is named), TEXT, VOICE, FORMAT, MEMORY. */
KZTTS_API kztts_status kztts_model_trace(kztts_model *model, const kztts_voice *voice,
                                         const kztts_trace_request *request, char *message, size_t message_size);

/* Codes to samples, without the language model. One user at a time. */
typedef struct kztts_decoder kztts_decoder;

/* Opens the codec of a checkpoint directory (or of a directory that is itself a codec; no other file is read), of a prepared
 * file, or of a GGUF file (or the one beside a talker's). NOT_FOUND, FORMAT, ARGUMENT, MEMORY; kztts_decoder_message says
 * why. */
KZTTS_API kztts_status kztts_decoder_open(kztts_decoder **out, const char *path, kztts_decode_mode mode,
                                          const kztts_model_options *options);
/* type "codec"; what only a model has is 0 or "". Valid until the decoder is closed. ARGUMENT. */
KZTTS_API kztts_status kztts_decoder_get_info(const kztts_decoder *decoder, kztts_model_info *info);

/* n_frame frames of code_groups codes each; pcm has room for n_frame * frame_samples. Any split of the frames into
 * calls gives the same samples. ARGUMENT for a code out of range (frame and group are named; nothing is decoded). */
KZTTS_API kztts_status kztts_decoder_run(kztts_decoder *decoder, const int32_t *codes, size_t n_frame, float *pcm);
KZTTS_API void kztts_decoder_restart(kztts_decoder *decoder);
KZTTS_API const char *kztts_decoder_message(const kztts_decoder *decoder);
KZTTS_API void kztts_decoder_close(kztts_decoder **decoder);

/* Text to token ids. Read-only after opening: any thread, except that messages are one thread's. */
typedef struct kztts_tokenizer kztts_tokenizer;

typedef enum kztts_pattern {
    KZTTS_PATTERN_NATIVE = 0, /* Qwen's pre-tokenizer */
    KZTTS_PATTERN_MISTRAL = 1 /* what the official program uses for a local directory: differs in mixed-case words */
} kztts_pattern;

/* Needs vocab.json, merges.txt and tokenizer_config.json of the directory, or a prepared or GGUF file. NOT_FOUND, FORMAT,
 * ARGUMENT, MEMORY; kztts_tokenizer_message says why. */
KZTTS_API kztts_status kztts_tokenizer_open(kztts_tokenizer **out, const char *path, kztts_pattern pattern);

/* Ids of n bytes of text. special 1: special tokens written in the text act. *ids is fresh memory (kztts_free). */
KZTTS_API kztts_status kztts_tokenizer_encode(kztts_tokenizer *tokenizer, const char *text, size_t n, int special,
                                              int32_t **ids, size_t *n_id);
KZTTS_API const char *kztts_tokenizer_message(const kztts_tokenizer *tokenizer);
KZTTS_API void kztts_tokenizer_close(kztts_tokenizer **tokenizer);

#ifdef __cplusplus
}
#endif

#endif
