/* exact.h: double-precision functions for tables, with the same bits on every system (libm's differ).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_NN_EXACT_H
#define KZ_NN_EXACT_H

double kz_log_d(double x);                                /* x >= 1, about 1e-15 relative */
double kz_exp_d(double x);                                /* 0 <= x < 700 */
void kz_sincos_d(double a, double *sine, double *cosine); /* 0 <= a < 2^20 or so, about 1e-15 */

#endif
