/** @file test_slurm.c  Slurm's compressed lists of nodes and cores, by hand. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/layout/slurm.h"
#include "model/util/arith.h"

Test(slurm, hosts)
{
    static const struct {
        struct nereus_slurm slurm;
        int64_t cores;
        const char *expected; /* NULL: refused, with `word` in the sentence */
        const char *word;
    } rows[] = {
        {{.nodes = "n7"}, 0, "n7:1\n", NULL},
        {{.nodes = "node[01-03,7]", .cpus_on_node = "36"},
         0,
         "node01:36\nnode02:36\nnode03:36\nnode7:36\n",
         NULL},
        {{.nodes = "a[8-10],b,c-d[3]", .cpus_per_node = "36(x3),24,5"},
         0,
         "a8:36\na9:36\na10:36\nb:24\nc-d3:5\n",
         NULL},
        {{.nodes = "a[099-101]", .cpus_per_node = "4(x3)"}, 0, "a099:4\na100:4\na101:4\n", NULL},
        {{.nodes = "r[1-2]n[5,7].local", .tasks_per_node = "2(x4)"},
         0,
         "r1n5.local:2\nr1n7.local:2\nr2n5.local:2\nr2n7.local:2\n",
         NULL},
        {{.nodes = "x[1-2]",
          .cpus_per_node = "9(x2)",
          .cpus_on_node = "7",
          .tasks_per_node = "3(x2)"},
         0,
         "x1:3\nx2:3\n",
         NULL},
        {{.nodes = "x[1-2]", .cpus_per_node = "9(x2)", .cpus_on_node = "7"},
         0,
         "x1:9\nx2:9\n",
         NULL},
        {{.nodes = "x[1-2]", .cpus_per_node = "9(x2)"}, 5, "x1:5\nx2:5\n", NULL},
        {{.nodes = "x[1-3]", .cpus_per_node = "9,8"}, 0, "x1:9\nx2:8\nx3:8\n", NULL},
        {{.nodes = "x[1-"}, 0, NULL, "not closed"},
        {{.nodes = "x1-2]"}, 0, NULL, "not opened"},
        {{.nodes = "x[3-1]"}, 0, NULL, "[01-03,7]"},
        {{.nodes = "x[]"}, 0, NULL, "[01-03,7]"},
        {{.nodes = "x[1,]"}, 0, NULL, "[01-03,7]"},
        {{.nodes = "x[1-9999999999]"}, 0, NULL, "100000"},
        {{.nodes = "nid[0000000001-0000000003,1234567890]", .cpus_per_node = "4(x4)"},
         0,
         "nid0000000001:4\nnid0000000002:4\nnid0000000003:4\nnid1234567890:4\n",
         NULL}, /* SLURM_JOB_NODELIST of a Cray */
        {{.nodes = "ip-[10000000007-10000000008].x"},
         0,
         "ip-10000000007.x:1\nip-10000000008.x:1\n",
         NULL},
        {{.nodes = "x[0000000000000000000001]"}, 0, "x0000000000000000000001:1\n", NULL},
        {{.nodes = "x[1234567890123456789]"}, 0, NULL, "[01-03,7]"},
        {{.nodes = "-oProxyCommand=x"}, 0, NULL, "begins with a letter or a digit"},
        {{.nodes = "a,-f"}, 0, NULL, "begins with a letter or a digit"},
        {{.nodes = "a\033[1-2]"}, 0, NULL, "letters, digits"},
        {{.nodes = "a b"}, 0, NULL, "letters, digits"},
        {{.nodes = "x[1-999999]"}, 0, NULL, "100000"},
        {{.nodes = ""}, 0, NULL, "missing"},
        {{.nodes = "a,,b"}, 0, NULL, "missing"},
        {{.nodes = "a", .cpus_per_node = "4(x"}, 0, NULL, "cores per node"},
        {{.nodes = "a", .cpus_per_node = "0"}, 0, NULL, "cores per node"},
        {{.nodes = "a", .cpus_per_node = "four"}, 0, NULL, "cores per node"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char *text = NULL;
        struct nereus_error err = {.text = ""};
        const enum nereus_status status =
            nereus_slurm_hosts(&rows[i].slurm, rows[i].cores, &text, &err);
        if (rows[i].expected != NULL) {
            cr_assert_eq(status, NEREUS_OK, "%s: %s", rows[i].slurm.nodes, err.text);
            cr_expect_str_eq(text, rows[i].expected);
        } else {
            cr_expect_eq(status, NEREUS_ERR_PARSE, "%s", rows[i].slurm.nodes);
            cr_expect_not_null(strstr(err.text, rows[i].word), "%s: %s", rows[i].slurm.nodes,
                               err.text);
        }
        free(text);
    }
}

/* Where no host file is given: tasks that were asked for before CPUs, and as slots; one node is
 * this host, with those of its cores that Slurm has given, and Slurm's name. */
