/* import_torch.c: .pt files: clone prompts of the official program, as torch.save writes them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A zip file: FOLDER/data.pkl is a pickle of the tree, FOLDER/data/KEY the bytes of each storage. Taken are: one vector;
 * an item (dictionary or VoiceClonePromptItem) with ref_spk_embedding and perhaps ref_code, ref_text,
 * x_vector_only_mode; a list of items; a dictionary with such a list under "items". */
#include <stdio.h>
#include <string.h>

#include "voice/importing.h"
#include "voice/pickle.h"
#include "voice/zip.h"

enum { MAX_SHAPE = 3, MAX_SIZE = 1 << 24 };

typedef enum name_id { REBUILD, ORDERED_DICT, ITEM, ITEM_OF_PACKAGE, FIRST_STORAGE } name_id;

static const kz_pickle_name names[] = {{"torch._utils", "_rebuild_tensor_v2"},
                                       {"collections", "OrderedDict"},
                                       {"qwen_tts.inference.qwen3_tts_model", "VoiceClonePromptItem"},
                                       {"qwen_tts", "VoiceClonePromptItem"},
                                       {"torch", "FloatStorage"},
                                       {"torch", "DoubleStorage"},
                                       {"torch", "HalfStorage"},
                                       {"torch", "BFloat16Storage"},
                                       {"torch", "LongStorage"},
                                       {"torch", "IntStorage"},
                                       {"torch", "ShortStorage"},
                                       {NULL, NULL}};

/* From FIRST_STORAGE on: bytes of an element, whether it is a float. */
static const struct {
    size_t size;
    bool real;
} storages[] = {{4, true}, {8, true}, {2, true}, {2, true}, {8, false}, {4, false}, {2, false}};

enum { TYPE_F32, TYPE_F64, TYPE_F16, TYPE_BF16 };

typedef struct tensor {
    const unsigned char *data;
    size_t type; /* place in storages */
    size_t n_dim, size[MAX_SHAPE], stride[MAX_SHAPE], offset;
} tensor;

typedef struct reading {
    kz_importing r;
    kz_zip zip;
    kz_pickle tree;
    const char *folder; /* of the members, n_folder bytes with the slash */
    size_t n_folder;
    const char *which;
} reading;

static kztts_status fail(const reading *t, const char *what) {
    return kz_fail(t->r.fields.err, KZTTS_ERROR_FORMAT, "%s: %s", t->r.fields.label, what);
}

static const kz_pickle_node *node_at(const reading *t, uint32_t node) { return t->tree.node + node; }

static bool is_call_of(const reading *t, uint32_t node, int64_t id) {
    const kz_pickle_node *call = node_at(t, node);
    return call->kind == KZ_PICKLE_CALL && node_at(t, call->name)->value.integer == id;
}

/* ---- members --------------------------------------------------------------------------------------------------- */

/* FOLDER/name; NULL data where there is none. */
static kztts_status find_member(const reading *t, const char *name, size_t n, kz_zip_member *out) {
    char path[512];
    *out = (kz_zip_member){0};
    if (t->n_folder + n > sizeof path)
        return fail(t, "the name of a member is too long");
    memcpy(path, t->folder, t->n_folder);
    memcpy(path + t->n_folder, name, n);
    return kz_zip_find(&t->zip, path, t->n_folder + n, false, out);
}

static kztts_status check_order(const reading *t) {
    static const char name[] = "byteorder", little[] = "little";
    kz_zip_member order;
    KZ_TRY(find_member(t, name, sizeof name - 1, &order));
    if (!order.data || (order.n == sizeof little - 1 && memcmp(order.data, little, order.n) == 0))
        return KZTTS_OK;
    return fail(t, "written on a machine of another byte order; only little endian is read");
}

static kztts_status open_tree(reading *t, const void *data, size_t n) {
    static const char name[] = "data.pkl";
    kz_zip_member tree;
    if (!kz_zip_is(data, n))
        return fail(t, "not a file of torch.save since version 1.6 (a zip file)");
    KZ_TRY(kz_zip_open(&t->zip, data, n, t->r.fields.label, t->r.fields.err));
    KZ_TRY(kz_zip_find(&t->zip, name, sizeof name - 1, true, &tree));
    if (!tree.data)
        return fail(t, "a zip file without data.pkl: not one of torch.save");
    t->folder = tree.name;
    t->n_folder = tree.n_name - (sizeof name - 1);
    KZ_TRY(check_order(t));
    return kz_pickle_read(&t->tree, tree.data, tree.n, names, t->r.fields.label, t->r.fields.err);
}

