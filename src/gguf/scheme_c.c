/* scheme_c.c: layout C.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/scheme.h"

/* ---- tensors ----------------------------------------------------------------------------------------------- */

static const kz_gg_name talker_names[] = {
    {"talker.token_embd_text.*", "talker.model.text_embedding.*", NULL},
    {"talker.token_embd.*", "talker.model.codec_embedding.*", NULL},
    {"talker.output_norm.*", "talker.model.norm.*", NULL},
    {"talker.output.*", "talker.codec_head.*", NULL},
    {"talker.text_proj.fc#.*", "talker.text_projection.linear_fc#.*", NULL},
    {"talker.blk.#.@", "talker.model.layers.#.@", kz_gg_llama_layer},
    {"code_pred.blk.#.@", "talker.code_predictor.model.layers.#.@", kz_gg_llama_layer},
    {"code_pred.output_norm.*", "talker.code_predictor.model.norm.*", NULL},
    {"code_pred.small_to_mtp.*", "talker.code_predictor.small_to_mtp_projection.*", NULL},
    /* as its converter writes it */
    {"talker.code_predictor.small_to_mtp_projection.*", "talker.code_predictor.small_to_mtp_projection.*", NULL},
    {"code_pred.token_embd.*", "talker.code_predictor.model.codec_embedding.*", NULL},
    {"code_pred.output.*", "talker.code_predictor.lm_head.*", NULL},
    {"speaker.*", "speaker_encoder.*", NULL},
    {0},
};

static const kz_gg_part both[] = {{"w", "weight"}, {"b", "bias"}, {0}};
static const kz_gg_part snake[] = {{"a", "alpha"}, {"b", "beta"}, {0}};

static const kz_gg_part decoder_layer[] = {
    {"attn_norm_w", "input_layernorm.weight"},
    {"attn_q_w", "self_attn.q_proj.weight"},
    {"attn_k_w", "self_attn.k_proj.weight"},
    {"attn_v_w", "self_attn.v_proj.weight"},
    {"attn_o_w", "self_attn.o_proj.weight"},
    {"attn_ls_w", "self_attn_layer_scale.scale"},
    {"ffn_norm_w", "post_attention_layernorm.weight"},
    {"ffn_gate_w", "mlp.gate_proj.weight"},
    {"ffn_up_w", "mlp.up_proj.weight"},
    {"ffn_down_w", "mlp.down_proj.weight"},
    {"ffn_ls_w", "mlp_layer_scale.scale"},
    {0},
};

static const kz_gg_part encoder_layer[] = {
    {"norm1_w", "input_layernorm.weight"},
    {"norm1_b", "input_layernorm.bias"},
    {"norm2_w", "post_attention_layernorm.weight"},
    {"norm2_b", "post_attention_layernorm.bias"},
    {"attn_q_w", "self_attn.q_proj.weight"},
    {"attn_k_w", "self_attn.k_proj.weight"},
    {"attn_v_w", "self_attn.v_proj.weight"},
    {"attn_o_w", "self_attn.o_proj.weight"},
    {"attn_ls", "self_attn_layer_scale.scale"},
    {"fc1_w", "mlp.fc1.weight"},
    {"fc2_w", "mlp.fc2.weight"},
    {"ffn_ls", "mlp_layer_scale.scale"},
    {0},
};

/* The encoder's stages: a residual unit, then a strided convolution, three apart in a checkpoint's list. */
#define STAGE(s, unit, down)                                                                                           \
    {"codec.enc.seanet.blk." s ".short_@", "encoder.encoder.layers." unit ".block.1.conv.@", both},                    \
        {"codec.enc.seanet.blk." s ".exp_@", "encoder.encoder.layers." unit ".block.3.conv.@", both}, {                \
        "codec.enc.seanet.ds." s ".@", "encoder.encoder.layers." down ".conv.@", both                                  \
    }

