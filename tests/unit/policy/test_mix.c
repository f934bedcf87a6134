/**
 * @file test_mix.c
 * The mix of classes: GLPK beside counting all mixes; without GLPK of one class.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/policy/mix.h"
#include "tests/unit/random.h"

static double power_of(const struct nereus_mix_question *q, const struct nereus_allocation *mix)
{
    double sum = 0;
    for (int k = 0; k < q->class_count; k++)
        sum += (double)mix->processes[k] * q->classes[k].power;
    return sum;
}

static double value_of(const struct nereus_mix_question *q, const struct nereus_allocation *mix)
{
    double sum = 0;
    for (int k = 0; k < q->class_count; k++)
        sum += (double)mix->processes[k] * (q->aim == NEREUS_MIX_MIN_POWER
                                                ? q->classes[k].power
                                                : q->classes[k].price_per_core_hour);
    return sum;
}

/* The least value of all mixes; INFINITY: none has the power. */
static double count_all(const struct nereus_mix_question *q, int k, int64_t left,
                        struct nereus_allocation *mix)
{
    if (k == q->class_count)
        return left == 0 && power_of(q, mix) >= q->needed_power ? value_of(q, mix) : INFINITY;
    double min = INFINITY;
    for (int64_t n = 0; n <= q->max[k] && n <= left; n++) {
        mix->processes[k] = n;
        min = fmin(min, count_all(q, k + 1, left - n, mix));
    }
    mix->processes[k] = 0;
    return min;
}

struct drawn {
    struct nereus_node_class classes[4];
    int64_t max[4];
    struct nereus_mix_question question;
};

static int max_classes(void)
{
    return nereus_mix_check(4, NULL) == NEREUS_OK ? 4 : 1;
}

static void draw(struct drawn *d)
{
    int64_t all = 0;
    memset(d, 0, sizeof *d);
    d->question = (struct nereus_mix_question){.class_count = 1 + (int)random_below(max_classes()),
                                               .classes = d->classes,
                                               .max = d->max,
                                               .aim = (enum nereus_mix_aim)random_below(2)};
    for (int k = 0; k < d->question.class_count; k++) {
        d->classes[k].power = 0.3 + 3 * random_share();
        d->classes[k].price_per_core_hour = random_below(4) == 0 ? 0.1 : random_share();
        d->max[k] = random_below(7);
        all += d->max[k];
    }
    d->question.count = all > 0 ? 1 + random_below(all) : 1;
    d->question.needed_power = random_share() * 3.5 * (double)d->question.count;
}

/* What was found, in its bounds and with its power, has the least value that counting finds. */
Test(mix, is_the_best_of_all)
{
    for (int i = 0; i < 1500; i++) {
        struct drawn d;
        struct nereus_allocation found = {{0}}, counted = {{0}};
        struct nereus_mix_solution solution;
        draw(&d);
        const double min = count_all(&d.question, 0, d.question.count, &counted);
        const enum nereus_status status = nereus_mix_find(&d.question, &found, &solution, NULL);
        cr_assert_eq(status == NEREUS_OK, isfinite(min), "draw %d: status %d, least %g", i,
                     (int)status, min);
        if (status != NEREUS_OK)
            continue;
        cr_assert(solution.is_exact, "draw %d is small", i);
        for (int k = 0; k < d.question.class_count; k++)
            cr_assert(found.processes[k] >= 0 && found.processes[k] <= d.max[k]);
        cr_assert_geq(power_of(&d.question, &found), d.question.needed_power * (1 - 1e-12));
        /* among prices that differ by less than the part of the power any is right */
        cr_assert_leq(solution.value, min + 3e-5, "draw %d: %.9g, counted %.9g", i, solution.value,
                      min);
        cr_assert_leq(solution.simplex_value, solution.value + 3e-5);
    }
}

/* Rows by hand: {count, needed power, aim, C1, C7, C6, C8}. Tables 1 and 3 of Flex-MPI. */
static const struct {
    int64_t count;
    double needed;
    enum nereus_mix_aim aim;
    int64_t mix[4];
} rows[] = {
    {5, 23.0, NEREUS_MIX_MIN_POWER, {0, 0, 0, 5}},   /* 5 x 4.62 = 23.1 */
    {5, 21.0, NEREUS_MIX_MIN_POWER, {0, 0, 1, 4}},   /* 18.48 + 2.9 = 21.38 */
    {12, 22.0, NEREUS_MIX_MIN_PRICE, {12, 0, 0, 0}}, /* 22.8, 1.14 an hour */
    {11, 22.0, NEREUS_MIX_MIN_PRICE, {8, 3, 0, 0}},  /* 15.2 + 6.75 = 21.95: below */
};

Test(mix, of_the_paper)
{
    static const struct nereus_node_class classes[] = {{"C1", 80, 1.90, 0.095},
                                                       {"C7", 24, 2.25, 0.115},
                                                       {"C6", 12, 2.90, 0.204},
                                                       {"C8", 24, 4.62, 0.462}};
    static const int64_t max[] = {78, 22, 10, 22};
    struct nereus_error err;
    if (nereus_mix_check(4, &err) != NEREUS_OK) {
        cr_expect_str_eq(err.text, "this Nereus was built without GLPK, which chooses among "
                                   "classes of nodes: name one class, not 4");
        return;
    }
    for (size_t i = 0; i < 3; i++) {
        const struct nereus_mix_question question = {
            4, classes, max, rows[i].count, rows[i].needed, rows[i].aim};
        struct nereus_allocation found;
        struct nereus_mix_solution solution;
        cr_assert_eq(nereus_mix_find(&question, &found, &solution, NULL), NEREUS_OK);
        for (int k = 0; k < 4; k++)
            cr_assert_eq(found.processes[k], rows[i].mix[k], "row %zu, class %d: %d", i, k,
                         (int)found.processes[k]);
    }
    /* the last row lacks 0.05: what is found has the power, at the least price that counting finds
     */
    const struct nereus_mix_question question = {
        4, classes, max, rows[3].count, rows[3].needed, rows[3].aim};
    struct nereus_allocation found, counted = {{0}};
    struct nereus_mix_solution solution;
    cr_assert_eq(nereus_mix_find(&question, &found, &solution, NULL), NEREUS_OK);
    cr_assert_float_eq(solution.value, count_all(&question, 0, question.count, &counted), 1e-9);
}
