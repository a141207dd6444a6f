/* stack_settings.c: the settings that all transformers share.  SPDX-License-Identifier: Apache-2.0
 *
 * The bounds are far above any model of this kind, and low enough that products of a few of them fit in 63 bits. */
#include <stdio.h>

#include "weights/settings.h"

enum {
    MAX_LAYER = 512,
    MAX_MODEL = 65536,
    MAX_FF = 1 << 18,
    MAX_HEAD = 1024,
    MAX_D_HEAD = 1024,
    MAX_HEADS_WIDE = 1 << 17, /* n_head * d_head */
};

/* Positions are rotated in the plain way. `mrope_section` may split the frequencies over three axes: here they always
 * have the same position, so the split changes nothing. Any other scaling would change the angles. */
static kztts_status check_rotation(const kz_settings *s) {
    char path[96];
    kz_settings rope;
    float partial = 1;
    (void)snprintf(path, sizeof path, "%srope_scaling.", s->path);
    KZ_TRY(kz_settings_child(&rope, s, "rope_scaling", path, KZ_OPTIONAL));
    if (rope.json) {
        KZ_TRY(kz_settings_expect(&rope, "rope_type", KZ_OPTIONAL, "default"));
        KZ_TRY(kz_settings_expect(&rope, "type", KZ_OPTIONAL, "default"));
    }
    return kz_settings_float(s, "partial_rotary_factor", 1, 1, KZ_OPTIONAL, &partial);
}

static kztts_status check_heads(const kz_settings *s, const kz_stack_config *c) {
    const char *problem = c->n_head % c->n_kv ? "num_attention_heads must be a multiple of num_key_value_heads"
                          : c->d_head % 2     ? "head_dim must be even"
                          : c->n_head * c->d_head > MAX_HEADS_WIDE ? "num_attention_heads * head_dim is too large"
                                                                   : NULL;
    if (!problem)
        return KZTTS_OK;
    return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                   "%s: %s%s (num_attention_heads %zu, num_key_value_heads %zu, head_dim %zu)", s->file, s->path,
                   problem, c->n_head, c->n_kv, c->d_head);
}

kztts_status kz_settings_stack(const kz_settings *s, kz_stack_config *c) {
    KZ_TRY(kz_settings_size(s, "num_hidden_layers", 1, MAX_LAYER, KZ_REQUIRED, &c->n_layer));
    KZ_TRY(kz_settings_size(s, "hidden_size", 1, MAX_MODEL, KZ_REQUIRED, &c->d_model));
    KZ_TRY(kz_settings_size(s, "intermediate_size", 1, MAX_FF, KZ_REQUIRED, &c->d_ff));
    KZ_TRY(kz_settings_size(s, "num_attention_heads", 1, MAX_HEAD, KZ_REQUIRED, &c->n_head));
    KZ_TRY(kz_settings_size(s, "num_key_value_heads", 1, MAX_HEAD, KZ_REQUIRED, &c->n_kv));
    KZ_TRY(kz_settings_size(s, "head_dim", 2, MAX_D_HEAD, KZ_REQUIRED, &c->d_head));
    KZ_TRY(check_heads(s, c));
    KZ_TRY(kz_settings_float(s, "rms_norm_eps", 1e-20, 1, KZ_REQUIRED, &c->rms_eps));
    KZ_TRY(kz_settings_float(s, "rope_theta", 1, 1e12, KZ_REQUIRED, &c->rope_theta));
    KZ_TRY(kz_settings_expect(s, "hidden_act", KZ_OPTIONAL, "silu"));
    KZ_TRY(kz_settings_expect_false(s, "attention_bias"));
    return check_rotation(s);
}
