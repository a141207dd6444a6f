/* scheme_d.c: layout D: llama.cpp's.  SPDX-License-Identifier: Apache-2.0
 *
 * The text table lies in front of the codec's in one tensor, has gone through the text projection already, and the
 * codec's special ids are told by the names of the tokens behind the text's (tokens.c). The second file, of
 * architecture "clip", holds the code predictor, the speaker encoder and the codec's decoder, without a word on the
 * latter's settings: they follow from its tensors, or are those of the released models. */
#include "gguf/scheme.h"

/* ---- tensors ----------------------------------------------------------------------------------------------- */

/* token_embd.weight is taken apart by its rows (tensors.c). */
static const kz_gg_name talker_names[] = {
    {"token_embd.weight", "talker.token_embd.weight", NULL},
    {"output_norm.*", "talker.model.norm.*", NULL},
    {"output.*", "talker.codec_head.*", NULL},
    {"blk.#.@", "talker.model.layers.#.@", kz_gg_llama_layer},
    {0},
};

static const kz_gg_part predictor_layer[] = {
    {"ln1.weight", "input_layernorm.weight"},          {"ln2.weight", "post_attention_layernorm.weight"},
    {"attn_q.weight", "self_attn.q_proj.weight"},      {"attn_k.weight", "self_attn.k_proj.weight"},
    {"attn_v.weight", "self_attn.v_proj.weight"},      {"attn_out.weight", "self_attn.o_proj.weight"},
    {"attn_q_norm.weight", "self_attn.q_norm.weight"}, {"attn_k_norm.weight", "self_attn.k_norm.weight"},
    {"ffn_gate.weight", "mlp.gate_proj.weight"},       {"ffn_up.weight", "mlp.up_proj.weight"},
    {"ffn_down.weight", "mlp.down_proj.weight"},       {"ls1.weight", "self_attn_layer_scale.scale"},
    {"ls2.weight", "mlp_layer_scale.scale"},           {0},
};

/* Snake parameters are out of their logarithms here, and have other names therefore. */
static const kz_gg_part snake[] = {{"alpha", "exp_alpha"}, {"beta", "inverse_beta"}, {0}};

#define FIRST "decoder.quantizer.rvq_first."
#define REST "decoder.quantizer.rvq_rest."

static const kz_gg_name media_names[] = {
    {"a.conv1d.0.*", "speaker_encoder.blocks.0.conv.*", NULL},
    {"a.blk.#.res2.#.*", "speaker_encoder.blocks.#.res2net_block.blocks.#.conv.*", NULL},
    {"a.blk.#.se_conv#.*", "speaker_encoder.blocks.#.se_block.conv#.*", NULL},
    {"a.blk.#.conv_pw#.*", "speaker_encoder.blocks.#.tdnn#.conv.*", NULL},
    {"a.conv_out.*", "speaker_encoder.mfa.conv.*", NULL},
    {"a.asp_tdnn.*", "speaker_encoder.asp.tdnn.conv.*", NULL},
    {"a.asp_attn.*", "speaker_encoder.asp.conv.*", NULL},
    {"mm.a.fc.*", "speaker_encoder.fc.*", NULL},
    {"a.gen.code.proj_in.*", "talker.code_predictor.small_to_mtp_projection.*", NULL},
    {"a.gen.code.embd.weight", "talker.code_predictor.model.codec_embedding.%.weight", NULL},
    {"a.gen.code.head.weight", "talker.code_predictor.lm_head.%.weight", NULL},
    {"a.gen.code.output_norm.*", "talker.code_predictor.model.norm.*", NULL},
    {"a.gen.code.blk.#.@", "talker.code_predictor.model.layers.#.@", predictor_layer},
    {"a.gen.wav.quant.first.out_proj.*", FIRST "output_proj.*", NULL},
    {"a.gen.wav.quant.rest.out_proj.*", REST "output_proj.*", NULL},
    {"a.gen.wav.quant.first.codebook.weight", FIRST "vq.layers.0._codebook.embedding_sum", NULL},
    {"a.gen.wav.quant.rest.codebook.weight", REST "vq.layers.%._codebook.embedding_sum", NULL},
    {"a.gen.wav.pre_conv.*", "decoder.pre_conv.conv.*", NULL},
    {"a.gen.wav.tfm.in_proj.*", "decoder.pre_transformer.input_proj.*", NULL},
    {"a.gen.wav.tfm.out_proj.*", "decoder.pre_transformer.output_proj.*", NULL},
    {"a.gen.wav.tfm.output_norm.*", "decoder.pre_transformer.norm.*", NULL},
    {"a.gen.wav.tfm.blk.#.@", "decoder.pre_transformer.layers.#.@", predictor_layer},
    {"a.gen.wav.up.blk.#.conv.*", "decoder.upsample.#.0.conv.*", NULL},
    {"a.gen.wav.up.blk.#.dwconv.*", "decoder.upsample.#.1.dwconv.conv.*", NULL},
    {"a.gen.wav.up.blk.#.norm.*", "decoder.upsample.#.1.norm.*", NULL},
    {"a.gen.wav.up.blk.#.pw#.*", "decoder.upsample.#.1.pwconv#.*", NULL},
    {"a.gen.wav.up.blk.#.gamma", "decoder.upsample.#.1.gamma", NULL},
    {"a.gen.wav.dac.entry.*", "decoder.decoder.0.conv.*", NULL},
    {"a.gen.wav.dac.blk.#.snake.@", "decoder.decoder.#+1.block.0.@", snake},
    {"a.gen.wav.dac.blk.#.conv.*", "decoder.decoder.#+1.block.1.conv.*", NULL},
    {"a.gen.wav.dac.blk.#.res.#.act#.@", "decoder.decoder.#+1.block.#+2.act#.@", snake},
    {"a.gen.wav.dac.blk.#.res.#.conv#.*", "decoder.decoder.#+1.block.#+2.conv#.conv.*", NULL},
    {"a.gen.wav.dac.post_snake.@", "decoder.decoder.5.@", snake},
    {"a.gen.wav.dac.post_conv.*", "decoder.decoder.6.conv.*", NULL},
    {0},
};

