/** @file test_plan.c  The steps of each reconfiguration, who takes part, its hash, and what is not
 * planned. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"
#include "nereus/plan.h"
#include "tests/unit/random.h"

/* 8072 bytes constant, 262148 variable, 56 replicated (of whatever kind: no source changes them, so
 * that they move last). */
static struct nereus_data_entry some_data[] = {
    {"x", 8, 1009, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"y", 4, 65537, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"z", 8, 7, NEREUS_CONSTANT, .placement = NEREUS_REPLICATED}};

static struct nereus_request request_for(const char *method, int64_t ns, int64_t nt,
                                         int64_t zombies, bool with_data)
{
    struct nereus_request r;
    struct nereus_error err;
    memset(&r, 0xa5, sizeof r); /* padding must not matter */
    r.version = NEREUS_RECORD_VERSION;
    r.number = 3;
    r.point = 17;
    r.ns = ns;
    r.nt = nt;
    r.zombies = zombies;
    r.next_world_id = 4;
    cr_assert(nereus_method_parse(method, &r.method, &err) == NEREUS_OK, "%s", err.text);
    r.data_count = with_data ? NEREUS_COUNT_OF(some_data) : 0;
    r.data = with_data ? some_data : NULL;
    r.group_count = r.leaver_count = r.bridge = r.batch = r.partition_count = 0;
    r.gained_nodes = r.lost_count = r.keep_asleep = 0;
    r.lost_nodes = NULL;
    r.partitions = NULL;
    r.groups = NULL;
    r.leavers = NULL;
    return r;
}

/* New processes on nodes 3, 1, 7, ...: unequal groups, or `equal`. */
static struct nereus_group unequal[] = {{3, 5}, {1, 2}, {7, 4}, {8, 1}, {4, 2}},
                           equal[] = {{3, 7}, {1, 7}, {7, 7}, {8, 7}, {4, 7}, {2, 7}, {6, 7}};

