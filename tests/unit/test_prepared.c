/* test_prepared.c: prepared files, whole and damaged.  SPDX-License-Identifier: Apache-2.0
 *
 * A file of a small model is made, its header changed as text, and its checksum set right again, so that what lies behind
 * the checksum is tested too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hash/hash.h"
#include "kztts/kztts.h"
#include "weights/directory.h"

#define MODEL KZ_TEST_DATA "/checkpoints/tiny-cv"

static char folder[64];
static unsigned char *whole; /* the file */
static size_t n_whole, n_header;

static const char *path_of(const char *name) {
    static char path[2][192];
    static int next;
    next = 1 - next;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static int make_file(void **state) {
    char message[512];
    kz_err err = {""};
    kz_file file;
    (void)state;
    strcpy(folder, "kztts_prepared_XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    if (kztts_convert(MODEL, path_of("whole.kztts"), NULL, message, sizeof message) != KZTTS_OK ||
        kz_file_map(&file, path_of("whole.kztts"), &err) < 0) {
        fprintf(stderr, "%s%s\n", message, err.message);
        return -1;
    }
    n_whole = file.size;
    if (!(whole = malloc(n_whole)))
        return -1;
    memcpy(whole, file.data, n_whole);
    kz_file_unmap(&file);
    for (int i = 7; i >= 0; i--)
        n_header = n_header << 8 | whole[i];
    return 0;
}

static int remove_all(void **state) {
    (void)state;
    free(whole);
    (void)unlink(path_of("whole.kztts"));
    (void)unlink(path_of("f.kztts"));
    return rmdir(folder);
}

static void write_file(const void *data, size_t n) {
    FILE *f = fopen(path_of("f.kztts"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void refuse(const char *what, const char *fragment) {
    kztts_model *model = NULL;
    kztts_status status = kztts_model_open(&model, path_of("f.kztts"), NULL);
    if (status != KZTTS_ERROR_FORMAT || !strstr(kztts_model_message(model), fragment))
        fail_msg("%s: status %d, message \"%s\" (expected \"...%s...\")", what, status, kztts_model_message(model),
                 fragment);
    kztts_model_close(&model);
}

/* ---- changed headers --------------------------------------------------------------------------------------- */

#define FC1 "talker.text_projection.linear_fc1.weight.panels."
#define Q0 "talker.model.layers.0.self_attn.q_proj.weight.panels.bf16"

static const struct row {
    const char *what, *from, *to, *fragment;
} rows[] = {
    {"another version", "\"kztts/2\"", "\"kztts/1\"", "of another version than kztts/2"},
    {"no header_sum", "\"header_sum\"", "\"header_sun\"", "of another version than kztts/2"},
    {"another format", "\"format\":\"kztts/2\"", "\"format\":\"kzttt/1\"",
     "neither a model directory nor a prepared or GGUF file"},
    {"no sums", "\"sums\":", "\"sunk\":", "sums: expected 16 digits for each of"},
    {"sums too short", "\"sums\":\"", "\"sums\":\"\",\"sunk\":\"", "sums: expected 16 digits for each of"},
    {"sums too long", "\"sums\":\"", "\"sums\":\"0", "sums: expected 16 digits for each of"},
    {"sums no string", "\"quant\":\"", "\"quant\":1,\"q\":\"", "__metadata__: quant: expected a string, found 1"},
    {"metadata twice", "\"" Q0 "\":{", "\"__metadata__\":{},\"" Q0 "\":{",
     "__metadata__: expected one object, found two"},
    {"no JSON", "\"" Q0 "\":{", "\"" Q0 "\"{", "not usable JSON"},
    {"panels of another type", FC1 "bf16\":{\"dtype\":\"BF16\"", FC1 "bf16\":{\"dtype\":\"F16\"",
     "expected shape [6, 96, 16] of BF16 on a multiple of 64 bytes, found [6, 96, 16] of F16"},
    {"panels as bytes", FC1 "bf16\":{\"dtype\":\"BF16\",\"shape\":[6,96,16]",
     FC1 "bf16\":{\"dtype\":\"U8\",\"shape\":[6,3072]",
     "expected shape [6, 96, 16] of BF16 on a multiple of 64 bytes, found [6, 3072] of U8"},
    {"panels of another shape", "\"shape\":[6,96,16]", "\"shape\":[12,48,16]", "found [12, 48, 16] of BF16"},
    {"panels with another order", "\"shape\":[6,96,16]", "\"shape\":[96,6,16]", "found [96, 6, 16] of BF16"},
    {"panels too small", "\"shape\":[6,96,16]", "\"shape\":[6,95,16]", "18432 bytes of data for 9120 elements"},
    {"panels too large", "\"shape\":[6,96,16]", "\"shape\":[6,97,16]", "18432 bytes of data for 9312 elements"},
    {"a quantised type where none may be", FC1 "bf16\":{\"dtype\":\"BF16\",\"shape\":[6,96,16]",
     FC1 "q8\":{\"dtype\":\"U8\",\"shape\":[6,3072]", "expected shape [6, 2176] of U8"},
    {"panels missing", Q0, "talker.model.layers.0.self_attn.q_proj.weight.panelt.bf16",
     "tensor \"talker.model.layers.0.self_attn.q_proj.weight\" is missing"},
    {"unknown panels", Q0, "talker.model.layers.0.self_attn.q_proj.weight.panels.bf17",
     "tensor \"talker.model.layers.0.self_attn.q_proj.weight\" is missing"},
    {"a hole", "\"data_offsets\":[0,18432]", "\"data_offsets\":[18432,36864]", "belong to no tensor"},
    {"overlap", "\"data_offsets\":[18432,30720]", "\"data_offsets\":[0,12288]", "overlap"},
    {"offsets turned round", "\"data_offsets\":[0,18432]", "\"data_offsets\":[18432,0]",
     "the end lies before the beginning"},
    {"offsets beyond the end", "\"data_offsets\":[0,18432]", "\"data_offsets\":[99999999999,99999999999]",
     "the file is too short"},
    {"a negative offset", "\"data_offsets\":[0,18432]", "\"data_offsets\":[-1,18431]",
     "expected integers of at least 0"},
    {"a tensor twice", "\"talker.model.norm.weight\"", "\"talker.model.codec_embedding.weight\"", "is there twice"},
    {"no norm", "\"talker.model.norm.weight\"", "\"talker.model.norn.weight\"",
     "\"talker.model.norm.weight\" is missing"},
    {"a norm's shape", "\"talker.model.norm.weight\":{\"dtype\":\"BF16\",\"shape\":[64]",
     "\"talker.model.norm.weight\":{\"dtype\":\"BF16\",\"shape\":[8,8]",
     "expected shape [64] of F32, BF16 or F16, found [8, 8]"},
    {"no text embedding", "text_embedding.weight", "text_embedding.weighs", "text_embedding.weight\" is missing"},
    {"a codebook's type", "cluster_usage\":{\"dtype\":\"F32\"", "cluster_usage\":{\"dtype\":\"I32\"",
     "found [64] of I32"},
    {"no config.json", "\"file/config.json\"", "\"file/config.jsom\"", "holds no config.json"},
    {"no codec's config.json", "\"file/speech_tokenizer/config.json\"", "\"file/speech_tokenizes/config.json\"",
     "holds no speech_tokenizer/config.json"},
    {"no vocab.json", "\"file/vocab.json\"", "\"file/vocab.jsom\"", "vocab.json is missing"},
    {"no merges.txt", "\"file/merges.txt\"", "\"file/merges.txs\"", "merges.txt is missing"},
    {"no tokenizer_config.json", "\"file/tokenizer_config.json\"", "\"file/tokenizer_config.jsom\"",
     "tokenizer_config.json is missing"},
    {"a text of another type", "\"file/config.json\":{\"dtype\":\"U8\"", "\"file/config.json\":{\"dtype\":\"I8\"",
     "\"file/config.json\": expected at most"},
};

/* The header of a copy with the first `from` replaced, the blanks at its end taking up the difference. */
static unsigned char *change(const struct row *r) {
    unsigned char *copy = malloc(n_whole);
    char *header = calloc(n_header + 4096, 1);
    assert_non_null(copy);
    assert_non_null(header);
    memcpy(copy, whole, n_whole);
    memcpy(header, whole + 8, n_header);
    char *at = strstr(header, r->from);
    if (!at)
        fail_msg("%s: the header has no %s", r->what, r->from);
    size_t n_from = strlen(r->from), n_to = strlen(r->to);
    memmove(at + n_to, at + n_from, strlen(at + n_from) + 1);
    memcpy(at, r->to, n_to);
    size_t n = strlen(header);
    while (n > n_header && header[n - 1] == ' ')
        n--;
    assert_true(n <= n_header);
    memset(header + n, ' ', n_header - n);
    size_t begin = sizeof KZ_PREPARED_BEGIN - 1;
    if (memcmp(header, KZ_PREPARED_BEGIN, begin) == 0)
        kz_sum_write(header + begin, kz_sum(header + begin + KZ_SUM_DIGITS, n_header - begin - KZ_SUM_DIGITS));
    memcpy(copy + 8, header, n_header);
    free(header);
    return copy;
}

static void test_changed_headers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char *copy = change(&rows[i]);
        write_file(copy, n_whole);
        free(copy);
        if (strcmp(rows[i].what, "another format") == 0) { /* then it isn't a prepared file at all */
            kztts_model *model = NULL;
            assert_true(kztts_model_open(&model, path_of("f.kztts"), NULL) < 0);
            assert_non_null(strstr(kztts_model_message(model), rows[i].fragment));
            kztts_model_close(&model);
            continue;
        }
        refuse(rows[i].what, rows[i].fragment);
    }
}

/* ---- cut and changed bytes --------------------------------------------------------------------------------- */

static void test_cut(void **state) {
    static const size_t cuts[] = {200, 4000};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        write_file(whole, cuts[i]);
        refuse("cut header", "its header would be");
    }
    write_file(whole, n_whole - 1);
    refuse("one byte less", "the file is too short");
    write_file(whole, 8 + n_header);
    refuse("no data", "the file is too short");
    unsigned char *longer = calloc(n_whole + 1, 1);
    assert_non_null(longer);
    memcpy(longer, whole, n_whole);
    write_file(longer, n_whole + 1);
    refuse("one byte more", "the file is too long");
    free(longer);
}

static void test_header_byte(void **state) {
    (void)state;
    for (size_t at = 100; at < 8 + n_header; at += n_header / 7) {
        whole[at] ^= 1;
        write_file(whole, n_whole);
        refuse("a byte of the header", "the header's checksum is");
        whole[at] ^= 1;
    }
}

/* Eight blanks more: all is right but for the places in memory. */
static void test_misaligned(void **state) {
    (void)state;
    unsigned char *longer = malloc(n_whole + 8);
    size_t n = n_header + 8, begin = 8 + sizeof KZ_PREPARED_BEGIN - 1;
    assert_non_null(longer);
    memcpy(longer, whole, 8 + n_header);
    memset(longer + 8 + n_header, ' ', 8);
    memcpy(longer + 16 + n_header, whole + 8 + n_header, n_whole - 8 - n_header);
    for (int i = 0; i < 8; i++)
        longer[i] = (unsigned char)(n >> (8 * i));
    kz_sum_write((char *)longer + begin, kz_sum(longer + begin + KZ_SUM_DIGITS, 8 + n - begin - KZ_SUM_DIGITS));
    write_file(longer, n_whole + 8);
    refuse("misaligned panels", "on a multiple of 64 bytes");
    free(longer);
}

static const kz_tensor *tensor_of(const kz_weights *w, const char *name) {
    const kz_tensor *t = kz_weights_find(w, name);
    assert_non_null(t);
    return t;
}

/* Values that are checked at every opening; panels are checked when they are made, and by the checksums. */
static void test_damaged_data(void **state) {
    static const struct {
        const char *tensor, *bytes, *fragment;
    } damage[] = {
        {"talker.model.norm.weight", "\xff\xff", "is not a finite number"},
        {"decoder.quantizer.rvq_first.vq.layers.0._codebook.embedding_sum", "\xff\xff\xff\xff",
         "is not a finite number"},
        {"file/config.json", "}", "config.json"},
        {"file/vocab.json", "[", "vocab.json: "},
        {"file/merges.txt", "\xff", "isn't UTF-8"},
    };
    kz_weights *w;
    kz_err err;
    (void)state;
    assert_int_equal(kz_weights_open_memory(&w, whole, n_whole, "whole", &err), KZTTS_OK);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        const kz_tensor *t = tensor_of(w, damage[i].tensor);
        unsigned char kept[8], *place = whole + (t->data - whole);
        size_t n = strlen(damage[i].bytes);
        memcpy(kept, place, n);
        memcpy(place, damage[i].bytes, n);
        write_file(whole, n_whole);
        refuse(damage[i].tensor, damage[i].fragment);
        char message[512];
        assert_int_equal(kztts_check_file(path_of("f.kztts"), NULL, NULL, message, sizeof message), KZTTS_ERROR_FORMAT);
        assert_non_null(strstr(message, damage[i].tensor));
        memcpy(place, kept, n);
    }
    kz_weights_close(w);
    write_file(whole, n_whole);
    assert_int_equal(kztts_check_file(path_of("f.kztts"), NULL, NULL, NULL, 0), KZTTS_OK);
}

