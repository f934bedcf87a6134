/*
 * Asynchronous reconfigurations: alpha, omega, It and CT (spawning-methods 3.4, equation 6).
 *
 *   RT_async (baseline, merge) = RT_sync (a0 + a1 (sqrt(e_A) - sqrt(e_S))) + a2
 *   RT_async (single)        = RT_sync (b0 + b1 (L_all-1)+) + b2 T_iter max(1, L_all) [NS > 1] + b3
 *   RT_async (merge shrink)    = z0 + z1 log2(nodes(NS)); at least RT_sync
 *   omega T_iter               = T_iter (1 + u (L-1)+) + (d + e log2(n_c)) (L-1)+
 *   It                         = ceil(RT_async / (omega T_iter) + 0.5 [NS > 1, processes start]),
 *                              >= 1
 *   CT                         = It omega T_iter
 *
 * e_S = (l-1)+ over the nodes with new processes, e_A the same with the sources counted twice; L
 * counts an auxiliary thread on every source (L_all) or on the root alone (L_root). The single
 * strategy has two phases, first the root's thread, then all threads: its T_iter terms combine both
 * loads. Terms found in tables 3 and 4 of the paper. The half iteration: a reconfiguration ends
 * within an iteration and is noticed at the point after the next one that all processes reach
 * together; a single process notices at once.
 */
#include "overlap.h"

#include <math.h>
#include <string.h>

#include "model/layout/layout_rounds.h"
#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"

/* Load (sources x per_source + new) / cores of a node of an unbounded machine; 0 without new
 * processes. */
static double node_load(const struct nereus_machine *machine, int64_t ns, int64_t first_new,
                        int64_t count, int64_t per_source, int64_t node)
{
    const int64_t fresh = nereus_machine_processes_on(machine, first_new, count, node);
    const int64_t old = nereus_machine_processes_on(machine, 0, ns, node);
    return fresh == 0
               ? 0
               : (double)(per_source * old + fresh) / (double)nereus_machine_cores(machine, node);
}

/* The largest such load. On an unbounded machine the load is equal between the ends of the two
 * groups, so the nodes at and next to the ends suffice. */
static double new_node_load(const struct nereus_machine *machine, int64_t ns, int64_t first_new,
                            int64_t count, int64_t per_source)
{
    double most = 0;
    if (count <= 0)
        return 0;
    if (machine->node_count > 0) {
        const int64_t total = nereus_machine_total_cores(machine);
        /* running sum: a query for each node would cost a pass over the nodes */
        int64_t before = 0;
        for (int64_t node = 0; node < machine->node_count; node++) {
            const int64_t cores = machine->nodes[node].cores;
            const int64_t fresh = nereus_rounds_share(first_new, count, before, cores, total);
            const int64_t old = nereus_rounds_share(0, ns, before, cores, total);
            if (fresh > 0)
                most = fmax(most, (double)(per_source * old + fresh) / (double)cores);
            before += cores;
        }
        return most;
    }
    const int64_t ends[] = {nereus_machine_node_of(machine, first_new),
                            nereus_machine_node_of(machine, first_new + count - 1),
                            nereus_machine_node_of(machine, ns - 1)};
    for (int i = 0; i < 3; i++)
        for (int64_t node = ends[i] > 0 ? ends[i] - 1 : 0; node <= ends[i] + 1; node++)
            most = fmax(most, node_load(machine, ns, first_new, count, per_source, node));
    return most;
}

/* Oversubscribed sources share cores already: that is in T_iter. */
static double own_load(const struct nereus_machine *machine, int64_t ns)
{
    struct nereus_load load;
    if (machine->node_count == 0 || ns <= nereus_machine_total_cores(machine))
        return 1;
    nereus_machine_load(machine, ns, ns, 0, ns, &load);
    return fmax(1, 0.5 * load.load_all); /* load_all counts a thread on every source */
}

