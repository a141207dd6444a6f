/* words.c: what the word before a full stop says about it.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "split/internal.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { TOKEN_MAX = 40, CHAIN_PARTS = 3 }; /* bytes of a token; parts like the "z." of "z. B." before one */

/* Characters between blanks, without the quotes and brackets before them. */
typedef struct kz_token {
    const char *text;
    size_t n;
    bool found, first; /* first: the sentence begins with it */
} kz_token;

/* The token that ends at `end`. Not found: empty, or too long to be an abbreviation. */
static kz_token token_before(const char *begin, const char *end) {
    const char *from = end;
    kz_token token = {0};
    while (from > begin) {
        const char *before = kz_char_before(begin, from);
        if (kz_char_at(before).is & (KZ_SPACE | KZ_WIDE))
            break;
        from = before;
        if (end - from > TOKEN_MAX)
            return token;
    }
    token.first = from == begin;
    while (from < end && (kz_char_at(from).is & (KZ_OPEN | KZ_CLOSE | KZ_DASH | KZ_MARK)))
        from += kz_char_at(from).n_byte;
    token.text = from;
    token.n = (size_t)(end - from);
    token.found = token.n > 0;
    return token;
}

static const char *skip_blanks_back(const char *begin, const char *end) {
    for (int i = 0; i < 2 && end > begin && (kz_char_at(kz_char_before(begin, end)).is & KZ_SPACE); i++)
        end = kz_char_before(begin, end);
    return end;
}

static bool all_of(const char *text, size_t n, unsigned is) {
    for (size_t at = 0; at < n; at += kz_char_at(text + at).n_byte)
        if (!(kz_char_at(text + at).is & is))
            return false;
    return n > 0;
}

static bool is_single_letter(const char *text, size_t n) {
    return n && kz_char_at(text).n_byte == n && (kz_char_at(text).is & (KZ_UPPER | KZ_LOWER));
}

static bool is_roman(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!strchr("IVX", text[i]) || !text[i])
            return false;
    return n > 0;
}

/* U.S.A, Ph.D: letters in ones and twos with full stops between. */
static bool is_dotted(const char *text, size_t n) {
    size_t n_letter = 0, n_dot = 0;
    for (size_t at = 0; at < n; at += kz_char_at(text + at).n_byte) {
        unsigned is = kz_char_at(text + at).is;
        if (is & KZ_DOT) {
            if (!n_letter)
                return false;
            n_letter = 0;
            n_dot++;
        } else if (!(is & (KZ_UPPER | KZ_LOWER)) || ++n_letter > 2)
            return false;
    }
    return n_dot && n_letter;
}

/* ---- lists ------------------------------------------------------------------------------------------------- */

static const char *const plan_words[] = {"class", "grade", "group", "hepatitis", "option", "part", "plan", "vitamin"};

/* Jh.: "im 19. Jh." */
static const char *const german_months[] = {"april", "august", "dezember", "februar",  "januar",  "jh",       "juli",
                                            "juni",  "mai",    "märz",     "november", "oktober", "september"};

/* Before these an ordinal is likely, whatever the language seems to be ... */
static const char *const german_the[] = {"dem", "der", "vom", "zum"};

/* ... and before these in German. */
static const char *const german_articles[] = {
    "am",    "beim",  "das",   "dem",   "den",   "der",    "des",    "die",   "ein",  "eine",  "einem",
    "einen", "einer", "eines", "ihr",   "ihre",  "ihrem",  "ihren",  "im",    "jede", "jedem", "jeden",
    "jeder", "jedes", "mein",  "meine", "seine", "seinem", "seinen", "unser", "vom",  "zum",   "zur"};

static const char *const german_and[] = {"bis", "oder", "und"};

bool kz_listed(const char *const *list, size_t n, const char *word) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(list[middle], word);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Whose lists are asked about a word: the text's own, or by the word's script. How many. */
static size_t lists_for(kz_split_language language, const char *word, kz_split_language out[KZ_SPLIT_LANGUAGES]) {
    static const kz_split_language latin[] = {KZ_SPLIT_EN, KZ_SPLIT_DE, KZ_SPLIT_FR,
                                              KZ_SPLIT_ES, KZ_SPLIT_PT, KZ_SPLIT_IT};
    bool cyrillic = (unsigned char)word[0] >= 0xD0 && (unsigned char)word[0] <= 0xD3;
    if (cyrillic || (language != KZ_SPLIT_RU && kz_words_of[language].n_abbreviation)) {
        out[0] = cyrillic ? KZ_SPLIT_RU : language;
        return 1;
    }
    memcpy(out, latin, sizeof latin);
    return LENGTH(latin);
}

