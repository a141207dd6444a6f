/* pickle.c: reading pickles of protocol 2 to 5 into a tree.  SPDX-License-Identifier: Apache-2.0
 *
 * A stack machine: most instructions push a value, or gather those above a mark. */
#include "voice/pickle.h"

#include <string.h>

#include "voice/importing.h"
#include "weights/json.h"

enum { MAX_NODES = KZ_VOICE_MAX_VALUES, MAX_CELLS = 2 * KZ_VOICE_MAX_VALUES, FIRST_ROOM = 64 };

typedef struct machine {
    kz_pickle *tree;
    const unsigned char *begin, *p, *end;
    uint32_t *stack, *memo; /* nodes; memo: 0 = not set */
    size_t n_stack, room_stack, n_memo, room_memo;
    bool done;
    const kz_pickle_name *names;
    const char *label;
    kz_err *err;
} machine;

static kztts_status fail(const machine *m, const char *what) {
    return kz_fail(m->err, KZTTS_ERROR_FORMAT, "%s: not a usable pickle at byte %zu: %s", m->label,
                   (size_t)(m->p - m->begin), what);
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* Room for at least `need` elements; what was there stays, what is new is zero. */
static kztts_status grow(machine *m, void **block, size_t *room, size_t need, size_t most, size_t size) {
    size_t more = *room ? *room : FIRST_ROOM;
    if (need <= *room)
        return KZTTS_OK;
    if (need > most)
        return fail(m, "more values than a voice has");
    while (more < need)
        more *= 2;
    void *wider = kz_alloc(more, size);
    if (!wider)
        return kz_fail_memory(m->err, more * size, m->label);
    if (*block)
        memcpy(wider, *block, *room * size);
    kz_free(*block);
    *block = wider;
    *room = more;
    return KZTTS_OK;
}

#define GROW(m, block, room, need, most)                                                                               \
    do {                                                                                                               \
        void *grown_ = (block);                                                                                        \
        kztts_status status_ = grow(m, &grown_, &(room), need, most, sizeof *(block));                                 \
        (block) = grown_;                                                                                              \
        KZ_TRY(status_);                                                                                               \
    } while (0)

static kztts_status push(machine *m, uint32_t node) {
    GROW(m, m->stack, m->room_stack, m->n_stack + 1, MAX_NODES);
    m->stack[m->n_stack++] = node;
    return KZTTS_OK;
}

static kztts_status push_new(machine *m, kz_pickle_node value) {
    kz_pickle *t = m->tree;
    GROW(m, t->node, t->room_node, t->n_node + 1, MAX_NODES);
    t->node[t->n_node] = value;
    return push(m, (uint32_t)t->n_node++);
}

static kztts_status add_cell(machine *m, uint32_t container, uint32_t value) {
    kz_pickle *t = m->tree;
    GROW(m, t->cell, t->room_cell, t->n_cell + 1, MAX_CELLS);
    uint32_t cell = (uint32_t)t->n_cell++;
    kz_pickle_node *node = t->node + container;
    t->cell[cell] = (kz_pickle_cell){.node = value};
    if (node->count++)
        t->cell[node->last].next = cell;
    else
        node->first = cell;
    node->last = cell;
    return KZTTS_OK;
}

/* ---- the stack ------------------------------------------------------------------------------------------------- */

static kz_pickle_kind kind_of(const machine *m, uint32_t node) { return m->tree->node[node].kind; }

static kztts_status pop(machine *m, uint32_t *node) {
    *node = 0;
    if (!m->n_stack || kind_of(m, m->stack[m->n_stack - 1]) == KZ_PICKLE_MARK)
        return fail(m, "a value is missing");
    *node = m->stack[--m->n_stack];
    return KZTTS_OK;
}

static kztts_status pop_kind(machine *m, uint32_t *node, kz_pickle_kind kind, const char *what) {
    KZ_TRY(pop(m, node));
    return kind_of(m, *node) == kind ? KZTTS_OK : fail(m, what);
}

/* Where the values above the last mark begin. */
static kztts_status find_mark(const machine *m, size_t *first) {
    for (*first = m->n_stack; *first > 0; --*first)
        if (kind_of(m, m->stack[*first - 1]) == KZ_PICKLE_MARK)
            return KZTTS_OK;
    return fail(m, "a mark is missing");
}

static kztts_status take(machine *m, const unsigned char **out, size_t n) {
    *out = m->p;
    if ((size_t)(m->end - m->p) < n)
        return fail(m, "it is cut off");
    m->p += n;
    return KZTTS_OK;
}

static kztts_status take_number(machine *m, uint64_t *out, size_t n_byte) {
    const unsigned char *p;
    KZ_TRY(take(m, &p, n_byte));
    *out = kz_little(p, n_byte);
    return KZTTS_OK;
}

/* ---- plain values ---------------------------------------------------------------------------------------------- */

static kztts_status push_integer(machine *m, int64_t value) {
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_INT, .value.integer = value});
}