void nereus_overlap_input_make(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s,
                               struct nereus_overlap_input *in)
{
    const bool merge = method->process == NEREUS_MERGE;
    const int64_t first_new = merge && nt > ns ? ns : 0;
    const int64_t count = !merge ? nt : (nt > ns ? nt - ns : 0);
    memset(in, 0, sizeof *in);
    in->group = merge && nt <= ns                              ? NEREUS_ASYNC_SHRINK
                : nereus_strategy_root_alone(method->strategy) ? NEREUS_ASYNC_SINGLE
                                                               : NEREUS_ASYNC_PLAIN;
    in->ns = ns;
    in->t_iter_s = t_iter_s;
    in->own_load = own_load(machine, ns);
    nereus_machine_load(machine, ns, first_new, count, nt, &in->load);
    in->e_sync = nereus_max_real(0, new_node_load(machine, ns, first_new, count, 1) - 1);
    in->e_async = nereus_max_real(0, new_node_load(machine, ns, first_new, count, 2) - 1);
    if (nereus_strategy(method->strategy)->threadless && count > 0) { /* no auxiliary threads */
        in->e_async = in->e_sync;
        in->load.load_all = in->load.load_root = in->load.load;
        in->threadless = true;
    }
}

double nereus_overlap_feature(enum nereus_overlap_feature feature,
                              const struct nereus_overlap_input *in)
{
    const bool single = in->group == NEREUS_ASYNC_SINGLE;
    const double all = nereus_max_real(0, in->load.load_all - 1),
                 root = nereus_max_real(0, in->load.load_root - 1);
    switch (feature) {
    case NEREUS_OVERLAP_RT_SYNC:
        return in->rt_sync_s;
    case NEREUS_OVERLAP_GROWTH:
        return sqrt(in->e_async) - sqrt(in->e_sync);
    case NEREUS_OVERLAP_CONST:
        return 1;
    case NEREUS_OVERLAP_EXCESS:
        return all;
    case NEREUS_OVERLAP_ITER_ROOT:
        return in->ns > 1 ? in->t_iter_s * fmax(1, in->load.load_root) : 0;
    case NEREUS_OVERLAP_ONE_NODE:
        return in->load.old_nodes <= 1;
    case NEREUS_OVERLAP_LOG2_NODES:
        return in->load.old_nodes > 1 ? log2((double)in->load.old_nodes) : 0;
    case NEREUS_OVERLAP_ITER_EXCESS:
        return single ? 0 : in->t_iter_s * all;
    case NEREUS_OVERLAP_PLAIN_EXCESS:
        return single ? 0 : all;
    case NEREUS_OVERLAP_NODES_EXCESS:
        return single || in->load.new_nodes < 2 ? 0 : all * log2((double)in->load.new_nodes);
    case NEREUS_OVERLAP_ITER_SINGLE:
        return single ? in->t_iter_s * all : 0;
    case NEREUS_OVERLAP_ITER_SINGLE_ROOT:
        return single ? in->t_iter_s * root : 0;
    case NEREUS_OVERLAP_SINGLE_EXCESS:
        return single ? root : 0; /* in older profiles */
    case NEREUS_OVERLAP_SINGLE_ALL_EXCESS:
        return single ? all : 0;
    case NEREUS_OVERLAP_MOVE:
        return in->move_s;
    case NEREUS_OVERLAP_POINTS:
        return in->points_s;
    case NEREUS_OVERLAP_PEERS_EXCESS:
        return in->ns > 1 ? all : 0;
    case NEREUS_OVERLAP_PEERS_MOVE:
        return in->ns > 1 ? in->move_s : 0;
    case NEREUS_OVERLAP_NOTICE:
        return in->t_iter_s * (in->ns > 1 ? 2 : 1);
    case NEREUS_OVERLAP_SYNC_GROWTH:
        return in->rt_sync_s * (sqrt(in->e_async) - sqrt(in->e_sync));
    case NEREUS_OVERLAP_SYNC_EXCESS:
        return in->rt_sync_s * all;
    case NEREUS_OVERLAP_ITER_ALL:
        return in->ns > 1 ? in->t_iter_s * fmax(1, in->load.load_all) : 0;
    case NEREUS_OVERLAP_SLICE:
        return 1;
    case NEREUS_OVERLAP_IN_POINTS:
    case NEREUS_OVERLAP_MEANWHILE:
        return in->move_s;
    case NEREUS_OVERLAP_PASSED:
        return in->passed_s;
    case NEREUS_OVERLAP_FEATURE_COUNT:
        break;
    }
    return 0;
}

