/** @file test_computational_model.c  Equations 2 to 8 by hand, and lambda. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/computational_model.h"

/* Table 5 of Flex-MPI, and section 5.1. */
static const struct nereus_stated_costs arcos = {.spawn_s = 0.5201,
                                                 .remove_s = 0.0008,
                                                 .latency_s = 50e-6,
                                                 .seconds_per_byte = 0.008483e-6,
                                                 .reduction_s_per_byte = 0.016e-6};

/* {collective, processes, bytes, seconds, formula} */
static const struct {
    enum nereus_collective collective;
    int64_t processes;
    double bytes, seconds;
} rows[] = {
    {NEREUS_COLLECTIVE_BARRIER, 5, 0, 3 * 50e-6},
    {NEREUS_COLLECTIVE_BCAST, 8, 100, 3 * (50e-6 + 100 * 0.008483e-6)},
    {NEREUS_COLLECTIVE_BCAST, 8, 1e6, 10 * 50e-6 + 2 * 0.875 * 1e6 * 0.008483e-6},
    {NEREUS_COLLECTIVE_ALLREDUCE, 4, 8, 2 * (50e-6 + 8 * 0.008483e-6 + 8 * 0.016e-6)},
    {NEREUS_COLLECTIVE_ALLREDUCE, 4, 1e6,
     4 * 50e-6 + 0.75 * (2 * 1e6 * 0.008483e-6 + 1e6 * 0.016e-6)},
    {NEREUS_COLLECTIVE_ALLGATHER, 8, 20000, 3 * 50e-6 + 7 * 20000 * 0.008483e-6},
    {NEREUS_COLLECTIVE_ALLTOALL, 3, 70, 2 * (50e-6 + 70 * 0.008483e-6)},
};

Test(computational_model, collectives_by_mpich)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double seconds = nereus_collective_stated_s(&arcos, rows[i].collective,
                                                          rows[i].processes, rows[i].bytes);
        cr_assert_float_eq(seconds, rows[i].seconds, 1e-12, "row %zu: %.9g, not %.9g", i, seconds,
                           rows[i].seconds);
    }
}

static struct nereus_computational_model model_of(void)
{
    return (struct nereus_computational_model){
        .class_count = 2,
        .classes = {{"C1", 80, 1.9, 0.095}, {"C8", 24, 4.62, 0.462}},
        .call_count = 1,
        .calls = {{NEREUS_COLLECTIVE_ALLGATHER, 160000, 2}},
        .communication_factor = 1.25,
        .bytes = 1e8,
        .stated_costs = arcos};
}

/* Equation 3: 65 / (2 x 1.9 + 2 x 4.62); equation 5: lambda x 10 iterations x 2 calls x T(4). */
Test(computational_model, an_interval)
{
    const struct nereus_computational_model model = model_of();
    const struct nereus_allocation four = {{2, 2}}, one = {{0, 1}};
    struct nereus_interval_time time;
    cr_assert_eq(nereus_computational_model_check(&model, NULL), NEREUS_OK);
    cr_assert_eq(nereus_interval_time_compute(&model, 65, 10, &four, &time, NULL), NEREUS_OK);
    cr_assert_float_eq(time.computation_s, 65 / 13.04, 1e-12);
    cr_assert_float_eq(time.communication_s,
                       1.25 * 10 * 2 * (2 * 50e-6 + 0.75 * 160000 * 0.008483e-6), 1e-12);
    cr_assert_eq(nereus_interval_time_compute(&model, 65, 10, &one, &time, NULL), NEREUS_OK);
    cr_assert(time.communication_s == 0, "one process has nobody to talk to");
}