static struct nereus_plan plan_for(const struct nereus_request *request)
{
    struct nereus_plan plan;
    struct nereus_error err;
    cr_assert(nereus_plan_make(request, &plan, &err) == NEREUS_OK, "%s", err.text);
    return plan;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A step as text: what, who (Staying, Leaving, Woken, New, Releasing), old + new processes @ first
 * new one; where they are not the usual: so many at once (x) and after each other (*), level (l),
 * auxiliary thread, at points; bytes (constant, variable, replicated). */
static void print_step(const struct nereus_step *step, char *text, size_t size)
{
    char roles[6] = "";
    size_t used;
    for (int i = 0; i < 5; i++)
        if (step->roles & (1u << i))
            strncat(roles, &"SLWNR"[i], 1);
    used = (size_t)snprintf(text, size, "%s %s %lld+%lld@%lld", nereus_step_name(step->kind), roles,
                            (long long)step->old_processes, (long long)step->new_processes,
                            (long long)step->first_new);
    if (step->repeat != 1)
        used += (size_t)snprintf(text + used, size - used, " x%lld", (long long)step->repeat);
    if (step->times != 1)
        used += (size_t)snprintf(text + used, size - used, " *%lld", (long long)step->times);
    if (step->level != 0)
        used += (size_t)snprintf(text + used, size - used, " l%lld", (long long)step->level);
    if (step->thread == NEREUS_AUXILIARY_THREAD)
        used += (size_t)snprintf(text + used, size - used, " aux");
    if (step->thread == NEREUS_AT_POINTS)
        used += (size_t)snprintf(text + used, size - used, " pts");
    if (step->constant_bytes + step->variable_bytes > 0)
        used += (size_t)snprintf(text + used, size - used, " %lldc %lldv",
                                 (long long)step->constant_bytes, (long long)step->variable_bytes);
    if (step->replicated_bytes > 0)
        snprintf(text + used, size - used, " %lldr", (long long)step->replicated_bytes);
}

struct row {
    const char *method;
    int64_t ns, nt, zombies;
    bool data;
    const char *source;
    const char *steps[24];
    int groups; /* > 0: so many of `unequal`; < 0: of `equal` */
    int leaver_count;
    struct nereus_leavers leavers[4];
};

static struct nereus_request request_of(const struct row *row, bool data)
{
    struct nereus_request r = request_for(row->method, row->ns, row->nt, row->zombies, data);
    r.group_count = row->groups < 0 ? -row->groups : row->groups;
    r.groups = row->groups < 0 ? equal : row->groups > 0 ? unequal : NULL;
    r.leaver_count = row->leaver_count;
    r.leavers = row->leaver_count > 0 ? (struct nereus_leavers *)row->leavers : NULL;
    return r;
}

static const struct row rows[] = {
    {"baseline", 23, 37, 0, false, "Martín-Álvarez et al. (2024a), equation 1: T_spawn(NS, NT)",
     .steps = {"decide L 23+0@0", "spawn L 23+37@0", "join LN 23+37@0", "agree LN 23+37@0",
               "commit LN 23+37@0", "disconnect LN 23+37@0"}},
    {"baseline/coll", 37, 23, 0, true, "the same, shrinking, and data before the agreement",
     .steps = {"decide L 37+0@0", "spawn L 37+23@0", "join LN 37+23@0",
               "allocate LN 37+0@0 8072c 262148v 56r", "agree LN 37+0@0",
               "redistribute LN 37+23@0 8072c 262148v 56r", "agree LN 37+23@0",
               "commit LN 37+23@0 8072c 262148v", "disconnect LN 37+23@0"}},
    {"baseline/p2p", 5, 5, 3, false, "the same: a full respawn, with zombies too",
     .steps = {"decide L 5+0@0", "spawn L 5+5@0", "join LN 5+5@0", "agree LN 5+5@0",
               "commit LN 5+5@0", "disconnect LN 5+5@0"}},
    {"baseline-single", 23, 37, 0, false, "equation 4: T_spawn(1, NT) + T_connect(NS, NT)",
     .steps = {"decide L 23+0@0", "spawn L 23+37@0", "join LN 23+37@0", "connect LN 23+37@0",
               "agree LN 23+37@0", "commit LN 23+37@0", "disconnect LN 23+37@0"}},
    {"restart/file", 23, 37, 5, true, "old processes have ended before new ones start",
     .steps = {"decide L 23+0@0", "write L 23+0@0 8072c 262148v 56r", "agree L 23+0@0",
               "end L 23+0@0", "start N 0+37@0", "read N 0+37@0 8072c 262148v 56r",
               "agree N 0+37@0", "commit N 0+37@0"}},
    {"restart", 7, 7, 0, false, "without data no file step; NS = NT is a restart too",
     .steps = {"decide L 7+0@0", "agree L 7+0@0", "end L 7+0@0", "start N 0+7@0", "agree N 0+7@0",
               "commit N 0+7@0"}},
    {"merge", 23, 37, 0, false, "equation 2: T_spawn(NS, NT - NS) + T_merge(NT)",
     .steps = {"decide S 23+0@0", "spawn S 23+14@23", "join SN 23+14@23", "merge SN 23+14@23",
               "agree SN 23+14@0", "commit SN 23+14@0"}},
    {"merge-single/p2p", 23, 37, 0, true,
     "equation 5: T_spawn(1, NT - NS) + T_connect + T_merge(NT)",
     .steps = {"decide S 23+0@0", "spawn S 23+14@23", "join SN 23+14@23", "connect SN 23+14@23",
               "merge SN 23+14@23", "allocate SN 23+0@0 8072c 262148v 56r", "agree SN 23+0@0",
               "redistribute SN 23+37@0 8072c 262148v 56r", "agree SN 23+14@0",
               "commit SN 23+14@0 8072c 262148v"}},
    {"merge", 37, 23, 0, false, "equation 3: T_split(NS) + T_gather(NS)",
     .steps = {"decide SL 37+0@0", "split SL 37+0@0", "gather SL 37+0@0", "agree SL 37+0@0",
               "commit SL 37+0@0", "sleep SL 37+0@0"}},
    {"merge-zs/coll", 37, 23, 6, true, "equation 3, and data before it",
     .steps = {"decide SL 37+0@0", "allocate SL 37+0@0 8072c 262148v 56r", "agree SL 37+0@0",
               "redistribute SL 37+23@0 8072c 262148v 56r", "split SL 37+0@0", "gather SL 37+0@0",
               "agree SL 37+0@0", "commit SL 37+0@0 8072c 262148v", "sleep SL 37+0@0"}},
    {"merge-single", 37, 23, 0, false,
     "equation 3: a shrink spawns nothing, so nothing is connected",
     .steps = {"decide SL 37+0@0", "split SL 37+0@0", "gather SL 37+0@0", "agree SL 37+0@0",
               "commit SL 37+0@0", "sleep SL 37+0@0"}},
    {"merge", 23, 37, 5, false, "zombies first, then equation 2 for what is missing",
     .steps = {"decide S 23+0@0", "wake SW 23+5@0", "spawn SW 28+9@28", "join SWN 28+9@28",
               "merge SWN 28+9@28", "agree SWN 23+14@0", "commit SWN 23+14@0"}},
    {"merge", 23, 37, 14, false, "exactly as many zombies as are missing: nothing is spawned",
     .steps = {"decide S 23+0@0", "wake SW 23+14@0", "agree SW 23+14@0", "commit SW 23+14@0"}},
    {"merge/coll", 23, 37, 19, true, "more zombies than are missing: some sleep on",
     .steps = {"decide S 23+0@0", "wake SW 23+14@0", "allocate SW 23+0@0 8072c 262148v 56r",
               "agree SW 23+0@0", "redistribute SW 23+37@0 8072c 262148v 56r", "agree SW 23+14@0",
               "commit SW 23+14@0 8072c 262148v"}},
    {"merge-async", 23, 37, 0, false,
     "Martín-Álvarez et al. (2024a), section 3.4: an auxiliary thread does all but the decision, "
     "then old and new meet",
     .steps = {"decide S 23+0@0", "spawn S 23+14@23 aux", "join SN 23+14@23 aux",
               "merge SN 23+14@23 aux", "synchronise SN 23+14@0", "agree SN 23+14@0",
               "commit SN 23+14@0"}},
    {"baseline-single-async/coll", 4, 3, 0, true,
     "3.3 with 3.4, and the data with the application stopped",
     .steps = {"decide L 4+0@0", "spawn L 4+3@0 aux", "join LN 4+3@0 aux", "connect LN 4+3@0 aux",
               "synchronise LN 4+3@0", "allocate LN 4+0@0 8072c 262148v 56r", "agree LN 4+0@0",
               "redistribute LN 4+3@0 8072c 262148v 56r", "agree LN 4+3@0",
               "commit LN 4+3@0 8072c 262148v", "disconnect LN 4+3@0"}},
    {"merge-async", 37, 23, 0, false, "equation 3 by a thread",
     .steps = {"decide SL 37+0@0", "split SL 37+0@0 aux", "gather SL 37+0@0 aux",
               "synchronise SL 37+0@0", "agree SL 37+0@0", "commit SL 37+0@0", "sleep SL 37+0@0"}},
    {"baseline-intra/coll", 23, 37, 0, true,
     "errata: all processes are merged first, the sources before the targets",
     .steps = {"decide L 23+0@0", "spawn L 23+37@0", "join LN 23+37@0", "merge LN 23+37@0",
               "allocate LN 23+0@0 8072c 262148v 56r", "agree LN 23+0@0",
               "redistribute LN 23+37@0 8072c 262148v 56r", "agree LN 23+37@0",
               "commit LN 23+37@0 8072c 262148v", "disconnect LN 23+37@0"}},
    {"merge-multiple", 3, 17, 0, false,
     "one world after the other; three rounds connect five; one connection with the parents",
     .steps = {"decide S 3+0@0", "spawn S 3+14@3 *5 l1", "join SN 3+14@3 *5 l1",
               "synchronise SN 3+14@3 l1", "synchronise SN 3+14@3 l-1", "connect N 3+14@3 x2 l1",
               "connect N 3+14@3 l2", "connect N 3+14@3 l3", "reorder N 3+14@3",
               "connect SN 3+14@3", "merge SN 3+14@3", "agree SN 3+14@0", "commit SN 3+14@0"},
     .groups = 5},
    {"baseline-launch", 3, 14, 0, false, "all worlds at once by the launcher, then as multiple",
     .steps = {"decide L 3+0@0", "launch L 3+14@0 x5 l1", "join LN 3+14@0 *5 l1",
               "synchronise LN 3+14@0 l1", "synchronise LN 3+14@0 l-1", "connect N 3+14@0 x2 l1",
               "connect N 3+14@0 l2", "connect N 3+14@0 l3", "reorder N 3+14@0",
               "connect LN 3+14@0", "agree LN 3+14@0", "commit LN 3+14@0", "disconnect LN 3+14@0"},
     .groups = 5},
    {"merge-diffusive", 1, 15, 0, false,
     "Martín-Álvarez et al. (2025), sections 4.2 to 4.6: t = 1, 6, 15; two levels; five groups in "
     "three rounds",
     .steps = {"decide S 1+0@0", "spawn S 1+5@1 l1", "join SN 1+5@1 l1", "spawn SN 6+9@6 x4 l2",
               "join SN 6+9@6 x4 l2", "synchronise SN 1+14@1 l2", "synchronise SN 1+14@1 l-2",
               "connect N 1+14@1 x2 l1", "connect N 1+14@1 l2", "connect N 1+14@1 l3",
               "reorder N 1+14@1", "connect SN 1+14@1", "merge SN 1+14@1", "agree SN 1+14@0",
               "commit SN 1+14@0"},
     .groups = 5},
    {"merge-binomial", 3, 17, 0, false,
     "1, 2 and the last 2 groups are started by as many roots: 3, 8, 14, 17 processes; connected "
     "as "
     "diffusive",
     .steps = {"decide S 3+0@0", "spawn S 3+5@3 l1", "join SN 3+5@3 l1", "spawn SN 8+6@8 x2 l2",
               "join SN 8+6@8 x2 l2", "spawn SN 14+3@14 x2 l3", "join SN 14+3@14 x2 l3",
               "synchronise SN 3+14@3 l3", "synchronise SN 3+14@3 l-3", "connect N 3+14@3 x2 l1",
               "connect N 3+14@3 l2", "connect N 3+14@3 l3", "reorder N 3+14@3",
               "connect SN 3+14@3", "merge SN 3+14@3", "agree SN 3+14@0", "commit SN 3+14@0"},
     .groups = 5},
    {"baseline-hypercube-async", 7, 49, 0, false,
     "4.1, C = 7, one node: baseline, 1 step of equation 3 (7 + 1 = 8 >= 7 + 1); by a thread",
     .steps = {"decide L 7+0@0", "spawn L 7+49@0 x7 l1 aux", "join LN 7+49@0 x7 l1 aux",
               "synchronise LN 7+49@0 l1 aux", "synchronise LN 7+49@0 l-1 aux",
               "connect N 7+49@0 x3 l1 aux", "connect N 7+49@0 x2 l2 aux",
               "connect N 7+49@0 l3 aux", "reorder N 7+49@0 aux", "connect LN 7+49@0 aux",
               "synchronise LN 7+49@0", "agree LN 7+49@0", "commit LN 7+49@0",
               "disconnect LN 7+49@0"},
     .groups = -7},
    {"merge-diffusive", 2, 12, 3, false,
     "zombies first: they start groups too; two groups, one round",
     .steps = {"decide S 2+0@0", "wake SW 2+3@0", "spawn SW 5+7@5 x2 l1", "join SWN 5+7@5 x2 l1",
               "synchronise SWN 5+7@5 l1", "synchronise SWN 5+7@5 l-1", "connect N 5+7@5 l1",
               "reorder N 5+7@5", "connect SWN 5+7@5", "merge SWN 5+7@5", "agree SWN 2+10@0",
               "commit SWN 2+10@0"},
     .groups = 2},
    {"merge-hypercube", 7, 14, 0, false,
     "one group: nothing to connect among the new, nothing to reorder",
     .steps = {"decide S 7+0@0", "spawn S 7+7@7 l1", "join SN 7+7@7 l1", "synchronise SN 7+7@7 l1",
               "synchronise SN 7+7@7 l-1", "connect SN 7+7@7", "merge SN 7+7@7", "agree SN 7+7@0",
               "commit SN 7+7@0"},
     .groups = -1},
    {"merge-ss", 9, 7, 0, false,
     "Martín-Álvarez et al. (2025), section 4.6: a parallel expansion by baseline; 9 sources "
     "start 2 groups",
     .steps = {"decide L 9+0@0", "spawn L 9+7@0 x2 l1", "join LN 9+7@0 x2 l1",
               "synchronise LN 9+7@0 l1", "synchronise LN 9+7@0 l-1", "connect N 9+7@0 l1",
               "reorder N 9+7@0", "connect LN 9+7@0", "agree LN 9+7@0", "commit LN 9+7@0",
               "disconnect LN 9+7@0"},
     .groups = 2},
    {"merge-ts", 23, 14, 0, false, "4.7: whole worlds end, nobody sleeps, so nobody is gathered",
     .steps = {"decide SL 23+0@0", "split SL 23+0@0", "agree SL 23+0@0", "commit SL 23+0@0",
               "terminate SL 23+9@0"},
     .leaver_count = 1, .leavers = {{8, 9, 1}}},
    {"merge-ts/coll", 23, 14, 4, true,
     "4.7: zombies wake only to release communicators; the root's own world leaves",
     .steps = {"decide SL 23+0@0", "wake SLR 23+4@0", "allocate SL 23+0@0 8072c 262148v 56r",
               "agree SL 23+0@0", "redistribute SL 23+14@0 8072c 262148v 56r", "split SL 23+0@0",
               "agree SL 23+0@0", "commit SL 23+0@0 8072c 262148v", "terminate SLR 23+9@0"},
     .leaver_count = 2, .leavers = {{0, 3, 1}, {11, 6, 1}}},
    {"merge", 23, 14, 4, false, "4.6: part of a node sleeps, another world ends",
     .steps = {"decide SL 23+0@0", "wake SLR 23+4@0", "split SL 23+0@0", "gather SL 23+0@0",
               "agree SL 23+0@0", "commit SL 23+0@0", "terminate SLR 23+7@0", "sleep SL 23+0@0"},
     .leaver_count = 2, .leavers = {{2, 2, 0}, {16, 7, 1}}},
    {"merge-async-zs/p2p", 23, 20, 4, true,
     "nobody ends: zombies sleep on; data moves after the thread has split",
     .steps = {"decide SL 23+0@0", "split SL 23+0@0 aux", "gather SL 23+0@0 aux",
               "synchronise SL 23+0@0", "allocate SL 23+0@0 8072c 262148v 56r", "agree SL 23+0@0",
               "redistribute SL 23+20@0 8072c 262148v 56r", "agree SL 23+0@0",
               "commit SL 23+0@0 8072c 262148v", "sleep SL 23+0@0"},
     .leaver_count = 1, .leavers = {{7, 3, 0}}},
    /* Overlaps: Martín-Álvarez et al. (2023), section 3.2, errata. Constant data first, the rest
     * when all have met. */
    {"baseline/coll-waitsources", 37, 23, 0, true,
     "memory while the application waits, messages while it does not",
     .steps = {"decide L 37+0@0", "spawn L 37+23@0", "join LN 37+23@0",
               "allocate LN 37+0@0 8072c 262148v 56r", "agree LN 37+0@0",
               "redistribute LN 37+23@0 pts 8072c 0v", "synchronise LN 37+23@0",
               "redistribute LN 37+23@0 0c 262148v 56r", "agree LN 37+23@0",
               "commit LN 37+23@0 8072c 262148v", "disconnect LN 37+23@0"}},
    {"baseline/p2p-thread", 37, 23, 0, true, "the thread allocates too",
     .steps = {"decide L 37+0@0", "spawn L 37+23@0", "join LN 37+23@0",
               "allocate LN 37+0@0 aux 8072c 262148v 56r", "agree LN 37+0@0 aux",
               "redistribute LN 37+23@0 aux 8072c 0v", "synchronise LN 37+23@0",
               "redistribute LN 37+23@0 0c 262148v 56r", "agree LN 37+23@0",
               "commit LN 37+23@0 8072c 262148v", "disconnect LN 37+23@0"}},
    {"baseline-intra/p2p-waittargets", 23, 37, 0, true, "the same in one communicator",
     .steps = {"decide L 23+0@0", "spawn L 23+37@0", "join LN 23+37@0", "merge LN 23+37@0",
               "allocate LN 23+0@0 8072c 262148v 56r", "agree LN 23+0@0",
               "redistribute LN 23+37@0 pts 8072c 0v", "synchronise LN 23+37@0",
               "redistribute LN 23+37@0 0c 262148v 56r", "agree LN 23+37@0",
               "commit LN 23+37@0 8072c 262148v", "disconnect LN 23+37@0"}},
    {"merge/coll-waittargets", 23, 37, 5, true,
     "zombies and new processes wait for their data beside the application",
     .steps = {"decide S 23+0@0", "wake SW 23+5@0", "spawn SW 28+9@28", "join SWN 28+9@28",
               "merge SWN 28+9@28", "allocate SWN 23+0@0 8072c 262148v 56r", "agree SWN 23+0@0",
               "redistribute SWN 23+37@0 pts 8072c 0v", "synchronise SWN 23+9@0",
               "redistribute SWN 23+37@0 0c 262148v 56r", "agree SWN 23+14@0",
               "commit SWN 23+14@0 8072c 262148v"}},
    {"merge-async/coll-thread", 23, 37, 0, true,
     "the thread that started the processes goes on: all meet once",
     .steps = {"decide S 23+0@0", "spawn S 23+14@23 aux", "join SN 23+14@23 aux",
               "merge SN 23+14@23 aux", "allocate SN 23+0@0 aux 8072c 262148v 56r",
               "agree SN 23+0@0 aux", "redistribute SN 23+37@0 aux 8072c 0v",
               "synchronise SN 23+14@0", "redistribute SN 23+37@0 0c 262148v 56r",
               "agree SN 23+14@0", "commit SN 23+14@0 8072c 262148v"}},
    {"merge-single-async/p2p-waitsources", 4, 7, 0, true,
     "at points, after the thread: all meet twice",
     .steps = {"decide S 4+0@0", "spawn S 4+3@4 aux", "join SN 4+3@4 aux", "connect SN 4+3@4 aux",
               "merge SN 4+3@4 aux", "synchronise SN 4+3@0", "allocate SN 4+0@0 8072c 262148v 56r",
               "agree SN 4+0@0", "redistribute SN 4+7@0 pts 8072c 0v", "synchronise SN 4+3@0",
               "redistribute SN 4+7@0 0c 262148v 56r", "agree SN 4+3@0",
               "commit SN 4+3@0 8072c 262148v"}},
    {"merge-launch-async/coll-thread", 7, 14, 0, true,
     "launched without a thread; one connects them, and goes on with the data",
     .steps = {"decide S 7+0@0", "launch S 7+7@7 l1 aux", "join SN 7+7@7 l1 aux",
               "synchronise SN 7+7@7 l1 aux", "synchronise SN 7+7@7 l-1 aux",
               "connect SN 7+7@7 aux", "merge SN 7+7@7 aux",
               "allocate SN 7+0@0 aux 8072c 262148v 56r", "agree SN 7+0@0 aux",
               "redistribute SN 7+14@0 aux 8072c 0v", "synchronise SN 7+7@0",
               "redistribute SN 7+14@0 0c 262148v 56r", "agree SN 7+7@0",
               "commit SN 7+7@0 8072c 262148v"},
     .groups = -1},
    {"merge-launch-async/coll", 7, 14, 7, true,
     "woken, not launched: nothing that the application could go on beside",
     .steps = {"decide S 7+0@0", "wake SW 7+7@0", "allocate SW 7+0@0 8072c 262148v 56r",
               "agree SW 7+0@0", "redistribute SW 7+14@0 8072c 262148v 56r", "agree SW 7+7@0",
               "commit SW 7+7@0 8072c 262148v"}},
    {"merge-ts/coll-thread", 23, 14, 4, true,
     "zombies wake only to release when the application stands still",
     .steps = {"decide SL 23+0@0", "allocate SL 23+0@0 aux 8072c 262148v 56r",
               "agree SL 23+0@0 aux", "redistribute SL 23+14@0 aux 8072c 0v",
               "synchronise SL 23+0@0", "wake SLR 23+4@0", "redistribute SL 23+14@0 0c 262148v 56r",
               "split SL 23+0@0", "agree SL 23+0@0", "commit SL 23+0@0 8072c 262148v",
               "terminate SLR 23+9@0"},
     .leaver_count = 2, .leavers = {{0, 3, 1}, {11, 6, 1}}},
    {"merge-async-zs/coll-waittargets", 23, 20, 4, true, "split by the thread, data at points",
     .steps = {"decide SL 23+0@0", "split SL 23+0@0 aux", "gather SL 23+0@0 aux",
               "synchronise SL 23+0@0", "allocate SL 23+0@0 8072c 262148v 56r", "agree SL 23+0@0",
               "redistribute SL 23+20@0 pts 8072c 0v", "synchronise SL 23+0@0",
               "redistribute SL 23+20@0 0c 262148v 56r", "agree SL 23+0@0",
               "commit SL 23+0@0 8072c 262148v", "sleep SL 23+0@0"},
     .leaver_count = 1, .leavers = {{7, 3, 0}}},
    {"merge/coll-weighted", 23, 23, 4, true,
     "Martín et al. (2015), section 4.3: load balance between the processes that are there; zombies sleep on",
     .steps = {"decide S 23+0@0", "allocate S 23+0@0 8072c 262148v 56r", "agree S 23+0@0",
               "redistribute S 23+23@0 8072c 262148v 56r", "agree S 23+0@0",
               "commit S 23+0@0 8072c 262148v"}},
    {"merge-launch-async/shared-thread-weighted", 23, 23, 0, true,
     "the same: nothing is started that the application could go on beside",
     .steps = {"decide S 23+0@0", "allocate S 23+0@0 8072c 262148v 56r", "agree S 23+0@0",
               "redistribute S 23+23@0 8072c 262148v 56r", "agree S 23+0@0",
               "commit S 23+0@0 8072c 262148v"}},
    {"merge/coll-weighted", 23, 23, 0, false, "without data nothing is balanced", .steps = {NULL}},
    {"merge/coll-keep", 23, 23, 0, true, "keep moves nothing between the same processes",
     .steps = {NULL}},
    {"merge/coll-thread", 23, 37, 0, false, "without constant data there is nothing to overlap",
     .steps = {"decide S 23+0@0", "spawn S 23+14@23", "join SN 23+14@23", "merge SN 23+14@23",
               "agree SN 23+14@0", "commit SN 23+14@0"}},
};

Test(plan, steps_and_counts)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        const struct nereus_request r = request_of(row, row->data);
        struct nereus_plan plan = plan_for(&r);
        int expected = 0;
        while (row->steps[expected] != NULL)
            expected++;
        cr_expect(plan.step_count == expected, "%s %lld -> %lld: %d steps, expected %d (%s)",
                  row->method, (long long)row->ns, (long long)row->nt, plan.step_count, expected,
                  row->source);
        for (int s = 0; s < plan.step_count && s < expected; s++) {
            char text[192];
            print_step(&plan.steps[s], text, sizeof text);
            cr_expect_str_eq(text, row->steps[s],
                             "%s %lld -> %lld, step %d: '%s', expected '%s' (%s)", row->method,
                             (long long)row->ns, (long long)row->nt, s, text, row->steps[s],
                             row->source);
        }
        nereus_plan_fini(&plan);
    }
}

