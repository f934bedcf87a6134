/** @file test_nearby.c  What a measurement says of others, and what is expected where none was
 * made. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict/lookup.h"
#include "model/price/cost.h"
#include "model/price/overlap.h"
#include "model/util/arith.h"
#include "tests/unit/note_of.h"

#define TABLES NEREUS_SOURCE_DIR "/tests/unit/data/spawning_tables_1_to_4.csv"

static const struct nereus_machine twenty = {.cores_per_node = 20};
static struct nereus_samples samples;
static struct nereus_profile profile;

static void read_tables(void)
{
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_read(TABLES, false, &samples, &err) == NEREUS_OK, "%s", err.text);
}

static void fit(void)
{
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
}

static void forget(void)
{
    nereus_profile_fini(&profile);
    nereus_samples_fini(&samples);
}

static struct nereus_prediction predict(int64_t ns, int64_t nt, double t_iter_s, const char *text)
{
    const struct nereus_scenario s = {.machine = &twenty,
                                      .ns = ns,
                                      .nt = nt,
                                      .t_iter_ns_s = t_iter_s,
                                      .t_iter_nt_s = t_iter_s,
                                      .iterations_after = 10000};
    struct nereus_method method;
    struct nereus_prediction p;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_method_parse(text, &method, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_predict(&profile, &s, &method, &p, &err) == NEREUS_OK, "%s: %s", text,
              err.text);
    return p;
}

static struct nereus_sample *row(int64_t ns, int64_t nt, const char *text)
{
    char name[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0; i < samples.count; i++)
        if (samples.rows[i].ns == ns && samples.rows[i].nt == nt &&
            strcmp(nereus_method_format(&samples.rows[i].method, name), text) == 0)
            return &samples.rows[i];
    cr_assert(false, "no row %lld -> %lld %s", (long long)ns, (long long)nt, text);
    return NULL;
}

Test(nearby, a_node_that_fills_has_no_step)
{
    struct nereus_cost_input input = {.load = {.fill = 0.5, .core_load = 0.5}};
    cr_expect_float_eq(nereus_cost_feature(NEREUS_TERM_FILLING, &input), 0.5 * 0.353553390593,
                       1e-12);
    input.load.core_load = 1 - 1e-9;
    cr_expect_float_eq(nereus_cost_feature(NEREUS_TERM_FILLING, &input), 0.5, 1e-8);
    input.load.core_load = 3;
    cr_expect_float_eq(nereus_cost_feature(NEREUS_TERM_FILLING, &input), 0.5, 1e-12);
    cr_expect_float_eq(nereus_cost_feature(NEREUS_TERM_OVERLOADED, &input), 1, 0);
    input.load.core_load = 1;
    cr_expect_float_eq(nereus_cost_feature(NEREUS_TERM_OVERLOADED, &input), 0, 0);
}

/* A profile's terms keep the definition with which they were fitted. */
Test(nearby, terms_keep_their_definition)
{
    const struct nereus_cost_input input = {.load = {.fill = 0.5, .core_load = 0.5}},
                                   full = {.load = {.fill = 0.5, .core_load = 1}};
    const struct nereus_overlap_input single = {.ns = 20,
                                                .group = NEREUS_ASYNC_SINGLE,
                                                .t_iter_s = 0.1,
                                                .rt_sync_s = 2,
                                                .load = {.load_all = 3, .load_root = 2}};
    static const struct {
        const char *name;
        double expected;
    } rows[] = {{"sync_excess", 4}, {"t_iter_all", 0.3}, {"peers_excess", 2}};
    cr_expect(nereus_cost_feature(nereus_term_from_name("full"), &input) == 0);
    cr_expect_float_eq(nereus_cost_feature(nereus_term_from_name("full"), &full), 0.5, 1e-12);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const enum nereus_overlap_term term = nereus_overlap_term_from_name(rows[i].name);
        cr_expect_float_eq(nereus_overlap_feature(term, &single), rows[i].expected, 1e-12, "%s",
                           rows[i].name);
    }
}

/* A method's deviation at a pair of sizes holds for other iterations too, but not for other
 * sizes. */