/* ---- tensors --------------------------------------------------------------------------------------------------- */

static bool is_tensor(const reading *t, uint32_t node) { return is_call_of(t, node, REBUILD); }

static bool whole(const reading *t, uint32_t node, size_t *out) {
    const kz_pickle_node *n = node_at(t, node);
    if (n->kind != KZ_PICKLE_INT || n->value.integer < 0 || n->value.integer > MAX_SIZE)
        return false;
    *out = (size_t)n->value.integer;
    return true;
}

/* ("storage", type, key, place, elements): the bytes. */
static kztts_status open_storage(const reading *t, uint32_t node, tensor *out, size_t *n_elem) {
    static const char folder[] = "data/";
    char name[64];
    kz_zip_member bytes;
    uint32_t tuple = node_at(t, node)->argument;
    *n_elem = 0;
    const kz_pickle_node *type = node_at(t, kz_pickle_at(&t->tree, tuple, 1)),
                         *key = node_at(t, kz_pickle_at(&t->tree, tuple, 2));
    if (node_at(t, node)->kind != KZ_PICKLE_KEPT || type->kind != KZ_PICKLE_NAME ||
        type->value.integer < FIRST_STORAGE || key->kind != KZ_PICKLE_TEXT || key->n > sizeof name - sizeof folder)
        return fail(t, "a tensor's storage isn't described as torch does");
    memcpy(name, folder, sizeof folder - 1);
    memcpy(name + sizeof folder - 1, key->value.text, key->n);
    KZ_TRY(find_member(t, name, sizeof folder - 1 + key->n, &bytes));
    if (!bytes.data)
        return fail(t, "the numbers of a tensor are missing");
    out->type = (size_t)(type->value.integer - FIRST_STORAGE);
    out->data = bytes.data;
    *n_elem = bytes.n / storages[out->type].size;
    return KZTTS_OK;
}

/* Every element lies within the storage. */
static bool is_inside(const tensor *x, size_t n_elem) {
    uint64_t last = x->offset;
    for (size_t i = 0; i < x->n_dim; i++) {
        if (!x->size[i])
            return false;
        last += (uint64_t)(x->size[i] - 1) * x->stride[i];
    }
    return last < n_elem;
}

/* _rebuild_tensor_v2(storage, offset, sizes, strides, ...); leading dimensions of 1 fall away beyond n_dim. */
static kztts_status open_tensor(const reading *t, uint32_t node, size_t n_dim, tensor *x) {
    const kz_pickle *tree = &t->tree;
    uint32_t argument = node_at(t, node)->argument, sizes = kz_pickle_at(tree, argument, 2),
             strides = kz_pickle_at(tree, argument, 3);
    size_t n_elem, n = node_at(t, sizes)->count, skip = n > n_dim ? n - n_dim : 0;
    *x = (tensor){.n_dim = n - skip};
    KZ_TRY(open_storage(t, kz_pickle_at(tree, argument, 0), x, &n_elem));
    bool good = n <= MAX_SHAPE && whole(t, kz_pickle_at(tree, argument, 1), &x->offset);
    for (size_t i = 0; good && i < n; i++) {
        size_t size = 0, stride = 0;
        good = whole(t, kz_pickle_at(tree, sizes, i), &size) && whole(t, kz_pickle_at(tree, strides, i), &stride) &&
               (i >= skip || size == 1);
        if (i >= skip) {
            x->size[i - skip] = size;
            x->stride[i - skip] = stride;
        }
    }
    if (!good || x->n_dim != n_dim)
        return fail(t, n_dim == 1 ? "the speaker vector isn't a tensor of one dimension"
                                  : "ref_code isn't a tensor of two dimensions (frames, codes)");
    return is_inside(x, n_elem) ? KZTTS_OK : fail(t, "a tensor goes beyond its storage");
}

