/*
 * Constant data that moves while the application goes on (data-redistribution 3.2): how long it takes then, and how long an
 * iteration takes meanwhile. D is what the same step takes by itself, L the load with the auxiliary threads (overlap.c).
 *
 *   thread                     RT = D max(1, L),  omega T_iter as for other threads beside the application
 *   waitsources, waittargets   RT = D + p T_iter, omega T_iter = T_iter + D / p; p = 1, rma 3, shared 2
 *
 * Where overlaps were measured (fit_beside.c), D and p T_iter have a coefficient each:
 *
 *   RT = a D + b p T_iter,  omega T_iter = T_iter + a D / (b p);  of the thread RT = a D max(1, L) + b T_iter + c
 *
 * The thread shares cores with the computation, as the scheduler deals them out. At points the main threads do all the work
 * themselves, so that D comes out of the iterations; a message that is begun at one point is answered at the next, which
 * costs one of them; large messages need more than one answer, so that b is above 1. A network that moves data by itself makes both less: alpha
 * falls below 1 (ERRATA). Where nothing was measured a and b are 1 (of the thread 1 and 0), and named as a stand-in. Loses to sync where iterations are long beside D.
 */
#include <math.h>

#include "overlap.h"

static const double unmeasured = 0.7; /* log spread: a factor of 3 either way at 90 % */

static const struct nereus_linear_model
    in_thread = {.basis = NEREUS_BASIS_FALLBACK,
                 .fallback = "data by a thread: shares cores with the application"},
    at_points = {.basis = NEREUS_BASIS_FALLBACK,
                 .fallback = "data at points: its own time and one iteration"};

/* The loads of a method whose threads all work at the same time. */
static struct nereus_overlap_input input_of(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                            const struct nereus_method *method, double t_iter_s)
{
    struct nereus_method threads = nereus_method_carried_out(method);
    struct nereus_overlap_input input;
    threads.strategy = NEREUS_PLAIN;
    nereus_overlap_input_make(machine, ns, nt, &threads, t_iter_s, &input);
    input.communicates = true;
    return input;
}

/* Points at which somebody is waited for: for the answer to a message; of rma for the letter that says where the data lies, for the gets
 * and for the answer that it is here; of shared for the letter and the answer (src/exchange_rma.c, src/exchange_shared.c). */
static double points_of(enum nereus_data data)
{
    return data == NEREUS_RMA ? 3 : data == NEREUS_SHARED ? 2 : 1;
}

void nereus_overlap_data_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s, double alone_s,
                               struct nereus_overlap_input *input)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    *input = input_of(machine, ns, nt, method, t_iter_s);
    input->move_s = alone_s * (thread ? fmax(1, input->load.load_all) : 1);
    input->points_s = t_iter_s * (thread ? 1 : points_of(method->data));
}

/* What is not known of D, as one spread: parts of their own would have to be told from what an overlap adds. */
static void join_errors(struct nereus_cost_sum *sum)
{
    sum->spread_s = nereus_cost_error_s(sum);
    sum->variance_s2 = 0;
    sum->scatter = (struct nereus_scatter){.parts = 0};
}

/* As it is written above, without a measurement. */
static void assume(const struct nereus_overlap_input *input, bool thread, struct nereus_cost_sum *sum)
{
    const double alone_s = sum->value_s;
    if (thread && alone_s > 0)
        nereus_cost_scale(sum, input->move_s / alone_s);
    else if (!thread)
        sum->value_s += input->points_s;
    sum->spread_s = fmax(sum->spread_s, unmeasured * sum->value_s);
    sum->stand_in = NULL;
    sum->assumed_s = 0;
    nereus_cost_set_stand_in(sum, thread ? &in_thread : &at_points, sum->value_s);
}

/* How far D is off is in the coefficients and in what they leave: the rows were priced with it as well. */
static void price(const struct nereus_linear_model *model, const struct nereus_overlap_input *input,
                  int64_t nt, struct nereus_cost_sum *sum)
{
    double far = nereus_cost_beyond(model, input->ns, nt, input->load.load);
    if (model->max_move_s > 0) /* what a few bytes took says little of many */
        far = fmax(far, nereus_cost_doublings(input->move_s, 0, model->max_move_s * (1 + 1e-9)));
    sum->value_s = nereus_overlap_value(model, input, &sum->variance_s2);
    sum->spread_s = hypot(model->spread, nereus_cost_beyond_scatter(far)) * sum->value_s;
    sum->freedom = INT64_MAX;
    if (model->rows >= model->terms + NEREUS_OVERLAP_FEW)
        sum->freedom = model->rows - model->terms;
    if (far > 0)
        nereus_cost_set_beyond(sum, model, input->load.load);
}

/* Iterations that pass while the data moves at points: b p, or p where it was not measured. */
static double iterations_of(const struct nereus_linear_model *model, const struct nereus_overlap_input *input)
{
    double points_s = input->points_s;
    for (int i = 0; model->basis == NEREUS_BASIS_FITTED && i < model->terms; i++)
        if (nereus_overlap_feature_from_name(model->names[i]) == NEREUS_OVERLAP_POINTS)
            points_s *= model->coefficients[i];
    return points_s / input->t_iter_s;
}

void nereus_overlap_data_make(const struct nereus_profile *profile, const struct nereus_machine *machine,
                              int64_t ns, int64_t nt, const struct nereus_method *method, double t_iter_s,
                              enum nereus_stage stage, const struct nereus_cost_sum *alone,
                              struct nereus_overlap_data *data)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    const struct nereus_linear_model *model = thread ? &profile->data_by_thread : &profile->data_at_points;
    struct nereus_overlap_input input;
    nereus_overlap_data_input(machine, ns, nt, method, t_iter_s, alone->value_s, &input);
    input.stage = stage;
    data->sum = *alone;
    join_errors(&data->sum);
    if (model->basis == NEREUS_BASIS_FITTED)
        price(model, &input, nt, &data->sum);
    else
        assume(&input, thread, &data->sum);
    data->iteration_s = thread ? nereus_overlap_iteration_s(profile, &input, INFINITY)
                               : data->sum.value_s / iterations_of(model, &input);
}

double nereus_overlap_data_reach(const struct nereus_profile *profile, const struct nereus_machine *machine,
                                 int64_t ns, int64_t nt, const struct nereus_method *method, double t_iter_s,
                                 enum nereus_stage stage)
{
    struct nereus_overlap_input input = input_of(machine, ns, nt, method, t_iter_s);
    input.stage = stage;
    return method->overlap == NEREUS_THREAD ? nereus_overlap_iteration_reach(profile, &input, INFINITY) : 0;
}
