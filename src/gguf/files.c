/* files.c: split files, and the file with a model's other half.  SPDX-License-Identifier: Apache-2.0 */
#include "gguf/files.h"

#include <stdio.h>
#include <string.h>

/* ---- split files ------------------------------------------------------------------------------------------- */

/* `-00001-of-00003.gguf` */
enum { DIGITS = 5, SPLIT_SUFFIX = sizeof "-00001-of-00003.gguf" - 1, MAX_FILES = 4096 };

static bool digits_at(const char *s, size_t *out) {
    *out = 0;
    for (int i = 0; i < DIGITS; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        *out = *out * 10 + (size_t)(s[i] - '0');
    }
    return true;
}

static bool split_name(const char *path, size_t *part, size_t *count) {
    size_t n = strlen(path);
    const char *s = path + n - SPLIT_SUFFIX;
    return n > SPLIT_SUFFIX && s[0] == '-' && digits_at(s + 1, part) && !memcmp(s + 6, "-of-", 4) &&
           digits_at(s + 10, count) && strcmp(s + 15, ".gguf") == 0 && *part >= 1 && *part <= *count;
}

/* The name of another part, or NULL (memory). */
static char *part_path(const char *path, size_t part) {
    char *name = kz_strndup(path, strlen(path)), number[DIGITS + 1];
    if (name) {
        (void)snprintf(number, sizeof number, "%05zu", part % 100000);
        memcpy(name + strlen(path) - SPLIT_SUFFIX + 1, number, DIGITS);
    }
    return name;
}

static kztts_status check_part(const kz_gg_file *f, size_t part, size_t count, kz_err *err) {
    const kz_gg_value *no = kz_gg_find(f, "split.no"), *of = kz_gg_find(f, "split.count");
    int64_t i = 0, n = 1;
    if ((no && !kz_gg_int(no, &i)) || (of && !kz_gg_int(of, &n)) || i != (int64_t)part - 1 || n != (int64_t)count)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: keys split.no and split.count say part %lld of %lld, the name says part %zu of %zu",
                       f->label, (long long)i + 1, (long long)n, part, count);
    return KZTTS_OK;
}

static kztts_status open_parts(kz_gg_half *half, const char *path, size_t count, kz_err *err) {
    for (size_t part = 1; part <= count; part++) {
        char *name = part_path(path, part);
        if (!name)
            return kz_fail_memory(err, strlen(path), "a path");
        kztts_status status = kz_gg_file_open(&half->files[half->n_file], name, err);
        kz_free(name);
        KZ_TRY(status);
        half->n_file++;
        KZ_TRY(check_part(&half->files[half->n_file - 1], part, count, err));
    }
    return KZTTS_OK;
}

static kztts_status open_single(kz_gg_half *half, const char *path, kz_err *err) {
    KZ_TRY(kz_gg_file_open(&half->files[0], path, err));
    half->n_file = 1;
    int64_t count = 1;
    const kz_gg_value *v = kz_gg_find(&half->files[0], "split.count");
    if (v && (!kz_gg_int(v, &count) || count != 1))
        return kz_fail(
            err, KZTTS_ERROR_FORMAT,
            "%s: a part of a split file (key split.count), but its name doesn't end in -00001-of-00002.gguf or "
            "the like; the other parts can't be found",
            half->files[0].label);
    return KZTTS_OK;
}

kztts_status kz_gg_half_open(kz_gg_half *half, const char *path, kz_err *err) {
    size_t part, count = 1;
    *half = (kz_gg_half){0};
    bool split = split_name(path, &part, &count);
    if (count > KZ_GG_PARTS)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %zu parts are more than the limit of %d", kz_show_path(path).s,
                       count, KZ_GG_PARTS);
    if (!(half->files = kz_alloc(count, sizeof *half->files)))
        return kz_fail_memory(err, count * sizeof *half->files, "files");
    kztts_status status = split ? open_parts(half, path, count, err) : open_single(half, path, err);
    if (status >= 0)
        status = kz_gg_detect(&half->scheme, &half->files[0], err);
    if (status < 0)
        kz_gg_half_close(half);
    return status;
}

void kz_gg_half_close(kz_gg_half *half) {
    for (size_t i = 0; i < half->n_file; i++)
        kz_gg_file_close(&half->files[i]);
    kz_free(half->files);
    *half = (kz_gg_half){0};
}

/* ---- the other half ---------------------------------------------------------------------------------------- */

/* The type at the end of a name, `Q8_0` of `talker-Q8_0.gguf`: where it begins, and its length. */
static const char *type_in(const char *name, size_t *n) {
    size_t end = strlen(name) - strlen(".gguf"), begin = end;
    while (begin > 0 && name[begin - 1] != '-' && name[begin - 1] != '.')
        begin--;
    *n = end - begin;
    return name + begin;
}

