/**
 * @file fit_unmeasured.c
 * Sets priors for step kinds that were not measured. Each prior has a wide interval, and a name
 * that predictions repeat; a kind without a prior is refused by name. A price is never silently 0.
 */

#include "fit.h"
#include "fit_model.h"
#include "model/price/cost_data.h"
#include "model/price/cost_restart.h"
#include "priors.h"

static bool is_fitted(const struct nereus_linear_model *m)
{
    return m->basis == NEREUS_BASIS_FITTED && m->terms > 0;
}

/* Copy a measured model as prior.
 * @param as  text after the name of the kind
 * @return false: `from` is not measured */
static bool copy_as_prior(struct nereus_profile *profile, enum nereus_step_kind kind,
                          const struct nereus_linear_model *from, const char *as)
{
    struct nereus_linear_model *to = &profile->steps[kind];
    const double log_sd = fmax(from->log_sd, NEREUS_FIT_RELATED), factor = exp(log_sd * 1.645);
    if (!is_fitted(from))
        return false;
    *to = *from;
    to->basis = NEREUS_BASIS_PRIOR;
    to->log_sd = log_sd;
    if (from->high_factor > 0) {
        to->low_factor = fmin(from->low_factor, 1 / factor);
        to->high_factor = fmax(from->high_factor, factor);
        to->long_high_factor = 0;
    }
    to->rows = 0;
    snprintf(to->source, sizeof to->source, "%s as %s", nereus_step_name(kind), as);
    return true;
}

static bool copy_from_kind(struct nereus_profile *profile, enum nereus_step_kind kind,
                           enum nereus_step_kind other)
{
    return copy_as_prior(profile, kind, &profile->steps[other], nereus_step_name(other));
}

/* Count a step as part of the start. Agreements, splits and falling asleep are short messages over
 * a tree. Where only whole reconfigurations were measured, the coefficients of spawn or split
 * contain such trees, and one more is below their scatter. T_split + T_gather (equation 3) have one
 * prior together. */
static bool contain_in_start(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    static const bool tree[NEREUS_STEP_KIND_COUNT] = {
        [NEREUS_STEP_DECIDE] = true, [NEREUS_STEP_JOIN] = true,  [NEREUS_STEP_AGREE] = true,
        [NEREUS_STEP_COMMIT] = true, [NEREUS_STEP_SLEEP] = true, [NEREUS_STEP_DISCONNECT] = true};
    bool part = false;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++)
        part = part || (tree[kind] && profile->steps[k].basis == NEREUS_BASIS_CONTAINED);
    if (part)
        nereus_fit_set_contained("spawn or split (never measured)", &profile->steps[kind]);
    if (kind != NEREUS_STEP_GATHER || profile->steps[NEREUS_STEP_SPLIT].basis != NEREUS_BASIS_PRIOR)
        return part;
    nereus_fit_set_contained("split", &profile->steps[kind]);
    return true;
}

/* Set split, a part of termination shrink. Between nodes a merge takes as long; on one node the
 * terms of merge are 0, which a price must not be. */
static bool set_split(struct nereus_profile *profile)
{
    const enum nereus_step_kind kind = NEREUS_STEP_SPLIT;
    struct nereus_linear_model *split_model = &profile->steps[kind];
    for (int64_t i = 0; i < profile->whole_count; i++)
        if (profile->whole_models[i].method.shrink == NEREUS_TS &&
            copy_as_prior(profile, kind, &profile->whole_models[i].model,
                          "ts, of which it is a part"))
            return true;
    if (!copy_from_kind(profile, kind, NEREUS_STEP_MERGE))
        return false;
    bool always = split_model->terms == NEREUS_TERMS_MAX;
    for (int t = 0; t < split_model->terms; t++) {
        if (strcmp(split_model->names[t], "log2_target_nodes") == 0)
            snprintf(split_model->names[t], sizeof split_model->names[t], "log2_source_nodes");
        always = always || strcmp(split_model->names[t], "const") == 0 ||
                 strcmp(split_model->names[t], "log2_processes") == 0;
    }
    if (!always) {
        nereus_fit_add_term(split_model, "one_node",
                            nereus_term_prior_of("shrink", "one_node")->value);
        snprintf(split_model->source, sizeof split_model->source,
                 "split as merge; on one node 1 ms (assumed)");
    }
    return true;
}

/* Add a term with its value of the table of priors.
 * @param unit_s  value that the table's ratio refers to; 1: no ratio */
