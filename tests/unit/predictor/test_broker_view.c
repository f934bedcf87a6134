/**
 * @file test_broker_view.c
 * The state that the broker decides on, from Slurm's queue (test_slurm_queue.c).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/broker_view.h"

/* Four nodes of 2 CPUs. */
static const char sinfo[] = "M|host0|alloc|2\nM|host1|alloc|2\nM|host2|mix|4\nM|host3|idle|2\n";
static const char own[] = "M|7|7|RUNNING|1|2|host0|None|nereus app-%j\n"
                          "M|9|9|RUNNING|1|2|host1|None|nereus-added app-7 7\n"
                          "M|10|10|COMPLETING|1|2|host3|None|nereus-added app-7 7\n"
                          "M|8|8|RUNNING|1|2|host2|None|nereus silent\n"
                          "M|6|6|RUNNING|1|2|host2|None|nereus app-7\n"
                          "M|12|12|PENDING|2|2|n/a|Priority|nereus waits\n"
                          "M|13|13|PENDING|9|9|n/a|Dependency|(null)\n"
                          "M|15|15|COMPLETING|1|1|host3|None|(null)\n";
static const char waiting[] = "M|11|N/A|1|5|Resources\nM|12|N/A|2|2|Priority\n"
                              "M|13|N/A|9|9|Dependency\nM|14|N/A|1|1|JobHeldUser\n"
                              "M|16|1-3%2|1|1|Priority\n";

static void take(enum nereus_slurm_list list, const char *columns, const char *text,
                 struct nereus_slurm_queue *queue)
{
    struct nereus_error err = {.text = ""};
    struct nereus_slurm_rows rows;
    nereus_slurm_rows_init("squeue", columns, "M|", strdup(text), &rows);
    cr_assert_not_null(rows.text);
    cr_assert_eq(nereus_slurm_queue_add_rows(queue, list, &rows, &err), NEREUS_OK, "%s", err.text);
    nereus_slurm_rows_fini(&rows);
}

static struct nereus_slurm_queue read_queue(const char *of_own, const char *of_all)
{
    struct nereus_slurm_queue queue = {.count = 0};
    take(NEREUS_SLURM_OWN, NEREUS_SQUEUE_OWN, of_own, &queue);
    take(NEREUS_SLURM_QUEUE, NEREUS_SQUEUE_QUEUE, of_all, &queue);
    take(NEREUS_SLURM_NODES, NEREUS_SINFO_NODES, sinfo, &queue);
    return queue;
}

/* The job holds two of the allocations that were added to it; one of them ends. */
static bool ask(void *user, const struct nereus_slurm_job *job, struct nereus_job_state *state)
{
    *state = (struct nereus_job_state){
        .size = 3,
        .points_left = 50,
        .t_iter_s = 0.5,
        .sizes = {.minimum = 2},
        .node_count = 3,
        .nodes = {{.allocation = ""}, {.allocation = "slurm:9"}, {.allocation = "slurm:10"}}};
    *(int *)user += 1;
    return strcmp(job->name, "silent") != 0;
}

Test(broker_view, queue_becomes_view)
{
    struct nereus_slurm_queue queue = read_queue(own, waiting);
    struct nereus_broker_view view;
    struct nereus_error err = {.text = ""};
    int asked = 0;
    cr_expect_eq(queue.nodes, 4);
    cr_expect_eq(queue.idle_nodes, 1);
    cr_expect_eq(queue.cores_per_node, 2);
    cr_expect_str_eq(nereus_slurm_find_job_by_name(&queue, "app-7")->id, "7");
    cr_expect_null(nereus_slurm_find_job_by_name(&queue, "waits"), "it does not run");
    cr_expect_null(nereus_slurm_find_job_by_name(&queue, ""), "no malleable job");
    cr_assert_eq(nereus_broker_view_make(&queue, ask, &asked, &view, &err), NEREUS_OK);
    cr_expect_eq(asked, 2, "running malleable jobs, and each name once");
    cr_assert_eq(view.waiting_count, 4);
    cr_expect_eq(view.waiting[0], 3, "5 CPUs take 3 nodes of 2");
    cr_expect_eq(view.waiting[1], 2, "a malleable job that has not started waits like others");
    cr_expect(view.waiting[2] == 1 && view.waiting[3] == 1, "an array, two at a time");
    cr_assert_eq(view.job_count, 1);
    cr_expect_eq(view.jobs[0].processes, 3);
    cr_expect_eq(view.jobs[0].nodes, 2, "its own and the added one");
    cr_expect_eq(view.jobs[0].kept_nodes, 1);
    cr_expect_float_eq(view.jobs[0].left_s, 25, 1e-12);
    cr_expect_not(view.jobs[0].is_busy);
    cr_expect_eq(view.peers[0].left_over, 0);
    cr_assert_eq(view.silent_count, 1);
    cr_expect_str_eq(view.silent[0]->name, "silent");
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}

/* While an allocation that is to be added waits, the job is busy, and nobody waits. It is left over
 * if no command is there that waits for it. */
Test(broker_view, job_that_grows_is_busy)
{
    struct nereus_slurm_queue queue = read_queue("M|7|7|RUNNING|1|2|host0|None|nereus app\n"
                                                 "M|11|11|PENDING|1|1|n/a|Resources|nereus-added "
                                                 "app 7\n",
                                                 "M|11|N/A|1|1|Resources\n");
    struct nereus_broker_view view;
    int asked = 0;
    cr_assert_eq(nereus_broker_view_make(&queue, ask, &asked, &view, NULL), NEREUS_OK);
    cr_assert_eq(view.job_count, 1);
    cr_expect(view.jobs[0].is_busy);
    cr_expect_eq(view.peers[0].left_over, 1);
    cr_expect_eq(view.jobs[0].nodes, 1);
    cr_expect_eq(view.waiting_count, 0);
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}

/* Of a long array no more tasks count than take all nodes, and one. */
Test(broker_view, long_array)
{
    struct nereus_slurm_queue queue = read_queue("", "M|16|0-999999|1|1|Priority\n");
    struct nereus_broker_view view;
    cr_assert_eq(nereus_broker_view_make(&queue, ask, NULL, &view, NULL), NEREUS_OK);
    cr_expect_eq(view.waiting_count, 5);
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}

/* A job that says that it has no process is none, and ends no broker. */
static bool says_nothing(void *user, const struct nereus_slurm_job *job,
                         struct nereus_job_state *state)
{
    (void)user;
    (void)job;
    *state = (struct nereus_job_state){.size = 0};
    return true;
}

Test(broker_view, answer_without_size)
{
    struct nereus_slurm_queue queue = read_queue(own, "");
    struct nereus_broker_view view;
    cr_assert_eq(nereus_broker_view_make(&queue, says_nothing, NULL, &view, NULL), NEREUS_OK);
    cr_expect_eq(view.job_count, 0);
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}
