/* Shared by placement*.c. Private to model/plan. */
#ifndef NEREUS_PLACEMENT_BUILD_H
#define NEREUS_PLACEMENT_BUILD_H

#include "placement.h"

/* A request and the nodes that it gives back. */
struct nereus_placing {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state;
    const int64_t *release;
    int64_t release_count;
    const struct nereus_request *request;
};

/* The result. */
struct nereus_placed {
    enum nereus_shrink shrink;
    struct nereus_group *groups; /* owned */
    int64_t group_count;
    struct nereus_leavers *leavers; /* owned */
    int64_t leaver_count;
};

bool nereus_placing_released(const struct nereus_placing *placing, int64_t node);

/* Groups of a shrink by respawn, on nodes that the job has and keeps. */
enum nereus_status nereus_place_respawn(const struct nereus_placing *placing,
                                        struct nereus_placed *placed, struct nereus_error *err);

/* A merge shrink. */
enum nereus_status nereus_place_shrink(const struct nereus_placing *placing,
                                       struct nereus_placed *placed, struct nereus_error *err);

/*
 * Choose the worlds that end, so that at most `leave` active processes leave with whole worlds: the
 * youngest first, or the combination with most processes if that gives more. Only worlds with
 * may_end[i] are chosen; ends[i] is set.
 * @param[out] given  active processes of the chosen worlds, <= leave
 */
enum nereus_status nereus_choose_worlds(const struct nereus_jobstate *state, const bool *may_end,
                                        int64_t leave, bool *ends, int64_t *given,
                                        struct nereus_error *err);

/* The sums of world sizes nearest to `leave` (which may be negative): *below it, and at or *above
 * it up to the limit; -1: none. */
enum nereus_status nereus_nearest_sums(const struct nereus_jobstate *state, const bool *may_end,
                                       int64_t leave, int64_t limit, int64_t *below, int64_t *above,
                                       struct nereus_error *err);

#endif
