/**
 * @file overlap.c
 * Prices asynchronous reconfigurations: alpha, omega, It and CT (Martín-Álvarez et al. (2024a),
 * section 3.4, equation 6).
 *
 *   RT_async (baseline, merge) = RT_sync (a0 + a1 (sqrt(e_A) - sqrt(e_S))) + a2
 *   RT_async (single)        = RT_sync (b0 + b1 (L_all-1)+) + b2 T_iter max(1, L_all) [NS > 1] + b3
 *   RT_async (merge shrink)    = z0 + z1 log2(nodes(NS)); at least RT_sync
 *   of this library's runtime: each of the first two + n N, and
 *   RT_async (merge shrink)    = RT_sync y0 + y1 + n N
 *   omega T_iter (single)      = T_iter (1 + u L'),  L' = ((L-1)+)^1.25
 *   omega T_iter (plain)       = T_iter (1 + u L') + (d + e log2(n_c)) (L-1)+
 *   omega T_iter (merge shrink) = T_iter + w RT_async / It: computing processes wait for MPI's lock
 *   It                         = max(1, RT_async / (omega T_iter) + h)
 *   CT                         = It omega T_iter
 *
 * N: T_iter until all sources know of the end, 2 T_iter or, of one source, T_iter; n by group.
 * e_S = (l-1)+ over the nodes with new processes, e_A the same with the sources counted twice.
 * L_all counts an auxiliary thread on every source, L_root on the root alone. L is L_all; but the
 * single strategy has two phases, first the root's thread, then all threads: (L_root + 3 L_all)
 * / 4. The terms were found in tables 3 and 4 of the paper. h: a reconfiguration ends within an
 * iteration, and this is noticed at a later point; single has two such ends.
 */
#include "overlap.h"

#include "model/layout/node_walk.h"
#include "model/plan/strategies/strategy.h"

/* Load (sources x per_source + new) / cores of a node of an unbounded machine; 0 without new
 * processes. Cores: all of the node's. */
static double compute_node_load(const struct nereus_machine *machine, int64_t ns, int64_t first_new,
                                int64_t count, int64_t per_source, int64_t node)
{
    const int64_t fresh = nereus_machine_node_processes(machine, first_new, count, node);
    const int64_t old = nereus_machine_node_processes(machine, 0, ns, node);
    return fresh == 0 ? 0
                      : (double)(per_source * old + fresh) /
                            (double)(nereus_machine_cores(machine, node) *
                                     nereus_machine_cores_per_process(machine));
}

/* The largest compute_node_load. On an unbounded machine the load is equal between the ends of the
 * two groups, so that the nodes at and next to the ends suffice. */
static double compute_new_node_load(const struct nereus_machine *machine, bool respawn, int64_t ns,
                                    int64_t first_new, int64_t count, int64_t per_source)
{
    double max = 0;
    if (count <= 0)
        return 0;
    if (machine->node_count > 0) {
        const int64_t each = nereus_machine_cores_per_process(machine);
        struct nereus_node_walk walk;
        nereus_node_walk_begin(machine,
                               &(struct nereus_placement){ns, first_new, count, 0, respawn}, &walk);
        while (nereus_node_walk_next(&walk))
            if (walk.new_here > 0)
                max = fmax(max, (double)(per_source * walk.old_here + walk.new_here) /
                                    (double)(machine->nodes[walk.node].cores * each));
        return max;
    }
    const int64_t ends[] = {nereus_machine_node_of(machine, first_new),
                            nereus_machine_node_of(machine, first_new + count - 1),
                            nereus_machine_node_of(machine, ns - 1)};
    for (int i = 0; i < 3; i++)
        for (int64_t node = ends[i] > 0 ? ends[i] - 1 : 0; node <= ends[i] + 1; node++)
            max = fmax(max, compute_node_load(machine, ns, first_new, count, per_source, node));
    return max;
}

/* Has a source a core for its thread? Threads are bound to the last of its cores
 * (src/start/bind_choice.h). */
static bool has_spare_core(const struct nereus_machine *machine)
{
    return nereus_machine_cores_per_process(machine) > 1;
}

/* The sources' own load, by which loads are divided, because T_iter contains the sharing of cores
 * by oversubscribed sources. */
static double compute_own_load(const struct nereus_machine *machine, int64_t ns)
{
    struct nereus_load load;
    if (machine->node_count == 0 || ns <= nereus_machine_total_cores(machine))
        return 1;
    nereus_placement_find_load(machine, &(struct nereus_placement){ns, ns, 0, ns, false}, &load);
    /* load_all counts an auxiliary thread on every source, if each has one core */
    return fmax(1, (has_spare_core(machine) ? 1 : 0.5) * load.load_all);
}

