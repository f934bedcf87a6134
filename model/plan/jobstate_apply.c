/**
 * @file jobstate_apply.c
 * Computes the job state after a committed reconfiguration, as a new state, so that an error leaves
 * the old one unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "model/layout/jobstate_segments.h"
#include "model/util/arith.h"
#include "model/util/try.h"
#include "placement.h"

/* The state under construction: old worlds with new counts, then the new worlds. */
struct making {
    const struct nereus_jobstate *old;
    struct nereus_world *worlds;
    int64_t world_count, next_id;
    bool *ended; /* indexed by old world */
    struct nereus_segments segments, sleepers;
};

static enum nereus_status open_making(const struct nereus_jobstate *old, int64_t new_worlds,
                                      struct making *making, struct nereus_error *err)
{
    *making = (struct making){.old = old, .next_id = old->next_world_id};
    making->worlds = calloc((size_t)(old->world_count + new_worlds) + 1, sizeof *making->worlds);
    making->ended = calloc((size_t)old->world_count + 1, sizeof *making->ended);
    NEREUS_TRY_MEMORY(making->worlds && making->ended, err, "for a job state of %lld worlds",
                      (long long)(old->world_count + new_worlds));
    return NEREUS_OK;
}

static void free_making(struct making *making)
{
    free(making->worlds);
    free(making->ended);
    free(making->segments.items);
    free(making->sleepers.items);
}

static enum nereus_status fail_contradiction(const char *what, int64_t number,
                                             struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "the request does not fit the job that it is to have changed: %s (%lld)",
                       what, (long long)number);
}

/* Copy the worlds without their processes, which are counted again. */
static void keep_worlds(struct making *making)
{
    making->world_count = making->old->world_count;
    for (int64_t i = 0; i < making->world_count; i++) {
        making->worlds[i] = making->old->worlds[i];
        making->worlds[i].processes = making->worlds[i].zombies = 0;
    }
}

static enum nereus_status keep_processes(struct making *making, int64_t world, int64_t node,
                                         int64_t count, struct nereus_error *err)
{
    making->worlds[nereus_jobstate_find_world(making->old, world)].processes += count;
    return nereus_segments_append(&making->segments, world, node, count, err);
}

static enum nereus_status sleep_on(struct making *making, int64_t world, int64_t node,
                                   int64_t count, struct nereus_error *err)
{
    making->worlds[nereus_jobstate_find_world(making->old, world)].zombies += count;
    return nereus_segments_append(&making->sleepers, world, node, count, err);
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

static enum nereus_status add_groups(struct making *making, const struct nereus_request *request,
                                     struct nereus_error *err)
{
    const bool each = nereus_request_has_world_per_group(request);
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < request->group_count && status == NEREUS_OK; i++) {
        const struct nereus_group *group = &request->groups[i];
        if (each || i == 0)
            making->worlds[making->world_count++] = (struct nereus_world){.id = making->next_id++};
        struct nereus_world *world = &making->worlds[making->world_count - 1];
        add_to_world(world, group);
        status = nereus_segments_append(&making->segments, world->id, group->node, group->processes,
                                        err);
    }
    return status;
}

static enum nereus_status wake_zombies(struct making *making, int64_t woken,
                                       struct nereus_error *err)
{
    const struct nereus_jobstate *old = making->old;
    int64_t asleep = nereus_jobstate_zombies(old) - woken;
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < old->sleeper_count && status == NEREUS_OK; i++) {
        const struct nereus_segment *s = &old->sleepers[i];
        const int64_t here = nereus_min(s->count, asleep);
        asleep -= here;
        status = sleep_on(making, s->world, s->node, here, err);
        if (status == NEREUS_OK)
            status = keep_processes(making, s->world, s->node, s->count - here, err);
    }
    return status;
}

static enum nereus_status apply_expand(struct making *making, const struct nereus_request *request,
                                       struct nereus_error *err)
{
    const struct nereus_jobstate *old = making->old;
    const int64_t missing = request->nt - request->ns;
    const int64_t woken = nereus_min(request->zombies, missing);
    enum nereus_status status = NEREUS_OK;
    keep_worlds(making);
    for (int64_t i = 0; i < old->segment_count && status == NEREUS_OK; i++)
        status = keep_processes(making, old->segments[i].world, old->segments[i].node,
                                old->segments[i].count, err);
    if (status == NEREUS_OK)
        status = wake_zombies(making, woken, err);
    return status == NEREUS_OK ? add_groups(making, request, err) : status;
}