/* The head of the plan. first: staying, leaving, woken, spawned */
Test(plan, who_stays_leaves_wakes_and_is_new)
{
    static const struct {
        const char *method;
        int64_t ns, nt, zombies, staying, leaving, woken, spawned;
        bool inter;
    } heads[] = {
        {"baseline", 23, 37, 4, 0, 23, 0, 37, true}, {"baseline", 37, 23, 0, 0, 37, 0, 23, true},
        {"baseline", 7, 7, 0, 0, 7, 0, 7, true},     {"merge", 23, 37, 0, 23, 0, 0, 14, false},
        {"merge", 23, 37, 5, 23, 0, 5, 9, false},    {"merge", 23, 37, 14, 23, 0, 14, 0, false},
        {"merge", 23, 37, 100, 23, 0, 14, 0, false}, {"merge", 37, 23, 5, 23, 14, 0, 0, false},
        {"merge", 9, 9, 2, 9, 0, 0, 0, false},       {"restart", 23, 37, 4, 0, 23, 0, 37, false},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(heads); i++) {
        const struct nereus_request r =
            request_for(heads[i].method, heads[i].ns, heads[i].nt, heads[i].zombies, false);
        struct nereus_plan plan = plan_for(&r);
        int64_t staying = 0, leaving = 0;
        for (int64_t rank = 0; rank < plan.ns; rank++) {
            const enum nereus_role role = nereus_plan_source_role(&plan, rank);
            const int64_t new_rank = nereus_plan_new_rank(&plan, rank);
            cr_expect(role == NEREUS_STAYING || role == NEREUS_LEAVING);
            cr_expect(new_rank == (role == NEREUS_STAYING ? rank : -1),
                      "row %zu, rank %lld -> %lld", i, (long long)rank, (long long)new_rank);
            cr_expect(new_rank < plan.nt);
            staying += role == NEREUS_STAYING;
            leaving += role == NEREUS_LEAVING;
        }
        cr_expect(staying == heads[i].staying && leaving == heads[i].leaving,
                  "row %zu: %lld stay, %lld leave", i, (long long)staying, (long long)leaving);
        cr_expect(plan.leaving == leaving && plan.woken == heads[i].woken &&
                      plan.spawned == heads[i].spawned && plan.inter == heads[i].inter,
                  "row %zu: leaving %lld, woken %lld, spawned %lld", i, (long long)plan.leaving,
                  (long long)plan.woken, (long long)plan.spawned);
        cr_expect(plan.ns == heads[i].ns && plan.nt == heads[i].nt);
        cr_expect(nereus_method_equal(&plan.method, &r.method));
        nereus_plan_fini(&plan);
        cr_expect(plan.steps == NULL && plan.step_count == 0);
        nereus_plan_fini(&plan); /* twice is fine */
    }
}

