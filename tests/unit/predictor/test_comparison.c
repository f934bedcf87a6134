/** @file test_comparison.c  Predicted beside measured, from a recorded trace and the profile of the
 * golden tests. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/validate/comparison_predict.h"
#include "predictor/validate/print.h"

#define DATA NEREUS_SOURCE_DIR "/tests/cli/data/"

struct setting {
    struct nereus_profile profile;
    struct nereus_question question;
    struct nereus_priced_plan priced;
    struct nereus_trace trace;
    struct nereus_comparison comparison;
};

static void begin(struct setting *s, const char *method_text, int repeats)
{
    struct nereus_error err;
    struct nereus_method method;
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    settings.ns = 3;
    settings.nt = 7;
    settings.variable_bytes = 30001;
    cr_assert_eq(nereus_method_parse(method_text, &method, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_profile_read(DATA "profile.json", &s->profile, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(nereus_question_make(&settings, &s->profile, &s->question, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(nereus_priced_plan_make(&s->profile, &s->question, &method, &s->priced, &err),
                 NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_trace_read(DATA "trace.jsonl", &s->trace, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_comparison_init(&s->question, &s->priced, repeats, &s->comparison, &err),
                 NEREUS_OK, "%s", err.text);
}

static void end(struct setting *s)
{
    nereus_comparison_fini(&s->comparison);
    nereus_trace_fini(&s->trace);
    nereus_priced_plan_fini(&s->priced);
    nereus_question_fini(&s->question);
    nereus_profile_fini(&s->profile);
}

Test(comparison, rows_of_a_recorded_trace)
{
    /* Source of the numbers: data/trace.jsonl; predicted ones: worked out in predict.sh. NAN: none.
     */
    static const struct {
        const char *what;
        double predicted_s, measured_s, ratio;
    } rows[] = {
        {"decide", NAN, 0.00014, NAN},
        {"spawn", 0.3525, 0.282, 0.8},
        {"join", NAN, 0.0071, NAN},
        {"merge", 0.043, 0.086, 2},
        {"allocate", 30001.0 / 7 * 0.7e-9, 3.1e-6, 1.0333},
        {"agree", NAN, 0.00034, NAN},
        {"redistribute", 0.00019 + 30001.0 / 3 * 2.3e-9, 0.0047, 22.07},
        {"agree", NAN, 0.00015, NAN},
        {"commit", NAN, 0.00033, NAN},
        {"waits", NAN, 0.00041, NAN},
        {"not-attributed", NAN, 0.0079469, NAN},
        {"RT", 0.4, 0.389, 0.97},
    };
    struct setting s;
    struct nereus_error err;
    begin(&s, "merge/p2p", 3);
    cr_assert_eq(s.comparison.row_count, (int)NEREUS_COUNT_OF(rows));
    cr_assert_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_OK, "%s",
                 err.text);
    for (int i = 0; i < s.comparison.row_count; i++) {
        const struct nereus_comparison_row *row = &s.comparison.rows[i];
        double ratio = nereus_comparison_row_ratio(row);
        cr_expect_str_eq(row->what, rows[i].what);
        cr_expect(row->median_s == rows[i].measured_s, "%s: measured %g", row->what, row->median_s);
        /* RT is corrected by measured neighbours: the plan's own sum is 0.395723 s. */
        double tolerance = i + 1 == s.comparison.row_count ? 0.03 : 1e-3;
        cr_expect(isnan(rows[i].predicted_s)
                      ? isnan(row->prediction.value)
                      : fabs(row->prediction.value / rows[i].predicted_s - 1) < tolerance,
                  "%s: predicted %g, not %g", row->what, row->prediction.value,
                  rows[i].predicted_s);
        cr_expect(isnan(rows[i].ratio) ? isnan(ratio) : fabs(ratio / rows[i].ratio - 1) < 0.03,
                  "%s: ratio %g", row->what, ratio);
    }
    cr_expect_not(s.comparison.oversubscribed);
    cr_expect(nereus_comparison_row_is_inside(s.comparison.rt));
    cr_expect_not(nereus_comparison_row_is_inside(&s.comparison.rows[3]));
    end(&s);
}

Test(comparison, medians_of_repeats)
{
    struct setting s;
    struct nereus_error err;
    static const double spawn_s[] = {0.282, 0.9, 0.1, 0.3},
                        median_s[] = {0.282, 0.591, 0.282, 0.291};
    begin(&s, "merge/p2p", 4);
    for (int i = 0; i < 4; i++) {
        s.trace.events[1].time_s = spawn_s[i];
        cr_assert_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_OK, "%s",
                     err.text);
        cr_expect(fabs(s.comparison.rows[1].median_s - median_s[i]) < 1e-12, "after %d: %g", i + 1,
                  s.comparison.rows[1].median_s);
    }
    cr_expect_eq(s.comparison.successful_jobs, 4);
    end(&s);
}

