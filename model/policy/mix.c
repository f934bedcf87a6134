/** @file mix.c  Finds a mix of classes where no solver is needed, and calls the solver
 * (mix_solver.h) elsewhere. */
#include "mix.h"

#include "mix_solver.h"

static int find_most_powerful(const struct nereus_node_class *classes, int class_count,
                              const bool *taken)
{
    int best = -1;
    for (int k = 0; k < class_count; k++)
        if (!taken[k] && (best < 0 || classes[k].power > classes[best].power))
            best = k;
    return best;
}

void nereus_mix_find_strongest(int class_count, const struct nereus_node_class *classes,
                               const int64_t *max, int64_t count,
                               struct nereus_allocation *strongest)
{
    bool taken[NEREUS_NODE_CLASSES_MAX] = {false};
    memset(strongest, 0, sizeof *strongest);
    for (int i = 0; i < class_count && count > 0; i++) {
        const int k = find_most_powerful(classes, class_count, taken);
        taken[k] = true;
        strongest->processes[k] = count < max[k] ? count : max[k];
        count -= strongest->processes[k];
    }
}

enum nereus_status nereus_mix_find(const struct nereus_mix_question *question,
                                   struct nereus_allocation *exact,
                                   struct nereus_mix_solution *solution, struct nereus_error *err)
{
    double x[NEREUS_NODE_CLASSES_MAX];
    struct nereus_allocation found;
    nereus_mix_find_strongest(question->class_count, question->classes, question->max,
                              question->count, &found);
    int64_t together = 0;
    for (int k = 0; k < question->class_count; k++)
        together += found.processes[k];
    if (together != question->count ||
        nereus_mix_power(question, &found) < question->needed_power * (1 - 1e-12))
        return NEREUS_ERR_ILLEGAL;
    *solution = (struct nereus_mix_solution){.simplex_value = NAN};
    NEREUS_TRY(nereus_mix_solve(question, &found, solution, err));
    for (int k = 0; k < question->class_count; k++)
        x[k] = (double)found.processes[k];
    solution->value = nereus_mix_value(question, x);
    *exact = found;
    return NEREUS_OK;
}
