/**
 * @file placement_shrink.c
 * Chooses the processes that leave in a merge shrink (placement.h; Martín-Álvarez et al. (2025),
 * sections 4.6 and 4.7). Worlds that end as a whole are chosen first; the other leaving processes
 * sleep, the highest ranks first. The world of rank 0 is chosen last: the root changes, and if that
 * world spans several nodes it gives none back before it ends.
 */

#include "placement_build.h"

struct shrink {
    const struct nereus_placing *placing;
    const struct nereus_jobstate *state;
    int64_t leave;      /* processes that must leave */
    int64_t root_world; /* index of the world of rank 0 */
    bool *on_released;  /* indexed by world: has processes or zombies on a node to be given back */
    bool *ends;         /* indexed by world */
    bool *may_end;      /* indexed by world */
    int64_t *sleep;     /* indexed by segment: number of its last processes that become zombies */
};

static enum nereus_status open_shrink(const struct nereus_placing *placing, struct shrink *s,
                                      struct nereus_error *err)
{
    const struct nereus_jobstate *state = placing->state;
    const size_t worlds = (size_t)state->world_count;
    *s = (struct shrink){.placing = placing,
                         .state = state,
                         .leave = placing->request->ns - placing->request->nt,
                         .root_world = nereus_jobstate_find_world(state, state->segments[0].world)};
    s->on_released = calloc(3 * worlds, sizeof *s->on_released);
    s->sleep = calloc((size_t)state->segment_count, sizeof *s->sleep);
    NEREUS_TRY_MEMORY(s->on_released && s->sleep, err, "to choose who leaves a job of %zu worlds",
                      worlds);
    s->ends = s->on_released + worlds;
    s->may_end = s->ends + worlds;
    return NEREUS_OK;
}

static void close_shrink(struct shrink *s)
{
    free(s->on_released);
    free(s->sleep);
}

static void mark_on_released(struct shrink *s, const struct nereus_segment *list, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (nereus_placing_is_released(s->placing, list[i].node))
            s->on_released[nereus_jobstate_find_world(s->state, list[i].world)] = true;
}

static bool world_of_segment_ends(const struct shrink *s, int64_t i)
{
    return s->ends[nereus_jobstate_find_world(s->state, s->state->segments[i].world)];
}

/* Put to sleep the highest ranks of worlds that do not end. */
static void send_highest_to_sleep(struct shrink *s, int64_t count)
{
    for (int64_t i = s->state->segment_count - 1; i >= 0 && count > 0; i--) {
        if (world_of_segment_ends(s, i))
            continue;
        const int64_t awake = s->state->segments[i].count - s->sleep[i];
        const int64_t sleeping = nereus_min(awake, count);
        s->sleep[i] += sleeping;
        count -= sleeping;
    }
}

static void append_leavers(struct nereus_placed *placement, int64_t first, int64_t count, bool ends)
{
    struct nereus_leavers *last =
        placement->leaver_count > 0 ? &placement->leavers[placement->leaver_count - 1] : NULL;
    if (count == 0)
        return;
    if (last != NULL && last->first + last->count == first && last->ends == ends)
        last->count += count;
    else
        placement->leavers[placement->leaver_count++] = (struct nereus_leavers){first, count, ends};
}

static enum nereus_status list_leavers(const struct shrink *s, struct nereus_placed *placement,
                                       struct nereus_error *err)
{
    int64_t first = 0;
    placement->leavers = calloc((size_t)s->state->segment_count, sizeof *placement->leavers);
    NEREUS_TRY_MEMORY(placement->leavers, err, "for a list of who leaves");
    for (int64_t i = 0; i < s->state->segment_count; i++) {
        const int64_t count = s->state->segments[i].count;
        const bool ends = world_of_segment_ends(s, i);
        const int64_t leaving = ends ? count : s->sleep[i];
        append_leavers(placement, first + count - leaving, leaving, ends);
        first += count;
    }
    return NEREUS_OK;
}

/* A world without active processes ends, with its zombies (Martín-Álvarez et al. (2025), section
 * 4.7). */
static void end_sleeping_worlds(struct shrink *s)
{
    const struct nereus_jobstate *state = s->state;
    if (s->placing->request->keep_asleep != 0)
        return;
    for (int64_t world = 0; world < state->world_count; world++)
        s->may_end[world] = state->worlds[world].processes > 0;
    for (int64_t i = 0; i < state->segment_count; i++)
        if (s->sleep[i] < state->segments[i].count)
            s->may_end[nereus_jobstate_find_world(state, state->segments[i].world)] = false;
    for (int64_t world = 0; world < state->world_count; world++)
        s->ends[world] = s->ends[world] || s->may_end[world];
}

