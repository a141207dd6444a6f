/* test_split.c: sentences of ten languages, chunks, and that pieces don't matter.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "split/internal.h"

#define TABLES KZ_TEST_DATA "/../unit/split/"
#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { MAX_ROW = 1024, MAX_RESULT = 512, ROWS_LEAST = 25 };

/* ---- running the splitter ---------------------------------------------------------------------------------- */

/* What came out: the chunks' texts and the places of their sentences. */
typedef struct result {
    size_t n_chunk, n_sentence, n_open, cap_chunk, cap_sentence, longest;
    char **text;
    kz_split_chunk *chunk;
    kz_split_range *sentence;
} result;

static void *grow(void *p, size_t n, size_t *cap, size_t size) {
    if (n < *cap)
        return p;
    *cap = *cap ? 2 * *cap : 64;
    p = realloc(p, *cap * size);
    assert_non_null(p);
    return p;
}

static size_t letters(const char *text, size_t n) {
    size_t sum = 0;
    for (size_t at = 0; at < n; at += kz_char_at(text + at).n_byte)
        sum += kz_char_at(text + at).length;
    return sum;
}

static void keep(result *r, const kz_split_chunk *chunk) {
    size_t cap = r->cap_chunk, n = letters(chunk->text, chunk->n_byte);
    r->chunk = grow(r->chunk, r->n_chunk, &cap, sizeof *r->chunk);
    r->text = grow(r->text, r->n_chunk, &r->cap_chunk, sizeof *r->text);
    r->chunk[r->n_chunk] = *chunk;
    r->text[r->n_chunk] = calloc(chunk->n_byte + 1, 1);
    assert_non_null(r->text[r->n_chunk]);
    memcpy(r->text[r->n_chunk++], chunk->text, chunk->n_byte);
    r->longest = n > r->longest ? n : r->longest;
    for (size_t i = 0; i < chunk->n_sentence; i++) {
        r->sentence = grow(r->sentence, r->n_sentence, &r->cap_sentence, sizeof *r->sentence);
        r->sentence[r->n_sentence++] = chunk->sentence[i];
    }
}

static kztts_status drain(kz_split *split, result *r) {
    kz_split_chunk chunk;
    kztts_status status;
    while ((status = kz_split_next(split, &chunk)) == KZTTS_OK)
        keep(r, &chunk);
    return status;
}

static void forget(result *r) {
    for (size_t i = 0; i < r->n_chunk; i++)
        free(r->text[i]);
    free(r->text);
    free(r->chunk);
    free(r->sentence);
    *r = (result){0};
}

