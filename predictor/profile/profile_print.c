/** @file profile_print.c  Prints the samples that a profile was fitted to. */
#include "profile_print.h"

#include "model/price/cost_restart.h"
#include "model/util/limits.h"
#include "nereus/price.h"
#include "predictor/cli/options.h"

static void print_steps(const struct nereus_profile *profile)
{
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++) {
        const struct nereus_linear_model *model = &profile->steps[kind];
        if (model->basis == NEREUS_BASIS_FITTED) {
            printf("  %-13s%3d term%-1s from %4lld row%s, log-sd %.3g %%\n",
                   nereus_step_name((enum nereus_step_kind)kind), model->terms,
                   nereus_plural_s(model->terms), (long long)model->rows,
                   nereus_plural_s(model->rows), 100 * model->log_sd);
        } else if (model->basis != NEREUS_BASIS_NONE) {
            printf("  %-13s%s: %s\n", nereus_step_name((enum nereus_step_kind)kind),
                   model->basis == NEREUS_BASIS_PRIOR ? "prior" : "contained in", model->source);
        } else {
            printf("  %-13sno basis: %s\n", nereus_step_name((enum nereus_step_kind)kind),
                   nereus_restart_has_prior((enum nereus_step_kind)kind)
                       ? "restarts take priors"
                       : "methods that need it are refused");
        }
    }
}

/* Print the unattributed time of reconfigurations, if the profile has it. */
static void print_unattributed(const struct nereus_profile *profile)
{
    static const char *const names[NEREUS_UNATTRIBUTED_COUNT] = {
        [NEREUS_UNATTRIBUTED_MERGE] = "merge",
        [NEREUS_UNATTRIBUTED_BASELINE] = "baseline",
        [NEREUS_UNATTRIBUTED_SHRINK] = "shrink",
        [NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED] = "merge, oversubscribed",
        [NEREUS_UNATTRIBUTED_BASELINE_OVERSUBSCRIBED] = "baseline, oversubscribed",
        [NEREUS_UNATTRIBUTED_SHRINK_OVERSUBSCRIBED] = "shrink, oversubscribed"};
    for (int w = 0; w < NEREUS_UNATTRIBUTED_COUNT; w++) {
        const struct nereus_linear_model *model = &profile->unattributed[w];
        if (model->basis == NEREUS_BASIS_FITTED) {
            printf("  unattributed %.3g s from %4lld row%s (%s)\n", model->coefficients[0],
                   (long long)model->rows, nereus_plural_s(model->rows), names[w]);
        }
    }
}

/* Print the redistributions that were measured separately. */
static void print_between_nodes(const struct nereus_profile *profile)
{
    const struct nereus_hockney *link = &profile->operations[NEREUS_OPERATION_NODE];
    int64_t rows = 0;
    for (int i = 0; i < NEREUS_BETWEEN_COUNT; i++)
        rows += profile->between_models[i].rows;
    if (rows > 0 && link->basis == NEREUS_BASIS_FITTED) {
        printf("  between nodes %lld redistribution%s; a node's link at least %.3g GB/s\n",
               (long long)rows, nereus_plural_s(rows), 1e-9 / link->beta_s_per_byte[0]);
    }
}

static void print_restart(const struct nereus_profile *profile)
{
    struct nereus_restart_costs costs;
    char text[NEREUS_RESTART_COSTS_TEXT];
    if (nereus_restart_costs_find(profile, &costs))
        printf("  restart      %s\n", nereus_restart_costs_text(&costs, text));
}

/* Print how much an asynchronous reconfiguration and the application slow each other down. */
static void print_overlap(const struct nereus_profile *profile)
{
    const struct {
        const char *name;
        const struct nereus_linear_model *model;
    } rows[] = {{"RT async", &profile->async_plain},
                {"RT single", &profile->async_single},
                {"RT shrink", &profile->async_shrink},
                {"RT async, oversubscribed", &profile->async_plain_oversubscribed},
                {"RT single, oversubscribed", &profile->async_single_oversubscribed},
                {"RT shrink, oversubscribed", &profile->async_shrink_oversubscribed},
                {"omega", &profile->omega},
                {"It", &profile->extra_iterations},
                {"omega by thread", &profile->omega_by_thread}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_linear_model *model = rows[i].model;
        if (model->basis == NEREUS_BASIS_FITTED) {
            printf("  %-12s %3d term%-1s from %4lld row%s, log-sd %.3g %% (asynchronous)\n",
                   rows[i].name, model->terms, nereus_plural_s(model->terms),
                   (long long)model->rows, nereus_plural_s(model->rows), 100 * model->log_sd);
        } else if (model->basis == NEREUS_BASIS_PRIOR) {
            printf("  %-12s prior: %s\n", rows[i].name, model->source);
        }
    }
}

/* Print how much threads slow down iterations. */
static void print_contention(const struct nereus_profile *profile)
{
    for (int background = 0; background < NEREUS_CONTENTION_COUNT; background++) {
        const struct nereus_linear_model *model = &profile->contention[background];
        if (model->basis == NEREUS_BASIS_FITTED) {
            printf("  with threads, %-24s %d term%-1s from %4lld row%s, log-sd %.3g %%\n",
                   nereus_contention_name(background), model->terms, nereus_plural_s(model->terms),
                   (long long)model->rows, nereus_plural_s(model->rows), 100 * model->log_sd);
        }
    }
}

static void print_program(const struct nereus_program *program)
{
    if (program->start.basis == NEREUS_BASIS_FITTED) {
        printf(
            "  start-up of %s: %.2g s and %.2g s from MPI_Init to nereus_init, from %lld row%s\n",
            program->command, program->start.coefficients[0],
            program->join.terms > 0 ? program->join.coefficients[0] : 0.0,
            (long long)program->start.rows, nereus_plural_s(program->start.rows));
    }
}

/* Print "4 cores per node, 2 nodes"; for unequal nodes each list, "16 nodes with 416 cores" */
void nereus_profile_print_nodes(const struct nereus_profile *profile)
{
    for (int64_t m = 0; m < profile->machine_count; m++) {
        const struct nereus_machine *machine = &profile->machines[m];
        printf(", %lld unequal node%s with %lld core%s", (long long)machine->node_count,
               nereus_plural_s(machine->node_count), (long long)nereus_machine_total_cores(machine),
               nereus_plural_s(nereus_machine_total_cores(machine)));
    }
    if (profile->machine_count > 0)
        return;
    printf(", %lld core%s per node", (long long)profile->cores_per_node,
           nereus_plural_s(profile->cores_per_node));
    if (profile->processors > 0.0) {
        char text[32];
        printf(" with the time of %s", nereus_cores_text(profile->processors, text));
    }
    if (profile->nodes > 0)
        printf(", %lld node%s", (long long)profile->nodes, nereus_plural_s(profile->nodes));
}

void nereus_profile_print_models(const struct nereus_profile *profile)
{
    print_steps(profile);
    print_unattributed(profile);
    print_between_nodes(profile);
    print_restart(profile);
    print_overlap(profile);
    print_contention(profile);
    print_program(&profile->program);
    printf("methods:");
    for (int64_t i = 0; i < profile->method_count; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        printf(" %s", nereus_method_format(&profile->methods[i], text));
    }
    putchar('\n');
}
