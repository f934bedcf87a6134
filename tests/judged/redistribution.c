/**
 * @file redistribution.c
 * The fourth cluster, by two networks: redistributions alone, between 8 nodes of 20 cores. Each row
 * is predicted from all rows of its network, and from all others; merge over Ethernet also from the
 * data sheet of the cluster, without any row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "judge.h"
#include "nereus/plan.h"
#include "nereus/price.h"
#include "nereus/synthetic.h"
#include "rows.h"
#include "scores.h"

enum { STEPS_MAX = 32, NODES = 8 };

struct outcome {
    struct scores errors;
    int inside, count;
};

/* The price of the step redistribute. */
static struct nereus_interval price(const struct nereus_profile *profile,
                                    const struct nereus_sample *s)
{
    struct nereus_data_entry entry = {
        .name = "data", .element_bytes = 1, .count = (int64_t)s->bytes, .kind = NEREUS_VARIABLE};
    const struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                           .number = 1,
                                           .ns = s->ns,
                                           .nt = s->nt,
                                           .next_world_id = 1,
                                           .method = s->method,
                                           .data_count = 1,
                                           .data = &entry};
    struct nereus_step_price prices[STEPS_MAX];
    struct nereus_interval rt_s, found = {NAN, NAN, NAN};
    struct nereus_machine machine;
    struct nereus_plan plan;
    if (nereus_machine_equal_nodes(NODES, s->cores_per_node, &machine, NULL) != NEREUS_OK ||
        nereus_plan_make(&request, &plan, NULL) != NEREUS_OK)
        return found;
    const struct nereus_scenario scenario = {
        .machine = &machine, .ns = s->ns, .nt = s->nt, .variable_bytes = s->bytes};
    if (plan.step_count <= STEPS_MAX &&
        nereus_price_plan(profile, &scenario, &plan, prices, &rt_s, NULL) == NEREUS_OK)
        for (int i = 0; i < plan.step_count; i++)
            if (plan.steps[i].kind == NEREUS_STEP_REDISTRIBUTE)
                found = prices[i].time_s;
    nereus_plan_fini(&plan);
    nereus_machine_fini(&machine);
    return found;
}

/* Row i from the rows of its network, with itself or without. */
static struct nereus_interval predict(const struct nereus_samples *all, int64_t i, bool with_it)
{
    struct nereus_profile profile;
    bool *kept = rows_flags(all->count);
    for (int64_t j = 0; j < all->count; j++)
        kept[j] = strcmp(all->rows[j].cluster, all->rows[i].cluster) == 0 && (with_it || j != i);
    struct nereus_samples chosen = rows_chosen(all, kept);
    rows_fit(&chosen, &profile);
    const struct nereus_interval found = price(&profile, &all->rows[i]);
    nereus_profile_fini(&profile);
    nereus_samples_fini(&chosen);
    free(kept);
    return found;
}

static void judge_row(const struct nereus_sample *s, const struct nereus_interval *found,
                      struct outcome *o)
{
    scores_add(&o->errors, fabs(found->value / s->time_s - 1));
    o->inside += s->time_s >= found->low && s->time_s <= found->high;
    o->count++;
}

/* The data sheet of uji8-eth: 10 Gbit/s less what TCP needs; no row has the time of a spawn. */
static void read_sheet(struct nereus_profile *profile)
{
    struct nereus_synthetic sheet;
    struct nereus_error err;
    if (nereus_synthetic_parse("nodes:8 cores:20 latency:20us bandwidth:1.17GB/s spawn:0.3s",
                               &sheet, &err) != NEREUS_OK ||
        nereus_synthetic_profile(&sheet, profile, &err) != NEREUS_OK) {
        fprintf(stderr, "nereus-judged: %s\n", err.text);
        exit(EXIT_FAILURE);
    }
}

static void judge_sheet(const struct nereus_samples *all)
{
    struct nereus_profile sheet;
    struct outcome o;
    memset(&o, 0, sizeof o);
    read_sheet(&sheet);
    puts("by the data sheet, merge over Ethernet: measured, predicted [s]");
    for (int64_t i = 0; i < all->count; i++) {
        const struct nereus_sample *s = &all->rows[i];
        if (strcmp(s->cluster, "uji8-eth") != 0 || s->method.process != NEREUS_MERGE)
            continue;
        const struct nereus_interval found = price(&sheet, s);
        printf("  %4lld -> %4lld %7.1f %7.1f\n", (long long)s->ns, (long long)s->nt, s->time_s,
               found.value);
        judge_row(s, &found, &o);
    }
    bound_check("redistribution, median error, %", 100 * scores_quantile(&o.errors, 0.5), 1, 10,
                "10");
    bound_check("redistribution, largest error, %", 100 * scores_quantile(&o.errors, 1), 1, 20,
                "20");
    scores_fini(&o.errors);
    nereus_profile_fini(&sheet);
}

static void hold(const char *of, const struct outcome *o, double median, double max)
{
    printf("%s\n", of);
    bound_check("redistribution, median error, %", 100 * scores_quantile(&o->errors, 0.5), 1,
                median, "15");
    bound_check("redistribution, 90 % of the errors, %", 100 * scores_quantile(&o->errors, 0.9), 1,
                max, "20");
    bound_check("inside their 90 % intervals, %", 100.0 * o->inside / o->count, 85, 100, "90");
}

void judge_redistribution(const struct judge_options *options)
{
    struct nereus_samples all = {.rows = NULL};
    struct outcome fitted, left_out;
    memset(&fitted, 0, sizeof fitted);
    memset(&left_out, 0, sizeof left_out);
    rows_read(options->redistribution_file, &all);
    puts("\nredistributions of 100 GB between 8 nodes: measured, fitted, left out of the fit [s]");
    for (int64_t i = 0; i < all.count; i++) {
        const struct nereus_sample *s = &all.rows[i];
        const struct nereus_interval with_it = predict(&all, i, true),
                                     without = predict(&all, i, false);
        char text[NEREUS_METHOD_TEXT_MAX];
        printf("  %-9s %-14s %4lld -> %4lld %7.1f %7.1f %7.1f (%.1f to %.1f)\n", s->cluster,
               nereus_method_format(&s->method, text), (long long)s->ns, (long long)s->nt,
               s->time_s, with_it.value, without.value, without.low, without.high);
        judge_row(s, &with_it, &fitted);
        judge_row(s, &without, &left_out);
    }
    hold("fitted to all rows of the network", &fitted, 8, 20);
    hold("a row left out", &left_out, 12, 30);
    judge_sheet(&all);
    scores_fini(&fitted.errors);
    scores_fini(&left_out.errors);
    nereus_samples_fini(&all);
}