/* Equations 6 to 8. */
Test(computational_model, a_change)
{
    const struct nereus_computational_model model = model_of();
    const struct nereus_allocation four = {{2, 2}}, nine = {{2, 7}};
    struct nereus_interval change;
    cr_assert_eq(nereus_change_time(&model, &four, &nine, &change, NULL), NEREUS_OK);
    cr_assert_float_eq(change.value, 5 * 0.5201 + 8 * 50e-6 + 1e8 / 4 * 0.008483e-6, 1e-12);
    cr_assert_eq(nereus_change_time(&model, &nine, &four, &change, NULL), NEREUS_OK);
    cr_assert_float_eq(change.high, 5 * 0.0008 + 8 * 50e-6 + 1e8 / 4 * 0.008483e-6, 1e-12);
    cr_assert_eq(nereus_change_time(&model, &nine, &nine, &change, NULL), NEREUS_OK);
    cr_assert(change.value == 0);
}

/* Equations 4 and 5: after a correction the model gives what was measured, whatever lambda was. */
Test(computational_model, lambda_removes_the_error)
{
    struct nereus_computational_model model = model_of();
    const struct nereus_allocation four = {{2, 2}};
    struct nereus_interval_time before, after;
    cr_assert_eq(nereus_interval_time_compute(&model, 1, 10, &four, &before, NULL), NEREUS_OK);
    const double real_s = 0.6 * before.communication_s;
    nereus_communication_correct(&model, before.communication_s, real_s);
    cr_assert_eq(nereus_interval_time_compute(&model, 1, 10, &four, &after, NULL), NEREUS_OK);
    cr_assert_float_eq(after.communication_s, real_s, 1e-12);
    nereus_communication_correct(&model, 0, 3);
    cr_assert_float_eq(model.communication_factor, 1.25 * 0.6, 1e-12, "nothing was modelled");
}

Test(computational_model, work_is_extrapolated)
{
    static const double rising[] = {3, 5, 7, 9}, falling[] = {9, 5, 1};
    cr_assert_float_eq(nereus_work_extrapolate(rising, 4), 11, 1e-12);
    cr_assert_float_eq(nereus_work_extrapolate(rising, 1), 3, 1e-12);
    cr_assert(nereus_work_extrapolate(falling, 3) == 0, "work is never below 0");
    cr_assert(nereus_work_extrapolate(falling, 0) == 0);
}

Test(computational_model, prices_come_from_a_profile)
{
    struct nereus_computational_model model = model_of();
    struct nereus_profile profile;
    struct nereus_machine machine;
    struct nereus_interval change;
    const struct nereus_allocation three = {{3, 0}}, seven = {{3, 4}};
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(
        nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", &profile, &err),
        NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_machine_uniform(4, &machine, NULL), NEREUS_OK);
    model.profile = &profile;
    model.machine = &machine;
    model.bytes = 0;
    cr_assert_eq(nereus_change_time(&model, &three, &seven, &change, &err), NEREUS_OK, "%s",
                 err.text);
    /* the quickest synchronous method of tests/cli/predict.sh: merge-single */
    cr_assert_float_eq(change.value, 0.3955, 1e-3, "%.9g s", change.value);
    cr_assert(change.low <= change.value && change.value <= change.high);
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
}

/* Equation 5 beyond what was measured: 8 processes gather 160000 bytes on nodes of 4 cores, and
 * 80000 of them pass the link of each node. lambda x 10 iterations x 2 calls x 0.08 s. */
Test(computational_model, collectives_pass_the_link_of_a_node)
{
    struct nereus_collective_time four = {.collective = NEREUS_COLLECTIVE_ALLGATHER,
                                          .processes = 4};
    struct nereus_profile profile = {.collectives = &four, .collective_count = 1};
    struct nereus_computational_model model = model_of();
    struct nereus_machine machine;
    struct nereus_interval_time time;
    const struct nereus_allocation eight = {{8, 0}};
    profile.operations[NEREUS_OPERATION_NODE] = (struct nereus_hockney){
        .basis = NEREUS_BASIS_FITTED, .pieces = 1, .beta_s_per_byte = {1e-6}};
    cr_assert_eq(nereus_machine_uniform(4, &machine, NULL), NEREUS_OK);
    model.profile = &profile;
    model.machine = &machine;
    cr_assert_eq(nereus_interval_time_compute(&model, 0, 10, &eight, &time, NULL), NEREUS_OK);
    cr_assert_float_eq(time.communication_s, 1.25 * 10 * 2 * 0.08, 1e-9, "%g s",
                       time.communication_s);
    nereus_machine_fini(&machine);
}