/* A source that isn't fit is refused before anything is written. */
static void test_not_finite_source(void **state) {
    kz_weights *w;
    kz_err err;
    char message[512];
    (void)state;
    assert_int_equal(kz_weights_open_memory(&w, whole, n_whole, "whole", &err), KZTTS_OK);
    unsigned char *place = whole + (tensor_of(w, "talker.model.text_embedding.weight")->data - whole), kept[2];
    memcpy(kept, place, 2);
    memcpy(place, "\xff\xff", 2);
    write_file(whole, n_whole);
    assert_int_equal(kztts_convert(path_of("f.kztts"), path_of("g.kztts"), NULL, message, sizeof message),
                     KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(message, "text_embedding.weight holds a value that is not a finite number"));
    assert_int_not_equal(access(path_of("g.kztts"), F_OK), 0);
    memcpy(place, kept, 2);
    kz_weights_close(w);
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* Gaps are filled so that panels lie where kernels want them, whatever stands before. */
static void test_places(void **state) {
    static const unsigned char bytes[3] = {1, 2, 3};
    static unsigned char panels[2][3 * 2 * KZ_PANEL];
    const char *names[2] = {"a.weight", "b.weight"};
    kz_tensor t[4];
    kz_weights *w;
    kz_err err = {""};
    (void)state;
    for (int i = 0; i < 2; i++) {
        memset(panels[i], 7 + i, sizeof panels[i]);
        t[2 * i + 1] = kz_panels_tensor(
            &(kz_panels){.names = &names[i], .n_name = 1, .type = KZ_BF16, .n_out = 5, .n_in = 3, .data = panels[i]});
        assert_non_null(t[2 * i + 1].name);
        t[2 * i] = (kz_tensor){
            .name = i ? "y" : "x", .type = KZ_U8, .n_dim = 1, .shape = {3}, .n_elem = 3, .n_byte = 3, .data = bytes};
    }
    const kz_meta meta = {"quoted", "a \"b\" \\ c\n"};
    const kz_prepared p = {t, 4, &meta, 1};
    assert_int_equal(kz_prepared_write(path_of("f.kztts"), &p, true, NULL, NULL, &err), KZTTS_OK);
    assert_int_equal(kz_prepared_open(&w, path_of("f.kztts"), &err), KZTTS_OK);
    assert_string_equal(kz_weights_meta(w, "quoted"), meta.value);
    assert_int_equal(kz_weights_count(w), 6);
    for (int i = 0; i < 2; i++) {
        const kz_tensor *found;
        kz_dtype type;
        assert_int_equal(kz_weights_panels(&found, &type, w, names[i], 5, 3, &err), KZTTS_OK);
        assert_non_null(found);
        assert_int_equal(type, KZ_BF16);
        assert_int_equal((uintptr_t)found->data % KZ_ALIGN, 0);
        assert_memory_equal(found->data, panels[i], sizeof panels[i]);
        assert_true(kz_weights_have(w, names[i]));
        kz_free((void *)(uintptr_t)t[2 * i + 1].name);
    }
    assert_false(kz_weights_have(w, "c.weight"));
    const kz_tensor *none;
    kz_dtype type;
    assert_int_equal(kz_weights_panels(&none, &type, w, "c.weight", 5, 3, &err), KZTTS_OK);
    assert_null(none);
    assert_int_equal(kz_prepared_check(w, NULL, NULL, &err), KZTTS_OK);
    kz_weights_close(w);
}

static void test_sum(void **state) {
    static const struct {
        const char *text;
        uint64_t sum;
    } known[] = {{"", 0xef46db3751d8e999U},
                 {"a", 0xd24ec4f1a98c6e5bU},
                 {"abc", 0x44bc2cf5ad770999U},
                 {"Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1U}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(kz_sum(known[i].text, strlen(known[i].text)) == known[i].sum);
    char digits[KZ_SUM_DIGITS + 1] = "";
    kz_sum_write(digits, 0x0123456789abcdefU);
    assert_string_equal(digits, "0123456789abcdef");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_changed_headers),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_header_byte),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_damaged_data),
        cmocka_unit_test(test_not_finite_source),
    };
    return cmocka_run_group_tests(tests, make_file, remove_all);
}