void nereus_overlap_input_make(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s,
                               struct nereus_overlap_input *input)
{
    const bool merge = method->process == NEREUS_MERGE;
    const int64_t first_new = merge && nt > ns ? ns : 0;
    const int64_t count = !merge ? nt : (nt > ns ? nt - ns : 0);
    memset(input, 0, sizeof *input);
    input->group = merge && nt <= ns                                  ? NEREUS_ASYNC_SHRINK
                   : nereus_strategy_starts_by_root(method->strategy) ? NEREUS_ASYNC_SINGLE
                                                                      : NEREUS_ASYNC_PLAIN;
    input->ns = ns;
    input->respawn = !merge;
    input->t_iter_s = t_iter_s;
    input->own_load = compute_own_load(machine, ns);
    nereus_placement_find_load(
        machine, &(struct nereus_placement){ns, first_new, count, nt, !merge}, &input->load);
    const int64_t busy = nereus_machine_cores_per_process(machine);
    const bool has_spare = has_spare_core(machine),
               is_launched = nereus_strategy_ops_of(method->strategy)->threadless && count > 0;
    input->no_thread_on_application_core = has_spare || is_launched;
    input->load.core_load = input->load.load_busy;
    input->e_sync =
        nereus_max_real(0, compute_new_node_load(machine, !merge, ns, first_new, count, 1) - 1);
    input->e_async =
        nereus_max_real(0, compute_new_node_load(machine, !merge, ns, first_new, count,
                                                 input->no_thread_on_application_core ? busy : 2) -
                               1);
    if (is_launched && !has_spare)
        input->load.load_all = input->load.load_root = input->load.core_load;
}

int nereus_overlap_terms(enum nereus_async_group group, bool is_own_runtime,
                         const enum nereus_overlap_term **terms)
{
    /* With the published data a group has the terms without NOTICE; a shrink has its own. */
    static const enum nereus_overlap_term plain[] = {NEREUS_OVERLAP_RT_SYNC,
                                                     NEREUS_OVERLAP_SYNC_GROWTH,
                                                     NEREUS_OVERLAP_SLICE, NEREUS_OVERLAP_NOTICE};
    static const enum nereus_overlap_term single[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_SYNC_EXCESS, NEREUS_OVERLAP_ITER_ALL,
        NEREUS_OVERLAP_SLICE, NEREUS_OVERLAP_NOTICE};
    static const enum nereus_overlap_term shrink[] = {NEREUS_OVERLAP_CONST,
                                                      NEREUS_OVERLAP_LOG2_NODES};
    static const enum nereus_overlap_term own_shrink[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_SLICE, NEREUS_OVERLAP_NOTICE};
    static const enum nereus_overlap_term *const published[] = {plain, single, shrink},
                                                 *const of_runtime[] = {plain, single, own_shrink};
    static const int counts[] = {3, 4, 2};
    *terms = is_own_runtime ? of_runtime[group] : published[group];
    return counts[group] + (is_own_runtime ? 1 : 0);
}

int nereus_overlap_omega_terms(const enum nereus_overlap_term **terms)
{
    static const enum nereus_overlap_term omega[] = {
        NEREUS_OVERLAP_ITER_SHARED, NEREUS_OVERLAP_PLAIN_EXCESS, NEREUS_OVERLAP_NODES_EXCESS,
        NEREUS_OVERLAP_LOCKED};
    *terms = omega;
    return (int)NEREUS_COUNT_OF(omega);
}

int nereus_overlap_extra_terms(const enum nereus_overlap_term **terms)
{
    static const enum nereus_overlap_term extra[] = {
        NEREUS_OVERLAP_EXTRA, NEREUS_OVERLAP_EXTRA_SINGLE, NEREUS_OVERLAP_EXTRA_RESPAWN};
    *terms = extra;
    return (int)NEREUS_COUNT_OF(extra);
}

static double compute_shrink_iteration_s(const struct nereus_overlap_input *input,
                                         double iteration_s, double rt_async_s)
{
    /* After a shrink no new processes wait: once its threads have finished, the iteration has the
     * cores for itself. */
    if (input->group == NEREUS_ASYNC_SHRINK && rt_async_s < iteration_s)
        return input->t_iter_s + rt_async_s * (1 - input->t_iter_s / iteration_s);
    return iteration_s;
}

