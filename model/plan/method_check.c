/**
 * @file method_check.c
 * Which methods are legal, which can be planned and priced, and which the runtime carries out.
 *
 * `built` and `planned` have a set of words for each list: a word that becomes available is added there and nowhere
 * else. `rules` has what the papers rule out, and comes first, since such a combination will never be built.
 * docs/methods.md shows the matrix that follows from the rules; tests/unit/plan/test_method.c compares both.
 */
#include "nereus/method.h"

#include <stdio.h>
#include <string.h>

#include "method_slots.h"

#define BIT(value) (1u << (unsigned)(value))
#define ANY        (~0u)

struct scope {
    unsigned allowed[NEREUS_SLOT_COUNT]; /* set of enum values, by slot */
    const char *refusal;                 /* of a word: "is not built yet: this version carries out" */
    const char *scope;                   /* all that is possible, for people */
};

static const struct scope built = {
    .allowed =
        {
            [NEREUS_SLOT_PROCESS] = ANY,
            [NEREUS_SLOT_STRATEGY] = ANY,
            [NEREUS_SLOT_ASYNC] = ANY,
            [NEREUS_SLOT_SHRINK] = ANY,
            [NEREUS_SLOT_DATA] = ANY,
            [NEREUS_SLOT_OVERLAP] = ANY,
            [NEREUS_SLOT_DISTRIBUTION] = ANY,
        },
    .refusal = "is not built yet: this version carries out",
    .scope = "all ways to start and to end processes, and to move data",
};

static const struct scope planned = {
    .allowed =
        {
            [NEREUS_SLOT_PROCESS] = ANY,
            [NEREUS_SLOT_STRATEGY] = ANY,
            [NEREUS_SLOT_ASYNC] = ANY,
            [NEREUS_SLOT_SHRINK] = ANY,
            [NEREUS_SLOT_DATA] = ANY,
            [NEREUS_SLOT_OVERLAP] = ANY,
            [NEREUS_SLOT_DISTRIBUTION] = ANY,
        },
    .refusal = "cannot be predicted yet: this version plans and prices",
    .scope = "every legal way to start and to end processes, and to move data",
};

enum { EXPAND = 1, SAME = 2, SHRINK = 4, ALWAYS = EXPAND | SAME | SHRINK };

/* A combination that makes no sense: one of the processes with one of the strategies, one of the shrink kinds and one of the
 * ways to move data (NO_DATA: one of the methods that name none is meant, too). What a
 * method lacks for itself (hypercube: equal groups) is the plan's matter, as is what a job's state does not allow. */
struct rule {
    unsigned processes, strategies, shrinks, data;
    unsigned when;                      /* directions in which it is refused */
    enum nereus_method_slot_index slot; /* whose word is named */
    const char *reason;                 /* goes on after the word */
};

#define NO_DATA BIT(NEREUS_DATA_COUNT)

static const struct rule rules[] = {
    {BIT(NEREUS_BASELINE) | BIT(NEREUS_BASELINE_INTRA), ANY, BIT(NEREUS_SS) | BIT(NEREUS_ZS) | BIT(NEREUS_TS),
     ANY, ALWAYS, NEREUS_SLOT_SHRINK,
     "goes with merge only: baseline starts all targets anew and ends all sources (spawning-methods 3.1), so "
     "nobody is "
     "left to sleep or to go"},
    {BIT(NEREUS_MERGE), ~BIT(NEREUS_PLAIN), BIT(NEREUS_ZS) | BIT(NEREUS_TS), ANY, ALWAYS,
     NEREUS_SLOT_STRATEGY,
     "has no effect beside zs and ts, which start no process (spawning-methods 3.3; parallel-spawning 5.1): "
     "leave one of "
     "the two out"},
    {BIT(NEREUS_MERGE), BIT(NEREUS_SINGLE), BIT(NEREUS_SS), ANY, ALWAYS, NEREUS_SLOT_STRATEGY,
     "makes one world of all new processes, but ss is the respawn after which every node has its own "
     "(parallel-spawning "
     "4.6): use diffusive, hypercube, multiple or launch"},
    {BIT(NEREUS_MERGE), ANY, BIT(NEREUS_SS) | BIT(NEREUS_ZS) | BIT(NEREUS_TS), ANY, EXPAND,
     NEREUS_SLOT_SHRINK,
     "says how processes leave (spawning-methods 3.2.2; parallel-spawning 4.6): it needs fewer targets than "
     "sources"},
    {BIT(NEREUS_BASELINE), ANY, ANY, BIT(NEREUS_RMA), ALWAYS, NEREUS_SLOT_DATA,
     "needs a window, which is created over an intra-communicator (MPI 4.1, 12.2.1), but baseline keeps old "
     "and new processes apart "
     "(data-redistribution 4): use baseline-intra"},
    {BIT(NEREUS_MERGE), ANY, BIT(NEREUS_SS), BIT(NEREUS_RMA), ALWAYS, NEREUS_SLOT_DATA,
     "needs a window, which is created over an intra-communicator (MPI 4.1, 12.2.1), but ss is carried out "
     "as a baseline "
     "(parallel-spawning 4.6): use baseline-intra"},
};

