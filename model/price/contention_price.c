/**
 * @file contention_price.c
 * Prices iterations that share their cores with threads or with starting processes, from what a
 * calibration measured.
 *
 *   T(L) = T_iter (1 + u (L-1)+) + d (L-1)+   u, d a stage, for waiting and for communicating
 *                                             threads
 *
 * with L = 1 + ceil(threads / processes), the load of the fullest core: a process is bound to a
 * core with all its threads, even if other cores are idle, and an iteration waits for the slowest
 * process. While processes start, with a thread of each source in MPI_Comm_spawn, the same with
 *
 *   L = 1 + L_p,  L_p = max(1, (processes + new ones) / cores), d only if several processes iterate
 *
 * This L is the load during an expansion or a respawn: the thread uses the core that its process is
 * bound to, starting processes use all cores, and a thread inside MPI_Comm_spawn keeps other
 * threads out of MPI, so that a process that waits for a sum waits for the whole call. If T_iter
 * was measured oversubscribed, the load is relative to the sources' own. L = L_p where processes
 * are launched, because the thread that waits for them sleeps (the few ms in which it connects them
 * are neglected), and where a process has several cores, one of them for the thread.
 *
 * While a thread moves data, if such overlaps were measured (fit_overlapped.c), with D the time of
 * the move without the application:
 *
 *   T(L) = T_iter (1 + u (L-1)+) + w D max(1, L_all) [NS > 1]
 *
 * A thread that waits for a message yields its core, so that only its copies count, which are
 * larger than the messages of communicating threads. Where processes wait for each other, and so
 * for the process that copies, all of D appears in the few iterations until all stop.
 *
 * If neither of these was measured, the slow-down by both kinds of threads is added. New processes
 * on the sources' nodes spin, so they count as communicating; auxiliary threads, one on each
 * source's core, sleep (waiting) or move data (communicating):
 *
 *   omega T_iter = T_iter + communicating(L_p) + background(L) - background(L_p)
 */

#include "nereus/contention.h"
#include "overlap.h"

static const struct nereus_linear_model *get_model(const struct nereus_profile *profile,
                                                   enum nereus_stage stage,
                                                   enum nereus_background background)
{
    return &profile->contention[(int)stage * NEREUS_BACKGROUND_COUNT + (int)background];
}

/* Find the model of new processes that start next to an auxiliary thread (launched: without one),
 * if it was measured. */
static const struct nereus_linear_model *
find_starting_model(const struct nereus_profile *profile, const struct nereus_overlap_input *input)
{
    const struct nereus_linear_model *model =
        get_model(profile, input->stage, NEREUS_BACKGROUND_STARTING);
    const bool starts = input->load.new_processes > 0 && !input->communicates;
    return starts && model->basis == NEREUS_BASIS_FITTED ? model : NULL;
}

/* Find the model of a thread that moves data during iterations, if it was measured. */
static const struct nereus_linear_model *find_moving_model(const struct nereus_profile *profile,
                                                           const struct nereus_overlap_input *input)
{
    const struct nereus_linear_model *model = &profile->omega_by_thread;
    return input->communicates && model->basis == NEREUS_BASIS_FITTED ? model : NULL;
}

bool nereus_contention_is_measured(const struct nereus_profile *profile,
                                   const struct nereus_overlap_input *input)
{
    const bool both =
        get_model(profile, input->stage, NEREUS_BACKGROUND_WAITING)->basis == NEREUS_BASIS_FITTED &&
        get_model(profile, input->stage, NEREUS_BACKGROUND_COMMUNICATING)->basis ==
            NEREUS_BASIS_FITTED;
    /* omega fitted to whole reconfigurations of this kind at this load is more accurate, except for
     * a shrink, in which threads back off */
    const bool has_better_omega = profile->omega.basis == NEREUS_BASIS_FITTED &&
                                  !input->communicates && input->stage == NEREUS_STAGE_COMPUTE &&
                                  input->load.core_load <= profile->omega.max_load &&
                                  input->group != NEREUS_ASYNC_SHRINK;
    return (both || find_starting_model(profile, input) != NULL ||
            find_moving_model(profile, input) != NULL) &&
           !has_better_omega;
}

