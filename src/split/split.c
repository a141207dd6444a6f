/* split.c: text in, sentences joined to chunks out.  SPDX-License-Identifier: Apache-2.0 */
#include "split/split.h"

#include <string.h>

#include "split/internal.h"

enum { LENGTH_DEFAULT = 300, LENGTH_MIN = 16, LENGTH_MAX = 1 << 20, SHORT_DEFAULT = 24, FULL = 3, KEEP = 1 << 16 };

/* ---- options ----------------------------------------------------------------------------------------------- */

typedef struct kz_language_name {
    const char *name, *code;
    kz_split_language language;
} kz_language_name;

static const kz_language_name language_names[] = {
    {"chinese", "zh", KZ_SPLIT_ZH}, {"english", "en", KZ_SPLIT_EN},    {"japanese", "ja", KZ_SPLIT_JA},
    {"korean", "ko", KZ_SPLIT_KO},  {"german", "de", KZ_SPLIT_DE},     {"french", "fr", KZ_SPLIT_FR},
    {"russian", "ru", KZ_SPLIT_RU}, {"portuguese", "pt", KZ_SPLIT_PT}, {"spanish", "es", KZ_SPLIT_ES},
    {"italian", "it", KZ_SPLIT_IT},
};

static bool same_name(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((a[i] | 0x20) != b[i] || !b[i])
            return false;
    return b[n] == 0;
}

kz_split_language kz_split_language_named(const char *name) {
    size_t n_code = name ? strcspn(name, "-_") : 0;
    for (size_t i = 0; name && i < sizeof language_names / sizeof *language_names; i++)
        if (same_name(name, language_names[i].name, strlen(name)) || same_name(name, language_names[i].code, n_code))
            return language_names[i].language;
    return KZ_SPLIT_AUTO;
}

static kztts_status set_options(kz_split *split, const kz_split_options *options, kz_err *err) {
    kz_split_options o = *options;
    o.max_length = o.max_length ? o.max_length : LENGTH_DEFAULT;
    if (o.max_length < LENGTH_MIN || o.max_length > LENGTH_MAX)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "chunks of at most %zu letters; the limit is %d to %d", o.max_length,
                       LENGTH_MIN, LENGTH_MAX);
    o.target_length = o.target_length ? o.target_length : o.max_length / 4 * 3;
    if (o.target_length > o.max_length)
        o.target_length = o.max_length;
    o.short_length = o.short_length ? o.short_length : SHORT_DEFAULT;
    if (o.short_length > o.target_length / 2)
        o.short_length = o.target_length / 2;
    if ((int)o.language < 0 || o.language >= KZ_SPLIT_LANGUAGES)
        o.language = KZ_SPLIT_AUTO;
    split->options = o;
    return KZTTS_OK;
}

kztts_status kz_split_new(kz_split **out, const kz_split_options *options, kz_err *err) {
    kz_split *split = kz_alloc(1, sizeof *split);
    *out = NULL;
    if (!split)
        return kz_fail_memory(err, sizeof *split, "the splitter");
    kztts_status status = set_options(split, options, err);
    if (status != KZTTS_OK) {
        kz_split_free(split);
        return status;
    }
    *out = split;
    return KZTTS_OK;
}

void kz_split_free(kz_split *split) {
    if (!split)
        return;
    kz_free(split->text);
    kz_free(split->queue);
    kz_free(split);
}

kztts_status kz_split_restart(kz_split *split, const kz_split_options *options, kz_err *err) {
    KZ_TRY(set_options(split, options, err));
    split->n = split->n_sentence = split->n_taken = 0;
    split->base = split->n_chunk = split->taken = split->n_step = 0;
    split->scan = (kz_scan){0};
    split->flushed = split->finished = false;
    return KZTTS_OK;
}

/* ---- text in ----------------------------------------------------------------------------------------------- */

/* Before this place nothing is needed any more. A text that may yet come out whole is kept. */
static uint64_t needed_from(const kz_split *split) {
    const kz_scan *scan = &split->scan;
    if (split->options.policy == KZ_SPLIT_WHOLE && !split->n_chunk)
        return 0;
    if (split->n_taken < split->n_sentence)
        return split->queue[split->n_taken].range.begin;
    return scan->open ? scan->begin : scan->at;
}

/* Lets go of text that is in chunks, when it is most of what is held: so each byte is moved at most once. */
static void release(kz_split *split) {
    size_t gone = (size_t)(needed_from(split) - split->base);
    if (gone < split->n / 2 || !gone)
        return;
    memmove(split->text, split->text + gone, split->n - gone);
    split->n -= gone;
    split->base += gone;
}

static kztts_status reserve(kz_split *split, size_t n, kz_err *err) {
    size_t total, cap = split->cap ? split->cap : 1024;
    if (!kz_add(split->n, n, &total))
        return kz_fail_memory(err, n, "text");
    if (total <= split->cap && (split->cap <= KEEP || total >= split->cap / 4))
        return KZTTS_OK;
    while (cap > KEEP && total < cap / 4)
        cap /= 2;
    while (cap < total)
        if (!kz_mul(cap, 2, &cap))
            return kz_fail_memory(err, total, "text");
    char *text = kz_alloc(cap, 1);
    if (!text)
        return kz_fail_memory(err, cap, "text");
    if (split->n)
        memcpy(text, split->text, split->n);
    kz_free(split->text);
    split->text = text;
    split->cap = cap;
    return KZTTS_OK;
}

