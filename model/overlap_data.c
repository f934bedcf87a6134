/*
 * Constant data that moves while the application goes on (data-redistribution 3.2): how long it takes then, and how long an
 * iteration, its malleability point included, takes meanwhile. D is what the same step takes by itself, L the load with the auxiliary
 * threads (overlap.c), p the points until all stop at one.
 *
 *   thread                     RT = D max(1, L),         omega T_iter as for other threads beside the application
 *   waitsources, waittargets   RT = D + (p - 0.5) T_iter
 *
 * Where overlaps were measured (fit_beside.c) these have coefficients:
 *
 *   thread                     RT = a D max(1, L) + b T_iter + c
 *   waitsources, waittargets   RT = (c + d) D + b (p - 0.5) T_iter,  omega T_iter = T_iter RT / (RT - c D)
 *
 * The thread shares cores with the computation, as the scheduler deals them out. At points the main threads do what has to be done by
 * themselves (copies of what stays, packing, what MPI does when it is called): c D, of which iterations get longer. The rest, d D, is done
 * meanwhile by who is new and has nothing else to do, by a network, by the kernel: iterations pass as they are, and the more of them the shorter
 * they are. A message that is begun at one point is answered at the next. alpha falls below 1 where calls that block take longer (ERRATA).
 * Where nothing was measured the coefficients are 1 (of the thread 1 and 0), c and d one half each, and named as a stand-in. Loses to sync
 * where iterations are long beside D.
 */
#include <math.h>

#include "cost_scatter.h"
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

/* In profiles of before, which have all of D in points: where somebody is waited for. */
static double older_points_of(enum nereus_data data)
{
    return data == NEREUS_RMA ? 3 : data == NEREUS_SHARED ? 2 : 1;
}

/*
 * Points until all have stopped, as src/async_points.c and src/bell.c have it. A message is answered at the first and its end seen at the
 * second; shared's letter is answered at the first, rma's gets begin there. A target that goes on computing answers at its own points,
 * new ones at once. Targets that are waited for say so one point later. Then rank 0 names a point: the next, or with others the one after.
 */
static double points_of(const struct nereus_method *method, int64_t ns)
{
    const struct nereus_method m = nereus_method_carried_out(method);
    const bool apart = m.process == NEREUS_BASELINE || ns == 1;
    const double answered = m.data == NEREUS_SHARED ? (apart ? 1 : 3)
                            : m.data == NEREUS_RMA  ? (apart ? 2 : 3)
                                                    : 2;
    return answered + (m.overlap == NEREUS_WAITTARGETS ? 1 : 0) + (ns > 1 ? 2 : 1);
}

void nereus_overlap_data_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s, double alone_s,
                               struct nereus_overlap_input *input)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    *input = input_of(machine, ns, nt, method, t_iter_s);
    input->move_s = alone_s * (thread ? fmax(1, input->load.load_all) : 1);
    input->points_s = t_iter_s * (thread ? 1 : older_points_of(method->data));
    input->passed_s = thread ? 0 : t_iter_s * (points_of(method, ns) - 0.5);
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
        sum->value_s += input->passed_s;
    sum->spread_s = fmax(sum->spread_s, unmeasured * sum->value_s);
    sum->stand_in = NULL;
    sum->assumed_s = 0;
    nereus_cost_set_stand_in(sum, thread ? &in_thread : &at_points, sum->value_s);
}

/* The same of iterations at points: all of D may be in them, or nothing. */
static void assume_iterations(const struct nereus_overlap_input *input, struct nereus_overlap_data *data)
{
    const double unslowed_s = 0.5 * input->move_s + input->passed_s;
    const double slowest = (input->move_s + input->passed_s) / input->passed_s;
    const double omega = (input->move_s + input->passed_s) / unslowed_s;
    data->iteration_s = input->t_iter_s * omega;
    data->reach = log(fmax(omega, slowest / omega));
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

/* Is a term's time that of main threads in their points? */
static bool is_in_points(enum nereus_overlap_feature term)
{
    return term == NEREUS_OVERLAP_IN_POINTS || term == NEREUS_OVERLAP_MOVE;
}

/*
 * Of RT at points: what iterations would take by themselves that pass meanwhile. omega is RT over that, so that its error is that of
 * log RT - log unslowed, whose derivative by a coefficient of value x is x / RT, less x / unslowed where it is in both.
 */
static void price_iterations(const struct nereus_linear_model *model,
                             const struct nereus_overlap_input *input, struct nereus_overlap_data *data)
{
    const double rt_s = data->sum.value_s;
    double in_points_s = 0, variance = 0, slope[NEREUS_TERMS_MAX];
    for (int i = 0; i < model->terms; i++)
        if (is_in_points(nereus_overlap_term(model, i)))
            in_points_s +=
                model->coefficients[i] * nereus_overlap_feature(nereus_overlap_term(model, i), input);
    const double unslowed_s = fmax(rt_s - in_points_s, fmin(input->t_iter_s, rt_s)); /* one passes at least */
    for (int i = 0; i < model->terms; i++) {
        const enum nereus_overlap_feature term = nereus_overlap_term(model, i);
        slope[i] =
            nereus_overlap_feature(term, input) * (1 / rt_s - (is_in_points(term) ? 0 : 1 / unslowed_s));
    }
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            variance += slope[i] * model->covariance[i][j] * slope[j];
    const double spread = data->sum.spread_s / rt_s;
    const int64_t freedom = data->sum.freedom > 1000 ? 1000 : data->sum.freedom;
    data->iteration_s = input->t_iter_s * rt_s / unslowed_s;
    data->reach = nereus_student_95(freedom) * sqrt(fmax(0, variance) + spread * spread);
}

void nereus_overlap_data_make(const struct nereus_profile *profile, const struct nereus_machine *machine,
                              int64_t ns, int64_t nt, const struct nereus_method *method, double t_iter_s,
                              enum nereus_stage stage, const struct nereus_cost_sum *alone,
                              struct nereus_overlap_data *data)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    const struct nereus_linear_model *model = thread ? &profile->data_by_thread : &profile->data_at_points;
    const bool fitted = model->basis == NEREUS_BASIS_FITTED;
    struct nereus_overlap_input input;
    nereus_overlap_data_input(machine, ns, nt, method, t_iter_s, alone->value_s, &input);
    input.stage = stage;
    data->sum = *alone;
    join_errors(&data->sum);
    if (fitted)
        price(model, &input, nt, &data->sum);
    else
        assume(&input, thread, &data->sum);
    if (thread) {
        data->iteration_s = nereus_overlap_iteration_s(profile, &input, INFINITY);
        data->reach = nereus_overlap_iteration_reach(profile, &input, INFINITY);
    } else if (fitted && data->sum.value_s > 0) {
        price_iterations(model, &input, data);
    } else {
        assume_iterations(&input, data);
    }
}