/* Additional time of an iteration at a load [s]. */
static double compute_slowdown_s(const struct nereus_linear_model *model,
                                 const struct nereus_overlap_input *input, double load)
{
    struct nereus_overlap_input changed_input = *input;
    changed_input.group = NEREUS_ASYNC_PLAIN;
    changed_input.load.load_all = load;
    return nereus_overlap_value(model, &changed_input, NULL);
}

/* Load of a source's core by its process and a share of the new processes of its node. */
static double compute_process_load(const struct nereus_overlap_input *input)
{
    return input->load.shared_nodes > 0 ? fmax(1, input->load.core_load / fmax(1, input->own_load))
                                        : 1;
}

/* The load of compute_process_load, and the auxiliary thread that is bound to the core. */
double nereus_contention_load(const struct nereus_overlap_input *input)
{
    return (input->no_thread_on_application_core ? 0 : 1) + compute_process_load(input);
}

/* Half-width of an iteration time at a load, in seconds. */
static double half_width_at_s(const struct nereus_linear_model *model,
                              const struct nereus_overlap_input *input, double load)
{
    struct nereus_overlap_input changed_input = *input;
    changed_input.group = NEREUS_ASYNC_PLAIN;
    changed_input.load.load_all = load;
    double iteration_s;
    return nereus_overlap_half_width_s(model, &changed_input, &iteration_s);
}

/* Find the single model of an iteration at nereus_contention_load; NULL: models of both kinds of
 * threads are added. The load of a data thread was measured with iterations that compute.
 * Iterations that wait in MPI, for other processes and for the thread there, may take as long as
 * next to communicating threads. */
static const struct nereus_linear_model *find_single_model(const struct nereus_profile *profile,
                                                           const struct nereus_overlap_input *input)
{
    const struct nereus_linear_model *by_thread = find_moving_model(profile, input),
                                     *starts = find_starting_model(profile, input);
    const struct nereus_linear_model *exchange =
        get_model(profile, input->stage, NEREUS_BACKGROUND_COMMUNICATING);
    const double load = nereus_contention_load(input);
    const bool waits =
        input->stage == NEREUS_STAGE_COLLECTIVE && exchange->basis == NEREUS_BASIS_FITTED;
    if (by_thread == NULL)
        return starts;
    return waits && compute_slowdown_s(exchange, input, load) >
                        compute_slowdown_s(by_thread, input, load)
               ? exchange
               : by_thread;
}

/* The larger error of starting or communicating threads; waiting threads add little time, and no
 * error. */
double nereus_contention_half_width_s(const struct nereus_profile *profile,
                                      const struct nereus_overlap_input *input)
{
    const struct nereus_linear_model *only = find_single_model(profile, input);
    const double load = compute_process_load(input), all = nereus_contention_load(input);
    if (only != NULL)
        return half_width_at_s(only, input, all);
    const double communicating_s =
        half_width_at_s(get_model(profile, input->stage, NEREUS_BACKGROUND_COMMUNICATING), input,
                        input->communicates ? all : load);
    return input->communicates
               ? communicating_s
               : fmax(communicating_s,
                      half_width_at_s(get_model(profile, input->stage, NEREUS_BACKGROUND_WAITING),
                                      input, all));
}

double nereus_contention_iteration_s(const struct nereus_profile *profile,
                                     const struct nereus_overlap_input *input)
{
    const struct nereus_linear_model *processes =
        get_model(profile, input->stage, NEREUS_BACKGROUND_COMMUNICATING);
    const struct nereus_linear_model *threads =
        input->communicates ? processes
                            : get_model(profile, input->stage, NEREUS_BACKGROUND_WAITING);
    const struct nereus_linear_model *only = find_single_model(profile, input);
    const double load = compute_process_load(input), all = nereus_contention_load(input);
    if (only != NULL)
        return input->t_iter_s + compute_slowdown_s(only, input, all);
    return input->t_iter_s + compute_slowdown_s(processes, input, load) +
           compute_slowdown_s(threads, input, all) - compute_slowdown_s(threads, input, load);
}
