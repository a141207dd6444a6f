/* weights.h: model files in, checked tensors and settings out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a model directory (config.json, generation_config.json, model.safetensors or shards with an index)
 * out        kz_tensor views into the mapped files, kz_config
 * state      none after opening
 * threads    read-only after opening: any thread
 * memory     the files stay mapped; a directory of tensors is kept
 *
 * File bytes are hostile: every count, offset, shape and size is checked before use. Messages name the file, the
 * tensor or key, what was found and what was expected. */
#ifndef KZ_WEIGHTS_H
#define KZ_WEIGHTS_H

#include "base/base.h"
#include "kernels/kernels.h"

/* ---- tensors ----------------------------------------------------------------------------------------------- */

/* Types beyond kz_dtype that occur in files; models may hold them, no kernel reads them. */
enum { KZ_I64 = 16, KZ_I32, KZ_U8, KZ_OTHER };

enum { KZ_MAX_DIM = 4 };

typedef struct kz_tensor {
    const char *name;
    int type; /* kz_dtype, kz_block_type or the enum above */
    int n_dim;
    size_t shape[KZ_MAX_DIM]; /* tensors of more dimensions are listed as KZ_OTHER with n_dim 0 */
    size_t n_elem, n_byte;
    const unsigned char *data; /* unaligned */
    bool loose;                /* sizes of 1 may be missing or more: another container leaves them out */
} kz_tensor;

typedef struct kz_weights kz_weights;

/* One safetensors file. */
kztts_status kz_weights_open_file(kz_weights **out, const char *path, kz_err *err);

/* One that is already in memory, and stays there as long as the weights. label: its name in messages. */
kztts_status kz_weights_open_memory(kz_weights **out, const void *data, size_t n, const char *label, kz_err *err);

/* dir/model.safetensors, else the shards named in dir/model.safetensors.index.json. */
kztts_status kz_weights_open_dir(kz_weights **out, const char *dir, kz_err *err);

void kz_weights_close(kz_weights *w); /* NULL is fine */

/* Tensors of another container, under a checkpoint's names: what they point to stays in its files until release is called
 * (on closing; not when this fails). */
typedef struct kz_adopted_file {
    const char *label;
    kz_file file;
} kz_adopted_file;

typedef struct kz_adopted {
    const kz_adopted_file *files;
    size_t n_file;
    const kz_tensor *tensors; /* copied, names too */
    size_t n_tensor;
    /* Writes what messages call a tensor that isn't there. */
    void (*name_in_file)(const void *owner, const char *name, char *out, size_t n_out);
    void (*release)(void *owner);
    void *owner;
} kz_adopted;
kztts_status kz_weights_adopt(kz_weights **out, const kz_adopted *what, kz_err *err);

size_t kz_weights_count(const kz_weights *w);
const kz_tensor *kz_weights_at(const kz_weights *w, size_t i); /* sorted by name */
size_t kz_weights_bytes(const kz_weights *w);                  /* of the files together */

const kz_tensor *kz_weights_find(const kz_weights *w, const char *name); /* or NULL */
bool kz_weights_have(const kz_weights *w, const char *name); /* the tensor, or panels of a matrix that begins with it */

/* A tensor type as files call it. */
const char *kz_type_name(int type);

/* The `__metadata__` value of a key of the first file, or NULL. */
const char *kz_weights_meta(const kz_weights *w, const char *key);

/* Its i-th pair, in the file's order, where a key may be there twice; false past the end. */
bool kz_weights_meta_at(const kz_weights *w, size_t i, const char **key, const char **value);

/* The tensor with exactly this shape and a floating type; FORMAT with a message otherwise. */
kztts_status kz_weights_get(const kz_tensor **out, const kz_weights *w, const char *name, int n_dim,
                            const size_t *shape, kz_err *err);

/* The same, or of any type of GGUF files (kz_stored_to_f32). */
kztts_status kz_weights_get_stored(const kz_tensor **out, const kz_weights *w, const char *name, int n_dim,
                                   const size_t *shape, kz_err *err);

/* A small tensor (of this shape) as f32 in fresh memory (kz_free); FORMAT when a value isn't finite. */
kztts_status kz_weights_copy(float **out, const kz_weights *w, const char *name, int n_dim, const size_t *shape,
                             kz_err *err);

/* ---- prepared files (docs/formats.md): a whole model in one file, matrices as kernels read them --------------- */

/* Whether the file begins as one. */
bool kz_prepared_is(const char *path);

/* Checks header, places and the header's checksum; the data's checksums only with kz_prepared_check. */
kztts_status kz_prepared_open(kz_weights **out, const char *path, kz_err *err);
bool kz_weights_prepared(const kz_weights *w);