static kztts_status do_proto(machine *m) {
    uint64_t version;
    KZ_TRY(take_number(m, &version, 1));
    return version >= 2 && version <= 5 ? KZTTS_OK : fail(m, "a protocol other than 2 to 5");
}

static kztts_status do_frame(machine *m) {
    uint64_t size;
    return take_number(m, &size, 8);
}

static kztts_status do_stop(machine *m) {
    KZ_TRY(pop(m, &m->tree->root));
    m->done = true;
    return m->n_stack ? fail(m, "values are left over") : KZTTS_OK;
}

static kztts_status do_none(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_NONE}); }
static kztts_status do_true(machine *m) {
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_BOOL, .value.integer = 1});
}
static kztts_status do_false(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_BOOL}); }

static kztts_status do_int1(machine *m) {
    uint64_t value;
    KZ_TRY(take_number(m, &value, 1));
    return push_integer(m, (int64_t)value);
}

static kztts_status do_int2(machine *m) {
    uint64_t value;
    KZ_TRY(take_number(m, &value, 2));
    return push_integer(m, (int64_t)value);
}

static kztts_status do_int4(machine *m) {
    uint64_t value;
    KZ_TRY(take_number(m, &value, 4));
    return push_integer(m, (int32_t)(uint32_t)value);
}

/* Two's complement of any length; up to eight bytes are numbers here. */
static kztts_status do_long(machine *m) {
    const unsigned char *p;
    uint64_t n;
    KZ_TRY(take_number(m, &n, 1));
    if (n > 8)
        return fail(m, "a whole number of more than 64 bits");
    KZ_TRY(take(m, &p, (size_t)n));
    uint64_t value = kz_little(p, n);
    if (n && n < 8 && p[n - 1] & 0x80)
        value |= UINT64_MAX << 8 * n;
    return push_integer(m, (int64_t)value);
}

static kztts_status do_float(machine *m) {
    const unsigned char *p;
    uint64_t bits = 0;
    double value;
    KZ_TRY(take(m, &p, 8));
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | p[i];
    memcpy(&value, &bits, sizeof value);
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_FLOAT, .value.real = value});
}

static kztts_status push_text(machine *m, size_t n_byte) {
    const unsigned char *p;
    uint64_t n;
    KZ_TRY(take_number(m, &n, n_byte));
    if (n > (uint64_t)(m->end - m->p))
        return fail(m, "a text goes beyond its end");
    KZ_TRY(take(m, &p, (size_t)n));
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_TEXT, .value.text = (const char *)p, .n = (size_t)n});
}

static kztts_status do_text1(machine *m) { return push_text(m, 1); }
static kztts_status do_text4(machine *m) { return push_text(m, 4); }
static kztts_status do_text8(machine *m) { return push_text(m, 8); }

