/**
 * @file jobstate_apply.c
 * Computes the job state after a committed reconfiguration, as a new state, so that an error leaves
 * the old one unchanged.
 */

#include "model/layout/jobstate_segments.h"
#include "placement.h"

/* The state under construction: old worlds with new counts, then the new worlds. */
struct draft {
    const struct nereus_jobstate *old;
    struct nereus_world *worlds;
    int64_t world_count, next_id;
    bool *ended; /* indexed by old world */
    struct nereus_segments segments, sleepers;
};

static enum nereus_status begin_draft(const struct nereus_jobstate *old, int64_t new_worlds,
                                      struct draft *draft, struct nereus_error *err)
{
    *draft = (struct draft){.old = old, .next_id = old->next_world_id};
    draft->worlds = calloc((size_t)(old->world_count + new_worlds) + 1, sizeof *draft->worlds);
    draft->ended = calloc((size_t)old->world_count + 1, sizeof *draft->ended);
    NEREUS_TRY_MEMORY(draft->worlds && draft->ended, err, "for a job state of %lld worlds",
                      (long long)(old->world_count + new_worlds));
    return NEREUS_OK;
}

static void free_draft(struct draft *draft)
{
    free(draft->worlds);
    free(draft->ended);
    free(draft->segments.items);
    free(draft->sleepers.items);
}

static enum nereus_status fail_contradiction(const char *what, int64_t number,
                                             struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "the request does not fit the job that it is to have changed: %s (%lld)",
                       what, (long long)number);
}

/* Copy the worlds without their processes, which are counted again. */
static void keep_worlds(struct draft *draft)
{
    draft->world_count = draft->old->world_count;
    for (int64_t i = 0; i < draft->world_count; i++) {
        draft->worlds[i] = draft->old->worlds[i];
        draft->worlds[i].processes = draft->worlds[i].zombies = 0;
    }
}

static enum nereus_status append_active(struct draft *draft, int64_t world, int64_t node,
                                        int64_t count, struct nereus_error *err)
{
    draft->worlds[nereus_jobstate_find_world(draft->old, world)].processes += count;
    return nereus_segments_append(&draft->segments, world, node, count, err);
}

static enum nereus_status append_zombies(struct draft *draft, int64_t world, int64_t node,
                                         int64_t count, struct nereus_error *err)
{
    draft->worlds[nereus_jobstate_find_world(draft->old, world)].zombies += count;
    return nereus_segments_append(&draft->sleepers, world, node, count, err);
}

static void add_to_world(struct nereus_world *world, const struct nereus_group *group)
{
    int64_t end = world->first_node + world->nodes;
    if (world->processes == 0) {
        world->first_node = group->node;
        end = group->node + 1;
    }
    world->first_node = nereus_min(world->first_node, group->node);
    end = nereus_max(end, group->node + 1);
    world->nodes = end - world->first_node;
    world->processes += group->processes;
}

static enum nereus_status append_groups(struct draft *draft, const struct nereus_request *request,
                                        struct nereus_error *err)
{
    const bool world_per_group = nereus_request_has_world_per_group(request);
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < request->group_count && status == NEREUS_OK; i++) {
        const struct nereus_group *group = &request->groups[i];
        if (world_per_group || i == 0)
            draft->worlds[draft->world_count++] = (struct nereus_world){.id = draft->next_id++};
        struct nereus_world *world = &draft->worlds[draft->world_count - 1];
        add_to_world(world, group);
        status =
            nereus_segments_append(&draft->segments, world->id, group->node, group->processes, err);
    }
    return status;
}

static enum nereus_status wake_zombies(struct draft *draft, int64_t woken, struct nereus_error *err)
{
    const struct nereus_jobstate *old = draft->old;
    int64_t asleep = nereus_jobstate_zombies(old) - woken;
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < old->sleeper_count && status == NEREUS_OK; i++) {
        const struct nereus_segment *s = &old->sleepers[i];
        const int64_t here = nereus_min(s->count, asleep);
        asleep -= here;
        status = append_zombies(draft, s->world, s->node, here, err);
        if (status == NEREUS_OK)
            status = append_active(draft, s->world, s->node, s->count - here, err);
    }
    return status;
}

static enum nereus_status apply_expand(struct draft *draft, const struct nereus_request *request,
                                       struct nereus_error *err)
{
    const struct nereus_jobstate *old = draft->old;
    const int64_t missing = request->nt - request->ns;
    const int64_t woken = nereus_min(request->zombies, missing);
    enum nereus_status status = NEREUS_OK;
    keep_worlds(draft);
    for (int64_t i = 0; i < old->segment_count && status == NEREUS_OK; i++)
        status = append_active(draft, old->segments[i].world, old->segments[i].node,
                               old->segments[i].count, err);
    if (status == NEREUS_OK)
        status = wake_zombies(draft, woken, err);
    return status == NEREUS_OK ? append_groups(draft, request, err) : status;
}

/* Append a part of a segment whose processes all stay, all fall asleep (`leavers`) or all end. */
static enum nereus_status apply_to_part(struct draft *draft, const struct nereus_segment *segment,
                                        int64_t count, const struct nereus_leavers *leavers,
                                        struct nereus_error *err)
{
    if (leavers == NULL)
        return append_active(draft, segment->world, segment->node, count, err);
    if (leavers->ends == 0)
        return append_zombies(draft, segment->world, segment->node, count, err);
    draft->ended[nereus_jobstate_find_world(draft->old, segment->world)] = true;
    return NEREUS_OK;
}

