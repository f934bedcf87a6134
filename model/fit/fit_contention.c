/* Iterations that share their cores with threads, by stage and by what the threads do
 * (contention_price.c has the terms). */
#include <math.h>

#include "fit_question.h"

/* Load of the fullest core. Threads are distributed over the processes and stay on the core of
 * theirs. */
static double load_of(const struct nereus_sample *row, bool starting)
{
    const double all =
        (double)(row->old_processes + row->new_processes) / (double)row->cores_per_node;
    const double threads = ceil((double)row->new_processes / (double)row->old_processes);
    return 1 + (starting ? fmax(1, all) : threads);
}

/* context: which stage and background (int). */
static int equations(const struct nereus_sample *row, const void *context,
                     struct nereus_fit_equation *e)
{
    const int which = *(const int *)context;
    if (row->kind != NEREUS_SAMPLE_CONTENTION || row->contention != which ||
        !(row->t_iter_ns_s > 0))
        return 0;
    e->load = load_of(row, which % NEREUS_BACKGROUND_COUNT == NEREUS_BACKGROUND_STARTING);
    e->overlap = (struct nereus_overlap_input){
        .t_iter_s = row->t_iter_ns_s, .ns = row->old_processes, .load.load_all = e->load};
    e->time_s = row->time_s;
    e->base_s = row->t_iter_ns_s;
    return 1;
}

enum nereus_status nereus_fit_contention(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_overlap_feature beside[] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                         NEREUS_OVERLAP_PLAIN_EXCESS},
                                             starting[] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                           NEREUS_OVERLAP_PEERS_EXCESS};
    static const struct {
        const char *model;
        const enum nereus_overlap_feature *terms;
    } backgrounds[NEREUS_BACKGROUND_COUNT] = {
        [NEREUS_BACKGROUND_WAITING] = {"waiting", beside},
        [NEREUS_BACKGROUND_COMMUNICATING] = {"communicating", beside},
        [NEREUS_BACKGROUND_STARTING] = {"starting", starting}};
    enum nereus_status status = NEREUS_OK;
    for (int which = 0; which < NEREUS_CONTENTION_COUNT && status == NEREUS_OK; which++) {
        const int background = which % NEREUS_BACKGROUND_COUNT;
        const struct nereus_fit_question question = {.model = backgrounds[background].model,
                                                     .overlap = backgrounds[background].terms,
                                                     .term_count = 2,
                                                     .equations = equations,
                                                     .context = &which};
        status = nereus_fit_answer(&question, rows, &profile->contention[which], err);
    }
    return status;
}
