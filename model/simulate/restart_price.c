/** @file restart_price.c  Prices the steps write, start and read of a restart at the job's size. */
#include "restart_price.h"

#include "model/price/price_parts.h"

struct sink {
    struct nereus_step_sink sink;
    struct nereus_cost_context context;
    struct nereus_restart_price *price;
};

static enum nereus_status price_step(struct nereus_step_sink *sink, const struct nereus_step *step,
                                     struct nereus_error *err)
{
    struct sink *s = (struct sink *)sink;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    if (step->kind != NEREUS_STEP_WRITE && step->kind != NEREUS_STEP_START &&
        step->kind != NEREUS_STEP_READ)
        return NEREUS_OK;
    NEREUS_TRY(nereus_price_step(&s->context, step, &sum, err));
    *(step->kind == NEREUS_STEP_WRITE ? &s->price->write_s : &s->price->restart_s) += sum.value_s;
    return NEREUS_OK;
}

enum nereus_status nereus_restart_price_predict(const struct nereus_profile *profile,
                                                int64_t cores_per_node, int64_t processes,
                                                double bytes, struct nereus_restart_price *price,
                                                struct nereus_error *err)
{
    static const struct nereus_method restart = {.process = NEREUS_RESTART};
    struct nereus_machine machine;
    struct nereus_jobstate state = {0};
    NEREUS_TRY(nereus_machine_uniform(cores_per_node, &machine, err));
    NEREUS_TRY(nereus_jobstate_per_node(&machine, processes, &state, err));
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .state = &state,
                                             .ns = processes,
                                             .nt = processes,
                                             .variable_bytes = bytes,
                                             .values_only = true};
    struct sink sink = {{price_step}, nereus_price_context(profile, &scenario, &restart), price};
    *price = (struct nereus_restart_price){0};
    const enum nereus_status status = nereus_price_emit(
        &scenario, &restart, NEREUS_PART_PROCESSES | NEREUS_PART_DATA, &sink.sink, err);
    nereus_jobstate_fini(&state);
    return status;
}
