/* What squeue and sinfo print, as Slurm 22.05 does (`tests/hosts/hosts with 4 tests/hosts/slurm`),
 * becomes the state that the broker decides on; and the batch script of a malleable job. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/batch_script.h"
#include "predictor/slurm/broker_view.h"

/* Four nodes of 2 CPUs; host1 is listed for two partitions. */
static const char sinfo[] =
    "host0|alloc|2\nhost1|alloc|2\nhost1|alloc|2\nhost2|mix|4\nhost3|idle|2\n";
static const char squeue[] = "7|RUNNING|root|1|2|host0|None|nereus app-%j\n"
                             "9|RUNNING|root|1|2|host1|None|nereus-added app-7 7\n"
                             "8|RUNNING|root|1|2|host2|None|nereus silent\n"
                             "10|RUNNING|other|1|2|host2|None|nereus theirs\n"
                             "11|PENDING|other|1|5|n/a|Resources|(null)\n"
                             "12|PENDING|root|2|2|n/a|Priority|nereus waits\n"
                             "13|PENDING|root|9|9|n/a|Dependency|(null)\n"
                             "14|PENDING|other|1|1|n/a|JobHeldUser|a|b\n"
                             "15|COMPLETING|root|1|2|host3|None|(null)\n";

static bool ask(void *user, const struct nereus_slurm_job *job, struct nereus_job_state *state)
{
    *state = (struct nereus_job_state){
        .size = 3, .points_left = 50, .t_iter_s = 0.5, .sizes = {.minimum = 2}};
    *(int *)user += 1;
    return strcmp(job->name, "silent") != 0;
}