Test(plan, merge_to_the_present_size_is_empty)
{
    for (int64_t n = 1; n < 9; n++) {
        const struct nereus_request r = request_for("merge/coll", n, n, 3, true);
        struct nereus_plan plan = plan_for(&r);
        cr_expect(plan.step_count == 0 && plan.spawned == 0 && plan.woken == 0 &&
                  plan.leaving == 0);
        nereus_plan_fini(&plan);
    }
}

/* ---- what holds for every plan --------------------------------------------------------------- */

static int find(const struct nereus_plan *plan, enum nereus_step_kind kind, int from)
{
    for (int i = from; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind)
            return i;
    return -1;
}

static unsigned present_roles(const struct nereus_plan *plan)
{
    unsigned roles = (plan->leaving > 0 ? NEREUS_LEAVING : 0u) |
                     (plan->woken > 0 ? NEREUS_WOKEN : 0u) |
                     (plan->spawned > 0 ? NEREUS_SPAWNED : 0u);
    return plan->nt > plan->woken + plan->spawned ? roles | NEREUS_STAYING : roles;
}

/* Zombies that wake only to release communicators: they neither agree nor commit. */
static bool has_releasing(const struct nereus_plan *plan)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].roles & NEREUS_RELEASING)
            return true;
    return false;
}

