/**
 * @file method_check.c
 * Decides which methods are legal. `rules` lists what the papers and MPI exclude, and
 * `excluded_by_restart` why restart excludes all other words; a strategy that cannot carry out ss
 * says so itself (strategy.h). All legal methods can be planned and priced, and all but restart
 * carried out (docs/methods.md, compared by tests/unit/plan/test_method.c).
 */

#include "method_slots.h"
#include "nereus/method.h"
#include "strategies/strategy.h"

#define BIT(value) (1u << (unsigned)(value))
#define ANY        (~0u)

enum { EXPAND = 1, SAME = 2, SHRINK = 4, ALWAYS = EXPAND | SAME | SHRINK };

/* A combination of sets of words that is refused (NO_DATA: also without a data part).
 * excluded_by_restart has combinations with restart. The plan checks group sizes, the placement
 * checks the job state. */
struct rule {
    unsigned processes, strategies, shrinks, data;
    /* set of directions (EXPAND, ...) to which the rule applies */
    unsigned directions;
    enum nereus_method_slot_index slot; /* slot of the word that the message names */
    const char *reason;                 /* text that follows the word in the message */
};

#define NO_DATA BIT(NEREUS_DATA_COUNT)

static const struct rule rules[] = {
    {BIT(NEREUS_BASELINE) | BIT(NEREUS_BASELINE_INTRA), ANY,
     BIT(NEREUS_SS) | BIT(NEREUS_ZS) | BIT(NEREUS_TS), ANY, ALWAYS, NEREUS_SLOT_SHRINK,
     "goes with merge only: baseline starts all targets anew and ends all sources (Martín-Álvarez "
     "et al. (2024a), section 3.1), so no process is left to sleep or to end"},
    {BIT(NEREUS_MERGE), ~BIT(NEREUS_PLAIN), BIT(NEREUS_ZS) | BIT(NEREUS_TS), ANY, ALWAYS,
     NEREUS_SLOT_STRATEGY,
     "has no effect with zs and ts, which start no process (Martín-Álvarez et al. (2024a), section "
     "3.3; Martín-Álvarez et al. (2025), section 5.1): leave one of the two out"},
    {BIT(NEREUS_MERGE), ANY, BIT(NEREUS_SS) | BIT(NEREUS_ZS) | BIT(NEREUS_TS), ANY, EXPAND,
     NEREUS_SLOT_SHRINK,
     "says how processes leave (Martín-Álvarez et al. (2024a), section 3.2.2; Martín-Álvarez et "
     "al. (2025), section 4.6): it needs fewer targets than sources"},
    {BIT(NEREUS_BASELINE), ANY, ANY, BIT(NEREUS_RMA), ALWAYS, NEREUS_SLOT_DATA,
     "needs a window, which is created over an intra-communicator (MPI 4.1, 12.2.1), but baseline "
     "keeps old and new processes in two groups (Martín-Álvarez et al. (2023), section 4): use "
     "baseline-intra"},
    {BIT(NEREUS_MERGE), ANY, BIT(NEREUS_SS), BIT(NEREUS_RMA), ALWAYS, NEREUS_SLOT_DATA,
     "needs a window, which is created over an intra-communicator (MPI 4.1, 12.2.1), but ss is "
     "carried out as a baseline (Martín-Álvarez et al. (2025), section 4.6): use baseline-intra"},
    {~BIT(NEREUS_RESTART), ANY, ANY, BIT(NEREUS_FILE), ALWAYS, NEREUS_SLOT_DATA,
     "goes with restart only: the other methods send data from process to process"},
};