int nereus_overlap_terms(enum nereus_async_group group, bool own,
                         const enum nereus_overlap_feature **terms)
{
    static const enum nereus_overlap_feature plain[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_SYNC_GROWTH, NEREUS_OVERLAP_SLICE};
    static const enum nereus_overlap_feature single[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_SYNC_EXCESS, NEREUS_OVERLAP_ITER_ALL,
        NEREUS_OVERLAP_SLICE};
    static const enum nereus_overlap_feature own_plain[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_GROWTH, NEREUS_OVERLAP_CONST, NEREUS_OVERLAP_NOTICE};
    static const enum nereus_overlap_feature own_single[] = {
        NEREUS_OVERLAP_RT_SYNC, NEREUS_OVERLAP_EXCESS, NEREUS_OVERLAP_ITER_ROOT,
        NEREUS_OVERLAP_NOTICE};
    const bool is_single = group == NEREUS_ASYNC_SINGLE;
    if (own) {
        *terms = is_single ? own_single : own_plain;
        return 4;
    }
    *terms = is_single ? single : plain;
    return is_single ? 4 : 3;
}

int nereus_overlap_omega_terms(const enum nereus_overlap_feature **terms)
{
    static const enum nereus_overlap_feature omega[] = {
        NEREUS_OVERLAP_ITER_EXCESS,      NEREUS_OVERLAP_PLAIN_EXCESS,
        NEREUS_OVERLAP_NODES_EXCESS,     NEREUS_OVERLAP_ITER_SINGLE,
        NEREUS_OVERLAP_ITER_SINGLE_ROOT, NEREUS_OVERLAP_SINGLE_ALL_EXCESS};
    *terms = omega;
    return (int)(sizeof omega / sizeof omega[0]);
}

struct nereus_overlap_expected nereus_overlap_expected(enum nereus_overlap_feature feature)
{
    switch (feature) {
    case NEREUS_OVERLAP_RT_SYNC: /* the same steps */
        return (struct nereus_overlap_expected){1, 0.1};
    case NEREUS_OVERLAP_ITER_ALL:
    /* the second phase of single begins at the next point, at most an iteration later */
    case NEREUS_OVERLAP_ITER_ROOT:
        return (struct nereus_overlap_expected){1, 0.5};
    case NEREUS_OVERLAP_ITER_EXCESS: /* processor sharing */
        return (struct nereus_overlap_expected){1, 0.25};
    /* the same; half of the time with all threads, half with the root's */
    case NEREUS_OVERLAP_ITER_SINGLE:
    case NEREUS_OVERLAP_ITER_SINGLE_ROOT:
        return (struct nereus_overlap_expected){0.5, 0.25};
    /* the same bytes over the same memory or network, which iterations use, too */
    case NEREUS_OVERLAP_MOVE:
    /* an answer, or the end of a thread, is seen at the next point; large messages need several */
    case NEREUS_OVERLAP_POINTS:
        return (struct nereus_overlap_expected){1, 1};
    case NEREUS_OVERLAP_IN_POINTS: /* as MOVE, but either main threads or others do it */
    case NEREUS_OVERLAP_MEANWHILE:
        return (struct nereus_overlap_expected){0.5, 0.5};
    /* counted in the runtime (overlap_data.c); an answer may come a point later */
    case NEREUS_OVERLAP_PASSED:
        return (struct nereus_overlap_expected){1, 0.5};
    /* src/job/consensus.c: rank 0 names a point two ahead (alone the next); a later one if a
     * process has passed it */
    case NEREUS_OVERLAP_NOTICE:
        return (struct nereus_overlap_expected){1, 0.25};
    /*
     * 0 if a start never needs the shared cores, 1 if always; it mostly waits for files and peers
     */
    case NEREUS_OVERLAP_SYNC_EXCESS:
    case NEREUS_OVERLAP_SYNC_GROWTH:
        return (struct nereus_overlap_expected){0.25, 0.25};
    case NEREUS_OVERLAP_SLICE: /* a thread started on a busy core waits for it */
    /* a process that is waited for is preempted for some scheduler slices of 1 to 20 ms */
    case NEREUS_OVERLAP_PLAIN_EXCESS:
    case NEREUS_OVERLAP_SINGLE_ALL_EXCESS:
    case NEREUS_OVERLAP_PEERS_EXCESS:
        return (struct nereus_overlap_expected){0.02, 0.02};
    /* the maximum of twice as many delays of 20 ms on average is half a delay longer */
    case NEREUS_OVERLAP_NODES_EXCESS:
        return (struct nereus_overlap_expected){0.01, 0.01};
    default:
        return (struct nereus_overlap_expected){0, 0};
    }
}

