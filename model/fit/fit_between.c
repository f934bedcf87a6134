/**
 * @file fit_between.c
 * Fits redistributions that were measured alone between nodes (cost_between.c): one model for each
 * way to move data and for its groups, and the rate of a node's link. Redistributions on one node
 * are step rows (fit_steps.c).
 *
 * The rate of the link is the largest of all rows: a lower bound, if something else delays each
 * row. A rate that a calibration task has measured is kept.
 */

#include "fit_formula.h"
#include "model/price/cost.h"
#include "model/price/cost_data.h"

/* log-sd of the link's rate: typical difference of medians */
static const double link_log_sd = 0.1;
/* prior of the constant: some messages, or a window */
static const double constant_prior_s = 1e-3, constant_prior_log_sd = 2.5;
/* log-sd of the prior of the link's coefficient, if a task has measured the link */
static const double link_prior_log_sd = 0.2;

/* How data moves between nodes; each way has its own terms. */
enum way { AT_ONCE, IN_ROUNDS };

/* Index of the row's model in profile->between_models, with its bytes; -1: not a redistribution
 * between nodes. */
static int find_model(const struct nereus_sample *s, const struct nereus_profile *profile,
                      struct nereus_between_bytes *bytes)
{
    struct nereus_cost_context context;
    struct nereus_node node;
    if (s->kind != NEREUS_SAMPLE_REDISTRIBUTION)
        return -1;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    nereus_cost_context_init(profile, &machine, s->ns, s->nt, &s->method, &context);
    *bytes = nereus_between_bytes_of(&context, s->bytes);
    return nereus_between_model_index(&context);
}

static int set_between_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                                const void *context, struct nereus_fit_equation *e)
{
    const enum way *way = context;
    const int model = find_model(s, profile, &e->cost.between_bytes);
    if (model < 0 || nereus_between_moves_in_rounds(model) != (*way == IN_ROUNDS))
        return 0;
    e->model = (size_t)model;
    e->time_s = s->time_s;
    return 1;
}

static const enum nereus_term at_once_terms[] = {NEREUS_TERM_NODE_BYTES, NEREUS_TERM_ALL_BYTES,
                                                 NEREUS_TERM_BOTH_BYTES, NEREUS_TERM_CONST},
                              in_rounds_terms[] = {NEREUS_TERM_ALL_BYTES,
                                                   NEREUS_TERM_GATHERED_BYTES,
                                                   NEREUS_TERM_CROWDED_BYTES};

static const enum way ways[] = {AT_ONCE, IN_ROUNDS};
static const struct nereus_fit_formula formulas[] = {
    [AT_ONCE] = {.model = "between nodes",
                 .cost_terms = at_once_terms,
                 .term_count = NEREUS_COUNT_OF(at_once_terms),
                 .model_count = NEREUS_BETWEEN_COUNT,
                 .equations = set_between_equation,
                 .context = &ways[AT_ONCE]},
    [IN_ROUNDS] = {.model = "between nodes in rounds",
                   .cost_terms = in_rounds_terms,
                   .term_count = NEREUS_COUNT_OF(in_rounds_terms),
                   .model_count = NEREUS_BETWEEN_COUNT,
                   .equations = set_between_equation,
                   .context = &ways[IN_ROUNDS]}};

static void fit_link(const struct nereus_fit_rows *rows, struct nereus_profile *profile)
{
    struct nereus_hockney *link = &profile->operations[NEREUS_OPERATION_NODE];
    struct nereus_between_bytes bytes;
    double fastest = 0;
    if (link->basis == NEREUS_BASIS_FITTED)
        return;
    for (size_t i = 0; i < rows->count; i++) {
        if (find_model(rows->rows[i], profile, &bytes) < 0 || !(bytes.node_bytes > 0))
            continue;
        fastest = fmax(fastest, bytes.node_bytes / rows->rows[i]->time_s);
        link->max_bytes = fmax(link->max_bytes, bytes.node_bytes);
        link->rows++;
    }
    if (link->rows == 0)
        return;
    link->basis = NEREUS_BASIS_FITTED;
    link->pieces = 1;
    link->beta_s_per_byte[0] = 1 / fastest;
    link->log_sd = link_log_sd;
}

enum nereus_status nereus_fit_between(const struct nereus_fit_rows *rows,
                                      struct nereus_profile *profile, struct nereus_error *err)
{
    const struct nereus_hockney *link = &profile->operations[NEREUS_OPERATION_NODE];
    struct nereus_fit_formula at_once = formulas[AT_ONCE];
    /* Priors only if a calibration task has measured the link: then small amounts of data were
     * measured, too. */
    if (link->basis == NEREUS_BASIS_FITTED) {
        at_once.priors[0] = (struct nereus_prior){link->beta_s_per_byte[0], link_prior_log_sd, 0};
        at_once.priors[3] = (struct nereus_prior){constant_prior_s, constant_prior_log_sd, 0};
    }
    fit_link(rows, profile);
    NEREUS_TRY(nereus_fit_models(&at_once, rows, profile, profile->between_models, err));
    return nereus_fit_models(&formulas[IN_ROUNDS], rows, profile, profile->between_models, err);
}
