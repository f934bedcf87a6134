/** @file test_overlapped.c  Iterations that are done beside something that ends in the middle of
 * one. By hand, 10 ms by themselves. */
#include <criterion/criterion.h>

#include "calibration/tasks/overlapped.h"

static struct nereus_overlapped_span done(const double *ends_s, int count, double operation_end_s)
{
    struct nereus_overlapped_ends ends = {.first_s = 100};
    for (int i = 0; i < count; i++)
        nereus_overlapped_add_end(&ends, 100 + ends_s[i]);
    return nereus_overlapped_span_of(&ends, 100 + operation_end_s, 0.010);
}

static void expect(struct nereus_overlapped_span got, double time_s, double iterations)
{
    cr_expect_float_eq(got.time_s, time_s, 1e-9, "%g s", got.time_s);
    cr_expect_float_eq(got.iterations, iterations, 1e-9, "%g iterations", got.iterations);
}

/* Half as fast: 20 ms each, over after 50 ms, and 5 ms of the third are left, which takes 5 ms. */
Test(beside, what_is_left_afterwards_is_not_beside_it)
{
    const double ends_s[] = {0.020, 0.040, 0.055};
    expect(done(ends_s, 3, 0.050), 0.050, 2.5);
    expect(done(ends_s, 3, 0.055), 0.055, 3);
    expect(done(ends_s, 3, 0.041), 0.041, 2); /* no less than nothing of the third */
}

/* The third waits for all of it, which is over 1 ms before its end, and the next one by itself is
 * the first to hear of it. */
Test(beside, an_iteration_that_waited_for_all_of_it_counts)
{
    const double ends_s[] = {0.020, 0.040, 0.120, 0.130};
    expect(done(ends_s, 4, 0.119), 0.119, 2.9);
}

/* With little done before it waited: 73 ms and 7 ms that are left, not 73 ms for 0.3 iterations. */
Test(beside, one_iteration_takes_no_longer_than_it_did)
{
    const double ends_s[] = {0.080, 0.090};
    expect(done(ends_s, 1, 0.073), 0.080, 1);
    expect(done(ends_s, 2, 0.079), 0.080, 1);
}