static bool fits(const kz_abbreviation *a, bool upper, bool local) {
    return (local || !a->local) && (a->only != 'C' || upper) && (a->only != 'M' || !upper);
}

static const kz_abbreviation *find_in(const kz_words *words, const char *key, bool upper, bool local) {
    size_t low = 0, high = words->n_abbreviation;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(words->abbreviation[middle].word, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < words->n_abbreviation && strcmp(words->abbreviation[low].word, key) == 0; low++)
        if (fits(&words->abbreviation[low], upper, local))
            return &words->abbreviation[low];
    return NULL;
}

static const kz_abbreviation *find_abbreviation(kz_split_language language, const char *key, bool upper) {
    static const char careful[] = "ASNE"; /* of several lists' answers, the one that ends fewer sentences */
    kz_split_language list[KZ_SPLIT_LANGUAGES];
    size_t n = lists_for(language, key, list);
    const kz_abbreviation *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const kz_abbreviation *found = find_in(&kz_words_of[list[i]], key, upper, n == 1);
        if (found && (!best || strchr(careful, found->kind) < strchr(careful, best->kind)))
            best = found;
    }
    return best;
}

bool kz_word_starts(kz_split_language language, const char *word) {
    kz_split_language list[KZ_SPLIT_LANGUAGES];
    size_t n = lists_for(language, word, list);
    for (size_t i = 0; i < n; i++)
        if (kz_listed(kz_words_of[list[i]].starter, kz_words_of[list[i]].n_starter, word))
            return true;
    return false;
}

/* ---- abbreviations ----------------------------------------------------------------------------------------- */

/* "т" before "д" in "т. д.": a short token with a full stop and perhaps a blank before `token`. */
static kz_token part_before(const char *begin, const kz_token *token) {
    const char *end = skip_blanks_back(begin, token->text);
    kz_token part = {0};
    if (end == begin || end[-1] != '.')
        return part;
    part = token_before(begin, end - 1);
    if (part.n > 8 || !all_of(part.text, part.n, KZ_LETTER | KZ_DOT))
        part.found = false;
    return part;
}

/* Looks a token up together with up to CHAIN_PARTS short ones before it, the longest chain first. */
static const kz_abbreviation *find_chain(kz_split_language language, const char *begin, const kz_token *token) {
    kz_token part[CHAIN_PARTS + 1] = {*token};
    size_t n_part = 1;
    while (n_part <= CHAIN_PARTS) {
        part[n_part] = part_before(begin, &part[n_part - 1]);
        if (!part[n_part].found)
            break;
        n_part++;
    }
    for (; n_part; n_part--) {
        char key[(CHAIN_PARTS + 1) * (TOKEN_MAX + 8)];
        size_t n = 0;
        for (size_t i = n_part; i-- && n + TOKEN_MAX + 8 < sizeof key;) {
            size_t more = kz_fold(key + n, sizeof key - n, part[i].text, part[i].n);
            n += more;
            if (i)
                key[n++] = '.';
        }
        bool upper = kz_char_at(part[n_part - 1].text).is & KZ_UPPER;
        const kz_abbreviation *found = find_abbreviation(language, key, upper);
        if (found)
            return found;
    }
    return NULL;
}

/* The part behind the last hyphen or apostrophe: "Ing" of "Dipl.-Ing", "av" of "l'av". */
static kz_token last_part(const kz_token *token) {
    kz_token out = *token;
    for (size_t at = 0; at < token->n;) {
        kz_char c = kz_char_at(token->text + at);
        at += c.n_byte;
        if ((c.c == '-' || c.c == '\'' || c.c == 0x2019) && at < token->n) {
            out.text = token->text + at;
            out.n = token->n - at;
            out.first = false;
        }
    }
    return out;
}

static kz_stop stop_of(const kz_abbreviation *a, bool after_number) {
    switch (a->kind) {
    case 'A':
        return KZ_STOP_NEVER;
    case 'N':
        return KZ_STOP_NUMBER;
    case 'E':
        return KZ_STOP_MAY_END;
    default:
        return a->only == 'D' && after_number ? KZ_STOP_MAY_END : KZ_STOP_STARTER;
    }
}

static bool after_number(const char *begin, const kz_token *token) {
    const char *end = skip_blanks_back(begin, token->text);
    if (end == begin)
        return false;
    const char *last = kz_char_before(begin, end);
    return (kz_char_at(last).is & KZ_DIGIT) || is_roman(last, (size_t)(end - last));
}

