/** @file test_bind_choice.c  Which of a host's cores a process gets (src/start/bind_choice.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "src/start/bind_choice.h"

struct row {
    const char *hosts; /* NULL: nobody declared anything, rank 0 may use `counted` threads */
    int64_t counted;
    struct nereus_bind_position position; /* node, index, processes */
    struct nereus_bind_allowed allowed;   /* cores, threads */
    struct nereus_bind_choice expected;   /* unit, reason, first, count */
};

/* Short names for the table. */
#define CORES   NEREUS_BIND_CORES
#define THREADS NEREUS_BIND_THREADS
#define NOTHING NEREUS_BIND_NOTHING
#define ONE     NEREUS_BIND_TO_ONE
#define NODE    NEREUS_BIND_TO_NODE
#define MANY    NEREUS_BIND_TOO_MANY
#define FEWER   NEREUS_BIND_FEWER_CORES
#define OTHER   NEREUS_BIND_OTHER_CORES

/* Each by hand from the rules in bind_choice.h. */
static const struct row rows[] = {
    /* one node: processes fill it in order; the host may have more cores than were declared */
    {"n:5", 0, {0, 0, 3}, {5, 5}, {CORES, ONE, 0, 1}},
    {"n:5", 0, {0, 2, 3}, {5, 5}, {CORES, ONE, 2, 1}},
    {"n:5", 0, {0, 4, 5}, {7, 7}, {CORES, ONE, 4, 1}},
    {"n:5", 0, {0, 4, 5}, {7, 14}, {CORES, ONE, 4, 1}},
    /* more processes than cores: all cores of the node, for each of them */
    {"n:5", 0, {0, 0, 6}, {7, 7}, {CORES, NODE, 0, 5}},
    {"n:5", 0, {0, 5, 6}, {7, 7}, {CORES, NODE, 0, 5}},
    /* fewer cores than declared: two processes could be given one core */
    {"n:5", 0, {0, 1, 2}, {4, 4}, {NOTHING, FEWER, 0, 0}},
    {"n:5", 0, {0, 1, 7}, {4, 4}, {NOTHING, FEWER, 0, 0}},
    /* hardware threads were declared */
    {"n:6", 0, {0, 3, 4}, {3, 6}, {THREADS, ONE, 3, 1}},
    {"n:6", 0, {0, 3, 4}, {5, 6}, {THREADS, ONE, 3, 1}},
    {"n:6", 0, {0, 3, 8}, {3, 6}, {THREADS, NODE, 0, 6}},
    {"n:7", 0, {0, 3, 4}, {3, 6}, {NOTHING, FEWER, 0, 0}},
    /* unequal nodes, each a host of its own: always from its first core */
    {"n1:2,n2:7,n3:3", 0, {0, 1, 2}, {8, 8}, {CORES, ONE, 1, 1}},
    {"n1:2,n2:7,n3:3", 0, {1, 6, 7}, {8, 8}, {CORES, ONE, 6, 1}},
    {"n1:2,n2:7,n3:3", 0, {2, 2, 3}, {3, 3}, {CORES, ONE, 2, 1}},
    {"n1:2,n2:7,n3:3", 0, {2, 0, 5}, {4, 4}, {CORES, NODE, 0, 3}},
    {"n1:2,n2:7,n3:3", 0, {1, 0, 5}, {4, 4}, {NOTHING, FEWER, 0, 0}},
    /* virtual nodes share a host's cores as they are declared, also with another host between them
     */
    {"h/a:1,h/b:2", 0, {0, 0, 1}, {3, 3}, {CORES, ONE, 0, 1}},
    {"h/a:1,h/b:2", 0, {1, 0, 2}, {3, 3}, {CORES, ONE, 1, 1}},
    {"h/a:1,h/b:2", 0, {1, 1, 2}, {3, 3}, {CORES, ONE, 2, 1}},
    {"h/a:1,h/b:2", 0, {1, 1, 3}, {3, 3}, {CORES, NODE, 1, 2}},
    {"h/a:1,h/b:2", 0, {0, 1, 2}, {3, 3}, {CORES, NODE, 0, 1}},
    {"h/a:1,h/b:2", 0, {0, 0, 1}, {2, 2}, {NOTHING, FEWER, 0, 0}},
    {"h/a:2,k/a:3,h/b:4,k/b:5", 0, {2, 3, 4}, {6, 6}, {CORES, ONE, 5, 1}},
    {"h/a:2,k/a:3,h/b:4,k/b:5", 0, {3, 2, 5}, {8, 8}, {CORES, ONE, 5, 1}},
    {"h/a:2,k/a:3,h/b:4,k/b:5", 0, {3, 2, 5}, {7, 8}, {THREADS, ONE, 5, 1}},
    {"h/a:2,k/a:3,h/b:4,k/b:5", 0, {3, 2, 6}, {8, 8}, {CORES, NODE, 3, 5}},
    /* a name that only begins alike is another host; a node without a "/" is on its host as well */
    {"h:2,hh:3", 0, {1, 1, 2}, {3, 3}, {CORES, ONE, 1, 1}},
    {"hh:2,h:3", 0, {1, 1, 2}, {3, 3}, {CORES, ONE, 1, 1}},
    {"h:2,h/b:3", 0, {1, 1, 2}, {5, 5}, {CORES, ONE, 3, 1}},
    /* nobody declared anything */
    {NULL, 4, {0, 2, 3}, {4, 4}, {CORES, ONE, 2, 1}},
    {NULL, 4, {0, 3, 4}, {2, 4}, {THREADS, ONE, 3, 1}},
    {NULL, 4, {0, 2, 5}, {4, 4}, {NOTHING, MANY, 0, 0}},
    {NULL, 4, {0, 2, 3}, {5, 5}, {NOTHING, OTHER, 0, 0}},
    {NULL, 4, {0, 0, 1}, {3, 3}, {NOTHING, FEWER, 0, 0}},
};

