/** @file test_monitored.c  Reading the lines of a monitored job. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/job/monitored.h"

#define MONITOR              "{\"event\":\"monitor\",\"version\":1,\"job\":\"a7\",\"work\":\"cpu-time\"}\n"
#define PROCESS(rank, calls) PROCESS_ON(rank, rank, calls)
#define PROCESS_ON(rank, host, calls)                                                              \
    "{\"event\":\"process\",\"rank\":" #rank ",\"host\":\"h" #host                                 \
    "\",\"pid\":17,\"real_s\":0.5,\"cpu_s\":0.375,\"work\":0.25,\"power\":null,\"mpi_s\":0.125,"   \
    "\"wait_s\":0.0625,\"memory_bytes\":4096,\"mpi\":{\"bcast\":[" #calls ",56,0.03125]}}\n"
#define INTERVAL(point, processes)                                                                 \
    "{\"event\":\"interval\",\"point\":" #point ",\"iterations\":5,\"processes\":" #processes      \
    ",\"reconfigurations\":2,\"real_s\":0.5,\"t_iter_s\":0.1,\"imbalance\":0.03}\n"

static enum nereus_status take_all(const char *text, struct nereus_monitored *job,
                                   struct nereus_error *err)
{
    struct nereus_event_line line = {.path = "f", .err = err};
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK && *text != '\0') {
        const size_t length = strcspn(text, "\n");
        json_t *event = json_loadb(text, length, 0, NULL);
        line.event = event;
        line.line++;
        status = nereus_monitored_add_event(&line, job);
        json_decref(event);
        text += length + (text[length] == '\n');
    }
    return status;
}

Test(monitored, an_interval)
{
    struct nereus_monitored job = {0};
    cr_assert_eq(
        take_all(MONITOR PROCESS(0, 3) PROCESS(1, 4) INTERVAL(11, 2) PROCESS(0, 9), &job, NULL),
        NEREUS_OK);
    cr_expect_str_eq(job.work, "cpu-time");
    cr_expect(job.samples == 1 && job.point == 11 && job.iterations == 5 &&
              job.reconfigurations == 2 && job.t_iter_s == 0.1 && !job.ended);
    cr_expect_eq(job.sample.process_count, 2); /* the third has not been completed */
    const struct nereus_monitored_process *process = &job.sample.processes[1];
    cr_expect(process->rank == 1 && process->real_s == 0.5 && process->mpi_s == 0.125 &&
              isnan(process->power) && process->memory_bytes == 4096);
    cr_expect_str_eq(process->host, "h1");
    cr_expect_eq(job.sample.call_count, 1);
    cr_expect(job.sample.calls[0].calls == 7 && job.sample.calls[0].bytes == 112 &&
              job.sample.calls[0].time_s == 0.0625);
    nereus_monitored_fini(&job);
}

/* Processes of a host are counted once, in whatever order they are. */
Test(monitored, hosts)
{
    struct nereus_monitored job = {0};
    cr_assert_eq(take_all(MONITOR PROCESS_ON(0, 2, 3) PROCESS_ON(1, 0, 3) PROCESS_ON(2, 2, 3)
                              PROCESS_ON(3, 1, 3) PROCESS_ON(4, 0, 3) INTERVAL(11, 5),
                          &job, NULL),
                 NEREUS_OK);
    cr_expect_eq(job.sample.host_count, 3);
    nereus_monitored_fini(&job);
}

/* The next job of a file has nothing of the one before. */
Test(monitored, another_job)
{
    struct nereus_monitored job = {0};
    cr_assert_eq(
        take_all(MONITOR PROCESS(0, 3) INTERVAL(
                     11, 1) "{\"event\":\"reconfiguration\",\"point\":11,\"ns\":2,\"nt\":3,"
                            "\"method\":\"merge\",\"outcome\":\"resized\",\"sentence\":\"yes\"}\n"
                            "{\"event\":\"end\"}\n{\"event\":\"later\"}\n",
                 &job, NULL),
        NEREUS_OK);
    cr_expect(job.ended && job.change_point == 11 && job.change_nt == 3 && job.event_count == 3);
    cr_expect_str_eq(job.change_sentence, "yes");
    struct nereus_error err;
    cr_expect_eq(take_all(MONITOR, &job, &err), NEREUS_OK);
    cr_expect(!job.ended && job.change_point == -1 && job.samples == 0 && job.event_count == 3 &&
              job.sample.process_count == 0);
    nereus_monitored_fini(&job);
}

/* A line of a process was cut off, and left out: so is its interval, and the next one is good. */
Test(monitored, an_incomplete_interval)
{
    struct nereus_monitored job = {0};
    struct nereus_error err = {0};
    cr_assert_eq(take_all(MONITOR PROCESS(0, 3) INTERVAL(11, 2) PROCESS(0, 3) PROCESS(1, 4)
                              INTERVAL(16, 2),
                          &job, &err),
                 NEREUS_OK, "%s", err.text);
    cr_expect(job.samples == 1 && job.event_count == 1 && job.point == 16);
    cr_expect_eq(job.sample.process_count, 2);
    nereus_monitored_fini(&job);
}

struct bad {
    const char *text, *sentence;
};

static const struct bad bads[] = {
    {MONITOR "{\"point\":3}\n", "f, line 2: key event is missing"},
    {PROCESS(0, 3), "f, line 1: the first line has to be of the event monitor"},
    {"{\"event\":\"monitor\",\"version\":2}\n", "f, line 1: key version is not 1"},
    {"{\"event\":\"monitor\"}\n", "f, line 1: key version is not 1"},
};

Test(monitored, bad_lines)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(bads); i++) {
        struct nereus_monitored job = {0};
        struct nereus_error err = {0};
        cr_expect_eq(take_all(bads[i].text, &job, &err), NEREUS_ERR_PARSE, "row %zu", i);
        cr_expect(strstr(err.text, bads[i].sentence) == err.text, "row %zu: %s", i, err.text);
        nereus_monitored_fini(&job);
    }
}
