/** @file guess.c  The model's guess, and those of the rules that it has to beat. */
#include "guess.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/goal.h"

const char *guesser_name(enum guesser guesser)
{
    static const char *const names[GUESSERS] = {
        "model",          "always merge", "nearest measured pair",
        "log-linear fit", "pure lookup",  "measured again"};
    return names[guesser];
}

static struct guess of_model(const struct known *known, const struct nereus_sample *row)
{
    const struct nereus_machine equal = {.cores_per_node = row->cores_per_node},
                                *const machine = row->machine != NULL ? row->machine : &equal;
    struct nereus_jobstate state;
    const bool per_node = row->method.shrink == NEREUS_TS;
    struct nereus_scenario s = {.machine = machine,
                                .ns = row->ns,
                                .nt = row->nt,
                                .t_iter_ns_s = row->t_iter_ns_s > 0 ? row->t_iter_ns_s : 0,
                                .t_iter_nt_s = row->t_iter_nt_s > 0 ? row->t_iter_nt_s : 0,
                                .iterations_before = 3,
                                .iterations_after = known->iterations_after};
    struct nereus_prediction p;
    if (per_node && nereus_jobstate_per_node(machine, row->ns, &state, NULL) != NEREUS_OK)
        return (struct guess){.any = false};
    s.state = per_node ? &state : NULL;
    const enum nereus_status status = nereus_predict(known->profile, &s, &row->method, &p, NULL);
    if (per_node)
        nereus_jobstate_fini(&state);
    if (status != NEREUS_OK)
        return (struct guess){.any = false};
    const struct nereus_goal_part part = {&s, &p};
    const struct nereus_goal_figure t_ex = {.quantity = NEREUS_QUANTITY_T_EX};
    return (struct guess){
        .any = true,
        .figures = {p.rt_s, nereus_goal_interval(&part, 1, &t_ex), nereus_omega_interval(&s, &p),
                    nereus_iterations_interval(&s, &p)},
        .rt_s = p.rt_s.value,
        .low_s = p.rt_s.low,
        .high_s = p.rt_s.high,
        .iterations = p.iterations,
        .ct_s = p.ct_s,
        .iterations_expected = p.iterations_expected,
        .ct_expected_s = row->method.async ? p.wait_s : 0,
        .source = p.source,
    };
}

static bool same_method(const struct nereus_sample *a, const struct nereus_sample *b)
{
    char x[NEREUS_METHOD_TEXT_MAX], y[NEREUS_METHOD_TEXT_MAX];
    return strcmp(nereus_method_format(&a->method, x), nereus_method_format(&b->method, y)) == 0 &&
           (a->nt < a->ns) == (b->nt < b->ns);
}

/* Without a model, an iteration takes as long as it always does. */
static struct guess of_rt(double rt_s, const struct nereus_sample *row)
{
    struct guess g = {
        .any = rt_s > 0, .rt_s = rt_s, .low_s = NAN, .high_s = NAN, .source = NEREUS_MODELLED};
    if (g.any && row->method.async) {
        g.iterations = ceil(rt_s / row->t_iter_ns_s);
        g.ct_s = g.iterations * row->t_iter_ns_s;
        g.iterations_expected = g.iterations;
        g.ct_expected_s = g.ct_s;
    }
    return g;
}

static const struct nereus_sample *nearest(const struct known *known,
                                           const struct nereus_sample *row, bool the_same)
{
    const struct nereus_sample *best = NULL;
    double min = INFINITY;
    for (int64_t i = 0; i < known->rows->count; i++) {
        const struct nereus_sample *s = &known->rows->rows[i];
        const double distance =
            fabs(log((double)s->ns / (double)row->ns)) + fabs(log((double)s->nt / (double)row->nt));
        if (!same_method(s, row) || distance >= min || (the_same && distance > 0))
            continue;
        min = distance;
        best = s;
    }
    return best;
}

static struct guess of_neighbour(const struct known *known, const struct nereus_sample *row,
                                 bool the_same)
{
    const struct nereus_sample *s = nearest(known, row, the_same);
    if (s == NULL)
        return (struct guess){.any = false};
    struct guess g = of_rt(s->rt_s, row);
    if (row->method.async && s->iterations >= 1 && s->ns == row->ns && s->nt == row->nt) {
        g.iterations = g.iterations_expected = s->iterations;
        g.ct_s = g.ct_expected_s = s->ct_s;
    }
    return g;
}

