/**
 * @file plan.c
 * Makes a plan as a list of steps, names the steps, and gives the role and rank of each process.
 */
#include "nereus/plan.h"

#include "emit.h"
#include "groups.h"

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

const char *nereus_step_position(enum nereus_step_kind kind, int64_t level, char text[32])
{
    const bool starts =
        kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH || kind == NEREUS_STEP_JOIN;
    text[0] = '\0';
    if (starts && level > 0)
        snprintf(text, 32, " of level %lld", (long long)level);
    else if (kind == NEREUS_STEP_CONNECT && level > 0)
        snprintf(text, 32, " in round %lld", (long long)level);
    else if (kind == NEREUS_STEP_SYNCHRONISE && level != 0)
        snprintf(text, 32, level > 0 ? " up" : " down");
    return text;
}

enum nereus_status nereus_plan_append(struct nereus_plan *plan, const struct nereus_step *step,
                                      struct nereus_error *err)
{
    if (plan->step_count >= NEREUS_PLAN_STEPS_MAX)
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "from %lld to %lld process%s: a plan of more than %d steps cannot be carried out",
            (long long)plan->ns, (long long)plan->nt, nereus_plural_es(plan->nt),
            NEREUS_PLAN_STEPS_MAX);
    plan->steps[plan->step_count++] = *step;
    return NEREUS_OK;
}

/* Find the leavers with a rank; NULL: the process stays. */
static const struct nereus_leavers *find_leavers(const struct nereus_plan *plan, int64_t rank)
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
    return find_leavers(plan, rank) == NULL ? NEREUS_STAYING : NEREUS_LEAVING;
}

bool nereus_plan_source_ends(const struct nereus_plan *plan, int64_t rank)
{
    const struct nereus_leavers *range = find_leavers(plan, rank);
    return plan->method.process != NEREUS_MERGE ? plan->step_count > 0
                                                : range != NULL && range->ends != 0;
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

bool nereus_step_is_overlapped(const struct nereus_step *step)
{
    return step->thread != NEREUS_MAIN_THREAD;
}

bool nereus_plan_overlaps(const struct nereus_plan *plan)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == NEREUS_STEP_REDISTRIBUTE &&
            nereus_step_is_overlapped(&plan->steps[i]))
            return true;
    return false;
}

void nereus_plan_drop_thread(struct nereus_plan *plan, const struct nereus_machine *machine,
                             bool has_threads)
{
    if (!nereus_plan_is_threadless(plan) ||
        (has_threads && !nereus_machine_is_oversubscribed(machine, plan->ns)))
        return;
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].thread == NEREUS_AUXILIARY_THREAD)
            plan->steps[i].thread = NEREUS_MAIN_THREAD;
}

/* Hash the fields in a fixed order and without padding, so that all processes get the same hash. */
static uint64_t hash_plan(const struct nereus_request *request, const struct nereus_plan *plan,
                          unsigned char *buffer, size_t packed_bytes)
{
    nereus_request_pack(request, buffer);
    uint64_t hash = nereus_hash(buffer, packed_bytes);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *s = &plan->steps[i];
        const int64_t fields[] = {(int64_t)(hash >> 1),
                                  s->kind,
                                  (int64_t)s->roles,
                                  s->thread,
                                  s->starter,
                                  s->channel,
                                  s->for_data,
                                  s->repeat,
                                  s->old_processes,
                                  s->new_processes,
                                  s->first_new,
                                  s->constant_bytes,
                                  s->variable_bytes,
                                  s->replicated_bytes,
                                  s->times,
                                  s->level};
        hash = nereus_hash(fields, sizeof fields);
    }
    return hash;
}

static enum nereus_status check_request(const struct nereus_request *request,
                                        struct nereus_error *err)
{
    if (request->ns < 1 || request->nt < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a reconfiguration from %lld to %lld process%s: both must be at least 1",
                           (long long)request->ns, (long long)request->nt,
                           nereus_plural_es(request->nt));
    return nereus_method_check_direction(&request->method, request->ns, request->nt, err);
}

/* Copy the leavers of the request; without them the highest ranks leave, by the shrink kind. */
static enum nereus_status list_leavers(const struct nereus_request *request,
                                       struct nereus_plan *plan, struct nereus_error *err)
{
    const int64_t count = request->leaver_count > 0 ? request->leaver_count : 1;
    plan->leavers = malloc((size_t)count * sizeof *plan->leavers);
    NEREUS_TRY_MEMORY(plan->leavers, err, "for a plan");
    plan->leavers[0] = (struct nereus_leavers){request->nt, request->ns - request->nt,
                                               request->method.shrink == NEREUS_TS};
    if (request->leaver_count > 0)
        memcpy(plan->leavers, request->leavers, (size_t)count * sizeof *plan->leavers);
    plan->leaver_count = count;
    for (int64_t i = 0; i < count; i++)
        plan->leaving += plan->leavers[i].count;
    if (plan->leaving != request->ns - request->nt)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT, "%lld of %lld process%s %s to leave, but %lld to stay",
            (long long)plan->leaving, (long long)request->ns, nereus_plural_es(request->ns),
            nereus_choose_plural(plan->leaving, "is", "are"), (long long)request->nt);
    return NEREUS_OK;
}