Test(slurm, machine)
{
    static const struct {
        struct nereus_slurm slurm;
        int64_t nodes, slots, cores[3];
        const char *name; /* of the last node */
    } rows[] = {
        {{.nodes = NULL, .tasks_per_node = "5(x2)"}, 1, 0, {7}, "here"},
        {{.nodes = "n4", .cpus_per_node = "5", .tasks_per_node = "3"}, 1, 0, {5}, "n4"},
        {{.nodes = "n4", .cpus_per_node = "9"}, 1, 0, {7}, "n4"},
        {{.nodes = "n4", .cpus_on_node = "1"}, 1, 0, {1}, "n4"},
        {{.nodes = "n[4-5]", .cpus_per_node = "5(x2)"}, 2, 0, {5, 5}, "n5"},
        {{.nodes = "n[4-5],m9", .cpus_per_node = "8(x3)", .tasks_per_node = "3(x2),6"},
         3,
         12,
         {3, 3, 6},
         "m9"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine;
        cr_assert_eq(nereus_machine_from_environment(&rows[i].slurm, "here", 7, &machine, NULL),
                     NEREUS_OK);
        cr_assert_eq(machine.node_count, rows[i].nodes, "row %zu", i);
        cr_expect_eq(machine.slots, rows[i].slots, "row %zu", i);
        for (int64_t node = 0; node < machine.node_count; node++)
            cr_expect_eq(machine.nodes[node].cores, rows[i].cores[node], "row %zu", i);
        cr_expect_str_eq(machine.nodes[machine.node_count - 1].name, rows[i].name);
        nereus_machine_fini(&machine);
    }
    /* CPUs of a task are the cores of a process; tasks are counted in them already. */
    static const struct {
        struct nereus_slurm slurm;
        int64_t each, total, slots;
    } several[] = {
        {{.nodes = "x[1-2]", .cpus_per_node = "9(x2)", .cpus_per_task = 4}, 4, 4, 0},
        {{.nodes = "x[1-2]", .tasks_per_node = "3(x2)", .cpus_per_task = 4}, 4, 6, 6},
        {{.nodes = "x1", .cpus_per_node = "9", .cpus_per_task = 3}, 3, 2, 0},
        {{.cpus_per_task = 3}, 1, 7, 0}, /* no allocation */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(several); i++) {
        struct nereus_machine machine;
        cr_assert_eq(nereus_machine_from_environment(&several[i].slurm, "here", 7, &machine, NULL),
                     NEREUS_OK);
        cr_expect_eq(nereus_machine_cores_per_process(&machine), several[i].each, "row %zu", i);
        cr_expect_eq(nereus_machine_total_cores(&machine), several[i].total, "row %zu", i);
        cr_expect_eq(machine.slots, several[i].slots, "row %zu", i);
        nereus_machine_fini(&machine);
    }
    const struct nereus_slurm wrong = {.nodes = "n[4"};
    struct nereus_machine machine;
    cr_expect_eq(nereus_machine_from_environment(&wrong, "here", 7, &machine, NULL),
                 NEREUS_ERR_PARSE);
}

/* The variables that matter, of which NULL are not set. */
enum {
    HANDED_ON,
    STEP,
    TASKS,
    NTASKS,
    NTASKS_PER_NODE,
    CPUS_PER_TASK,
    CPUS,
    STEP_TASKS,
    PMI_STEP,
    PMI_CONNECTION,
    PMIX_STEP,
    PMIX_NUMBER,
    OF_HYDRA,
    OF_INTEL,
    OF_PRRTE,
    VARIABLES
};
static const char *const names[VARIABLES] = {"NEREUS_SLURM_TASKS_PER_NODE",
                                             "SLURM_STEP_ID",
                                             "SLURM_TASKS_PER_NODE",
                                             "SLURM_NTASKS",
                                             "SLURM_NTASKS_PER_NODE",
                                             "SLURM_CPUS_PER_TASK",
                                             "SLURM_JOB_CPUS_PER_NODE",
                                             "SLURM_STEP_NUM_TASKS",
                                             "PMI_JOBID",
                                             "PMI_FD",
                                             "PMIX_NAMESPACE",
                                             "PMIX_RANK",
                                             "HYDI_CONTROL_FD",
                                             "HYDRA_BSTRAP_PROXY_ID",
                                             "PRTE_LAUNCHED"};

static void set_variables(const char *const *values)
{
    for (int v = 0; v < VARIABLES; v++) {
        unsetenv(names[v]);
        if (values[v] != NULL)
            setenv(names[v], values[v], 1);
    }
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* What the processes of a job see is their launcher's step, unless nereus-supervise has handed on
 * what it saw; and SLURM_TASKS_PER_NODE counts where somebody has asked for tasks. */
Test(slurm, environment)
{
    static const struct {
        const char *values[VARIABLES], *expected;
    } rows[] = {
        {{[TASKS] = "3(x2)", [NTASKS] = "6"}, "3(x2)"},
        {{[TASKS] = "3(x2)", [NTASKS_PER_NODE] = "3"}, "3(x2)"},
        {{[TASKS] = "3(x2)", [CPUS_PER_TASK] = "4"}, "3(x2)"},
        {{[TASKS] = "1(x2)", [CPUS] = "8(x2)"}, NULL},
        {{[TASKS] = "1", [NTASKS] = "2", [STEP] = "7"}, NULL},
        {{[TASKS] = "1", [NTASKS] = "2", [STEP] = "7", [HANDED_ON] = "3(x2)"}, "3(x2)"},
        {{NULL}, NULL},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        set_variables(rows[i].values);
        const char *tasks = nereus_slurm_environment().tasks_per_node;
        cr_expect(same(rows[i].expected, tasks), "row %zu: %s", i, tasks != NULL ? tasks : "none");
    }
}

Test(slurm, cores_of_a_task)
{
    static const struct {
        const char *values[VARIABLES];
        int64_t expected;
    } rows[] = {{{[CPUS_PER_TASK] = "4"}, 4},  {{[CPUS_PER_TASK] = "4x"}, 0},
                {{[CPUS_PER_TASK] = "-4"}, 0}, {{[CPUS_PER_TASK] = "99999999999999999999"}, 0},
                {{[CPUS_PER_TASK] = ""}, 0},   {{NULL}, 0}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        set_variables(rows[i].values);
        cr_expect_eq(nereus_slurm_environment().cpus_per_task, rows[i].expected, "row %zu", i);
    }
}

/* The variables as Slurm 22.05 sets them; a launcher within a step leaves those of srun. */
Test(slurm, processes_of_srun)
{
    static const struct {
        const char *values[VARIABLES];
        bool started;
        int64_t lone;
    } rows[] = {
        {{[STEP] = "0", [STEP_TASKS] = "4", [PMI_STEP] = "7.0", [PMI_CONNECTION] = "13"}, true, 0},
        {{[STEP] = "0", [STEP_TASKS] = "4", [PMIX_STEP] = "slurm.pmix.7.0", [PMIX_NUMBER] = "1"},
         true,
         0},
        {{[STEP] = "0", [STEP_TASKS] = "4"}, false, 4},
        {{[STEP] = "0", [STEP_TASKS] = "1"}, false, 0},
        {{[STEP] = "0", [STEP_TASKS] = "2", [PMI_CONNECTION] = "7", [OF_HYDRA] = "1"}, false, 0},
        {{[STEP] = "0",
          [STEP_TASKS] = "2",
          [PMI_STEP] = "7.0",
          [PMI_CONNECTION] = "9",
          [OF_HYDRA] = "1"},
         false,
         0},
        {{[STEP] = "0",
          [STEP_TASKS] = "2",
          [PMIX_STEP] = "prterun-host0-41@1",
          [PMIX_NUMBER] = "0",
          [OF_PRRTE] = "2"},
         false,
         0},
        {{[STEP] = "0", [PMI_STEP] = "7.0", [PMI_CONNECTION] = "9", [OF_INTEL] = "0"}, false, 0},
        {{[PMI_CONNECTION] = "7", [OF_HYDRA] = "2"}, false, 0},
        {{NULL}, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_variables(rows[i].values);
        cr_expect_eq(nereus_slurm_has_started_process(), rows[i].started, "row %zu", i);
        cr_expect_eq(nereus_slurm_count_lone_processes(), rows[i].lone, "row %zu", i);
    }
}

/* Before mpiexec is started. Within a step nothing is known better than what is there; outside one
 * it is known. */
Test(slurm, hand_on)
{
    static const struct {
        const char *values[VARIABLES], *handed_on, *tasks;
    } rows[] = {
        {{[TASKS] = "3(x2)", [NTASKS] = "6", [CPUS] = "8(x2)"}, "3(x2)", "3(x2)"},
        {{[TASKS] = "1(x2)", [CPUS] = "8(x2)"}, NULL, "8(x2)"},
        {{[TASKS] = "1", [NTASKS] = "2", [STEP] = "7", [HANDED_ON] = "3(x2)"}, "3(x2)", "1"},
        {{[TASKS] = "1", [NTASKS] = "2", [STEP] = "7"}, NULL, "1"},
        {{[TASKS] = "1", [CPUS] = "8(x2)", [STEP] = "7"}, NULL, "1"},
        {{[TASKS] = "5", [NTASKS] = "5", [HANDED_ON] = "3(x2)"}, "5", "5"},
        {{[TASKS] = "1", [CPUS] = "8", [HANDED_ON] = "3(x2)"}, NULL, "8"},
        {{NULL}, NULL, NULL},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        set_variables(rows[i].values);
        nereus_slurm_export_environment();
        const char *handed_on = getenv(names[HANDED_ON]), *tasks = getenv(names[TASKS]);
        cr_expect(same(rows[i].handed_on, handed_on), "row %zu: %s", i,
                  handed_on != NULL ? handed_on : "none");
        cr_expect(same(rows[i].tasks, tasks), "row %zu: %s", i, tasks != NULL ? tasks : "none");
    }
}
