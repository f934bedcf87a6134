/* Plans: the table of builders, and what all of them share. */
#include "nereus/plan.h"

#include <stdlib.h>
#include <string.h>

#define NEREUS_NAME(e, token, help) [e] = token,
static const char *const step_names[NEREUS_STEP_KIND_COUNT] = {NEREUS_STEP_LIST(NEREUS_NAME)};
#undef NEREUS_NAME
#define NEREUS_HELP(e, token, help) [e] = help,
static const char *const step_helps[NEREUS_STEP_KIND_COUNT] = {NEREUS_STEP_LIST(NEREUS_HELP)};
#undef NEREUS_HELP

const char *nereus_step_name(enum nereus_step_kind kind)
{
    return (unsigned)kind < NEREUS_STEP_KIND_COUNT ? step_names[kind] : NULL;
}

const char *nereus_step_help(enum nereus_step_kind kind)
{
    return (unsigned)kind < NEREUS_STEP_KIND_COUNT ? step_helps[kind] : NULL;
}

enum nereus_step_kind nereus_step_from_name(const char *token)
{
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++)
        if (strcmp(step_names[kind], token) == 0)
            return (enum nereus_step_kind)kind;
    return NEREUS_STEP_KIND_COUNT;
}

struct nereus_step *nereus_plan_append(struct nereus_plan *plan, enum nereus_step_kind kind, unsigned who)
{
    struct nereus_step *step = &plan->steps[plan->step_count];
    memset(step, 0, sizeof *step); /* padding too */
    step->kind = kind;
    step->who = who;
    step->repeat = 1;
    step->times = 1;
    for (int i = 0; i < NEREUS_STEP_WAITS_MAX; i++)
        step->waits[i] = -1;
    step->waits[0] = plan->step_count - 1;
    step->old_processes = plan->ns;
    plan->step_count++;
    return step;
}

/* The range of leavers that holds a source; NULL: it stays. */
static const struct nereus_leavers *range_of(const struct nereus_plan *plan, int64_t rank)
{
    int64_t low = 0, high = plan->leaver_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const struct nereus_leavers *range = &plan->leavers[middle];
        if (rank < range->first)
            high = middle;
        else if (rank >= range->first + range->count)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

enum nereus_role nereus_plan_source_role(const struct nereus_plan *plan, int64_t rank)
{
    if (plan->method.process != NEREUS_MERGE)
        return plan->step_count > 0 ? NEREUS_LEAVING : NEREUS_STAYING;
    return range_of(plan, rank) == NULL ? NEREUS_STAYING : NEREUS_LEAVING;
}

bool nereus_plan_source_ends(const struct nereus_plan *plan, int64_t rank)
{
    const struct nereus_leavers *range = range_of(plan, rank);
    return plan->method.process != NEREUS_MERGE ? plan->step_count > 0 : range != NULL && range->ends != 0;
}

int64_t nereus_plan_new_rank(const struct nereus_plan *plan, int64_t rank)
{
    int64_t gone = 0;
    if (nereus_plan_source_role(plan, rank) != NEREUS_STAYING)
        return -1;
    for (int64_t i = 0; i < plan->leaver_count && plan->leavers[i].first < rank; i++)
        gone += plan->leavers[i].count;
    return rank - gone;
}

int64_t nereus_plan_old_rank(const struct nereus_plan *plan, int64_t rank)
{
    for (int64_t i = 0; i < plan->leaver_count && plan->leavers[i].first <= rank; i++)
        rank += plan->leavers[i].count;
    return rank;
}

bool nereus_step_is_beside(const struct nereus_step *step)
{
    return step->thread != NEREUS_MAIN_THREAD;
}

bool nereus_plan_overlaps(const struct nereus_plan *plan)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == NEREUS_STEP_REDISTRIBUTE && nereus_step_is_beside(&plan->steps[i]))
            return true;
    return false;
}

/* FNV-1a over the record and every field of every step, in a fixed order, so that padding does
 * not matter. */
static uint64_t hash_plan(const struct nereus_request *request, const struct nereus_plan *plan,
                          unsigned char *packed, size_t packed_bytes)
{
    nereus_request_pack(request, packed);
    uint64_t hash = nereus_hash(packed, packed_bytes);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *s = &plan->steps[i];
        const int64_t fields[] = {
            (int64_t)(hash >> 1), s->kind,          (int64_t)s->who, s->thread,         s->waits[0],
            s->waits[1],          s->waits[2],      s->waits[3],     s->repeat,         s->root,
            s->old_processes,     s->new_processes, s->first_new,    s->constant_bytes, s->variable_bytes,
            s->replicated_bytes,  s->times,         s->level};
        hash = nereus_hash(fields, sizeof fields);
    }
    return hash;
}

static enum nereus_status check_request(const struct nereus_request *request, struct nereus_error *err)
{
    if (request->ns < 1 || request->nt < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a reconfiguration from %lld to %lld processes: both must be at least 1",
                           (long long)request->ns, (long long)request->nt);
    const enum nereus_status status = nereus_method_check_planned(&request->method, err);
    return status == NEREUS_OK
               ? nereus_method_check_direction(&request->method, request->ns, request->nt, err)
               : status;
}

static enum nereus_status build(const struct nereus_request *request, struct nereus_plan *plan,
                                struct nereus_error *err)
{
    /* A respawn to the present size is the early one of parallel-spawning 4.6: later shrinks may be ts. */
    plan->method = nereus_method_carried_out(&request->method);
    if (plan->method.process != NEREUS_MERGE)
        return nereus_plan_build_baseline(request, plan, err);
    if (request->nt > request->ns)
        return nereus_plan_build_merge_expand(request, plan, err);
    if (request->nt < request->ns)
        return nereus_plan_build_merge_shrink(request, plan, err);
    return NEREUS_OK; /* merge to the present size: nothing to do */
}

enum nereus_status nereus_plan_make(const struct nereus_request *request, struct nereus_plan *plan,
                                    struct nereus_error *err)
{
    enum nereus_status status = check_request(request, err);
    if (status != NEREUS_OK)
        return status;
    struct nereus_plan p;
    memset(&p, 0, sizeof p);
    p.ns = request->ns;
    p.nt = request->nt;
    const size_t packed_bytes = nereus_request_packed_bytes(request);
    unsigned char *packed = malloc(packed_bytes);
    p.steps = malloc(NEREUS_PLAN_STEPS_MAX * sizeof *p.steps);
    if (packed == NULL || p.steps == NULL)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a plan");
    else
        status = build(request, &p, err);
    if (status == NEREUS_OK)
        p.hash = hash_plan(request, &p, packed, packed_bytes);
    free(packed);
    if (status == NEREUS_OK)
        *plan = p;
    else
        nereus_plan_fini(&p);
    return status;
}

void nereus_plan_fini(struct nereus_plan *plan)
{
    free(plan->steps);
    free(plan->leavers);
    nereus_tree_fini(&plan->tree);
    plan->steps = NULL;
    plan->leavers = NULL;
    plan->step_count = 0;
    plan->leaver_count = 0;
}
