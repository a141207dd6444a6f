/* scheme_ab.c: layouts A and B, which share their tensors' names.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/scheme.h"

/* ---- tensors ----------------------------------------------------------------------------------------------- */

const kz_gg_part kz_gg_llama_layer[] = {
    {"attn_norm.weight", "input_layernorm.weight"},
    {"attn_norm.bias", "input_layernorm.bias"},
    {"ffn_norm.weight", "post_attention_layernorm.weight"},
    {"ffn_norm.bias", "post_attention_layernorm.bias"},
    {"attn_q.weight", "self_attn.q_proj.weight"},
    {"attn_k.weight", "self_attn.k_proj.weight"},
    {"attn_v.weight", "self_attn.v_proj.weight"},
    {"attn_output.weight", "self_attn.o_proj.weight"},
    {"attn_q_norm.weight", "self_attn.q_norm.weight"},
    {"attn_k_norm.weight", "self_attn.k_norm.weight"},
    {"ffn_gate.weight", "mlp.gate_proj.weight"},
    {"ffn_up.weight", "mlp.up_proj.weight"},
    {"ffn_down.weight", "mlp.down_proj.weight"},
    {"attn_scale", "self_attn_layer_scale.scale"},
    {"ffn_scale", "mlp_layer_scale.scale"},
    {0},
};

/* The codec encoder's layers have a plain MLP, under the same names. */
static const kz_gg_part encoder_layer[] = {
    {"attn_norm.weight", "input_layernorm.weight"},
    {"attn_norm.bias", "input_layernorm.bias"},
    {"ffn_norm.weight", "post_attention_layernorm.weight"},
    {"ffn_norm.bias", "post_attention_layernorm.bias"},
    {"attn_q.weight", "self_attn.q_proj.weight"},
    {"attn_k.weight", "self_attn.k_proj.weight"},
    {"attn_v.weight", "self_attn.v_proj.weight"},
    {"attn_output.weight", "self_attn.o_proj.weight"},
    {"ffn_up.weight", "mlp.fc1.weight"},
    {"ffn_down.weight", "mlp.fc2.weight"},
    {"attn_scale", "self_attn_layer_scale.scale"},
    {"ffn_scale", "mlp_layer_scale.scale"},
    {0},
};

static const kz_gg_name talker_names[] = {
    {"talker.text_embd.*", "talker.model.text_embedding.*", NULL},
    {"talker.codec_embd.*", "talker.model.codec_embedding.*", NULL},
    {"talker.output_norm.*", "talker.model.norm.*", NULL},
    {"talker.codec_head.*", "talker.codec_head.*", NULL},
    {"talker.text_proj.fc#.*", "talker.text_projection.linear_fc#.*", NULL},
    {"talker.blk.#.@", "talker.model.layers.#.@", kz_gg_llama_layer},
    {"code_pred.blk.#.@", "talker.code_predictor.model.layers.#.@", kz_gg_llama_layer},
    {"code_pred.output_norm.*", "talker.code_predictor.model.norm.*", NULL},
    {"code_pred.mtp_proj.*", "talker.code_predictor.small_to_mtp_projection.*", NULL},
    {"code_pred.codec_embd.*", "talker.code_predictor.model.codec_embedding.*", NULL},
    {"code_pred.lm_head.*", "talker.code_predictor.lm_head.*", NULL},
    {"spk_enc.conv0.*", "speaker_encoder.blocks.0.conv.*", NULL},
    {"spk_enc.blk.#.res2net.#.*", "speaker_encoder.blocks.#.res2net_block.blocks.#.conv.*", NULL},
    {"spk_enc.blk.#.se.*", "speaker_encoder.blocks.#.se_block.*", NULL},
    {"spk_enc.blk.#.tdnn#.*", "speaker_encoder.blocks.#.tdnn#.conv.*", NULL},
    {"spk_enc.mfa.*", "speaker_encoder.mfa.conv.*", NULL},
    {"spk_enc.asp.tdnn.*", "speaker_encoder.asp.tdnn.conv.*", NULL},
    {"spk_enc.asp.conv.*", "speaker_encoder.asp.conv.*", NULL},
    {"spk_enc.fc.*", "speaker_encoder.fc.*", NULL},
    {0},
};