/* Everything that a step names exists. */
static void check_order(const struct nereus_plan *plan, const char *what)
{
    const unsigned present = present_roles(plan) | (has_releasing(plan) ? NEREUS_RELEASING : 0u);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        cr_assert(step->roles != 0 && (step->roles & ~present) == 0,
                  "%s: step %d names roles %u of %u", what, i, step->roles, present);
        cr_assert(step->repeat >= 1 && step->times >= 1);
        cr_assert(step->old_processes >= 1 && step->new_processes >= 0 && step->first_new >= 0);
    }
}

/* prepare, agree, commit, release: nothing that can fail comes after the agreement, and all take
 * part in it. */
static void check_transaction(const struct nereus_plan *plan, const char *what)
{
    const int commit = find(plan, NEREUS_STEP_COMMIT, 0);
    cr_assert(commit >= 2 && find(plan, NEREUS_STEP_COMMIT, commit + 1) < 0, "%s: one commit",
              what);
    cr_assert(plan->steps[0].kind == NEREUS_STEP_DECIDE, "%s", what);
    cr_assert(plan->steps[commit - 1].kind == NEREUS_STEP_AGREE, "%s: agree before commit", what);
    cr_assert(plan->steps[commit - 1].roles == present_roles(plan), "%s: all agree", what);
    cr_assert(plan->steps[commit].roles == present_roles(plan), "%s: all commit", what);
    for (int i = commit + 1; i < plan->step_count; i++)
        cr_assert(plan->steps[i].kind == NEREUS_STEP_SLEEP ||
                      plan->steps[i].kind == NEREUS_STEP_DISCONNECT ||
                      plan->steps[i].kind == NEREUS_STEP_TERMINATE,
                  "%s: step %d after the commit", what, i);
    const int allocate = find(plan, NEREUS_STEP_ALLOCATE, 0),
              move = find(plan, NEREUS_STEP_REDISTRIBUTE, 0);
    cr_assert((allocate < 0) == (move < 0));
    if (move >= 0)
        cr_assert(allocate < move && plan->steps[move - 1].kind == NEREUS_STEP_AGREE &&
                      move < commit,
                  "%s: who could not allocate is known before data moves", what);
}

static bool starts(enum nereus_step_kind kind)
{
    return kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH;
}

/* Whoever is started joins right away; together they are all that is spawned, round for round as in
 * the tree. */
static void check_starts(const struct nereus_plan *plan, const char *what)
{
    int64_t started = 0, groups = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        if (!starts(step->kind))
            continue;
        const struct nereus_step *next = step + 1;
        cr_assert(next->kind == NEREUS_STEP_JOIN && next->new_processes == step->new_processes &&
                      next->first_new == step->first_new && next->level == step->level,
                  "%s: step %d", what, i);
        started += step->new_processes;
        groups += step->repeat * step->times;
        if (step->level == 0)
            continue; /* one world */
        int64_t first, count;
        nereus_tree_find_level(&plan->tree, step->level, &first, &count);
        cr_assert(count == step->repeat * step->times, "%s: step %d: %lld groups, in the tree %lld",
                  what, i, (long long)(step->repeat * step->times), (long long)count);
    }
    cr_assert(started == plan->spawned, "%s: %lld are started, %lld spawned", what,
              (long long)started, (long long)plan->spawned);
    cr_assert(plan->tree.group_count == 0 || groups == plan->tree.group_count, "%s: %lld groups",
              what, (long long)groups);
}

/* The rounds leave one group, and then old and new are connected, once. */
static void check_connections(const struct nereus_plan *plan, const char *what)
{
    int64_t left = plan->tree.group_count, with_parents = 0, reorders = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        reorders += step->kind == NEREUS_STEP_REORDER;
        if (step->kind != NEREUS_STEP_CONNECT)
            continue;
        with_parents += step->level == 0;
        if (step->level > 0) {
            cr_assert(step->repeat == left / 2 && step->roles == NEREUS_SPAWNED, "%s: step %d",
                      what, i);
            left -= step->repeat;
        }
    }
    cr_assert(left == (plan->tree.group_count > 0), "%s: %lld groups are left", what,
              (long long)left);
    cr_assert(with_parents == (plan->spawned > 0 && plan->method.strategy != NEREUS_PLAIN), "%s",
              what);
    cr_assert(reorders == (plan->tree.group_count > 1), "%s", what);
}

static void check_counts(const struct nereus_plan *plan, const char *what)
{
    const int wake = find(plan, NEREUS_STEP_WAKE, 0), spawn = find(plan, NEREUS_STEP_SPAWN, 0);
    if (wake >= 0 && !has_releasing(plan))
        cr_assert(plan->steps[wake].new_processes == plan->woken && plan->woken > 0);
    cr_assert(wake >= 0 || plan->woken == 0, "%s", what);
    if (wake >= 0 && spawn >= 0)
        cr_assert(wake < spawn, "%s: zombies are woken first", what);
    cr_assert(plan->ns - plan->leaving + plan->woken + plan->spawned == plan->nt,
              "%s: the targets add up", what);
    cr_assert(plan->inter == (plan->method.process == NEREUS_BASELINE && plan->step_count > 0) &&
                  plan->intra ==
                      (plan->method.process == NEREUS_BASELINE_INTRA && plan->step_count > 0),
              "%s", what);
}

