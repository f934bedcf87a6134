/**
 * @file overlap_data.c
 * Prices constant data that moves while the application continues (Martín-Álvarez et al. (2023),
 * section 3.2): its duration, and the time of an iteration with its malleability point meanwhile. D
 * is the duration of the same step without the application, L the load with the auxiliary threads
 * (overlap.c), p the points until all stop at one.
 *
 *   thread                     RT = D max(1, L);   omega T_iter as for other overlapped threads
 *   waitsources, waittargets   RT = D + (p - 0.5) T_iter
 *
 * If overlaps were measured (fit_overlapped.c), they have coefficients:
 *
 *   thread                     RT = a D max(1, L) + b T_iter + c
 *   waitsources, waittargets   RT = (c + d) D + b (p - 0.5) T_iter
 *                              omega T_iter = T_iter RT / (RT - c D)
 *
 * The thread shares cores with the computation, by the scheduler. At points the main threads do
 * their own part (local copies, packing, progress inside MPI calls): c D, which lengthens
 * iterations. The rest, d D, is done meanwhile by new processes, a network or the kernel:
 * iterations are not slowed, and the shorter they are, the more of them pass. A message that is
 * started at one point is answered at the next. alpha is below 1 where blocking calls take longer
 * (docs/results/errata.md). Without measurements the coefficients are priors: 1 (thread: 1 and
 * 0), c and d one half each. It loses to sync where iterations are long compared with D.
 */

#include "cost_scatter.h"
#include "model/plan/strategies/strategy.h"
#include "overlap.h"

static const double prior_log_sd = 0.7; /* a factor of 3 at 90 % */

static const struct nereus_linear_model
    in_thread = {.basis = NEREUS_BASIS_PRIOR,
                 .source = "data by a thread: shares cores with the application"},
    at_points = {.basis = NEREUS_BASIS_PRIOR,
                 .source = "data at points: its own time and one iteration"};

/* Make the input of a method whose threads all work at the same time. */
static struct nereus_overlap_input make_input(const struct nereus_scenario *s,
                                              const struct nereus_method *method)
{
    struct nereus_method threads = nereus_method_resolve(method);
    struct nereus_overlap_input input;
    threads.strategy = NEREUS_PLAIN;
    nereus_overlap_input_make(s->machine, s->ns, s->nt, &threads, s->t_iter_ns_s, &input);
    input.communicates = true;
    input.stage = s->stage;
    return input;
}

/* Count the points until all have stopped, as in src/steps/overlap.c and src/job/consensus.c. A
 * message is answered at the first point and complete at the second; the handshake of shared is
 * answered at the first, the gets of rma start there. A target that is also a source answers at its
 * own points, a new one at once. Then rank 0, which hears from all that are ready, names the next
 * point. */
static double count_points(const struct nereus_method *method, int64_t ns)
{
    const struct nereus_method m = nereus_method_resolve(method);
    const bool between_worlds = m.process == NEREUS_BASELINE || ns == 1;
    double answered = 2;
    if (m.data == NEREUS_SHARED)
        answered = between_worlds ? 1 : 3;
    else if (m.data == NEREUS_RMA)
        answered = between_worlds ? 2 : 3;
    return answered + 1;
}

void nereus_overlap_data_input(const struct nereus_scenario *scenario,
                               const struct nereus_method *method, double alone_s,
                               struct nereus_overlap_input *input)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    *input = make_input(scenario, method);
    input->move_s = alone_s * (thread ? fmax(1, input->load.load_all) : 1);
    input->points_s = thread ? scenario->t_iter_ns_s : 0;
    input->passed_s =
        thread ? 0 : scenario->t_iter_ns_s * (count_points(method, scenario->ns) - 0.5);
}

/* Combine the errors of D into one scatter, comparable to the errors of the overlap. */
static void join_errors(struct nereus_cost_sum *sum)
{
    sum->common_scatter_s = nereus_cost_error_s(sum);
    sum->variance_s2 = 0;
    sum->scatter = (struct nereus_scatter){.parts = 0};
}

/* Price without measurements, by the priors above. */
static void price_by_prior(const struct nereus_overlap_input *input, bool thread,
                           struct nereus_cost_sum *sum)
{
    const double alone_s = sum->value_s;
    if (thread && alone_s > 0)
        nereus_cost_scale(sum, input->move_s / alone_s);
    else if (!thread)
        sum->value_s += input->passed_s;
    sum->common_scatter_s = fmax(sum->common_scatter_s, prior_log_sd * sum->value_s);
    sum->prior = NULL;
    sum->assumed_s = 0;
    nereus_cost_set_prior(sum, thread ? &in_thread : &at_points, sum->value_s);
}

/* Error of omega where the share of D in points is unknown: omega lies between 1 and its value with
 * all of D. */
static double half_width_of_unknown_share(double omega, double slowest)
{
    return log(fmax(omega, slowest / omega));
}

/* Price iterations at points without measurements. */
static void assume_iterations(const struct nereus_overlap_input *input,
                              struct nereus_overlap_data *data)
{
    const double unslowed_s = 0.5 * input->move_s + input->passed_s;
    const double slowest = (input->move_s + input->passed_s) / input->passed_s;
    const double omega = (input->move_s + input->passed_s) / unslowed_s;
    data->iteration_s = input->t_iter_s * omega;
    data->half_width = half_width_of_unknown_share(omega, slowest);
}

/* Price by fitted coefficients. Coefficients and residuals contain the error of D, because the rows
 * were priced with it, too. */