/* ---- settings ---------------------------------------------------------------------------------------------- */

#define T "talker_config."
#define P T "code_predictor_config."
#define K "qwen3tts."
#define G "clip.gen.audio."

static const kz_gg_key config[] = {
    {"model_type", NULL, 's', "\"qwen3_tts\""},
    {"tokenizer_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {"tts_model_type", NULL, 's', "!"},
    {T "hidden_size", K "embedding_length", 'i', NULL},
    {"tts_model_size", NULL, 's', "!"},
    {T "intermediate_size", K "feed_forward_length", 'i', NULL},
    {T "num_hidden_layers", K "block_count", 'i', NULL},
    {T "vocab_size", NULL, 'i', "#talker.codec_head.weight:0"},
    {T "num_attention_heads", K "attention.head_count", 'i', NULL},
    {T "num_key_value_heads", K "attention.head_count_kv", 'i', NULL},
    {T "head_dim", K "attention.key_length", 'i', "#talker.model.layers.0.self_attn.q_norm.weight:0"},
    {T "rms_norm_eps", K "attention.layer_norm_rms_epsilon", 'f', "1e-6"},
    {T "rope_theta", K "rope.freq_base", 'f', "1e6"},
    {T "max_position_embeddings", K "context_length", 'i', ""},
    {T "text_vocab_size", NULL, 'i', "#talker.model.projected_text_embedding.weight:0"},
    {T "text_hidden_size", NULL, 'i', "#talker.model.projected_text_embedding.weight:1"},
    {P "hidden_size", G "embedding_length", 'i', "#talker.code_predictor.model.norm.weight:0"},
    {P "intermediate_size", G "feed_forward_length", 'i',
     "#talker.code_predictor.model.layers.0.mlp.gate_proj.weight:0"},
    {P "num_hidden_layers", G "block_count", 'i', NULL},
    {P "vocab_size", NULL, 'i', "#talker.code_predictor.lm_head.0.weight:0"},
    {P "head_dim", NULL, 'i', "#talker.code_predictor.model.layers.0.self_attn.q_norm.weight:0"},
    {P "num_attention_heads", G "attention.head_count", 'i',
     "#talker.code_predictor.model.layers.0.self_attn.q_proj.weight:0/" P "head_dim"},
    {P "num_key_value_heads", G "attention.head_count_kv", 'i',
     "#talker.code_predictor.model.layers.0.self_attn.k_proj.weight:0/" P "head_dim"},
    {P "rms_norm_eps", G "attention.layer_norm_epsilon", 'f', "@" T "rms_norm_eps"},
    {P "rope_theta", NULL, 'f', "@" T "rope_theta"},
    {T "num_code_groups", NULL, 'i', "!"},
    {P "num_code_groups", NULL, 'i', "@" T "num_code_groups"},
    {T "codec_pad_id", NULL, 'i', "?<|codec_pad|>:2148"},
    {T "codec_bos_id", NULL, 'i', "?<|codec_bos|>:2149"},
    {T "codec_eos_token_id", NULL, 'i', "?<|codec_eos_token|>:2150"},
    {T "codec_think_id", NULL, 'i', "?<|codec_think|>:2154"},
    {T "codec_nothink_id", NULL, 'i', "?<|codec_nothink|>:2155"},
    {T "codec_think_bos_id", NULL, 'i', "?<|codec_think_bos|>:2156"},
    {T "codec_think_eos_id", NULL, 'i', "?<|codec_think_eos|>:2157"},
    {"im_start_token_id", NULL, 'i', "?<|im_start|>:151644"},
    {"im_end_token_id", NULL, 'i', "?<|im_end|>:151645"},
    {"tts_pad_token_id", NULL, 'i', "?<tts_pad>:151671"},
    {"tts_bos_token_id", NULL, 'i', "?<tts_text_bos>:151672"},
    {"tts_eos_token_id", NULL, 'i', "?<tts_text_eod>:151673"},
    {"assistant_token_id", NULL, 'i', "?assistant:77091"},
    {0},
};

static const kz_gg_key codec[] = {
    {"model_type", NULL, 's', "\"qwen3_tts_tokenizer_12hz\""},
    {0},
};

const kz_gg_scheme kz_gg_d = {
    .name = 'D', .architecture = "qwen3tts", .key = K "block_count", .names = talker_names, .config = config};

const kz_gg_scheme kz_gg_d_codec = {.name = 'D',
                                    .is_codec = true,
                                    .architecture = "clip",
                                    .key = "clip.has_gen_audio_encoder",
                                    .names = media_names,
                                    .codec = codec};
