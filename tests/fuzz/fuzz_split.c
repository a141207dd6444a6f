/* fuzz_split.c: any text to the splitter.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: a byte for policy and language, a byte for the longest chunk, a byte for the pieces, then the text (its valid
 * part). The text at once and in pieces must give the same chunks; covers follow each other, nothing that can be spoken
 * is lost, no chunk is too long, and the work is linear. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "split/internal.h"
#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MAX_CHUNK = 4096, STEPS = 120 };

typedef struct chunks {
    kz_split_chunk chunk[MAX_CHUNK];
    size_t n;
} chunks;

static void require(bool right) {
    if (!right)
        abort();
}

static void check_silent(const char *text, uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to; at += kz_char_at(text + at).n_byte)
        require(!(kz_char_at(text + at).is & (KZ_LETTER | KZ_DIGIT)));
}

static void check_chunk(const kz_split_chunk *c, const char *text, uint64_t before, uint64_t spoken, size_t max) {
    size_t length = 0;
    require(c->cover.begin == before && c->cover.end == c->spoken.end && c->spoken.begin >= before);
    require(c->n_byte > 0 && c->spoken.end - c->spoken.begin == c->n_byte);
    require(memcmp(c->text, text + c->spoken.begin, c->n_byte) == 0);
    require(c->n_sentence > 0 && c->n_sentence <= KZ_SPLIT_SENTENCES);
    for (uint64_t at = c->spoken.begin; at < c->spoken.end; at += kz_char_at(text + at).n_byte)
        length += kz_char_at(text + at).length;
    require(length <= max);
    check_silent(text, spoken, c->spoken.begin);
}

static void drain(kz_split *split, const char *text, chunks *out) {
    kz_split_chunk c;
    while (kz_split_next(split, &c) == KZTTS_OK) {
        uint64_t before = out->n ? out->chunk[out->n - 1].cover.end : 0;
        check_chunk(&c, text, before, before, split->options.max_length);
        c.text = NULL;
        require(out->n < MAX_CHUNK);
        out->chunk[out->n++] = c;
    }
}

static void run(kz_split_options options, const char *text, size_t n, size_t piece, chunks *out) {
    kz_split *split;
    out->n = 0;
    if (kz_split_new(&split, &options, NULL) != KZTTS_OK)
        return;
    for (size_t at = 0; at < n;) {
        size_t from = at;
        while (at < n && at - from < piece)
            at += kz_char_at(text + at).n_byte;
        require(kz_split_put(split, text + from, at - from, NULL) == KZTTS_OK);
        drain(split, text, out);
    }
    require(kz_split_finish(split, NULL) == KZTTS_OK);
    drain(split, text, out);
    check_silent(text, out->n ? out->chunk[out->n - 1].cover.end : 0, n);
    require(kz_split_steps(split) <= STEPS * (n + 16));
    kz_split_free(split);
}

static bool equal(const kz_split_chunk *a, const kz_split_chunk *b) {
    return a->spoken.begin == b->spoken.begin && a->spoken.end == b->spoken.end && a->pause == b->pause &&
           a->n_sentence == b->n_sentence && memcmp(a->sentence, b->sentence, a->n_sentence * sizeof *a->sentence) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static chunks once, pieces;
    if (n < 3 || n > MAX_CHUNK)
        return 0;
    kz_split_options options = {.policy = data[0] & 1 ? KZ_SPLIT_PREFIX : KZ_SPLIT_WHOLE,
                                .language = (kz_split_language)(data[0] >> 1) % KZ_SPLIT_LANGUAGES,
                                .max_length = data[1] < 16 ? 0 : data[1]};
    size_t n_text = kz_utf8_valid((const char *)data + 3, n - 3);
    char *text = malloc(n_text + 1); /* of its own size, so that a read past the end is seen */
    require(text != NULL);
    memcpy(text, data + 3, n_text);
    text[n_text] = 0;
    run(options, text, n_text, n_text + 1, &once);
    run(options, text, n_text, 1 + data[2] % 32, &pieces);
    require(once.n == pieces.n);
    for (size_t i = 0; i < once.n; i++)
        require(equal(&once.chunk[i], &pieces.chunk[i]));
    free(text);
    return 0;
}