/* The word before a token, folded. */
static void word_before(char out[TOKEN_MAX + 8], const char *begin, const kz_token *token) {
    kz_token word = token_before(begin, skip_blanks_back(begin, token->text));
    out[0] = 0;
    if (word.found && all_of(word.text, word.n, KZ_LETTER))
        kz_fold(out, TOKEN_MAX + 8, word.text, word.n);
}

/* Initials, but for "I", plan B, and words of one letter such as the Russian I and the Italian is. */
static kz_stop letter_stop(kz_split_language language, const char *begin, const kz_token *token) {
    char before[TOKEN_MAX + 8];
    kz_char c = kz_char_at(token->text);
    word_before(before, begin, token);
    if (kz_listed(plan_words, LENGTH(plan_words), before))
        return KZ_STOP_WORD;
    if (c.c == 'I' && before[0] && (language == KZ_SPLIT_EN || language == KZ_SPLIT_AUTO)) {
        kz_token word = token_before(begin, skip_blanks_back(begin, token->text));
        return kz_char_at(word.text).is & KZ_LOWER ? KZ_STOP_WORD : KZ_STOP_STARTER;
    }
    if (c.c < 0x80 && memchr("ghlmst", c.c, 6) && after_number(begin, token)) /* 1.80 m. */
        return KZ_STOP_MAY_END;
    return c.c == 0x44F || (c.c >= 0xE0 && c.c <= 0xFA) ? KZ_STOP_WORD : KZ_STOP_STARTER;
}

static kz_stop number_stop(kz_split_language language, bool hangul) {
    if (language == KZ_SPLIT_DE || (language == KZ_SPLIT_AUTO && !hangul))
        return KZ_STOP_ORDINAL;
    return language == KZ_SPLIT_KO || (language == KZ_SPLIT_AUTO && hangul) ? KZ_STOP_DATE : KZ_STOP_WORD;
}

static bool is_list_mark(const kz_token *token) {
    return token->first &&
           ((token->n <= 3 && all_of(token->text, token->n, KZ_DIGIT)) ||
            (token->n <= 4 && is_roman(token->text, token->n)) || is_single_letter(token->text, token->n));
}

static bool ends_in(const kz_token *token, const char *end) {
    size_t n = strlen(end);
    return token->n > n && memcmp(token->text + token->n - n, end, n) == 0;
}

static kz_stop token_stop(kz_split_language language, const char *begin, const kz_token *token, bool hangul) {
    if (is_list_mark(token))
        return KZ_STOP_NEVER;
    if (all_of(token->text, token->n, KZ_DIGIT))
        return number_stop(language, hangul);
    const kz_abbreviation *found = find_chain(language, begin, token);
    kz_token last = last_part(token);
    if (!found && last.n < token->n)
        found = find_chain(language, last.text, &last);
    if (found)
        return stop_of(found, after_number(begin, token));
    if (is_single_letter(last.text, last.n))
        return letter_stop(language, begin, token);
    if (is_dotted(token->text, token->n))
        return KZ_STOP_STARTER;
    if (language == KZ_SPLIT_DE && token->n > 1 && is_roman(token->text, token->n))
        return KZ_STOP_STARTER;
    if ((language == KZ_SPLIT_DE || language == KZ_SPLIT_AUTO) && ends_in(token, "str"))
        return KZ_STOP_NUMBER;
    return KZ_STOP_WORD;
}

kz_stop kz_word_stop(kz_split_language language, const char *text, size_t at, bool closed, bool hangul) {
    kz_token token = token_before(text, text + at);
    if (!token.found)
        return KZ_STOP_WORD;
    if (closed)
        token.first = false;
    kz_stop stop = token_stop(language, text, &token, hangul);
    return closed && stop == KZ_STOP_NEVER ? KZ_STOP_STARTER : stop;
}

bool kz_word_ordinal(kz_split_language language, const char *text, size_t at, const char *word) {
    char before[TOKEN_MAX + 8];
    kz_token token = token_before(text, text + at);
    if (!token.found)
        return false;
    word_before(before, text, &token);
    bool month = kz_listed(german_months, LENGTH(german_months), word);
    bool article = kz_listed(german_articles, LENGTH(german_articles), before) ||
                   (token.n <= 2 && kz_listed(german_and, LENGTH(german_and), before));
    if (language != KZ_SPLIT_DE)
        return (article && month) ||
               (kz_listed(german_the, LENGTH(german_the), before) && !kz_word_starts(KZ_SPLIT_AUTO, word));
    return month || (article && !kz_word_starts(language, word));
}