static void price_by_fit(const struct nereus_linear_model *model,
                         const struct nereus_overlap_input *input, int64_t nt,
                         struct nereus_cost_sum *sum)
{
    double far = nereus_cost_extrapolation(model, input->ns, nt, input->load.core_load);
    if (model->max_move_s > 0) /* the duration of a few bytes says little about many */
        far = fmax(far, nereus_cost_doublings(input->move_s, 0, model->max_move_s * (1 + 1e-9)));
    sum->value_s = nereus_overlap_value(model, input, &sum->variance_s2);
    sum->common_scatter_s =
        hypot(model->log_sd, nereus_cost_extrapolation_scatter(far)) * sum->value_s;
    sum->degrees_of_freedom = (double)nereus_model_degrees_of_freedom(model);
    if (far > 0)
        nereus_cost_set_extrapolated(sum, model, input->load.core_load);
}

/* Do two ways move data alike? p2p and coll both send messages. */
static bool move_alike(enum nereus_data a, enum nereus_data b)
{
    const bool messages_a = a == NEREUS_P2P || a == NEREUS_COLL,
               messages_b = b == NEREUS_P2P || b == NEREUS_COLL;
    return a == b || (messages_a && messages_b);
}

/* Was this way to move data measured at points, in this direction? Ways differ in their share in
 * points: a process that reads data of another process does so in its own points. */
static bool split_is_known(const struct nereus_profile *profile, const struct nereus_method *method,
                           bool shrinks)
{
    for (int64_t i = 0; i < profile->measured_count; i++) {
        const struct nereus_measurement *m = &profile->measurements[i];
        const bool passes_points =
            m->method.overlap == NEREUS_WAITSOURCES || m->method.overlap == NEREUS_WAITTARGETS;
        if (passes_points && m->iterations >= 1 && (m->nt < m->ns) == shrinks &&
            move_alike(m->method.data, method->data))
            return true;
    }
    return false;
}

/* Seconds of one term: work of main threads in their points, or points that pass until all stop. */
static double compute_term_s(const struct nereus_linear_model *model,
                             const struct nereus_overlap_input *input,
                             enum nereus_overlap_term term)
{
    double sum_s = 0;
    for (int i = 0; i < model->terms; i++)
        if (nereus_overlap_term(model, i) == term)
            sum_s += model->coefficients[i] * nereus_overlap_feature(term, input);
    return sum_s;
}

/* Error of omega, which is RT over the time of its iterations without slow-down: the error of log
 * RT - log unslowed. The derivative by the coefficient of a feature x is x / RT, minus x / unslowed
 * if both contain it. */
static double compute_omega_half_width(const struct nereus_linear_model *model,
                                       const struct nereus_overlap_input *input,
                                       const struct nereus_cost_sum *sum, double unslowed_s)
{
    const double rt_s = sum->value_s, log_sd = sum->common_scatter_s / rt_s;
    double variance = 0, slope[NEREUS_TERMS_MAX];
    for (int i = 0; i < model->terms; i++) {
        const enum nereus_overlap_term term = nereus_overlap_term(model, i);
        slope[i] = nereus_overlap_feature(term, input) *
                   (1 / rt_s - (term == NEREUS_OVERLAP_IN_POINTS ? 0 : 1 / unslowed_s));
    }
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            variance += slope[i] * model->covariance[i][j] * slope[j];
    return nereus_student_95((int64_t)fmin(sum->degrees_of_freedom, 1000)) *
           sqrt(fmax(0, variance) + log_sd * log_sd);
}

static void price_iterations(const struct nereus_linear_model *model,
                             const struct nereus_overlap_input *input, bool split_known,
                             struct nereus_overlap_data *data)
{
    const double rt_s = data->sum.value_s,
                 min_s = fmin(input->t_iter_s, rt_s); /* at least one iteration passes */
    const double unslowed_s =
                     fmax(rt_s - compute_term_s(model, input, NEREUS_OVERLAP_IN_POINTS), min_s),
                 omega = rt_s / unslowed_s;
    data->iteration_s = input->t_iter_s * omega;
    data->half_width = compute_omega_half_width(model, input, &data->sum, unslowed_s);
    if (!split_known)
        data->half_width = fmax(
            data->half_width,
            half_width_of_unknown_share(
                omega, rt_s / fmax(compute_term_s(model, input, NEREUS_OVERLAP_PASSED), min_s)));
}

void nereus_overlap_data_make(const struct nereus_profile *profile,
                              const struct nereus_scenario *scenario,
                              const struct nereus_method *method,
                              const struct nereus_cost_sum *alone, struct nereus_overlap_data *data)
{
    const bool thread = method->overlap == NEREUS_THREAD;
    const struct nereus_linear_model *model =
        thread ? &profile->data_by_thread : &profile->data_at_points;
    const bool fitted = model->basis == NEREUS_BASIS_FITTED;
    struct nereus_overlap_input input;
    nereus_overlap_data_input(scenario, method, alone->value_s, &input);
    data->sum = *alone;
    join_errors(&data->sum);
    if (fitted)
        price_by_fit(model, &input, scenario->nt, &data->sum);
    else
        price_by_prior(&input, thread, &data->sum);
    if (thread) {
        data->iteration_s = nereus_overlap_iteration_s(profile, &input, INFINITY);
        data->half_width = nereus_overlap_iteration_half_width(profile, &input, INFINITY);
    } else if (fitted && data->sum.value_s > 0) {
        price_iterations(model, &input,
                         split_is_known(profile, method, scenario->nt < scenario->ns), data);
    } else {
        assume_iterations(&input, data);
    }
}
