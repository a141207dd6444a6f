/* tmpl/finish.h: the end of every matmul.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_FINISH_H
#define KZ_KERNELS_TMPL_FINISH_H

/* Finished chains [n_row][n_panel][16] to y, with what is added to them. */
static void mm_finish(const kz_mm *mm, const float *chain, size_t panel, size_t row, size_t n_panel, size_t n_row) {
    for (size_t r = row; r < row + n_row; r++) {
        for (size_t p = panel; p < panel + n_panel; p++, chain += 16) {
            size_t out = p * 16, n = mm->n_out - out < 16 ? mm->n_out - out : 16;
            float *y = mm->y + r * mm->y_row + out;
            v16 v = v_load(chain);
            if (mm->res) {
                const float *res = mm->res + r * mm->res_row + out;
                v16 old = n < 16 ? v_load_part(res, n) : v_load(res);
                v = mm->scale ? v_fma(v_load(mm->scale + out), v, old) : v_add(old, v);
            }
            if (n < 16)
                v_store_part(y, v, n);
            else
                v_store(y, v);
        }
    }
}

#endif
