/* split.c: cuts text into words with the pre-tokenizer patterns.  SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "text/internal.h"

/* The patterns of specification 2.2. Unicode white space is spelt out, because PCRE2's \s also takes U+180E. */
#define WHITE "\\t-\\r \\x{85}\\p{Z}"
#define SPACE "[" WHITE "]"
#define LETTERS_UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LETTERS_LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define BEFORE_LETTERS "[^\\r\\n\\p{L}\\p{N}]?"
#define PUNCTUATION " ?[^" WHITE "\\p{L}\\p{N}]+"
#define WHITE_RUNS SPACE "*[\\r\\n]+|" SPACE "+(?![^" WHITE "])|" SPACE "+"

static const char native_pattern[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
                                     "|" BEFORE_LETTERS "\\p{L}+"
                                     "|\\p{N}"
                                     "|" PUNCTUATION "[\\r\\n]*"
                                     "|" WHITE_RUNS;

static const char mistral_pattern[] =
    BEFORE_LETTERS LETTERS_UPPER "*" LETTERS_LOWER "+"
                                 "|" BEFORE_LETTERS LETTERS_UPPER "+" LETTERS_LOWER "*"
                                 "|\\p{N}"
                                 "|" PUNCTUATION "[\\r\\n/]*"
                                 "|" WHITE_RUNS;

/* A match scans and backtracks over a run a few times, so 16 steps a byte of the longest text are ample; runs aren't
 * nested, so the depth is small whatever the text. */
enum { MATCH_LIMIT = 16 * KZ_TEXT_MAX, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 16 << 10 };

struct kz_splitter {
    pcre2_general_context *memory;
    pcre2_match_context *limits;
    pcre2_code *code;
};

struct kz_splitter_work {
    pcre2_match_data *match;
};

static void *take(PCRE2_SIZE n, void *user) {
    (void)user;
    return kz_alloc(n, 1);
}

static void give(void *p, void *user) {
    (void)user;
    kz_free(p);
}

static kztts_status compile(kz_splitter *splitter, kz_pattern pattern, kz_err *err) {
    const char *text = pattern == KZ_PATTERN_MISTRAL ? mistral_pattern : native_pattern;
    int code = 0;
    PCRE2_SIZE at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(splitter->memory);
    if (!context)
        return kz_fail_memory(err, 0, "the word pattern");
    splitter->code =
        pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
                      PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE, &code, &at, context);
    pcre2_compile_context_free(context);
    if (splitter->code)
        return KZTTS_OK;
    if (code == PCRE2_ERROR_HEAP_FAILED)
        return kz_fail_memory(err, 0, "the word pattern");
    char reason[128] = "";
    (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
    return kz_fail(err, KZTTS_ERROR_FAILED, "PCRE2 refuses the word pattern at %zu: %s; it must be built with Unicode",
                   (size_t)at, reason);
}

kztts_status kz_splitter_new(kz_splitter **out, kz_pattern pattern, kz_err *err) {
    *out = NULL;
    kz_splitter *splitter = kz_alloc(1, sizeof *splitter);
    if (!splitter)
        return kz_fail_memory(err, sizeof *splitter, "the word pattern");
    kztts_status status = KZTTS_OK;
    splitter->memory = pcre2_general_context_create(take, give, NULL);
    if (splitter->memory)
        splitter->limits = pcre2_match_context_create(splitter->memory);
    if (splitter->limits) {
        pcre2_set_match_limit(splitter->limits, MATCH_LIMIT);
        pcre2_set_depth_limit(splitter->limits, DEPTH_LIMIT);
        pcre2_set_heap_limit(splitter->limits, HEAP_LIMIT_KIB);
        status = compile(splitter, pattern, err);
    } else {
        status = kz_fail_memory(err, 0, "the word pattern");
    }
    if (status < 0) {
        kz_splitter_free(splitter);
        return status;
    }
    *out = splitter;
    return KZTTS_OK;
}

void kz_splitter_free(kz_splitter *splitter) {
    if (!splitter)
        return;
    pcre2_code_free(splitter->code);
    pcre2_match_context_free(splitter->limits);
    pcre2_general_context_free(splitter->memory);
    kz_free(splitter);
}

kztts_status kz_splitter_work_new(kz_splitter_work **out, const kz_splitter *splitter, kz_err *err) {
    *out = NULL;
    kz_splitter_work *work = kz_alloc(1, sizeof *work);
    if (work)
        work->match = pcre2_match_data_create(1, splitter->memory);
    if (!work || !work->match) {
        kz_free(work);
        return kz_fail_memory(err, 0, "matching words");
    }
    *out = work;
    return KZTTS_OK;
}

void kz_splitter_work_free(kz_splitter_work *work) {
    if (!work)
        return;
    pcre2_match_data_free(work->match);
    kz_free(work);
}

kztts_status kz_splitter_next(const kz_splitter *splitter, kz_splitter_work *work, const char *text, size_t n,
                              size_t at, size_t *end, kz_err *err) {
    int code = pcre2_match(splitter->code, (PCRE2_SPTR)text, n, at, PCRE2_NO_UTF_CHECK, work->match, splitter->limits);
    if (code > 0) {
        *end = pcre2_get_ovector_pointer(work->match)[1];
        if (*end > at && *end <= n)
            return KZTTS_OK;
    }
    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAPLIMIT)
        return kz_fail_memory(err, 0, "matching words");
    /* Every character fits one of the alternatives, so this is a limit or a defect of the library. */
    return kz_fail(err, KZTTS_ERROR_FAILED, "PCRE2 can't split the text at byte %zu: error %d", at, code);
}
