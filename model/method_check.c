/**
 * @file method_check.c
 * Which methods are legal, which can be planned and priced, and which the runtime carries out.
 *
 * Two tables, one row a list of words: a word that becomes available is added there and nowhere else.
 * Legality comes first, since a combination that a paper rules out will never be built.
 */
#include "method.h"

#include <stdio.h>
#include <string.h>

#include "method_slots.h"

#define BIT(value) (1u << (unsigned)(value))

struct scope {
    unsigned allowed[NEREUS_SLOT_COUNT]; /* set of enum values, by slot */
    const char *refusal;                 /* of a word: "is not built yet: this version carries out" */
    const char *scope;                   /* all that is possible, for people */
};

static const struct scope built = {
    .allowed =
        {
            [NEREUS_SLOT_PROCESS] = BIT(NEREUS_BASELINE) | BIT(NEREUS_MERGE),
            [NEREUS_SLOT_STRATEGY] = BIT(NEREUS_PLAIN),
            [NEREUS_SLOT_ASYNC] = BIT(false),
            [NEREUS_SLOT_SHRINK] = BIT(NEREUS_SHRINK_BY_STATE) | BIT(NEREUS_ZS),
            [NEREUS_SLOT_DATA] = BIT(NEREUS_P2P) | BIT(NEREUS_COLL),
            [NEREUS_SLOT_OVERLAP] = BIT(NEREUS_SYNC),
            [NEREUS_SLOT_DISTRIBUTION] = BIT(NEREUS_BLOCK),
        },
    .refusal = "is not built yet: this version carries out",
    .scope = "baseline, merge and merge-zs, each with /p2p or /coll",
};

static const struct scope planned = {
    .allowed =
        {
            [NEREUS_SLOT_PROCESS] = BIT(NEREUS_BASELINE) | BIT(NEREUS_MERGE),
            [NEREUS_SLOT_STRATEGY] =
                BIT(NEREUS_PLAIN) | BIT(NEREUS_SINGLE) | BIT(NEREUS_HYPERCUBE) | BIT(NEREUS_DIFFUSIVE),
            [NEREUS_SLOT_ASYNC] = BIT(false) | BIT(true),
            [NEREUS_SLOT_SHRINK] = BIT(NEREUS_SHRINK_BY_STATE) | BIT(NEREUS_ZS) | BIT(NEREUS_TS),
            [NEREUS_SLOT_DATA] = BIT(NEREUS_P2P) | BIT(NEREUS_COLL),
            [NEREUS_SLOT_OVERLAP] = BIT(NEREUS_SYNC),
            [NEREUS_SLOT_DISTRIBUTION] = BIT(NEREUS_BLOCK),
        },
    .refusal = "cannot be predicted yet: this version plans and prices",
    .scope = "baseline and merge, plain or with single, hypercube or diffusive, also async, merge-zs and "
             "merge-ts, each with /p2p or /coll",
};

/* What the papers rule out whatever the sizes are. (Rules that depend on sizes or the job's state are the
 * plan's.) */
static enum nereus_status check_legal(const struct nereus_method *method, const char *text,
                                      struct nereus_error *err)
{
    bool merge = method->process == NEREUS_MERGE;
    bool sleeps_or_ends = method->shrink == NEREUS_ZS || method->shrink == NEREUS_TS;
    const char *kind = nereus_method_slots[NEREUS_SLOT_SHRINK].words[method->shrink];
    if (method->shrink != NEREUS_SHRINK_BY_STATE && !merge) {
        return nereus_fail(err, NEREUS_ERR_ILLEGAL,
                           "method '%s': the shrink kind '%s' goes with merge only: baseline starts all "
                           "targets anew and ends all sources (spawning-methods 3.1), so nobody is left to "
                           "sleep or to go",
                           text, kind);
    }
    if (sleeps_or_ends && method->strategy != NEREUS_PLAIN) {
        return nereus_fail(
            err, NEREUS_ERR_ILLEGAL,
            "method '%s': '%s' starts no process, so the spawn strategy '%s' has no effect "
            "beside it (spawning-methods 3.3; parallel-spawning 4.7): leave one of the two out",
            text, kind, nereus_method_slots[NEREUS_SLOT_STRATEGY].words[method->strategy]);
    }
    return NEREUS_OK;
}

static enum nereus_status check(const struct nereus_method *method, const struct scope *scope,
                                struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int values[NEREUS_SLOT_COUNT];
    nereus_method_print(method, text);
    nereus_method_to_values(method, values);
    int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    for (int s = 0; s < last; s++) {
        if (values[s] < 0 || values[s] >= nereus_method_slots[s].count) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "method '%s': value %d is not %s", text, values[s],
                               nereus_method_slots[s].what);
        }
    }
    enum nereus_status status = check_legal(method, text, err);
    for (int s = 0; s < last && status == NEREUS_OK; s++) {
        if ((scope->allowed[s] & BIT(values[s])) == 0) {
            /* Every list that has a word for "left out" allows it: what is refused has a word. */
            status = nereus_fail(err, NEREUS_ERR_UNSUPPORTED, "method '%s': '%s' %s %s", text,
                                 nereus_method_slots[s].words[values[s]], scope->refusal, scope->scope);
        }
    }
    return status;
}

enum nereus_status nereus_method_check_built(const struct nereus_method *method, struct nereus_error *err)
{
    return check(method, &built, err);
}

enum nereus_status nereus_method_check_planned(const struct nereus_method *method, struct nereus_error *err)
{
    return check(method, &planned, err);
}
