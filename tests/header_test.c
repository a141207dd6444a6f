/* header_test.c: KZ_HEADER, alone in a translation unit, twice.  SPDX-License-Identifier: Apache-2.0 */
#include KZ_HEADER
#include KZ_HEADER

/* ISO C wants one declaration at least. */
extern int kz_header_test;
