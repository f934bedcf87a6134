/** @file measure_pairs.c  Measures live reconfigurations, each in a job of its own, and keeps their
 * results file. */

#include "model/util/clock.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/cli/progress.h"
#include "predictor/run/checkpoint_folder.h"
#include "predictor/run/interrupt.h"
#include "predictor/run/sample_store.h"
#include "predictor/validate/live_job.h"
#include "predictor/validate/live_store.h"
#include "validate.h"

/* The application's two arrays have elements of 8 bytes: sizes are rounded up. */
enum { ROUNDED_BY = 16 };

/* The jobs of one run of the command. */
struct campaign {
    const struct nereus_validate_inputs *inputs;
    struct nereus_validate_results *results;
    struct nereus_live live;
    struct nereus_checkpoint_folder checkpoints; /* in which restarts are measured */
    struct nereus_sample_store store;            /* results file, if given */
    struct nereus_progress progress;
    int jobs;         /* of this run, without those of the results file */
    double started_s; /* nereus_monotonic_s */
};

static bool has_bytes(const struct nereus_validate_settings *settings,
                      const struct nereus_sample *row)
{
    const int64_t requested = settings->bytes + settings->constant_bytes;
    return fabs(row->bytes - (double)requested) < ROUNDED_BY;
}

static bool is_of_machine(const struct nereus_machine *machine, const struct nereus_sample *row)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    return row->cores_per_process == each && row->cores_per_node == machine->cores_per_node * each;
}

static struct nereus_comparison *find_comparison(const struct campaign *campaign,
                                                 const struct nereus_sample *row)
{
    for (int i = 0; i < campaign->results->count; i++) {
        struct nereus_comparison *comparison = &campaign->results->comparisons[i];
        if (row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->ns == comparison->ns &&
            row->nt == comparison->nt && nereus_method_equal(&row->method, &comparison->method) &&
            has_bytes(campaign->inputs->settings, row) &&
            is_of_machine(&campaign->inputs->machine, row))
            return comparison;
    }
    return NULL;
}

static enum nereus_status resume_runs(struct campaign *campaign,
                                      const struct nereus_samples *stored_samples,
                                      struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < stored_samples->count && status == NEREUS_OK; i++) {
        struct nereus_comparison *comparison = find_comparison(campaign, &stored_samples->rows[i]);
        struct nereus_trace trace;
        if (comparison == NULL || comparison->successful_jobs == comparison->repeats)
            continue;
        status = nereus_live_make_trace(stored_samples, i, comparison->step_count, &trace, err);
        if (status == NEREUS_OK) {
            status = nereus_comparison_add(comparison, &trace, 1, err);
            nereus_trace_fini(&trace);
            campaign->results->jobs_resumed++;
        }
    }
    return status;
}

static enum nereus_status store_run(struct campaign *campaign, const struct nereus_trace *trace,
                                    int64_t number, struct nereus_error *err)
{
    struct nereus_samples rows;
    if (campaign->store.stream == NULL)
        return NEREUS_OK;
    enum nereus_status status = nereus_live_make_rows(
        trace, number, campaign->inputs->profile.cluster, &campaign->inputs->machine, &rows, err);
    if (status == NEREUS_OK) {
        status = nereus_sample_store_append(&campaign->store, &rows, err);
        nereus_samples_fini(&rows);
    }
    return status;
}

/* Set the time left: that of the remaining jobs, but at most the rest of the budget. */
static void update_progress(void *user)
{
    struct campaign *campaign = user;
    const double spent_s = nereus_monotonic_s() - campaign->started_s,
                 budget_s = campaign->inputs->settings->budget_s;
    if (budget_s > 0 && campaign->results->jobs_done > 0) {
        const double rest_s = spent_s / campaign->results->jobs_done *
                              (campaign->jobs - campaign->results->jobs_done);
        nereus_progress_set_left(&campaign->progress, fmax(0, fmin(rest_s, budget_s - spent_s)));
    }
    nereus_progress_update(&campaign->progress, campaign->results->jobs_done, NULL);
}

