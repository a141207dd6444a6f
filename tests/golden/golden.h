/* golden.h: fixtures in, a verdict with figures out. For the tests in this folder.  SPDX-License-Identifier: Apache-2.0
 *
 * Fixtures are numbers of the official program: a manifest.json with every case's settings, inputs and tolerances, and
 * a .safetensors file a case. Two sets are tried, each as one cmocka test:
 *   repository  KZ_TEST_DATA (a string macro): the part that lives beside this file
 *   shared      $KZTTS_SHARED/fixtures: all of them; without that variable the set is skipped, loudly
 *
 * A test file looks like this:
 *      static void check(golden_case *c) {
 *          size_t n;
 *          const float *x = golden_f32(c, "input", &n);
 *          ...
 *          golden_check_f32(c, "output", y, n_y);
 *      }
 *      int main(int argc, char **argv) { return golden_main("group", check, argc, argv); }
 *
 * Options of such a program: --match TEXT (cases whose name holds it), --cpu LEVEL, --threads N. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "kernels/kernels.h"
#include "weights/weights.h"

typedef struct golden_set golden_set;

typedef struct golden_case {
    const char *name;       /* e.g. "cv_default" */
    const char *checkpoint; /* directory of its checkpoint, or NULL */
    const cJSON *settings;  /* its entry in the manifest */
    kz_weights *file;
    golden_set *set;
    void *memory; /* list of what golden_memory gave */
    int n_check, n_fail;
} golden_case;

typedef void (*golden_fn)(golden_case *c);

/* Runs fn on every case of the group in both sets; returns main's exit code. */
int golden_main(const char *group, golden_fn fn, int argc, char **argv);

/* fn is called after each set's last case: for what is kept from case to case. */
void golden_when_done(void (*fn)(void));

/* ---- settings ---------------------------------------------------------------------------------------------- */

/* A string of the case (or its item where the manifest holds a list); NULL when absent or null. */
const char *golden_string(const golden_case *c, const char *key, size_t item);
double golden_number(const golden_case *c, const char *key, double fallback);
bool golden_flag(const golden_case *c, const char *key);

/* The set's folder; and the manifest with all cases. */
const char *golden_root(const golden_case *c);
const cJSON *golden_manifest(const golden_case *c);

const kz_kernels *golden_kernels(void); /* --cpu, default the best */
int golden_threads(void);               /* --threads, default 2 */

/* ---- tensors of the case ----------------------------------------------------------------------------------- */

/* Zeroed memory until the case is over. Never NULL. */
void *golden_memory(golden_case *c, size_t count, size_t size);

/* The tensor, or NULL when the case has none of that name. */
const kz_tensor *golden_tensor(const golden_case *c, const char *name);

/* Aligned copies, valid until the case is over; NULL (and *n 0) when the case has none of that name. */
const float *golden_f32(golden_case *c, const char *name, size_t *n);
const int32_t *golden_i32(golden_case *c, const char *name, size_t *n); /* of I64 or I32; a value beyond is a failure */
const unsigned char *golden_u8(golden_case *c, const char *name, size_t *n);

/* ---- verdicts ---------------------------------------------------------------------------------------------- */

/* Compares with the tensor by the manifest's tolerance:
 *      max|got - want| <= atol + rtol_of_max * max|want|   and   rms(got - want) <= rtol_of_rms * rms(want)
 * -inf must meet -inf, NaN is a failure. A case without the tensor isn't checked. */
void golden_check_f32(golden_case *c, const char *name, const float *got, size_t n);

/* The same for got [n_row, n_col] where the tensor is [n_col, n_row]. */
void golden_check_f32_columns(golden_case *c, const char *name, const float *got, size_t n_row, size_t n_col);

/* Equality with an I64 or I32 tensor. */
void golden_check_i32(golden_case *c, const char *name, const int32_t *got, size_t n);

/* A failure of the case, in words. */
void golden_fail(golden_case *c, const char *fmt, ...) KZ_PRINTF(2, 3);

/* Records a failure unless the status is OK; returns whether it is. */
bool golden_ok(golden_case *c, kztts_status status, const kz_err *err, const char *what);

#endif
