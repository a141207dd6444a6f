/* test_gguf.c: names of the layouts, and files written in layout A.  SPDX-License-Identifier: Apache-2.0
 *
 * That files of all layouts are read right is tests/gguf's business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "gguf/gguf.h"
#include "gguf/scheme.h"

static kz_gg_string string_of(const char *s) { return (kz_gg_string){s, strlen(s)}; }

/* ---- names ------------------------------------------------------------------------------------------------- */

static void test_names(void **state) {
    static const struct {
        const kz_gg_scheme *scheme;
        const char *file, *ours;
    } pairs[] = {
        {&kz_gg_a, "talker.blk.27.attn_output.weight", "talker.model.layers.27.self_attn.o_proj.weight"},
        {&kz_gg_a, "code_pred.codec_embd.14.weight", "talker.code_predictor.model.codec_embedding.14.weight"},
        {&kz_gg_a, "spk_enc.blk.2.res2net.6.bias", "speaker_encoder.blocks.2.res2net_block.blocks.6.conv.bias"},
        {&kz_gg_a_codec, "tok_dec.dec.4.res.2.act1.alpha", "decoder.decoder.4.block.4.act1.alpha"},
        {&kz_gg_a_codec, "tok_dec.dec.5.snake.beta", "decoder.decoder.5.beta"},
        {&kz_gg_a_codec, "tok_enc.res.10.blk.3.weight", "encoder.encoder.layers.10.block.3.conv.weight"},
        {&kz_gg_a_codec, "tok_enc.blk.0.ffn_up.weight", "encoder.encoder_transformer.layers.0.mlp.fc1.weight"},
        {&kz_gg_c, "talker.token_embd_text.weight", "talker.model.text_embedding.weight"},
        {&kz_gg_c_codec, "codec.dec.blk.0.res.2.conv1_b", "decoder.decoder.1.block.4.conv1.conv.bias"},
        {&kz_gg_c_codec, "codec.dec.up.1.cnx.pw2_w", "decoder.upsample.1.1.pwconv2.weight"},
        {&kz_gg_c_codec, "codec.enc.seanet.ds.3.w", "encoder.encoder.layers.12.conv.weight"},
        {&kz_gg_d, "output.weight", "talker.codec_head.weight"},
        {&kz_gg_d_codec, "a.gen.wav.dac.blk.3.snake.alpha", "decoder.decoder.4.block.0.exp_alpha"},
        {&kz_gg_d_codec, "a.gen.code.blk.4.ln2.weight",
         "talker.code_predictor.model.layers.4.post_attention_layernorm.weight"},
    };
    char name[KZ_GG_NAME];
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(kz_gg_to_ours(name, pairs[i].scheme->names, string_of(pairs[i].file)));
        assert_string_equal(name, pairs[i].ours);
        assert_true(kz_gg_to_file(name, pairs[i].scheme->names, pairs[i].ours));
        assert_string_equal(name, pairs[i].file);
    }
}

static void test_names_refused(void **state) {
    static const char *const bad[] = {"",
                                      "talker.",
                                      "talker.blk.1.attn_x.weight",
                                      "talker.blk.01.attn_q.weight",
                                      "talker.blk.-1.attn_q.weight",
                                      "talker.blk.99999999.attn_q.weight",
                                      "talker.blk..attn_q.weight",
                                      "talker.output_norm."};
    char name[KZ_GG_NAME], longest[400];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(kz_gg_to_ours(name, kz_gg_a.names, string_of(bad[i])));
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "talker.codec_head.", 18);
    assert_false(kz_gg_to_ours(name, kz_gg_a.names, (kz_gg_string){longest, sizeof longest}));
}