static const unsigned char *element(const tensor *x, size_t row, size_t col) {
    size_t at = x->offset + row * x->stride[0] + (x->n_dim > 1 ? col * x->stride[1] : 0);
    return x->data + at * storages[x->type].size;
}

static float real_at(const tensor *x, size_t i) {
    const unsigned char *p = element(x, i, 0);
    float value = 0;
    if (x->type == TYPE_F64) {
        uint64_t bits = kz_little(p, 8);
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        return wide >= -1e6 && wide <= 1e6 ? (float)wide : 1e9F; /* which is refused with its place */
    }
    kz_to_f32(&value, p, x->type == TYPE_F32 ? KZ_F32 : x->type == TYPE_F16 ? KZ_F16 : KZ_BF16, 1);
    return value;
}

/* -1, which is refused with its place, for what is no code. */
static kz_code code_of(int64_t value) { return value < 0 || value >= KZ_VOICE_MAX_CODES ? -1 : (kz_code)value; }

static kz_code code_at(const tensor *x, size_t row, size_t col) {
    size_t size = storages[x->type].size;
    uint64_t value = kz_little(element(x, row, col), size);
    if (size < 8 && value >> (8 * size - 1))
        return -1;
    return code_of((int64_t)value);
}

/* ---- the parts of an item, as tensors or as lists -------------------------------------------------------------- */

static kztts_status list_vector(reading *t, uint32_t list) {
    if (node_at(t, list)->count == 1 && node_at(t, kz_pickle_at(&t->tree, list, 0))->kind == KZ_PICKLE_LIST)
        list = kz_pickle_at(&t->tree, list, 0); /* one row */
    const kz_pickle_node *l = node_at(t, list);
    KZ_TRY(kz_importing_vector(&t->r, l->count));
    uint32_t cell = l->first;
    for (size_t i = 0; i < l->count; i++, cell = t->tree.cell[cell].next) {
        const kz_pickle_node *x = node_at(t, t->tree.cell[cell].node);
        double value = x->kind == KZ_PICKLE_FLOAT ? x->value.real
                       : x->kind == KZ_PICKLE_INT ? (double)x->value.integer
                                                  : 1e9;
        t->r.f->x_vector[i] = value >= -1e6 && value <= 1e6 ? (float)value : 1e9F;
    }
    return KZTTS_OK;
}

static kztts_status read_vector(reading *t, uint32_t node) {
    tensor x;
    if (node_at(t, node)->kind == KZ_PICKLE_LIST)
        return list_vector(t, node);
    if (!is_tensor(t, node))
        return fail(t, "no speaker vector (ref_spk_embedding) is in it");
    KZ_TRY(open_tensor(t, node, 1, &x));
    if (!storages[x.type].real)
        return fail(t, "the speaker vector isn't of floating numbers");
    KZ_TRY(kz_importing_vector(&t->r, x.size[0]));
    for (size_t i = 0; i < x.size[0]; i++)
        t->r.f->x_vector[i] = real_at(&x, i);
    return KZTTS_OK;
}

static kztts_status list_frame(reading *t, uint32_t row, size_t frame) {
    const kz_pickle_node *l = node_at(t, row);
    if (l->kind != KZ_PICKLE_LIST || l->count != t->r.f->n_code)
        return fail(t, "ref_code: every frame must be a list of equally many codes");
    uint32_t cell = l->first;
    for (size_t g = 0; g < l->count; g++, cell = t->tree.cell[cell].next) {
        const kz_pickle_node *x = node_at(t, t->tree.cell[cell].node);
        t->r.f->ref_code[frame * l->count + g] = x->kind == KZ_PICKLE_INT ? code_of(x->value.integer) : -1;
    }
    return KZTTS_OK;
}

static kztts_status list_codes(reading *t, uint32_t node) {
    const kz_pickle_node *l = node_at(t, node);
    const kz_pickle_node *first = node_at(t, kz_pickle_at(&t->tree, node, 0));
    KZ_TRY(kz_importing_codes(&t->r, l->count, first->kind == KZ_PICKLE_LIST ? first->count : 0));
    uint32_t cell = l->first;
    for (size_t i = 0; i < l->count; i++, cell = t->tree.cell[cell].next)
        KZ_TRY(list_frame(t, t->tree.cell[cell].node, i));
    return KZTTS_OK;
}

