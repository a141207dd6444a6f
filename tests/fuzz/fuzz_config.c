/* fuzz_config.c: any bytes as the three files of settings.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: config.json, a zero byte, generation_config.json, a zero byte, speech_tokenizer/config.json. An empty part
 * stands for a good file, so that each reader is reached without the others being guessed right. */
#include <stdlib.h>
#include <string.h>

#include "weights/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define STACK                                                                                                          \
    "\"num_hidden_layers\":2,\"hidden_size\":64,\"intermediate_size\":80,\"num_attention_heads\":4,"                   \
    "\"num_key_value_heads\":2,\"head_dim\":16,\"rms_norm_eps\":1e-6,\"rope_theta\":10000,"

static const char good_config[] =
    "{\"model_type\":\"qwen3_tts\",\"tokenizer_type\":\"qwen3_tts_tokenizer_12hz\",\"tts_model_type\":\"custom_voice\","
    "\"tts_model_size\":\"1b7\",\"im_start_token_id\":1,\"im_end_token_id\":2,\"assistant_token_id\":3,"
    "\"tts_pad_token_id\":4,\"tts_bos_token_id\":5,\"tts_eos_token_id\":6,\"talker_config\":{" STACK
    "\"num_code_groups\":8,\"vocab_size\":1088,\"text_vocab_size\":400,\"text_hidden_size\":50,\"codec_pad_id\":1,"
    "\"codec_bos_id\":2,\"codec_eos_token_id\":3,\"codec_think_id\":4,\"codec_nothink_id\":5,\"codec_think_bos_id\":6,"
    "\"codec_think_eos_id\":7,\"codec_language_id\":{\"english\":8},\"code_predictor_config\":{" STACK
    "\"num_code_groups\":8,\"vocab_size\":64}}}";

static const char good_codec[] =
    "{\"model_type\":\"qwen3_tts_tokenizer_12hz\",\"output_sample_rate\":24000,\"decode_upsample_rate\":1920,"
    "\"decoder_config\":{" STACK "\"sliding_window\":11,\"num_quantizers\":8,\"codebook_size\":64,\"codebook_dim\":36,"
    "\"latent_dim\":60,\"decoder_dim\":80,\"upsampling_ratios\":[2,2],\"upsample_rates\":[8,5,4,3]}}";

/* Takes the next part off the input. */
static kz_text_file next_part(const uint8_t **data, size_t *n, const char *good) {
    const uint8_t *end = *n ? memchr(*data, 0, *n) : NULL;
    size_t n_part = end ? (size_t)(end - *data) : *n, n_skip = n_part + (end != NULL);
    kz_text_file part = {(const char *)*data, n_part, NULL};
    *data += n_skip;
    *n -= n_skip;
    if (!n_part)
        part = (kz_text_file){good, good ? strlen(good) : 0, NULL};
    return part;
}

static void check(const kz_config *c) {
    char near[64];
    if (c->n_code != c->codec.n_code || c->codec.codebook_size != c->sub_vocab || c->talker.n_head % c->talker.n_kv)
        abort();
    for (size_t i = 0; i < c->n_speaker; i++)
        if (kz_named_find(c->speakers, c->n_speaker, c->speakers[i].name) != &c->speakers[i])
            abort();
    kz_named_near(near, sizeof near, c->speakers, c->n_speaker, c->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    kz_config c;
    kz_err err = {""};
    kz_text_file config = next_part(&data, &n, good_config), generation = next_part(&data, &n, NULL),
                 codec = next_part(&data, &n, good_codec);
    if (kz_config_parse(&c, &config, &generation, &codec, &err) == KZTTS_OK)
        check(&c);
    else if (!err.message[0] || c.languages || c.speakers)
        abort();
    kz_config_free(&c);
    return 0;
}