/* ---- containers ------------------------------------------------------------------------------------------------ */

static kztts_status do_mark(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_MARK}); }
static kztts_status do_empty_list(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_LIST}); }
static kztts_status do_empty_tuple(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_TUPLE}); }
static kztts_status do_empty_dict(machine *m) { return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_DICT}); }

/* Puts the values from `first` on into the container. */
static kztts_status gather(machine *m, uint32_t container, size_t first) {
    for (size_t i = first; i < m->n_stack; i++)
        KZ_TRY(add_cell(m, container, m->stack[i]));
    return KZTTS_OK;
}

/* A new container of the values from `first` on, in their place (mark: with one mark before them). */
static kztts_status collect(machine *m, kz_pickle_kind kind, size_t first, size_t mark) {
    KZ_TRY(push_new(m, (kz_pickle_node){.kind = kind}));
    uint32_t container = m->stack[--m->n_stack];
    KZ_TRY(gather(m, container, first));
    m->n_stack = first - mark;
    return push(m, container);
}

static kztts_status do_tuple(machine *m) {
    size_t first;
    KZ_TRY(find_mark(m, &first));
    return collect(m, KZ_PICKLE_TUPLE, first, 1);
}

static kztts_status small_tuple(machine *m, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (m->n_stack < n || kind_of(m, m->stack[m->n_stack - 1 - i]) == KZ_PICKLE_MARK)
            return fail(m, "a value is missing");
    return collect(m, KZ_PICKLE_TUPLE, m->n_stack - n, 0);
}

static kztts_status do_tuple1(machine *m) { return small_tuple(m, 1); }
static kztts_status do_tuple2(machine *m) { return small_tuple(m, 2); }
static kztts_status do_tuple3(machine *m) { return small_tuple(m, 3); }

/* Adds the values from `first` on to the container below them. */
static kztts_status append(machine *m, size_t first, size_t mark, kz_pickle_kind kind) {
    if (first < mark + 1 || kind_of(m, m->stack[first - mark - 1]) != kind)
        return fail(m, kind == KZ_PICKLE_DICT ? "there is no dictionary to add to" : "there is no list to add to");
    if (kind == KZ_PICKLE_DICT && (m->n_stack - first) % 2)
        return fail(m, "a key without a value");
    KZ_TRY(gather(m, m->stack[first - mark - 1], first));
    m->n_stack = first - mark;
    return KZTTS_OK;
}

static kztts_status do_append(machine *m) {
    return m->n_stack >= 2 ? append(m, m->n_stack - 1, 0, KZ_PICKLE_LIST) : fail(m, "a value is missing");
}

static kztts_status do_set(machine *m) {
    if (m->n_stack < 3 || kind_of(m, m->stack[m->n_stack - 1]) == KZ_PICKLE_MARK ||
        kind_of(m, m->stack[m->n_stack - 2]) == KZ_PICKLE_MARK)
        return fail(m, "a value is missing");
    return append(m, m->n_stack - 2, 0, KZ_PICKLE_DICT);
}

static kztts_status do_appends(machine *m) {
    size_t first;
    KZ_TRY(find_mark(m, &first));
    return append(m, first, 1, KZ_PICKLE_LIST);
}

static kztts_status do_sets(machine *m) {
    size_t first;
    KZ_TRY(find_mark(m, &first));
    return append(m, first, 1, KZ_PICKLE_DICT);
}

/* ---- the memo -------------------------------------------------------------------------------------------------- */

static kztts_status remember(machine *m, uint64_t place) {
    if (!m->n_stack || place >= MAX_NODES || kind_of(m, m->stack[m->n_stack - 1]) == KZ_PICKLE_MARK)
        return fail(m, "a memory place that can't be");
    GROW(m, m->memo, m->room_memo, (size_t)place + 1, MAX_NODES);
    m->memo[place] = m->stack[m->n_stack - 1];
    m->n_memo = place + 1 > m->n_memo ? (size_t)place + 1 : m->n_memo;
    return KZTTS_OK;
}

