/*
 * What a reconfiguration takes beyond its steps: processes that wait for each other between them, and whatever
 * no step accounts for. The median over whole rows of RT less the predicted steps, never negative.
 *
 * Only where each step has rows of its own: elsewhere the steps' coefficients hold this time already. Rows are
 * weighed by 1 / the sum of their steps: a shrink of 1 ms tells more of waits than a spawn of 200 ms does.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "price.h"

enum { ROWS_LEAST = 3 };

/* What one whole row says. */
struct rest {
    double rest_s, half_width_s; /* RT less the steps; of the steps' 90 % interval */
    double weight;
    bool two_groups;
    const struct nereus_sample *sample;
};

static int by_rest(const void *a, const void *b)
{
    const double x = ((const struct rest *)a)->rest_s, y = ((const struct rest *)b)->rest_s;
    return (x > y) - (x < y);
}

/* Has each step of a row's plan been measured by itself? */
static bool all_measured(const struct nereus_profile *profile, const struct nereus_sample *s)
{
    struct nereus_plan plan;
    if (nereus_fit_row_plan(s, &plan, NULL) != NEREUS_OK)
        return false;
    bool known = plan.step_count > 0;
    for (int i = 0; i < plan.step_count; i++)
        known = known && nereus_cost_model(profile, plan.steps[i].kind, s->oversubscribed)->high_factor > 0;
    nereus_plan_fini(&plan);
    return known;
}

static bool rest_of(const struct nereus_profile *profile, const struct nereus_sample *s, struct rest *rest)
{
    struct nereus_node node;
    struct nereus_price_parts parts;
    const struct nereus_machine machine = nereus_fit_machine(s->cores_per_node, s->oversubscribed, &node);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = s->ns,
                                             .nt = s->nt,
                                             .constant_bytes =
                                                 s->method.has_data && s->bytes > 0 ? s->bytes : 0};
    if (!all_measured(profile, s) ||
        nereus_price_parts(profile, &scenario, &s->method, &parts, NULL) != NEREUS_OK)
        return false;
    nereus_cost_add_sum(&parts.process, &parts.data);
    const struct nereus_interval steps_s = nereus_cost_interval(&parts.process);
    if (!(steps_s.value > 0))
        return false;
    *rest = (struct rest){.rest_s = s->rt_s - steps_s.value,
                          .half_width_s = 0.5 * (steps_s.high - steps_s.low),
                          .weight = 1 / steps_s.value,
                          .two_groups = s->method.process == NEREUS_BASELINE,
                          .sample = s};
    return true;
}

/* Rows that are not of these groups go to the end. @return how many are */
static size_t select_groups(struct rest *rests, size_t count, bool two_groups)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (rests[i].two_groups == two_groups) {
            const struct rest swapped = rests[n];
            rests[n++] = rests[i];
            rests[i] = swapped;
        }
    return n;
}

/* Half of the weight lies below it. */
static double weighted_median_s(struct rest *rests, size_t n)
{
    double all = 0, below = 0;
    qsort(rests, n, sizeof *rests, by_rest);
    for (size_t i = 0; i < n; i++)
        all += rests[i].weight;
    size_t i = 0;
    while (i + 1 < n && below + rests[i].weight < 0.5 * all)
        below += rests[i++].weight;
    return rests[i].rest_s;
}

/*
 * Half the width of a 90 % interval of the waits alone: what the rests scatter by, less what the steps do. Where
 * the steps explain it all, half of the waits.
 */
static double own_half_width_s(struct rest *rests, size_t n, double waits_s)
{
    double typical_s;
    struct rest *copy = malloc(n * sizeof *copy);
    if (copy == NULL)
        return waits_s;
    for (size_t i = 0; i < n; i++) {
        copy[i] = rests[i];
        copy[i].rest_s = rests[i].half_width_s;
    }
    typical_s = weighted_median_s(copy, n);
    for (size_t i = 0; i < n; i++) {
        copy[i] = rests[i];
        copy[i].rest_s = fabs(rests[i].rest_s - waits_s);
    }
    const double seen_s = weighted_median_s(copy, n) * 1.4826 * gsl_cdf_ugaussian_Pinv(0.95);
    free(copy);
    return sqrt(fmax(seen_s * seen_s - typical_s * typical_s, 0.25 * waits_s * waits_s));
}

/* One term: what the waits are above those that other terms hold already. */
static void add_term(struct nereus_linear_model *m, enum nereus_feature feature, struct rest *rests, size_t n)
{
    double held_s = 0;
    for (int i = 0; i < m->terms; i++)
        held_s += m->coefficients[i];
    const double waits_s = fmax(0, weighted_median_s(rests, n));
    if (waits_s > held_s || m->terms == 0) {
        strncpy(m->names[m->terms], nereus_feature_name(feature), sizeof m->names[0] - 1);
        m->coefficients[m->terms++] = fmax(0, waits_s - held_s);
    }
    const double reach = waits_s > 0 ? own_half_width_s(rests, n, waits_s) / waits_s : 0;
    m->high_factor = fmax(m->high_factor, 1 + reach);
    m->low_factor = 1 / m->high_factor;
    m->spread = log(m->high_factor) / gsl_cdf_ugaussian_Pinv(0.95);
    m->basis = NEREUS_BASIS_FITTED;
    m->rows += (int64_t)n;
    for (size_t i = 0; i < n; i++)
        nereus_fit_range(m, rests[i].sample->ns, rests[i].sample->nt, 0);
}

enum nereus_status nereus_fit_waits(const struct nereus_fit_rows *rows, bool oversubscribed,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model m = {.basis = NEREUS_BASIS_NONE};
    struct rest *rests = malloc((rows->count + 1) * sizeof *rests);
    size_t count = 0;
    if (rests == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows->count);
    for (size_t i = 0; i < rows->count; i++)
        if (nereus_fit_is_planned(rows->rows[i], oversubscribed))
            count += rest_of(profile, rows->rows[i], &rests[count]);
    const size_t one = select_groups(rests, count, false), two = count - one;
    if (one >= ROWS_LEAST)
        add_term(&m, NEREUS_FEATURE_CONST, rests, one);
    if (two >= ROWS_LEAST)
        add_term(&m, one >= ROWS_LEAST ? NEREUS_FEATURE_TWO_GROUPS : NEREUS_FEATURE_CONST, rests + one, two);
    *(oversubscribed ? &profile->waits_oversubscribed : &profile->waits) = m;
    free(rests);
    return NEREUS_OK;
}
