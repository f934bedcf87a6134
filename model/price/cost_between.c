/**
 * @file cost_between.c
 * Prices redistributions between nodes that were measured alone (samples with redistribute_s):
 *
 *   at once      a B_n + b B + c B min(NS, NT) / max(NS, NT) + d
 *   in rounds    a B + b B_n [NT < NS] + c B e^2
 *
 * with all bytes B, the bytes B_n of the busiest node's link (node_traffic.c), and e = processes /
 * cores of the nodes - 1. Messages sent at once have the busiest link as their bottleneck (Gropp,
 * Olson and Samfass (2016)); where the link is the bottleneck, b, c and d are small. MPICH's
 * blocking MPI_Alltoallv between two groups is max(NS, NT) rounds of MPI_Sendrecv, source s with
 * target (s + round) mod max (alltoallv_inter_pairwise_exchange.c). Blocks put few messages into a
 * round, so that bytes pass one after the other. Each round waits for processes that share their
 * cores, at both ends of a message, hence e^2.
 *
 * Priors of a way that was not measured: at once as coll in one group, else by the busiest link,
 * times the processes per core; in rounds a and c of the formula, at the rate of a node's link.
 */
#include "cost.h"
#include "cost_data.h"

/* log-sd of a price by another way to move data (a factor of 2 at 90 %) and of rounds (3) */
static const double other_way_log_sd = 0.42, rounds_log_sd = 0.67;

#define PRIOR(name, text)                                                                          \
    static const struct nereus_linear_model name = {.basis = NEREUS_BASIS_PRIOR, .source = text}
PRIOR(as_collective, "redistribute as coll in one group");
PRIOR(as_link, "redistribute at the rate of the busiest link");
PRIOR(as_rounds, "redistribute in rounds at the rate of a node's link");

static bool is_fitted(const struct nereus_linear_model *m)
{
    return m->basis == NEREUS_BASIS_FITTED && m->terms > 0;
}

static enum nereus_between choose_one_group(const struct nereus_cost_context *context)
{
    return context->respawn || context->nt > context->ns ? NEREUS_BETWEEN_OTHER_WORLD
                                                         : NEREUS_BETWEEN_SAME_WORLD;
}

int nereus_between_model_index(const struct nereus_cost_context *context)
{
    if (nereus_machine_is_one_node(context->machine, nereus_max(context->ns, context->nt)))
        return -1;
    return (int)context->data * NEREUS_BETWEEN_ORIGINS +
           (int)(context->inter ? NEREUS_BETWEEN_TWO_GROUPS : choose_one_group(context)) +
           (context->overlapped ? NEREUS_BETWEEN_OVERLAPPED : 0);
}

bool nereus_between_moves_in_rounds(int model)
{
    return model == NEREUS_COLL * NEREUS_BETWEEN_ORIGINS + NEREUS_BETWEEN_TWO_GROUPS;
}

bool nereus_between_is_measured(const struct nereus_profile *profile)
{
    bool any = false;
    for (int i = 0; i < NEREUS_BETWEEN_COUNT; i++)
        any = any || is_fitted(&profile->between_models[i]);
    return any;
}

/* e of the formula, of the nodes that the larger side needs; in a baseline sources and targets
 * exist at the same time. */
static double compute_oversubscription(const struct nereus_cost_context *context)
{
    const struct nereus_machine *machine = context->machine;
    const int64_t used_nodes =
        nereus_machine_count_nodes(machine, nereus_max(context->ns, context->nt));
    const bool equal =
        machine->node_count == 0 ||
        nereus_machine_total_cores(machine) == machine->node_count * machine->cores_per_node;
    const int64_t processes =
        context->respawn ? context->ns + context->nt : nereus_max(context->ns, context->nt);
    double cores = equal ? (double)used_nodes * (double)machine->cores_per_node : 0;
    for (int64_t i = 0; !equal && i < used_nodes; i++)
        cores += (double)nereus_machine_cores(machine, i);
    return cores > 0 ? fmax(0, (double)processes / cores - 1) : 0;
}

struct nereus_between_bytes nereus_between_bytes_of(const struct nereus_cost_context *context,
                                                    double bytes)
{
    const double all = bytes * context->share, e = compute_oversubscription(context);
    const double through = nereus_cost_node_bytes(context, bytes);
    return (struct nereus_between_bytes){.node_bytes = through,
                                         .all_bytes = all,
                                         .both_bytes =
                                             all * (double)nereus_min(context->ns, context->nt) /
                                             (double)nereus_max(context->ns, context->nt),
                                         .gathered_bytes = context->nt < context->ns ? through : 0,
                                         .crowded_bytes = all * e * e};
}

/* ---- ways that were not measured ---- */

static void add_term(struct nereus_linear_model *own_model, enum nereus_term term,
                     double coefficient)
{
    const char *name = nereus_term_name(term);
    own_model->coefficients[own_model->terms] = coefficient;
    memcpy(own_model->names[own_model->terms], name, strlen(name) + 1);
    own_model->term_numbers[own_model->terms++] = (int8_t)(term + 1);
}

