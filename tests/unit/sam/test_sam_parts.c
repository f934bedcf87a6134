/**
 * @file test_sam_parts.c
 * What the synthetic application computes, checks and writes, without MPI.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "sam/synthetic/bundle.h"
#include "sam/synthetic/compute.h"
#include "sam/synthetic/config.h"
#include "sam/synthetic/data.h"
#include "sam/synthetic/results.h"
#include "sam/synthetic/trace_rt.h"

/* ---- contents of the arrays ---- */

Test(sam_data, right_after_any_split)
{
    enum { ELEMENTS = 1009 };
    uint64_t constant[ELEMENTS], piece[ELEMENTS];
    double variable[ELEMENTS];
    sam_fill_constant(constant, 0, ELEMENTS);
    sam_fill_variable(variable, 0, ELEMENTS, 3);
    for (int64_t first = 0; first < ELEMENTS; first += 97) {
        const int64_t count = first + 97 < ELEMENTS ? 97 : ELEMENTS - first;
        sam_fill_constant(piece, first, count);
        cr_expect(memcmp(piece, constant + first, (size_t)count * 8) == 0, "from %ld on",
                  (long)first);
        cr_expect_eq(sam_check_constant(constant + first, first, count).count, 0);
        cr_expect_eq(sam_check_variable(variable + first, first, count, 3).count, 0);
    }
}

Test(sam_data, wrong_elements_are_found)
{
    enum { ELEMENTS = 53, FIRST = 1000 };
    uint64_t constant[ELEMENTS];
    double variable[ELEMENTS];
    sam_fill_constant(constant, FIRST, ELEMENTS);
    sam_fill_variable(variable, FIRST, ELEMENTS, 2);
    constant[17] ^= 4;
    constant[41] = 0;
    struct sam_wrong wrong = sam_check_constant(constant, FIRST, ELEMENTS);
    cr_expect_eq(wrong.count, 2);
    cr_expect_eq(wrong.first, 1017);
    variable[52] = NAN;
    wrong = sam_check_variable(variable, FIRST, ELEMENTS, 2);
    cr_expect_eq(wrong.count, 1);
    cr_expect_eq(wrong.first, 1052);
    /* A shift by one element, and the version before, are wrong everywhere. */
    sam_fill_variable(variable, FIRST, ELEMENTS, 2);
    cr_expect_eq(sam_check_variable(variable, FIRST + 1, ELEMENTS, 2).count, ELEMENTS);
    cr_expect_eq(sam_check_variable(variable, FIRST, ELEMENTS, 1).count, ELEMENTS);
    cr_expect_eq(sam_check_variable(variable, FIRST, 0, 1).first, INT64_MAX);
}

/* ---- computation ---- */

Test(sam_compute, pi)
{
    struct sam_work work;
    cr_assert_eq(sam_work_init(&work, SAM_PI, 700, 5, NULL), NEREUS_OK);
    sam_work_execute(&work, 300);
    cr_expect_eq(work.points, 210000);
    /* Standard error 4 sqrt(p (1 - p) / n) = 0.0036; the draws are the same in every run. */
    cr_expect(fabs(sam_work_value(&work) - 3.14159265) < 0.011, "%g", sam_work_value(&work));
    cr_expect(sam_work_measure(&work) > 0);
    sam_work_fini(&work);
}

Test(sam_compute, matrix)
{
    enum { N = 5 };
    struct sam_work work;
    cr_assert_eq(sam_work_init(&work, SAM_MATRIX, N, 5, NULL), NEREUS_OK);
    sam_work_execute(&work, 3); /* does not add up */
    const double *a = work.matrices, *b = a + N * N, *c = b + N * N;
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[k * N + row] * b[column * N + k];
            cr_expect(fabs(c[column * N + row] - sum) < 1e-14, "row %d, column %d", row, column);
        }
    }
    cr_expect(sam_work_value(&work) > 1);
    sam_work_fini(&work);
}

/* T_op goes to what operations take, and says nothing of those that are too short to tell. */
Test(sam_compute, t_op_follows)
{
    struct sam_work work;
    cr_assert_eq(sam_work_init(&work, SAM_PI, 100, 5, NULL), NEREUS_OK);
    double t_op_s = 1e-9;
    sam_work_execute_and_update(&work, 3, &t_op_s);
    cr_expect_eq(work.points, 300);
    cr_expect_eq(t_op_s, 1e-9);
    t_op_s = 3600;
    for (int calls = 0; t_op_s > 1 && calls < 100000; calls++) {
        const double before_s = t_op_s;
        sam_work_execute_and_update(&work, 1000, &t_op_s);
        cr_expect(t_op_s < before_s);
    }
    cr_expect(t_op_s > 0 && t_op_s <= 1, "%g", t_op_s);
    sam_work_fini(&work);
}

/* ---- what travels ---- */

