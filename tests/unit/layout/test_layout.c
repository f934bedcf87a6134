/** @file test_layout.c  Machines from counts, lists and files; compact placement; loads. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "nereus/layout.h"
#include "tests/unit/random.h"

/* A finite machine of these cores. */
static struct nereus_machine machine_of(const int64_t *cores, int64_t nodes)
{
    struct nereus_machine machine = {.node_count = nodes};
    machine.nodes = calloc((size_t)nodes, sizeof *machine.nodes);
    for (int64_t i = 0; i < nodes; i++) {
        snprintf(machine.nodes[i].name, sizeof machine.nodes[i].name, "n%lld", (long long)i);
        machine.nodes[i].cores = cores[i];
        machine.cores_per_node =
            cores[i] > machine.cores_per_node ? cores[i] : machine.cores_per_node;
    }
    return machine;
}

/* Martín-Álvarez et al. (2024a), section 4.2: nodes of 20 cores, ceil(n / 20) in use;
 * Martín-Álvarez et al. (2025), section 5.2: nodes of 112 cores. */
Test(layout, nodes_used_by_compact_placement)
{
    static const struct {
        int64_t cores, n, nodes;
    } rows[] = {{20, 1, 1},    {20, 10, 1}, {20, 20, 1},  {20, 21, 2},
                {20, 40, 2},   {20, 80, 4}, {20, 120, 6}, {112, 1792, 16},
                {112, 113, 2}, {7, 0, 0},   {1, 13, 13},  {INT_MAX, INT64_MAX, 4294967299}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine;
        cr_assert(nereus_machine_uniform(rows[i].cores, &machine, NULL) == NEREUS_OK);
        cr_expect(nereus_machine_count_nodes(&machine, rows[i].n) == rows[i].nodes,
                  "C %lld, n %lld: %lld", (long long)rows[i].cores, (long long)rows[i].n,
                  (long long)nereus_machine_count_nodes(&machine, rows[i].n));
        cr_expect(!nereus_machine_is_oversubscribed(&machine, rows[i].n));
    }
}

Test(layout, made_of_one_node_or_without_end)
{
    struct nereus_machine machine;
    struct nereus_error err;
    cr_assert(nereus_machine_single("here", 3, &machine, &err) == NEREUS_OK);
    cr_expect(machine.slots == 0 && machine.node_count == 1 && machine.cores_per_node == 3);
    cr_expect(strcmp(machine.nodes[0].name, "here") == 0);
    cr_expect(nereus_machine_total_cores(&machine) == 3);
    cr_expect(!nereus_machine_is_oversubscribed(&machine, 3) &&
              nereus_machine_is_oversubscribed(&machine, 4));
    nereus_machine_fini(&machine);
    cr_expect(machine.nodes == NULL && machine.node_count == 0);
    nereus_machine_fini(&machine);

    cr_assert(nereus_machine_uniform(5, &machine, &err) == NEREUS_OK);
    cr_expect(nereus_machine_total_cores(&machine) == INT64_MAX &&
              nereus_machine_cores(&machine, 123456) == 5);
    nereus_machine_fini(&machine);
    static const int64_t bad[] = {0, -3, (int64_t)INT_MAX + 1};
    for (size_t i = 0; i < NEREUS_COUNT_OF(bad); i++) {
        cr_expect(nereus_machine_uniform(bad[i], &machine, &err) == NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, "1 core or more") != NULL, "%s", err.text);
        cr_expect(nereus_machine_single("here", bad[i], &machine, &err) == NEREUS_ERR_ARGUMENT);
    }
}

Test(layout, made_of_equal_nodes)
{
    struct nereus_machine machine;
    struct nereus_error err;
    cr_assert(nereus_machine_equal_nodes(3, 5, &machine, &err) == NEREUS_OK);
    cr_expect(machine.slots == 0 && machine.node_count == 3 && machine.cores_per_node == 5);
    cr_expect(nereus_machine_total_cores(&machine) == 15 && nereus_machine_cores(&machine, 2) == 5);
    cr_expect(strcmp(machine.nodes[2].name, "node2") == 0, "%s", machine.nodes[2].name);
    cr_expect(!nereus_machine_is_oversubscribed(&machine, 15) &&
              nereus_machine_is_oversubscribed(&machine, 16));
    nereus_machine_fini(&machine);
    cr_assert(nereus_machine_equal_nodes(0, 5, &machine, &err) == NEREUS_OK);
    cr_expect(machine.node_count == 0 && machine.nodes == NULL);
    cr_expect(nereus_machine_total_cores(&machine) == INT64_MAX);
    nereus_machine_fini(&machine);

    static const int64_t bad[][2] = {{-1, 5}, {NEREUS_EQUAL_NODES_MAX + 1, 5}, {3, 0}, {0, -7}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(bad); i++) {
        machine.node_count = 77;
        cr_expect(nereus_machine_equal_nodes(bad[i][0], bad[i][1], &machine, &err) ==
                  NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, bad[i][1] < 1 ? "1 core or more" : "nodes, not") != NULL, "%s",
                  err.text);
        cr_expect(machine.node_count == 77);
    }
}