static void test_stack(void **state) {
    char name[KZ_GG_NAME];
    (void)state;
    assert_true(kz_gg_to_ours(name, kz_gg_d_codec.names, string_of("a.gen.code.head.weight")));
    assert_string_equal(name, "talker.code_predictor.lm_head.%.weight");
    assert_true(kz_gg_to_file(name, kz_gg_d_codec.names, "talker.code_predictor.lm_head.14.weight"));
    assert_string_equal(name, "a.gen.code.head.weight");
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

enum { TEXT_LIMIT = 1 << 20 };

static const char *const text_names[KZ_GGUF_TEXTS] = {
    "config.json", "generation_config.json", "speech_tokenizer/config.json", "vocab.json",
    "merges.txt",  "tokenizer_config.json"};

typedef struct source {
    kz_gguf_contents c;
    kz_weights *weights, *codec;
    char *texts[KZ_GGUF_TEXTS];
    kz_pool *pool;
} source;

static void open_source(source *s, const char *name) {
    char dir[512], path[600];
    memset(s, 0, sizeof *s);
    snprintf(dir, sizeof dir, KZ_TEST_DATA "/checkpoints/%s", name);
    snprintf(path, sizeof path, "%s/speech_tokenizer", dir);
    assert_int_equal(kz_weights_open_dir(&s->weights, dir, NULL), KZTTS_OK);
    assert_int_equal(kz_weights_open_dir(&s->codec, path, NULL), KZTTS_OK);
    for (int i = 0; i < KZ_GGUF_TEXTS; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, text_names[i]);
        assert_int_equal(kz_file_read(&s->texts[i], &s->c.n_text[i], path, TEXT_LIMIT, NULL), KZTTS_OK);
        s->c.texts[i] = s->texts[i];
    }
    assert_int_equal(kz_pool_new(&s->pool, 2, NULL), KZTTS_OK);
    s->c.weights = s->weights;
    s->c.codec = s->codec;
    s->c.pool = s->pool;
    s->c.overwrite = true;
}

static void close_source(source *s) {
    kz_weights_close(s->weights);
    kz_weights_close(s->codec);
    for (int i = 0; i < KZ_GGUF_TEXTS; i++)
        kz_free(s->texts[i]);
    kz_pool_free(s->pool);
}

static char folder[] = "kztts-gguf-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[2][sizeof folder + 64];
    static int i;
    i = !i;
    snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

static int setup(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    (void)unlink(in_folder("m.gguf"));
    (void)unlink(in_folder("m-tokenizer.gguf"));
    return rmdir(folder);
}

/* Every tensor that a reader of the file has, with the numbers that it had. */
static void check_tensors(const kz_weights *ours, const kz_weights *theirs, bool same_type) {
    for (size_t i = 0; i < kz_weights_count(theirs); i++) {
        const kz_tensor *t = kz_weights_at(theirs, i), *o = kz_weights_find(ours, t->name);
        if (!o) {
            assert_non_null(strstr(t->name, ".divided"));
            continue;
        }
        assert_int_equal(t->n_elem, o->n_elem);
        if (!same_type)
            continue;
        float *x = malloc(t->n_elem * sizeof *x), *y = malloc(t->n_elem * sizeof *y);
        kz_stored_to_f32(x, t->data, t->type, t->n_elem);
        kz_stored_to_f32(y, o->data, o->type, o->n_elem);
        assert_memory_equal(x, y, t->n_elem * sizeof *x);
        free(x);
        free(y);
    }
}