/* Run a job and report its failure in a line; only an error of the results file ends the run. */
static enum nereus_status measure_one(struct campaign *campaign,
                                      struct nereus_comparison *comparison,
                                      struct nereus_error *err)
{
    char method[NEREUS_METHOD_TEXT_MAX], note[160];
    const struct nereus_live_change change = {comparison->ns, comparison->nt, &comparison->method,
                                              campaign->inputs->settings->constant_bytes,
                                              campaign->inputs->settings->bytes};
    const int64_t number = nereus_live_request_number(&comparison->method);
    struct nereus_trace trace;
    struct nereus_child_result result;
    struct nereus_error why;
    enum nereus_status keep_status = NEREUS_OK;
    nereus_method_format(&comparison->method, method);
    snprintf(note, sizeof note, "%s, %lld -> %lld", method, (long long)comparison->ns,
             (long long)comparison->nt);
    nereus_progress_update(&campaign->progress, campaign->results->jobs_done, note);
    enum nereus_status status = nereus_live_run(&campaign->live, &change, &trace, &result, &why);
    if (status == NEREUS_OK) {
        status = nereus_comparison_add(comparison, &trace, number, &why);
        keep_status = status == NEREUS_OK ? store_run(campaign, &trace, number, err) : NEREUS_OK;
        nereus_trace_fini(&trace);
    }
    if (status != NEREUS_OK && nereus_interrupted() == 0) {
        snprintf(comparison->failure, sizeof comparison->failure, "%s", why.text);
        nereus_progress_print_line(&campaign->progress, "nereus validate: %s: %s", note, why.text);
    }
    return keep_status;
}

/* Note whether the budget is spent.
 * @return whether to go on */
static bool check_budget(struct campaign *campaign)
{
    const double budget_s = campaign->inputs->settings->budget_s;
    campaign->results->budget_spent =
        budget_s > 0 && nereus_monotonic_s() - campaign->started_s >= budget_s;
    return !campaign->results->budget_spent && nereus_interrupted() == 0;
}

/* Run all jobs. Repeats are the outer loop, so that a disturbance of the machine affects all
 * methods. A failed comparison is not repeated. */
static enum nereus_status measure_all(struct campaign *campaign, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int repeat = 0; repeat < campaign->inputs->settings->repeats; repeat++) {
        for (int i = 0; i < campaign->results->count; i++) {
            struct nereus_comparison *comparison = &campaign->results->comparisons[i];
            if (comparison->successful_jobs > repeat)
                continue;
            if (status != NEREUS_OK || !check_budget(campaign))
                return status;
            if (comparison->failure[0] == '\0')
                status = measure_one(campaign, comparison, err);
            campaign->results->jobs_done++;
        }
    }
    return status;
}

static enum nereus_status open_results(struct campaign *campaign, struct nereus_error *err)
{
    struct nereus_samples stored;
    if (campaign->inputs->settings->results == NULL)
        return NEREUS_OK;
    NEREUS_TRY(
        nereus_sample_store_lock(campaign->inputs->settings->results, &campaign->store, err));
    NEREUS_TRY(nereus_sample_store_read(
        &campaign->store, campaign->inputs->profile.cluster,
        nereus_machine_cores_per_process(&campaign->inputs->machine), &stored, err));
    const enum nereus_status status = resume_runs(campaign, &stored, err);
    nereus_samples_fini(&stored);
    return status;
}

/* Refuse sizes that the runtime would refuse in each job. With NEREUS_SLOTS the runtime decides. */
static enum nereus_status check_pairs(const struct nereus_validate_inputs *inputs,
                                      struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < inputs->pair_count && status == NEREUS_OK && getenv("NEREUS_SLOTS") == NULL;
         i++) {
        char what[64];
        const struct nereus_size_pair *pair = &inputs->pairs[i];
        snprintf(what, sizeof what, "--pairs %lld:%lld: a job of", (long long)pair->ns,
                 (long long)pair->nt);
        status = nereus_machine_check_start(&inputs->machine, what,
                                            pair->ns > pair->nt ? pair->ns : pair->nt, err);
    }
    return status;
}