double nereus_overlap_value(const struct nereus_linear_model *model,
                            const struct nereus_overlap_input *in, double *variance)
{
    double value = 0, sum = 0, x[NEREUS_TERMS_MAX];
    for (int i = 0; i < model->terms; i++) {
        x[i] = nereus_overlap_feature(nereus_overlap_term(model, i), in);
        value += model->coefficients[i] * x[i];
    }
    if (variance == NULL)
        return value;
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            sum += x[i] * model->covariance[i][j] * x[j];
    *variance = sum;
    return value;
}

static double while_it_lasts_s(const struct nereus_overlap_input *in, double iteration_s,
                               double rt_async_s)
{
    /* After a shrink no new processes wait: once its threads have finished, the iteration has the
     * cores for itself. */
    if (in->group == NEREUS_ASYNC_SHRINK && rt_async_s < iteration_s)
        return in->t_iter_s + rt_async_s * (1 - in->t_iter_s / iteration_s);
    return iteration_s;
}

double nereus_overlap_omega_s(const struct nereus_profile *profile,
                              const struct nereus_overlap_input *in, double rt_async_s)
{
    return while_it_lasts_s(in, in->t_iter_s + nereus_overlap_value(&profile->omega, in, NULL),
                            rt_async_s);
}

double nereus_overlap_iteration_s(const struct nereus_profile *profile,
                                  const struct nereus_overlap_input *in, double rt_async_s)
{
    return nereus_contention_known(profile, in)
               ? while_it_lasts_s(in, nereus_contention_iteration_s(profile, in), rt_async_s)
               : nereus_overlap_omega_s(profile, in, rt_async_s);
}

double nereus_overlap_notice_s(const struct nereus_linear_model *model,
                               const struct nereus_overlap_input *in)
{
    double notice_s = 0;
    for (int i = 0; i < model->terms; i++)
        if (nereus_overlap_term(model, i) == NEREUS_OVERLAP_NOTICE)
            notice_s += model->coefficients[i] * nereus_overlap_feature(NEREUS_OVERLAP_NOTICE, in);
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
    const struct nereus_linear_model *const above[] = {
        [NEREUS_ASYNC_PLAIN] = &profile->async_plain_oversubscribed,
        [NEREUS_ASYNC_SINGLE] = &profile->async_single_oversubscribed,
        [NEREUS_ASYNC_SHRINK] = &profile->async_shrink_oversubscribed};
    return oversubscribed && above[group]->basis != NEREUS_BASIS_NONE ? above[group]
                                                                      : within[group];
}

double nereus_overlap_iterations(double rt_async_s, double iteration_s, bool noticed_late)
{
    return fmax(1, ceil(rt_async_s / iteration_s + (noticed_late ? 0.5 : 0)));
}

double nereus_overlap_iterations_expected(double rt_async_s, double iteration_s)
{
    /* Equation 7 counts "between one and It_AR" for an asynchronous method: the iteration in which
     * it began. */
    return fmax(1, rt_async_s / iteration_s + 0.5);
}