/* What is beside the application follows the decision or a meeting, and ends with one: there the
 * application is stopped. */
static void check_beside(const struct nereus_plan *plan, const struct nereus_method *method,
                         const char *what)
{
    const bool in_thread = method->async && plan->step_count > 0 &&
                           (method->strategy != NEREUS_LAUNCH || plan->spawned > 0);
    const bool overlaps = nereus_plan_overlaps(plan), by_thread = method->overlap == NEREUS_THREAD;
    int meetings = 0, first = find(plan, NEREUS_STEP_SYNCHRONISE, 0);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i], *next = step + 1;
        const bool meets = step->kind == NEREUS_STEP_SYNCHRONISE && step->level == 0;
        meetings += meets;
        first = meets && meetings == 1 ? i : first;
        cr_assert(!nereus_step_is_overlapped(step) || i > 0,
                  "%s: the decision stops the application", what);
        cr_assert(!meets || step->thread == NEREUS_MAIN_THREAD, "%s: step %d", what, i);
        if (nereus_step_is_overlapped(step) && next->thread != step->thread)
            cr_assert(next->kind == NEREUS_STEP_SYNCHRONISE && next->level == 0, "%s: step %d",
                      what, i);
        cr_assert(step->thread != NEREUS_AT_POINTS || step->kind == NEREUS_STEP_REDISTRIBUTE,
                  "%s: step %d", what, i);
        cr_assert(step->kind != NEREUS_STEP_REDISTRIBUTE || !nereus_step_is_overlapped(step) ||
                      step->variable_bytes == 0,
                  "%s: variable data moves while the application changes it", what);
        cr_assert(meetings == 0 || !starts(step->kind), "%s: step %d", what, i);
    }
    cr_assert(meetings == (in_thread && !(overlaps && by_thread)) + overlaps, "%s: %d meetings",
              what, meetings);
    for (int i = 1; in_thread && i < first; i++)
        cr_assert(plan->steps[i].thread == NEREUS_AUXILIARY_THREAD, "%s: step %d", what, i);
}

/* Every byte moves once. */
static void check_bytes(const struct nereus_plan *plan, const struct nereus_method *method,
                        bool data, const char *what)
{
    int64_t constant_bytes = 0, variable_bytes = 0, replicated_bytes = 0, allocated = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        allocated += step->kind == NEREUS_STEP_ALLOCATE
                         ? step->constant_bytes + step->variable_bytes + step->replicated_bytes
                         : 0;
        if (step->kind != NEREUS_STEP_REDISTRIBUTE)
            continue;
        constant_bytes += step->constant_bytes;
        variable_bytes += step->variable_bytes;
        replicated_bytes += step->replicated_bytes;
    }
    data = data && plan->step_count > 0;
    cr_assert(constant_bytes == (data ? 8072 : 0) && variable_bytes == (data ? 262148 : 0) &&
                  replicated_bytes == (data ? 56 : 0),
              "%s", what);
    cr_assert(allocated == constant_bytes + variable_bytes + replicated_bytes, "%s", what);
    cr_assert(nereus_plan_overlaps(plan) == (data && method->overlap != NEREUS_SYNC), "%s", what);
}

/* A random request of a method that is legal in its direction, with groups or leavers that add up.
 */
static struct nereus_request random_request(int n, struct nereus_group *groups,
                                            struct nereus_leavers *leavers)
{
    struct nereus_request r =
        request_for("merge/coll", 1 + random_below(9), 1 + random_below(n % 2 ? 9 : 1000),
                    random_below(7), random_below(2) == 1);
    do {
        r.method.process = (enum nereus_process)random_below(NEREUS_PROCESS_COUNT);
        r.method.strategy = (enum nereus_strategy)random_below(NEREUS_STRATEGY_COUNT);
        r.method.async = random_below(2) == 1;
        r.method.shrink = (enum nereus_shrink)random_below(NEREUS_SHRINK_COUNT);
        r.method.overlap = (enum nereus_overlap)random_below(NEREUS_OVERLAP_COUNT);
    } while (nereus_method_check(&r.method, NULL) != NEREUS_OK ||
             nereus_method_check_direction(&r.method, r.ns, r.nt, NULL) != NEREUS_OK);
    const bool merge = r.method.process == NEREUS_MERGE && r.method.shrink != NEREUS_SS;
    int64_t missing = !merge ? r.nt : r.nt - r.ns - r.zombies;
    r.groups = groups;
    for (; missing > 0; r.group_count++) {
        const int64_t size = nereus_strategy_ops_of(r.method.strategy)->equal_groups != NULL
                                 ? 1
                                 : 1 + random_below(missing);
        groups[r.group_count] = (struct nereus_group){random_below(50), size};
        missing -= size;
    }
    int64_t leaving = merge && r.ns > r.nt ? r.ns - r.nt : 0;
    r.leavers = leavers;
    for (int64_t rank = 0; leaving > 0; rank++) {
        if (random_below(r.ns - rank) >= leaving)
            continue; /* of the ranks that are left, so many leave: each with the same chance */
        leavers[r.leaver_count++] = (struct nereus_leavers){rank, 1, random_below(2)};
        leaving--;
    }
    return r;
}

Test(plan, what_holds_for_every_plan)
{
    static struct nereus_group groups[1000];
    struct nereus_leavers leavers[9];
    for (int i = 0; i < 20000; i++) {
        const struct nereus_request r = random_request(i, groups, leavers);
        struct nereus_plan plan = plan_for(&r);
        char what[160], text[NEREUS_METHOD_TEXT_MAX];
        snprintf(what, sizeof what, "case %d: %s %lld -> %lld with %lld zombies", i,
                 nereus_method_format(&r.method, text), (long long)r.ns, (long long)r.nt,
                 (long long)r.zombies);
        check_order(&plan, what);
        check_counts(&plan, what);
        check_starts(&plan, what);
        check_connections(&plan, what);
        check_beside(&plan, &r.method, what);
        check_bytes(&plan, &r.method, r.data_count > 0, what);
        if (plan.step_count > 0)
            check_transaction(&plan, what);
        cr_assert(plan.step_count <= 64, "%s: %d steps", what, plan.step_count);
        nereus_plan_fini(&plan);
    }
}

/* Leavers anywhere: those who stay keep their order, without holes, and the two maps are each
 * other's inverse. */
Test(plan, ranks_of_who_stays)
{
    static const struct nereus_leavers leavers[] = {{0, 2, 1}, {5, 3, 0}, {9, 1, 1}};
    struct nereus_request r = request_for("merge", 13, 7, 0, false);
    r.leavers = (struct nereus_leavers *)leavers;
    r.leaver_count = NEREUS_COUNT_OF(leavers);
    struct nereus_plan plan = plan_for(&r);
    static const int64_t stay[] = {2, 3, 4, 8, 10, 11, 12};
    for (int64_t rank = 0, new_rank = 0; rank < 13; rank++) {
        const bool stays = new_rank < 7 && stay[new_rank] == rank;
        cr_expect(nereus_plan_source_role(&plan, rank) ==
                  (stays ? NEREUS_STAYING : NEREUS_LEAVING));
        cr_expect(nereus_plan_source_ends(&plan, rank) == (rank < 2 || rank == 9), "rank %lld",
                  (long long)rank);
        cr_expect(nereus_plan_new_rank(&plan, rank) == (stays ? new_rank : -1), "rank %lld",
                  (long long)rank);
        if (stays)
            cr_expect(nereus_plan_old_rank(&plan, new_rank) == rank, "target %lld",
                      (long long)new_rank);
        new_rank += stays;
    }
    nereus_plan_fini(&plan);
}

