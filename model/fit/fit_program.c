/**
 * @file fit_program.c
 * Fits the start-up of a user's program, minus that of the calibration's own program:
 *
 *   time = own time + a0 + a1 max(load - 1, 0) + a2 (new - 1)
 *
 * load: processes per core; a0: loader, libraries and interpreter on a free core; a1: contention
 * for cores; a2: serialisation in a shared file system. The time between MPI_Init and nereus_init
 * has the same terms.
 */

#include "fit_formula.h"

/* Find the program that was measured last; rows of other programs are left out. */
static const char *find_last_program(const struct nereus_fit_rows *rows)
{
    for (size_t i = rows->count; i > 0; i--)
        if (rows->rows[i - 1]->kind == NEREUS_SAMPLE_PROGRAM_START)
            return rows->rows[i - 1]->program;
    return NULL;
}

static int set_program_equation(const struct nereus_sample *row,
                                const struct nereus_profile *profile, const void *context,
                                struct nereus_fit_equation *e)
{
    const enum nereus_sample_kind *kind = context;
    struct nereus_node node;
    if (row->kind != *kind || strcmp(row->program, profile->program.command) != 0)
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(row, &node);
    e->ns = e->cost.old_processes = row->old_processes;
    e->nt = e->cost.new_processes = row->new_processes;
    nereus_placement_find_load(
        &machine,
        &(struct nereus_placement){row->old_processes, row->old_processes, row->new_processes,
                                   row->old_processes + row->new_processes, false},
        &e->cost.load);
    e->core_load = e->cost.load.core_load;
    e->base_s = row->t_iter_ns_s; /* the same time of the calibration's own program (samples.h) */
    e->time_s = row->time_s;
    return 1;
}

enum nereus_status nereus_fit_program(const struct nereus_fit_rows *rows,
                                      struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_term terms[] = {NEREUS_TERM_CONST, NEREUS_TERM_EXCESS,
                                             NEREUS_TERM_OTHER_NEW};
    static const enum nereus_sample_kind start = NEREUS_SAMPLE_PROGRAM_START,
                                         join = NEREUS_SAMPLE_PROGRAM_JOIN;
    struct nereus_program *const p = &profile->program;
    struct nereus_fit_formula formula = {.model = "program",
                                         .cost_terms = terms,
                                         .term_count = 3,
                                         .equations = set_program_equation,
                                         .context = &start,
                                         .is_relative_to_remainder = true};
    const char *const program = find_last_program(rows);
    if (program == NULL)
        return NEREUS_OK;
    memcpy(p->command, program, sizeof p->command);
    NEREUS_TRY(nereus_fit_models(&formula, rows, profile, &p->start, err));
    formula.context = &join;
    return nereus_fit_models(&formula, rows, profile, &p->join, err);
}