static enum nereus_status choose_sleepers(struct shrink *s, struct nereus_error *err)
{
    int64_t left = s->leave;
    for (int64_t i = 0; i < s->state->segment_count; i++)
        if (nereus_placing_is_released(s->placing, s->state->segments[i].node)) {
            s->sleep[i] = s->state->segments[i].count;
            left -= s->sleep[i];
        }
    if (left < 0)
        return nereus_fail(
            err, NEREUS_ERR_ILLEGAL,
            "on the nodes that are to be given back are %lld process%s: with zs the job goes from "
            "%lld to %lld at most, not to %lld (use ss)",
            (long long)(s->leave - left), nereus_plural_es((s->leave - left)),
            (long long)s->placing->request->ns, (long long)(s->placing->request->nt + left),
            (long long)s->placing->request->nt);
    send_highest_to_sleep(s, left);
    return NEREUS_OK;
}

/* The segments of each world, as linked lists. */
struct segment_lists {
    int64_t *first; /* indexed by world: a segment; -1: none */
    int64_t *next;  /* indexed by segment: another one of its world; -1: none */
};

static enum nereus_status list_segments(const struct shrink *s, struct segment_lists *lists,
                                        struct nereus_error *err)
{
    const int64_t worlds = s->state->world_count, segments = s->state->segment_count;
    lists->first = malloc((size_t)(worlds + segments) * sizeof *lists->first);
    NEREUS_TRY_MEMORY(lists->first, err, "for the worlds of %lld segments", (long long)segments);
    lists->next = lists->first + worlds;
    for (int64_t i = 0; i < worlds; i++)
        lists->first[i] = -1;
    for (int64_t i = 0; i < segments; i++) {
        const int64_t world = nereus_jobstate_find_world(s->state, s->state->segments[i].world);
        lists->next[i] = lists->first[world];
        lists->first[world] = i;
    }
    return NEREUS_OK;
}

/* End a world if each of its nodes keeps enough processes of other worlds.
 * @param[in,out] active  indexed by node: processes of the worlds that do not end */
static void end_world_by_layout(struct shrink *s, const struct segment_lists *lists, int64_t world,
                                int64_t *active)
{
    const struct nereus_segment *segments = s->state->segments;
    bool can_end = lists->first[world] >= 0;
    for (int64_t i = lists->first[world]; i >= 0; i = lists->next[i])
        active[segments[i].node] -= segments[i].count;
    for (int64_t i = lists->first[world]; i >= 0; i = lists->next[i])
        can_end =
            can_end && active[segments[i].node] >= nereus_layout_on(s->placing, segments[i].node);
    for (int64_t i = lists->first[world]; i >= 0 && !can_end; i = lists->next[i])
        active[segments[i].node] += segments[i].count;
    s->ends[world] = can_end;
}

/* End the worlds that the layout allows to end: the youngest first, the world of rank 0 last. */
static enum nereus_status end_worlds_by_layout(struct shrink *s, int64_t *active,
                                               struct nereus_error *err)
{
    struct segment_lists lists;
    NEREUS_TRY(list_segments(s, &lists, err));
    for (int64_t i = s->state->world_count - 1; i >= 0; i--)
        if (i != s->root_world)
            end_world_by_layout(s, &lists, i, active);
    end_world_by_layout(s, &lists, s->root_world, active);
    free(lists.first);
    return NEREUS_OK;
}

/* Put to sleep the highest ranks on each node, of worlds that do not end.
 * @param[in,out] active  indexed by node: processes of these worlds; afterwards those awake
 * @return their number */
static int64_t sleep_by_layout(struct shrink *s, int64_t *active)
{
    int64_t asleep = 0;
    for (int64_t i = s->state->segment_count - 1; i >= 0; i--) {
        const struct nereus_segment *segment = &s->state->segments[i];
        const int64_t excess = active[segment->node] - nereus_layout_on(s->placing, segment->node);
        if (world_of_segment_ends(s, i))
            continue;
        s->sleep[i] = nereus_max(0, nereus_min(segment->count, excess));
        active[segment->node] -= s->sleep[i];
        asleep += s->sleep[i];
    }
    return asleep;
}

/* Would a process sleep on a node that is to be empty?
 * @param[in] used  indexed by node: processes before the shrink */
static bool leaves_sleepers(const struct shrink *s, const int64_t *used)
{
    for (int64_t i = 0; i < s->state->segment_count; i++)
        if (s->sleep[i] > 0 && nereus_layout_on(s->placing, s->state->segments[i].node) == 0)
            return true;
    for (int64_t i = 0; i < s->state->sleeper_count; i++) {
        const struct nereus_segment *sleeper = &s->state->sleepers[i];
        if (used[sleeper->node] > 0 && nereus_layout_on(s->placing, sleeper->node) == 0 &&
            !s->ends[nereus_jobstate_find_world(s->state, sleeper->world)])
            return true;
    }
    return false;
}

