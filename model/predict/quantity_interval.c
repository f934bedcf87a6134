/**
 * @file quantity_interval.c
 * Propagates the errors of RT and omega to intervals of T_ex, node-hours, energy, omega and It.
 */

#include "model/util/base.h"
#include "nereus/goal.h"

static const double normal_90 = 1.6448536269514722; /* 95 % quantile of the normal distribution */

/* Least omega: iterations are not faster than without a reconfiguration, unless processes share
 * cores. */
static struct nereus_interval get_omega_interval(const struct nereus_prediction *p, double factor)
{
    const double bounded = p->overlapped ? fmax(1, factor) : 1,
                 min = p->oversubscribed ? 0 : fmin(1, p->omega);
    return (struct nereus_interval){p->omega, fmax(p->omega / bounded, min), p->omega * bounded};
}

/* Log-sd of the ratio of mean iteration times during and before a reconfiguration, where processes
 * are oversubscribed: an iteration then takes some time slices more or less. Linux has slices of
 * 0.75 to 3 ms. */
static double compute_slice_log_sd(const struct nereus_scenario *scenario,
                                   const struct nereus_prediction *p)
{
    static const double slice_s = 0.001;
    const double before_s = scenario->t_iter_ns_s;
    return p->oversubscribed && before_s > 0
               ? slice_s * hypot(1 / (p->omega * before_s * sqrt(fmax(1, p->iterations_expected))),
                                 1 / (before_s * sqrt(fmax(1, scenario->iterations_before))))
               : 0;
}

/* Interval of omega. Omega is a ratio of two times with a log-sd of 4 % (published tables,
 * model/fit/scatter.c), and a mean over whole iterations, of which the last overlaps in part: of It
 * iterations It - 1 + u are slow, with u uniform in (0, 1) and its standard deviation sqrt(1/12).
 * With few iterations this is most of the scatter. */
struct nereus_interval nereus_omega_interval(const struct nereus_scenario *scenario,
                                             const struct nereus_prediction *prediction)
{
    static const double sd_of_u = 0.28867513459481287, repeats_log_sd = 0.04 * 1.4142135623730951;
    if (!prediction->overlapped || prediction->omega_factor <= 1)
        return get_omega_interval(prediction, 1);
    const double slow_share = fmax(0, 1 - 1 / prediction->omega);
    const double partly = sd_of_u * slow_share / fmax(1, prediction->iterations_expected);
    const double measured =
        hypot(repeats_log_sd, hypot(partly, compute_slice_log_sd(scenario, prediction)));
    return get_omega_interval(prediction,
                              exp(hypot(log(prediction->omega_factor), normal_90 * measured)));
}

/* The independent errors of a prediction. */
enum error { ERROR_OF_RT, ERROR_OF_OMEGA, ERRORS };

/* Overlapped iterations, and their time, if RT or omega differ from the prediction. */
struct overlapped {
    double iterations, slowed_s;
};

static struct overlapped compute_overlap_by_rt(const struct nereus_scenario *scenario,
                                               const struct nereus_prediction *p, double rt_s)
{
    return (struct overlapped){p->iterations_expected * (rt_s / p->rt_s.value),
                               p->omega * scenario->t_iter_ns_s};
}

/* With a larger omega fewer iterations overlap; the number until the end is noticed stays the same.
 */
static struct overlapped compute_overlap_by_omega(const struct nereus_scenario *scenario,
                                                  const struct nereus_prediction *p, double omega)
{
    const double predicted_s = p->omega * scenario->t_iter_ns_s,
                 slowed_s = omega * scenario->t_iter_ns_s;
    const double max = predicted_s > 0 ? p->rt_s.value / predicted_s : 0;
    const double within = fmin(p->iterations_expected, max),
                 extra_iterations = p->iterations_expected - within;
    return (struct overlapped){fmax(1, within * (predicted_s / slowed_s) + extra_iterations),
                               slowed_s};
}

static void compute_change(const struct nereus_scenario *scenario,
                           const struct nereus_prediction *p, struct overlapped other,
                           double change[NEREUS_QUANTITY_COUNT])
{
    const double nodes_during = (double)p->nodes.during, nodes_after = (double)p->nodes.after;
    /* the overlap ends with the last iteration */
    const double iterations =
        fmin(other.iterations, fmax(scenario->iterations_after, p->iterations_expected));
    const double more_s =
        iterations * other.slowed_s - p->iterations_expected * p->omega * scenario->t_iter_ns_s;
    const double less_s = (iterations - p->iterations_expected) * scenario->t_iter_nt_s;
    change[NEREUS_QUANTITY_T_EX] = more_s - less_s;
    change[NEREUS_QUANTITY_RT] = more_s;
    change[NEREUS_QUANTITY_NODE_HOURS] = nodes_during * more_s - nodes_after * less_s;
    change[NEREUS_QUANTITY_ENERGY] = p->power_w.during * more_s - p->power_w.after * less_s;
}