/* A trace of three does not know its overlapped iterations: the mean is that of the other two. */
Test(comparison, mean_of_the_iterations_that_are_known)
{
    static const double iterations[] = {4, NAN, 7};
    struct setting s;
    struct nereus_error err;
    struct nereus_table table;
    char *text = NULL;
    size_t length;
    begin(&s, "merge/p2p", 3);
    s.comparison.is_overlapped = true;
    for (int i = 0; i < 3; i++) {
        for (int64_t e = 0; e < s.trace.count; e++)
            s.trace.events[e].iterations = iterations[i];
        cr_assert_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_OK, "%s",
                     err.text);
    }
    FILE *stream = open_memstream(&text, &length);
    nereus_overlaps_fill_table(&s.comparison, 1, &table);
    cr_expect(nereus_table_print(&table, NEREUS_FORMAT_JSON, stream));
    fclose(stream);
    cr_expect_not_null(strstr(text, "\"iterations_measured\": 5.5"), "%s", text);
    free(text);
    end(&s);
}

/* By how much the median RT is longer than the sum of the steps' medians; what was waited is
 * another row, and compared with nothing. */
Test(comparison, unattributed_time_is_no_wait)
{
    struct setting s;
    struct nereus_error err;
    static const double rt_s[] = {0.389, 0.5, 0.7};
    begin(&s, "merge/p2p", 3);
    nereus_comparison_fini(&s.comparison);
    s.priced.has_unattributed = true;
    s.priced.unattributed_s = (struct nereus_interval){0.0125, 0.001, 0.1};
    cr_assert_eq(nereus_comparison_init(&s.question, &s.priced, 3, &s.comparison, &err), NEREUS_OK,
                 "%s", err.text);
    const struct nereus_comparison_row *waits = s.comparison.waits,
                                       *unattributed = s.comparison.unattributed;
    cr_assert_eq(s.comparison.row_count, s.comparison.step_count + 4);
    for (int i = 0; i < 3; i++) {
        for (int64_t e = 0; e < s.trace.count; e++)
            if (s.trace.events[e].kind == NEREUS_TRACE_RECONFIGURATION &&
                s.trace.events[e].reconfiguration == 1)
                s.trace.events[e].rt_s = rt_s[i];
        cr_assert_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_OK, "%s",
                     err.text);
    }
    const double steps_s = 0.00014 + 0.282 + 0.0071 + 0.086 + 3.1e-6 + 0.00034 + 0.0047 + 0.00015 +
                           0.00033; /* as above */
    cr_expect_str_eq(unattributed->what, "unattributed");
    cr_expect(unattributed->prediction.value == 0.0125 && isnan(unattributed->prediction.low));
    cr_expect(fabs(unattributed->median_s - (0.5 - steps_s)) < 1e-9, "%g", unattributed->median_s);
    cr_expect_eq(unattributed->count, 0, "no single run has it");
    cr_expect(strcmp(waits->what, "waits") == 0 && isnan(waits->prediction.value) &&
              waits->count == 3);
    end(&s);
}

Test(comparison, predicted_again_with_what_was_measured_in_place)
{
    struct setting s;
    struct nereus_error err;
    begin(&s, "merge/p2p", 2);
    cr_assert_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_OK, "%s",
                 err.text);
    s.priced.rt_s.value = s.priced.prediction.rt_s.value = 7;
    s.question.scenario.t_iter_ns_s = 0.125;
    nereus_comparison_predict(&s.comparison, &s.question, &s.priced);
    cr_expect(s.comparison.rt->prediction.value == 7);
    cr_expect(s.comparison.rt->median_s == 0.389);
    cr_expect(s.comparison.t_iter_ns_s == 0.125);
    end(&s);
}

Test(comparison, another_reconfiguration_is_refused)
{
    struct setting s;
    struct nereus_error err;
    begin(&s, "baseline/p2p", 1);
    cr_expect_eq(nereus_comparison_add(&s.comparison, &s.trace, 1, &err), NEREUS_ERR_MISMATCH);
    cr_expect_eq(s.comparison.successful_jobs, 0);
    end(&s);
}