/* Print notes about machine and profile, before any run. */
static void warn_of_machine(const struct nereus_validate_inputs *inputs, const char *why_skipped)
{
    const bool on_hostfile = inputs->settings->hostfile != NULL;
    const int64_t each = nereus_machine_cores_per_process(&inputs->machine);
    const int64_t cores =
        on_hostfile ? nereus_cores_usable() / each : nereus_machine_total_cores(&inputs->machine);
    int64_t max = 0;
    for (int i = 0; i < inputs->pair_count; i++) {
        max = inputs->pairs[i].ns > max ? inputs->pairs[i].ns : max;
        max = inputs->pairs[i].nt > max ? inputs->pairs[i].nt : max;
    }
    if (!on_hostfile && inputs->profile.cores_per_node / each != inputs->machine.cores_per_node) {
        nereus_cli_note("the profile (%s) has %lld cores a node, this machine has %lld",
                        inputs->profile.cluster, (long long)inputs->profile.cores_per_node,
                        (long long)(inputs->machine.cores_per_node * each));
    }
    if (why_skipped[0] != '\0')
        nereus_cli_note("%s", why_skipped);
    if (max > cores) {
        nereus_cli_note("up to %lld processes on %lld core%s: these runs are oversubscribed",
                        (long long)max, (long long)(cores * each), nereus_plural_s(cores * each));
    }
}

/* Open the folder in which restarts are measured, if there are any. */
static enum nereus_status open_checkpoints(struct campaign *campaign, struct nereus_error *err)
{
    const struct nereus_methods *methods = &campaign->inputs->methods;
    bool any = false;
    for (int i = 0; i < methods->count; i++)
        any = any || methods->items[i].process == NEREUS_RESTART;
    if (!any)
        return NEREUS_OK;
    NEREUS_TRY(nereus_checkpoint_folder_open(campaign->inputs->settings->checkpoint,
                                             &campaign->checkpoints, err));
    campaign->live.checkpoints = campaign->checkpoints.path;
    return NEREUS_OK;
}

static enum nereus_status prepare_jobs(struct campaign *campaign, struct nereus_error *err)
{
    const struct nereus_validate_inputs *inputs = campaign->inputs;
    NEREUS_TRY(check_pairs(inputs, err));
    NEREUS_TRY(nereus_live_init(&campaign->live, inputs->settings->limit_s,
                                inputs->settings->hostfile,
                                nereus_machine_cores_per_process(&inputs->machine), err));
    campaign->live.on_tick = update_progress;
    campaign->live.user = campaign;
    return open_checkpoints(campaign, err);
}

static enum nereus_status run_jobs(struct campaign *campaign, struct nereus_error *err)
{
    const int *jobs_done = &campaign->results->jobs_done;
    char result[80];
    nereus_progress_start(&campaign->progress, "validating", campaign->jobs);
    campaign->started_s = nereus_monotonic_s();
    const enum nereus_status status = measure_all(campaign, err);
    snprintf(result, sizeof result, "%s%d live reconfiguration%s",
             nereus_interrupted() != 0 ? "interrupted after " : "", *jobs_done,
             nereus_plural_s(*jobs_done));
    nereus_progress_end(&campaign->progress, result);
    return status;
}

enum nereus_status nereus_validate_measure(const struct nereus_validate_inputs *inputs,
                                           struct nereus_validate_results *results,
                                           struct nereus_error *err)
{
    struct campaign campaign = {.inputs = inputs, .results = results};
    enum nereus_status status = open_results(&campaign, err);
    campaign.jobs = results->count * (int)inputs->settings->repeats - results->jobs_resumed;
    if (status == NEREUS_OK && campaign.jobs > 0) { /* else no MPI is needed */
        status = prepare_jobs(&campaign, err);
        if (status == NEREUS_OK) {
            warn_of_machine(inputs, results->why_skipped);
            status = run_jobs(&campaign, err);
        }
    }
    nereus_sample_store_close(&campaign.store);
    nereus_live_fini(&campaign.live);
    nereus_checkpoint_folder_close(&campaign.checkpoints);
    return status;
}