static const struct rule *broken_rule(const struct nereus_method *m, unsigned when)
{
    const unsigned data = m->has_data ? BIT(m->data) : NO_DATA;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *rule = &rules[i];
        if ((rule->processes & BIT(m->process)) && (rule->strategies & BIT(m->strategy)) &&
            (rule->shrinks & BIT(m->shrink)) && (rule->data & data) && (rule->when & when) == when) {
            return rule;
        }
    }
    return NULL;
}

static enum nereus_status check_rules(const struct nereus_method *method, unsigned when,
                                      struct nereus_error *err)
{
    const struct rule *rule = broken_rule(method, when);
    char text[NEREUS_METHOD_TEXT_MAX];
    int values[NEREUS_SLOT_COUNT];
    if (rule == NULL) {
        return NEREUS_OK;
    }
    if (err == NULL) { /* the sentence takes longer than all the rest: predictions ask thousands of times */
        return NEREUS_ERR_ILLEGAL;
    }
    nereus_method_to_values(method, values);
    return nereus_fail(err, NEREUS_ERR_ILLEGAL, "method '%s': '%s' %s", nereus_method_print(method, text),
                       nereus_method_slots[rule->slot].words[values[rule->slot]], rule->reason);
}

/* A value may come from anywhere. */
static enum nereus_status check_values(const struct nereus_method *method, int last, int *values,
                                       struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    nereus_method_to_values(method, values);
    for (int s = 0; s < last; s++) {
        if (values[s] < 0 || values[s] >= nereus_method_slots[s].count) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "method '%s': value %d is not %s",
                               nereus_method_print(method, text), values[s], nereus_method_slots[s].what);
        }
    }
    return NEREUS_OK;
}

static enum nereus_status check(const struct nereus_method *method, const struct scope *scope,
                                struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int values[NEREUS_SLOT_COUNT];
    int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    enum nereus_status status = check_values(method, last, values, err);
    if (status == NEREUS_OK) {
        status = check_rules(method, ALWAYS, err);
    }
    for (int s = 0; s < last && status == NEREUS_OK; s++) {
        if ((scope->allowed[s] & BIT(values[s])) == 0) {
            /* Every list that has a word for "left out" allows it: what is refused has a word. */
            status = nereus_fail(err, NEREUS_ERR_UNSUPPORTED, "method '%s': '%s' %s %s",
                                 nereus_method_print(method, text), nereus_method_slots[s].words[values[s]],
                                 scope->refusal, scope->scope);
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

static unsigned direction_of(int64_t ns, int64_t nt)
{
    return nt > ns ? EXPAND : nt < ns ? SHRINK : SAME;
}

/* Of a method whose values are in range. */
static bool in_scope(const struct scope *scope, const int *values, int last)
{
    bool allowed = true;
    for (int s = 0; s < last; s++) {
        allowed = allowed && (scope->allowed[s] & BIT(values[s])) != 0;
    }
    return allowed;
}

enum nereus_status nereus_method_check_predicted(const struct nereus_method *method, int64_t ns, int64_t nt,
                                                 struct nereus_error *err)
{
    int values[NEREUS_SLOT_COUNT];
    const int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    /* What no rule forbids in this direction, none forbids in all. */
    if (check_values(method, last, values, NULL) == NEREUS_OK &&
        broken_rule(method, direction_of(ns, nt)) == NULL && in_scope(&planned, values, last)) {
        return NEREUS_OK;
    }
    const enum nereus_status status = nereus_method_check_planned(method, err);
    return status == NEREUS_OK ? nereus_method_check_direction(method, ns, nt, err) : status;
}

enum nereus_status nereus_method_check_direction(const struct nereus_method *method, int64_t ns, int64_t nt,
                                                 struct nereus_error *err)
{
    int values[NEREUS_SLOT_COUNT];
    const int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    const enum nereus_status status = check_values(method, last, values, err);
    return status == NEREUS_OK ? check_rules(method, direction_of(ns, nt), err) : status;
}
