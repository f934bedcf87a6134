/** @file advice_row.c  Computes what an answer says of one size. */
#include "advice_print.h"

static double compute_min_iterations(const struct nereus_advice_size *size)
{
    static const double rounding = 1e-9;
    return isfinite(size->break_even_iterations)
               ? ceil(size->break_even_iterations * (1 - rounding))
               : NAN;
}

/* @param min_iterations  iterations that must be left; with a later shrink: before it */
static double compute_last_iteration(const struct nereus_question *question, double min_iterations)
{
    const double left = question->later_shrink.processes > 0 ? question->later_shrink.iterations
                                                             : question->scenario.iterations_after;
    const double last = question->scenario.iterations_before + left - min_iterations;
    return last >= 0 ? last : NAN;
}

void nereus_advice_row_make(const struct nereus_advice_result *answer, int64_t index,
                            struct nereus_advice_row *row)
{
    const bool is_resize = index >= 0;
    const struct nereus_advice_size *size = is_resize ? &answer->sizes[index] : &answer->present;
    row->size = size;
    row->is_resize = is_resize;
    row->is_best = index == answer->advice.best_index;
    row->method = is_resize ? nereus_method_format(&size->prediction.method, row->texts[0]) : NULL;
    row->later_method =
        size->later_rt_s > 0 ? nereus_method_format(&size->later_method, row->texts[1]) : NULL;
    row->min_iterations = compute_min_iterations(size);
    row->last_iteration = compute_last_iteration(&answer->question, row->min_iterations);
    row->possible_loss = is_resize ? fmax(0, -size->gain.low) : NAN;
}
