/*
 * Stand-ins: prices of step kinds that were not measured. Each has a name, which every prediction
 * that uses it repeats, and a wide interval; a kind without one is refused by name. Never a silent
 * 0.
 *
 * Order: the same kind measured when oversubscribed; a related kind; trees of messages at ping-pong
 * speed. Numbers without a measurement on this machine say "assumed".
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"
#include "priors.h"

static bool can_stand_in(const struct nereus_linear_model *m)
{
    return m->basis == NEREUS_BASIS_FITTED && m->terms > 0;
}

static void copy(const struct nereus_linear_model *from, const char *name,
                 struct nereus_linear_model *to)
{
    const double log_sd = fmax(from->log_sd, NEREUS_FIT_RELATED);
    *to = *from;
    to->basis = NEREUS_BASIS_STAND_IN;
    to->log_sd = log_sd;
    if (from->high_factor > 0) {
        const double reach = exp(log_sd * 1.645); /* 90 % */
        to->low_factor = fmin(from->low_factor, 1 / reach);
        to->high_factor = fmax(from->high_factor, reach);
    }
    to->rows = 0;
    snprintf(to->stand_in, sizeof to->stand_in, "%s", name);
}

static bool from_kind(struct nereus_profile *profile, enum nereus_step_kind kind,
                      enum nereus_step_kind other)
{
    char name[64];
    if (!can_stand_in(&profile->steps[other]))
        return false;
    snprintf(name, sizeof name, "%s as %s", nereus_step_name(kind), nereus_step_name(other));
    copy(&profile->steps[other], name, &profile->steps[kind]);
    return true;
}

/* A tree up and down at ping-pong speed. */
static bool from_pairs(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    char name[64];
    const struct nereus_hockney *pair = nereus_cost_pair(profile->pairs, true, true);
    if (pair == NULL)
        return false;
    snprintf(name, sizeof name, "%s as a tree of 2 log2(processes) messages",
             nereus_step_name(kind));
    nereus_fit_stand_in(name, "log2_processes", 2 * nereus_hockney_s(pair, 8), NEREUS_FIT_RELATED,
                        &profile->steps[kind]);
    return true;
}

static bool from_oversubscribed(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    char name[64];
    if (!can_stand_in(&profile->steps_oversubscribed[kind]))
        return false;
    snprintf(name, sizeof name, "%s as measured when oversubscribed", nereus_step_name(kind));
    copy(&profile->steps_oversubscribed[kind], name, &profile->steps[kind]);
    return true;
}

/* Agreements, splits and falling asleep are short messages round a tree. Where only whole
 * reconfigurations were measured, the coefficients of spawn or split hold such trees, and one more
 * is below their scatter. */
static bool from_whole(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    static const bool tree[NEREUS_STEP_KIND_COUNT] = {
        [NEREUS_STEP_DECIDE] = true, [NEREUS_STEP_JOIN] = true,  [NEREUS_STEP_AGREE] = true,
        [NEREUS_STEP_COMMIT] = true, [NEREUS_STEP_SLEEP] = true, [NEREUS_STEP_DISCONNECT] = true};
    bool contained = false;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++)
        contained = contained || profile->steps[k].basis == NEREUS_BASIS_CONTAINED;
    if (!tree[kind] || !contained)
        return false;
    nereus_fit_contain("spawn or split (never measured)", &profile->steps[kind]);
    return true;
}

static const struct nereus_linear_model *termination(const struct nereus_profile *profile)
{
    for (int64_t i = 0; i < profile->whole_count; i++)
        if (profile->whole[i].method.shrink == NEREUS_TS && can_stand_in(&profile->whole[i].model))
            return &profile->whole[i].model;
    return NULL;
}

/*
 * split: a part of termination shrink. Between nodes a merge takes as long; its terms are 0 on one
 * node, which a price must not be.
 */
static bool from_related(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    struct nereus_linear_model *split = &profile->steps[NEREUS_STEP_SPLIT];
    if (kind != NEREUS_STEP_SPLIT)
        return false;
    if (termination(profile) != NULL) {
        copy(termination(profile), "split as ts, of which it is a part", split);
        return true;
    }
    if (!from_kind(profile, kind, NEREUS_STEP_MERGE))
        return false;
    bool always = false;
    for (int t = 0; t < split->terms; t++) {
        if (strcmp(split->names[t], "log2_target_nodes") == 0)
            snprintf(split->names[t], sizeof split->names[t], "log2_source_nodes");
        always = always || strcmp(split->names[t], "const") == 0 ||
                 strcmp(split->names[t], "log2_processes") == 0;
    }
    if (!always && split->terms < NEREUS_TERMS_MAX) {
        nereus_fit_add_term(split, "one_node", nereus_term_prior("shrink", "one_node")->value);
        snprintf(split->stand_in, sizeof split->stand_in,
                 "split as merge; on one node 1 ms (assumed)");
    }
    return true;
}

