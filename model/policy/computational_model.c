/**
 * @file computational_model.c
 * Implements Flex-MPI's computational model: the predicted time of a sampling interval from work
 * and calls.
 */
#include "nereus/computational_model.h"

#include "model/price/cost_data.h"

static enum nereus_status check_class(const struct nereus_node_class *one, struct nereus_error *err)
{
    if (one->max < 0 || !(one->power > 0) || !isfinite(one->power) ||
        !(one->price_per_core_hour >= 0) || !isfinite(one->price_per_core_hour))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "class %s needs a power above 0, and cores and a price of at least 0",
                           one->name);
    return NEREUS_OK;
}

static double compute_part_bytes(const struct nereus_monitored_call *call, int64_t processes)
{
    const double p = (double)processes;
    switch (call->collective) {
    case NEREUS_COLLECTIVE_GATHERV:
    case NEREUS_COLLECTIVE_ALLGATHER:
        return call->bytes / p;
    case NEREUS_COLLECTIVE_ALLTOALL:
        return call->bytes / (p * p);
    default:
        return call->bytes;
    }
}

static enum nereus_status price_call(const struct nereus_computational_model *model,
                                     const struct nereus_monitored_call *call, int64_t processes,
                                     double *seconds, struct nereus_error *err)
{
    const struct nereus_collective_call one = {call->collective, processes,
                                               compute_part_bytes(call, processes)};
    if (model->profile == NULL)
        *seconds =
            nereus_collective_stated_s(&model->stated_costs, one.collective, processes, one.bytes);
    else if (nereus_cost_collective_s(model->profile, model->machine, &one, seconds) != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the profile has no time of %s: calibrate with it",
                           nereus_collective_name(call->collective));
    return NEREUS_OK;
}

enum nereus_status nereus_computational_model_check(const struct nereus_computational_model *model,
                                                    struct nereus_error *err)
{
    const struct nereus_stated_costs *costs = &model->stated_costs;
    double seconds;
    if (model->class_count < 1 || model->class_count > NEREUS_NODE_CLASSES_MAX ||
        model->call_count < 0 || model->call_count > NEREUS_MONITORED_CALLS_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%d class%s and %d call%s: 1 to %d and 0 to %d", model->class_count,
                           nereus_plural_es(model->class_count), model->call_count,
                           nereus_plural_s(model->call_count), NEREUS_NODE_CLASSES_MAX,
                           NEREUS_MONITORED_CALLS_MAX);
    for (int k = 0; k < model->class_count; k++)
        NEREUS_TRY(check_class(&model->classes[k], err));
    for (int c = 0; c < model->call_count; c++) {
        if (!(model->calls[c].bytes >= 0) || !(model->calls[c].per_iteration >= 0))
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "a call has bytes and a number of at least 0");
        NEREUS_TRY(price_call(model, &model->calls[c], 2, &seconds, err));
    }
    if (!(costs->spawn_s >= 0 && costs->remove_s >= 0 && costs->latency_s >= 0 &&
          costs->seconds_per_byte >= 0 && costs->reduction_s_per_byte >= 0 && model->bytes >= 0 &&
          model->communication_factor >= 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "costs, bytes and lambda are at least 0");
    return NEREUS_OK;
}

enum nereus_status nereus_interval_time_compute(const struct nereus_computational_model *model,
                                                double work, double iterations,
                                                const struct nereus_allocation *allocation,
                                                struct nereus_interval_time *time,
                                                struct nereus_error *err)
{
    const int64_t processes = nereus_allocation_processes(model, allocation);
    struct nereus_interval_time sum = {.computation_s =
                                           work / nereus_allocation_power(model, allocation)};
    /* a single process does not communicate */
    for (int c = 0; processes > 1 && c < model->call_count; c++) {
        double seconds;
        NEREUS_TRY(price_call(model, &model->calls[c], processes, &seconds, err));
        sum.communication_s += iterations * model->calls[c].per_iteration * seconds;
    }
    sum.communication_s *= model->communication_factor;
    *time = sum;
    return NEREUS_OK;
}

void nereus_communication_correct(struct nereus_computational_model *model, double model_s,
                                  double real_s)
{
    if (model_s > 0 && real_s >= 0)
        model->communication_factor *= real_s / model_s;
}

double nereus_work_extrapolate(const double *work, int64_t count)
{
    double mean = 0, moment = 0, square = 0;
    const double middle = (double)(count - 1) / 2;
    if (count == 0)
        return 0;
    for (int64_t i = 0; i < count; i++)
        mean += work[i] / (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double x = (double)i - middle;
        moment += x * (work[i] - mean);
        square += x * x;
    }
    const double slope = square > 0 ? moment / square : 0;
    return fmax(0, mean + slope * ((double)count - middle));
}
