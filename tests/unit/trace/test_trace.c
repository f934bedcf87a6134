/** @file test_trace.c  Reading the runtime's traces, and the samples that their events are. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace.h"
#include "model/util/arith.h"

/* 13 cores per node, of which each process takes one. */
static const struct nereus_machine machine = {.cores_per_node = 13};

static const char step_line[] =
    "{\"event\":\"step\",\"reconfiguration\":3,\"step\":1,\"kind\":\"spawn\","
    "\"ns\":5,\"nt\":7,\"method\":\"merge/p2p\","
    "\"old_processes\":5,\"new_processes\":2,\"bytes\":11,\"start_s\":0.5,\"time_"
    "s\":0.0625,\"critical_s\":0.03125,"
    "\"wait_s\":0.25,\"oversubscribed\":true}\n";
static const char whole_line[] =
    "{\"event\":\"reconfiguration\",\"reconfiguration\":3,\"ns\":5,\"nt\":7,"
    "\"method\":\"merge/p2p\",\"outcome\":\"resized\","
    "\"rt_s\":0.75,\"critical_s\":0.375,\"waits_s\":0.25,\"not_attributed_s\":0."
    "125,\"oversubscribed\":true,\"bytes\":4096}\n";

static enum nereus_status read_text(const char *text, struct nereus_trace *trace,
                                    struct nereus_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "trace-%ld.jsonl", (long)getpid());
    FILE *file = fopen(path, "w");
    cr_assert_not_null((void *)file);
    fputs(text, file);
    fclose(file);
    enum nereus_status status = nereus_trace_read(path, trace, err);
    unlink(path);
    return status;
}

/* Between hosts whose clocks differ by more than a step takes: kept, as what is left would be the
 * longer half. */
Test(trace, less_than_can_be_told_is_a_sample)
{
    struct nereus_trace trace;
    struct nereus_sample sample;
    cr_assert_eq(
        read_text(
            "{\"event\":\"step\",\"reconfiguration\":1,\"ns\":7,\"nt\":3,\"step\":3,\"kind\":\"commit\","
            "\"method\":\"merge/p2p\",\"old_processes\":7,\"new_processes\":0,\"time_s\":0}\n",
            &trace, NULL),
        NEREUS_OK);
    cr_expect(nereus_trace_is_typical(&trace.events[0]));
    nereus_trace_sample(&trace.events[0], "sea", &machine, &sample);
    cr_expect_eq(sample.time_s, 0);
    nereus_trace_fini(&trace);
}

Test(trace, events_and_their_samples)
{
    char text[2048];
    struct nereus_trace trace;
    struct nereus_sample sample;
    snprintf(text, sizeof text, "%s\n{\"event\":\"something new\",\"x\":[1]}\n%s", step_line,
             whole_line);
    cr_assert_eq(read_text(text, &trace, NULL), NEREUS_OK);
    cr_assert_eq(trace.count, 2);
    const struct nereus_trace_event *step = &trace.events[0],
                                    *whole = nereus_trace_reconfiguration(&trace, 3);
    cr_assert_eq((void *)whole, (void *)&trace.events[1]);
    cr_expect_null((void *)nereus_trace_reconfiguration(&trace, 2));
    cr_expect(nereus_trace_has_step(&trace, 3, NEREUS_STEP_SPAWN));
    cr_expect(!nereus_trace_has_step(&trace, 3, NEREUS_STEP_WAKE));
    cr_expect(!nereus_trace_has_step(&trace, 2, NEREUS_STEP_SPAWN));
    cr_expect(step->step == 1 && step->critical_s == 0.03125 && step->wait_s == 0.25);
    cr_expect(whole->rt_s == 0.75 && whole->critical_s == 0.375 && whole->waits_s == 0.25 &&
              whole->not_attributed_s == 0.125 && strcmp(whole->outcome, "resized") == 0);

    nereus_trace_sample(step, "sea", &machine, &sample);
    cr_expect(sample.kind == NEREUS_SAMPLE_STEP && sample.step == NEREUS_STEP_SPAWN &&
              sample.ns == 5 && sample.nt == 7 && sample.old_processes == 5 &&
              sample.new_processes == 2 && sample.bytes == 11 && sample.time_s == 0.0625 &&
              isnan(sample.rt_s) && sample.oversubscribed && sample.n == 1 &&
              sample.cores_per_node == 13 && strcmp(sample.cluster, "sea") == 0 &&
              sample.method.process == NEREUS_MERGE && sample.method.data == NEREUS_P2P);
    nereus_trace_sample(whole, "sea", &machine, &sample);
    cr_expect(sample.kind == NEREUS_SAMPLE_RECONFIGURATION && sample.rt_s == 0.75 &&
              sample.bytes == 4096 && isnan(sample.time_s) && sample.oversubscribed);
    nereus_trace_fini(&trace);
}