Test(sam_bundle, there_and_back)
{
    const char *const parts[SAM_BUNDLE_PARTS] = {"a.ini", "[x]\ny = 1\n", "", "json"};
    const char *back[SAM_BUNDLE_PARTS] = {NULL};
    char *buffer;
    size_t bytes;
    cr_assert_eq(sam_bundle_pack(parts, &buffer, &bytes, NULL), NEREUS_OK);
    cr_assert_eq(bytes, 6 + 11 + 1 + 5);
    cr_assert_eq(sam_bundle_unpack(buffer, bytes, back, NULL), NEREUS_OK);
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++)
        cr_expect_str_eq(back[i], parts[i]);
    for (size_t cut = 0; cut < bytes; cut++) {
        cr_expect_eq(sam_bundle_unpack(buffer, cut, back, NULL), NEREUS_ERR_PARSE,
                     "cut to %zu bytes", cut);
    }
    free(buffer);
    cr_expect_eq(sam_bundle_unpack("a\0b\0c\0d\0e", 10, back, NULL), NEREUS_ERR_PARSE);
    cr_expect_eq(sam_bundle_unpack(NULL, 0, back, NULL), NEREUS_ERR_PARSE);
}

/* ---- results ---- */

Test(sam_results, statistics)
{
    struct sam_record record = {0};
    double odd[] = {0.7, 0.2, 0.4, 1.9, 0.3};
    sam_record_times(&record, odd, 5);
    cr_expect_float_eq(record.mean_s, 0.7, 1e-14);
    cr_expect_float_eq(record.median_s, 0.4, 1e-14);
    cr_expect_float_eq(record.min_s, 0.2, 1e-14);
    cr_expect_float_eq(record.max_s, 1.9, 1e-14);
    cr_expect_eq(record.iterations, 5);
    double even[] = {5, 2, 3, 11};
    sam_record_times(&record, even, 4);
    cr_expect_float_eq(record.median_s, 4, 1e-14);
}

/* Capture_Method: one time of an iteration, of those of its processes. */
Test(sam_results, capture)
{
    static const struct {
        double times[5];
        int64_t count;
        double slowest, median, mean; /* by hand */
    } rows[] = {{{0.7, 0.2, 0.4, 1.9, 0.3}, 5, 1.9, 0.4, 0.7},
                {{5, 2, 3, 11}, 4, 11, 4, 5.25},
                {{0.6}, 1, 0.6, 0.6, 0.6}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double expected[] = {[SAM_CAPTURE_SLOWEST] = rows[i].slowest,
                                   [SAM_CAPTURE_MEDIAN] = rows[i].median,
                                   [SAM_CAPTURE_MEAN] = rows[i].mean};
        for (int method = 0; method < 3; method++) {
            double times[5];
            memcpy(times, rows[i].times, sizeof times);
            cr_expect_float_eq(sam_capture_time((enum sam_capture)method, times, rows[i].count),
                               expected[method], 1e-14, "row %zu, method %d", i, method);
        }
    }
}

static struct sam_config config;
static struct sam_record records[3];
static double rt_s[3] = {NAN, 0.25, NAN};
static struct sam_results results = {
    .file = "app.ini", .config = &config, .records = records, .t_op_s = {3e-4, 0}, .rt_s = rt_s};

static void set_up(void)
{
    const char *text =
        "[stage0]\ntype=pi\ntime_s=0.6\n[stage1]\ntype=allreduce\nbytes=24\n[group0]\nIters="
        "3\nProcs=2\n"
        "[group1]\nIters=4\nProcs=5\nmethod=baseline/p2p\n[group2]\nIters=5\nProcs=3\n"
        "[general]\nvariable_bytes=80\n";
    cr_assert_eq(sam_config_parse("app.ini", text, &config, NULL), NEREUS_OK);
    for (int i = 0; i < 3; i++) {
        records[i] = (struct sam_record){.iterations = i + 3,
                                         .processes = (int[]){2, 5, 5}[i],
                                         .outcome = (int[]){SAM_START, SAM_RESIZED, SAM_FAILED}[i],
                                         .mean_s = 0.3 / (i + 1),
                                         .reconfiguration_s = 0.27,
                                         .first_wrong_constant = INT64_MAX,
                                         .first_wrong_variable = INT64_MAX};
    }
    records[1].wrong_variable = 6;
    records[1].first_wrong_variable = 4;
    strcpy(records[2].reason, "not today");
}

Test(sam_results, counts, .init = set_up)
{
    cr_expect_eq(sam_results_count_not_resized(&results), 1);
    cr_expect_eq(sam_results_count_wrong(&results), 6);
}

/* omega: 0.3311 s beside 0.301 s before, with its point. T_ex: iterations, the points between them,
 * what reconfigurations took; none is left of a group whose iterations all went by beside its
 * reconfiguration. */