/* A plan owns its leavers: the record may go. */
Test(plan, without_named_leavers_the_highest_ranks_leave)
{
    const struct nereus_request zs = request_for("merge", 9, 4, 0, false),
                                ts = request_for("merge-ts", 9, 4, 0, false);
    struct nereus_plan asleep = plan_for(&zs), ended = plan_for(&ts);
    for (int64_t rank = 0; rank < 9; rank++) {
        cr_expect(nereus_plan_new_rank(&asleep, rank) == (rank < 4 ? rank : -1));
        cr_expect(!nereus_plan_source_ends(&asleep, rank));
        cr_expect(nereus_plan_source_ends(&ended, rank) == (rank >= 4));
    }
    nereus_plan_fini(&asleep);
    nereus_plan_fini(&ended);
}

/* A million processes on 10,000 unequal nodes: a few dozen steps. */
Test(plan, a_large_plan_is_small)
{
    struct nereus_request r = request_for("merge-diffusive", 88, 0, 0, false);
    r.group_count = 10000;
    r.groups = malloc(10000 * sizeof *r.groups);
    for (int64_t i = 0; i < 10000; i++) {
        r.groups[i] = (struct nereus_group){i, i % 2 == 0 ? 64 : 136};
        r.nt += r.groups[i].processes;
    }
    r.nt += r.ns;
    struct nereus_plan plan = plan_for(&r);
    /* t = 88, 88 + 44 x 200 = 8888 with 88 groups, then 9912 - 8888 are left: three levels; 14
     * rounds. */
    cr_expect(plan.tree.levels == 3 && nereus_connect_rounds(10000) == 14);
    cr_expect(plan.step_count == 1 + 2 * 3 + 2 + 14 + 1 + 1 + 1 + 2, "%d steps", plan.step_count);
    cr_expect(plan.spawned == 1000000 && nereus_tree_processes(&plan.tree, 1) == 8888);
    nereus_plan_fini(&plan);
    free(r.groups);
}

/* ---- hash ------------------------------------------------------------------------------------ */

static uint64_t hash_of(const struct nereus_request *request)
{
    struct nereus_plan plan = plan_for(request);
    const uint64_t hash = plan.hash;
    nereus_plan_fini(&plan);
    return hash;
}

Test(plan, equal_requests_have_equal_hashes)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_request r = request_of(&rows[i], true), copy;
        struct nereus_data_entry data[NEREUS_COUNT_OF(some_data)];
        const uint64_t hash = hash_of(&r);
        cr_expect(hash == hash_of(&r));
        memcpy(data, some_data, sizeof data);
        memset(data[1].name + 2, 'q', 30); /* behind the terminator */
        memset(&copy, 0x5a, sizeof copy);
        copy.version = r.version, copy.number = r.number, copy.point = r.point, copy.ns = r.ns;
        copy.nt = r.nt, copy.zombies = r.zombies, copy.next_world_id = r.next_world_id;
        copy.method = r.method, copy.data_count = r.data_count, copy.data = data;
        copy.partition_count = 0, copy.partitions = NULL;
        copy.group_count = r.group_count, copy.groups = r.groups,
        copy.leaver_count = r.leaver_count;
        copy.leavers = r.leavers, copy.bridge = r.bridge, copy.batch = r.batch;
        copy.gained_nodes = r.gained_nodes, copy.lost_count = 0, copy.lost_nodes = NULL;
        cr_expect(hash == hash_of(&copy), "row %zu: not the same for a copy", i);
    }
}

/* Also over the wire, which is how new processes get it. */
Test(plan, a_received_request_has_the_same_hash)
{
    struct nereus_request r = request_for("merge/coll", 23, 37, 5, true), received;
    const size_t bytes = nereus_request_packed_bytes(&r);
    unsigned char *buffer = malloc(bytes);
    nereus_request_pack(&r, buffer);
    cr_assert(nereus_request_unpack(buffer, bytes, &received, NULL) == NEREUS_OK);
    cr_expect(hash_of(&r) == hash_of(&received));
    nereus_request_fini(&received);
    free(buffer);
}

/* Three groups on the nodes of `unequal`. */
static void set_groups(struct nereus_request *r, int64_t first, int64_t second)
{
    r->groups = unequal;
    r->group_count = 3;
    r->groups[0].processes = first;
    r->groups[1].processes = second;
}

/* Each changes one thing. */
static void change_number(struct nereus_request *r)
{
    r->number++;
}
static void change_point(struct nereus_request *r)
{
    r->point++;
}
static void change_ns(struct nereus_request *r)
{
    r->ns++;
}
static void change_nt(struct nereus_request *r)
{
    r->nt++;
}
static void change_zombies(struct nereus_request *r)
{
    r->zombies++;
}
static void change_world(struct nereus_request *r)
{
    r->next_world_id++;
}
static void change_process(struct nereus_request *r)
{
    r->method.process = NEREUS_BASELINE;
}
static void change_strategy(struct nereus_request *r)
{
    r->method.strategy = NEREUS_SINGLE;
}
static void change_async(struct nereus_request *r)
{
    r->method.async = true;
}
static void change_has_data(struct nereus_request *r)
{
    r->method.has_data = false;
}
static void change_data(struct nereus_request *r)
{
    r->method.data = NEREUS_P2P;
}
static void change_overlap(struct nereus_request *r)
{
    r->method.overlap = NEREUS_WAITSOURCES;
}
static void change_overlap_again(struct nereus_request *r)
{
    r->method.overlap = NEREUS_WAITTARGETS; /* the same steps: the record is in the hash, too */
}
static void change_count(struct nereus_request *r)
{
    r->data_count--;
}
static void change_name(struct nereus_request *r)
{
    r->data[1].name[0] = 'Y';
}
static void change_element(struct nereus_request *r)
{
    r->data[1].element_bytes++;
}
static void change_elements(struct nereus_request *r)
{
    r->data[1].count++;
}
static void change_kind(struct nereus_request *r)
{
    r->data[1].kind = NEREUS_CONSTANT;
}
static void change_placement(struct nereus_request *r)
{
    r->data[1].placement = NEREUS_REPLICATED;
}
static void change_version(struct nereus_request *r)
{
    r->version++;
}
static void change_bridge(struct nereus_request *r)
{
    r->bridge = 1;
}
static void change_batch(struct nereus_request *r)
{
    r->batch = 2;
}
/* The same processes on other nodes: no step is another. */
static void change_groups(struct nereus_request *r)
{
    set_groups(r, 3, 2);
    r->groups[2].processes = 4;
}
static void change_node(struct nereus_request *r)
{
    set_groups(r, 3, 2);
    r->groups[2].node = 5;
}
static void change_sizes(struct nereus_request *r)
{
    set_groups(r, 2, 3);
}