/* T_split + T_gather (equation 3) have one stand-in together. */
static bool from_split(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    if (kind != NEREUS_STEP_GATHER ||
        profile->steps[NEREUS_STEP_SPLIT].basis != NEREUS_BASIS_STAND_IN)
        return false;
    nereus_fit_contain("split", &profile->steps[kind]);
    return true;
}

/* A term as the table of priors has it. @param unit_s  what its ratio is to; else 1 */
static void by_prior(const char *model, const char *term, double unit_s,
                     struct nereus_linear_model *m)
{
    const struct nereus_term_prior *prior = nereus_term_prior(model, term);
    nereus_fit_stand_in(prior->source, term, prior->value * unit_s, prior->log_sd, m);
}

static bool from_spawn(struct nereus_profile *profile, enum nereus_step_kind kind)
{
    const struct nereus_linear_model *spawn = &profile->steps[NEREUS_STEP_SPAWN];
    if (kind != NEREUS_STEP_CONNECT || !can_stand_in(spawn) ||
        nereus_cost_pair(profile->pairs, true, true) == NULL)
        return false;
    for (int i = 0; i < spawn->terms; i++)
        if (strcmp(spawn->names[i], "const") == 0) {
            by_prior("connect without rows", "const", spawn->coefficients[i],
                     &profile->steps[kind]);
            return true;
        }
    return false;
}

static void transfers(struct nereus_profile *profile)
{
    static const char without[] = "redistribute without rows";
    struct nereus_linear_model *move = &profile->steps[NEREUS_STEP_REDISTRIBUTE];
    struct nereus_linear_model *allocate = &profile->steps[NEREUS_STEP_ALLOCATE];
    if (move->basis == NEREUS_BASIS_NONE && nereus_cost_pair(profile->pairs, true, true) != NULL) {
        by_prior(without, "transfer", 1, move);
    } else if (move->basis == NEREUS_BASIS_NONE) {
        by_prior(without, "moved_bytes", 1, move);
        nereus_fit_add_term(move, "const", nereus_term_prior(without, "const")->value);
    }
    if (allocate->basis == NEREUS_BASIS_NONE)
        by_prior("allocate", "touched_bytes", 1, allocate);
}

void nereus_fit_stand_ins(struct nereus_profile *profile)
{
    static const enum nereus_step_kind related_to[NEREUS_STEP_KIND_COUNT] = {
        [NEREUS_STEP_CONNECT] = NEREUS_STEP_MERGE,
        [NEREUS_STEP_MERGE] = NEREUS_STEP_SPLIT,
        [NEREUS_STEP_SPLIT] = NEREUS_STEP_MERGE,
        [NEREUS_STEP_GATHER] = NEREUS_STEP_SPLIT,
        [NEREUS_STEP_WAKE] = NEREUS_STEP_SPLIT,
        [NEREUS_STEP_REORDER] = NEREUS_STEP_SPLIT,
        [NEREUS_STEP_LAUNCH] = NEREUS_STEP_SPAWN,
        [NEREUS_STEP_SYNCHRONISE] = NEREUS_STEP_AGREE,
        [NEREUS_STEP_TERMINATE] = NEREUS_STEP_DISCONNECT,
    };
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        const enum nereus_step_kind kind = (enum nereus_step_kind)k;
        if (profile->steps[k].basis != NEREUS_BASIS_NONE || from_oversubscribed(profile, kind))
            continue;
        if (kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_ALLOCATE ||
            kind == NEREUS_STEP_REDISTRIBUTE)
            continue;
        if (from_whole(profile, kind) || from_split(profile, kind) || from_spawn(profile, kind) ||
            from_related(profile, kind))
            continue;
        if (related_to[k] != NEREUS_STEP_DECIDE && from_kind(profile, kind, related_to[k]))
            continue;
        if (kind != NEREUS_STEP_LAUNCH && from_pairs(profile, kind))
            continue;
        if (kind != NEREUS_STEP_LAUNCH && !from_kind(profile, kind, NEREUS_STEP_SPLIT))
            from_kind(profile, kind, NEREUS_STEP_MERGE);
    }
    transfers(profile);
}