Test(sam_results, overlap_and_t_ex, .init = set_up)
{
    records[1].overlap_iterations = 7;
    records[1].overlap_mean_s = 0.3311;
    records[2].iterations = 0;
    for (int i = 0; i < 3; i++) {
        records[i].reconfiguration_s = (double[]){0, 0.27, 0.11}[i];
        records[i].point_mean_s = 0.001;
    }
    cr_expect(isnan(sam_results_omega(&results, 0)));
    cr_expect_float_eq(sam_results_omega(&results, 1), 1.1, 1e-14);
    cr_expect(isnan(sam_results_omega(&results, 2)));
    cr_expect_float_eq(sam_results_t_ex_s(&results), 3 * 0.3 + 2e-3 + 4 * 0.15 + 3e-3 + 0.27 + 0.11,
                       1e-14);
    char table[4096] = "";
    FILE *stream = fmemopen(table, sizeof table, "w");
    sam_results_print(&results, stream);
    fclose(stream);
    cr_expect(strstr(table, "      7   1.10  baseline/p2p\n") != NULL, "%s", table);
    cr_expect(strstr(table, "\nT_ex: 1.89 s") != NULL, "%s", table);
}

Test(sam_results, json_file_and_table, .init = set_up)
{
    char path[64];
    struct nereus_error err = {NEREUS_OK, ""};
    snprintf(path, sizeof path, "results-%d.json", (int)getpid());
    cr_assert_eq(sam_results_check_path(path, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(sam_results_write(&results, path, &err), NEREUS_OK, "%s", err.text);
    json_t *json = json_load_file(path, 0, NULL), *groups = json_object_get(json, "groups");
    remove(path);
    cr_assert_eq(json_array_size(groups), 3);
    cr_expect_eq(json_integer_value(json_object_get(json, "wrong_elements")), 6);
    const json_t *second = json_array_get(groups, 1), *third = json_array_get(groups, 2);
    cr_expect_str_eq(json_string_value(json_object_get(second, "method")), "baseline/p2p");
    cr_expect_float_eq(json_real_value(json_object_get(second, "rt_s")), 0.25, 1e-14);
    cr_expect_float_eq(json_real_value(json_object_get(second, "iteration_mean_s")), 0.15, 1e-14);
    cr_expect_eq(
        json_integer_value(json_object_get(json_object_get(second, "wrong_variable"), "first")), 4);
    /* 0.6 s / 5 processes / 0.3 ms */
    const json_t *stage = json_array_get(json_object_get(second, "stages"), 0);
    cr_expect_eq(json_integer_value(json_object_get(stage, "operations")), 400);
    cr_expect(json_is_null(json_object_get(third, "rt_s")));
    cr_expect(json_is_null(json_object_get(third, "reconfiguration_s")));
    cr_expect_str_eq(json_string_value(json_object_get(third, "reason")), "not today");
    json_decref(json);

    char table[4096] = "";
    FILE *stream = fmemopen(table, sizeof table, "w");
    sam_results_print(&results, stream);
    fclose(stream);
    cr_expect(
        strstr(table, "group 1: 6 elements of the variable data are wrong, the first is 4\n") !=
        NULL);
    cr_expect(strstr(table, "group 2: not today\n") != NULL);
    cr_expect(strstr(table, "150.0 ms") != NULL, "%s", table);
    cr_expect(strstr(table, "Granularity") == NULL, "%s", table);
    /* 0.6 s on 2, 5, 3 processes: in all but the first group less than half an operation of 0.5 s.
     */
    struct sam_results coarse = results;
    coarse.t_op_s[SAM_PI] = 0.5;
    memset(table, 0, sizeof table);
    stream = fmemopen(table, sizeof table, "w");
    sam_results_print(&coarse, stream);
    fclose(stream);
    cr_expect(strstr(table, "group 0: [stage0]") == NULL, "%s", table);
    cr_expect(strstr(table, "group 2: [stage0] asks for 200.0 ms, less than one operation") != NULL,
              "%s", table);
}

Test(sam_results, places_where_nothing_can_be_written)
{
    struct nereus_error err;
    cr_expect_eq(sam_results_check_path("/nowhere/at/all.json", &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "/nowhere/at/all.json: the results cannot be written there: ") !=
              NULL);
    cr_expect_eq(sam_results_check_path("/tmp", &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "it is a folder") != NULL);
}

Test(sam_trace, rt_by_group, .init = set_up)
{
    char path[64];
    snprintf(path, sizeof path, "trace-%d.jsonl", (int)getpid());
    FILE *stream = fopen(path, "w");
    fputs("{\"event\": \"step\", \"reconfiguration\": 1, \"nt\": 5, \"rt_s\": 9}\n"
          "not json\n"
          "{\"event\": \"reconfiguration\", \"reconfiguration\": 1, \"nt\": 5, \"rt_s\": 0.375}\n"
          "{\"event\": \"reconfiguration\", \"reconfiguration\": 2, \"nt\": 3, \"outcome\": "
          "\"refused\"}\n"
          "{\"event\": \"reconfiguration\", \"reconfiguration\": 3, \"nt\": 3, \"rt_s\": 7}\n",
          stream);
    fclose(stream);
    double *found = sam_trace_read_rt(&config, path);
    remove(path);
    cr_assert(found != NULL);
    cr_expect(isnan(found[0]));
    cr_expect_float_eq(found[1], 0.375, 1e-14);
    cr_expect(isnan(found[2]));
    free(found);
    cr_expect(sam_trace_read_rt(&config, "/nowhere/trace") == NULL);
    cr_expect(sam_trace_read_rt(&config, NULL) == NULL);
}