Test(broker_view, queue_becomes_view)
{
    struct nereus_slurm_queue queue;
    struct nereus_broker_view view;
    struct nereus_error err = {.text = ""};
    int asked = 0;
    cr_assert_eq(nereus_slurm_queue_parse(squeue, sinfo, "root", &queue, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect_eq(queue.nodes, 4);
    cr_expect_eq(queue.idle_nodes, 1);
    cr_expect_eq(queue.cores_per_node, 2);
    cr_assert_eq(queue.count, 9);
    cr_expect_str_eq(nereus_slurm_job_named(&queue, "app-7")->id, "7");
    cr_expect_null(nereus_slurm_job_named(&queue, "waits"), "it does not run");
    cr_expect_null(nereus_slurm_job_named(&queue, "theirs"), "another user's");
    cr_assert_eq(nereus_broker_view_make(&queue, ask, &asked, &view, &err), NEREUS_OK);
    cr_expect_eq(asked, 2, "only this user's running malleable jobs are asked");
    cr_assert_eq(view.waiting_count, 2);
    cr_expect_eq(view.waiting[0], 3, "5 CPUs take 3 nodes of 2");
    cr_expect_eq(view.waiting[1], 2, "a malleable job that has not started waits like others");
    cr_assert_eq(view.job_count, 1);
    cr_expect_eq(view.jobs[0].processes, 3);
    cr_expect_eq(view.jobs[0].nodes, 2, "its own and the added one");
    cr_expect_eq(view.jobs[0].kept_nodes, 1);
    cr_expect_float_eq(view.jobs[0].left_s, 25, 1e-12);
    cr_expect_not(view.jobs[0].is_busy);
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}

/* While an allocation that is to be added waits, the job is busy, and nobody waits. */
Test(broker_view, job_that_grows_is_busy)
{
    struct nereus_slurm_queue queue;
    struct nereus_broker_view view;
    int asked = 0;
    cr_assert_eq(nereus_slurm_queue_parse("7|RUNNING|root|1|2|host0|None|nereus app\n"
                                          "9|PENDING|root|1|1|n/a|Resources|nereus-added app 7\n",
                                          sinfo, "root", &queue, NULL),
                 NEREUS_OK);
    cr_assert_eq(nereus_broker_view_make(&queue, ask, &asked, &view, NULL), NEREUS_OK);
    cr_assert_eq(view.job_count, 1);
    cr_expect(view.jobs[0].is_busy);
    cr_expect_eq(view.waiting_count, 0);
    nereus_broker_view_fini(&view);
    nereus_slurm_queue_fini(&queue);
}

Test(broker_view, refuses_other_texts)
{
    static const struct {
        const char *squeue, *sinfo, *error;
    } rows[] = {
        {"", "", "sinfo lists no node"},
        {"", "host0|idle\n", "sinfo printed 'host0'"},
        {"", "host0|idle|many\n", "sinfo: the CPUs of a node must be"},
        {"7|RUNNING\n", "host0|idle|2\n", "has 2 of the 8 columns"},
        {"7|RUNNING|root|x|2|host0|None|\n", "host0|idle|2\n",
         "squeue: the number of nodes must be"},
        {"7|RUNNING|root|9223372036854775807|2|host0|None|\n", "host0|idle|2\n",
         "squeue: the number of nodes must be at most 1048576"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nereus_slurm_queue queue;
        struct nereus_error err = {.text = ""};
        cr_expect_eq(nereus_slurm_queue_parse(rows[i].squeue, rows[i].sinfo, "root", &queue, &err),
                     NEREUS_ERR_PARSE, "row %zu", i);
        cr_expect(strstr(err.text, rows[i].error) != NULL, "row %zu: %s", i, err.text);
    }
}

Test(broker_view, shell_scripts)
{
    cr_expect(nereus_is_shell_script("#!/bin/bash\necho"));
    cr_expect(nereus_is_shell_script("#!/bin/sh -e\n"));
    cr_expect(nereus_is_shell_script("#!/usr/bin/env zsh\n"));
    cr_expect(nereus_is_shell_script("#! /bin/sh\n"), "a blank is allowed there");
    cr_expect(nereus_is_shell_script("#!/bin/sh"));
    cr_expect_not(nereus_is_shell_script("#!/usr/bin/env python3\n"));
    cr_expect_not(nereus_is_shell_script("#!/usr/bin/python3\n"));
    cr_expect_not(nereus_is_shell_script("\177ELF"));
    cr_expect_not(nereus_is_shell_script(""));
    cr_expect_not(nereus_is_shell_script("#!"));
    cr_expect_not(nereus_is_shell_script("#!\n/bin/sh"));
    cr_expect_not(nereus_is_shell_script("#!h"));
}

/* Its own lines stand behind those of the user, who is heard first, and before the first command. */
Test(broker_view, script_of_a_script)
{
    const struct nereus_batch batch = {.name = "app-%j",
                                       .sizes = {2, 8, 2, false},
                                       .slurm_options = "--time=5",
                                       .script = "#!/bin/bash\n#SBATCH --mem=1G\n\necho hello\n"};
    char *text;
    cr_assert_eq(nereus_batch_write(&batch, &text, NULL), NEREUS_OK);
    cr_expect_str_eq(
        text, "#!/bin/bash\n#SBATCH --mem=1G\n\n"
              "#SBATCH --job-name=app\n#SBATCH --comment=\"nereus app-%j\"\n"
              "#SBATCH --ntasks=2\n#SBATCH --time=5\n"
              "export NEREUS_JOB=\"app-${SLURM_JOB_ID}\"\n"
              "export NEREUS_SIZES=minimum=2,maximum=8,multiple-of=2\n"
              "# Slurm hands on the submitting host's folder, which may not be on this one.\n"
              "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n"
              "echo hello\n");
    free(text);
}

Test(broker_view, script_of_a_program)
{
    const char *const program[] = {"./app", "it's", NULL};
    const struct nereus_batch batch = {.name = "solver",
                                       .sizes = {.minimum = 3, .powers_of_two = true},
                                       .mpiexec = "/bin/nereus-mpiexec",
                                       .program = program};
    char *text;
    cr_assert_eq(nereus_batch_write(&batch, &text, NULL), NEREUS_OK);
    cr_expect_eq(strncmp(text, "#!/bin/sh\n#SBATCH --job-name=solver\n", 36), 0, "%s", text);
    cr_expect(strstr(text, "\nexport NEREUS_SIZES=minimum=3,powers-of-two\n") != NULL);
    cr_expect(strstr(text, "\nexec '/bin/nereus-mpiexec' -n 3 './app' 'it'\\''s'\n") != NULL, "%s",
              text);
    free(text);
}

Test(broker_view, name_of_no_job)
{
    const struct nereus_batch batch = {.name = "../%j", .sizes = {.minimum = 1}, .script = ""};
    struct nereus_error err;
    char *text;
    cr_expect_eq(nereus_batch_write(&batch, &text, &err), NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "is no name of a job") != NULL, "%s", err.text);
}
