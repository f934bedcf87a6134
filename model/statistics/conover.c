/**
 * @file conover.c
 * Tests each pair of groups by t = (R_i - R_j) / sqrt(S^2 (N - 1 - H) / (N - k) (1 / n_i + 1 /
 * n_j)) with N - k degrees of freedom (Conover and Iman (1979); Conover, Practical Nonparametric
 * Statistics, section 5.2), corrected by Bonferroni or Holm (1979).
 */
#include "conover.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

static struct nereus_difference compare_two(double ranks, double error, int freedom)
{
    if (ranks == 0)
        return (struct nereus_difference){0, 1, 1};
    /* error 0: the values of each group are equal, so that a difference is certain */
    const double t = error > 0 ? ranks / error : copysign(INFINITY, ranks);
    const double p = isinf(t) ? 0 : 2 * gsl_cdf_tdist_Q(fabs(t), freedom);
    return (struct nereus_difference){t, p, p};
}

static void compare_all(const struct nereus_runs *runs, const double *mean_rank,
                        const struct nereus_kruskal *kruskal, struct nereus_difference *differences)
{
    const int k = kruskal->groups, freedom = kruskal->values - k;
    const double left = (kruskal->values - 1 - kruskal->h) / (kruskal->values - 1);
    /* H of separated groups is N - 1, but for rounding */
    const double unexplained = left > 1e-12 ? left * (kruskal->values - 1) / freedom : 0;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            const double error =
                sqrt(kruskal->variance * unexplained * (1.0 / runs[i].count + 1.0 / runs[j].count));
            differences[i * k + j] = compare_two(mean_rank[i] - mean_rank[j], error, freedom);
        }
    }
}

/* Correct by Holm: the smallest of m probabilities x m, the next one x (m - 1), ..., never
 * decreasing. */
static enum nereus_status adjust_by_holm(int k, struct nereus_difference *differences,
                                         struct nereus_error *err)
{
    const int m = k * (k - 1) / 2;
    double *p = malloc((size_t)m * sizeof *p);
    size_t *order = malloc((size_t)m * sizeof *order);
    int *indices = malloc((size_t)m * sizeof *indices), count = 0;
    const bool memory = p != NULL && order != NULL && indices != NULL;
    for (int i = 0; memory && i < k; i++) {
        for (int j = i + 1; j < k; j++) {
            indices[count] = i * k + j;
            p[count] = differences[indices[count]].p;
            count++;
        }
    }
    if (memory)
        gsl_sort_index(order, p, 1, (size_t)m);
    double min = 0;
    for (int r = 0; memory && r < m; r++) {
        const int index = indices[order[r]], mirrored = index % k * k + index / k;
        min = fmin(1, fmax(min, (m - r) * p[order[r]]));
        differences[index].p_adjusted = differences[mirrored].p_adjusted = min;
    }
    free(p);
    free(order);
    free(indices);
    NEREUS_TRY_MEMORY(memory, err, "for the comparisons of %d methods", k);
    return NEREUS_OK;
}

enum nereus_status nereus_conover(const struct nereus_runs *runs, const double *mean_rank,
                                  const struct nereus_kruskal *kruskal,
                                  enum nereus_correction correction,
                                  struct nereus_difference *differences, struct nereus_error *err)
{
    const int k = kruskal->groups;
    compare_all(runs, mean_rank, kruskal, differences);
    if (correction == NEREUS_CORRECTION_HOLM)
        return adjust_by_holm(k, differences, err);
    for (int i = 0; correction == NEREUS_CORRECTION_BONFERRONI && i < k * k; i++)
        differences[i].p_adjusted = fmin(1, differences[i].p * k * (k - 1) / 2);
    return NEREUS_OK;
}
