/**
 * @file fit_contention.c
 * Fits iterations that share their cores with threads, by stage and by what the threads do
 * (contention_price.c has the terms).
 */

#include "fit_formula.h"

/* Load of the fullest core. Threads are distributed over the processes, and each stays on the core
 * of its process. */
static double compute_load(const struct nereus_sample *row, bool starting)
{
    const double all =
        (double)(row->old_processes + row->new_processes) / (double)row->cores_per_node;
    const double threads = ceil((double)row->new_processes / (double)row->old_processes);
    return 1 + (starting ? fmax(1, all) : threads);
}

static int set_contention_equation(const struct nereus_sample *row,
                                   const struct nereus_profile *profile, const void *context,
                                   struct nereus_fit_equation *e)
{
    const int background = *(const int *)context;
    (void)profile;
    if (row->kind != NEREUS_SAMPLE_CONTENTION || !(row->t_iter_ns_s > 0) ||
        (int)row->contention % NEREUS_BACKGROUND_COUNT != background)
        return 0;
    e->model = (size_t)row->contention;
    e->core_load = compute_load(row, background == NEREUS_BACKGROUND_STARTING);
    e->overlap = (struct nereus_overlap_input){
        .t_iter_s = row->t_iter_ns_s, .ns = row->old_processes, .load.load_all = e->core_load};
    e->time_s = row->time_s;
    e->base_s = row->t_iter_ns_s;
    return 1;
}

enum nereus_status nereus_fit_contention(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_overlap_term terms[][2] = {
        {NEREUS_OVERLAP_ITER_EXCESS, NEREUS_OVERLAP_PLAIN_EXCESS},
        {NEREUS_OVERLAP_ITER_EXCESS, NEREUS_OVERLAP_PEERS_EXCESS}};
    static const char *const models[NEREUS_BACKGROUND_COUNT] = {
        [NEREUS_BACKGROUND_WAITING] = "waiting",
        [NEREUS_BACKGROUND_COMMUNICATING] = "communicating",
        [NEREUS_BACKGROUND_STARTING] = "starting"};
    for (int b = 0; b < NEREUS_BACKGROUND_COUNT; b++) {
        const struct nereus_fit_formula formula = {.model = models[b],
                                                   .overlap_terms =
                                                       terms[b == NEREUS_BACKGROUND_STARTING],
                                                   .term_count = 2,
                                                   .model_count = NEREUS_CONTENTION_COUNT,
                                                   .equations = set_contention_equation,
                                                   .context = &b};
        NEREUS_TRY(nereus_fit_models(&formula, rows, profile, profile->contention, err));
    }
    return NEREUS_OK;
}
