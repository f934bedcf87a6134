/**
 * @file change_time.c
 * Computes the time of a change of processes, from the profile or from stated costs (Martín et al.
 * (2015), equations 6 to 8):
 *
 *   n_spawn x spawn_s + n_remove x remove_s + alltoallv
 *
 * The alltoallv is pairwise among the p processes of the larger group (MPICH, long messages): (p-1)
 * alpha + n beta, where n, the most that a process sends or receives, is the data divided by the
 * size of the smaller group.
 */

#include "model/util/base.h"
#include "nereus/computational_model.h"

static double compute_stated_s(const struct nereus_computational_model *model,
                               const struct nereus_allocation *from,
                               const struct nereus_allocation *to)
{
    const struct nereus_stated_costs *costs = &model->stated_costs;
    int64_t spawned = 0, removed = 0, ns = 0, nt = 0;
    for (int k = 0; k < model->class_count; k++) {
        const int64_t more = to->processes[k] - from->processes[k];
        spawned += more > 0 ? more : 0;
        removed += more < 0 ? -more : 0;
        ns += from->processes[k];
        nt += to->processes[k];
    }
    const int64_t smaller = ns < nt ? ns : nt, larger = ns + nt - smaller;
    double data_s = 0;
    if (model->bytes > 0)
        data_s = (double)(larger - 1) * costs->latency_s +
                 model->bytes / (double)smaller * costs->seconds_per_byte;
    return (double)spawned * costs->spawn_s + (double)removed * costs->remove_s + data_s;
}

/* Least RT of a synchronous method. */
static enum nereus_status predict_change_s(const struct nereus_computational_model *model,
                                           int64_t ns, int64_t nt, struct nereus_interval *change_s,
                                           struct nereus_error *err)
{
    const struct nereus_scenario scenario = {.machine = model->machine,
                                             .ns = ns,
                                             .nt = nt,
                                             .constant_bytes = model->bytes,
                                             .iterations_before = 1,
                                             .iterations_after = 1};
    struct nereus_interval min = {INFINITY, INFINITY, INFINITY};
    for (int64_t i = 0; i < model->profile->method_count; i++) {
        struct nereus_prediction prediction;
        struct nereus_method method = model->profile->methods[i];
        method.has_data = true;
        method.data = NEREUS_COLL;
        if (!nereus_method_is_overlapped(&method) &&
            nereus_method_check_direction(&method, ns, nt, err) == NEREUS_OK &&
            nereus_predict(model->profile, &scenario, &method, &prediction, err) == NEREUS_OK &&
            prediction.rt_s.value < min.value)
            min = prediction.rt_s;
    }
    if (!isfinite(min.value))
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the profile has no method that goes from %lld to %lld process%s",
                           (long long)ns, (long long)nt, nereus_plural_es(nt));
    *change_s = min;
    return NEREUS_OK;
}

enum nereus_status nereus_change_time(const struct nereus_computational_model *model,
                                      const struct nereus_allocation *from,
                                      const struct nereus_allocation *to,
                                      struct nereus_interval *change_s, struct nereus_error *err)
{
    if (nereus_allocation_equal(model, from, to)) {
        *change_s = (struct nereus_interval){0, 0, 0};
        return NEREUS_OK;
    }
    if (model->profile != NULL)
        return predict_change_s(model, nereus_allocation_processes(model, from),
                                nereus_allocation_processes(model, to), change_s, err);
    const double seconds = compute_stated_s(model, from, to);
    *change_s = (struct nereus_interval){seconds, seconds, seconds};
    return NEREUS_OK;
}
