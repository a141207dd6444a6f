/* verify_scores.c: two distributions over the same codes.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "verify.h"

typedef struct distribution {
    int best;
    double max, log_sum; /* log of the sum of exp(score - max) */
} distribution;

static distribution look(const float *x, int n) {
    distribution d = {0, -INFINITY, 0};
    double sum = 0;
    for (int i = 0; i < n; i++)
        if ((double)x[i] > d.max) {
            d.max = (double)x[i];
            d.best = i;
        }
    for (int i = 0; i < n; i++)
        sum += exp((double)x[i] - d.max);
    d.log_sum = log(sum);
    return d;
}

/* How many codes are likelier than this one; of equals the lower index goes first. */
static int rank_of(const float *x, int n, int i) {
    int rank = 0;
    for (int k = 0; k < n; k++)
        rank += x[k] > x[i] || (x[k] >= x[i] && k < i);
    return rank;
}

void kz_agreement_add(kz_agreement *a, const float *x, const float *y, int n, bool equal) {
    distribution p = look(x, n), q = look(y, n);
    double kl = 0, error = 0;
    int n_finite = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            continue;
        double log_p = (double)x[i] - p.max - p.log_sum, log_q = (double)y[i] - q.max - q.log_sum;
        double difference = fabs((double)x[i] - (double)y[i]);
        kl += exp(log_p) * (log_p - log_q);
        error += difference;
        a->max_error = fmax(a->max_error, difference);
        n_finite++;
    }
    a->n++;
    a->equal += equal;
    a->top1 += p.best == q.best;
    a->top5 += rank_of(y, n, p.best) < 5;
    a->kl += fmax(kl, 0);
    a->error += n_finite ? error / n_finite : 0;
}