static double get_link_s_per_byte(const struct nereus_profile *profile)
{
    return profile->operations[NEREUS_OPERATION_NODE].beta_s_per_byte[0];
}

/* Set the measured range to the union over all ways; a price outside is extrapolated. */
static void copy_measured_ranges(const struct nereus_profile *profile,
                                 struct nereus_linear_model *own_model)
{
    for (int i = 0; i < NEREUS_BETWEEN_COUNT; i++) {
        const struct nereus_linear_model *m = &profile->between_models[i];
        if (!is_fitted(m))
            continue;
        const bool first = own_model->max_ns == 0;
        own_model->min_ns = first ? m->min_ns : nereus_min(own_model->min_ns, m->min_ns);
        own_model->min_nt = first ? m->min_nt : nereus_min(own_model->min_nt, m->min_nt);
        own_model->min_bytes = first ? m->min_bytes : fmin(own_model->min_bytes, m->min_bytes);
        own_model->max_ns = nereus_max(own_model->max_ns, m->max_ns);
        own_model->max_nt = nereus_max(own_model->max_nt, m->max_nt);
        own_model->max_bytes = fmax(own_model->max_bytes, m->max_bytes);
    }
}

/* Make the prior of messages at once: coll in one group, or the busiest link; processes that share
 * cores take turns. */
static const struct nereus_linear_model *
make_prior_at_once(const struct nereus_cost_context *context, struct nereus_linear_model *own_model)
{
    /* sources and targets of a baseline are placed as those of a merge */
    const int merge =
        context->nt > context->ns ? NEREUS_BETWEEN_OTHER_WORLD : NEREUS_BETWEEN_SAME_WORLD;
    const struct nereus_linear_model *other_model =
        &context->profile->between_models[NEREUS_COLL * NEREUS_BETWEEN_ORIGINS + merge];
    const double turns = 1 + compute_oversubscription(context);
    if (is_fitted(other_model))
        *own_model = *other_model;
    else
        add_term(own_model, NEREUS_TERM_NODE_BYTES, get_link_s_per_byte(context->profile));
    for (int i = 0; i < own_model->terms; i++) {
        own_model->coefficients[i] *= turns;
        for (int j = 0; j < own_model->terms; j++)
            own_model->covariance[i][j] *= turns * turns;
    }
    own_model->log_sd = fmax(own_model->log_sd, other_way_log_sd);
    return is_fitted(other_model) ? &as_collective : &as_link;
}

/* Make the prior of rounds: one node sends at a time, and more slowly where processes share cores,
 * so that c is as large as a. */
static const struct nereus_linear_model *
make_prior_rounds(const struct nereus_cost_context *context, struct nereus_linear_model *own_model)
{
    const struct nereus_hockney *pair = nereus_cost_pair(context->profile->pairs, false, false);
    if (pair != NULL)
        add_term(own_model, NEREUS_TERM_CONST,
                 (double)nereus_max(context->ns, context->nt) * pair->alpha_s[0]);
    add_term(own_model, NEREUS_TERM_ALL_BYTES, get_link_s_per_byte(context->profile));
    add_term(own_model, NEREUS_TERM_CROWDED_BYTES, get_link_s_per_byte(context->profile));
    own_model->log_sd = rounds_log_sd;
    return &as_rounds;
}

/* Does the link alone price rounds? Only in a profile without any redistribution, as that of a
 * synthetic cluster; a calibration has its own rows of rounds. */
static bool prices_rounds_by_link(const struct nereus_cost_context *context)
{
    return nereus_between_moves_in_rounds(nereus_between_model_index(context)) &&
           context->profile->operations[NEREUS_OPERATION_NODE].basis == NEREUS_BASIS_FITTED &&
           context->profile->steps[NEREUS_STEP_REDISTRIBUTE].basis != NEREUS_BASIS_FITTED;
}

const struct nereus_linear_model *nereus_between_model(const struct nereus_cost_context *context,
                                                       struct nereus_linear_model *own_model,
                                                       const struct nereus_linear_model **prior)
{
    const int model = nereus_between_model_index(context);
    *prior = NULL;
    if (model < 0)
        return NULL;
    if (is_fitted(&context->profile->between_models[model]))
        return &context->profile->between_models[model];
    /* coll of this library sends messages between two groups, as p2p does */
    const int messages = model - (NEREUS_COLL - NEREUS_P2P) * NEREUS_BETWEEN_ORIGINS;
    if (nereus_between_moves_in_rounds(model) &&
        is_fitted(&context->profile->between_models[messages]))
        return &context->profile->between_models[messages];
    const bool rounds = prices_rounds_by_link(context);
    if (!rounds && !nereus_between_is_measured(context->profile))
        return NULL;
    memset(own_model, 0, sizeof *own_model);
    *prior =
        rounds ? make_prior_rounds(context, own_model) : make_prior_at_once(context, own_model);
    own_model->basis = NEREUS_BASIS_PRIOR;
    own_model->rows = 0;
    copy_measured_ranges(context->profile, own_model);
    return own_model;
}
