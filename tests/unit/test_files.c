/* test_files.c: files that are read and written while others do things to them.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"

enum { LONGEST = 60 /* seconds of a test that waits for nobody */ };

static char dir[64], path[128];

static int set_up(void **state) {
    (void)state;
    (void)snprintf(dir, sizeof dir, "files-XXXXXX"); /* in the folder the test runs in */
    if (!mkdtemp(dir))
        return 1;
    (void)snprintf(path, sizeof path, "%s/file", dir);
    (void)alarm(LONGEST); /* its signal ends the program */
    return 0;
}

/* Fails when anything but the file is left in the folder. */
static int tear_down(void **state) {
    (void)state;
    (void)alarm(0);
    (void)remove(path);
    return rmdir(dir);
}

static void put(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_file_is(const char *text) {
    char *found;
    size_t n;
    assert_int_equal(kz_file_read(&found, &n, path, 100, NULL), KZTTS_OK);
    assert_int_equal(n, strlen(text));
    assert_string_equal(found, text);
    kz_free(found);
}

/* Opening one for reading waits for a writer, as a rule. */
static void test_a_pipe_is_no_file(void **state) {
    kz_file file;
    kz_err err = {{0}};
    char *text;
    size_t n;
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(kz_file_map(&file, path, &err), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "not a regular file"));
    assert_null(file.data);
    err = (kz_err){{0}};
    assert_int_equal(kz_file_read(&text, &n, path, 100, &err), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "not a regular file"));
    assert_null(text);
    assert_int_equal(kz_file_write(path, "new", 3, true, &err), KZTTS_ERROR_ARGUMENT);
}

static void test_write(void **state) {
    kz_err err = {{0}};
    (void)state;
    assert_int_equal(kz_file_write(path, "one", 3, false, &err), KZTTS_OK);
    assert_int_equal(kz_file_write(path, "two", 3, false, &err), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "is there already"));
    assert_file_is("one");
    assert_int_equal(kz_file_write(path, "two", 3, true, &err), KZTTS_OK);
    assert_file_is("two");
}

/* Somebody else's file of that name, made after the place was found to be free, stays. */
static void test_file_that_appears_meanwhile(void **state) {
    kz_writer *w;
    kz_err err = {{0}};
    (void)state;
    assert_int_equal(kz_writer_open(&w, path, 4, false, &err), KZTTS_OK);
    assert_int_equal(kz_writer_put(w, "ours", 4, &err), KZTTS_OK);
    put("theirs");
    assert_int_equal(kz_writer_close(w, true, &err), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "is there already"));
    assert_file_is("theirs");
    assert_int_equal(kz_writer_open(&w, path, 4, true, &err), KZTTS_OK);
    assert_int_equal(kz_writer_put(w, "ours", 4, &err), KZTTS_OK);
    put("theirs too");
    assert_int_equal(kz_writer_close(w, true, &err), KZTTS_OK);
    assert_file_is("ours");
}

static void test_more_than_is_free(void **state) {
    kz_writer *w;
    kz_err err = {{0}};
    struct statvfs fs;
    (void)state;
    assert_int_equal(statvfs(dir, &fs), 0);
    if (!fs.f_blocks) {
        print_message("SKIP: this file system doesn't tell what is free\n");
        skip();
    }
    assert_int_equal(kz_writer_open(&w, path, UINT64_MAX, false, &err), KZTTS_ERROR_FAILED);
    assert_non_null(strstr(err.message, "MiB are needed"));
    assert_null(w);
    assert_false(kz_file_exists(path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_a_pipe_is_no_file), TEST(test_write),
                                       TEST(test_file_that_appears_meanwhile), TEST(test_more_than_is_free)};
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
