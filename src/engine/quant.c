/* quant.c: which types a list of quantisations asks for.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/engine.h"

static bool is_word(const char *text, size_t n, const char *word) {
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

static bool find_type(kz_quant *out, const char *text, size_t n) {
    static const struct {
        const char *name;
        kz_quant quant;
    } types[] = {{"stored", KZ_QUANT_STORED}, {"q8", KZ_QUANT_Q8}, {"q4", KZ_QUANT_Q4}, {"q4_0", KZ_QUANT_Q4_0}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(text, n, types[i].name)) {
            *out = types[i].quant;
            return true;
        }
    return false;
}

/* One of the list: n bytes without a comma. */
static bool read_item(kz_quant_choice *out, const char *text, size_t n) {
    const char *equals = memchr(text, '=', n);
    kz_quant quant;
    if (!equals) {
        bool known = find_type(&quant, text, n);
        if (known)
            out->talker = out->predictor = quant;
        return known;
    }
    size_t n_group = (size_t)(equals - text), n_type = n - n_group - 1;
    if (is_word(text, n_group, "codec")) {
        out->codec_f32 = is_word(equals + 1, n_type, "f32");
        return out->codec_f32 || is_word(equals + 1, n_type, "stored");
    }
    if (is_word(text, n_group, "talker"))
        return find_type(&out->talker, equals + 1, n_type);
    return is_word(text, n_group, "predictor") && find_type(&out->predictor, equals + 1, n_type);
}

kztts_status kz_quant_parse(kz_quant_choice *out, const char *text, kz_err *err) {
    *out = (kz_quant_choice){.talker = KZ_QUANT_STORED, .predictor = KZ_QUANT_STORED};
    while (text) {
        size_t n = strcspn(text, ",");
        if (!read_item(out, text, n))
            return kz_fail(
                err, KZTTS_ERROR_ARGUMENT,
                "quant: \"%.*s\" is not understood; it is a list like talker=q8,predictor=q8, or one type for "
                "both; types are q8, q4, q4_0 and stored, of the codec f32 and stored",
                (int)(n < 40 ? n : 40), text);
        text = text[n] ? text + n + 1 : NULL;
    }
    return KZTTS_OK;
}
