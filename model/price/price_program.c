/**
 * @file price_program.c
 * Prices the start-up of the profile's program, beyond that of the calibration's own program:
 *
 *   rounds x start + rounds of joins x join
 *
 * A round of starts begins when the last process of the one before has left MPI_Init. In a spawn
 * tree it has also joined, as new processes start others; the groups of `multiple` and of a launch
 * go to nereus_init at the same time. It is added to prices and to measured times, because the
 * calibration's own program was measured for both.
 */
#include "price_parts.h"

struct program_sink {
    struct nereus_step_sink sink;
    const struct nereus_program *program;
    struct nereus_cost_context context;
    struct nereus_cost_sum *sum;
};

/* The measured number of starters counts: which processes start makes no difference. */
static void add_start_up(struct program_sink *p, const struct nereus_linear_model *model,
                         const struct nereus_step *step, int64_t times)
{
    struct nereus_cost_sum one = NEREUS_COST_SUM_INIT;
    struct nereus_cost_context context = p->context;
    struct nereus_cost_input input;
    nereus_cost_input_make(&p->context, step, &input);
    context.ns = model->min_ns;
    context.nt = input.new_processes;
    nereus_cost_add(&one, model, &context, &input);
    if (times > 1)
        nereus_cost_scale(&one, (double)times);
    nereus_cost_add_sum(p->sum, &one);
}

static enum nereus_status take_step(struct nereus_step_sink *sink, const struct nereus_step *step,
                                    struct nereus_error *err)
{
    struct program_sink *p = (struct program_sink *)sink;
    (void)err;
    if (step->kind == NEREUS_STEP_SPAWN || step->kind == NEREUS_STEP_LAUNCH ||
        step->kind == NEREUS_STEP_START)
        add_start_up(p, &p->program->start, step, step->times);
    else if (step->kind == NEREUS_STEP_JOIN && p->program->join.basis != NEREUS_BASIS_NONE)
        add_start_up(p, &p->program->join, step, 1);
    return NEREUS_OK;
}

enum nereus_status nereus_price_program(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method,
                                        struct nereus_cost_sum *sum, struct nereus_error *err)
{
    *sum = (struct nereus_cost_sum)NEREUS_COST_SUM_INIT;
    if (profile->program.start.basis == NEREUS_BASIS_NONE ||
        nereus_price_does_nothing(scenario, method))
        return NEREUS_OK;
    /* so that the ranges of its data are not searched */
    struct nereus_scenario without_data = *scenario;
    without_data.constant_bytes = without_data.variable_bytes = without_data.replicated_bytes = 0;
    const struct nereus_method definite = nereus_priced_method(profile, scenario, method);
    struct program_sink sink = {.sink.take = take_step,
                                .program = &profile->program,
                                .context = nereus_price_context(profile, &without_data, &definite),
                                .sum = sum};
    return nereus_price_emit(&without_data, &definite, NEREUS_PART_PROCESSES, &sink.sink, err);
}
