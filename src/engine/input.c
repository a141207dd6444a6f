/* input.c: text as it comes in.  SPDX-License-Identifier: Apache-2.0 */
#include "engine/input.h"

#include <string.h>

kztts_status kz_input_restart(kz_input *in, const kz_utterance *u, kz_err *err) {
    in->cuts = u->split && u->commit != KZTTS_COMMIT_TOKEN;
    in->commit = u->commit;
    in->all = u->special;
    in->n = 0;
    in->n_put = 0;
    in->finished = in->taken = in->over = false;
    if (!in->cuts)
        return KZTTS_OK;
    kz_split_options o = u->cut;
    o.policy = u->commit == KZTTS_COMMIT_FINISH ? KZ_SPLIT_WHOLE : KZ_SPLIT_PREFIX;
    return in->split ? kz_split_restart(in->split, &o, err) : kz_split_new(&in->split, &o, err);
}

void kz_input_free(kz_input *in) {
    kz_split_free(in->split);
    kz_free(in->buf);
    *in = (kz_input){0};
}

static kztts_status grow(kz_input *in, size_t n, kz_err *err) {
    size_t need = in->n + n, cap = in->cap ? in->cap : 256;
    if (need <= in->cap)
        return KZTTS_OK;
    while (cap < need)
        cap *= 2;
    char *buf = kz_alloc(cap, 1);
    if (!buf)
        return kz_fail_memory(err, cap, "the text");
    if (in->n)
        memcpy(buf, in->buf, in->n);
    kz_free(in->buf);
    in->buf = buf;
    in->cap = cap;
    return KZTTS_OK;
}

static kztts_status keep(kz_input *in, const char *text, size_t n, kz_err *err) {
    KZ_TRY(grow(in, n, err));
    if (n)
        memcpy(in->buf + in->n, text, n);
    in->n += n;
    return KZTTS_OK;
}

/* What was kept of an unfinished line goes to the splitter. */
static kztts_status pass_on(kz_input *in, kz_err *err) {
    size_t n = in->n;
    in->n = 0;
    return n ? kz_split_put(in->split, in->buf, n, err) : KZTTS_OK;
}

static kztts_status put_lines(kz_input *in, const char *text, size_t n, kz_err *err) {
    for (size_t at = 0; at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t next = end ? (size_t)(end - text) + 1 : n;
        KZ_TRY(keep(in, text + at, next - at, err));
        at = next;
        if (!end)
            break;
        KZ_TRY(pass_on(in, err));
        KZ_TRY(kz_split_flush(in->split, err));
    }
    return KZTTS_OK;
}

kztts_status kz_input_put(kz_input *in, const char *text, size_t n, kz_err *err) {
    in->n_put += n;
    if (in->over)
        return KZTTS_OK;
    if (!in->cuts)
        return keep(in, text, n, err);
    return in->commit == KZTTS_COMMIT_LINE ? put_lines(in, text, n, err) : kz_split_put(in->split, text, n, err);
}

kztts_status kz_input_flush(kz_input *in, kz_err *err) {
    if (!in->cuts || in->commit == KZTTS_COMMIT_FINISH)
        return KZTTS_OK;
    KZ_TRY(pass_on(in, err));
    return kz_split_flush(in->split, err);
}

kztts_status kz_input_settle(kz_input *in, kz_err *err) {
    return in->cuts && in->commit == KZTTS_COMMIT_SENTENCE ? kz_split_settle(in->split, err) : KZTTS_OK;
}

kztts_status kz_input_finish(kz_input *in, kz_err *err) {
    in->finished = true;
    if (!in->cuts)
        return KZTTS_OK;
    KZ_TRY(pass_on(in, err));
    return kz_split_finish(in->split, err);
}

size_t kz_input_pending(const kz_input *in) { return in->n + (in->cuts ? kz_split_pending(in->split) : 0); }

/* ---- text that isn't cut ------------------------------------------------------------------------------------ */

/* A mark of CJK writing that begins at s. */
static bool is_cjk_mark(const char *s) {
    static const char marks[][4] = {"\xEF\xBC\x8C", "\xE3\x80\x82", "\xE3\x80\x81", "\xEF\xBC\x81",
                                    "\xEF\xBC\x9F", "\xEF\xBC\x9B", "\xEF\xBC\x9A"}; /* , . enumeration ! ? ; : */
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (memcmp(s, marks[i], 3) == 0)
            return true;
    return false;
}

/* An ideograph, kana or Hangul syllable that ends at s. */
static bool follows_cjk_letter(const char *s) {
    unsigned char lead = (unsigned char)s[-3], second = (unsigned char)s[-2];
    return lead >= 0xE3 && lead <= 0xED && !(lead == 0xE3 && second == 0x80);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/* Bytes at the front whose tokens no later text can change: up to the last place where the pre-tokenizer's pattern ends a
 * piece whatever follows, before a space behind a word or before a mark behind an ideograph. */
static size_t stable_bytes(const char *s, size_t n) {
    for (size_t p = n; p-- > 1;) {
        if (s[p] == ' ' && !is_blank(s[p - 1]))
            return p;
        if (p >= 3 && n - p >= 3 && is_cjk_mark(s + p) && follows_cjk_letter(s + p))
            return p;
    }
    return 0;
}

kz_span kz_input_more(const kz_input *in, bool *last) {
    *last = in->finished;
    return (kz_span){in->buf, in->finished ? in->n : stable_bytes(in->buf, in->n)};
}

void kz_input_took(kz_input *in, size_t n_byte) {
    in->taken = true;
    if (in->commit != KZTTS_COMMIT_TOKEN)
        return;
    in->n -= n_byte;
    if (in->n)
        memmove(in->buf, in->buf + n_byte, in->n);
}

void kz_input_end(kz_input *in) {
    if (in->commit != KZTTS_COMMIT_TOKEN)
        return;
    in->over = true;
    in->n = 0;
}

kz_split_range kz_input_trimmed(kz_span text) {
    size_t begin = 0, end = text.n;
    while (begin < end && is_blank(text.s[begin]))
        begin++;
    while (end > begin && is_blank(text.s[end - 1]))
        end--;
    return (kz_split_range){begin, end};
}

static kztts_status next_uncut(kz_input *in, kz_split_chunk *chunk) {
    bool last;
    kz_span text = in->commit == KZTTS_COMMIT_TOKEN ? kz_input_more(in, &last) : (kz_span){in->buf, in->n};
    if (in->taken) /* whatever comes after the model has ended it isn't spoken, however it comes */
        return in->finished ? KZTTS_END : KZTTS_AGAIN;
    if (!in->finished && in->commit != KZTTS_COMMIT_TOKEN)
        return KZTTS_AGAIN;
    if (!in->all && !kz_text_speakable(text.s, text.n))
        return in->finished ? KZTTS_END : KZTTS_AGAIN;
    *chunk = (kz_split_chunk){.text = text.n ? text.s : "",
                              .n_byte = text.n,
                              .spoken = {0, text.n},
                              .cover = {0, text.n},
                              .pause = KZ_PAUSE_SENTENCE,
                              .n_sentence = 1};
    chunk->sentence[0] = kz_input_trimmed(text);
    return KZTTS_OK;
}

kztts_status kz_input_next(kz_input *in, kz_split_chunk *chunk) {
    if (!in->cuts)
        return next_uncut(in, chunk);
    if (in->commit == KZTTS_COMMIT_FINISH && !in->finished)
        return KZTTS_AGAIN;
    return kz_split_next(in->split, chunk);
}