/* Steps in groups, and iterations beside an asynchronous reconfiguration. */
Test(trace, steps_of_trees_and_iterations)
{
    static const struct {
        const char *kind, *method, *more; /* of a step of 7 old and 12 new processes, 0.6 s */
        bool typical;
        int64_t old_processes, new_processes;
        double time_s;
    } rows[] = {
        {"spawn", "merge/coll", "", true, 7, 12, 0.6}, /* of an older trace */
        {"spawn", "merge-multiple/coll", "\"level\":1,\"repeat\":1,\"times\":4,", true, 7, 3, 0.15},
        {"spawn", "merge-diffusive/coll", "\"level\":2,\"repeat\":3,\"times\":1,", false, 7, 12,
         0.6},
        {"connect", "merge-diffusive/coll", "\"level\":1,\"repeat\":3,\"times\":1,", true, 2, 2,
         0.6},
        {"connect", "merge-diffusive/coll", "\"level\":0,\"repeat\":1,\"times\":1,", true, 7, 12,
         0.6},
        {"merge", "merge-async/coll", "", false, 7, 12, 0.6},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[512];
        struct nereus_trace trace;
        struct nereus_sample sample;
        struct nereus_error err = {.text = ""};
        snprintf(
            text, sizeof text,
            "{\"event\":\"step\",\"reconfiguration\":1,\"ns\":7,\"nt\":19,\"step\":3,\"kind\":\"%s\","
            "\"method\":\"%s\","
            "%s\"old_processes\":7,\"new_processes\":12,\"time_s\":0.6}\n",
            rows[i].kind, rows[i].method, rows[i].more);
        cr_assert_eq(read_text(text, &trace, &err), NEREUS_OK, "%s", err.text);
        cr_expect_eq(nereus_trace_is_typical(&trace.events[0]), rows[i].typical, "row %zu", i);
        nereus_trace_sample(&trace.events[0], "sea", &machine, &sample);
        cr_expect(sample.old_processes == rows[i].old_processes &&
                      sample.new_processes == rows[i].new_processes &&
                      fabs(sample.time_s - rows[i].time_s) < 1e-12,
                  "row %zu: %lld old, %lld new, %g s", i, (long long)sample.old_processes,
                  (long long)sample.new_processes, sample.time_s);
        nereus_trace_fini(&trace);
    }
    struct nereus_trace trace;
    cr_assert_eq(
        read_text(
            "{\"event\":\"iterations\",\"reconfiguration\":2,\"iterations\":9,\"t_iter_s\":0.125,"
            "\"overlapped_s\":0.1875}\n",
            &trace, NULL),
        NEREUS_OK);
    const struct nereus_trace_event *beside = nereus_trace_iterations(&trace, 2);
    cr_assert_not_null((void *)beside);
    cr_expect(beside->iterations == 9 && beside->t_iter_s == 0.125 &&
              beside->overlapped_s == 0.1875);
    cr_expect_null((void *)nereus_trace_iterations(&trace, 1));
    cr_expect_null((void *)nereus_trace_reconfiguration(&trace, 2));
    nereus_trace_fini(&trace);
}

/* What is wrong, and what of the sentence names it. */
Test(trace, what_is_wrong_is_named)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"{\"event\":\"step\"\n", "line 1: not a JSON object"},
        {"\n\n[1]\n", "line 3: not a JSON object"},
        {"{\"event\":\"step\",\"reconfiguration\":1,\"ns\":2}\n",
         "line 1: key nt needs a whole number"},
        {"{\"event\":\"step\",\"reconfiguration\":1,\"ns\":2,\"nt\":3,\"method\":\"murge\"}\n",
         "merge"},
        {"{\"event\":\"step\",\"reconfiguration\":1,\"ns\":2,\"nt\":3,\"method\":\"merge\",\"step\":0,\"old_"
         "processes\":2,"
         "\"new_processes\":1,\"time_s\":0.5,\"kind\":\"spwan\"}\n",
         "there is no kind of step 'spwan'"},
        {"{\"event\":\"step\",\"reconfiguration\":1,\"ns\":2,\"nt\":3,\"method\":\"merge\",\"step\":0,\"old_"
         "processes\":2,"
         "\"new_processes\":1,\"time_s\":-0.5,\"kind\":\"spawn\"}\n",
         "key time_s needs a time"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_trace trace = {.count = -7};
        struct nereus_error err = {.text = ""};
        cr_expect_neq(read_text(rows[i].text, &trace, &err), NEREUS_OK, "row %zu", i);
        cr_expect_not_null((void *)strstr(err.text, rows[i].sentence), "row %zu: %s", i, err.text);
        cr_expect_eq(trace.count, -7, "written to on failure");
    }
}