static kztts_status recall(machine *m, uint64_t place) {
    if (place >= m->n_memo || !m->memo[place])
        return fail(m, "a memory place that was never filled");
    return push(m, m->memo[place]);
}

static kztts_status do_put1(machine *m) {
    uint64_t place;
    KZ_TRY(take_number(m, &place, 1));
    return remember(m, place);
}

static kztts_status do_put4(machine *m) {
    uint64_t place;
    KZ_TRY(take_number(m, &place, 4));
    return remember(m, place);
}

static kztts_status do_memoize(machine *m) { return remember(m, m->n_memo); }

static kztts_status do_get1(machine *m) {
    uint64_t place;
    KZ_TRY(take_number(m, &place, 1));
    return recall(m, place);
}

static kztts_status do_get4(machine *m) {
    uint64_t place;
    KZ_TRY(take_number(m, &place, 4));
    return recall(m, place);
}

/* ---- names, calls, storages ------------------------------------------------------------------------------------ */

static bool equals(const char *a, size_t n, const char *b) { return strlen(b) == n && memcmp(a, b, n) == 0; }

static kz_shown shown(const char *s, size_t n) {
    char copy[64];
    if (n >= sizeof copy)
        n = sizeof copy - 1;
    memcpy(copy, s, n);
    copy[n] = 0;
    return kz_show(copy);
}

static kztts_status push_name(machine *m, const char *module, size_t n_module, const char *name, size_t n_name) {
    for (int64_t i = 0; m->names[i].module; i++)
        if (equals(module, n_module, m->names[i].module) && equals(name, n_name, m->names[i].name))
            return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_NAME, .value.integer = i});
    return kz_fail(m->err, KZTTS_ERROR_FORMAT,
                   "%s: it names %s.%s of Python; only tensors, numbers, texts and VoiceClonePromptItem are taken, "
                   "nothing in the file is ever run",
                   m->label, shown(module, n_module).s, shown(name, n_name).s);
}

static kztts_status take_line(machine *m, const char **line, size_t *n) {
    const unsigned char *end = m->p < m->end ? memchr(m->p, '\n', (size_t)(m->end - m->p)) : NULL;
    *line = "";
    *n = 0;
    if (!end)
        return fail(m, "a name that doesn't end");
    *line = (const char *)m->p;
    *n = (size_t)(end - m->p);
    m->p = end + 1;
    return KZTTS_OK;
}

static kztts_status do_global(machine *m) {
    const char *module, *name;
    size_t n_module, n_name;
    KZ_TRY(take_line(m, &module, &n_module));
    KZ_TRY(take_line(m, &name, &n_name));
    return push_name(m, module, n_module, name, n_name);
}

static kztts_status do_stack_global(machine *m) {
    uint32_t module, name;
    KZ_TRY(pop_kind(m, &name, KZ_PICKLE_TEXT, "a name that is no text"));
    KZ_TRY(pop_kind(m, &module, KZ_PICKLE_TEXT, "a module's name that is no text"));
    const kz_pickle_node *a = m->tree->node + module, *b = m->tree->node + name;
    return push_name(m, a->value.text, a->n, b->value.text, b->n);
}

static kztts_status do_call(machine *m) {
    uint32_t argument, name;
    KZ_TRY(pop_kind(m, &argument, KZ_PICKLE_TUPLE, "a call without arguments"));
    KZ_TRY(pop_kind(m, &name, KZ_PICKLE_NAME, "a call of what is no name"));
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_CALL, .name = name, .argument = argument});
}

static kztts_status do_build(machine *m) {
    uint32_t state;
    KZ_TRY(pop(m, &state));
    uint32_t top = m->n_stack ? m->stack[m->n_stack - 1] : 0;
    if (kind_of(m, top) != KZ_PICKLE_CALL)
        return fail(m, "a state of what is no object");
    m->tree->node[top].state = state;
    return KZTTS_OK;
}

