/**
 * @file balance.c
 * Balances the load at one size (Martín et al. (2015), section 4.3): gathers relative computing
 * power and work of each process at rank 0 (equation 1), and begins a reconfiguration if the
 * slowest process takes too much longer than the mean. Once the new bounds are known balance_pays.c
 * decides whether it continues.
 */
#include "balance.h"

#include "bounds.h"
#include "model_choice.h"
#include "reconfigure.h"
#include "src/job/calls.h"
#include "src/monitor/monitor.h"
#include "src/util/agree.h"

/* Shortest measurement (time outside MPI) whose power is used. For the process that computes most
 * it is `measured_first_s` at first, some time slices of the scheduler, and doubles after each
 * redistribution at one size, because that measurement was too short. A process with less work
 * needs only `measured_share` of it. Once one process has computed for `measured_max_s`, the
 * others' powers are used as they are. */
static const double measured_first_s = 0.1, measured_max_s = 1, measured_share = 0.2;

/* ---- find the slowest process ---------------------------------------------------------------- */

struct load {
    double work;       /* weight of own elements */
    double power;      /* work per second; 0: not measured */
    double compute_s;  /* computation of an iteration; 0: not measured */
    double measured_s; /* time for which compute_s was measured; 0: not measured */
};

static int64_t find_max_own_elements(const nereus_job *job)
{
    int64_t most = 0;
    for (int64_t i = 0; i < job->registry.space_count; i++) {
        const int64_t own =
            nereus_partition_range(&job->registry.spaces[i].partition, job->rank).count;
        most = own > most ? own : most;
    }
    return most;
}

/* Seconds of an iteration outside MPI: the application's number; else, if the application has not
 * stated a power either, the number that monitoring has measured. */
static double find_compute_s(const nereus_job *job, const struct balance_settings *settings,
                             double *measured_s)
{
    int64_t points;
    *measured_s = 0;
    if (settings->compute_s > 0 || job->power_stated)
        return settings->compute_s;
    *measured_s = nereus_monitor_compute_s(job, &points);
    return points > 0 ? *measured_s / (double)points : 0;
}

/* Measure this process' load and the power by which the new bounds will be computed. */
static enum nereus_status measure_load(nereus_job *job, const struct balance_settings *settings,
                                       struct load *load, struct nereus_error *failure)
{
    int64_t work;
    struct bounds_work bounds = {.job = job};
    bounds.weights = malloc(((size_t)find_max_own_elements(job) + 1) * sizeof *bounds.weights);
    NEREUS_TRY_MEMORY(bounds.weights, failure, "for the weights of a part");
    const enum nereus_status status = nereus_bounds_own_work(&bounds, &work, failure);
    free(bounds.weights);
    NEREUS_TRY(status);
    double measured_s;
    const double compute_s = find_compute_s(job, settings, &measured_s);
    const bool measured = compute_s > 0 && work > 0;
    *load = (struct load){(double)work, measured ? (double)work / compute_s : job->power, compute_s,
                          measured_s};
    return NEREUS_OK;
}

/* An unmeasured process counts as the mean of the others. */
static double compute_mean_power(const struct load *loads, int count)
{
    double sum = 0;
    int known = 0;
    for (int i = 0; i < count; i++) {
        sum += loads[i].power;
        known += loads[i].power > 0;
    }
    return known > 0 ? sum / known : 0;
}

/* Has monitoring measured for too short a time? All powers must be measured in the same iterations:
 * with a missing or an older power, data would move twice. */
static bool is_too_early(const struct load *loads, int count, double measure_s)
{
    double shortest_s = INFINITY, longest_s = 0;
    for (int i = 0; i < count; i++) {
        longest_s = fmax(longest_s, loads[i].measured_s);
        if (loads[i].measured_s > 0 && loads[i].work > 0)
            shortest_s = fmin(shortest_s, loads[i].measured_s);
    }
    return longest_s > 0 &&
           longest_s < (shortest_s < measured_share * measure_s ? measured_max_s : measure_s);
}