static void add_change(const struct nereus_scenario *scenario, const struct nereus_prediction *p,
                       enum error error, bool high, double values[NEREUS_QUANTITY_COUNT])
{
    double change[NEREUS_QUANTITY_COUNT] = {0};
    const double rt_s = high ? p->rt_s.high : p->rt_s.low, change_s = rt_s - p->rt_s.value;
    const struct nereus_interval omega = get_omega_interval(p, p->omega_factor);
    if (error == ERROR_OF_OMEGA) {
        if (omega.high > omega.value) {
            compute_change(scenario, p,
                           compute_overlap_by_omega(scenario, p, high ? omega.high : omega.low),
                           change);
        }
    } else if (p->overlapped && p->rt_s.value > 0) {
        compute_change(scenario, p, compute_overlap_by_rt(scenario, p, rt_s), change);
        change[NEREUS_QUANTITY_RT] = p->wait_s * (change_s / p->rt_s.value);
    } else {
        change[NEREUS_QUANTITY_T_EX] = change[NEREUS_QUANTITY_RT] = change_s;
        change[NEREUS_QUANTITY_NODE_HOURS] = (double)p->nodes.during * change_s;
        change[NEREUS_QUANTITY_ENERGY] = p->power_w.during * change_s;
    }
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++)
        values[q] += change[q];
}

static void sum_quantities(const struct nereus_goal_part *parts, int count,
                           double values[NEREUS_QUANTITY_COUNT])
{
    double of_part[NEREUS_QUANTITY_COUNT];
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++)
        values[q] = 0;
    for (int i = 0; i < count; i++) {
        nereus_goal_read_quantities(parts[i].prediction, of_part);
        for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++)
            values[q] += of_part[q];
    }
}

static void compute_shifted_quantities(const struct nereus_goal_part *parts, int count,
                                       enum error error, bool high,
                                       double values[NEREUS_QUANTITY_COUNT])
{
    sum_quantities(parts, count, values);
    for (int i = 0; i < count; i++)
        add_change(parts[i].scenario, parts[i].prediction, error, high, values);
}

/* Lower bound: no iteration takes less than without a reconfiguration. */
static void add_lower_bound(const struct nereus_scenario *scenario,
                            const struct nereus_prediction *p, double values[NEREUS_QUANTITY_COUNT])
{
    const double before_s = scenario->iterations_before * scenario->t_iter_ns_s;
    const double overlapped_s = fmin(1, p->omega) * scenario->t_iter_ns_s;
    const double after_s =
        scenario->iterations_after *
        (p->overlapped ? fmin(overlapped_s, scenario->t_iter_nt_s) : scenario->t_iter_nt_s);
    values[NEREUS_QUANTITY_T_EX] += before_s + after_s;
    values[NEREUS_QUANTITY_NODE_HOURS] +=
        (double)p->nodes.before * before_s +
        fmin((double)p->nodes.during, (double)p->nodes.after) * after_s;
    values[NEREUS_QUANTITY_ENERGY] +=
        p->power_w.before * before_s + fmin(p->power_w.during, p->power_w.after) * after_s;
}

/* Interval of a goal: the root of the sum of squares of its parts, limited by the lower bound. */
struct nereus_interval nereus_goal_interval(const struct nereus_goal_part *parts, int count,
                                            const struct nereus_goal_figure *figure)
{
    double values[NEREUS_QUANTITY_COUNT], min[NEREUS_QUANTITY_COUNT] = {0}, down = 0, up = 0;
    sum_quantities(parts, count, values);
    for (int i = 0; i < count; i++)
        add_lower_bound(parts[i].scenario, parts[i].prediction, min);
    const double value = nereus_goal_figure_value(figure, values);
    for (int error = 0; error < ERRORS; error++) {
        double at_low[NEREUS_QUANTITY_COUNT], at_high[NEREUS_QUANTITY_COUNT];
        compute_shifted_quantities(parts, count, (enum error)error, false, at_low);
        compute_shifted_quantities(parts, count, (enum error)error, true, at_high);
        const double a = nereus_goal_figure_value(figure, at_low) - value,
                     b = nereus_goal_figure_value(figure, at_high) - value;
        down = hypot(down, fmin(0, fmin(a, b)));
        up = hypot(up, fmax(0, fmax(a, b)));
    }
    const double low = fmax(value - down, nereus_goal_figure_value(figure, min));
    return (struct nereus_interval){value, fmin(value, low), value + up};
}

/* Interval of It in whole iterations, because an iteration that has begun is finished. */
struct nereus_interval nereus_iterations_interval(const struct nereus_scenario *scenario,
                                                  const struct nereus_prediction *prediction)
{
    if (!prediction->overlapped)
        return (struct nereus_interval){0, 0, 0};
    const struct nereus_interval omega = get_omega_interval(prediction, prediction->omega_factor);
    const double ends[ERRORS][2] = {
        {compute_overlap_by_rt(scenario, prediction, prediction->rt_s.low).iterations,
         compute_overlap_by_rt(scenario, prediction, prediction->rt_s.high).iterations},
        {compute_overlap_by_omega(scenario, prediction, omega.high).iterations,
         compute_overlap_by_omega(scenario, prediction, omega.low).iterations},
    };
    double down = 0, up = 0;
    for (int error = 0; error < ERRORS; error++) {
        down = hypot(down, prediction->iterations_expected - ends[error][0]);
        up = hypot(up, ends[error][1] - prediction->iterations_expected);
    }
    const double low = fmax(1, round(prediction->iterations_expected - down)),
                 high =
                     fmin(round(prediction->iterations_expected + up), scenario->iterations_after);
    return (struct nereus_interval){prediction->iterations, fmin(low, prediction->iterations),
                                    fmax(high, prediction->iterations)};
}