/* Share of a shrink during which iterations wait for MPI's lock; 0: not in older profiles. */
static double find_locked_share(const struct nereus_linear_model *omega)
{
    double share = 0;
    for (int i = 0; i < omega->terms; i++)
        if (nereus_overlap_term(omega, i) == NEREUS_OVERLAP_LOCKED)
            share = omega->coefficients[i];
    return share;
}

/* Iterations during a shrink, which wait for MPI's lock: omega T = T + w RT / It, and
 * It = RT / (omega T) + h. Both hold for It^2 - (r (1 - w) + h) It - h w r = 0 with r = RT / T. */
bool nereus_overlap_input_make_locked(const struct nereus_profile *profile,
                                      const struct nereus_overlap_input *input, double rt_async_s,
                                      struct nereus_overlap_input *locked)
{
    static const double long_enough = 1e6;
    const double share = find_locked_share(&profile->omega),
                 extra = nereus_overlap_extra_iterations(profile, input);
    if (input->group != NEREUS_ASYNC_SHRINK || !(share > 0))
        return false;
    const double r = fmin(rt_async_s / input->t_iter_s, long_enough);
    const double b = r * (1 - share) + extra;
    *locked = *input;
    locked->rt_async_s = r * input->t_iter_s;
    locked->iterations = fmax(1, 0.5 * (b + sqrt(b * b + 4 * extra * share * r)));
    return true;
}

double nereus_overlap_omega_s(const struct nereus_profile *profile,
                              const struct nereus_overlap_input *input, double rt_async_s)
{
    struct nereus_overlap_input locked, unlocked = *input;
    if (nereus_overlap_input_make_locked(profile, input, rt_async_s, &locked))
        return input->t_iter_s + nereus_overlap_value(&profile->omega, &locked, NULL);
    if (input->group == NEREUS_ASYNC_SHRINK)
        unlocked.group = NEREUS_ASYNC_PLAIN;
    return compute_shrink_iteration_s(
        input, input->t_iter_s + nereus_overlap_value(&profile->omega, &unlocked, NULL),
        rt_async_s);
}

double nereus_overlap_iteration_s(const struct nereus_profile *profile,
                                  const struct nereus_overlap_input *input, double rt_async_s)
{
    return nereus_contention_is_measured(profile, input)
               ? compute_shrink_iteration_s(input, nereus_contention_iteration_s(profile, input),
                                            rt_async_s)
               : nereus_overlap_omega_s(profile, input, rt_async_s);
}

double nereus_overlap_notice_s(const struct nereus_linear_model *model,
                               const struct nereus_overlap_input *input)
{
    double notice_s = 0;
    for (int i = 0; i < model->terms; i++)
        if (nereus_overlap_term(model, i) == NEREUS_OVERLAP_NOTICE)
            notice_s +=
                model->coefficients[i] * nereus_overlap_feature(NEREUS_OVERLAP_NOTICE, input);
    return notice_s;
}

const struct nereus_linear_model *nereus_overlap_model(const struct nereus_profile *profile,
                                                       enum nereus_async_group group,
                                                       bool oversubscribed)
{
    const struct nereus_linear_model *const within[] = {
        [NEREUS_ASYNC_PLAIN] = &profile->async_plain,
        [NEREUS_ASYNC_SINGLE] = &profile->async_single,
        [NEREUS_ASYNC_SHRINK] = &profile->async_shrink};
    const struct nereus_linear_model *const upper_model[] = {
        [NEREUS_ASYNC_PLAIN] = &profile->async_plain_oversubscribed,
        [NEREUS_ASYNC_SINGLE] = &profile->async_single_oversubscribed,
        [NEREUS_ASYNC_SHRINK] = &profile->async_shrink_oversubscribed};
    return oversubscribed && upper_model[group]->basis != NEREUS_BASIS_NONE ? upper_model[group]
                                                                            : within[group];
}

double nereus_overlap_iterations(double rt_async_s, double iteration_s, double extra)
{
    /* Equation 7 counts "between one and It_AR" for an asynchronous method: the iteration in which
     * it began. */
    return fmax(1, rt_async_s / iteration_s + extra);
}

double nereus_overlap_extra_iterations(const struct nereus_profile *profile,
                                       const struct nereus_overlap_input *input)
{
    static const double ends_within = 0.5; /* mean share of an iteration */
    return profile->extra_iterations.basis != NEREUS_BASIS_NONE
               ? nereus_overlap_value(&profile->extra_iterations, input, NULL)
               : ends_within;
}
