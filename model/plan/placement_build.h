/* What the files of placement share. Private to model/. */
#ifndef NEREUS_PLACEMENT_BUILD_H
#define NEREUS_PLACEMENT_BUILD_H

#include "placement.h"

/* A wish, with the marks of the nodes that are given back. */
struct nereus_placing {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state;
    const int64_t *release;
    int64_t release_count;
    const struct nereus_request *request;
};

/* What is decided. */
struct nereus_placed {
    enum nereus_shrink shrink;
    struct nereus_group *groups; /* owned */
    int64_t group_count;
    struct nereus_leavers *leavers; /* owned */
    int64_t leaver_count;
};

bool nereus_placing_released(const struct nereus_placing *placing, int64_t node);

/* Groups of a shrink by respawn: on the nodes that the job is on and keeps. */
enum nereus_status nereus_place_respawn(const struct nereus_placing *placing, struct nereus_placed *placed,
                                        struct nereus_error *err);

/* A merge shrink. */
enum nereus_status nereus_place_shrink(const struct nereus_placing *placing, struct nereus_placed *placed,
                                       struct nereus_error *err);

/*
 * Which worlds end, so that `leave` active processes go, or as many as whole worlds can give: the youngest first
 * and, where that does not come out, the combination that gives most. Only worlds with may_end[i] are taken; ends[i] is set.
 * @param[out] given  their active processes, <= leave
 */
enum nereus_status nereus_choose_worlds(const struct nereus_jobstate *state, const bool *may_end,
                                        int64_t leave, bool *ends, int64_t *given, struct nereus_error *err);

/* The sums of such worlds that come nearest to `leave` (which may be negative): *below it, and at or *above it up to the
 * limit; -1: there is none. */
enum nereus_status nereus_nearest_sums(const struct nereus_jobstate *state, const bool *may_end,
                                       int64_t leave, int64_t limit, int64_t *below, int64_t *above,
                                       struct nereus_error *err);

#endif