#define QUANTIZER "encoder.quantizer."
#define SEMANTIC QUANTIZER "semantic_residual_vector_quantizer."
#define ACOUSTIC QUANTIZER "acoustic_residual_vector_quantizer."

/* first: the number that the file gives the first residual unit, which is a checkpoint's second */
#define CODEC_NAMES(unit)                                                                                              \
    {"tok_enc.conv.#.*", "encoder.encoder.layers.#.conv.*", NULL},                                                     \
        {"tok_enc.res.#.blk.#.*", "encoder.encoder.layers.#.block.#.conv.*", NULL},                                    \
        {"tok_enc.blk.#.@", "encoder.encoder_transformer.layers.#.@", encoder_layer},                                  \
        {"tok_enc.downsample.*", "encoder.downsample.conv.*", NULL},                                                   \
        {"tok_enc.vq_semantic.#.codebook", SEMANTIC "layers.#.codebook.embed_sum", NULL},                              \
        {"tok_enc.vq_semantic.#.usage", SEMANTIC "layers.#.codebook.cluster_usage", NULL},                             \
        {"tok_enc.vq_acoustic.#.codebook", ACOUSTIC "layers.#.codebook.embed_sum", NULL},                              \
        {"tok_enc.vq_acoustic.#.usage", ACOUSTIC "layers.#.codebook.cluster_usage", NULL},                             \
        {"tok_enc.vq_semantic.input_proj.*", SEMANTIC "input_proj.*", NULL},                                           \
        {"tok_enc.vq_acoustic.input_proj.*", ACOUSTIC "input_proj.*", NULL},                                           \
        {"tok_enc.vq_semantic.output_proj.*", SEMANTIC "output_proj.*", NULL},                                         \
        {"tok_enc.vq_acoustic.output_proj.*", ACOUSTIC "output_proj.*", NULL},                                         \
        {"tok_dec.pre_conv.*", "decoder.pre_conv.conv.*", NULL},                                                       \
        {"tok_dec.pre_tfm.blk.#.@", "decoder.pre_transformer.layers.#.@", kz_gg_llama_layer},                          \
        {"tok_dec.pre_tfm.*", "decoder.pre_transformer.*", NULL},                                                      \
        {"tok_dec.upsample.#.conv.*", "decoder.upsample.#.0.conv.*", NULL},                                            \
        {"tok_dec.upsample.#.dwconv.*", "decoder.upsample.#.1.dwconv.conv.*", NULL},                                   \
        {"tok_dec.upsample.#.*", "decoder.upsample.#.1.*", NULL},                                                      \
        {"tok_dec.dec.0.conv.*", "decoder.decoder.0.conv.*", NULL},                                                    \
        {"tok_dec.dec.6.conv.*", "decoder.decoder.6.conv.*", NULL},                                                    \
        {"tok_dec.dec.5.snake.*", "decoder.decoder.5.*", NULL},                                                        \
        {"tok_dec.dec.#.snake.*", "decoder.decoder.#.block.0.*", NULL},                                                \
        {"tok_dec.dec.#.conv_t.*", "decoder.decoder.#.block.1.conv.*", NULL},                                          \
        {"tok_dec.dec.#.res." unit ".act#.*", "decoder.decoder.#.block.#+2.act#.*", NULL},                             \
        {"tok_dec.dec.#.res." unit ".conv#.*", "decoder.decoder.#.block.#+2.conv#.conv.*", NULL},                      \
        {"tok_dec.vq_first.#.codebook", "decoder.quantizer.rvq_first.vq.layers.#._codebook.embedding_sum", NULL},      \
        {"tok_dec.vq_first.#.usage", "decoder.quantizer.rvq_first.vq.layers.#._codebook.cluster_usage", NULL},         \
        {"tok_dec.vq_rest.#.codebook", "decoder.quantizer.rvq_rest.vq.layers.#._codebook.embedding_sum", NULL},        \
        {"tok_dec.vq_rest.#.usage", "decoder.quantizer.rvq_rest.vq.layers.#._codebook.cluster_usage", NULL},           \
        {"tok_dec.vq_first.output_proj.*", "decoder.quantizer.rvq_first.output_proj.*", NULL},                         \
        {"tok_dec.vq_rest.output_proj.*", "decoder.quantizer.rvq_rest.output_proj.*", NULL}, {0}

