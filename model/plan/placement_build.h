/** @file placement_build.h  Declares structs and functions that placement*.c and placing.c share to
 * place the processes of a request. Private to model/plan. */
#pragma once

#include "placement.h"

/** Input of a placement. */
struct nereus_placing {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state;
    const int64_t *release;
    int64_t release_count;
    const struct nereus_group *layout; /* NULL: placed by the rules of placement.h */
    int64_t layout_count;
    const struct nereus_request *request;
};

/** Result of a placement. */
struct nereus_placed {
    enum nereus_shrink shrink;
    struct nereus_group *groups; /* owned */
    int64_t group_count;
    struct nereus_leavers *leavers; /* owned */
    int64_t leaver_count;
};

bool nereus_placing_is_released(const struct nereus_placing *placing, int64_t node);

/** For each node: usable cores, processes that stay, new processes. */
struct nereus_placing_nodes {
    int64_t count;
    int64_t *cores, *used_cores, *given_cores; /* one allocation, freed by `cores` */
};

/** Set `count` and `cores`; `used_cores` and `given_cores` become 0. */
enum nereus_status nereus_placing_nodes_init(const struct nereus_placing *placing,
                                             int64_t processes, struct nereus_placing_nodes *nodes,
                                             struct nereus_error *err);
/** Count processes that stay, and zombies that are woken, in nodes->used_cores. */
void nereus_placing_count_used(const struct nereus_placing *placing, int64_t woken,
                               struct nereus_placing_nodes *nodes);
/** Make one group for the new processes of each node (`given_cores`), or for each batch of them. */
enum nereus_status nereus_placing_groups(const struct nereus_request *request,
                                         const struct nereus_placing_nodes *nodes,
                                         struct nereus_placed *placement, struct nereus_error *err);

/** Choose nodes for n new processes by the rules of placement.h, and make their groups. */
enum nereus_status nereus_placing_assign(const struct nereus_placing *placing, int64_t n,
                                         struct nereus_placing_nodes *nodes,
                                         struct nereus_placed *placement, struct nereus_error *err);

/** Place new processes by the layout, by respawn or by an expanding merge (placement_layout.c). */
enum nereus_status nereus_place_layout(const struct nereus_placing *placing,
                                       struct nereus_placed *placement, struct nereus_error *err);
/** Refuse a merge in which some nodes gain processes while others lose some. */
enum nereus_status nereus_layout_check_merge(const struct nereus_placing *placing,
                                             struct nereus_error *err);
/** @return processes that the layout puts on the node */
int64_t nereus_layout_on(const struct nereus_placing *placing, int64_t node);

/** Make the groups of a shrink by respawn (ss), on nodes that the job has and keeps. */
enum nereus_status nereus_place_respawn(const struct nereus_placing *placing,
                                        struct nereus_placed *placement, struct nereus_error *err);

/** Choose the processes that leave in a merge shrink. */
enum nereus_status nereus_place_shrink(const struct nereus_placing *placing,
                                       struct nereus_placed *placement, struct nereus_error *err);

/** Choose the worlds that end, so that at most `leave` active processes leave with whole worlds:
 * the youngest first, or the combination with most processes if that gives more. Only worlds with
 * may_end[i] are chosen; ends[i] is set.
 * @param[out] given  active processes of the chosen worlds, <= leave */
enum nereus_status nereus_choose_worlds(const struct nereus_jobstate *state, const bool *may_end,
                                        int64_t leave, bool *ends, int64_t *given,
                                        struct nereus_error *err);

/** Find the sums of world sizes nearest to `leave` (which may be negative): below it, and at or
 * above it up to the limit; -1: none. */
enum nereus_status nereus_find_nearest_sums(const struct nereus_jobstate *state,
                                            const bool *may_end, int64_t leave, int64_t limit,
                                            int64_t sums[2], struct nereus_error *err);
