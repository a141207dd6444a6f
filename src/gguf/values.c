/* values.c: values of keys, and the types of tensors.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gguf/container.h"

/* ---- strings ----------------------------------------------------------------------------------------------- */

bool kz_gg_is(kz_gg_string s, const char *text) { return s.n == strlen(text) && !memcmp(s.s, text, s.n); }

kz_shown kz_gg_show(kz_gg_string s) {
    char copy[128];
    size_t n = s.n < sizeof copy - 1 ? s.n : sizeof copy - 1;
    memcpy(copy, s.s, n);
    copy[n] = '\0';
    return kz_show(copy);
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

static const char *const type_names[KZ_GG_TYPES] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                                    "bool", "string", "array", "u64", "i64", "f64"};

const char *kz_gg_type_name(kz_gg_type type) { return type < KZ_GG_TYPES ? type_names[type] : "unknown"; }

static bool int_of(kz_gg_type type, const unsigned char *p, int64_t *out) {
    static const size_t size[KZ_GG_TYPES] = {[KZ_GG_U8] = 1,  [KZ_GG_I8] = 1,  [KZ_GG_U16] = 2, [KZ_GG_I16] = 2,
                                             [KZ_GG_U32] = 4, [KZ_GG_I32] = 4, [KZ_GG_U64] = 8, [KZ_GG_I64] = 8};
    size_t n = size[type];
    if (!n)
        return false;
    uint64_t x = kz_little(p, n), sign = UINT64_C(1) << (8 * n - 1);
    bool is_signed = type == KZ_GG_I8 || type == KZ_GG_I16 || type == KZ_GG_I32 || type == KZ_GG_I64;
    if (is_signed && (x & sign)) {
        *out = -(int64_t)(sign - (x & (sign - 1)) - 1) - 1;
        return true;
    }
    *out = (int64_t)(x & INT64_MAX);
    return x <= INT64_MAX;
}

static bool number_of(kz_gg_type type, const unsigned char *p, double *out) {
    int64_t whole;
    if (type == KZ_GG_F32) {
        uint32_t bits = (uint32_t)kz_little(p, 4);
        float x;
        memcpy(&x, &bits, sizeof x);
        *out = (double)x;
        return true;
    }
    if (type == KZ_GG_F64) {
        uint64_t bits = kz_little(p, 8);
        memcpy(out, &bits, sizeof bits);
        return true;
    }
    if (!int_of(type, p, &whole))
        return false;
    *out = (double)whole;
    return true;
}

bool kz_gg_int(const kz_gg_value *v, int64_t *out) { return v->type != KZ_GG_ARRAY && int_of(v->type, v->data, out); }

bool kz_gg_number(const kz_gg_value *v, double *out) {
    return v->type != KZ_GG_ARRAY && number_of(v->type, v->data, out);
}

bool kz_gg_bool(const kz_gg_value *v, bool *out) {
    if (v->type != KZ_GG_BOOL || v->data[0] > 1)
        return false;
    *out = v->data[0] == 1;
    return true;
}

bool kz_gg_text(const kz_gg_value *v, kz_gg_string *out) {
    if (v->type != KZ_GG_STRING)
        return false;
    *out = (kz_gg_string){(const char *)v->data + 8, (size_t)kz_little(v->data, 8)};
    return true;
}

/* ---- arrays ------------------------------------------------------------------------------------------------ */

bool kz_gg_int_at(const kz_gg_value *v, uint64_t i, int64_t *out) {
    static const size_t size[KZ_GG_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return v->type == KZ_GG_ARRAY && i < v->n && int_of(v->item, v->data + i * size[v->item], out);
}

bool kz_gg_next(const kz_gg_value *v, kz_gg_walk *walk, kz_gg_string *out) {
    if (v->type != KZ_GG_ARRAY || v->item != KZ_GG_STRING || walk->i == v->n)
        return false;
    const unsigned char *p = v->data + walk->at;
    *out = (kz_gg_string){(const char *)p + 8, (size_t)kz_little(p, 8)};
    walk->at += 8 + out->n;
    walk->i++;
    return true;
}

/* ---- types of tensors -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int type; /* ours, -1: can't be read */
} tensor_types[] = {
    [0] = {"F32", KZ_F32},
    [1] = {"F16", KZ_F16},
    [2] = {"Q4_0", KZ_Q4_0},
    [3] = {"Q4_1", KZ_BLOCK_Q4_1},
    [6] = {"Q5_0", KZ_BLOCK_Q5_0},
    [7] = {"Q5_1", KZ_BLOCK_Q5_1},
    [8] = {"Q8_0", KZ_Q8},
    [9] = {"Q8_1", -1},
    [10] = {"Q2_K", KZ_BLOCK_Q2_K},
    [11] = {"Q3_K", KZ_BLOCK_Q3_K},
    [12] = {"Q4_K", KZ_BLOCK_Q4_K},
    [13] = {"Q5_K", KZ_BLOCK_Q5_K},
    [14] = {"Q6_K", KZ_BLOCK_Q6_K},
    [15] = {"Q8_K", -1},
    [16] = {"IQ2_XXS", -1},
    [17] = {"IQ2_XS", -1},
    [18] = {"IQ3_XXS", -1},
    [19] = {"IQ1_S", -1},
    [20] = {"IQ4_NL", KZ_Q4},
    [21] = {"IQ3_S", -1},
    [22] = {"IQ2_S", -1},
    [23] = {"IQ4_XS", -1},
    [24] = {"I8", KZ_OTHER},
    [25] = {"I16", -1},
    [26] = {"I32", KZ_I32},
    [27] = {"I64", KZ_I64},
    [28] = {"F64", -1},
    [29] = {"IQ1_M", -1},
    [30] = {"BF16", KZ_BF16},
    [34] = {"TQ1_0", -1},
    [35] = {"TQ2_0", -1},
    [39] = {"MXFP4", KZ_BLOCK_MXFP4},
};
enum { TENSOR_TYPES = sizeof tensor_types / sizeof *tensor_types };

const char *kz_gg_tensor_type_name(uint32_t ggml_type) {
    return ggml_type < TENSOR_TYPES ? tensor_types[ggml_type].name : NULL;
}

int kz_gg_tensor_type(uint32_t ggml_type) {
    return ggml_type < TENSOR_TYPES && tensor_types[ggml_type].name ? tensor_types[ggml_type].type : -1;
}

int kz_gg_tensor_type_of(int type) {
    for (int i = 0; i < TENSOR_TYPES; i++)
        if (tensor_types[i].name && tensor_types[i].type == type)
            return i;
    return -1;
}