static const kz_gg_name codec_names[] = {CODEC_NAMES("#")};
const kz_gg_name kz_gg_raw_codec_names[] = {CODEC_NAMES("#+2")};

/* ---- settings that no key gives ----------------------------------------------------------------------------- */

#define CONSTANTS                                                                                                      \
    {"model_type", NULL, 's', "\"qwen3_tts\""}, {"tokenizer_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""}

/* ---- A ----------------------------------------------------------------------------------------------------- */

#define STACK(path, key)                                                                                               \
    {path "hidden_size", key "embedding_length", 'i', NULL},                                                           \
        {path "intermediate_size", key "feed_forward_length", 'i', NULL},                                              \
        {path "num_hidden_layers", key "block_count", 'i', NULL}, {path "vocab_size", key "vocab_size", 'i', NULL},    \
        {path "num_attention_heads", key "attention.head_count", 'i', NULL},                                           \
        {path "num_key_value_heads", key "attention.head_count_kv", 'i', NULL},                                        \
        {path "head_dim", key "attention.key_length", 'i', NULL},                                                      \
        {path "rms_norm_eps", key "attention.layer_norm_rms_epsilon", 'f', NULL},                                      \
        {path "rope_theta", key "rope.freq_base", 'f', NULL},                                                          \
        {path "max_position_embeddings", key "context_length", 'i', ""}

#define T "talker_config."
#define P T "code_predictor_config."

static const kz_gg_key a_config[] = {
    CONSTANTS,
    {"tts_model_type", "qwen3-tts.model_type", 's', NULL},
    STACK(T, "qwen3-tts.talker."),
    {"tts_model_size", "qwen3-tts.model_size", 's', "!"},
    {T "num_code_groups", "qwen3-tts.num_code_groups", 'i', NULL},
    {T "text_vocab_size", "qwen3-tts.talker.text_vocab_size", 'i', NULL},
    {T "text_hidden_size", "qwen3-tts.talker.text_hidden_size", 'i', NULL},
    {T "rope_scaling.mrope_section", "qwen3-tts.talker.rope.mrope_section", 'I', ""},
    {T "rope_scaling.interleaved", "qwen3-tts.talker.mrope_interleaved", 'b', ""},
    {T "position_id_per_seconds", "qwen3-tts.talker.position_id_per_seconds", 'i', ""},
    STACK(P, "qwen3-tts.code_pred."),
    {P "num_code_groups", NULL, 'i', "@" T "num_code_groups"},
    {"speaker_encoder_config.enc_dim", "qwen3-tts.spk_enc.embedding_length", 'i', ""},
    {"speaker_encoder_config.sample_rate", "qwen3-tts.spk_enc.sample_rate", 'i', ""},
    {T "codec_pad_id", "qwen3-tts.codec.pad_id", 'i', NULL},
    {T "codec_bos_id", "qwen3-tts.codec.bos_id", 'i', NULL},
    {T "codec_eos_token_id", "qwen3-tts.codec.eos_id", 'i', NULL},
    {T "codec_think_id", "qwen3-tts.codec.think_id", 'i', NULL},
    {T "codec_nothink_id", "qwen3-tts.codec.nothink_id", 'i', NULL},
    {T "codec_think_bos_id", "qwen3-tts.codec.think_bos_id", 'i', NULL},
    {T "codec_think_eos_id", "qwen3-tts.codec.think_eos_id", 'i', NULL},
    {"im_start_token_id", "qwen3-tts.text.im_start_id", 'i', NULL},
    {"im_end_token_id", "qwen3-tts.text.im_end_id", 'i', NULL},
    {"tts_pad_token_id", "qwen3-tts.text.tts_pad_id", 'i', NULL},
    {"tts_bos_token_id", "qwen3-tts.text.tts_bos_id", 'i', NULL},
    {"tts_eos_token_id", "qwen3-tts.text.tts_eos_id", 'i', NULL},
    {"assistant_token_id", NULL, 'i', "?assistant:77091"},
    {0},
};

static const kz_gg_key a_generation[] = {
    {"do_sample", "generation.do_sample", 'b', ""},
    {"top_k", "generation.top_k", 'i', ""},
    {"top_p", "generation.top_p", 'f', ""},
    {"temperature", "generation.temperature", 'f', ""},
    {"repetition_penalty", "generation.repetition_penalty", 'f', ""},
    {"max_new_tokens", "generation.max_new_tokens", 'i', ""},
    {"subtalker_dosample", "generation.subtalker_do_sample", 'b', ""},
    {"subtalker_top_k", "generation.subtalker_top_k", 'i', ""},
    {"subtalker_top_p", "generation.subtalker_top_p", 'f', ""},
    {"subtalker_temperature", "generation.subtalker_temperature", 'f', ""},
    {0},
};

static const kz_gg_lists a_lists = {"qwen3-tts.codec.language_names", "qwen3-tts.codec.language_ids",
                                    "qwen3-tts.codec.speaker_names", "qwen3-tts.codec.speaker_ids",
                                    "qwen3-tts.codec.speaker_dialects"};

#define D "decoder_config."
#define E "encoder_config."
#define KEY "qwen3-tts-tokenizer."

static const kz_gg_key a_codec[] = {
    {"model_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {"input_sample_rate", KEY "input_sample_rate", 'i', ""},
    {"output_sample_rate", KEY "output_sample_rate", 'i', NULL},
    {"decode_upsample_rate", KEY "decode_upsample_rate", 'i', NULL},
    {"encode_downsample_rate", KEY "encode_downsample_rate", 'i', ""},
    {"encoder_valid_num_quantizers", KEY "encoder_valid_num_quantizers", 'i', ""},
    {D "latent_dim", KEY "decoder.latent_dim", 'i', NULL},
    {D "codebook_dim", KEY "decoder.codebook_dim", 'i', NULL},
    {D "codebook_size", KEY "decoder.codebook_size", 'i', NULL},
    {D "decoder_dim", KEY "decoder.decoder_dim", 'i', NULL},
    {D "hidden_size", KEY "decoder.hidden_size", 'i', NULL},
    {D "intermediate_size", KEY "decoder.intermediate_size", 'i', NULL},
    {D "head_dim", KEY "decoder.head_dim", 'i', NULL},
    {D "num_attention_heads", KEY "decoder.num_attention_heads", 'i', NULL},
    {D "num_key_value_heads", KEY "decoder.num_key_value_heads", 'i', NULL},
    {D "num_hidden_layers", KEY "decoder.num_hidden_layers", 'i', NULL},
    {D "num_quantizers", KEY "decoder.num_quantizers", 'i', NULL},
    {D "num_semantic_quantizers", KEY "decoder.num_semantic_quantizers", 'i', ""},
    {D "rms_norm_eps", KEY "decoder.rms_norm_eps", 'f', NULL},
    {D "rope_theta", KEY "decoder.rope_theta", 'f', NULL},
    {D "sliding_window", KEY "decoder.sliding_window", 'i', "72"},
    {D "layer_scale_initial_scale", KEY "decoder.layer_scale_initial_scale", 'f', ""},
    {D "upsample_rates", KEY "decoder.upsample_rates", 'I', NULL},
    {D "upsampling_ratios", KEY "decoder.upsampling_ratios", 'I', NULL},
    {D "vector_quantization_hidden_dimension", KEY "decoder.vector_quantization_hidden_dim", 'i', ""},
    {E "num_filters", KEY "encoder.num_filters", 'i', ""},
    {E "kernel_size", KEY "encoder.kernel_size", 'i', ""},
    {E "last_kernel_size", KEY "encoder.last_kernel_size", 'i', ""},
    {E "residual_kernel_size", KEY "encoder.residual_kernel_size", 'i', ""},
    {E "num_residual_layers", KEY "encoder.num_residual_layers", 'i', ""},
    {E "dilation_growth_rate", KEY "encoder.dilation_growth_rate", 'i', ""},
    {E "compress", KEY "encoder.compress", 'i', ""},
    {E "upsampling_ratios", KEY "encoder.upsampling_ratios", 'I', ""},
    {E "hidden_size", KEY "encoder.hidden_size", 'i', ""},
    {E "intermediate_size", KEY "encoder.intermediate_size", 'i', ""},
    {E "head_dim", KEY "encoder.head_dim", 'i', ""},
    {E "num_attention_heads", KEY "encoder.num_attention_heads", 'i', ""},
    {E "num_key_value_heads", KEY "encoder.num_key_value_heads", 'i', ""},
    {E "num_hidden_layers", KEY "encoder.num_hidden_layers", 'i', ""},
    {E "norm_eps", KEY "encoder.norm_eps", 'f', ""},
    {E "rope_theta", KEY "encoder.rope_theta", 'f', ""},
    {E "layer_scale_initial_scale", KEY "encoder.layer_scale_initial_scale", 'f', ""},
    {E "codebook_dim", KEY "encoder.codebook_dim", 'i', ""},
    {E "codebook_size", KEY "encoder.codebook_size", 'i', ""},
    {E "num_quantizers", KEY "encoder.num_quantizers", 'i', ""},
    {E "num_semantic_quantizers", KEY "encoder.num_semantic_quantizers", 'i', ""},
    {E "vector_quantization_hidden_dimension", KEY "encoder.vector_quantization_hidden_dim", 'i', ""},
    {E "sampling_rate", NULL, 'i', "@input_sample_rate"},
    {0},
};

const kz_gg_scheme kz_gg_a = {.name = 'A',
                              .architecture = "qwen3-tts",
                              .key = "qwen3-tts.talker.block_count",
                              .names = talker_names,
                              .config = a_config,
                              .generation = a_generation,
                              .lists = &a_lists};

const kz_gg_scheme kz_gg_a_codec = {.name = 'A',
                                    .is_codec = true,
                                    .architecture = "qwen3-tts-tokenizer",
                                    .key = KEY "decoder.num_hidden_layers",
                                    .names = codec_names,
                                    .codec = a_codec};

/* ---- B ----------------------------------------------------------------------------------------------------- */

#define Q "qwen3-tts."

/* Older files say less; what they leave out is as in the released models. */
static const kz_gg_key b_config[] = {
    CONSTANTS,
    {"tts_model_type", Q "model_type|" Q "tts_model_type", 's', "\"base\""},
    {T "hidden_size", Q "embedding_length", 'i', NULL},
    {T "intermediate_size", Q "feed_forward_length", 'i', NULL},
    {T "num_hidden_layers", Q "block_count", 'i', NULL},
    {T "vocab_size", Q "vocab_size|" Q "talker.codec_vocab_size", 'i', "#talker.codec_head.weight:0"},
    {T "num_attention_heads", Q "attention.head_count", 'i', NULL},
    {T "num_key_value_heads", Q "attention.head_count_kv", 'i', NULL},
    {T "head_dim", Q "attention.key_length", 'i', "#talker.model.layers.0.self_attn.q_norm.weight:0"},
    {T "rms_norm_eps", Q "attention.layer_norm_rms_epsilon", 'f', "1e-6"},
    {T "rope_theta", Q "rope.freq_base", 'f', "1e6"},
    {"tts_model_size", Q "model_size|" Q "tts_model_size", 's', "!"},
    {T "num_code_groups", Q "num_code_groups|" Q "talker.num_codebooks", 'i', "16"},
    {T "text_vocab_size", Q "text_vocab_size", 'i', "#talker.model.text_embedding.weight:0"},
    {T "text_hidden_size", Q "text_hidden_size", 'i', "#talker.model.text_embedding.weight:1"},
    {P "num_hidden_layers", Q "code_predictor.layer_count|" Q "code_pred.layer_count", 'i', NULL},
    {P "vocab_size", Q "code_predictor.vocab_size", 'i', "#talker.code_predictor.lm_head.0.weight:0"},
    {P "hidden_size", Q "code_predictor.embedding_length", 'i', "#talker.code_predictor.model.norm.weight:0"},
    {P "intermediate_size", Q "code_predictor.feed_forward_length", 'i',
     "#talker.code_predictor.model.layers.0.mlp.gate_proj.weight:0"},
    {P "head_dim", NULL, 'i', "#talker.code_predictor.model.layers.0.self_attn.q_norm.weight:0"},
    {P "num_attention_heads", NULL, 'i',
     "#talker.code_predictor.model.layers.0.self_attn.q_proj.weight:0/" P "head_dim"},
    {P "num_key_value_heads", NULL, 'i',
     "#talker.code_predictor.model.layers.0.self_attn.k_proj.weight:0/" P "head_dim"},
    {P "rms_norm_eps", NULL, 'f', "@" T "rms_norm_eps"},
    {P "rope_theta", NULL, 'f', "@" T "rope_theta"},
    {P "num_code_groups", NULL, 'i', "@" T "num_code_groups"},
    {"speaker_encoder_config.enc_dim", Q "speaker_encoder.embedding_length", 'i', ""},
    {"speaker_encoder_config.sample_rate", Q "speaker_encoder.sample_rate", 'i', ""},
    {T "codec_pad_id", Q "codec.pad_id|" Q "codec_pad_id", 'i', "2148"},
    {T "codec_bos_id", Q "codec.bos_id|" Q "codec_bos_id", 'i', "2149"},
    {T "codec_eos_token_id", Q "codec.eos_id|" Q "codec.eos_token_id|" Q "codec_eos_id", 'i', "2150"},
    {T "codec_think_id", Q "codec.think_id|" Q "codec_think_id", 'i', "2154"},
    {T "codec_nothink_id", Q "codec.nothink_id|" Q "codec_nothink_id", 'i', "2155"},
    {T "codec_think_bos_id", Q "codec.think_bos_id|" Q "codec_think_bos_id", 'i', "2156"},
    {T "codec_think_eos_id", Q "codec.think_eos_id|" Q "codec_think_eos_id", 'i', "2157"},
    {"im_start_token_id", Q "text.im_start_id|" Q "im_start_token_id", 'i', "?<|im_start|>:151644"},
    {"im_end_token_id", Q "text.im_end_id|" Q "im_end_token_id", 'i', "?<|im_end|>:151645"},
    {"tts_pad_token_id", Q "text.tts_pad_id|" Q "tts.pad_token_id|" Q "tts_pad_token_id", 'i', "?<tts_pad>:151671"},
    {"tts_bos_token_id", Q "text.tts_bos_id|" Q "tts.bos_token_id|" Q "tts_bos_token_id", 'i',
     "?<tts_text_bos>:151672"},
    {"tts_eos_token_id", Q "text.tts_eos_id|" Q "tts.eos_token_id|" Q "tts_eos_token_id", 'i',
     "?<tts_text_eod>:151673"},
    {"assistant_token_id", NULL, 'i', "?assistant:77091"},
    {0},
};

static const kz_gg_lists b_lists = {Q "language.names", Q "language.ids", Q "speaker.names", Q "speaker.ids",
                                    Q "speaker.dialects"};

/* Much of it follows from the tensors (settings.c). */
static const kz_gg_key b_codec[] = {
    {"model_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {"output_sample_rate", KEY "sample_rate", 'i', "24000"},
    {D "num_quantizers", KEY "num_codebooks", 'i', NULL},
    {D "codebook_size", KEY "codebook_size", 'i', ""},
    {D "upsample_rates", KEY "upsample_rates", 'I', ""},
    {D "num_hidden_layers", KEY "decoder.num_layers", 'i', ""},
    {D "num_attention_heads", KEY "decoder.num_heads", 'i', ""},
    {D "head_dim", KEY "decoder.head_dim", 'i', ""},
    {D "sliding_window", KEY "decoder.sliding_window", 'i', ""},
    {D "rms_norm_eps", KEY "decoder.rms_norm_eps", 'f', ""},
    {D "rope_theta", KEY "decoder.rope_theta", 'f', ""},
    {E "num_hidden_layers", KEY "encoder.num_layers", 'i', ""},
    {E "num_attention_heads", KEY "encoder.num_heads", 'i', ""},
    {0},
};

const kz_gg_scheme kz_gg_b = {.name = 'B',
                              .architecture = "qwen3-tts",
                              .key = "qwen3-tts.block_count",
                              .names = talker_names,
                              .config = b_config,
                              .generation = a_generation,
                              .lists = &b_lists};

const kz_gg_scheme kz_gg_b_codec = {.name = 'B',
                                    .is_codec = true,
                                    .architecture = "qwen3-tts-tokenizer",
                                    .key = KEY "num_codebooks",
                                    .names = codec_names,
                                    .codec = b_codec};