/* One of the model's other files, such as "config.json", with a zero behind it, in fresh memory (kz_free); *text NULL
 * when it isn't there. */
kztts_status kz_prepared_text(char **text, size_t *n, const kz_weights *w, const char *name, kz_err *err);

/* Called as work goes on, from the calling thread; false ends it (status END). */
typedef bool (*kz_progress_fn)(void *user, uint64_t done, uint64_t total);
typedef struct kz_progress {
    kz_progress_fn fn; /* or NULL */
    void *user;
} kz_progress;
bool kz_progress_tell(const kz_progress *progress, uint64_t done, uint64_t total); /* false: no more is wanted */

/* Reads all data and compares checksums; FORMAT names the first tensor that differs. */
kztts_status kz_prepared_check(const kz_weights *w, kz_pool *pool, const kz_progress *progress, kz_err *err);

/* Panels of the matrix [n_out, n_in] of which `name` is the first or only part; *out NULL when there are none. FORMAT
 * when they are of another size. They lie in the mapping, KZ_ALIGN-aligned. */
typedef struct kz_panels {
    const char *const *names; /* of the parts, as in a checkpoint */
    size_t n_name;
    kz_dtype type;
    size_t n_out, n_in; /* n_out: with the gaps between parts */
    const void *data;
} kz_panels;
kztts_status kz_weights_panels(const kz_tensor **out, kz_dtype *type, const kz_weights *w, const char *name,
                               size_t n_out, size_t n_in, kz_err *err);
size_t kz_panels_bytes(kz_dtype type, size_t n_out, size_t n_in);

/* Who wants to know of every matrix that layers load. The data stay until the layers are freed. */
typedef kztts_status (*kz_panels_fn)(void *user, const kz_panels *panels, kz_err *err);
void kz_weights_watch(kz_weights *w, kz_panels_fn fn, void *user);
kztts_status kz_weights_tell(const kz_weights *w, const kz_panels *panels, kz_err *err);

/* Room for panels made of the weights' tensors (kz_slab_drop), which may outlast the weights; NULL when there is none. */
void *kz_weights_room(const kz_weights *w, size_t n_byte);

typedef struct kz_meta {
    const char *key, *value;
} kz_meta;

/* What goes into a file. Panels are tensors called `<name>.panels.<type>` (kz_panels_tensor), other files
 * `file/<name>`. Whole or not at all; equal contents give equal bytes. */
typedef struct kz_prepared {
    const kz_tensor *tensors; /* in the order they are to lie */
    size_t n_tensor;
    const kz_meta *meta; /* besides format and checksums */
    size_t n_meta;
} kz_prepared;
kztts_status kz_prepared_write(const char *path, const kz_prepared *p, bool overwrite, kz_pool *pool,
                               const kz_progress *progress, kz_err *err);

/* The tensor that holds panels; its name is fresh memory (kz_free), NULL when there is none left. */
kz_tensor kz_panels_tensor(const kz_panels *panels);
bool kz_is_panels(const kz_tensor *t);
#define KZ_PREPARED_FILE "file/" /* begins the names of other files */

/* ---- settings ---------------------------------------------------------------------------------------------- */

enum {
    KZ_MAX_CODE = 64,
    KZ_MAX_STAGE = 8,
    KZ_MAX_NAME = 64,
    KZ_MAX_LIST = 256,
    KZ_SUPPRESSED =
        1024 /* ids at the end of the talker's vocabulary that are no codes: it never draws them, but for the end */
};

/* What becomes of a group's matrices at loading. */
typedef enum kz_quant {
    KZ_QUANT_FLOAT = 0, /* they stay as they are stored; quantised ones are widened */
    KZ_QUANT_STORED,    /* they stay as they are stored, quantised ones too */
    KZ_QUANT_Q8,
    KZ_QUANT_Q4,
    KZ_QUANT_Q4_0
} kz_quant;

/* Transformer layers: talker, code predictor, codec. */
typedef struct kz_stack_config {
    size_t n_layer, d_model, d_ff, n_head, n_kv, d_head;
    size_t window; /* keys seen, self included; 0 = all before */
    float rms_eps;
    float rope_theta;
    bool qk_norm;     /* RMSNorm of every q and k head */
    bool layer_scale; /* per-channel scale of both branches */
    bool layer_norm;  /* LayerNorm with bias before each branch, and no final norm; else RMSNorm and a final one */
    bool plain_mlp;   /* fc2(gelu(fc1 x)); else down(silu(gate x) * up x) */
    kz_quant quant;   /* of the matrices, with a head and a projection; no setting of the file */
} kz_stack_config;

typedef enum kz_model_type { KZ_MODEL_CUSTOM_VOICE, KZ_MODEL_VOICE_DESIGN, KZ_MODEL_BASE } kz_model_type;