/* One on each node in turn, by hand; more than there is room for is refused. */
Test(layout, spread)
{
    static const int64_t cores[] = {3, 1, 4};
    static const struct {
        int64_t processes, on[3]; /* on[0] < 0: refused */
    } rows[] = {{0, {0, 0, 0}}, {1, {1, 0, 0}}, {3, {1, 1, 1}}, {4, {2, 1, 1}},
                {5, {2, 1, 2}}, {7, {3, 1, 3}}, {8, {3, 1, 4}}, {9, {-1, 0, 0}}};
    struct nereus_machine machine = machine_of(cores, 3);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        int64_t on[3];
        struct nereus_error err;
        const enum nereus_status status =
            nereus_machine_spread(&machine, rows[i].processes, on, &err);
        cr_expect((status == NEREUS_OK) == (rows[i].on[0] >= 0), "row %zu", i);
        for (int node = 0; node < 3 && status == NEREUS_OK; node++)
            cr_expect(on[node] == rows[i].on[node], "row %zu, node %d: %lld", i, node,
                      (long long)on[node]);
    }
    nereus_machine_fini(&machine);
}

/* ---- layouts: loads counted process by process ---- */

enum { LAYOUT_NODES = 5, LAYOUT_RANKS = 64 };

/* Nodes of the ranks of sources and targets. A merge keeps its sources and wakes zombies; new ranks
 * follow the nodes. */
struct laid_out {
    int64_t before[LAYOUT_NODES], woken[LAYOUT_NODES], after[LAYOUT_NODES];
    int64_t source[LAYOUT_RANKS], target[LAYOUT_RANKS], sources, targets, awake;
};

static int64_t append(int64_t *nodes, int64_t count, int64_t node, int64_t more)
{
    for (int64_t i = 0; i < more; i++)
        nodes[count++] = node;
    return count;
}

static void draw_layout(bool respawn, struct laid_out *at)
{
    memset(at, 0, sizeof *at);
    for (int64_t node = 0; node < LAYOUT_NODES; node++) {
        at->before[node] = node == 0 ? 1 + random_below(4) : random_below(4);
        at->woken[node] = respawn ? 0 : random_below(2);
        at->after[node] =
            (respawn ? 0 : at->before[node] + at->woken[node]) + random_below(4) + (node == 3);
        at->sources = append(at->source, at->sources, node, at->before[node]);
    }
    if (!respawn) {
        memcpy(at->target, at->source, sizeof at->target);
        at->targets = at->sources;
        for (int64_t node = 0; node < LAYOUT_NODES; node++)
            at->targets = append(at->target, at->targets, node, at->woken[node]);
    }
    at->awake = at->targets;
    for (int64_t node = 0; node < LAYOUT_NODES; node++)
        at->targets = append(at->target, at->targets, node,
                             at->after[node] - (respawn ? 0 : at->before[node] + at->woken[node]));
}

/* The features that the rest follow from. */
static void count_by_process(const struct laid_out *at, const int64_t *cores, bool respawn,
                             int64_t old, int64_t first, int64_t count, struct nereus_load *load)
{
    int64_t old_on[LAYOUT_NODES] = {0}, new_on[LAYOUT_NODES] = {0};
    *load = (struct nereus_load){.new_processes = count};
    for (int64_t rank = 0; rank < old; rank++)
        old_on[respawn ? at->source[rank] : at->target[rank]]++;
    for (int64_t rank = first; rank < first + count; rank++)
        new_on[at->target[rank]]++;
    for (int node = 0; node < LAYOUT_NODES; node++) {
        const double c = (double)cores[node];
        load->old_nodes += old_on[node] > 0;
        load->new_nodes += new_on[node] > 0;
        load->shared_nodes += old_on[node] > 0 && new_on[node] > 0;
        load->target_nodes += at->after[node] > 0;
        load->new_per_node = new_on[node] > load->new_per_node ? new_on[node] : load->new_per_node;
        if (new_on[node] > 0)
            load->core_load = fmax(load->core_load, (double)(old_on[node] + new_on[node]) / c);
        if (old_on[node] > 0)
            load->load_all = fmax(load->load_all, (double)(2 * old_on[node] + new_on[node]) / c);
    }
}

