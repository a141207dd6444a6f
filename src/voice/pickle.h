/* pickle.h: Python's pickles as a tree, without running anything. Private to voice/.  SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, texts, lists, tuples and dictionaries become nodes; a name of Python's becomes one only when it is in the
 * caller's list, and calling it makes a node that says so, nothing else. All other instructions are refused. */
#ifndef KZ_VOICE_PICKLE_H
#define KZ_VOICE_PICKLE_H

#include "base/base.h"

typedef enum kz_pickle_kind {
    KZ_PICKLE_NONE,
    KZ_PICKLE_BOOL,
    KZ_PICKLE_INT,
    KZ_PICKLE_FLOAT,
    KZ_PICKLE_TEXT,
    KZ_PICKLE_LIST,
    KZ_PICKLE_TUPLE,
    KZ_PICKLE_DICT,
    KZ_PICKLE_NAME, /* of the caller's list */
    KZ_PICKLE_CALL, /* of a name, with arguments */
    KZ_PICKLE_KEPT, /* what lies outside of the pickle: torch's storages */
    KZ_PICKLE_MARK  /* never in a tree that is handed out */
} kz_pickle_kind;

/* Nodes are known by number; 0 is none. */
typedef struct kz_pickle_node {
    kz_pickle_kind kind;
    uint32_t first, last, count;    /* LIST, TUPLE, DICT (key, value, key, ...): cells */
    uint32_t name, argument, state; /* CALL: nodes; KEPT: argument */
    union {
        int64_t integer; /* INT, BOOL; NAME: its place in the list */
        double real;
        const char *text; /* n bytes of the pickle, not checked */
    } value;
    size_t n;
} kz_pickle_node;

typedef struct kz_pickle_cell {
    uint32_t node, next;
} kz_pickle_cell;

typedef struct kz_pickle_name {
    const char *module, *name;
} kz_pickle_name;

typedef struct kz_pickle {
    kz_pickle_node *node;
    kz_pickle_cell *cell;
    size_t n_node, room_node, n_cell, room_cell;
    uint32_t root;
} kz_pickle;

/* FORMAT with the place, MEMORY. The data must stay. names: ends with a NULL module. Freed also after a failure. */
kztts_status kz_pickle_read(kz_pickle *out, const void *data, size_t n, const kz_pickle_name *names, const char *label,
                            kz_err *err);
void kz_pickle_free(kz_pickle *p);

/* The i-th value of a list or tuple; 0 where there is none, or it is no such. */
uint32_t kz_pickle_at(const kz_pickle *p, uint32_t node, size_t i);

/* The value of a text key; the last counts, as in Python. 0 where there is none. */
uint32_t kz_pickle_get(const kz_pickle *p, uint32_t dict, const char *key);

#endif