static enum nereus_status refuse_layout_by_ts(int64_t asleep, struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_ILLEGAL,
        "ts cannot bring this layout about, as worlds end only as a whole (Martín-Álvarez et "
        "al. (2025), section 4.7): %lld process%s would have to sleep (zs), or all to be "
        "started anew (ss)",
        (long long)asleep, nereus_plural_es(asleep));
}

static enum nereus_status choose_by_layout(struct shrink *s, struct nereus_placed *placement,
                                           struct nereus_error *err)
{
    const enum nereus_shrink requested = s->placing->request->method.shrink;
    struct nereus_placing_nodes nodes = {0};
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY(nereus_layout_check_merge(s->placing, err));
    NEREUS_TRY(nereus_placing_nodes_init(s->placing, 0, &nodes, err));
    nereus_placing_count_used(s->placing, 0, &nodes);
    memcpy(nodes.given_cores, nodes.used_cores, (size_t)nodes.count * sizeof *nodes.given_cores);
    if (requested != NEREUS_ZS)
        status = end_worlds_by_layout(s, nodes.given_cores, err);
    const int64_t asleep = status == NEREUS_OK ? sleep_by_layout(s, nodes.given_cores) : 0;
    const bool leaves = status == NEREUS_OK && leaves_sleepers(s, nodes.used_cores);
    free(nodes.cores);
    NEREUS_TRY(status);
    if (requested == NEREUS_TS && asleep > 0)
        return refuse_layout_by_ts(asleep, err);
    if (requested == NEREUS_SHRINK_BY_STATE && leaves) {
        placement->shrink = NEREUS_SS;
        return nereus_place_respawn(s->placing, placement, err);
    }
    if (requested == NEREUS_SHRINK_BY_STATE)
        placement->shrink = asleep == s->leave ? NEREUS_ZS : NEREUS_TS;
    return NEREUS_OK;
}

/* Count the active processes of worlds on released nodes.
 * @param[out] all_active  each has some: leavers are ranks, so that a world of zombies alone cannot
 * be named */
static int64_t count_on_released(const struct shrink *s, bool *all_active)
{
    int64_t sum = 0;
    *all_active = true;
    for (int64_t i = 0; i < s->state->world_count; i++)
        if (s->on_released[i]) {
            sum += s->state->worlds[i].processes;
            *all_active &= s->state->worlds[i].processes > 0;
        }
    return sum;
}

/* End only the worlds that must end. */
static void end_required_worlds(struct shrink *s, bool root_ends)
{
    memcpy(s->ends, s->on_released, (size_t)s->state->world_count * sizeof *s->ends);
    s->ends[s->root_world] |= root_ends;
}

/* Choose worlds in addition to those that must end, with the world of rank 0 or without it.
 * @param[out] left  processes that must leave beyond whole worlds; -1: impossible */
static enum nereus_status try_worlds(struct shrink *s, bool root_ends, int64_t *left,
                                     struct nereus_error *err)
{
    int64_t leave = s->leave, given = 0;
    end_required_worlds(s, root_ends);
    for (int64_t i = 0; i < s->state->world_count; i++) {
        s->may_end[i] = !s->ends[i] && i != s->root_world;
        leave -= s->ends[i] ? s->state->worlds[i].processes : 0;
    }
    *left = -1;
    if (leave < 0)
        return NEREUS_OK;
    const enum nereus_status status =
        nereus_choose_worlds(s->state, s->may_end, leave, s->ends, &given, err);
    *left = leave - given;
    return status;
}

/* Count the active processes of worlds that are neither rank 0's nor on released nodes. */
static int64_t count_spare(const struct shrink *s)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < s->state->world_count; i++)
        sum += i != s->root_world && !s->on_released[i] ? s->state->worlds[i].processes : 0;
    return sum;
}

/* Choose worlds; rank 0's only if all others have too few processes, and if fewer have to sleep
 * when it ends: or equally many, if it spans several nodes, none of which is given back before. */
static enum nereus_status choose_by_state(struct shrink *s, int64_t required, int64_t *left,
                                          struct nereus_error *err)
{
    int64_t left_with_root = -1;
    enum nereus_status status = try_worlds(s, false, left, err);
    if (status != NEREUS_OK || s->on_released[s->root_world] ||
        s->leave - required <= count_spare(s))
        return status;
    status = try_worlds(s, true, &left_with_root, err);
    const bool several_nodes = s->state->worlds[s->root_world].nodes > 1;
    if (status != NEREUS_OK)
        return status;
    if (left_with_root >= 0 &&
        (left_with_root < *left || (left_with_root == *left && several_nodes)))
        *left = left_with_root;
    else
        status = try_worlds(s, false, left, err);
    return status;
}