static void make(const struct row *row, struct nereus_machine *machine)
{
    struct nereus_error err;
    const enum nereus_status status =
        row->hosts != NULL ? nereus_machine_from_text(row->hosts, machine, &err)
                           : nereus_machine_single("localhost", row->counted, machine, &err);
    cr_assert_eq(status, NEREUS_OK, "%s", err.text);
}

Test(bind, choice)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct nereus_machine machine;
        make(row, &machine);
        const struct nereus_bind_choice choice =
            nereus_bind_choose(&machine, &row->position, &row->allowed);
        const char *hosts = row->hosts != NULL ? row->hosts : "undeclared";
        cr_expect_eq(choice.unit, row->expected.unit, "row %zu (%s): unit %d", i, hosts,
                     (int)choice.unit);
        cr_expect_eq(choice.reason, row->expected.reason, "row %zu (%s): reason %d", i, hosts,
                     (int)choice.reason);
        cr_expect_eq(choice.first, row->expected.first, "row %zu (%s): first %lld", i, hosts,
                     (long long)choice.first);
        cr_expect_eq(choice.count, row->expected.count, "row %zu (%s): count %lld", i, hosts,
                     (long long)choice.count);
        nereus_machine_fini(&machine);
    }
}

/* However many processes a machine gets in compact placement: one who has a core for itself shares
 * it with nobody on that host, and stays within the declared cores of its host. */
Test(bind, nobody_shares_a_core)
{
    struct nereus_machine machine;
    struct nereus_error err;
    cr_assert_eq(nereus_machine_from_text("h/a:2,k:3,h/b:1,h/c:4,k/b:2", &machine, &err),
                 NEREUS_OK);
    const struct nereus_bind_allowed allowed = {7, 7};
    for (int64_t n = 1; n <= 30; n++) {
        int64_t taken[2][7] = {{0}}, alone[2][7] = {{0}};
        int64_t index[5] = {0};
        for (int64_t rank = 0; rank < n; rank++) {
            const int64_t node = nereus_machine_node_of(&machine, rank);
            const int host = machine.nodes[node].name[0] == 'k';
            const struct nereus_bind_position position = {
                node, index[node]++, nereus_machine_node_processes(&machine, 0, n, node)};
            const struct nereus_bind_choice choice =
                nereus_bind_choose(&machine, &position, &allowed);
            cr_assert_eq(choice.unit, NEREUS_BIND_CORES);
            cr_assert(choice.first >= 0 && choice.first + choice.count <= (host ? 5 : 7));
            for (int64_t core = choice.first; core < choice.first + choice.count; core++) {
                taken[host][core]++;
                alone[host][core] += choice.reason == NEREUS_BIND_TO_ONE;
            }
        }
        for (int host = 0; host < 2; host++)
            for (int core = 0; core < 7; core++)
                cr_expect(alone[host][core] == 0 || taken[host][core] == 1,
                          "%lld processes: core %d of host %d is shared", (long long)n, core, host);
    }
    nereus_machine_fini(&machine);
}

/* Processes that take several cores: by hand, too. */
Test(bind, several_cores_for_each)
{
    static const struct {
        int64_t each;
        struct row row;
    } several[] = {
        {2, {"n:6", 0, {0, 0, 3}, {6, 6}, {CORES, ONE, 0, 2}}},
        {2, {"n:6", 0, {0, 2, 3}, {6, 6}, {CORES, ONE, 4, 2}}},
        {3, {"n:7", 0, {0, 1, 2}, {7, 7}, {CORES, ONE, 3, 3}}}, /* the seventh is left over */
        {2, {"n:6", 0, {0, 3, 4}, {6, 6}, {CORES, NODE, 0, 6}}},
        {2, {"n:6", 0, {0, 1, 2}, {5, 5}, {NOTHING, FEWER, 0, 0}}},
        {2, {"n:6", 0, {0, 1, 2}, {3, 6}, {THREADS, ONE, 2, 2}}},
        {2, {"h/a:2,h/b:4", 0, {1, 1, 2}, {6, 6}, {CORES, ONE, 4, 2}}},
        /* nobody declared anything */
        {2, {NULL, 5, {0, 1, 2}, {5, 5}, {CORES, ONE, 2, 2}}},
        {2, {NULL, 5, {0, 1, 2}, {7, 7}, {NOTHING, OTHER, 0, 0}}},
        {2, {NULL, 5, {0, 1, 3}, {5, 5}, {NOTHING, MANY, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
        const struct row *row = &several[i].row;
        struct nereus_machine machine;
        cr_assert_eq(row->hosts != NULL ? nereus_machine_from_text(row->hosts, &machine, NULL)
                                        : nereus_machine_single("n", row->counted, &machine, NULL),
                     NEREUS_OK);
        cr_assert_eq(nereus_machine_set_per_process(&machine, several[i].each, NULL), NEREUS_OK);
        const struct nereus_bind_choice choice =
            nereus_bind_choose(&machine, &row->position, &row->allowed);
        cr_expect(choice.unit == row->expected.unit && choice.reason == row->expected.reason &&
                      (choice.unit == NOTHING || (choice.first == row->expected.first &&
                                                  choice.count == row->expected.count)),
                  "row %zu: unit %d, reason %d, %d from %d on", i, (int)choice.unit,
                  (int)choice.reason, (int)choice.count, (int)choice.first);
        nereus_machine_fini(&machine);
    }
}
