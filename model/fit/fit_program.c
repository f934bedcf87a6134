/*
 * Start-up of a user's program, beyond that of the calibration's own:
 *
 *   time = own time + a0 + a1 (l-1)+ + a2 (new - 1)
 *
 * a0: loader, libraries and interpreter on a free core; a1: they share cores, if they compute; a2:
 * a shared file system serves one process after the other. The same for what is done between
 * MPI_Init and nereus_init.
 */
#include <string.h>

#include "fit.h"
#include "priors.h"

static const enum nereus_feature terms[] = {NEREUS_FEATURE_CONST, NEREUS_FEATURE_EXCESS,
                                            NEREUS_FEATURE_OTHER_NEW};
enum { TERMS = sizeof terms / sizeof terms[0] };

/* The rows of another program, and of an earlier one, say nothing about this one. */
static const char *last_program(const struct nereus_fit_rows *rows)
{
    for (size_t i = rows->count; i > 0; i--)
        if (rows->rows[i - 1]->kind == NEREUS_SAMPLE_PROGRAM_START)
            return rows->rows[i - 1]->program;
    return NULL;
}

static struct nereus_cost_input input_of(const struct nereus_sample *row)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(row, &node);
    struct nereus_cost_input input = {.old_processes = row->old_processes,
                                      .new_processes = row->new_processes};
    nereus_machine_load(&machine, row->old_processes, row->old_processes, row->new_processes,
                        row->old_processes + row->new_processes, &input.load);
    return input;
}

static void fill(const struct nereus_fit_rows *rows, const char *program,
                 enum nereus_sample_kind kind, struct nereus_regression *r,
                 struct nereus_linear_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *row = rows->rows[i];
        if (row->kind != kind || strcmp(row->program, program) != 0)
            continue;
        const struct nereus_cost_input input = input_of(row);
        for (size_t t = 0; t < TERMS; t++)
            r->x[n * TERMS + t] = nereus_cost_feature(terms[t], &input);
        r->base_s[n] = row->t_iter_ns_s;
        r->time_s[n++] = row->time_s;
        nereus_fit_range(m, row->old_processes, row->new_processes, input.load.load);
    }
    r->rows = n;
    m->rows = (int64_t)n;
    r->usual[0] = nereus_usual_scatter("program", true);
}

/* The scatter is that of the whole time: relative to the part beyond the own program's it is more.
 */
static double scatter_of_part(const struct nereus_regression *r)
{
    double whole_s = 0, base_s = 0;
    for (size_t i = 0; i < r->rows; i++) {
        whole_s += nereus_regression_value_s(r, i);
        base_s += r->base_s[i];
    }
    return r->log_sd[0] * whole_s / (whole_s - base_s);
}

static enum nereus_status fit_part(const struct nereus_fit_rows *rows, const char *program,
                                   enum nereus_sample_kind kind, struct nereus_linear_model *m,
                                   struct nereus_error *err)
{
    static const size_t columns[TERMS] = {0, 1, 2};
    struct nereus_regression r;
    const char *names[TERMS];
    enum nereus_status status = nereus_regression_init(rows->count, TERMS, &r, err);
    for (size_t t = 0; t < TERMS; t++)
        names[t] = nereus_feature_name(terms[t]);
    if (status == NEREUS_OK) {
        nereus_priors_set("program", names, TERMS, 0, &r);
        fill(rows, program, kind, &r, m);
        if (r.rows > 0)
            status = nereus_regression_fit(&r, err);
    }
    if (status == NEREUS_OK && r.rows > 0) {
        nereus_fit_take(&r, columns, TERMS, names, m);
        m->basis = NEREUS_BASIS_FITTED;
        m->log_sd = scatter_of_part(&r);
        m->degrees_of_freedom = (int64_t)r.degrees_of_freedom[0];
    }
    nereus_regression_fini(&r);
    return status;
}

enum nereus_status nereus_fit_program(const struct nereus_fit_rows *rows,
                                      struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_program *const p = &profile->program;
    const char *program = last_program(rows);
    if (program == NULL)
        return NEREUS_OK;
    memcpy(p->command, program, sizeof p->command);
    const enum nereus_status status =
        fit_part(rows, program, NEREUS_SAMPLE_PROGRAM_START, &p->start, err);
    return status == NEREUS_OK ? fit_part(rows, program, NEREUS_SAMPLE_PROGRAM_JOIN, &p->join, err)
                               : status;
}