typedef struct kz_named_id {
    char name[KZ_MAX_NAME]; /* lower case */
    int32_t id;
    int32_t dialect; /* speakers: id of the dialect's language, or -1 */
} kz_named_id;

/* generation_config.json; a missing key has the official default. */
typedef struct kz_generation_config {
    bool do_sample, sub_do_sample;
    float temperature, top_p, repetition_penalty, sub_temperature, sub_top_p;
    int top_k, sub_top_k;
    int max_new_tokens;
} kz_generation_config;

typedef struct kz_codec_config {
    kz_stack_config transformer; /* d_model = hidden_size */
    size_t d_codebook;           /* codebook_dim: half of it is a codebook row */
    size_t n_code, codebook_size;
    size_t d_latent, d_decoder;                /* latent_dim, decoder_dim */
    size_t n_upsample, upsample[KZ_MAX_STAGE]; /* upsampling_ratios */
    size_t n_block, block_rate[KZ_MAX_STAGE];  /* upsample_rates */
    size_t frame_samples;                      /* product of all rates */
    int sample_rate;
} kz_codec_config;

enum { KZ_SPEAKER_BLOCKS = 5 }; /* first block, three of Res2Net, aggregation */

/* The speaker encoder; missing keys have the released values. d_out 0: there is none. */
typedef struct kz_speaker_config {
    size_t d_out, n_mel;
    size_t channel[KZ_SPEAKER_BLOCKS], kernel[KZ_SPEAKER_BLOCKS], dilation[KZ_SPEAKER_BLOCKS];
    size_t d_attention, n_group, d_squeeze;
    int sample_rate;
} kz_speaker_config;

/* The codec's encoder. n_code 0: there is none. */
typedef struct kz_encoder_config {
    kz_stack_config transformer;
    size_t n_filter, kernel, last_kernel, residual_kernel, compress;
    size_t n_rate, rate[KZ_MAX_STAGE]; /* in the order they are applied */
    size_t d_codebook, codebook_size;
    size_t n_code; /* code groups kept: 1 semantic, the others acoustic */
    size_t frame_samples;
    int sample_rate;
} kz_encoder_config;

typedef struct kz_config {
    kz_model_type type;
    char size[16];          /* tts_model_size, e.g. "0b6" */
    bool instruct;          /* whether the call of this type takes an instruction */
    kz_stack_config talker; /* d_model = H */
    kz_stack_config predictor;
    size_t n_code;    /* code groups a frame */
    size_t vocab;     /* talker's codec vocabulary */
    size_t sub_vocab; /* codes of groups 1 .. */
    size_t text_vocab, d_text;
    /* text ids */
    int32_t im_start, im_end, assistant, tts_pad, tts_bos, tts_eos;
    /* codec ids */
    int32_t codec_pad, codec_bos, codec_eos, codec_think, codec_nothink, codec_think_bos, codec_think_eos;
    size_t n_language, n_speaker;
    kz_named_id *languages, *speakers; /* in the file's order */
    kz_generation_config generation;
    kz_codec_config codec;
    kz_speaker_config speaker; /* base only */
    kz_encoder_config encoder; /* base only */
} kz_config;

/* Reads dir/config.json, dir/generation_config.json (optional) and dir/speech_tokenizer/config.json. */
kztts_status kz_config_read(kz_config *out, const char *dir, kz_err *err);
void kz_config_free(kz_config *config);

/* The same from texts: of config.json, generation_config.json (text NULL: not there), the codec's config.json. label: what
 * messages call it; NULL: its name in a checkpoint. */
typedef struct kz_text_file {
    const char *text;
    size_t n;
    const char *label;
} kz_text_file;
kztts_status kz_config_parse(kz_config *out, const kz_text_file *config, const kz_text_file *generation,
                             const kz_text_file *codec, kz_err *err);
kztts_status kz_codec_config_parse(kz_codec_config *out, const kz_text_file *codec, kz_err *err);

/* The codec's part alone: codec_dir/config.json (speech_tokenizer/ of a checkpoint). */
kztts_status kz_codec_config_read(kz_codec_config *out, const char *codec_dir, kz_err *err);

/* The same from a prepared file. */
kztts_status kz_config_prepared(kz_config *out, const kz_weights *w, kz_err *err);
kztts_status kz_codec_config_prepared(kz_codec_config *out, const kz_weights *w, kz_err *err);

/* The entry of that name (any case), or NULL. */
const kz_named_id *kz_named_find(const kz_named_id *list, size_t n, const char *name);

/* Writes up to three near matches of `name` as `a, b, c` (or the whole short list when none is near). */
void kz_named_near(char *out, size_t n_out, const kz_named_id *list, size_t n, const char *name);

#endif