static kztts_status read_codes(reading *t, uint32_t node) {
    tensor x;
    if (node_at(t, node)->kind == KZ_PICKLE_LIST)
        return list_codes(t, node);
    if (!is_tensor(t, node))
        return fail(t, "ref_code is neither a tensor nor a list");
    KZ_TRY(open_tensor(t, node, 2, &x));
    if (storages[x.type].real)
        return fail(t, "ref_code isn't of whole numbers");
    KZ_TRY(kz_importing_codes(&t->r, x.size[0], x.size[1]));
    for (size_t i = 0; i < x.size[0]; i++)
        for (size_t g = 0; g < x.size[1]; g++)
            t->r.f->ref_code[i * x.size[1] + g] = code_at(&x, i, g);
    return KZTTS_OK;
}

static kztts_status read_item(reading *t, uint32_t item) {
    const kz_pickle *tree = &t->tree;
    if (is_call_of(t, item, ITEM) || is_call_of(t, item, ITEM_OF_PACKAGE))
        item = node_at(t, item)->state;
    if (node_at(t, item)->kind != KZ_PICKLE_DICT)
        return fail(t, "an item that is neither a dictionary nor a VoiceClonePromptItem");
    uint32_t codes = kz_pickle_get(tree, item, "ref_code"), text = kz_pickle_get(tree, item, "ref_text");
    const kz_pickle_node *words = node_at(t, text),
                         *alone = node_at(t, kz_pickle_get(tree, item, "x_vector_only_mode"));
    if (words->kind == KZ_PICKLE_TEXT)
        KZ_TRY(kz_importing_text(&t->r, KZ_VOICE_REF_TEXT, words->value.text, words->n));
    KZ_TRY(read_vector(t, kz_pickle_get(tree, item, "ref_spk_embedding")));
    bool vector_only = alone->kind == KZ_PICKLE_BOOL && alone->value.integer;
    return node_at(t, codes)->kind == KZ_PICKLE_NONE || vector_only ? KZTTS_OK : read_codes(t, codes);
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

/* Place from 0 of the item that is asked for. */
static kztts_status choose(const reading *t, size_t n, size_t *place) {
    size_t wanted = 0;
    const char *s = t->which;
    *place = 0;
    for (; s && *s >= '0' && *s <= '9' && wanted <= n; s++)
        wanted = wanted * 10 + (size_t)(*s - '0');
    if (!t->which && n == 1)
        wanted = 1;
    if ((s && *s) || wanted < 1 || wanted > n)
        return kz_fail(t->r.fields.err, KZTTS_ERROR_FORMAT,
                       "%s: it holds %zu voice%s; choose one by its number, 1 to %zu", t->r.fields.label, n,
                       n == 1 ? "" : "s", n);
    *place = wanted - 1;
    return KZTTS_OK;
}

static kztts_status read_root(reading *t) {
    uint32_t root = t->tree.root, items = kz_pickle_get(&t->tree, root, "items");
    size_t place;
    if (items)
        root = items;
    const kz_pickle_node *r = node_at(t, root), *first = node_at(t, kz_pickle_at(&t->tree, root, 0));
    bool numbers = first->kind == KZ_PICKLE_FLOAT || first->kind == KZ_PICKLE_INT;
    if (is_tensor(t, root) || (r->kind == KZ_PICKLE_LIST && numbers))
        return read_vector(t, root);
    if (r->kind != KZ_PICKLE_LIST)
        return read_item(t, root);
    if (!r->count)
        return fail(t, "the list of voices is empty");
    KZ_TRY(choose(t, r->count, &place));
    return read_item(t, kz_pickle_at(&t->tree, root, place));
}

static kztts_status read_all(reading *t, const void *data, size_t n) {
    KZ_TRY(open_tree(t, data, n));
    return read_root(t);
}

kztts_status kz_voice_import_torch(kz_voice_file *out, const void *data, size_t n, const char *which, const char *label,
                                   kz_err *err) {
    reading t = {.which = which};
    kz_importing_begin(&t.r, out, data, n, label, err);
    kztts_status status = read_all(&t, data, n);
    kz_pickle_free(&t.tree);
    return kz_importing_end(&t.r, status);
}