/* Divide the segments by the leavers, in one pass over both lists, which are in rank order. */
static enum nereus_status apply_leavers(struct draft *draft, const struct nereus_request *request,
                                        struct nereus_error *err)
{
    const struct nereus_jobstate *old = draft->old;
    int64_t rank = 0, next = 0;
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < old->segment_count; i++) {
        const int64_t end = rank + old->segments[i].count;
        while (rank < end && status == NEREUS_OK) {
            while (next < request->leaver_count &&
                   request->leavers[next].first + request->leavers[next].count <= rank)
                next++;
            const struct nereus_leavers *leavers =
                next < request->leaver_count ? &request->leavers[next] : NULL;
            const bool leaves = leavers != NULL && leavers->first <= rank;
            int64_t until = leavers == NULL ? end
                            : leaves        ? leavers->first + leavers->count
                                            : leavers->first;
            until = nereus_min(until, end);
            status =
                apply_to_part(draft, &old->segments[i], until - rank, leaves ? leavers : NULL, err);
            rank = until;
        }
    }
    return status;
}

static enum nereus_status check_ended(const struct draft *draft, struct nereus_error *err)
{
    for (int64_t i = 0; i < draft->old->world_count; i++)
        if (draft->ended[i] && draft->worlds[i].processes + draft->worlds[i].zombies > 0)
            return fail_contradiction("only a part of a world ends, world",
                                      draft->old->worlds[i].id, err);
    return NEREUS_OK;
}

/* Append old zombies before new ones, because the last to fall asleep wakes first. */
static enum nereus_status keep_sleepers(struct draft *draft, struct nereus_error *err)
{
    const struct nereus_jobstate *old = draft->old;
    const struct nereus_segments fresh = draft->sleepers;
    enum nereus_status status = NEREUS_OK;
    draft->sleepers = (struct nereus_segments){0};
    for (int64_t i = 0; i < old->sleeper_count && status == NEREUS_OK; i++) {
        const struct nereus_segment *s = &old->sleepers[i];
        if (!draft->ended[nereus_jobstate_find_world(old, s->world)])
            status = append_zombies(draft, s->world, s->node, s->count, err);
    }
    if (status == NEREUS_OK)
        status = nereus_segments_append_all(&draft->sleepers, fresh.items, fresh.count, err);
    free(fresh.items);
    return status;
}

static enum nereus_status apply_shrink(struct draft *draft, const struct nereus_request *request,
                                       struct nereus_error *err)
{
    keep_worlds(draft);
    NEREUS_TRY(apply_leavers(draft, request, err));
    NEREUS_TRY(check_ended(draft, err));
    return keep_sleepers(draft, err);
}

static enum nereus_status fill_draft(struct draft *draft, const struct nereus_request *request,
                                     struct nereus_error *err)
{
    if (nereus_request_respawns(request))
        return append_groups(draft, request, err); /* all old worlds end */
    return request->nt < request->ns ? apply_shrink(draft, request, err)
                                     : apply_expand(draft, request, err);
}

static void store_state(struct draft *draft, struct nereus_jobstate *state)
{
    int64_t kept_count = 0;
    for (int64_t i = 0; i < draft->world_count; i++)
        if (draft->worlds[i].processes + draft->worlds[i].zombies > 0)
            draft->worlds[kept_count++] = draft->worlds[i];
    const int64_t cores_per_node = state->cores_per_node;
    free(draft->ended);
    nereus_jobstate_fini(state);
    *state = (struct nereus_jobstate){.worlds = draft->worlds,
                                      .world_count = kept_count,
                                      .segments = draft->segments.items,
                                      .segment_count = draft->segments.count,
                                      .sleepers = draft->sleepers.items,
                                      .sleeper_count = draft->sleepers.count,
                                      .next_world_id = draft->next_id,
                                      .cores_per_node = cores_per_node};
}

static enum nereus_status apply_placed(const struct nereus_request *request,
                                       struct nereus_jobstate *state, struct nereus_error *err)
{
    struct draft draft;
    int64_t processes = 0;
    enum nereus_status status = begin_draft(state, request->group_count, &draft, err);
    if (status == NEREUS_OK)
        status = fill_draft(&draft, request, err);
    for (int64_t i = 0; i < draft.segments.count; i++)
        processes += draft.segments.items[i].count;
    if (status == NEREUS_OK && processes != request->nt)
        status = fail_contradiction("processes that there would be", processes, err);
    if (status == NEREUS_OK)
        store_state(&draft, state);
    else
        free_draft(&draft);
    return status;
}

/* Is the request placed? Without groups and leavers only if no process starts or leaves. */
static bool is_placed(const struct nereus_request *request)
{
    if (request->group_count > 0 || request->leaver_count > 0)
        return true;
    return !nereus_request_respawns(request) && request->nt >= request->ns &&
           request->nt - request->ns <= request->zombies;
}

enum nereus_status nereus_jobstate_apply(const struct nereus_machine *machine,
                                         const struct nereus_request *request,
                                         struct nereus_jobstate *state, struct nereus_error *err)
{
    if (request->ns != nereus_jobstate_processes(state))
        return fail_contradiction("sources", request->ns, err);
    if (request->zombies < 0 || request->zombies > nereus_jobstate_zombies(state))
        return fail_contradiction("zombies", request->zombies, err);
    if (is_placed(request))
        return apply_placed(request, state, err);
    struct nereus_request own = *request;
    own.groups = NULL;
    own.leavers = NULL;
    NEREUS_TRY(nereus_request_place(machine, state, NULL, 0, &own, err));
    enum nereus_status status = apply_placed(&own, state, err);
    free(own.groups);
    free(own.leavers);
    return status;
}