static const kz_gg_name codec_names[] = {
    {"codec.dec.rvq_first.codebook", "decoder.quantizer.rvq_first.vq.layers.0._codebook.embedding_sum", NULL},
    {"codec.dec.rvq_rest.#.codebook", "decoder.quantizer.rvq_rest.vq.layers.#._codebook.embedding_sum", NULL},
    {"codec.dec.rvq_first.out_proj_@", "decoder.quantizer.rvq_first.output_proj.@", both},
    {"codec.dec.rvq_rest.out_proj_@", "decoder.quantizer.rvq_rest.output_proj.@", both},
    {"codec.dec.pre_conv_@", "decoder.pre_conv.conv.@", both},
    {"codec.dec.xfmr.in_proj_@", "decoder.pre_transformer.input_proj.@", both},
    {"codec.dec.xfmr.out_proj_@", "decoder.pre_transformer.output_proj.@", both},
    {"codec.dec.xfmr.norm_@", "decoder.pre_transformer.norm.@", both},
    {"codec.dec.xfmr.blk.#.@", "decoder.pre_transformer.layers.#.@", decoder_layer},
    {"codec.dec.up.#.tconv_@", "decoder.upsample.#.0.conv.@", both},
    {"codec.dec.up.#.cnx.dw_@", "decoder.upsample.#.1.dwconv.conv.@", both},
    {"codec.dec.up.#.cnx.norm_@", "decoder.upsample.#.1.norm.@", both},
    {"codec.dec.up.#.cnx.pw#_@", "decoder.upsample.#.1.pwconv#.@", both},
    {"codec.dec.up.#.cnx.gamma", "decoder.upsample.#.1.gamma", NULL},
    {"codec.dec.in_conv_@", "decoder.decoder.0.conv.@", both},
    {"codec.dec.blk.#.snake_@", "decoder.decoder.#+1.block.0.@", snake},
    {"codec.dec.blk.#.tconv_@", "decoder.decoder.#+1.block.1.conv.@", both},
    {"codec.dec.blk.#.res.#.act#_@", "decoder.decoder.#+1.block.#+2.act#.@", snake},
    {"codec.dec.blk.#.res.#.conv#_@", "decoder.decoder.#+1.block.#+2.conv#.conv.@", both},
    {"codec.dec.out_snake_@", "decoder.decoder.5.@", snake},
    {"codec.dec.out_conv_@", "decoder.decoder.6.conv.@", both},
    {"codec.enc.seanet.init_@", "encoder.encoder.layers.0.conv.@", both},
    STAGE("0", "1", "3"),
    STAGE("1", "4", "6"),
    STAGE("2", "7", "9"),
    STAGE("3", "10", "12"),
    {"codec.enc.seanet.final_@", "encoder.encoder.layers.14.conv.@", both},
    {"codec.enc.xfmr.blk.#.@", "encoder.encoder_transformer.layers.#.@", encoder_layer},
    {"codec.enc.ds_@", "encoder.downsample.conv.@", both},
    {"codec.enc.rvq.sem.in_@", "encoder.quantizer.semantic_residual_vector_quantizer.input_proj.@", both},
    {"codec.enc.rvq.ac.in_@", "encoder.quantizer.acoustic_residual_vector_quantizer.input_proj.@", both},
    {"codec.enc.rvq.sem.cb", "encoder.quantizer.semantic_residual_vector_quantizer.layers.0.codebook.embed_sum", NULL},
    {"codec.enc.rvq.ac.#.cb", "encoder.quantizer.acoustic_residual_vector_quantizer.layers.#.codebook.embed_sum", NULL},
    {0},
};

/* ---- settings ---------------------------------------------------------------------------------------------- */

#define T "talker_config."
#define P T "code_predictor_config."
#define K "qwen3tts."
#define KT K "talker."
#define KP K "code_pred."

