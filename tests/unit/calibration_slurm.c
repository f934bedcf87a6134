/** @file calibration_slurm.c  Slurm's compressed lists of nodes and cores, by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

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
        {{.nodes = "x[1-2]", .cpus_per_node = "9(x2)", .cpus_on_node = "7", .tasks_per_node = "3(x2)"},
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
        {{.nodes = "x[1-9999999999]"}, 0, NULL, "[01-03,7]"},
        {{.nodes = "x[1-999999]"}, 0, NULL, "100000"},
        {{.nodes = ""}, 0, NULL, "missing"},
        {{.nodes = "a,,b"}, 0, NULL, "missing"},
        {{.nodes = "a", .cpus_per_node = "4(x"}, 0, NULL, "cores per node"},
        {{.nodes = "a", .cpus_per_node = "0"}, 0, NULL, "cores per node"},
        {{.nodes = "a", .cpus_per_node = "four"}, 0, NULL, "cores per node"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        struct nereus_error err = {.text = ""};
        const enum nereus_status status = nereus_slurm_hosts(&rows[i].slurm, rows[i].cores, &text, &err);
        if (rows[i].expected != NULL) {
            cr_assert_eq(status, NEREUS_OK, "%s: %s", rows[i].slurm.nodes, err.text);
            cr_expect_str_eq(text, rows[i].expected);
        } else {
            cr_expect_eq(status, NEREUS_ERR_PARSE, "%s", rows[i].slurm.nodes);
            cr_expect_not_null(strstr(err.text, rows[i].word), "%s: %s", rows[i].slurm.nodes, err.text);
        }
        free(text);
    }
}