static bool is_merge_shrink(const struct nereus_plan *plan)
{
    return plan->method.process == NEREUS_MERGE && plan->nt < plan->ns;
}

static enum nereus_status make_outline(const struct nereus_request *request,
                                       struct nereus_plan *plan, struct nereus_outline *o,
                                       struct nereus_error *err)
{
    *o = (struct nereus_outline){.method = plan->method,
                                 .ns = plan->ns,
                                 .nt = plan->nt,
                                 .has_data = request->data_count > 0};
    nereus_request_sum_bytes(request, &o->bytes);
    nereus_outline_set_starts(request->zombies, o);
    plan->woken = o->woken;
    plan->spawned = o->spawned;
    if (plan->method.process != NEREUS_MERGE)
        plan->leaving = plan->ns;
    if (!is_merge_shrink(plan))
        return NEREUS_OK;
    const enum nereus_status status = list_leavers(request, plan, err);
    for (int64_t i = 0; status == NEREUS_OK && i < plan->leaver_count; i++)
        *(plan->leavers[i].ends != 0 ? &o->ending : &o->sleeping) += plan->leavers[i].count;
    o->releasing = o->ending > 0 ? request->zombies : 0;
    return status;
}

static enum nereus_status make_tree(const struct nereus_groups *groups, struct nereus_plan *plan,
                                    struct nereus_error *err)
{
    int64_t *sizes = malloc((size_t)groups->count * sizeof *sizes);
    NEREUS_TRY_MEMORY(sizes, err, "for %lld groups", (long long)groups->count);
    struct nereus_groups walk = *groups;
    for (int64_t i = 0; i < groups->count; i++)
        sizes[i] = nereus_groups_advance(&walk, 1);
    const enum nereus_status status = nereus_tree_make(
        plan->method.strategy, plan->ns + plan->woken, sizes, groups->count, &plan->tree, err);
    free(sizes);
    return status;
}

struct append_sink {
    struct nereus_step_sink sink;
    struct nereus_plan *plan;
};

static enum nereus_status append_step(struct nereus_step_sink *sink, const struct nereus_step *step,
                                      struct nereus_error *err)
{
    return nereus_plan_append(((struct append_sink *)sink)->plan, step, err);
}

static enum nereus_status emit_plan(const struct nereus_request *request, struct nereus_plan *plan,
                                    struct nereus_error *err)
{
    struct append_sink sink = {{append_step}, plan};
    struct nereus_outline outline;
    struct nereus_groups groups;
    plan->method = nereus_method_resolve(&request->method);
    plan->intra = plan->method.process == NEREUS_BASELINE_INTRA;
    plan->inter = plan->method.process == NEREUS_BASELINE;
    enum nereus_status status = make_outline(request, plan, &outline, err);
    if (status == NEREUS_OK && plan->spawned > 0 &&
        nereus_strategy_ops_of(plan->method.strategy)->several_worlds) {
        outline.groups = &groups;
        status = nereus_groups_from_request(request, plan->spawned, &groups, err);
        if (status == NEREUS_OK)
            status = make_tree(&groups, plan, err);
    }
    return status == NEREUS_OK
               ? nereus_emit_steps(&outline, NEREUS_PART_PROCESSES | NEREUS_PART_DATA, &sink.sink,
                                   err)
               : status;
}

enum nereus_status nereus_plan_make(const struct nereus_request *request, struct nereus_plan *plan,
                                    struct nereus_error *err)
{
    NEREUS_TRY(check_request(request, err));
    enum nereus_status status = NEREUS_OK;
    struct nereus_plan p;
    memset(&p, 0, sizeof p);
    p.ns = request->ns;
    p.nt = request->nt;
    const size_t packed_bytes = nereus_request_packed_bytes(request);
    unsigned char *buffer = malloc(packed_bytes);
    p.steps = malloc(NEREUS_PLAN_STEPS_MAX * sizeof *p.steps);
    if (buffer == NULL || p.steps == NULL)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a plan");
    else
        status = emit_plan(request, &p, err);
    if (status == NEREUS_OK)
        p.hash = hash_plan(request, &p, buffer, packed_bytes);
    free(buffer);
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
