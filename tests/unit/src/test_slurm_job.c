/** @file test_slurm_job.c  What Slurm says about a job (src/supervise/slurm_job.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/supervise/slurm_job.h"

Test(slurm_job, reads_what_scontrol_prints)
{
    static const struct {
        const char *text; /* of a job that ends at 12:00:00 */
        bool is_batch, is_preempted;
        double left_s; /* at 11:59:00 */
    } rows[] = {
        {"JobId=41 JobName=a RunTime=00:01:00 EndTime=2026-11-28T12:00:00 "
         "Deadline=N/A "
         "PreemptEligibleTime=2026-11-28T10:00:00 PreemptTime=None Requeue=1 "
         "BatchFlag=1 Reboot=0 \n",
         true, false, 60},
        {"JobId=41 EndTime=2026-11-28T11:59:30 PreemptTime=2026-11-28T11:58:00 "
         "BatchFlag=2\n",
         true, true, 30},
        {"JobId=41 EndTime=2026-11-28T11:00:00 BatchFlag=0 PreemptTime=None\n", false, false, -1},
        {"JobId=41 EndTime=Unknown Comment=BatchFlag=1\n", false, false, -1},
        {"", false, false, -1},
    };
    setenv("TZ", "UTC", 1);
    tzset();
    const double now_s = 1795867140; /* 2026-11-28T11:59:00Z */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slurm_job job;
        slurm_job_parse(rows[i].text, now_s, &job);
        cr_expect_eq(job.is_batch, rows[i].is_batch, "row %zu", i);
        cr_expect_eq(job.is_preempted, rows[i].is_preempted, "row %zu", i);
        cr_expect_eq(job.left_s, rows[i].left_s, "row %zu: %g", i, job.left_s);
    }
}

Test(slurm_job, counts_tasks)
{
    static const struct {
        const char *nodes, *tasks, *cpus;
        struct slurm_tasks expected;
    } rows[] = {
        {"n[1-3]", "2(x2),1", "4(x3)", {5, 2, true}},
        {"n1", "6", "8", {6, 6, true}},
        {NULL, NULL, NULL, {0, 0, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsetenv("SLURM_JOB_NODELIST");
        unsetenv("SLURM_NTASKS");
        if (rows[i].nodes != NULL) {
            setenv("SLURM_JOB_NODELIST", rows[i].nodes, 1);
            setenv("SLURM_TASKS_PER_NODE", rows[i].tasks, 1);
            setenv("SLURM_JOB_CPUS_PER_NODE", rows[i].cpus, 1);
            setenv("SLURM_NTASKS", "5", 1);
        }
        const struct slurm_tasks tasks = slurm_job_tasks();
        cr_expect_eq(tasks.total, rows[i].expected.total, "row %zu: %ld", i, (long)tasks.total);
        cr_expect_eq(tasks.max_per_node, rows[i].expected.max_per_node, "row %zu", i);
        cr_expect(i == 2 || tasks.asked_for == rows[i].expected.asked_for, "row %zu", i);
    }
}

/* In place of scontrol: it fails the first time for each of the orders in FAIL.
 * Slurm has told all processes of the job to end. */
static const char scontrol[] = "#!/bin/sh\n"
                               "until grep -q '^State:.S' /proc/$PPID/status; do :; done\n"
                               "kill -TERM $PPID\n"
                               "sleep 0.1\n"
                               "echo \"$*\" >>orders\n"
                               "case \" $FAIL \" in *\" $1 \"*) ;; *) exit 0 ;; esac\n"
                               "[ -e \"failed-$1\" ] || { >\"failed-$1\"; exit 1; }\n";

/* @param[out] orders  to Slurm */
static bool requeue(int64_t tasks, const char *fail, char *orders, size_t size)
{
    char sentence[400];
    setenv("FAIL", fail, 1);
    cr_assert_eq(system("rm -f orders failed-*"), 0);
    const bool done = slurm_job_requeue(tasks, 2, sentence, sizeof sentence);
    FILE *file = fopen("orders", "re");
    cr_assert_not_null(file, "%s", sentence);
    orders[fread(orders, 1, size - 1, file)] = '\0';
    fclose(file);
    return done;
}

Test(slurm_job, requeues)
{
    static const struct {
        int64_t tasks;
        const char *fail, *orders;
    } rows[] = {
        {0, "", "requeue 7\n"},
        {0, "requeue", "requeue 7\nrequeue 7\n"},
        {6, "release",
         "requeuehold 7\nupdate JobId=7 NumNodes=2-2 NumTasks=6\nrelease "
         "7\nrelease 7\n"},
    };
    char folder[] = "/tmp/nereus-slurm-job-XXXXXX", path[4096], orders[400];
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    FILE *file = fopen("scontrol", "we");
    cr_assert(file != NULL && fputs(scontrol, file) >= 0 && fclose(file) == 0 &&
              chmod("scontrol", 0755) == 0);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("SLURM_JOB_ID", "7", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(requeue(rows[i].tasks, rows[i].fail, orders, sizeof orders), "row %zu", i);
        cr_expect_str_eq(orders, rows[i].orders, "row %zu: %s", i, orders);
    }
    cr_expect_eq(system("rm -r \"$PWD\""), 0);
}
