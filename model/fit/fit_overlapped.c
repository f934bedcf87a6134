/**
 * @file fit_overlapped.c
 * Fits constant data that is overlapped with the application: the coefficients of overlap_data.c,
 * one set for points and one for the thread; and iterations while a thread moves data
 * (contention_price.c).
 *
 * A row is a reconfiguration that overlapped only its constant data (all of its bytes). Its
 * iterations passed meanwhile, the last one by half on average. With points a row gives two
 * equations: the time that passed, and the time of the same iterations without data; their
 * difference was spent in the points. D is the profile's price of the data alone.
 */

#include "fit_formula.h"
#include "model/price/price_parts.h"

static const enum nereus_overlap_term point_terms[] = {NEREUS_OVERLAP_PASSED,
                                                       NEREUS_OVERLAP_MEANWHILE,
                                                       NEREUS_OVERLAP_IN_POINTS},
                                      thread_terms[] = {NEREUS_OVERLAP_MOVE, NEREUS_OVERLAP_POINTS,
                                                        NEREUS_OVERLAP_SLICE},
                                      iteration_terms[] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                           NEREUS_OVERLAP_PEERS_MOVE};
enum { IN_POINTS = 1U << 2 };

static bool is_usable(const struct nereus_sample *s, bool thread)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->method.async && !s->oversubscribed &&
           s->method.has_data && s->method.overlap != NEREUS_SYNC &&
           (s->method.overlap == NEREUS_THREAD) == thread && s->bytes > 0 && s->t_iter_ns_s > 0 &&
           s->ct_s > 0 && s->iterations >= 1;
}

/* Set the input of the terms.
 * @return false: the profile has no price of the data alone */
static bool set_input(const struct nereus_sample *s, const struct nereus_profile *profile,
                      struct nereus_overlap_input *input)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = s->ns,
                                             .nt = s->nt,
                                             .constant_bytes = s->bytes,
                                             .t_iter_ns_s = s->t_iter_ns_s};
    struct nereus_price_parts parts;
    if (nereus_price_data(profile, &scenario, &s->method, &parts, NULL) != NEREUS_OK ||
        !(parts.overlapped.value_s > 0))
        return false;
    nereus_overlap_data_input(&scenario, &s->method, parts.overlapped.value_s, input);
    return true;
}

static int set_point_equations(const struct nereus_sample *s, const struct nereus_profile *profile,
                               const void *context, struct nereus_fit_equation *e)
{
    (void)context;
    if (!is_usable(s, false) || !set_input(s, profile, &e[0].overlap))
        return 0;
    e[1].overlap = e[0].overlap;
    e[0].time_s = s->ct_s / s->iterations * (s->iterations - 0.5);
    e[1].time_s = s->t_iter_ns_s * (s->iterations - 0.5);
    e[1].absent_terms = IN_POINTS;
    e[0].core_load = e[0].overlap.load.core_load;
    return 2;
}

static int set_thread_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                               const void *context, struct nereus_fit_equation *e)
{
    (void)context;
    if (!is_usable(s, true) || !set_input(s, profile, &e->overlap))
        return 0;
    e->time_s = s->ct_s / s->iterations * (s->iterations - 0.5);
    e->core_load = e->overlap.load.core_load;
    return 1;
}

static int set_iteration_equation(const struct nereus_sample *s,
                                  const struct nereus_profile *profile, const void *context,
                                  struct nereus_fit_equation *e)
{
    (void)context;
    if (!is_usable(s, true) || !set_input(s, profile, &e->overlap))
        return 0;
    e->core_load = e->overlap.load.load_all = nereus_contention_load(&e->overlap);
    e->overlap.group = NEREUS_ASYNC_PLAIN;
    e->time_s = s->ct_s / s->iterations;
    e->base_s = s->t_iter_ns_s;
    return 1;
}

enum nereus_status nereus_fit_overlapped(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    static const struct nereus_fit_formula points = {.model = "data_at_points",
                                                     .overlap_terms = point_terms,
                                                     .term_count = 3,
                                                     .equations = set_point_equations},
                                           thread = {.model = "data_by_thread",
                                                     .overlap_terms = thread_terms,
                                                     .term_count = 3,
                                                     .equations = set_thread_equation},
                                           omega = {.model = "by_thread",
                                                    .overlap_terms = iteration_terms,
                                                    .term_count = 2,
                                                    .equations = set_iteration_equation};
    NEREUS_TRY(nereus_fit_models(&points, rows, profile, &profile->data_at_points, err));
    NEREUS_TRY(nereus_fit_models(&thread, rows, profile, &profile->data_by_thread, err));
    return nereus_fit_models(&omega, rows, profile, &profile->omega_by_thread, err);
}