Test(layout, loads_of_a_layout)
{
    static const int64_t cores[LAYOUT_NODES] = {3, 1, 4, 2, 7};
    struct nereus_machine machine = machine_of(cores, LAYOUT_NODES);
    random_state = 33;
    for (int i = 0; i < 4000; i++) {
        struct laid_out at;
        struct nereus_load got, expected;
        const bool respawn = random_below(2) == 0;
        draw_layout(respawn, &at);
        const struct nereus_layout layout = {at.before, at.woken, at.after};
        machine.layout = &layout;
        /* the sources alone; or new ranks, in a merge after those that are there */
        const int64_t fresh = at.targets - at.awake, started = random_below(fresh + 1);
        const int64_t first = at.awake + started;
        const int64_t old = respawn ? at.sources : random_below(3) == 0 ? at.sources : first;
        const int64_t count = old < first && !respawn ? 0 : random_below(at.targets - first + 1);
        nereus_placement_find_load(
            &machine, &(struct nereus_placement){old, first, count, at.targets, respawn}, &got);
        count_by_process(&at, cores, respawn, old, first, count, &expected);
        cr_assert(got.old_nodes == expected.old_nodes && got.new_nodes == expected.new_nodes &&
                      got.shared_nodes == expected.shared_nodes &&
                      got.target_nodes == expected.target_nodes &&
                      got.new_per_node == expected.new_per_node,
                  "case %d: nodes %lld %lld %lld %lld", i, (long long)got.old_nodes,
                  (long long)got.new_nodes, (long long)got.shared_nodes,
                  (long long)got.target_nodes);
        cr_assert(fabs(got.core_load - expected.core_load) +
                          fabs(got.load_all - expected.load_all) <
                      1e-12,
                  "case %d: %g, %g", i, got.core_load, got.load_all);
    }
    machine.layout = NULL;
    nereus_machine_fini(&machine);
}

/* All on one node, before and after, or not; without a layout by the compact placement. */
Test(layout, on_one_node)
{
    static const int64_t cores[] = {3, 4};
    static const struct {
        int64_t before[2], woken[2], after[2];
        bool one;
    } rows[] = {{{2, 0}, {0, 0}, {3, 0}, true},
                {{0, 2}, {0, 0}, {0, 4}, true},
                {{2, 0}, {0, 0}, {0, 2}, false},
                {{1, 0}, {0, 1}, {1, 0}, false}};
    struct nereus_machine machine = machine_of(cores, 2);
    cr_expect(nereus_machine_is_one_node(&machine, 3));
    cr_expect(!nereus_machine_is_one_node(&machine, 4));
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_layout layout = {rows[i].before, rows[i].woken, rows[i].after};
        struct nereus_machine copy;
        machine.layout = &layout;
        cr_expect(nereus_machine_is_one_node(&machine, 3) == rows[i].one, "row %zu", i);
        cr_assert(nereus_machine_copy(&machine, &copy, NULL) == NEREUS_OK);
        cr_expect(copy.layout == NULL, "a copy has a layout");
        nereus_machine_fini(&copy);
    }
    machine.layout = NULL;
    nereus_machine_fini(&machine);
}

Test(layout, ranks_on_unequal_nodes_and_in_further_rounds)
{
    static const int64_t cores[] = {3, 1, 4};
    static const int64_t nodes[] = {
        0, 0, 0, 1, 2, 2, 2, 2, /* again */ 0, 0, 0, 1, 2, 2, 2, 2, /* again */ 0};
    struct nereus_machine machine = machine_of(cores, 3);
    for (size_t rank = 0; rank < NEREUS_COUNT_OF(nodes); rank++)
        cr_expect(nereus_machine_node_of(&machine, (int64_t)rank) == nodes[rank], "rank %zu", rank);
    cr_expect(nereus_machine_count_nodes(&machine, 3) == 1);
    cr_expect(nereus_machine_count_nodes(&machine, 4) == 2);
    cr_expect(nereus_machine_count_nodes(&machine, 5) == 3);
    cr_expect(nereus_machine_count_nodes(&machine, 9) == 3);
    cr_expect(nereus_machine_node_processes(&machine, 2, 9, 0) == 1 + 3);
    cr_expect(nereus_machine_node_processes(&machine, 2, 9, 1) == 1);
    cr_expect(nereus_machine_node_processes(&machine, 2, 9, 2) == 4);
    cr_expect(nereus_machine_is_oversubscribed(&machine, 9) &&
              !nereus_machine_is_oversubscribed(&machine, 8));
    nereus_machine_fini(&machine);
}