static kz_split *open_split(kz_split_options options) {
    kz_err err = {""};
    kz_split *split;
    if (kz_split_new(&split, &options, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    return split;
}

static void put(kz_split *split, const char *text, size_t n) {
    kz_err err = {""};
    if (kz_split_put(split, text, n, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
}

static result run(kz_split_options options, const char *text, size_t n) {
    result r = {0};
    kz_split *split = open_split(options);
    put(split, text, n);
    assert_int_equal(kz_split_finish(split, NULL), KZTTS_OK);
    assert_int_equal(drain(split, &r), KZTTS_END);
    kz_split_free(split);
    return r;
}

/* The same in pieces of whole characters, `most` at a time or drawn up to that; taken out whenever there is something. */
static result run_pieces(kz_split_options options, const char *text, size_t n, unsigned most, unsigned *seed) {
    result r = {0};
    kz_split *split = open_split(options);
    for (size_t at = 0; at < n;) {
        size_t from = at;
        unsigned count = 1;
        if (seed) {
            *seed = *seed * 1103515245u + 12345u;
            count = 1 + (*seed >> 16) % most;
        }
        while (at < n && count--)
            at += kz_char_at(text + at).n_byte;
        put(split, text + from, at - from);
        if (!seed || *seed & 0x10000)
            assert_int_equal(drain(split, &r), KZTTS_AGAIN);
    }
    assert_int_equal(kz_split_finish(split, NULL), KZTTS_OK);
    assert_int_equal(drain(split, &r), KZTTS_END);
    kz_split_free(split);
    return r;
}

static void check_equal(const result *a, const result *b, const char *what) {
    if (a->n_chunk != b->n_chunk || a->n_sentence != b->n_sentence)
        fail_msg("%s: %zu chunks, %zu sentences instead of %zu, %zu", what, b->n_chunk, b->n_sentence, a->n_chunk,
                 a->n_sentence);
    for (size_t i = 0; i < a->n_chunk; i++)
        if (strcmp(a->text[i], b->text[i]) != 0 || a->chunk[i].pause != b->chunk[i].pause ||
            a->chunk[i].cover.begin != b->chunk[i].cover.begin || a->chunk[i].cover.end != b->chunk[i].cover.end ||
            a->chunk[i].spoken.begin != b->chunk[i].spoken.begin || a->chunk[i].spoken.end != b->chunk[i].spoken.end)
            fail_msg("%s: chunk %zu is \"%s\" instead of \"%s\"", what, i, b->text[i], a->text[i]);
    for (size_t i = 0; i < a->n_sentence; i++)
        if (a->sentence[i].begin != b->sentence[i].begin || a->sentence[i].end != b->sentence[i].end)
            fail_msg("%s: sentence %zu differs", what, i);
}

/* Covers follow each other, spoken text is the text's own, sentences lie inside in order, and what is left out has
 * nothing to speak. */
static void check_cover(const result *r, const char *text, size_t n, size_t max) {
    uint64_t at = 0, spoken = 0;
    for (size_t i = 0; i < r->n_chunk; i++) {
        const kz_split_chunk *c = &r->chunk[i];
        assert_int_equal(c->cover.begin, at);
        assert_true(c->spoken.begin >= at && c->spoken.end > c->spoken.begin && c->cover.end == c->spoken.end);
        assert_int_equal(c->spoken.end - c->spoken.begin, c->n_byte);
        assert_memory_equal(r->text[i], text + c->spoken.begin, c->n_byte);
        uint64_t inside = c->spoken.begin;
        for (size_t k = 0; k < c->n_sentence; k++) {
            if (c->sentence[k].begin < inside || c->sentence[k].end <= c->sentence[k].begin)
                fail_msg("sentence %zu of chunk %zu begins at %zu: %s", k, i, (size_t)c->sentence[k].begin, text);
            inside = c->sentence[k].end;
        }
        assert_true(c->n_sentence > 0 && inside <= c->spoken.end);
        for (; spoken < c->spoken.begin; spoken += kz_char_at(text + spoken).n_byte)
            assert_false(kz_char_at(text + spoken).is & (KZ_LETTER | KZ_DIGIT));
        spoken = at = c->cover.end;
    }
    for (; spoken < n; spoken += kz_char_at(text + spoken).n_byte)
        assert_false(kz_char_at(text + spoken).is & (KZ_LETTER | KZ_DIGIT));
    assert_true(r->longest <= max);
}

/* ---- the tables -------------------------------------------------------------------------------------------- */

typedef struct row {
    char text[MAX_ROW];
    size_t n;
    uint64_t begin[64]; /* of the sentences */
    size_t n_begin;
    bool local;
} row;

static void add_byte(row *r, char byte) {
    assert_true(r->n + 1 < MAX_ROW);
    r->text[r->n++] = byte;
    r->text[r->n] = 0;
}

static void parse_row(row *r, const char *line) {
    *r = (row){.n_begin = 1, .local = *line == '!'};
    for (line += r->local; *line && *line != '\n'; line++) {
        if (*line == '|')
            r->begin[r->n_begin++] = r->n;
        else if (line[0] == '\\' && line[1] == 'n') {
            add_byte(r, '\n');
            line++;
        } else
            add_byte(r, *line);
        assert_true(r->n_begin < LENGTH(r->begin));
    }
}

static size_t check_row(const row *r, kz_split_options options, const char *file, int line) {
    result got = run(options, r->text, r->n);
    bool same = got.n_sentence == r->n_begin;
    for (size_t i = 0; same && i < got.n_sentence; i++)
        same = got.sentence[i].begin == r->begin[i];
    if (!same) {
        print_error("%s:%d (%s) gives:", file, line, options.language == KZ_SPLIT_AUTO ? "auto" : "its language");
        for (size_t i = 0; i < got.n_sentence; i++)
            print_error(" [%.*s]", (int)(got.sentence[i].end - got.sentence[i].begin), r->text + got.sentence[i].begin);
        print_error("\n");
    }
    check_cover(&got, r->text, r->n, 1000);
    result pieces = run_pieces(options, r->text, r->n, 1, NULL);
    check_equal(&got, &pieces, r->text);
    forget(&pieces);
    forget(&got);
    return same ? 0 : 1;
}

static void check_table(const char *code) {
    char path[512], line[MAX_ROW];
    size_t n_row = 0, n_wrong = 0;
    row r;
    snprintf(path, sizeof path, "%s%s.txt", TABLES, code);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if ((line[0] == '#' && number == 1) || line[0] == '\n')
            continue;
        assert_non_null(strchr(line, '\n'));
        parse_row(&r, line);
        kz_split_options options = {.language = kz_split_language_named(code), .max_length = 1000};
        n_wrong += check_row(&r, options, path, number);
        options.language = KZ_SPLIT_AUTO;
        if (!r.local)
            n_wrong += check_row(&r, options, path, number);
        n_row++;
    }
    fclose(file);
    assert_int_equal(n_wrong, 0);
    assert_true(n_row >= ROWS_LEAST);
}

static void test_split_sentences(void **state) { check_table(*state); }

static void test_split_lists_sorted(void **state) {
    (void)state;
    for (int language = 0; language < KZ_SPLIT_LANGUAGES; language++) {
        const kz_words *words = &kz_words_of[language];
        for (size_t i = 1; i < words->n_abbreviation; i++)
            if (strcmp(words->abbreviation[i - 1].word, words->abbreviation[i].word) > 0)
                fail_msg("%s after %s", words->abbreviation[i].word, words->abbreviation[i - 1].word);
        for (size_t i = 1; i < words->n_starter; i++)
            if (strcmp(words->starter[i - 1], words->starter[i]) >= 0)
                fail_msg("%s after %s", words->starter[i], words->starter[i - 1]);
    }
}

static void test_split_language_names(void **state) {
    (void)state;
    assert_int_equal(kz_split_language_named("German"), KZ_SPLIT_DE);
    assert_int_equal(kz_split_language_named("de"), KZ_SPLIT_DE);
    assert_int_equal(kz_split_language_named("pt-BR"), KZ_SPLIT_PT);
    assert_int_equal(kz_split_language_named("ZH_cn"), KZ_SPLIT_ZH);
    assert_int_equal(kz_split_language_named("auto"), KZ_SPLIT_AUTO);
    assert_int_equal(kz_split_language_named("d"), KZ_SPLIT_AUTO);
    assert_int_equal(kz_split_language_named("germanic"), KZ_SPLIT_AUTO);
    assert_int_equal(kz_split_language_named(""), KZ_SPLIT_AUTO);
    assert_int_equal(kz_split_language_named(NULL), KZ_SPLIT_AUTO);
}

/* ---- chunks ------------------------------------------------------------------------------------------------ */

static void expect_chunks(kz_split_options options, const char *text, const char *const *want, size_t n) {
    result got = run(options, text, strlen(text));
    for (size_t i = 0; i < n && i < got.n_chunk; i++)
        assert_string_equal(got.text[i], want[i]);
    assert_int_equal(got.n_chunk, n);
    check_cover(&got, text, strlen(text), options.max_length ? options.max_length : 300);
    forget(&got);
}

#define EXPECT(options, text, ...)                                                                                     \
    do {                                                                                                               \
        static const char *const want_[] = {__VA_ARGS__};                                                              \
        expect_chunks(options, text, want_, LENGTH(want_));                                                            \
    } while (0)

static const kz_split_options whole = {.policy = KZ_SPLIT_WHOLE};
static const kz_split_options prefix = {.policy = KZ_SPLIT_PREFIX};

static void test_split_one_chunk_is_the_text(void **state) {
    (void)state;
    EXPECT(whole, " Hello there. How are you?\n\n", " Hello there. How are you?\n\n");
    EXPECT(whole, "***\n\nHello.\n", "***\n\nHello.\n");
    EXPECT(whole, "no stop at all", "no stop at all");
    EXPECT(prefix, "Hello there.", "Hello there.");
    EXPECT(prefix, "\n Hello there.\n\n", "Hello there.");
}

static void test_split_three_sentences(void **state) {
    (void)state;
    EXPECT(whole,
           "The first sentence is here. The second sentence is here. The third sentence is here. "
           "The fourth sentence is here.",
           "The first sentence is here. The second sentence is here. The third sentence is here.",
           "The fourth sentence is here.");
}

static void test_split_short_ones_join(void **state) {
    (void)state;
    EXPECT(whole,
           "Yes. The first sentence is here. The second sentence is here. The third sentence is here. No. "
           "The fourth sentence is here.",
           "Yes. The first sentence is here. The second sentence is here. The third sentence is here. No.",
           "The fourth sentence is here.");
    EXPECT(prefix,
           "Yes. The first sentence is here. The second sentence is here. The third sentence is here. "
           "The fourth sentence is here. No.",
           "Yes. The first sentence is here.",
           "The second sentence is here. The third sentence is here. The fourth sentence is here.", "No.");
}

static void test_split_paragraphs_are_hard(void **state) {
    (void)state;
    EXPECT(whole, "A title\n\nOne. Two.\n \t\r\nThree.", "A title", "One. Two.", "Three.");
    result r = run(whole, "One.\n\nTwo here is longer.\xE2\x80\xA9Three.", 33);
    assert_int_equal(r.n_chunk, 3);
    assert_int_equal(r.chunk[0].pause, KZ_PAUSE_PARAGRAPH);
    assert_int_equal(r.chunk[1].pause, KZ_PAUSE_PARAGRAPH);
    forget(&r);
}

static void test_split_target_and_maximum(void **state) {
    kz_split_options small = {.max_length = 60, .target_length = 40};
    (void)state;
    EXPECT(small, "Some twenty letters. Some twenty letters. Some twenty letters.", "Some twenty letters.",
           "Some twenty letters.", "Some twenty letters.");
    small.target_length = 41;
    EXPECT(small, "Some twenty letters. Some twenty letters. Some twenty letters.",
           "Some twenty letters. Some twenty letters.", "Some twenty letters.");
}

static void test_split_overlong(void **state) {
    kz_split_options small = {.max_length = 40};
    (void)state;
    EXPECT(small, "When the sun had set behind the hill, they all went home; nobody spoke, and it was cold.",
           "When the sun had set behind the hill,", "they all went home;", "nobody spoke, and it was cold.");
    EXPECT(small, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
           "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
    small.max_length = 48;
    EXPECT(small, "今天天气很好，我们一起去公园散步，然后回家。", "今天天气很好，", "我们一起去公园散步，然后回家。");
    small.max_length = 40;
    result r = run(small, "word and word and word and word and word and word. Next.", 56);
    assert_int_equal(r.n_chunk, 2);
    assert_int_equal(r.chunk[0].pause, KZ_PAUSE_NONE);
    forget(&r);
}

static void test_split_nothing_to_speak(void **state) {
    static const char *const text[] = {"", " \n\n ", "...", "?! -- *** \n\n !!!", "\xF0\x9F\x98\x80"};
    (void)state;
    for (size_t i = 0; i < LENGTH(text); i++) {
        result r = run(whole, text[i], strlen(text[i]));
        assert_int_equal(r.n_chunk, 0);
        forget(&r);
    }
}

/* ---- while the text is written ------------------------------------------------------------------------------- */

static void test_split_next_character_commits(void **state) {
    kz_split_chunk chunk;
    kz_split *split = open_split(prefix);
    (void)state;
    put(split, "This is the first sentence. ", 28);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN);
    put(split, "T", 1);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_OK);
    assert_int_equal(chunk.n_byte, 27);
    assert_int_equal(chunk.pause, KZ_PAUSE_SENTENCE);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN);
    kz_split_free(split);
}

static void test_split_settle_and_flush(void **state) {
    kz_split_chunk chunk;
    kz_split *split = open_split(prefix);
    (void)state;
    put(split, "Hello Dr.", 9);
    assert_int_equal(kz_split_settle(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN); /* a title isn't an end */
    put(split, " Who.", 5);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN);
    assert_int_equal(kz_split_settle(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_OK);
    assert_memory_equal(chunk.text, "Hello Dr. Who.", 14);
    put(split, " And then", 9);
    assert_int_equal(kz_split_settle(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN);
    assert_int_equal(kz_split_flush(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_OK);
    assert_int_equal(chunk.spoken.begin, 15);
    assert_int_equal(chunk.n_byte, 8);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_AGAIN);
    assert_int_equal(kz_split_finish(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_END);
    assert_int_equal(kz_split_put(split, "x", 1, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kz_split_restart(split, &whole, NULL), KZTTS_OK);
    put(split, "Again.", 6);
    assert_int_equal(kz_split_finish(split, NULL), KZTTS_OK);
    assert_int_equal(kz_split_next(split, &chunk), KZTTS_OK);
    assert_int_equal(chunk.cover.begin, 0);
    kz_split_free(split);
}

static void test_split_releases_text(void **state) {
    static const char sentence[] = "This is a sentence of some length, one of many. ";
    kz_split *split = open_split(prefix);
    result r = {0};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        put(split, sentence, sizeof sentence - 1);
        drain(split, &r);
        assert_true(kz_split_pending(split) < 1000 && split->cap <= 4096 && split->queue_cap <= 64);
    }
    for (int i = 0; i < 20000; i++) {
        put(split, "\n                                        \n", 42);
        drain(split, &r);
        assert_true(split->cap <= 4096);
    }
    forget(&r);
    kz_split_free(split);
}

/* ---- any text ---------------------------------------------------------------------------------------------- */

static const char *const particles[] = {"word ",
                                        "Word ",
                                        "a",
                                        "A. ",
                                        "Dr. ",
                                        "etc. ",
                                        "3. ",
                                        "3.14 ",
                                        "am 3. Januar ",
                                        ". ",
                                        ".",
                                        "... ",
                                        "…",
                                        "! ",
                                        "?",
                                        "。",
                                        "！",
                                        "，",
                                        "「",
                                        "」",
                                        "“",
                                        "”",
                                        "\"",
                                        "(",
                                        ") ",
                                        "« ",
                                        " »",
                                        "\n",
                                        "\n\n",
                                        "  ",
                                        "- ",
                                        "\n- ",
                                        "\n1. ",
                                        "今天",
                                        "です",
                                        "안녕",
                                        "—",
                                        ", ",
                                        "; ",
                                        "¿",
                                        "😀",
                                        "é",
                                        "т. д. ",
                                        "Он ",
                                        "e\xCC\x81",
                                        "U.S. ",
                                        "iPhone ",
                                        "*",
                                        "# ",
                                        "No. ",
                                        "XII ",
                                        "５．",
                                        "http://a.b/c?d=e ",
                                        "\xE2\x80\x8D"};

static size_t random_text(char *out, size_t n_out, unsigned *seed) {
    size_t n = 0;
    for (int i = 0; i < 200; i++) {
        *seed = *seed * 1103515245u + 12345u;
        const char *p = particles[(*seed >> 16) % LENGTH(particles)];
        if (n + strlen(p) >= n_out)
            break;
        memcpy(out + n, p, strlen(p));
        n += strlen(p);
    }
    out[n] = 0;
    return n;
}

static void test_split_pieces_dont_matter(void **state) {
    const char *given = getenv("KZTTS_TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 20240611u;
    static char text[8192];
    (void)state;
    print_message("seed %u\n", seed);
    for (unsigned round = 0; round < 600; round++) {
        size_t n = random_text(text, sizeof text, &seed);
        kz_split_options options = {.policy = round % 2 ? KZ_SPLIT_PREFIX : KZ_SPLIT_WHOLE,
                                    .language = (kz_split_language)(seed >> 8) % KZ_SPLIT_LANGUAGES,
                                    .max_length = round % 3 ? 16 + (seed >> 20) % 100 : 0};
        result once = run(options, text, n), bytes = run_pieces(options, text, n, 1, NULL);
        result pieces = run_pieces(options, text, n, 20, &seed);
        check_cover(&once, text, n, options.max_length ? options.max_length : 300);
        check_equal(&once, &bytes, text);
        check_equal(&once, &pieces, text);
        forget(&once);
        forget(&bytes);
        forget(&pieces);
    }
}

/* Work is counted, so that no machine is too slow for this test. */
static void test_split_linear_work(void **state) {
    static const char *const unit[] = {
        "1", "\"", ".",   "a. ",       ". ", "' ", "?\"",    " ",    "\n", "x\n",    "…",     "今",       "。", "」",
        "a", "A.", "1. ", "e\xCC\x81", "(",  "« ", "z. B. ", "\n- ", "! ", "am 3. ", "U.S. ", "\xCC\x81", ", ", "-"};
    enum { TOTAL = 1 << 20, TOTAL_IN_BYTES = 1 << 17 };
    char *text = malloc(TOTAL + 16);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < LENGTH(unit); i++) {
        size_t n = 0, n_unit = strlen(unit[i]);
        for (; n + n_unit <= TOTAL; n += n_unit)
            memcpy(text + n, unit[i], n_unit);
        for (int policy = KZ_SPLIT_WHOLE; policy <= KZ_SPLIT_PREFIX; policy++) {
            kz_split_options options = {.policy = (kz_split_policy)policy};
            kz_split *split = open_split(options);
            kz_split_chunk chunk;
            n = policy == KZ_SPLIT_PREFIX ? TOTAL_IN_BYTES / n_unit * n_unit : n;
            for (size_t at = 0, step; at < n; at += step) {
                step = n_unit * (policy == KZ_SPLIT_PREFIX ? 1 : 5000);
                step = step < n - at ? step : n - at;
                put(split, text + at, step);
                while (kz_split_next(split, &chunk) == KZTTS_OK)
                    ;
            }
            assert_int_equal(kz_split_finish(split, NULL), KZTTS_OK);
            while (kz_split_next(split, &chunk) == KZTTS_OK)
                ;
            if (kz_split_steps(split) > 100u * n)
                fail_msg("\"%s\": %zu steps for %zu bytes", unit[i], (size_t)kz_split_steps(split), n);
            kz_split_free(split);
        }
    }
    free(text);
}

static void test_split_options_checked(void **state) {
    kz_split_options bad = {.max_length = 15};
    kz_split *split;
    kz_err err = {""};
    (void)state;
    assert_int_equal(kz_split_new(&split, &bad, &err), KZTTS_ERROR_ARGUMENT);
    assert_null(split);
    assert_non_null(strstr(err.message, "15"));
    bad.max_length = (size_t)1 << 40;
    assert_int_equal(kz_split_new(&split, &bad, &err), KZTTS_ERROR_ARGUMENT);
}

int main(void) {
    static char zh[] = "zh", en[] = "en", ja[] = "ja", ko[] = "ko", de[] = "de", fr[] = "fr", ru[] = "ru", pt[] = "pt",
                es[] = "es", it[] = "it";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_split_sentences, en), cmocka_unit_test_prestate(test_split_sentences, de),
        cmocka_unit_test_prestate(test_split_sentences, fr), cmocka_unit_test_prestate(test_split_sentences, es),
        cmocka_unit_test_prestate(test_split_sentences, pt), cmocka_unit_test_prestate(test_split_sentences, it),
        cmocka_unit_test_prestate(test_split_sentences, ru), cmocka_unit_test_prestate(test_split_sentences, zh),
        cmocka_unit_test_prestate(test_split_sentences, ja), cmocka_unit_test_prestate(test_split_sentences, ko),
        cmocka_unit_test(test_split_lists_sorted),           cmocka_unit_test(test_split_language_names),
        cmocka_unit_test(test_split_one_chunk_is_the_text),  cmocka_unit_test(test_split_three_sentences),
        cmocka_unit_test(test_split_short_ones_join),        cmocka_unit_test(test_split_paragraphs_are_hard),
        cmocka_unit_test(test_split_target_and_maximum),     cmocka_unit_test(test_split_overlong),
        cmocka_unit_test(test_split_nothing_to_speak),       cmocka_unit_test(test_split_next_character_commits),
        cmocka_unit_test(test_split_settle_and_flush),       cmocka_unit_test(test_split_releases_text),
        cmocka_unit_test(test_split_pieces_dont_matter),     cmocka_unit_test(test_split_linear_work),
        cmocka_unit_test(test_split_options_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