static const kz_gg_key config[] = {
    {"model_type", NULL, 's', "\"qwen3_tts\""},
    {"tokenizer_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {"tts_model_type", K "tts_model_type", 's', NULL},
    {T "hidden_size", KT "d_model", 'i', NULL},
    {"tts_model_size", NULL, 's', "!"},
    {T "intermediate_size", KT "ff_dim", 'i', NULL},
    {T "num_hidden_layers", KT "n_layers", 'i', NULL},
    {T "vocab_size", KT "vocab_size", 'i', NULL},
    {T "num_attention_heads", KT "n_heads", 'i', NULL},
    {T "num_key_value_heads", KT "n_kv_heads", 'i', NULL},
    {T "head_dim", KT "head_dim", 'i', NULL},
    {T "rms_norm_eps", KT "rms_norm_eps", 'f', NULL},
    {T "rope_theta", KT "rope_theta", 'f', NULL},
    {T "max_position_embeddings", KT "max_pos", 'i', ""},
    {T "num_code_groups", KT "n_code_groups", 'i', NULL},
    {T "text_vocab_size", KT "text_vocab_size", 'i', NULL},
    {T "text_hidden_size", KT "text_hidden_size", 'i', NULL},
    {T "position_id_per_seconds", KT "position_id_per_seconds", 'i', ""},
    {P "hidden_size", KP "d_model", 'i', NULL},
    {P "intermediate_size", NULL, 'i', "#talker.code_predictor.model.layers.0.mlp.gate_proj.weight:0"},
    {P "num_hidden_layers", KP "n_layers", 'i', NULL},
    {P "vocab_size", KP "vocab_size", 'i', NULL},
    {P "num_attention_heads", KP "n_heads", 'i', NULL},
    {P "num_key_value_heads", KP "n_kv_heads", 'i', NULL},
    {P "head_dim", NULL, 'i', "#talker.code_predictor.model.layers.0.self_attn.q_norm.weight:0"},
    {P "rms_norm_eps", NULL, 'f', "@" T "rms_norm_eps"},
    {P "rope_theta", NULL, 'f', "@" T "rope_theta"},
    {P "num_code_groups", KP "n_code_groups", 'i', NULL},
    {"speaker_encoder_config.enc_dim", K "speaker.enc_dim", 'i', ""},
    {"speaker_encoder_config.sample_rate", K "speaker.sample_rate", 'i', ""},
    {T "codec_pad_id", KT "codec_pad_id", 'i', "2148"},
    {T "codec_bos_id", KT "codec_bos_id", 'i', "2149"},
    {T "codec_eos_token_id", KT "codec_eos_token_id", 'i', "2150"},
    {T "codec_think_id", KT "codec_think_id", 'i', "2154"},
    {T "codec_nothink_id", KT "codec_nothink_id", 'i', "2155"},
    {T "codec_think_bos_id", KT "codec_think_bos_id", 'i', "2156"},
    {T "codec_think_eos_id", KT "codec_think_eos_id", 'i', "2157"},
    {"im_start_token_id", K "im_start_token_id", 'i', "151644"},
    {"im_end_token_id", K "im_end_token_id", 'i', "151645"},
    {"tts_pad_token_id", K "tts_pad_token_id", 'i', "151671"},
    {"tts_bos_token_id", K "tts_bos_token_id", 'i', "151672"},
    {"tts_eos_token_id", K "tts_eos_token_id", 'i', "151673"},
    {"assistant_token_id", K "assistant_token_id", 'i', "?assistant:77091"},
    {0},
};

static const kz_gg_lists lists = {K "codec_language_names", K "codec_language_ids", K "spk_names", K "spk_token_ids",
                                  K "spk_dialect_token_ids"};

#define D "decoder_config."
#define E "encoder_config."
#define C "qwen3tts_codec."

static const kz_gg_key codec[] = {
    {"model_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {"input_sample_rate", C "input_sample_rate", 'i', ""},
    {"output_sample_rate", C "output_sample_rate", 'i', NULL},
    {"decode_upsample_rate", C "decode_upsample", 'i', ""},
    {"encode_downsample_rate", C "encode_downsample", 'i', ""},
    {D "num_hidden_layers", C "dec.n_layers", 'i', NULL},
    {D "hidden_size", C "dec.d_model", 'i', NULL},
    {D "num_attention_heads", C "dec.n_heads", 'i', NULL},
    {D "head_dim", C "dec.head_dim", 'i', ""},
    {D "intermediate_size", C "dec.ff_dim", 'i', NULL},
    {D "num_quantizers", C "dec.n_quantizers", 'i', NULL},
    {D "num_semantic_quantizers", C "dec.n_semantic_q", 'i', ""},
    {D "codebook_size", C "dec.codebook_size", 'i', NULL},
    {D "latent_dim", C "dec.latent_dim", 'i', NULL},
    {D "decoder_dim", C "dec.decoder_dim", 'i', NULL},
    {D "sliding_window", C "dec.sliding_window", 'i', ""},
    {D "rope_theta", C "dec.rope_theta", 'f', ""},
    {D "rms_norm_eps", C "dec.rms_norm_eps", 'f', ""},
    {D "upsample_rates", C "dec.upsample_rates", 'I', ""},
    {D "upsampling_ratios", C "dec.upsampling_ratios|" C "dec.upsample_ratios_extra", 'I', ""},
    {E "num_hidden_layers", C "enc.n_layers", 'i', ""},
    {E "hidden_size", C "enc.d_model", 'i', ""},
    {E "num_attention_heads", C "enc.n_heads", 'i', ""},
    {E "head_dim", C "enc.head_dim", 'i', ""},
    {E "norm_eps", C "enc.norm_eps", 'f', ""},
    {E "rope_theta", C "enc.rope_theta", 'f', ""},
    {0},
};

const kz_gg_scheme kz_gg_c = {.name = 'C',
                              .architecture = "qwen3tts",
                              .key = KT "n_layers",
                              .names = talker_names,
                              .config = config,
                              .lists = &lists};

const kz_gg_scheme kz_gg_c_codec = {.name = 'C',
                                    .is_codec = true,
                                    .architecture = "qwen3tts_tokenizer",
                                    .key = C "dec.n_layers",
                                    .names = codec_names,
                                    .codec = codec};