Test(layout, sizes_are_checked)
{
    static const struct {
        int64_t slots, n;
        enum nereus_status status;
        const char *part;
    } rows[] = {
        {0, 1, NEREUS_OK, NULL},
        {0, INT_MAX, NEREUS_OK, NULL},
        {6, 6, NEREUS_OK, NULL},
        {6, 7, NEREUS_ERR_ARGUMENT, "--nt 7: only 6 slots"},
        {6, 0, NEREUS_ERR_ARGUMENT, "--nt 0: a job needs 1 process"},
        {0, -4, NEREUS_ERR_ARGUMENT, "--nt -4"},
        {0, (int64_t)INT_MAX + 1, NEREUS_ERR_ARGUMENT, "--nt 2147483648"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = {.cores_per_node = 2, .slots = rows[i].slots};
        struct nereus_error err = {NEREUS_OK, ""};
        cr_expect(nereus_machine_check_size(&machine, "--nt", rows[i].n, &err) == rows[i].status,
                  "%zu", i);
        cr_expect(rows[i].part == NULL || strstr(err.text, rows[i].part) != NULL, "%s", err.text);
    }
}

/* A digit too many on two cores: refused where nobody has declared so many. */
Test(layout, oversubscription_ends_where_no_slots_are_declared)
{
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_machine_single("here", 2, &machine, NULL) == NEREUS_OK);
    cr_expect(nereus_machine_check_start(&machine, "--nt", 128, NULL) == NEREUS_OK);
    cr_expect(nereus_machine_check_start(&machine, "--nt", 129, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "--nt 129: on 2 cores at most 128 processes (64 a core)"),
                       "%s", err.text);
    cr_expect_not_null(strstr(err.text, "are started unless more slots are declared"), "%s",
                       err.text);
    cr_expect_not_null(strstr(err.text, "declare slots (by a host file"), "%s", err.text);
    cr_expect(nereus_machine_check_size(&machine, "--nt", 1000, NULL) == NEREUS_OK,
              "asking is free");
    machine.slots = 3000;
    cr_expect(nereus_machine_check_start(&machine, "--nt", 3000, NULL) == NEREUS_OK);
    nereus_machine_fini(&machine);
}

/* --- texts and host files --- */