static void round_trip(const char *name) {
    source s;
    kz_gguf_model g;
    kz_err err = {""};
    kz_config cfg, want;
    char dir[512];
    open_source(&s, name);
    assert_int_equal(kz_gguf_write(in_folder("m.gguf"), &s.c, &err), KZTTS_OK);
    assert_int_equal(kz_gguf_open(&g, in_folder("m.gguf"), NULL, KZ_GGUF_MODEL, &err), KZTTS_OK);
    assert_int_equal(g.scheme, 'A');
    assert_int_equal(g.codec_scheme, 'A');
    check_tensors(s.weights, g.weights, true);
    check_tensors(s.codec, g.codec, true);

    kz_text_file texts[3];
    for (int i = 0; i < 3; i++)
        texts[i] = (kz_text_file){g.texts[i], g.n_text[i], NULL};
    assert_int_equal(kz_config_parse(&cfg, &texts[0], &texts[1], &texts[2], &err), KZTTS_OK);
    snprintf(dir, sizeof dir, KZ_TEST_DATA "/checkpoints/%s", name);
    assert_int_equal(kz_config_read(&want, dir, &err), KZTTS_OK);
    assert_int_equal(cfg.n_speaker, want.n_speaker);
    assert_int_equal(cfg.n_language, want.n_language);
    assert_memory_equal(cfg.speakers, want.speakers, cfg.n_speaker * sizeof *cfg.speakers);
    assert_memory_equal(cfg.languages, want.languages, cfg.n_language * sizeof *cfg.languages);
    assert_memory_equal(&cfg.codec, &want.codec, sizeof cfg.codec);
    assert_memory_equal(&cfg.encoder, &want.encoder, sizeof cfg.encoder);
    assert_memory_equal(&cfg.speaker, &want.speaker, sizeof cfg.speaker);
    assert_memory_equal(&cfg.talker, &want.talker, sizeof cfg.talker);
    assert_memory_equal(&cfg.predictor, &want.predictor, sizeof cfg.predictor);
    assert_memory_equal(&cfg.generation, &want.generation, sizeof cfg.generation);
    kz_config_free(&cfg);
    kz_config_free(&want);
    kz_gguf_close(&g);
    close_source(&s);
}

static void test_round_trips(void **state) {
    (void)state;
    round_trip("tiny-cv");
    round_trip("mtp-vd");
    round_trip("odd-base");
}

static void test_quantised(void **state) {
    source s;
    kz_gguf_model g;
    kz_err err = {""};
    (void)state;
    open_source(&s, "tiny-cv");
    s.c.talker = KZ_QUANT_Q4_0;
    s.c.predictor = KZ_QUANT_Q8;
    assert_int_equal(kz_gguf_write(in_folder("m.gguf"), &s.c, &err), KZTTS_OK);
    assert_int_equal(kz_gguf_open(&g, in_folder("m.gguf"), NULL, KZ_GGUF_MODEL, &err), KZTTS_OK);
    check_tensors(s.weights, g.weights, false);
    const kz_weights *w = g.weights;
    assert_int_equal(kz_weights_find(w, "talker.model.layers.0.mlp.up_proj.weight")->type, KZ_Q4_0);
    assert_int_equal(kz_weights_find(w, "talker.codec_head.weight")->type, KZ_Q4_0);
    assert_int_equal(kz_weights_find(w, "talker.code_predictor.lm_head.3.weight")->type, KZ_Q8);
    assert_int_equal(kz_weights_find(w, "talker.model.text_embedding.weight")->type, KZ_BF16);
    assert_int_equal(kz_weights_find(w, "talker.text_projection.linear_fc1.weight")->type, KZ_BF16);
    assert_int_equal(kz_weights_find(w, "talker.model.norm.weight")->type, KZ_F32);
    kz_gguf_close(&g);
    close_source(&s);
}

static bool no_more(void *user, uint64_t done, uint64_t total) {
    (void)user;
    return done < total / 2;
}

static void test_not_written(void **state) {
    source s;
    kz_err err = {""};
    (void)state;
    open_source(&s, "tiny-cv");
    assert_int_equal(kz_gguf_write(in_folder("m.bin"), &s.c, &err), KZTTS_ERROR_ARGUMENT);
    (void)unlink(in_folder("m.gguf"));
    (void)unlink(in_folder("m-tokenizer.gguf"));
    s.c.progress = no_more;
    assert_int_equal(kz_gguf_write(in_folder("m.gguf"), &s.c, &err), KZTTS_END);
    assert_false(kz_file_exists(in_folder("m.gguf")) || kz_file_exists(in_folder("m-tokenizer.gguf")));
    s.c.progress = NULL;
    assert_int_equal(kz_gguf_write(in_folder("m.gguf"), &s.c, &err), KZTTS_OK);
    s.c.overwrite = false;
    assert_int_equal(kz_gguf_write(in_folder("m.gguf"), &s.c, &err), KZTTS_ERROR_ARGUMENT);
    close_source(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),     cmocka_unit_test(test_names_refused),
                                       cmocka_unit_test(test_stack),     cmocka_unit_test(test_round_trips),
                                       cmocka_unit_test(test_quantised), cmocka_unit_test(test_not_written)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
