/**
 * @file failures.c
 * Computes what failures cost a job. After a failure it starts again at its size and reads its
 * checkpoint: the price is that of a restart (cost_restart.c), the expected time that of Daly
 * (2006) (checkpoint.h).
 */
#include "failures.h"

#include "model/util/values.h"
#include "nereus/checkpoint.h"
#include "nereus/goal.h"
#include "predictor/cli/output.h"
#include "predictor/scenario/question_plan.h"

static const struct nereus_method restart = {.process = NEREUS_RESTART};

/* Note why prices are uncertain.
 * @param stated  the user stated the prices (a synthetic cluster) and needs no note */
static void add_note(enum nereus_step_kind kind, const struct nereus_step_price *price, bool stated,
                     struct nereus_failures *failures)
{
    char text[160] = "";
    const size_t used = strlen(failures->note);
    if (price->basis == NEREUS_BASIS_PRIOR && !stated)
        snprintf(text, sizeof text, "prior: %s", price->source);
    else if (price->extrapolated)
        snprintf(text, sizeof text, "%s: %s", nereus_step_name(kind), price->extrapolation);
    if (text[0] != '\0')
        snprintf(failures->note + used, sizeof failures->note - used, "%s%s", used > 0 ? "; " : "",
                 text);
}

static void set_prices(const struct nereus_profile *profile, const struct nereus_plan *plan,
                       const struct nereus_step_price *prices, struct nereus_failures *failures)
{
    for (int i = 0; i < plan->step_count; i++) {
        const enum nereus_step_kind kind = plan->steps[i].kind;
        if (kind == NEREUS_STEP_WRITE)
            failures->checkpoint_s = prices[i].time_s;
        else if (kind == NEREUS_STEP_START)
            failures->start_s = prices[i].time_s.value;
        else if (kind == NEREUS_STEP_READ)
            failures->read_s = prices[i].time_s.value;
        else
            continue;
        add_note(kind, &prices[i], profile->steps[kind].basis == NEREUS_BASIS_PRIOR, failures);
    }
}

static enum nereus_status price_checkpoints(const struct nereus_profile *profile,
                                            const struct nereus_question *question,
                                            struct nereus_failures *failures,
                                            struct nereus_error *err)
{
    struct nereus_request request;
    struct nereus_plan plan;
    struct nereus_interval sum_s;
    NEREUS_TRY(nereus_question_plan(question, &restart, &request, &plan, err));
    struct nereus_step_price *prices = calloc((size_t)plan.step_count + 1, sizeof *prices);
    const enum nereus_status status =
        prices == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the prices of a plan")
            : nereus_price_plan(profile, &question->scenario, &plan, prices, &sum_s, err);
    if (status == NEREUS_OK)
        set_prices(profile, &plan, prices, failures);
    free(prices);
    nereus_plan_fini(&plan);
    nereus_request_fini(&request);
    return status;
}

static enum nereus_status compute_job_mtbf(const struct nereus_scenario *scenario,
                                           const struct nereus_mtbf *mtbf, double *mtbf_s,
                                           struct nereus_error *err)
{
    struct nereus_nodes nodes = {.before = 1};
    if (mtbf->node_s > 0)
        NEREUS_TRY(nereus_predict_held_nodes(scenario, &restart, &nodes, err));
    *mtbf_s = mtbf->node_s > 0 ? mtbf->node_s / (double)nodes.before : mtbf->job_s;
    return NEREUS_OK;
}

enum nereus_status nereus_failures_weigh(const struct nereus_profile *profile,
                                         const struct nereus_question *question,
                                         const struct nereus_mtbf *mtbf,
                                         struct nereus_failures *failures, struct nereus_error *err)
{
    const struct nereus_scenario *s = &question->scenario;
    struct nereus_failures new_failures = {.left_s = s->iterations_after * s->t_iter_ns_s,
                                           .done_s = s->iterations_before * s->t_iter_ns_s};
    if (!(s->constant_bytes + s->variable_bytes + s->replicated_bytes > 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the job has no data to write into a checkpoint: --bytes-constant, "
                           "--bytes-variable or --bytes-replicated says how much");
    }
    NEREUS_TRY(compute_job_mtbf(s, mtbf, &new_failures.mtbf_s, err));
    NEREUS_TRY(price_checkpoints(profile, question, &new_failures, err));
    new_failures.interval_s =
        nereus_checkpoint_interval_s(new_failures.checkpoint_s.value, new_failures.mtbf_s);
    const struct nereus_checkpoint_times with = {.work_s = new_failures.left_s,
                                                 .interval_s = new_failures.interval_s,
                                                 .cost_s = new_failures.checkpoint_s.value,
                                                 .restart_s =
                                                     new_failures.start_s + new_failures.read_s,
                                                 .mtbf_s = new_failures.mtbf_s},
                                         without = {.work_s = new_failures.left_s,
                                                    .interval_s = new_failures.left_s,
                                                    .restart_s = new_failures.start_s,
                                                    .mtbf_s = new_failures.mtbf_s};
    new_failures.with_s = new_failures.done_s + nereus_checkpoint_expected_s(&with);
    new_failures.without_s = new_failures.done_s + nereus_checkpoint_expected_s(&without);
    *failures = new_failures;
    return NEREUS_OK;
}

double nereus_failures_share(const struct nereus_failures *failures)
{
    const double expected_s = failures->with_s - failures->done_s;
    return expected_s <= 0 ? 0 : 1 - failures->left_s / expected_s;
}

/* Format a duration, "8.1 h"; "for ever" where it exceeds a double. */
static char *format_duration(double seconds, char text[32])
{
    if (isinf(seconds))
        snprintf(text, 32, "for ever");
    else
        nereus_format_seconds(seconds, text);
    return text;
}

void nereus_failures_print(const struct nereus_failures *failures, FILE *stream)
{
    char mtbf[32], cost[32], low[32], high[32], interval[32], with[32], without[32], work[32];
    fputc('\n', stream);
    nereus_print_wrapped(
        stream, 2,
        "Failures: with an MTBF of the job of %s, and %s (90 %%: %s to %s) for a checkpoint, the "
        "best interval between two is %s.",
        nereus_format_seconds(failures->mtbf_s, mtbf),
        nereus_format_seconds(failures->checkpoint_s.value, cost),
        nereus_format_seconds(failures->checkpoint_s.low, low),
        nereus_format_seconds(failures->checkpoint_s.high, high),
        nereus_format_seconds(failures->interval_s, interval));
    nereus_print_wrapped(
        stream, 2,
        "Checkpoints and failures take %.3g %% of the time that is left: without a resize T_ex of "
        "%s instead of %s; without checkpoints %s%s.",
        100 * nereus_failures_share(failures), format_duration(failures->with_s, with),
        nereus_format_seconds(failures->done_s + failures->left_s, work),
        format_duration(failures->without_s, without),
        failures->without_s <= failures->with_s ? ", so that none pays" : "");
    if (failures->note[0] != '\0')
        nereus_print_wrapped(stream, 2, "uncertain: %s", failures->note);
}