Test(comparison, summary)
{
    /* Two reconfigurations, off by factors 2 (too long) and 1.25 (too short): median 1.625,
     * worst 2. */
    struct nereus_error err;
    double longer_s[] = {0.4}, shorter_s[] = {0.4};
    struct nereus_comparison_row rt[2] = {{.what = "RT",
                                           .prediction = {0.2, 0.1, 0.3},
                                           .measured_s = longer_s,
                                           .count = 1,
                                           .median_s = 0.4},
                                          {.what = "RT",
                                           .prediction = {0.5, 0.3, 0.7},
                                           .measured_s = shorter_s,
                                           .count = 1,
                                           .median_s = 0.4}};
    struct nereus_comparison_row none = {
        .what = "RT", .prediction = {0.5, 0.3, 0.7}, .median_s = NAN};
    struct nereus_comparison comparisons[] = {
        {.ns = 2, .nt = 4, .rows = &rt[0], .row_count = 1, .rt = &rt[0], .oversubscribed = true},
        {.ns = 4, .nt = 2, .rows = &rt[1], .row_count = 1, .rt = &rt[1]},
        {.ns = 3, .nt = 2, .rows = &none, .row_count = 1, .rt = &none, .failure = "stopped"}};
    struct nereus_summary summary;
    cr_assert_eq(nereus_summary_make(comparisons, 3, &summary, &err), NEREUS_OK);
    cr_expect_eq(summary.wanted_count, 3);
    cr_expect_eq(summary.measured_count, 2);
    cr_expect_eq(summary.inside_count, 1);
    cr_expect_eq(summary.oversubscribed, 1);
    cr_expect(fabs(summary.median_factor - 1.625) < 1e-12, "%g", summary.median_factor);
    cr_expect(fabs(summary.worst_factor - 2) < 1e-12, "%g", summary.worst_factor);
    cr_expect_eq(summary.worst_comparison, &comparisons[0]);
}

/* Nodes that no host file names may be unequal, as those of an allocation: none is taken to be as
 * large as the largest. */
Test(comparison, question_of_a_machine)
{
    struct setting s;
    struct nereus_machine machine;
    struct nereus_question question;
    struct nereus_error err = {.text = ""};
    begin(&s, "merge/coll", 1);
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    settings.ns = 3;
    settings.nt = 7;
    settings.machine = &machine;
    cr_assert_eq(nereus_machine_from_text("a:4,b:2,c:2", &machine, NULL), NEREUS_OK);
    machine.slots = 7;
    cr_assert_eq(nereus_question_make(&settings, &s.profile, &question, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect_eq(nereus_machine_count_nodes(&question.machine, 7), 3);
    cr_expect_eq(question.machine.slots, 7);
    cr_expect_neq((void *)question.machine.nodes, (void *)machine.nodes);
    nereus_question_fini(&question);
    settings.nt = 8;
    cr_expect_eq(nereus_question_make(&settings, &s.profile, &question, &err), NEREUS_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "7 slots"), "%s", err.text);
    nereus_machine_fini(&machine);
    end(&s);
}

/* What is printed in all, as a text to be freed. */
static char *summary_of(const struct nereus_comparison *comparisons, int count)
{
    struct nereus_summary summary;
    struct nereus_error err;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_eq(nereus_summary_make(comparisons, count, &summary, &err), NEREUS_OK);
    cr_expect(nereus_summary_print(&summary, comparisons, count, stream));
    fclose(stream);
    return text;
}

Test(comparison, what_was_not_measured_says_why)
{
    static double measured[] = {0.5};
    struct nereus_comparison_row rt[3] = {
        {.what = "RT",
         .prediction = {0.25, 0.1, 1},
         .measured_s = measured,
         .count = 1,
         .median_s = 0.5},
        {.what = "RT", .prediction = {0.25, 0.1, 1}, .median_s = NAN},
        {.what = "RT", .prediction = {0.25, 0.1, 1}, .median_s = NAN}};
    struct nereus_comparison comparisons[3];
    for (int i = 0; i < 3; i++) {
        comparisons[i] = (struct nereus_comparison){
            .ns = 1, .nt = 2 + i, .rows = &rt[i], .row_count = 1, .rt = &rt[i]};
        cr_assert_eq(nereus_method_parse("merge", &comparisons[i].method, NULL), NEREUS_OK);
    }
    snprintf(comparisons[1].failure, sizeof comparisons[1].failure, "the job ended with status 7");
    char *text = summary_of(comparisons, 3);
    cr_expect_not_null(strstr(text, "1 of 1 measured RTs lie inside"), "%s", text);
    cr_expect_not_null(strstr(text, "\n1 not reached within the budget.\n"), "%s", text);
    cr_expect_not_null(
        strstr(text,
               "\n1 could not be measured:\n  1 -> 3 by merge: the job ended with status 7\n"),
        "%s", text);
    free(text);
    text = summary_of(&comparisons[1], 1);
    cr_expect_str_eq(
        text,
        "Nothing was measured.\n1 could not be measured:\n  1 -> 3 by merge: the job ended with status 7\n");
    free(text);
    text = summary_of(comparisons, 1);
    cr_expect_null(strstr(text, "not reached"), "%s", text);
    cr_expect_null(strstr(text, "could not"), "%s", text);
    free(text);
}
