/* directory.h: one safetensors file. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a mapped file
 * out        its tensors, in the order of their data, and its metadata
 * state      none
 * threads    read-only after reading
 * memory     names and tensors are copied out of the header; data stay in the file */
#ifndef KZ_DIRECTORY_H
#define KZ_DIRECTORY_H

#include "weights/weights.h"

typedef struct kz_shard {
    char *label; /* the file, as it is named in messages */
    kz_file file;
    bool mapped;   /* file is to be unmapped; else its bytes are the caller's */
    char *strings; /* all names, keys and values */
    kz_tensor *tensors;
    size_t n_tensor;
    kz_meta *meta;
    size_t n_meta;
} kz_shard;

struct kz_weights {
    kz_shard *shards;
    size_t n_shard;
    kz_tensor *tensors; /* of all shards, sorted by name */
    size_t n_tensor, n_byte;
    kz_panels_fn watch; /* or NULL */
    void *watch_user;
    kz_slab *packed;    /* where panels that are made of these tensors lie */
    kz_adopted adopted; /* lists NULL; release NULL: nothing was adopted */
};

/* Reads shard->file; label and file must be set. What it allocates belongs to the shard, also on failure. */
kztts_status kz_directory_read(kz_shard *shard, kz_err *err);

/* The part of it that a prepared file has more: OK when it is none, or its header's checksum is right. */
kztts_status kz_prepared_header(const char *header, size_t n, const char *label, kz_err *err);

/* A checksum a tensor, on all threads. END when the caller of the progress wants no more. */
kztts_status kz_sum_tensors(uint64_t *sum, const kz_tensor *tensors, size_t n, kz_pool *pool,
                            const kz_progress *progress);

/* How a prepared file's header begins; KZ_SUM_DIGITS digits follow, the checksum of all behind them. */
#define KZ_PREPARED_FAMILY "{\"__metadata__\":{\"format\":\"kztts/"
#define KZ_PREPARED_BEGIN KZ_PREPARED_FAMILY "2\",\"header_sum\":\""

/* "[3, 4]" */
typedef struct kz_shape_text {
    char s[KZ_MAX_DIM * 24];
} kz_shape_text;
kz_shape_text kz_shape_show(int n_dim, const size_t *shape);

/* Opening in steps, for files of several shards. The weights begin with n_shard empty shards. */
kztts_status kz_weights_new(kz_weights **out, size_t n_shard, kz_err *err);
kztts_status kz_weights_map_shard(kz_weights *w, size_t i, const char *path, kz_err *err);
kztts_status kz_weights_merge(kz_weights *w, kz_err *err); /* after the last shard */
const kz_shard *kz_weights_shard_of(const kz_weights *w, const kz_tensor *tensor);

/* dir/model.safetensors.index.json and its shards. */
kztts_status kz_shards_open(kz_weights **out, const char *dir, const char *index_path, kz_err *err);

#endif