/* Sort a part of a segment in which all processes stay, all sleep or all end. */
static enum nereus_status sort_part(struct making *making, const struct nereus_segment *segment,
                                    int64_t count, const struct nereus_leavers *leavers,
                                    struct nereus_error *err)
{
    if (leavers == NULL)
        return keep_processes(making, segment->world, segment->node, count, err);
    if (leavers->ends == 0)
        return sleep_on(making, segment->world, segment->node, count, err);
    making->ended[nereus_jobstate_find_world(making->old, segment->world)] = true;
    return NEREUS_OK;
}

/* Divide the segments by the leavers, in one pass over both lists, which are in rank order. */
static enum nereus_status sort_active(struct making *making, const struct nereus_request *request,
                                      struct nereus_error *err)
{
    const struct nereus_jobstate *old = making->old;
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
                sort_part(making, &old->segments[i], until - rank, leaves ? leavers : NULL, err);
            rank = until;
        }
    }
    return status;
}

static enum nereus_status check_ended(const struct making *making, struct nereus_error *err)
{
    for (int64_t i = 0; i < making->old->world_count; i++)
        if (making->ended[i] && making->worlds[i].processes + making->worlds[i].zombies > 0)
            return fail_contradiction("only a part of a world ends, world",
                                      making->old->worlds[i].id, err);
    return NEREUS_OK;
}

/* Append old zombies before those that fall asleep now, because the last to fall asleep wakes
 * first. */
static enum nereus_status keep_sleepers(struct making *making, struct nereus_error *err)
{
    const struct nereus_jobstate *old = making->old;
    const struct nereus_segments fresh = making->sleepers;
    enum nereus_status status = NEREUS_OK;
    making->sleepers = (struct nereus_segments){0};
    for (int64_t i = 0; i < old->sleeper_count && status == NEREUS_OK; i++) {
        const struct nereus_segment *s = &old->sleepers[i];
        if (!making->ended[nereus_jobstate_find_world(old, s->world)])
            status = sleep_on(making, s->world, s->node, s->count, err);
    }
    if (status == NEREUS_OK)
        status = nereus_segments_append_all(&making->sleepers, fresh.items, fresh.count, err);
    free(fresh.items);
    return status;
}

static enum nereus_status apply_shrink(struct making *making, const struct nereus_request *request,
                                       struct nereus_error *err)
{
    keep_worlds(making);
    NEREUS_TRY(sort_active(making, request, err));
    NEREUS_TRY(check_ended(making, err));
    return keep_sleepers(making, err);
}

static enum nereus_status make_next(struct making *making, const struct nereus_request *request,
                                    struct nereus_error *err)
{
    if (nereus_request_respawns(request))
        return add_groups(making, request, err); /* all old worlds end */
    return request->nt < request->ns ? apply_shrink(making, request, err)
                                     : apply_expand(making, request, err);
}

static void store_state(struct making *making, struct nereus_jobstate *state)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < making->world_count; i++)
        if (making->worlds[i].processes + making->worlds[i].zombies > 0)
            making->worlds[kept++] = making->worlds[i];
    const int64_t cores_per_node = state->cores_per_node;
    free(making->ended);
    nereus_jobstate_fini(state);
    *state = (struct nereus_jobstate){.worlds = making->worlds,
                                      .world_count = kept,
                                      .segments = making->segments.items,
                                      .segment_count = making->segments.count,
                                      .sleepers = making->sleepers.items,
                                      .sleeper_count = making->sleepers.count,
                                      .next_world_id = making->next_id,
                                      .cores_per_node = cores_per_node};
}

static enum nereus_status apply_placed(const struct nereus_request *request,
                                       struct nereus_jobstate *state, struct nereus_error *err)
{
    struct making making;
    int64_t processes = 0;
    enum nereus_status status = open_making(state, request->group_count, &making, err);
    if (status == NEREUS_OK)
        status = make_next(&making, request, err);
    for (int64_t i = 0; i < making.segments.count; i++)
        processes += making.segments.items[i].count;
    if (status == NEREUS_OK && processes != request->nt)
        status = fail_contradiction("processes that there would be", processes, err);
    if (status == NEREUS_OK)
        store_state(&making, state);
    else
        free_making(&making);
    return status;
}

/* Is the request complete? Without groups and leavers only if no process starts or leaves. */
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
