/** @file mix_without_glpk.c  Replaces the solver in a build without GLPK, where policies can have
 * one class only, which has one mix. */
#include "mix_solver.h"

enum nereus_status nereus_mix_check(int class_count, struct nereus_error *err)
{
    return class_count <= 1
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                             "this Nereus was built without GLPK, which chooses among classes of "
                             "nodes: name one class, not %d",
                             class_count);
}

enum nereus_status nereus_mix_solve(const struct nereus_mix_question *q,
                                    struct nereus_allocation *mix,
                                    struct nereus_mix_solution *solution, struct nereus_error *err)
{
    const double all[NEREUS_NODE_CLASSES_MAX] = {(double)q->count};
    NEREUS_TRY(nereus_mix_check(q->class_count, err));
    solution->simplex_value = nereus_mix_value(q, all);
    solution->rounded_mix = *mix;
    solution->rounded_holds = solution->is_exact = true;
    return NEREUS_OK;
}