kztts_status kz_split_put(kz_split *split, const char *text, size_t n, kz_err *err) {
    if (split->finished)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "text after the end of the text");
    if (!n)
        return KZTTS_OK;
    release(split);
    KZ_TRY(reserve(split, n, err));
    memcpy(split->text + split->n, text, n);
    split->n += n;
    return kz_scan_run(split, KZ_SCAN_MORE, err);
}

/* The last sentence known ends a chunk. */
static void harden(kz_split *split) {
    if (split->n_taken < split->n_sentence)
        split->queue[split->n_sentence - 1].hard = true;
}

kztts_status kz_split_settle(kz_split *split, kz_err *err) {
    KZ_TRY(kz_scan_run(split, KZ_SCAN_SETTLE, err));
    harden(split);
    split->flushed = true;
    return KZTTS_OK;
}

kztts_status kz_split_flush(kz_split *split, kz_err *err) {
    KZ_TRY(kz_scan_run(split, KZ_SCAN_FINAL, err));
    harden(split);
    split->flushed = true;
    return KZTTS_OK;
}

kztts_status kz_split_finish(kz_split *split, kz_err *err) {
    KZ_TRY(kz_scan_run(split, KZ_SCAN_FINAL, err));
    harden(split);
    split->finished = true;
    return KZTTS_OK;
}

/* ---- chunks out -------------------------------------------------------------------------------------------- */

/* A chunk in the making: sentences [first, first + n) of the queue. */
typedef struct kz_group {
    const kz_sentence *first;
    size_t n, n_full; /* n_full: without the very short ones */
} kz_group;

static size_t length_of(const kz_sentence *from, const kz_sentence *to) { return (size_t)(to->to - from->from); }

static bool is_short(const kz_split *split, const kz_sentence *s) {
    return length_of(s, s) < split->options.short_length;
}

static bool joins(const kz_split *split, const kz_group *group, const kz_sentence *next) {
    const kz_sentence *last = &group->first[group->n - 1];
    size_t length = length_of(group->first, next), so_far = length_of(group->first, last);
    if (group->n == KZ_SPLIT_SENTENCES || length > split->options.max_length)
        return false;
    if (so_far < split->options.short_length || is_short(split, next))
        return true;
    return group->n_full < FULL && length <= split->options.target_length;
}

/* Whether the chunk is complete whatever comes next; only text that is being written can't wait to see. */
static bool closed(const kz_split *split, const kz_group *group) {
    size_t so_far = length_of(group->first, &group->first[group->n - 1]), least = split->options.short_length;
    if (split->options.policy == KZ_SPLIT_WHOLE || so_far < least)
        return false;
    return split->n_chunk == 0 || group->n_full >= FULL || so_far + least > split->options.target_length;
}

/* Gathers sentences of the queue; false when more text is needed to know where the chunk ends. */
static bool gather(const kz_split *split, kz_group *group) {
    const kz_sentence *queue = split->queue;
    *group = (kz_group){.first = &queue[split->n_taken]};
    for (size_t i = split->n_taken; i < split->n_sentence; i++) {
        if (group->n && !joins(split, group, &queue[i]))
            return true;
        group->n++;
        group->n_full += is_short(split, &queue[i]) ? 0 : 1;
        if (queue[i].hard || queue[i].pause == KZ_PAUSE_PARAGRAPH || closed(split, group))
            return true;
    }
    return false;
}

/* The whole text, when it is this one chunk. */
static bool is_all(const kz_split *split, const kz_group *group) {
    return split->options.policy == KZ_SPLIT_WHOLE && split->finished && !split->flushed && split->n_chunk == 0 &&
           split->n_taken + group->n == split->n_sentence && split->scan.letters <= split->options.max_length;
}

kztts_status kz_split_next(kz_split *split, kz_split_chunk *chunk) {
    kz_group group;
    if (split->n_taken == split->n_sentence)
        return split->finished ? KZTTS_END : KZTTS_AGAIN;
    /* a paragraph's end closes a chunk, but the text's only chunk is known at the text's end */
    if (!gather(split, &group) || (split->options.policy == KZ_SPLIT_WHOLE && !split->finished &&
                                   split->n_taken + group.n == split->n_sentence && !group.first[group.n - 1].hard))
        return KZTTS_AGAIN;
    const kz_sentence *last = &group.first[group.n - 1];
    bool all = is_all(split, &group);
    chunk->spoken = (kz_split_range){group.first->range.begin, last->range.end};
    if (all)
        chunk->spoken = (kz_split_range){0, kz_split_total(split)};
    chunk->cover = (kz_split_range){split->taken, chunk->spoken.end};
    chunk->text = kz_split_at(split, chunk->spoken.begin);
    chunk->n_byte = (size_t)(chunk->spoken.end - chunk->spoken.begin);
    chunk->pause = last->pause;
    chunk->n_sentence = group.n;
    for (size_t i = 0; i < group.n; i++)
        chunk->sentence[i] = group.first[i].range;
    split->taken = chunk->cover.end;
    split->n_taken += group.n;
    split->n_chunk++;
    return KZTTS_OK;
}

size_t kz_split_pending(const kz_split *split) { return (size_t)(kz_split_total(split) - needed_from(split)); }

uint64_t kz_split_total(const kz_split *split) { return split->base + split->n; }

uint64_t kz_split_steps(const kz_split *split) { return split->n_step; }