static void (*const changes[])(struct nereus_request *) = {
    change_number, change_point,     change_ns,       change_nt,      change_zombies,
    change_world,  change_process,   change_strategy, change_async,   change_has_data,
    change_data,   change_count,     change_name,     change_element, change_elements,
    change_kind,   change_placement, change_version,  change_bridge,  change_groups,
    change_node,   change_sizes,     change_batch,    change_overlap, change_overlap_again};

/* Changes one thing of a request; false when there is no such change. */
static bool change(struct nereus_request *r, int which)
{
    if (which < 0 || (size_t)which >= NEREUS_COUNT_OF(changes))
        return false;
    changes[which](r);
    return true;
}

Test(plan, any_other_field_gives_another_hash)
{
    uint64_t seen[32];
    struct nereus_data_entry data[NEREUS_COUNT_OF(some_data)];
    int count = 0;
    for (int which = -1;; which++) {
        struct nereus_request r = request_for("merge/coll", 23, 37, 5, true);
        memcpy(data, some_data, sizeof data);
        r.data = data;
        if (which >= 0 && !change(&r, which))
            break;
        seen[count] = hash_of(&r);
        for (int i = 0; i < count; i++)
            cr_expect(seen[i] != seen[count], "changes %d and %d have the same hash", i - 1, which);
        count++;
    }
    cr_expect(count == 26);
    struct nereus_request by_state = request_for("merge/coll", 37, 23, 0, true), zs = by_state;
    zs.method.shrink = NEREUS_ZS;
    cr_expect(hash_of(&by_state) != hash_of(&zs));
}

/* Who leaves, and how, is in the hash too. */
Test(plan, other_leavers_give_another_hash)
{
    static const struct nereus_leavers lists[][2] = {{{3, 5, 0}, {20, 9, 1}},
                                                     {{4, 5, 0}, {20, 9, 1}},
                                                     {{3, 6, 0}, {20, 8, 1}},
                                                     {{3, 5, 1}, {20, 9, 1}},
                                                     {{3, 5, 0}, {20, 9, 0}}};
    uint64_t seen[NEREUS_COUNT_OF(lists)];
    for (size_t i = 0; i < NEREUS_COUNT_OF(lists); i++) {
        struct nereus_request r = request_for("merge/coll", 37, 23, 0, true);
        r.leavers = (struct nereus_leavers *)lists[i];
        r.leaver_count = 2;
        seen[i] = hash_of(&r);
        for (size_t j = 0; j < i; j++)
            cr_expect(seen[i] != seen[j], "lists %zu and %zu", j, i);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

Test(plan, refusals)
{
    static const struct {
        const char *method;
        int64_t ns, nt;
        enum nereus_status status;
        const char *word;
    } refused[] = {
        {"merge", 0, 5, NEREUS_ERR_ARGUMENT, "from 0 to 5"},
        {"merge", 5, 0, NEREUS_ERR_ARGUMENT, "from 5 to 0"},
        {"baseline", -3, 5, NEREUS_ERR_ARGUMENT, "from -3 to 5"},
        {"baseline", 5, -3, NEREUS_ERR_ARGUMENT, "from 5 to -3"},
        {"baseline-zs", 5, 3, NEREUS_ERR_ILLEGAL, "zs"},
        {"merge-single-ts", 5, 3, NEREUS_ERR_ILLEGAL, "ts"},
        {"baseline/rma", 3, 5, NEREUS_ERR_ILLEGAL, "MPI 4.1, 12.2.1"},
        {"merge-ss/rma-thread", 5, 3, NEREUS_ERR_ILLEGAL, "carried out as a baseline"},
        {"merge-single-ss", 5, 3, NEREUS_ERR_ILLEGAL, "single"},
        {"merge-ts", 3, 5, NEREUS_ERR_ILLEGAL, "fewer targets"},
        {"merge-zs", 3, 5, NEREUS_ERR_ILLEGAL, "fewer targets"},
        {"merge-ss/coll", 3, 5, NEREUS_ERR_ILLEGAL, "fewer targets"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(refused); i++) {
        const struct nereus_request r =
            request_for(refused[i].method, refused[i].ns, refused[i].nt, 0, false);
        struct nereus_plan plan = {.step_count = 4711};
        struct nereus_error err = {0};
        cr_expect(nereus_plan_make(&r, &plan, &err) == refused[i].status,
                  "%s: status %s, expected %s", refused[i].method, nereus_status_name(err.status),
                  nereus_status_name(refused[i].status));
        cr_expect(err.status == refused[i].status && strstr(err.text, refused[i].word) != NULL,
                  "%s: '%s' lacks '%s'", refused[i].method, err.text, refused[i].word);
        cr_expect(plan.step_count == 4711 && plan.steps == NULL, "%s: a refused plan was written",
                  refused[i].method);
        cr_expect(nereus_plan_make(&r, &plan, NULL) == refused[i].status);
    }
}

/* Groups and leavers that do not fit; hypercube with unequal groups. */
Test(plan, refusals_that_depend_on_sizes)
{
    static const struct row refused[] = {
        {"merge-hypercube", 3, 14, 0, false, "4.1", .steps = {"needs groups of equal size"},
         .groups = 3},
        {"baseline-hypercube-async", 3, 11, 0, false, "4.6",
         .steps = {"would get 5 processes and group 1 2: use diffusive"}, .groups = 3},
        {"merge-ss", 20, 12, 0, false, "sum", .steps = {"have 11 processes, the plan starts 12"},
         .groups = 3},
        {"merge-launch", 3, 15, 2, false, "sum", .steps = {"have 11 processes, the plan starts 10"},
         .groups = 3},
        {"merge", 9, 4, 0, false, "sum", .steps = {"4 of 9 processes are to leave, but 4 to stay"},
         .leaver_count = 1, .leavers = {{2, 4, 1}}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(refused); i++) {
        const struct nereus_request r = request_of(&refused[i], true);
        struct nereus_plan plan = {.step_count = 4711};
        struct nereus_error err = {0};
        const enum nereus_status status = nereus_plan_make(&r, &plan, &err);
        cr_expect(status ==
                      (refused[i].source[0] == '4' ? NEREUS_ERR_ILLEGAL : NEREUS_ERR_ARGUMENT),
                  "%s: %s", refused[i].method, nereus_status_name(status));
        cr_expect(strstr(err.text, refused[i].steps[0]) != NULL, "%s: '%s'", refused[i].method,
                  err.text);
        cr_expect(refused[i].source[0] != '4' || strstr(err.text, refused[i].source) != NULL);
        cr_expect(plan.step_count == 4711 && plan.steps == NULL);
    }
}

Test(plan, names_of_steps)
{
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++) {
        const char *name = nereus_step_name((enum nereus_step_kind)kind);
        const char *help = nereus_step_help((enum nereus_step_kind)kind);
        cr_assert(name != NULL && name[0] != '\0' && help != NULL && help[0] != '\0', "kind %d",
                  kind);
        cr_expect(nereus_step_from_name(name) == (enum nereus_step_kind)kind);
    }
    cr_expect(nereus_step_from_name("spawning") == NEREUS_STEP_KIND_COUNT);
    cr_expect(nereus_step_from_name("") == NEREUS_STEP_KIND_COUNT);
    cr_expect(nereus_step_name(NEREUS_STEP_KIND_COUNT) == NULL &&
              nereus_step_help((enum nereus_step_kind) - 1) == NULL);
}
