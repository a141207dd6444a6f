/* scheme.h: the four layouts, a table each. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a file's keys and tensor names
 * out        which layout it is, what they are called in a checkpoint
 * state      none
 * threads    any
 * memory     none */
#ifndef KZ_GGUF_SCHEME_H
#define KZ_GGUF_SCHEME_H

#include "gguf/container.h"

/* ---- names of tensors -------------------------------------------------------------------------------------- */

/* How a part of a name at the end is called in the file and in a checkpoint. */
typedef struct kz_gg_part {
    const char *file, *ours;
} kz_gg_part;

/* Names alike but for numbers. In both patterns
 *      #     a number; #+2 one that is larger by 2 in this name than in the plain one
 *      *     the rest, the same in both names
 *      @     the rest, one of `parts`
 *      %     in `ours` alone: the tensor is a stack of tensors with one dimension less; their numbers */
typedef struct kz_gg_name {
    const char *file, *ours;
    const kz_gg_part *parts; /* ends with a part of NULL */
} kz_gg_name;

enum { KZ_GG_NAME = 192 };

/* Writes the checkpoint's name of a file's tensor (a stack's with % in it); false when no rule knows it. */
bool kz_gg_to_ours(char out[KZ_GG_NAME], const kz_gg_name *names, kz_gg_string file);

/* The way back. */
bool kz_gg_to_file(char out[KZ_GG_NAME], const kz_gg_name *names, const char *ours);

/* ---- keys -------------------------------------------------------------------------------------------------- */

/* A setting: `path` in a checkpoint's file, the key (alternatives with | between) that gives it, its kind, and what
 * counts where there is no such key:
 *      NULL              the key must be there
 *      ""                nothing, the setting is left out
 *      #tensor:i         size i of the tensor
 *      #tensor:i/path    the same, divided by another setting
 *      @path             another setting of the same file
 *      ?token:n          the id of the token with this text, else n
 *      other             the value itself, as JSON
 * key NULL: always the last. Kinds: i whole number, f number, b truth, s string, I list of whole numbers. */
typedef struct kz_gg_key {
    const char *path, *key;
    char kind;
    const char *otherwise;
} kz_gg_key;

/* ---- layouts ----------------------------------------------------------------------------------------------- */

/* Names in parallel arrays. */
typedef struct kz_gg_lists {
    const char *language_names, *language_ids;
    const char *speaker_names, *speaker_ids, *speaker_dialects;
} kz_gg_lists;

typedef struct kz_gg_scheme {
    char name;                      /* 'A' .. 'D' */
    bool is_codec;                  /* this half */
    const char *architecture, *key; /* what tells it */
    const kz_gg_name *names;
    const kz_gg_key *config, *generation, *codec; /* each ends with a path of NULL; NULL: not of this half */
    const kz_gg_lists *lists;
} kz_gg_scheme;

/* The file's layout; FORMAT says what was seen and what would be known. */
kztts_status kz_gg_detect(const kz_gg_scheme **out, const kz_gg_file *f, kz_err *err);

/* Both halves of layout A: what is written. */
extern const kz_gg_scheme kz_gg_a, kz_gg_a_codec, kz_gg_b, kz_gg_b_codec, kz_gg_c, kz_gg_c_codec, kz_gg_d,
    kz_gg_d_codec;

/* A codec's names where residual units are numbered from 2, as in a checkpoint. */
extern const kz_gg_name kz_gg_raw_codec_names[];

/* Parts of a transformer layer, as llama.cpp calls them. */
extern const kz_gg_part kz_gg_llama_layer[];

#endif