/* {text, C1, C8, status} */
static const struct {
    const char *text;
    int64_t c1, c8;
    enum nereus_status status;
} texts[] = {
    {"C1:2,C8:4", 2, 4, NEREUS_OK},       {"C8:1", 0, 1, NEREUS_OK},
    {"C8:25", 0, 0, NEREUS_ERR_ARGUMENT}, {"C1:0", 0, 0, NEREUS_ERR_ARGUMENT},
    {"C9:1", 0, 0, NEREUS_ERR_ARGUMENT},  {"C1", 0, 0, NEREUS_ERR_PARSE},
    {"C1:x", 0, 0, NEREUS_ERR_PARSE},     {"", 0, 0, NEREUS_ERR_PARSE},
};

Test(computational_model, allocations_as_text)
{
    const struct nereus_computational_model model = model_of();
    for (size_t i = 0; i < NEREUS_COUNT_OF(texts); i++) {
        struct nereus_allocation read = {{0}};
        char text[64];
        cr_assert_eq(nereus_allocation_parse(&model, "asked", texts[i].text, &read, NULL),
                     texts[i].status, "%s", texts[i].text);
        cr_assert(read.processes[0] == texts[i].c1 && read.processes[1] == texts[i].c8);
        if (texts[i].status == NEREUS_OK)
            cr_assert_str_eq(nereus_allocation_text(&model, &read, text, sizeof text),
                             texts[i].text);
    }
}

/* Parts of the run, each of its own height; beyond its ends nothing is added. */
Test(computational_model, shape_of_the_work)
{
    static const struct {
        const char *text;
        double run, share;
    } shapes[] = {
        {"", 0.3, 0.3},        {"7", 0.3, 0.3},           {"1 3", 0.5, 0.25}, {"1 3", 0.75, 0.625},
        {"1,3", 1, 1},         {"1 3", 1.5, 1},           {"1 3", -2, 0},     {"0 2 6", 1. / 3, 0},
        {"0 2 6", 0.5, 0.125}, {"0, 2,  6", 2. / 3, 0.25}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(shapes); i++) {
        struct nereus_work_shape shape;
        cr_assert_eq(nereus_work_shape_parse("it", shapes[i].text, &shape, NULL), NEREUS_OK);
        cr_expect_float_eq(nereus_work_shape_done_share(&shape, shapes[i].run), shapes[i].share,
                           1e-12, "row %zu", i);
    }
    char text[1100] = "";
    struct nereus_work_shape shape = {.count = 77};
    struct nereus_error err = {NEREUS_OK, ""};
    memset(text, '1', sizeof text - 1); /* never cut to another number */
    cr_expect_eq(nereus_work_shape_parse("it", text, &shape, &err), NEREUS_ERR_PARSE);
    cr_expect_str_eq(err.text, "it has more than 1023 characters");
    cr_expect_eq(shape.count, 77);
}

/* A run without an end has no shares: 0, never 0 / 0. */
Test(computational_model, work_between_iterations)
{
    static const struct {
        double all, from, to, share;
    } spans[] = {{80, 0, 40, 0.25}, {80, 30, 50, 0.25}, {80, 60, 100, 0.375}, {80, 7, 7, 0},
                 {0, 0, 0, 0},      {0, 0, 5, 0},       {0, 3, 9, 0},         {80, 80, 120, 0}};
    struct nereus_work_shape shape;
    cr_assert_eq(nereus_work_shape_parse("it", "1 3", &shape, NULL), NEREUS_OK);
    for (size_t i = 0; i < NEREUS_COUNT_OF(spans); i++) {
        const double share =
            nereus_work_shape_interval_share(&shape, spans[i].all, spans[i].from, spans[i].to);
        cr_expect(fabs(share - spans[i].share) < 1e-12, "row %zu: %g", i, share);
    }
}