Test(nearby, an_asynchronous_time_corrects_those_beside_other_iterations, .fini = forget)
{
    static const char method[] = "baseline-async";
    read_tables();
    fit();
    const double same = predict(80, 20, 0.2, method).rt_s.value,
                 other = predict(40, 1, 0.2, method).rt_s.value;
    nereus_profile_fini(&profile);
    row(80, 20, method)->rt_s *= 1.2;
    fit();
    const double same_now = predict(80, 20, 0.2, method).rt_s.value,
                 other_now = predict(40, 1, 0.2, method).rt_s.value;
    cr_expect(same_now > 1.08 * same && same_now < 1.2 * same, "%g s, was %g s", same_now, same);
    cr_expect(fabs(other_now / other - 1) < 0.02, "%g s, was %g s", other_now, other);
}

/* Iterations of 0.2 s on full nodes: measurements from 20 processes on predict the same iterations
 * on 120. */
Test(nearby, iterations_of_the_same_length_are_slowed_alike, .fini = forget)
{
    static const char method[] = "baseline-single-async";
    read_tables();
    fit();
    const double same = predict(120, 20, 0.2, method).omega,
                 other = predict(120, 20, 0.06, method).omega;
    nereus_profile_fini(&profile);
    for (int64_t i = 0; i < samples.count; i++)
        if (samples.rows[i].ns == 20 && samples.rows[i].nt < 20)
            samples.rows[i].ct_s *= 1.15;
    fit();
    const double same_now = predict(120, 20, 0.2, method).omega,
                 other_now = predict(120, 20, 0.06, method).omega;
    cr_expect(same_now > 1.05 * same && same_now < 1.15 * same, "%g, was %g", same_now, same);
    cr_expect(fabs(other_now / other - 1) < 0.03, "%g, was %g", other_now, other);
}

static double term(const struct nereus_linear_model *model, const char *name)
{
    for (int i = 0; i < model->terms; i++)
        if (strcmp(model->names[i], name) == 0)
            return model->coefficients[i];
    return NAN;
}

/* It = RT / (omega T_iter) + the measured extra iterations; single adds two phases. */
Test(nearby, iterations_until_the_end_is_noticed, .fini = forget)
{
    static const char *const methods[][2] = {{"merge-async", "late"},
                                             {"baseline-async", "late"},
                                             {"baseline-single-async", "late_respawn"}};
    read_tables();
    fit();
    cr_expect(term(&profile.extra_iterations, "late_respawn") >
              1.3 * term(&profile.extra_iterations, "late"));
    for (double t_iter_s = 0.02; t_iter_s < 2; t_iter_s *= 1.3)
        for (size_t m = 0; m < 3; m++) {
            const struct nereus_prediction p = predict(40, 15, t_iter_s, methods[m][0]);
            const double expected = fmax(1, p.rt_s.value / (p.omega * t_iter_s) +
                                                term(&profile.extra_iterations, methods[m][1]));
            cr_expect_float_eq(p.iterations_expected, expected, 1e-9, "%s, %g s", methods[m][0],
                               t_iter_s);
            cr_expect_float_eq(p.iterations, round(expected), 1e-9);
        }
}

/* Without a measured one, an auxiliary thread's shrink on one node takes a synchronous one and a
 * slice of the scheduler. */
Test(nearby, a_thread_on_one_node_waits_for_a_slice, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        if (!(s->method.async && s->method.process == NEREUS_MERGE && s->nt < s->ns && s->ns <= 20))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    fit();
    cr_expect_float_eq(predict(20, 10, 0.2, "merge-async").rt_s.value, 0.001 + 0.02, 0.002);
}

/* The same where all synchronous rows are of one node, so that their model is a constant; and the
 * slice is at most the prior. */
Test(nearby, a_thread_on_one_node_takes_what_synchronous_shrinks_did, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        const bool shrink = s->method.process == NEREUS_MERGE && s->nt < s->ns;
        if (!shrink || s->method.async == (s->ns > 20))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    for (int64_t i = 0; i < samples.count; i++)
        if (samples.rows[i].method.process == NEREUS_MERGE &&
            samples.rows[i].nt < samples.rows[i].ns && !samples.rows[i].method.async)
            samples.rows[i].rt_s = 0.013;
    fit();
    cr_expect_float_eq(predict(20, 10, 0.2, "merge-async").rt_s.value, 0.013 + 0.02, 0.006);
    cr_expect(sqrt(profile.async_shrink.covariance[0][0]) > 0.3 * 0.02, "%g",
              profile.async_shrink.covariance[0][0]);
}

/* The extra time of a thread's shrink on several nodes, where only synchronous ones were measured,
 * has the error of a prior. */