Test(layout, from_text)
{
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_machine_from_text("node-1:4, node_2.cluster ,h/a:12", &machine, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    cr_expect(machine.node_count == 3 && machine.slots == 17 && machine.cores_per_node == 12);
    cr_expect(strcmp(machine.nodes[0].name, "node-1") == 0 && machine.nodes[0].cores == 4);
    cr_expect(strcmp(machine.nodes[1].name, "node_2.cluster") == 0 && machine.nodes[1].cores == 1);
    cr_expect(strcmp(machine.nodes[2].name, "h/a") == 0 && machine.nodes[2].cores == 12);
    nereus_machine_fini(&machine);
}

Test(layout, faults_in_text_name_the_entry)
{
    static const struct {
        const char *text, *parts[2];
    } rows[] = {
        {"", {"entry 1", "a node is missing"}},
        {"a,,b", {"entry 2", "a node is missing"}},
        {"a:2,", {"entry 2", "a node is missing"}},
        {"a,b:x", {"entry 2", "'x' is no number of cores of node 'b'"}},
        {"a:0", {"entry 1", "'0' is no number of cores"}},
        {"a:-2", {"entry 1", "'-2'"}},
        {"a:", {"entry 1", "'' is no number of cores"}},
        {"a:2x", {"entry 1", "'2x'"}},
        {"a:2147483648", {"entry 1", "from 1 to 2147483647"}},
        {"a:99999999999999999999999", {"entry 1", "from 1 to"}},
        {"a:18446744073709551617", {"entry 1", "from 1 to"}}, /* 2^64 + 1 */
        {":4", {"entry 1", "':4' is no node"}},
        {"a b:4", {"entry 1", "'a b:4' is no node"}},
        {"/v:4", {"entry 1", "'/v:4' is no node"}},
        {"h/:4", {"entry 1", "'h/:4' is no node"}},
        {"h/v/w", {"entry 1", "'h/v/w' is no node"}},
        {"-oProxyCommand:4", {"entry 1", "'-oProxyCommand:4' is no node"}},
        {"a:4,-f", {"entry 2", "'-f' is no node"}},
        {"h/-v:4", {"entry 1", "'h/-v:4' is no node"}},
        {".x", {"entry 1", "'.x' is no node"}},
        {"a:4@", {"entry 1", "'' is no allocation"}},
        {"a:4,b@7", {"entry 2", "'7' is no allocation"}},
        {"a:4@slurm:", {"entry 1", "'slurm:' is no allocation"}},
        {"a:4@pbs:7", {"entry 1", "write name:cores@slurm:NUMBER"}},
        {"a:4@slurm:7x", {"entry 1", "'slurm:7x' is no allocation"}},
        {"a:2,b,a",
         {"'a' is listed twice (first in entry 1): write it once, with all its cores, as a:3,",
          "or a virtual node for each part, as a/a and a/b"}},
        {"n23456789012345678901234567890123456789012345678901234567890123456789",
         {"entry 1", "longer than 63"}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = {.slots = 42};
        struct nereus_error err = {NEREUS_OK, ""};
        cr_expect(nereus_machine_from_text(rows[i].text, &machine, &err) == NEREUS_ERR_PARSE,
                  "'%s'", rows[i].text);
        cr_expect(machine.slots == 42, "'%s' wrote its output", rows[i].text);
        for (size_t p = 0; p < 2; p++) {
            cr_expect(strstr(err.text, rows[i].parts[p]) != NULL, "'%s': no \"%s\" in \"%s\"",
                      rows[i].text, rows[i].parts[p], err.text);
        }
    }
}

/* A host file with this content; the name is to be unlinked. */
static void write_hosts(char *path, const char *content)
{
    strcpy(path, "hosts-XXXXXX");
    int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    cr_assert(write(descriptor, content, strlen(content)) == (ssize_t)strlen(content));
    close(descriptor);
}

Test(layout, from_file)
{
    char path[32];
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    write_hosts(path, "# two racks\r\n\r\n  n1:8\t# the first\n\nn2:4   \r\nn3");
    cr_assert(nereus_machine_from_file(path, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(machine.node_count == 3 && machine.slots == 13 && machine.cores_per_node == 8);
    cr_expect(strcmp(machine.nodes[1].name, "n2") == 0 && machine.nodes[1].cores == 4);
    nereus_machine_fini(&machine);
    unlink(path);
    write_hosts(path, "n1:8\ncores_per_process  3 # threads\nn2:5\n");
    cr_assert(nereus_machine_from_file(path, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(machine.slots == 3 && machine.cores_per_node == 2 && machine.cores_per_process == 3);
    nereus_machine_fini(&machine);
    unlink(path);
}

/* Host files of other launchers: MPICH and Intel MPI have name:cores, Open MPI has slots. */
Test(layout, host_files_of_other_launchers)
{
    static const char *const rows[] = {
        "node1:4\nnode2\n",
        "# Open MPI\nnode1 slots=4 max_slots=8\nnode2 slots=1\n",
        "node1  slots=4\tmax-slots=4 \r\nnode2\r\n",
        "\xEF\xBB\xBFnode1:4\rnode2:1\r",
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char path[32];
        struct nereus_machine machine = {0};
        struct nereus_error err = {NEREUS_OK, ""};
        write_hosts(path, rows[i]);
        cr_expect(nereus_machine_from_file(path, &machine, &err) == NEREUS_OK, "row %zu: %s", i,
                  err.text);
        cr_expect(machine.node_count == 2 && machine.nodes[0].cores == 4 &&
                      machine.nodes[1].cores == 1 && strcmp(machine.nodes[0].name, "node1") == 0,
                  "row %zu", i);
        nereus_machine_fini(&machine);
        unlink(path);
    }
}

Test(layout, faults_in_files_name_file_and_line)
{
    static const struct {
        const char *content, *after_path;
    } rows[] = {
        {"n1:4\n\n# n2\nn3:four\n", ":4: 'four' is no number of cores of node 'n3'"},
        {"n1:4\nn2 slots=x\n", ":2: 'slots=x' behind a node is not understood"},
        {"n1:4\nn2:2 slots=4\n", ":2: 'slots=4' behind a node is not understood"},
        {"n1:4\nn2 ifname=eth0\n", ":2: 'ifname=eth0' behind a node is not understood"},
        {"n1:4\nn2 : 4\n", ":2: ':' behind a node is not understood"},
        {"n1:4\nn2,n3\n", ":2: 'n2,n3' is no node"},
        {"n1:4\nn2\n\nn1:4", ":4: node 'n1' is listed twice (first in line 1)"},
        {"n1:4\ncores_per_process none\n", ":2: cores_per_process needs a whole number from 1 on"},
        {"cores_per_process 2\nn1:4\ncores_per_process 2\n",
         ":3: cores_per_process is there twice"},
        {"# nobody\n\n", "' lists no node"},
        {"", "' is empty"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char path[32], expected[128];
        struct nereus_machine machine;
        struct nereus_error err = {NEREUS_OK, ""};
        write_hosts(path, rows[i].content);
        snprintf(expected, sizeof expected, "%s%s", path, rows[i].after_path);
        cr_expect(nereus_machine_from_file(path, &machine, &err) == NEREUS_ERR_PARSE, "row %zu", i);
        cr_expect(strstr(err.text, expected) != NULL, "no \"%s\" in \"%s\"", expected, err.text);
        unlink(path);
    }
    struct nereus_error err;
    cr_expect(nereus_machine_from_file("no/such/hosts", &(struct nereus_machine){0}, &err) ==
              NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "host file 'no/such/hosts' does not exist") != NULL, "%s", err.text);
}

Test(layout, ten_thousand_hosts)
{
    char *text = malloc(200000);
    size_t length = 0;
    for (int i = 0; i < 10000; i++) {
        length +=
            (size_t)sprintf(text + length, "%snode%05d:112", i == 0 ? "" : ",", (i * 7919) % 10000);
    }
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_machine_from_text(text, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(machine.node_count == 10000 && machine.slots == 1120000);
    /* Fast enough to be done as often as a map of all pairs of sizes needs it. */
    struct nereus_load load;
    for (int i = 0; i < 200; i++) {
        nereus_placement_find_load(
            &machine, &(struct nereus_placement){1000 + i, 0, 1000000, 1000000, false}, &load);
        cr_assert(load.new_nodes == 8929 && load.new_per_node == 112);
    }
    nereus_machine_fini(&machine);
    free(text);
}

/* --- loads --- */

static void expect_load(const char *what, const struct nereus_load *got,
                        const struct nereus_load *expected)
{
    cr_expect(got->new_processes == expected->new_processes, "%s: new_processes", what);
    cr_expect(got->new_per_node == expected->new_per_node, "%s: new_per_node %lld, not %lld", what,
              (long long)got->new_per_node, (long long)expected->new_per_node);
    cr_expect(got->new_nodes == expected->new_nodes, "%s: new_nodes %lld, not %lld", what,
              (long long)got->new_nodes, (long long)expected->new_nodes);
    cr_expect(got->old_nodes == expected->old_nodes, "%s: old_nodes %lld, not %lld", what,
              (long long)got->old_nodes, (long long)expected->old_nodes);
    cr_expect(got->target_nodes == expected->target_nodes, "%s: target_nodes %lld, not %lld", what,
              (long long)got->target_nodes, (long long)expected->target_nodes);
    cr_expect(got->shared_nodes == expected->shared_nodes, "%s: shared_nodes %lld, not %lld", what,
              (long long)got->shared_nodes, (long long)expected->shared_nodes);
    cr_expect(fabs(got->fill - expected->fill) < 1e-12, "%s: fill %g, not %g", what, got->fill,
              expected->fill);
    cr_expect(fabs(got->core_load - expected->core_load) < 1e-12, "%s: load %g, not %g", what,
              got->core_load, expected->core_load);
    cr_expect(fabs(got->load_all - expected->load_all) < 1e-12, "%s: load_all %g, not %g", what,
              got->load_all, expected->load_all);
    cr_expect(fabs(got->load_root - expected->load_root) < 1e-12, "%s: load_root %g, not %g", what,
              got->load_root, expected->load_root);
    cr_expect(fabs(got->load_root_only - expected->load_root_only) < 1e-12,
              "%s: load_apart %g, not %g", what, got->load_root_only, expected->load_root_only);
}

/* Worked by hand from the definitions (nereus/layout.h), on the sizes of Martín-Álvarez et al. (2024a),
 * section 4.3 and on unequal nodes. */
static const int64_t unequal_cores[] = {6, 3, 8};

static const struct {
    const char *what;
    bool is_unequal; /* else nodes of 20 cores */
    int64_t old, first_new, count, targets;
    struct nereus_load expected;
} worked_loads[] = {
    {"merge 10 -> 80", false, 10, 10, 70, 80, {70, 20, 4, 1, 4, 1, 1.0, 1.0, 1.5, 1.05, 1.0, 1.0}},
    {"baseline 40 -> 80",
     false,
     40,
     0,
     80,
     80,
     {80, 20, 4, 2, 4, 2, 1.0, 2.0, 3.0, 2.05, 1.05, 2.0}},
    {"baseline 80 -> 10",
     false,
     80,
     0,
     10,
     10,
     {10, 10, 1, 4, 1, 1, 0.5, 1.5, 2.5, 1.55, 0.55, 1.5}},
    {"merge 20 -> 40", false, 20, 20, 20, 40, {20, 20, 1, 1, 2, 0, 1.0, 1.0, 2.0, 1.05, 1.0, 1.0}},
    {"merge 120 -> 10", false, 120, 120, 0, 10, {0, 0, 0, 6, 1, 0, 0.0, 0.0, 2.0, 1.05, 0.0, 0.0}},
    /* nodes of 6, 3, 8; old 6 + 1; new ranks 7 to 15: 2 on node 1, 7 on node 2 */
    {"merge 7 -> 16, unequal",
     true,
     7,
     7,
     9,
     16,
     {9, 7, 2, 2, 3, 1, 7 / 8., 1.0, 2.0, 7 / 6., 7 / 8., 1.0}},
    /* old 6 + 1; new 6 + 3 + 2 */
    {"baseline 7 -> 11, unequal",
     true,
     7,
     0,
     11,
     11,
     {11, 6, 3, 2, 3, 2, 1.0, 2.0, 3.0, 13 / 6., 7 / 6., 2.0}},
    /* 17 cores; old 6 + 3 + 6; new ranks 15 to 24: 2 on node 2, then 6 + 2 in the second round;
           25 = 17 + 8 targets */
    {"merge 15 -> 25, oversubscribed",
     true,
     15,
     15,
     10,
     25,
     {10, 6, 3, 3, 3, 3, 1.0, 2.0, 3.0, 13 / 6., 7 / 6., 2.0}},
};

Test(layout, loads_worked_by_hand)
{
    struct nereus_machine twenty = {.cores_per_node = 20}, odd = machine_of(unequal_cores, 3);
    for (size_t i = 0; i < NEREUS_COUNT_OF(worked_loads); i++) {
        struct nereus_load load;
        nereus_placement_find_load(
            worked_loads[i].is_unequal ? &odd : &twenty,
            &(struct nereus_placement){worked_loads[i].old, worked_loads[i].first_new,
                                       worked_loads[i].count, worked_loads[i].targets, false},
            &load);
        expect_load(worked_loads[i].what, &load, &worked_loads[i].expected);
    }
    nereus_machine_fini(&odd);
}

/* Where the most new processes are on two nodes, the smaller of the nodes is the fuller one. */
Test(layout, fill_of_equally_filled_nodes)
{
    static const int64_t cores[] = {9, 4, 4, 11};
    struct nereus_machine machine = machine_of(cores, 4);
    struct nereus_load load;
    nereus_placement_find_load(&machine, &(struct nereus_placement){5, 5, 4 + 4 + 4 + 4, 21, false},
                               &load); /* 4 on each node, alone on all but the first */
    cr_expect(load.new_per_node == 4 && load.new_nodes == 4 && load.shared_nodes == 1);
    cr_expect(load.fill == 1.0, "%g", load.fill);
    nereus_machine_fini(&machine);
}

/* Everything again, from one rank after the other. */
static void load_by_counting(const struct nereus_machine *machine, int64_t old, int64_t first_new,
                             int64_t count, int64_t targets, struct nereus_load *load)
{
    enum { NODES = 64 };
    int64_t old_on[NODES] = {0}, new_on[NODES] = {0}, target_on[NODES] = {0};
    for (int64_t r = 0; r < old; r++)
        old_on[nereus_machine_node_of(machine, r)]++;
    for (int64_t r = first_new; r < first_new + count; r++)
        new_on[nereus_machine_node_of(machine, r)]++;
    for (int64_t r = 0; r < targets; r++)
        target_on[nereus_machine_node_of(machine, r)]++;
    memset(load, 0, sizeof *load);
    load->new_processes = count;
    for (int64_t n = 0; n < machine->node_count; n++) {
        const int64_t each = nereus_machine_cores_per_process(machine);
        double c = (double)(machine->nodes[n].cores * each);
        load->old_nodes += old_on[n] > 0;
        load->new_nodes += new_on[n] > 0;
        load->target_nodes += target_on[n] > 0;
        load->shared_nodes += old_on[n] > 0 && new_on[n] > 0;
        load->new_per_node = new_on[n] > load->new_per_node ? new_on[n] : load->new_per_node;
        if (new_on[n] > 0) {
            load->core_load = fmax(load->core_load, (double)(old_on[n] + new_on[n]) / c);
            load->load_root_only =
                fmax(load->load_root_only, (double)(new_on[n] + (n == 0 && old_on[n] > 0)) / c);
        }
        if (new_on[n] > 0)
            load->load_busy = fmax(load->load_busy, (double)(each * old_on[n] + new_on[n]) / c);
        /* of several cores the auxiliary thread has one */
        const double own = (double)(each > 1 ? each : 2), root = each > 1 ? 0 : n == 0;
        if (old_on[n] > 0) {
            load->load_all =
                fmax(load->load_all, (own * (double)old_on[n] + (double)new_on[n]) / c);
            load->load_root =
                fmax(load->load_root, ((double)(each * old_on[n]) + (double)new_on[n] + root) / c);
        }
    }
    for (int64_t n = 0; n < machine->node_count; n++) {
        if (new_on[n] == load->new_per_node) {
            load->fill = fmax(load->fill, (double)new_on[n] /
                                              (double)(machine->nodes[n].cores *
                                                       nereus_machine_cores_per_process(machine)));
        }
    }
}

/* Where new processes begin: as in baseline, as in merge, or anywhere. */
static int64_t random_first(int64_t old, int64_t limit)
{
    const int64_t kind = random_below(3);
    return kind == 0 ? 0 : kind == 1 ? old : random_below(limit);
}

Test(layout, loads_of_random_machines_agree_with_counting)
{
    for (int trial = 0; trial < 3000; trial++) {
        int64_t cores[12], nodes = 1 + random_below(12), total = 0;
        for (int64_t i = 0; i < nodes; i++)
            total += cores[i] = 1 + random_below(9);
        struct nereus_machine machine = machine_of(cores, nodes);
        machine.cores_per_process = random_below(4);
        int64_t old = 1 + random_below(2 * total), count = random_below(2 * total);
        int64_t first = random_first(old, 2 * total), targets = 1 + random_below(2 * total);
        struct nereus_load got, expected;
        nereus_placement_find_load(
            &machine, &(struct nereus_placement){old, first, count, targets, false}, &got);
        load_by_counting(&machine, old, first, count, targets, &expected);
        char what[96];
        snprintf(what, sizeof what, "trial %d: %lld nodes, %lld old, %lld new from %lld", trial,
                 (long long)nodes, (long long)old, (long long)count, (long long)first);
        expect_load(what, &got, &expected);
        cr_expect(fabs(got.load_busy - expected.load_busy) < 1e-12, "%s: %g, not %g", what,
                  got.load_busy, expected.load_busy);
        nereus_machine_fini(&machine);
    }
}

/* A finite machine of equal nodes, large enough, and the unbounded one are the same. */
Test(layout, closed_forms_agree_with_the_walk)
{
    for (int trial = 0; trial < 5000; trial++) {
        int64_t cores[40], c = 1 + random_below(8);
        for (int i = 0; i < 40; i++)
            cores[i] = c;
        struct nereus_machine finite = machine_of(cores, 40), unbounded = {.cores_per_node = c};
        unbounded.cores_per_process = finite.cores_per_process = random_below(4);
        int64_t old = random_below(20 * c), count = random_below(20 * c);
        int64_t first = random_first(old, 20 * c), targets = random_below(40 * c);
        struct nereus_load walked, closed;
        nereus_placement_find_load(
            &finite, &(struct nereus_placement){old, first, count, targets, false}, &walked);
        nereus_placement_find_load(
            &unbounded, &(struct nereus_placement){old, first, count, targets, false}, &closed);
        char what[96];
        snprintf(what, sizeof what, "trial %d: C %lld, %lld old, %lld new from %lld", trial,
                 (long long)c, (long long)old, (long long)count, (long long)first);
        expect_load(what, &closed, &walked);
        cr_expect(fabs(closed.load_busy - walked.load_busy) < 1e-12, "%s", what);
        int64_t rank = random_below(40 * c), node = random_below(40);
        cr_expect(nereus_machine_node_of(&finite, rank) == nereus_machine_node_of(&unbounded, rank),
                  "%s", what);
        cr_expect(nereus_machine_node_processes(&finite, first, count, node) ==
                      nereus_machine_node_processes(&unbounded, first, count, node),
                  "%s, node %lld", what, (long long)node);
        nereus_machine_fini(&finite);
    }
}

/* Whatever the machine is, the nodes' shares add up. */
Test(layout, shares_add_up)
{
    for (int trial = 0; trial < 2000; trial++) {
        int64_t cores[9], nodes = 1 + random_below(9);
        for (int64_t i = 0; i < nodes; i++)
            cores[i] = 1 + random_below(20);
        struct nereus_machine machine = machine_of(cores, nodes);
        int64_t first = random_below(300), n = random_below(300), sum = 0;
        for (int64_t node = 0; node < nodes; node++)
            sum += nereus_machine_node_processes(&machine, first, n, node);
        cr_expect(sum == n, "trial %d: %lld of %lld", trial, (long long)sum, (long long)n);
        nereus_machine_fini(&machine);
    }
}

/* Each process takes several cores: so many count as one, what is left over is not used. */
Test(layout, several_cores_for_each_process)
{
    static const struct {
        const char *hosts;
        int64_t each, again; /* 0: not set a second time */
        int64_t first, last, total, slots;
    } rows[] = {
        {"a:7,b:5", 1, 0, 7, 5, 12, 12},   {"a:7,b:5", 2, 0, 3, 2, 5, 5},
        {"a:7,b:5", 5, 0, 1, 1, 2, 2},     {"a:12,b:6", 3, 2, 6, 3, 9, 9},
        {"a:12,b:6", 2, 1, 12, 6, 18, 18},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine;
        cr_assert_eq(nereus_machine_from_text(rows[i].hosts, &machine, NULL), NEREUS_OK);
        cr_assert_eq(nereus_machine_set_per_process(&machine, rows[i].each, NULL), NEREUS_OK);
        if (rows[i].again > 0)
            cr_assert_eq(nereus_machine_set_per_process(&machine, rows[i].again, NULL), NEREUS_OK);
        cr_expect_eq(nereus_machine_cores(&machine, 0), rows[i].first, "row %zu", i);
        cr_expect_eq(nereus_machine_cores(&machine, 1), rows[i].last, "row %zu", i);
        cr_expect_eq(nereus_machine_total_cores(&machine), rows[i].total, "row %zu", i);
        cr_expect_eq(machine.slots, rows[i].slots, "row %zu", i);
        cr_expect_eq(machine.cores_per_node, rows[i].first, "row %zu", i);
        nereus_machine_fini(&machine);
    }
    struct nereus_machine machine;
    struct nereus_error err;
    cr_assert_eq(nereus_machine_from_text("a:7,b:3", &machine, &err), NEREUS_OK);
    cr_expect_eq(nereus_machine_set_per_process(&machine, 4, &err), NEREUS_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "node 'b' has 3 cores, and each process takes 4"));
    cr_expect(machine.nodes[0].cores == 7 && machine.slots == 10, "changed by a refused call");
    cr_expect_eq(nereus_machine_set_per_process(&machine, 0, &err), NEREUS_ERR_ARGUMENT);
    nereus_machine_fini(&machine);
    cr_assert_eq(nereus_machine_uniform(20, &machine, &err), NEREUS_OK);
    cr_assert_eq(nereus_machine_set_per_process(&machine, 6, &err), NEREUS_OK);
    cr_expect(machine.cores_per_node == 3 && nereus_machine_count_nodes(&machine, 7) == 3);
    cr_expect_eq(nereus_machine_set_per_process(&machine, 21, &err), NEREUS_ERR_ARGUMENT);
}
