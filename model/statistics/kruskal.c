/**
 * @file kruskal.c
 * Computes the test statistic H = (sum of n_i R_i^2 - N (N + 1)^2 / 4) / S^2, where R_i is the mean
 * rank of group i and S^2 the variance of all ranks (Kruskal and Wallis (1952), in the form of
 * Conover, Practical Nonparametric Statistics, section 5.2, which holds with and without equal
 * values).
 */
#include "kruskal.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

struct pool {
    double *values;
    size_t *order;
    int *group;
    int count;
};

static void pool_fini(struct pool *pool)
{
    free(pool->values);
    free(pool->order);
    free(pool->group);
}

static bool pool_init(struct pool *pool, const struct nereus_runs *runs, int groups)
{
    int count = 0;
    for (int g = 0; g < groups; g++)
        count += runs[g].count;
    *pool = (struct pool){.values = calloc((size_t)count, sizeof *pool->values),
                          .order = calloc((size_t)count, sizeof *pool->order),
                          .group = calloc((size_t)count, sizeof *pool->group)};
    if (pool->values == NULL || pool->order == NULL || pool->group == NULL) {
        pool_fini(pool);
        return false;
    }
    for (int g = 0; g < groups; g++) {
        for (int i = 0; i < runs[g].count; i++) {
            pool->values[pool->count] = runs[g].values[i];
            pool->group[pool->count++] = g;
        }
    }
    gsl_sort_index(pool->order, pool->values, 1, (size_t)count);
    return true;
}

/* @return sum of squared ranks */
static double sum_ranks(const struct pool *pool, double *sums)
{
    double squares = 0;
    int end;
    for (int first = 0; first < pool->count; first = end) {
        for (end = first + 1; end < pool->count &&
                              pool->values[pool->order[end]] == pool->values[pool->order[first]];)
            end++;
        const double rank = 0.5 * (first + 1 + end); /* mean rank of equal values */
        for (int i = first; i < end; i++)
            sums[pool->group[pool->order[i]]] += rank;
        squares += (end - first) * rank * rank;
    }
    return squares;
}

enum nereus_status nereus_kruskal_wallis(const struct nereus_runs *runs, int groups,
                                         double *mean_rank, struct nereus_kruskal *result,
                                         struct nereus_error *err)
{
    struct pool pool;
    NEREUS_TRY_MEMORY(pool_init(&pool, runs, groups), err, "for the ranks of the runs");
    for (int g = 0; g < groups; g++)
        mean_rank[g] = 0;
    const double n = pool.count, squares = sum_ranks(&pool, mean_rank);
    const double expected = n * (n + 1) * (n + 1) / 4;
    const double variance = (squares - expected) / (n - 1);
    pool_fini(&pool);
    if (!(variance > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "all %d values are equal", (int)n);
    double between = -expected;
    for (int g = 0; g < groups; g++) {
        mean_rank[g] /= runs[g].count;
        between += runs[g].count * mean_rank[g] * mean_rank[g];
    }
    const double h = fmax(0, between / variance);
    *result = (struct nereus_kruskal){.h = h,
                                      .p = gsl_cdf_chisq_Q(h, groups - 1),
                                      .variance = variance,
                                      .values = (int)n,
                                      .groups = groups};
    return NEREUS_OK;
}