Test(nearby, a_borrowed_doubling_is_unsure, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        if (!(s->method.async && s->method.process == NEREUS_MERGE && s->nt < s->ns && s->ns > 20))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    fit();
    const struct nereus_linear_model *m = &profile.async_shrink;
    cr_assert(m->terms == 2 && m->coefficients[1] > 0);
    cr_expect(sqrt(m->covariance[1][1]) >= 0.6 * m->coefficients[1], "%g of %g",
              sqrt(m->covariance[1][1]), m->coefficients[1]);
}

/* The asynchronous model's RT_sync is the synchronous model moved two thirds of the way to the
 * measurement, as for neighbours; for merge shrinks it is the measurement. */
Test(nearby, a_measured_sync_time_is_drawn_to_its_model, .fini = forget)
{
    int64_t starts = 0, shrinks = 0;
    double shares = 0;
    read_tables();
    fit();
    for (int64_t i = 0; i < profile.measured_count; i++) {
        const struct nereus_measurement *m = &profile.measurements[i];
        const struct nereus_scenario s = {.machine = &twenty, .ns = m->ns, .nt = m->nt};
        const double residual = log(m->rt_s / m->model_s);
        struct nereus_process_estimate e;
        if (m->method.async || !(fabs(residual) > 0.03))
            continue;
        cr_assert(nereus_lookup_estimate(&profile, &s, &m->method, &e, NULL) == NEREUS_OK);
        cr_expect(e.measured && e.sum.value_s == m->rt_s);
        const double share = log(e.expected_s / m->model_s) / residual;
        if (m->method.process == NEREUS_MERGE && m->nt < m->ns) {
            shrinks++;
            cr_expect_float_eq(share, 1, 1e-12);
        } else {
            starts++;
            shares += share;
        }
    }
    cr_expect(starts > 30 && shrinks > 5, "%lld, %lld", (long long)starts, (long long)shrinks);
    cr_expect_float_eq(shares / (double)starts, 0.667, 0.05);
}

/* The only asynchronous row of single has one source, whose thread hardly shares a core: it does
 * not identify the slowdown by sharing. */
Test(nearby, one_source_does_not_say_how_shared_cores_slow, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        if (!s->method.async || (s->ns == 1 && s->nt == 80 && s->method.process == NEREUS_BASELINE))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    fit();
    cr_expect(predict(80, 40, 0.05, "baseline-single-async").rt_s.value < 1.5 * 2.618);
    cr_expect(predict(10, 20, 0.4, "baseline-async").rt_s.value < 1.5 * 1.317);
}

/* Without any asynchronous shrink the synchronous ones stand in, and a wait for a core. */
Test(nearby, a_thread_that_was_never_measured_shrinks_by_a_prior, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        if (!(s->method.async && s->nt < s->ns && s->method.process == NEREUS_MERGE))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    fit();
    const struct nereus_prediction p = predict(20, 10, 0.2, "merge-async");
    cr_expect_float_eq(p.rt_s.value, 0.001 + 0.02, 0.002);
    cr_expect(p.rt_s.low < 0.011 && p.rt_s.high > 0.04, "%g to %g", p.rt_s.low, p.rt_s.high);
    cr_expect(p.source == NEREUS_EXTRAPOLATED &&
                  strstr(note_of(p), "synchronous and priors") != NULL,
              "%s", note_of(p));
}

/* The asynchronous rows of one pair of sizes leave the terms near where physics has them. */
Test(nearby, a_few_measurements_do_not_carry_all_terms, .fini = forget)
{
    int64_t kept = 0;
    read_tables();
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        if (!s->method.async || (s->ns == 20 && s->nt == 40))
            samples.rows[kept++] = *s;
    }
    samples.count = kept;
    fit();
    const struct {
        const struct nereus_linear_model *model;
        const char *name;
        double expected, deviation;
    } terms[] = {
        {&profile.async_plain, "rt_sync", 1, 0.1},     {&profile.async_plain, "slice", 0.02, 0.02},
        {&profile.async_single, "rt_sync", 1, 0.1},    {&profile.async_single, "slice", 0.02, 0.02},
        {&profile.async_single, "t_iter_all", 1, 0.5}, {&profile.omega, "nodes_excess", 0.01, 0.01},
        {&profile.omega, "plain_excess", 0.02, 0.02}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(terms); i++) {
        const double value = term(terms[i].model, terms[i].name);
        cr_expect(fabs(value - terms[i].expected) < 2 * terms[i].deviation, "%s is %g",
                  terms[i].name, value);
    }
}
