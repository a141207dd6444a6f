/* test_named.c: finding names, and names that are nearly right.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "weights/weights.h"

static const kz_named_id voices[] = {{"serena", 1, -1}, {"vivian", 2, -1}, {"uncle_fu", 3, -1},
                                     {"ryan", 4, -1},   {"aiden", 5, -1},  {"ono_anna", 6, -1},
                                     {"sohee", 7, -1},  {"eric", 8, -1},   {"dylan", 9, -1}};
enum { N_VOICE = sizeof voices / sizeof *voices };

static void test_find(void **state) {
    (void)state;
    assert_ptr_equal(kz_named_find(voices, N_VOICE, "ryan"), &voices[3]);
    assert_ptr_equal(kz_named_find(voices, N_VOICE, "OnO_AnNa"), &voices[5]);
    assert_null(kz_named_find(voices, N_VOICE, "ryan "));
    assert_null(kz_named_find(voices, N_VOICE, "rya"));
    assert_null(kz_named_find(voices, N_VOICE, ""));
    assert_null(kz_named_find(voices, N_VOICE, NULL));
    assert_null(kz_named_find(NULL, 0, "ryan"));
    char name[200];
    memset(name, 'r', sizeof name);
    name[199] = 0;
    assert_null(kz_named_find(voices, N_VOICE, name));
}

static void test_near(void **state) {
    static const char all[] = "serena, vivian, uncle_fu, ryan, aiden, ono_anna, sohee, eric, dylan";
    static const struct {
        const char *name, *expected;
    } rows[] = {
        {"ryna", "ryan"},
        {"Rian", "ryan"},
        {"SERINA", "serena"},
        {"ono", "ono_anna"},
        {"ono_ana", "ono_anna"},
        {"erik", "eric"},
        {"uncle fu", "uncle_fu"},
        {"vivien", "vivian"},
        {"xxxxxxxx", all},
        {"", all},
        {"q", all},
        {"v", all},
        {"dyan", "ryan, dylan"},
    };
    (void)state;
    char out[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_named_near(out, sizeof out, voices, N_VOICE, rows[i].name);
        if (strcmp(out, rows[i].expected) != 0)
            fail_msg("near \"%s\": \"%s\", expected \"%s\"", rows[i].name, out, rows[i].expected);
    }
    kz_named_near(out, sizeof out, voices, N_VOICE, NULL);
    assert_string_equal(out, all);
    kz_named_near(out, 15, voices, N_VOICE, "none of them at all");
    assert_string_equal(out, "serena, vivian"); /* whole names only */
    kz_named_near(out, 14, voices, N_VOICE, "none of them at all");
    assert_string_equal(out, "serena");
    kz_named_near(out, 1, voices, N_VOICE, "ryna");
    assert_string_equal(out, "");
    out[0] = 'x';
    kz_named_near(out, 0, voices, N_VOICE, "ryna");
    assert_int_equal(out[0], 'x');
    kz_named_near(out, sizeof out, NULL, 0, "ryna");
    assert_string_equal(out, "");
}

static void test_near_of_many(void **state) {
    (void)state;
    enum { N = 40 };
    kz_named_id list[N];
    char out[512];
    for (int i = 0; i < N; i++) {
        list[i] = (kz_named_id){.id = i, .dialect = -1};
        (void)snprintf(list[i].name, sizeof list[i].name, "voice_%d", 10 + i);
    }
    kz_named_near(out, sizeof out, list, N, "voice_1");
    assert_string_equal(out, "voice_10, voice_11, voice_12"); /* three at most */
    kz_named_near(out, sizeof out, list, N, "zzz");
    assert_string_equal(out + strlen(out) - strlen("voice_25, ..."), "voice_25, ...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_near_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