/* Compare times by the known powers; if none is known all processes are taken as equally fast. */
static struct balance_request compare_loads(const struct load *loads, int count, double t_iter_s)
{
    const double mean = compute_mean_power(loads, count), usual = mean > 0 ? mean : 1;
    double slowest_s = 0, work = 0, power = 0;
    for (int i = 0; i < count; i++) {
        const double own = loads[i].power > 0 ? loads[i].power : usual;
        const double stated_s = loads[i].work / own;
        slowest_s = fmax(slowest_s, loads[i].compute_s > 0 ? loads[i].compute_s : stated_s);
        work += loads[i].work;
        power += own;
    }
    /* before the first whole iteration only the ratio is known */
    const double unit = mean > 0 || !(slowest_s > 0 && t_iter_s > 0) ? 1 : t_iter_s / slowest_s;
    return (struct balance_request){.slowest_s = slowest_s * unit,
                                    .mean_s = work > 0 ? work / power * unit : 0};
}

/* Gather the loads at the root, decide there, broadcast.
 * @param all_loads  root: one load per process */
static enum nereus_status compare_at_root(nereus_job *job, double threshold,
                                          const struct load *own_load, struct load *all_loads,
                                          struct balance_request *found, struct nereus_error *err)
{
    const int doubles = (int)(sizeof *own_load / sizeof(double));
    memset(found, 0, sizeof *found);
    NEREUS_MPI(
        MPI_Gather(own_load, doubles, MPI_DOUBLE, all_loads, doubles, MPI_DOUBLE, 0, job->control),
        err);
    if (job->rank == 0) {
        *found = compare_loads(all_loads, job->size, nereus_model_choice_iteration_s(job));
        found->too_early = is_too_early(all_loads, job->size, job->balancing.measure_s);
        found->requested = !found->too_early && found->mean_s > 0 &&
                           found->slowest_s > (1 + threshold) * found->mean_s;
    }
    NEREUS_MPI(MPI_Bcast(found, (int)sizeof *found, MPI_BYTE, 0, job->control), err);
    return NEREUS_OK;
}

/* Decide at the root, so that all processes begin a reconfiguration, or none. */
static enum nereus_status decide_balance(nereus_job *job, const struct balance_settings *settings,
                                         struct balance_request *found, struct nereus_error *err)
{
    struct nereus_error failure = {0};
    struct load own_load = {0};
    struct load *all_loads = calloc(job->rank == 0 ? (size_t)job->size : 1, sizeof *all_loads);
    if (all_loads == NULL)
        nereus_fail(&failure, NEREUS_ERR_MEMORY, "no memory for the load of %d processes",
                    job->size);
    else
        measure_load(job, settings, &own_load, &failure);
    enum nereus_status status = nereus_agree_or_fail(job->control, &failure, err);
    if (status == NEREUS_OK)
        status = compare_at_root(job, settings->threshold, &own_load, all_loads, found, err);
    if (status == NEREUS_OK && !found->too_early)
        job->power = own_load.power;
    free(all_loads);
    return status;
}

enum nereus_status nereus_balance_load(nereus_job *job, const struct balance_settings *settings,
                                       enum nereus_action *action, struct nereus_error *err)
{
    struct resize_request request = {
        .point = job->points, .nt = job->size, .method = settings->method};
    if (job->balancing.size != job->size) {
        job->balancing.size = job->size;
        job->balancing.measure_s = measured_first_s;
    }
    nereus_call_enter(job, "nereus_balance");
    const enum nereus_status status = decide_balance(job, settings, &request.balance, err);
    nereus_call_leave(job);
    if (status == NEREUS_OK && !request.balance.too_early)
        nereus_monitor_restart_compute_time(job);
    if (status != NEREUS_OK || !request.balance.requested)
        return status;
    job->balancing.measure_s = fmin(2 * job->balancing.measure_s, measured_max_s);
    return nereus_reconfigure(job, &request, action, err);
}