static kztts_status do_kept(machine *m) {
    uint32_t argument;
    KZ_TRY(pop(m, &argument));
    return push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_KEPT, .argument = argument});
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

typedef kztts_status (*instruction)(machine *m);

static const instruction instructions[256] = {
    [0x80] = do_proto,     [0x95] = do_frame,      ['.'] = do_stop,          ['N'] = do_none,     [0x88] = do_true,
    [0x89] = do_false,     ['K'] = do_int1,        ['M'] = do_int2,          ['J'] = do_int4,     [0x8a] = do_long,
    ['G'] = do_float,      [0x8c] = do_text1,      ['X'] = do_text4,         [0x8d] = do_text8,   ['('] = do_mark,
    [']'] = do_empty_list, [')'] = do_empty_tuple, ['}'] = do_empty_dict,    ['t'] = do_tuple,    [0x85] = do_tuple1,
    [0x86] = do_tuple2,    [0x87] = do_tuple3,     ['a'] = do_append,        ['e'] = do_appends,  ['s'] = do_set,
    ['u'] = do_sets,       ['q'] = do_put1,        ['r'] = do_put4,          [0x94] = do_memoize, ['h'] = do_get1,
    ['j'] = do_get4,       ['c'] = do_global,      [0x93] = do_stack_global, ['R'] = do_call,     [0x81] = do_call,
    ['b'] = do_build,      ['Q'] = do_kept,
};

static kztts_status run(machine *m) {
    KZ_TRY(push_new(m, (kz_pickle_node){.kind = KZ_PICKLE_NONE})); /* node 0: none */
    m->n_stack = 0;
    m->tree->n_cell = 0;
    while (!m->done) {
        if (m->p == m->end)
            return fail(m, "it is cut off");
        instruction step = instructions[*m->p];
        if (!step)
            return kz_fail(m->err, KZTTS_ERROR_FORMAT, "%s: not a usable pickle at byte %zu: instruction 0x%02x",
                           m->label, (size_t)(m->p - m->begin), *m->p);
        m->p++;
        KZ_TRY(step(m));
    }
    return KZTTS_OK;
}

kztts_status kz_pickle_read(kz_pickle *out, const void *data, size_t n, const kz_pickle_name *names, const char *label,
                            kz_err *err) {
    machine m = {.tree = out, .begin = data, .p = data, .names = names, .label = label, .err = err};
    m.end = m.p + n;
    *out = (kz_pickle){0};
    kztts_status status = run(&m);
    kz_free(m.stack);
    kz_free(m.memo);
    return status;
}

void kz_pickle_free(kz_pickle *p) {
    kz_free(p->node);
    kz_free(p->cell);
    *p = (kz_pickle){0};
}

uint32_t kz_pickle_at(const kz_pickle *p, uint32_t node, size_t i) {
    const kz_pickle_node *list = p->node + node;
    if ((list->kind != KZ_PICKLE_LIST && list->kind != KZ_PICKLE_TUPLE) || i >= list->count)
        return 0;
    uint32_t cell = list->first;
    while (i--)
        cell = p->cell[cell].next;
    return p->cell[cell].node;
}

uint32_t kz_pickle_get(const kz_pickle *p, uint32_t dict, const char *key) {
    const kz_pickle_node *d = p->node + dict;
    uint32_t found = 0, cell = d->first;
    for (uint32_t i = 0; d->kind == KZ_PICKLE_DICT && i + 1 < d->count; i += 2) {
        const kz_pickle_node *name = p->node + p->cell[cell].node;
        uint32_t value = p->cell[cell].next;
        if (name->kind == KZ_PICKLE_TEXT && equals(name->value.text, name->n, key))
            found = p->cell[value].node;
        cell = p->cell[value].next;
    }
    return found;
}