/* log RT = a + b log NS + c log NT over the rows of the method, or their mean where there are fewer
 * than four. */
static struct guess of_log_fit(const struct known *known, const struct nereus_sample *row)
{
    gsl_vector *y = gsl_vector_alloc((size_t)known->rows->count + 1), *c = gsl_vector_alloc(3);
    gsl_matrix *x = gsl_matrix_alloc((size_t)known->rows->count + 1, 3),
               *covariance = gsl_matrix_alloc(3, 3);
    size_t n = 0;
    double sum = 0, chisq, value = NAN;
    for (int64_t i = 0; i < known->rows->count; i++) {
        const struct nereus_sample *s = &known->rows->rows[i];
        if (!same_method(s, row))
            continue;
        gsl_matrix_set(x, n, 0, 1);
        gsl_matrix_set(x, n, 1, log((double)s->ns));
        gsl_matrix_set(x, n, 2, log((double)s->nt));
        gsl_vector_set(y, n++, log(s->rt_s));
        sum += log(s->rt_s);
    }
    if (n >= 4) {
        gsl_multifit_linear_workspace *space = gsl_multifit_linear_alloc(n, 3);
        const gsl_matrix_view rows = gsl_matrix_submatrix(x, 0, 0, n, 3);
        const gsl_vector_view times = gsl_vector_subvector(y, 0, n);
        gsl_multifit_linear(&rows.matrix, &times.vector, c, covariance, &chisq, space);
        gsl_multifit_linear_free(space);
        value = gsl_vector_get(c, 0) + gsl_vector_get(c, 1) * log((double)row->ns) +
                gsl_vector_get(c, 2) * log((double)row->nt);
    } else if (n > 0) {
        value = sum / (double)n;
    }
    gsl_vector_free(y);
    gsl_vector_free(c);
    gsl_matrix_free(x);
    gsl_matrix_free(covariance);
    return n > 0 ? of_rt(exp(value), row) : (struct guess){.any = false};
}

/* Factor by which a median of another campaign differs: the tables' repeats, and those of shrinks
 * without a start (model/fit/priors.c). */
static double draw_factor(const struct nereus_sample *row)
{
    static unsigned short state[3] = {4, 5, 6};
    const bool shrinks = row->method.process == NEREUS_MERGE && row->nt < row->ns;
    double sum = -6; /* of 12 uniform variates: normal */
    for (int i = 0; i < 12; i++)
        sum += erand48(state);
    return exp((shrinks ? 0.15 : 0.04) * sum);
}

static struct guess of_another_campaign(const struct nereus_sample *row)
{
    static const double late = 0.9; /* mean of It - RT / (omega T_iter) in tables 3 and 4 */
    struct guess g = {.any = true, .low_s = NAN, .high_s = NAN, .source = NEREUS_MEASURED};
    g.rt_s = row->rt_s * draw_factor(row);
    if (row->method.async && row->iterations >= 1) {
        const double taken_s = row->ct_s / row->iterations - row->t_iter_ns_s,
                     iteration_s = row->t_iter_ns_s + taken_s * draw_factor(row);
        g.iterations = g.iterations_expected = fmax(1, round(g.rt_s / iteration_s + late));
        g.ct_s = g.ct_expected_s = g.iterations * iteration_s;
    }
    return g;
}

struct guess guess_row(enum guesser guesser, const struct known *known,
                       const struct nereus_sample *row)
{
    struct guess exact = {.any = false};
    if (guesser != GUESS_MODEL && guesser != GUESS_MERGE)
        exact = of_neighbour(known, row, true); /* what was measured is known to all of them */
    if (exact.any)
        return exact;
    switch (guesser) {
    case GUESS_MODEL:
        return of_model(known, row);
    case GUESS_NEAREST:
        return of_neighbour(known, row, false);
    case GUESS_LOG:
        return of_log_fit(known, row);
    case GUESS_AGAIN:
        return of_another_campaign(row);
    default:
        return (struct guess){.any = false};
    }
}