static bool add_prior(const char *model, const char *term, double unit_s,
                      struct nereus_linear_model *m)
{
    const struct nereus_term_prior *prior = nereus_term_prior_of(model, term);
    if (m->basis == NEREUS_BASIS_NONE)
        nereus_fit_set_prior(prior->source, term, prior->value * unit_s, prior->log_sd, m);
    else
        nereus_fit_add_term(m, term, prior->value * unit_s);
    return true;
}

static bool set_from_table(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    static const char move[] = "redistribute without rows";
    const struct nereus_linear_model *spawn = &profile->steps[NEREUS_STEP_SPAWN];
    const bool messages = nereus_cost_pair(profile->pairs, true, true) != NULL;
    struct nereus_linear_model *m = &profile->steps[kind];
    if (kind == NEREUS_STEP_ALLOCATE)
        return add_prior("allocate", "touched_bytes", 1, m);
    if (kind == NEREUS_STEP_REDISTRIBUTE)
        return messages ? add_prior(move, "transfer", 1, m)
                        : add_prior(move, "moved_bytes", 1, m) && add_prior(move, "const", 1, m);
    for (int i = 0; kind == NEREUS_STEP_CONNECT && messages && is_fitted(spawn) && i < spawn->terms;
         i++)
        if (strcmp(spawn->names[i], "const") == 0)
            return add_prior("connect without rows", "const", spawn->coefficients[i], m);
    return false;
}

/* Set a tree of messages up and down at ping-pong speed. */
static bool set_tree_of_messages(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    char name[64];
    const struct nereus_hockney *pair = nereus_cost_pair(profile->pairs, true, true);
    if (pair == NULL)
        return false;
    snprintf(name, sizeof name, "%s as a tree of 2 log2(processes) messages",
             nereus_step_name(kind));
    nereus_fit_set_prior(name, "log2_processes", 2 * nereus_hockney_s(pair, 8), NEREUS_FIT_RELATED,
                         &profile->steps[kind]);
    return true;
}

/* Set the steps around redistributions to priors, where the samples contain redistributions only.
 */
static bool set_around_redistributions(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    struct nereus_linear_model *m = &profile->steps[kind];
    if (!nereus_between_is_measured(profile))
        return false;
    if (kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH)
        return add_prior("spawn without rows", "const", 1, m);
    if (kind == NEREUS_STEP_SPLIT)
        return add_prior("shrink", "log2_source_nodes", 1, m) &&
               add_prior("shrink", "one_node", 1, m);
    nereus_fit_set_contained("spawn or split (assumed)", m);
    return true;
}

/* Copy the model of the kind that does nearly the same; most kinds have none. */
static bool copy_from_related(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    static const struct {
        enum nereus_step_kind kind, related;
    } pairs[] = {
        {NEREUS_STEP_CONNECT, NEREUS_STEP_MERGE},
        {NEREUS_STEP_MERGE, NEREUS_STEP_SPLIT},
        {NEREUS_STEP_GATHER, NEREUS_STEP_SPLIT},
        {NEREUS_STEP_WAKE, NEREUS_STEP_SPLIT},
        {NEREUS_STEP_REORDER, NEREUS_STEP_SPLIT},
        {NEREUS_STEP_LAUNCH, NEREUS_STEP_SPAWN},
        {NEREUS_STEP_SYNCHRONISE, NEREUS_STEP_AGREE},
        {NEREUS_STEP_TERMINATE, NEREUS_STEP_DISCONNECT},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(pairs); i++)
        if (pairs[i].kind == kind)
            return copy_from_kind(profile, kind, pairs[i].related);
    return false;
}

/* Set an unmeasured kind to the first prior that applies, the nearest to a measurement of it first:
 * the kind when oversubscribed, measurements that contain it, the table of priors, related kinds,
 * messages, and values assumed around redistributions. A start of processes is never priced as
 * messages, split or merge, which take far less time. */
static bool set_unmeasured(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    const bool starts = kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH;
    return copy_as_prior(profile, kind, &profile->steps_oversubscribed[kind],
                         "measured when oversubscribed") ||
           contain_in_start(profile, kind) || set_from_table(profile, kind) ||
           (kind == NEREUS_STEP_SPLIT && set_split(profile)) || copy_from_related(profile, kind) ||
           (!starts && (set_tree_of_messages(profile, kind) ||
                        copy_from_kind(profile, kind, NEREUS_STEP_SPLIT) ||
                        copy_from_kind(profile, kind, NEREUS_STEP_MERGE))) ||
           set_around_redistributions(profile, kind);
}

void nereus_fit_set_unmeasured(struct nereus_profile *profile)
{
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++)
        if (profile->steps[kind].basis == NEREUS_BASIS_NONE &&
            !nereus_restart_has_prior((enum nereus_step_kind)kind))
            set_unmeasured(profile, (enum nereus_step_kind)kind);
}
