/** @file test_plan.c  The steps of each reconfiguration, who takes part, its hash, and what is not planned. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define COUNT(list) (sizeof list / sizeof list[0])

static uint64_t state = 5113;
static int64_t random_below(int64_t limit)
{
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)limit);
}

/* 8072 bytes constant, 262148 variable, 56 replicated (which count as variable in the steps). */
static struct nereus_data_entry some_data[] = {{"x", 8, 1009, NEREUS_CONSTANT, NEREUS_DISTRIBUTED},
                                               {"y", 4, 65537, NEREUS_VARIABLE, NEREUS_DISTRIBUTED},
                                               {"z", 8, 7, NEREUS_CONSTANT, NEREUS_REPLICATED}};

static struct nereus_request request_for(const char *method, int64_t ns, int64_t nt, int64_t zombies,
                                         bool with_data)
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
    r.data_count = with_data ? COUNT(some_data) : 0;
    r.data = with_data ? some_data : NULL;
    return r;
}

static struct nereus_plan plan_for(const struct nereus_request *request)
{
    struct nereus_plan plan;
    struct nereus_error err;
    cr_assert(nereus_plan_make(request, &plan, &err) == NEREUS_OK, "%s", err.text);
    return plan;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* A step as text: what, who (Staying, Leaving, Woken, New), old + new processes @ first new one, and bytes. */
static void print_step(const struct nereus_step *step, char *text, size_t size)
{
    char who[5] = "", processes[64], bytes[64] = "";
    for (int i = 0; i < 4; i++)
        if (step->who & (1u << i))
            strncat(who, &"SLWN"[i], 1);
    snprintf(processes, sizeof processes, "%lld+%lld@%lld", (long long)step->old_processes,
             (long long)step->new_processes, (long long)step->first_new);
    if (step->constant_bytes + step->variable_bytes > 0)
        snprintf(bytes, sizeof bytes, " %lldc %lldv", (long long)step->constant_bytes,
                 (long long)step->variable_bytes);
    snprintf(text, size, "%s %s %s%s", nereus_step_name(step->kind), who, processes, bytes);
}

struct row {
    const char *method;
    int64_t ns, nt, zombies;
    bool data;
    const char *source;
    const char *steps[16];
};

static const struct row rows[] = {
    {"baseline",
     23,
     37,
     0,
     false,
     "spawning-methods, equation 1: T_spawn(NS, NT)",
     {"decide L 23+0@0", "spawn L 23+37@0", "join LN 23+37@0", "agree LN 23+37@0", "commit LN 23+37@0",
      "disconnect LN 23+37@0"}},
    {"baseline/coll",
     37,
     23,
     0,
     true,
     "the same, shrinking, and data before the agreement",
     {"decide L 37+0@0", "spawn L 37+23@0", "join LN 37+23@0", "allocate N 37+0@0 8072c 262204v",
      "agree LN 37+0@0", "redistribute LN 37+23@0 8072c 262204v", "agree LN 37+23@0",
      "commit LN 37+23@0 8072c 262148v", "disconnect LN 37+23@0"}},
    {"baseline/p2p",
     5,
     5,
     3,
     false,
     "the same: a full respawn, with zombies too",
     {"decide L 5+0@0", "spawn L 5+5@0", "join LN 5+5@0", "agree LN 5+5@0", "commit LN 5+5@0",
      "disconnect LN 5+5@0"}},
    {"baseline-single",
     23,
     37,
     0,
     false,
     "equation 4: T_spawn(1, NT) + T_connect(NS, NT)",
     {"decide L 23+0@0", "spawn L 23+37@0", "connect LN 23+37@0", "join LN 23+37@0", "agree LN 23+37@0",
      "commit LN 23+37@0", "disconnect LN 23+37@0"}},
    {"merge",
     23,
     37,
     0,
     false,
     "equation 2: T_spawn(NS, NT - NS) + T_merge(NT)",
     {"decide S 23+0@0", "spawn S 23+14@23", "join SN 23+14@23", "merge SN 23+14@23", "agree SN 23+14@0",
      "commit SN 23+14@0"}},
    {"merge-single/p2p",
     23,
     37,
     0,
     true,
     "equation 5: T_spawn(1, NT - NS) + T_connect + T_merge(NT)",
     {"decide S 23+0@0", "spawn S 23+14@23", "connect SN 23+14@23", "join SN 23+14@23", "merge SN 23+14@23",
      "allocate SN 23+0@0 8072c 262204v", "agree SN 23+0@0", "redistribute SN 23+37@0 8072c 262204v",
      "agree SN 23+14@0", "commit SN 23+14@0 8072c 262148v"}},
    {"merge",
     37,
     23,
     0,
     false,
     "equation 3: T_split(NS) + T_gather(NS)",
     {"decide SL 37+0@0", "split SL 37+0@0", "gather SL 37+0@0", "agree SL 37+0@0", "commit SL 37+0@0",
      "sleep SL 37+0@0"}},
    {"merge-zs/coll",
     37,
     23,
     6,
     true,
     "equation 3, and data before it",
     {"decide SL 37+0@0", "allocate S 37+0@0 8072c 262204v", "agree SL 37+0@0",
      "redistribute SL 37+23@0 8072c 262204v", "split SL 37+0@0", "gather SL 37+0@0", "agree SL 37+0@0",
      "commit SL 37+0@0 8072c 262148v", "sleep SL 37+0@0"}},
    {"merge-single",
     37,
     23,
     0,
     false,
     "equation 3: a shrink spawns nothing, so nothing is connected",
     {"decide SL 37+0@0", "split SL 37+0@0", "gather SL 37+0@0", "agree SL 37+0@0", "commit SL 37+0@0",
      "sleep SL 37+0@0"}},
    {"merge",
     23,
     37,
     5,
     false,
     "zombies first, then equation 2 for what is missing",
     {"decide S 23+0@0", "wake SW 23+5@0", "spawn SW 28+9@28", "join SWN 28+9@28", "merge SWN 28+9@28",
      "agree SWN 23+14@0", "commit SWN 23+14@0"}},
    {"merge",
     23,
     37,
     14,
     false,
     "exactly as many zombies as are missing: nothing is spawned",
     {"decide S 23+0@0", "wake SW 23+14@0", "agree SW 23+14@0", "commit SW 23+14@0"}},
    {"merge/coll",
     23,
     37,
     19,
     true,
     "more zombies than are missing: some sleep on",
     {"decide S 23+0@0", "wake SW 23+14@0", "allocate SW 23+0@0 8072c 262204v", "agree SW 23+0@0",
      "redistribute SW 23+37@0 8072c 262204v", "agree SW 23+14@0", "commit SW 23+14@0 8072c 262148v"}},
};

Test(plan, steps_and_counts)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const struct nereus_request r = request_for(row->method, row->ns, row->nt, row->zombies, row->data);
        struct nereus_plan plan = plan_for(&r);
        int expected = 0;
        while (row->steps[expected] != NULL)
            expected++;
        cr_expect(plan.step_count == expected, "%s %lld -> %lld: %d steps, expected %d (%s)", row->method,
                  (long long)row->ns, (long long)row->nt, plan.step_count, expected, row->source);
        for (int s = 0; s < plan.step_count && s < expected; s++) {
            char text[192];
            print_step(&plan.steps[s], text, sizeof text);
            cr_expect_str_eq(text, row->steps[s], "%s %lld -> %lld, step %d: '%s', expected '%s' (%s)",
                             row->method, (long long)row->ns, (long long)row->nt, s, text, row->steps[s],
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
        {"merge", 9, 9, 2, 9, 0, 0, 0, false},
    };
    for (size_t i = 0; i < COUNT(heads); i++) {
        const struct nereus_request r =
            request_for(heads[i].method, heads[i].ns, heads[i].nt, heads[i].zombies, false);
        struct nereus_plan plan = plan_for(&r);
        int64_t staying = 0, leaving = 0;
        for (int64_t rank = 0; rank < plan.ns; rank++) {
            const enum nereus_role role = nereus_plan_source_role(&plan, rank);
            const int64_t new_rank = nereus_plan_new_rank(&plan, rank);
            cr_expect(role == NEREUS_STAYING || role == NEREUS_LEAVING);
            cr_expect(new_rank == (role == NEREUS_STAYING ? rank : -1), "row %zu, rank %lld -> %lld", i,
                      (long long)rank, (long long)new_rank);
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
        cr_expect(plan.step_count == 0 && plan.spawned == 0 && plan.woken == 0 && plan.leaving == 0);
        nereus_plan_fini(&plan);
    }
}

/* ---- what holds for every plan --------------------------------------------------------------------- */

static int find(const struct nereus_plan *plan, enum nereus_step_kind kind, int from)
{
    for (int i = from; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind)
            return i;
    return -1;
}

static unsigned present_roles(const struct nereus_plan *plan)
{
    unsigned roles = (plan->leaving > 0 ? NEREUS_LEAVING : 0u) | (plan->woken > 0 ? NEREUS_WOKEN : 0u) |
                     (plan->spawned > 0 ? NEREUS_SPAWNED : 0u);
    return plan->nt > plan->woken + plan->spawned ? roles | NEREUS_STAYING : roles;
}

/* A step needs earlier steps only, the first needs none, and everything that is named exists. */
static void check_order(const struct nereus_plan *plan, const char *what)
{
    const unsigned present = present_roles(plan);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        bool waits = false;
        for (int w = 0; w < NEREUS_STEP_WAITS_MAX; w++) {
            cr_assert(step->waits[w] >= -1 && step->waits[w] < i, "%s: step %d waits for %d", what, i,
                      step->waits[w]);
            waits = waits || step->waits[w] >= 0;
        }
        cr_assert(waits == (i > 0), "%s: step %d", what, i);
        cr_assert(step->who != 0 && (step->who & ~present) == 0, "%s: step %d names roles %u of %u", what, i,
                  step->who, present);
        cr_assert(step->repeat >= 1 && step->root >= 0 && step->root < plan->ns);
        cr_assert(step->old_processes >= 1 && step->new_processes >= 0 && step->first_new >= 0);
    }
}

/* prepare, agree, commit, release: nothing that can fail comes after the agreement, and all take part in it. */
static void check_transaction(const struct nereus_plan *plan, const char *what)
{
    const int commit = find(plan, NEREUS_STEP_COMMIT, 0);
    cr_assert(commit >= 2 && find(plan, NEREUS_STEP_COMMIT, commit + 1) < 0, "%s: one commit", what);
    cr_assert(plan->steps[0].kind == NEREUS_STEP_DECIDE, "%s", what);
    cr_assert(plan->steps[commit - 1].kind == NEREUS_STEP_AGREE, "%s: agree before commit", what);
    cr_assert(plan->steps[commit - 1].who == present_roles(plan), "%s: all agree", what);
    cr_assert(plan->steps[commit].who == present_roles(plan), "%s: all commit", what);
    for (int i = commit + 1; i < plan->step_count; i++)
        cr_assert(plan->steps[i].kind == NEREUS_STEP_SLEEP || plan->steps[i].kind == NEREUS_STEP_DISCONNECT,
                  "%s: step %d after the commit", what, i);
    const int allocate = find(plan, NEREUS_STEP_ALLOCATE, 0), move = find(plan, NEREUS_STEP_REDISTRIBUTE, 0);
    cr_assert((allocate < 0) == (move < 0));
    if (move >= 0)
        cr_assert(allocate < move && plan->steps[move - 1].kind == NEREUS_STEP_AGREE && move < commit,
                  "%s: who could not allocate is known before data moves", what);
}

static void check_counts(const struct nereus_plan *plan, const char *what)
{
    const int wake = find(plan, NEREUS_STEP_WAKE, 0), spawn = find(plan, NEREUS_STEP_SPAWN, 0);
    cr_assert((wake >= 0) == (plan->woken > 0) && (spawn >= 0) == (plan->spawned > 0), "%s", what);
    if (wake >= 0)
        cr_assert(plan->steps[wake].new_processes == plan->woken);
    if (spawn >= 0)
        cr_assert(plan->steps[spawn].new_processes == plan->spawned &&
                      plan->steps[spawn + 1].kind ==
                          (plan->method.strategy == NEREUS_SINGLE ? NEREUS_STEP_CONNECT : NEREUS_STEP_JOIN),
                  "%s", what);
    if (wake >= 0 && spawn >= 0)
        cr_assert(wake < spawn, "%s: zombies are woken first", what);
    cr_assert(plan->ns - plan->leaving + plan->woken + plan->spawned == plan->nt, "%s: the targets add up",
              what);
}

Test(plan, what_holds_for_every_plan)
{
    static const char *const methods[] = {"baseline",
                                          "baseline/p2p",
                                          "baseline-single/coll",
                                          "merge",
                                          "merge/coll",
                                          "merge-zs/p2p",
                                          "merge-single/coll",
                                          "merge-async/coll",
                                          "baseline-single-async"};
    for (int i = 0; i < 3000; i++) {
        const char *method = methods[random_below(COUNT(methods))];
        const int64_t ns = 1 + random_below(9), nt = 1 + random_below(i % 2 ? 9 : 1000000);
        const struct nereus_request r = request_for(method, ns, nt, random_below(7), random_below(2) == 1);
        struct nereus_plan plan = plan_for(&r);
        char what[96];
        snprintf(what, sizeof what, "%s %lld -> %lld with %lld zombies", method, (long long)ns, (long long)nt,
                 (long long)r.zombies);
        check_order(&plan, what);
        check_counts(&plan, what);
        if (plan.step_count > 0)
            check_transaction(&plan, what);
        cr_assert(plan.step_count <= 16, "%s: %d steps", what, plan.step_count);
        nereus_plan_fini(&plan);
    }
}

/* ---- hash ------------------------------------------------------------------------------------------ */

static uint64_t hash_of(const struct nereus_request *request)
{
    struct nereus_plan plan = plan_for(request);
    const uint64_t hash = plan.hash;
    nereus_plan_fini(&plan);
    return hash;
}

Test(plan, equal_requests_have_equal_hashes)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct nereus_request r = request_for(rows[i].method, rows[i].ns, rows[i].nt, rows[i].zombies, true),
                              copy;
        struct nereus_data_entry data[COUNT(some_data)];
        const uint64_t hash = hash_of(&r);
        cr_expect(hash == hash_of(&r));
        memcpy(data, some_data, sizeof data);
        memset(data[1].name + 2, 'q', 30); /* behind the terminator */
        memset(&copy, 0x5a, sizeof copy);
        copy.version = r.version, copy.number = r.number, copy.point = r.point, copy.ns = r.ns;
        copy.nt = r.nt, copy.zombies = r.zombies, copy.next_world_id = r.next_world_id;
        copy.method = r.method, copy.data_count = r.data_count, copy.data = data;
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

/* Changes one thing of a request; false when there is no such change. */
static bool change(struct nereus_request *r, int which)
{
    switch (which) {
    case 0:
        r->number++;
        return true;
    case 1:
        r->point++;
        return true;
    case 2:
        r->ns++;
        return true;
    case 3:
        r->nt++;
        return true;
    case 4:
        r->zombies++;
        return true;
    case 5:
        r->next_world_id++;
        return true;
    case 6:
        r->method.process = NEREUS_BASELINE;
        return true;
    case 7:
        r->method.strategy = NEREUS_SINGLE;
        return true;
    case 8:
        r->method.async = true;
        return true;
    case 9:
        r->method.has_data = false;
        return true;
    case 10:
        r->method.data = NEREUS_P2P;
        return true;
    case 11:
        r->data_count--;
        return true;
    case 12:
        r->data[1].name[0] = 'Y';
        return true;
    case 13:
        r->data[1].element_bytes++;
        return true;
    case 14:
        r->data[1].count++;
        return true;
    case 15:
        r->data[1].kind = NEREUS_CONSTANT;
        return true;
    case 16:
        r->data[1].placement = NEREUS_REPLICATED;
        return true;
    case 17:
        r->version++;
        return true;
    default:
        return false;
    }
}

Test(plan, any_other_field_gives_another_hash)
{
    uint64_t seen[32];
    struct nereus_data_entry data[COUNT(some_data)];
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
    cr_expect(count == 19);
    struct nereus_request by_state = request_for("merge/coll", 37, 23, 0, true), zs = by_state;
    zs.method.shrink = NEREUS_ZS;
    cr_expect(hash_of(&by_state) != hash_of(&zs));
}

/* ---- refusals -------------------------------------------------------------------------------------- */

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
        {"merge/rma", 3, 5, NEREUS_ERR_UNSUPPORTED, "rma"},
        {"merge/shared", 3, 5, NEREUS_ERR_UNSUPPORTED, "shared"},
        {"merge/coll-thread", 3, 5, NEREUS_ERR_UNSUPPORTED, "thread"},
        {"merge/coll-keep", 3, 5, NEREUS_ERR_UNSUPPORTED, "keep"},
        {"merge-multiple", 3, 5, NEREUS_ERR_UNSUPPORTED, "multiple"},
        {"merge-launch", 3, 5, NEREUS_ERR_UNSUPPORTED, "launch"},
        {"merge-ss", 5, 3, NEREUS_ERR_UNSUPPORTED, "ss"},
        {"baseline-intra", 5, 3, NEREUS_ERR_UNSUPPORTED, "baseline-intra"},
    };
    for (size_t i = 0; i < COUNT(refused); i++) {
        const struct nereus_request r =
            request_for(refused[i].method, refused[i].ns, refused[i].nt, 0, false);
        struct nereus_plan plan = {.step_count = 4711};
        struct nereus_error err = {0};
        cr_expect(nereus_plan_make(&r, &plan, &err) == refused[i].status, "%s: status %s, expected %s",
                  refused[i].method, nereus_status_name(err.status), nereus_status_name(refused[i].status));
        cr_expect(err.status == refused[i].status && strstr(err.text, refused[i].word) != NULL,
                  "%s: '%s' lacks '%s'", refused[i].method, err.text, refused[i].word);
        cr_expect(plan.step_count == 4711 && plan.steps == NULL, "%s: a refused plan was written",
                  refused[i].method);
        cr_expect(nereus_plan_make(&r, &plan, NULL) == refused[i].status);
    }
}

Test(plan, names_of_steps)
{
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++) {
        const char *name = nereus_step_name((enum nereus_step_kind)kind);
        const char *help = nereus_step_help((enum nereus_step_kind)kind);
        cr_assert(name != NULL && name[0] != '\0' && help != NULL && help[0] != '\0', "kind %d", kind);
        cr_expect(nereus_step_from_name(name) == (enum nereus_step_kind)kind);
    }
    cr_expect(nereus_step_from_name("spawning") == NEREUS_STEP_KIND_COUNT);
    cr_expect(nereus_step_from_name("") == NEREUS_STEP_KIND_COUNT);
    cr_expect(nereus_step_name(NEREUS_STEP_KIND_COUNT) == NULL &&
              nereus_step_help((enum nereus_step_kind) - 1) == NULL);
}