/* Why restart excludes the words of a slot; the text follows the word. */
static const char *const excluded_by_restart[NEREUS_SLOT_COUNT] = {
    [NEREUS_SLOT_STRATEGY] =
        "says who spawns processes (Martín-Álvarez et al. (2024a), section 3.2), but restart "
        "spawns none: the launcher starts all targets when the sources have ended",
    [NEREUS_SLOT_ASYNC] =
        "starts processes while the sources compute (Martín-Álvarez et al. (2024a), section 3.4), "
        "but restart starts them when the sources have ended",
    [NEREUS_SLOT_SHRINK] =
        "goes with merge only: restart starts all targets anew and ends all sources, as baseline "
        "does (Martín-Álvarez et al. (2024a), section 3.1)",
    [NEREUS_SLOT_DATA] = "sends data from process to process, but with restart the sources have "
                         "ended before the targets start: use file",
    [NEREUS_SLOT_OVERLAP] =
        "moves data while the application computes (Martín-Álvarez et al. (2023), section 3.2), "
        "but restart writes when it has stopped",
    [NEREUS_SLOT_DISTRIBUTION] =
        "goes with data that is sent from process to process: after a restart data is in equal "
        "blocks",
};

static const struct rule *find_broken_rule(const struct nereus_method *m, unsigned directions)
{
    const unsigned data = m->has_data ? BIT(m->data) : NO_DATA;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rules); i++) {
        const struct rule *rule = &rules[i];
        if ((rule->processes & BIT(m->process)) && (rule->strategies & BIT(m->strategy)) &&
            (rule->shrinks & BIT(m->shrink)) && (rule->data & data) &&
            (rule->directions & directions) == directions)
            return rule;
    }
    return NULL;
}

/* @return the reason, and the slot of the excluded word; NULL: legal */
static const char *find_restart_refusal(const struct nereus_method *m, int *slot)
{
    const int last = m->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    int values[NEREUS_SLOT_COUNT];
    nereus_method_to_values(m, values);
    for (*slot = NEREUS_SLOT_STRATEGY; *slot < last; ++*slot)
        if (values[*slot] != (*slot == NEREUS_SLOT_DATA ? (int)NEREUS_FILE : 0))
            return excluded_by_restart[*slot];
    return NULL;
}

static const char *find_refusal(const struct nereus_method *m, unsigned directions, int *slot)
{
    if (m->process == NEREUS_RESTART)
        return find_restart_refusal(m, slot);
    const struct rule *rule = find_broken_rule(m, directions);
    const char *const ss_refusal = m->process == NEREUS_MERGE && m->shrink == NEREUS_SS
                                       ? nereus_strategy_ops_of(m->strategy)->refuses_ss
                                       : NULL;
    *slot = rule != NULL ? (int)rule->slot : NEREUS_SLOT_STRATEGY;
    return rule != NULL ? rule->reason : ss_refusal;
}

static enum nereus_status check_values(const struct nereus_method *method, int *values,
                                       struct nereus_error *err)
{
    const int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    char text[NEREUS_METHOD_TEXT_MAX];
    nereus_method_to_values(method, values);
    for (int s = 0; s < last; s++)
        if (values[s] < 0 || values[s] >= nereus_method_slots[s].count)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "method '%s': value %d is not %s",
                               nereus_method_format(method, text), values[s],
                               nereus_method_slots[s].what);
    return NEREUS_OK;
}

static enum nereus_status check_rules(const struct nereus_method *method, unsigned directions,
                                      struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int values[NEREUS_SLOT_COUNT], slot;
    NEREUS_TRY(check_values(method, values, err));
    const char *const reason = find_refusal(method, directions, &slot);
    if (reason == NULL)
        return NEREUS_OK;
    if (err == NULL) /* skip the message, which takes longer than the check */
        return NEREUS_ERR_ILLEGAL;
    return nereus_fail(err, NEREUS_ERR_ILLEGAL, "method '%s': '%s' %s",
                       nereus_method_format(method, text),
                       nereus_method_slots[slot].words[values[slot]], reason);
}

enum nereus_status nereus_method_check(const struct nereus_method *method, struct nereus_error *err)
{
    return check_rules(method, ALWAYS, err);
}

enum nereus_status nereus_method_check_direction(const struct nereus_method *method, int64_t ns,
                                                 int64_t nt, struct nereus_error *err)
{
    return check_rules(method, nt > ns ? EXPAND : nt < ns ? SHRINK : SAME, err);
}