/* Choose worlds that have exactly `leave` processes, rank 0's only if needed. */
static enum nereus_status choose_exactly(struct shrink *s, int64_t *left, struct nereus_error *err)
{
    enum nereus_status status = try_worlds(s, false, left, err);
    if (status != NEREUS_OK || *left == 0 || s->on_released[s->root_world])
        return status;
    return try_worlds(s, true, left, err);
}

/* Refuse ts, and name the nearest sizes that are possible. */
static enum nereus_status refuse_ts(struct shrink *s, int64_t required, bool all_active,
                                    struct nereus_error *err)
{
    const int64_t ns = s->placing->request->ns, nt = s->placing->request->nt;
    int64_t sums[2] = {-1, -1}; /* processes that leave in addition to those that must */
    char sizes[64] = "no other size";
    for (int64_t i = 0; i < s->state->world_count; i++)
        s->may_end[i] = !s->on_released[i];
    if (all_active && required < ns) {
        NEREUS_TRY(nereus_find_nearest_sums(s->state, s->may_end, s->leave - required,
                                            ns - 1 - required, sums, err));
    }
    const int64_t above = sums[1];
    int64_t below = sums[0];
    if (required + below <= 0)
        below = -1; /* NS is no shrink */
    if (below >= 0 && above >= 0)
        snprintf(sizes, sizeof sizes, "%lld or %lld", (long long)(ns - required - above),
                 (long long)(ns - required - below));
    else if (below >= 0 || above >= 0)
        snprintf(sizes, sizeof sizes, "%lld",
                 (long long)(ns - required - (below >= 0 ? below : above)));
    return nereus_fail(
        err, NEREUS_ERR_ILLEGAL,
        "ts cannot shrink the job from %lld to %lld process%s, as worlds end only as a whole "
        "(Martín-Álvarez et al. (2025), section 4.7): possible is %s; zs puts a part of a world to "
        "sleep, ss starts all anew",
        (long long)ns, (long long)nt, nereus_plural_es(nt), sizes);
}

static enum nereus_status choose_to_end(struct shrink *s, struct nereus_placed *placement,
                                        struct nereus_error *err)
{
    const bool exactly = s->placing->request->method.shrink == NEREUS_TS;
    bool all_active;
    const int64_t required = count_on_released(s, &all_active);
    int64_t left = -1;
    if (required > s->leave || !all_active) {
        if (exactly)
            return refuse_ts(s, required, all_active, err);
        placement->shrink = NEREUS_SS;
        return nereus_place_respawn(s->placing, placement, err);
    }
    NEREUS_TRY(exactly ? choose_exactly(s, &left, err) : choose_by_state(s, required, &left, err));
    if (exactly && left != 0)
        return refuse_ts(s, required, all_active, err);
    send_highest_to_sleep(s, left);
    if (!exactly)
        placement->shrink = left == s->leave ? NEREUS_ZS : NEREUS_TS;
    return NEREUS_OK;
}

enum nereus_status nereus_place_respawn(const struct nereus_placing *placing,
                                        struct nereus_placed *placement, struct nereus_error *err)
{
    struct nereus_placing_nodes nodes = {0};
    if (placing->layout != NULL)
        return nereus_place_layout(placing, placement, err);
    enum nereus_status status =
        nereus_placing_nodes_init(placing, placing->request->nt, &nodes, err);
    if (status == NEREUS_OK) {
        /* a shrink uses only nodes that the job has */
        nereus_placing_count_used(placing, 0, &nodes);
        for (int64_t i = 0; i < nodes.count; i++)
            nodes.cores[i] = nodes.used_cores[i] > 0 ? nodes.cores[i] : 0;
        memset(nodes.used_cores, 0, (size_t)nodes.count * sizeof *nodes.used_cores);
        status = nereus_placing_assign(placing, placing->request->nt, &nodes, placement, err);
    }
    free(nodes.cores);
    return status;
}

enum nereus_status nereus_place_shrink(const struct nereus_placing *placing,
                                       struct nereus_placed *placement, struct nereus_error *err)
{
    struct shrink s;
    enum nereus_status status = open_shrink(placing, &s, err);
    if (status == NEREUS_OK && placing->release_count > 0) {
        mark_on_released(&s, s.state->segments, s.state->segment_count);
        mark_on_released(&s, s.state->sleepers, s.state->sleeper_count);
    }
    if (status == NEREUS_OK)
        status = placing->layout != NULL ? choose_by_layout(&s, placement, err)
                 : placing->request->method.shrink == NEREUS_ZS ? choose_sleepers(&s, err)
                                                                : choose_to_end(&s, placement, err);
    if (status == NEREUS_OK && placing->request->method.shrink == NEREUS_ZS)
        end_sleeping_worlds(&s);
    if (status == NEREUS_OK && placement->shrink != NEREUS_SS)
        status = list_leavers(&s, placement, err);
    close_shrink(&s);
    return status;
}