static bool alike(const char *a, size_t n_a, const char *b, size_t n_b) {
    size_t i = 0;
    while (n_a == n_b && i < n_a && (a[i] | 0x20) == (b[i] | 0x20))
        i++;
    return n_a == n_b && i == n_a;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How well a codec goes with the talker: NAME-tokenizer.gguf is best, then the same layout, then the same type at the end
 * of the name. 0: it is none, or of a layout that can't go with it. */
static int fitness(const char *talker_name, const kz_gg_scheme *talker, const char *name, const char *path) {
    size_t n = strlen(talker_name) - strlen(".gguf"), n_a, n_b;
    const char *a = type_in(talker_name, &n_a), *b = type_in(name, &n_b);
    const kz_gg_scheme *scheme = NULL;
    kz_gg_file f;
    if (kz_gg_file_open(&f, path, NULL) < 0)
        return 0; /* whatever it is; others are passed over in silence */
    kztts_status status = kz_gg_detect(&scheme, &f, NULL);
    kz_gg_file_close(&f);
    if (status < 0 || !scheme->is_codec || (talker == &kz_gg_d) != (scheme == &kz_gg_d_codec))
        return 0;
    bool own = strncmp(talker_name, name, n) == 0 && strcmp(name + n, KZ_GG_CODEC_SUFFIX) == 0;
    return 1 + 2 * alike(a, n_a, b, n_b) + 4 * (scheme->name == talker->name) + 8 * own;
}

typedef struct search {
    const char *talker, *folder; /* its name, the folder */
    const kz_gg_scheme *scheme;
    char *best, *second; /* the fittest file, and another as fit */
    int fitness;
} search;

/* Parts of a split file but the first, and files that can't be GGUF files by their names. */
static bool passed_over(const search *s, const char *name) {
    size_t n = strlen(name), part, count;
    return n <= strlen(".gguf") || strcmp(name + n - strlen(".gguf"), ".gguf") != 0 || strcmp(name, s->talker) == 0 ||
           (split_name(name, &part, &count) && part > 1);
}

static kztts_status try_file(search *s, const char *name, kz_err *err) {
    if (passed_over(s, name))
        return KZTTS_OK;
    char *path = kz_path_join(s->folder, name);
    if (!path)
        return kz_fail_memory(err, strlen(name), "a path");
    int fit = fitness(s->talker, s->scheme, name, path);
    if (!fit || fit < s->fitness) {
        kz_free(path);
        return KZTTS_OK;
    }
    kz_free(s->second);
    s->second = NULL;
    if (fit == s->fitness) {
        s->second = path;
        return KZTTS_OK;
    }
    kz_free(s->best);
    s->best = path;
    s->fitness = fit;
    return KZTTS_OK;
}

static kztts_status search_folder(search *s, kz_err *err) {
    char **names;
    size_t n;
    KZ_TRY(kz_dir_list(&names, &n, s->folder, MAX_FILES, err));
    kztts_status status = KZTTS_OK;
    for (size_t i = 0; i < n && status >= 0; i++)
        status = try_file(s, names[i], err);
    kz_dir_list_free(names, n);
    return status;
}

static kztts_status judge(const search *s, const char *path, kz_err *err) {
    if (!s->best)
        return kz_fail(err, KZTTS_ERROR_NOT_FOUND,
                       "%s: layout %c: the codec is in a second file (%s), and none is beside it; name it with --codec",
                       kz_show_path(path).s, s->scheme->name,
                       s->scheme == &kz_gg_d ? "architecture \"clip\", often mmproj-*.gguf" : "often *tokenizer*.gguf");
    if (s->second)
        return kz_fail(err, KZTTS_ERROR_NOT_FOUND, "%s: both %s and %s beside it hold a codec; name one with --codec",
                       kz_show_path(path).s, base_of(s->best), base_of(s->second));
    return KZTTS_OK;
}

kztts_status kz_gg_find_codec(char **out, const char *path, const kz_gg_scheme *talker, kz_err *err) {
    const char *name = base_of(path);
    char *folder = name == path ? kz_strndup(".", 1) : kz_strndup(path, (size_t)(name - path));
    search s = {.talker = name, .folder = folder, .scheme = talker};
    *out = NULL;
    if (!folder)
        return kz_fail_memory(err, strlen(path), "a path");
    kztts_status status = strlen(name) > strlen(".gguf") ? search_folder(&s, err) : KZTTS_OK;
    if (status >= 0)
        status = judge(&s, path, err);
    kz_free(folder);
    kz_free(s.second);
    if (status < 0)
        kz_free(s.best);
    else
        *out = s.best;
    return status;
}
