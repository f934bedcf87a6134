/** @file measure_pairs.c  Measures live reconfigurations, each in a job of its own, and keeps their
 * results file. */

#include "model/util/clock.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/validate/live_store.h"
#include "validate.h"

/* The application's two arrays have elements of 8 bytes: sizes are rounded up. */
enum { ROUNDED_BY = 16 };

static bool has_bytes(const struct nereus_validate *validation, const struct nereus_sample *row)
{
    const int64_t requested = validation->settings->bytes + validation->settings->constant_bytes;
    return fabs(row->bytes - (double)requested) < ROUNDED_BY;
}

static bool is_of_machine(const struct nereus_machine *machine, const struct nereus_sample *row)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    return row->cores_per_process == each && row->cores_per_node == machine->cores_per_node * each;
}

static struct nereus_comparison *find_comparison(const struct nereus_validate *validation,
                                                 const struct nereus_sample *row)
{
    for (int i = 0; i < validation->comparison_count; i++) {
        struct nereus_comparison *comparison = &validation->comparisons[i];
        if (row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->ns == comparison->ns &&
            row->nt == comparison->nt && nereus_method_equal(&row->method, &comparison->method) &&
            has_bytes(validation, row) && is_of_machine(&validation->machine, row))
            return comparison;
    }
    return NULL;
}

static enum nereus_status resume_runs(struct nereus_validate *validation,
                                      const struct nereus_samples *held, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < held->count && status == NEREUS_OK; i++) {
        struct nereus_comparison *comparison = find_comparison(validation, &held->rows[i]);
        struct nereus_trace trace;
        if (comparison == NULL || comparison->successful_jobs == comparison->repeats)
            continue;
        status = nereus_live_make_trace(held, i, comparison->step_count, &trace, err);
        if (status == NEREUS_OK) {
            status = nereus_comparison_add(comparison, &trace, 1, err);
            nereus_trace_fini(&trace);
            validation->jobs_resumed++;
        }
    }
    return status;
}

static enum nereus_status store_run(struct nereus_validate *validation,
                                    const struct nereus_trace *trace, int64_t number,
                                    struct nereus_error *err)
{
    struct nereus_samples rows;
    if (validation->store.stream == NULL)
        return NEREUS_OK;
    enum nereus_status status = nereus_live_make_rows(trace, number, validation->profile.cluster,
                                                      &validation->machine, &rows, err);
    if (status == NEREUS_OK) {
        status = nereus_calibration_store_append(&validation->store, &rows, err);
        nereus_samples_fini(&rows);
    }
    return status;
}

/* Set the time left: that of the remaining jobs, but at most the rest of the budget. */
static void update_progress(void *user)
{
    struct nereus_validate *validation = user;
    const double spent_s = nereus_monotonic_s() - validation->started_s,
                 budget_s = validation->settings->budget_s;
    if (budget_s > 0 && validation->jobs_done > 0) {
        const double rest_s =
            spent_s / validation->jobs_done * (validation->jobs - validation->jobs_done);
        nereus_progress_set_left(&validation->progress, fmax(0, fmin(rest_s, budget_s - spent_s)));
    }
    nereus_progress_update(&validation->progress, validation->jobs_done, NULL);
}

/* Run a job and report its failure in a line; only an error of the results file ends the run. */
static enum nereus_status measure_one(struct nereus_validate *validation,
                                      struct nereus_comparison *comparison,
                                      struct nereus_error *err)
{
    char method[NEREUS_METHOD_TEXT_MAX], note[160];
    const struct nereus_live_change change = {comparison->ns, comparison->nt, &comparison->method,
                                              validation->settings->constant_bytes,
                                              validation->settings->bytes};
    const int64_t number = nereus_live_request_number(&comparison->method);
    struct nereus_trace trace;
    struct nereus_child_result result;
    struct nereus_error why;
    enum nereus_status keep_status = NEREUS_OK;
    nereus_method_format(&comparison->method, method);
    snprintf(note, sizeof note, "%s, %lld -> %lld", method, (long long)comparison->ns,
             (long long)comparison->nt);
    nereus_progress_update(&validation->progress, validation->jobs_done, note);
    enum nereus_status status = nereus_live_run(&validation->live, &change, &trace, &result, &why);
    if (status == NEREUS_OK) {
        status = nereus_comparison_add(comparison, &trace, number, &why);
        keep_status = status == NEREUS_OK ? store_run(validation, &trace, number, err) : NEREUS_OK;
        nereus_trace_fini(&trace);
    }
    if (status != NEREUS_OK && nereus_interrupted() == 0) {
        snprintf(comparison->failure, sizeof comparison->failure, "%s", why.text);
        nereus_progress_print_line(&validation->progress, "nereus validate: %s: %s", note,
                                   why.text);
    }
    return keep_status;
}

/* Note whether the budget is spent.
 * @return whether to go on */
static bool check_budget(struct nereus_validate *validation)
{
    const double budget_s = validation->settings->budget_s;
    validation->budget_spent =
        budget_s > 0 && nereus_monotonic_s() - validation->started_s >= budget_s;
    return !validation->budget_spent && nereus_interrupted() == 0;
}

/* Run all jobs. Repeats are the outer loop, so that a disturbance of the machine affects all
 * methods. A failed comparison is not repeated. */
static enum nereus_status measure_all(struct nereus_validate *validation, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int repeat = 0; repeat < validation->settings->repeats; repeat++) {
        for (int i = 0; i < validation->comparison_count; i++) {
            struct nereus_comparison *comparison = &validation->comparisons[i];
            if (comparison->successful_jobs > repeat)
                continue;
            if (status != NEREUS_OK || !check_budget(validation))
                return status;
            if (comparison->failure[0] == '\0')
                status = measure_one(validation, comparison, err);
            validation->jobs_done++;
        }
    }
    return status;
}

static enum nereus_status open_results(struct nereus_validate *validation, struct nereus_error *err)
{
    struct nereus_samples held;
    if (validation->settings->results == NULL)
        return NEREUS_OK;
    enum nereus_status status = nereus_calibration_store_open(
        validation->settings->results, validation->profile.cluster,
        nereus_machine_cores_per_process(&validation->machine), &validation->store, &held, err);
    if (status == NEREUS_OK) {
        status = resume_runs(validation, &held, err);
        nereus_samples_fini(&held);
    }
    return status;
}

/* Refuse sizes that the runtime would refuse in each job. With NEREUS_SLOTS the runtime decides. */
static enum nereus_status check_pairs(const struct nereus_validate *validation,
                                      struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0;
         i < validation->pair_count && status == NEREUS_OK && getenv("NEREUS_SLOTS") == NULL; i++) {
        char what[64];
        const struct nereus_size_pair *pair = &validation->pairs[i];
        snprintf(what, sizeof what, "--pairs %lld:%lld: a job of", (long long)pair->ns,
                 (long long)pair->nt);
        status = nereus_machine_check_start(&validation->machine, what,
                                            pair->ns > pair->nt ? pair->ns : pair->nt, err);
    }
    return status;
}

/* Print notes about machine and profile, before any run. */
static void warn_of_machine(const struct nereus_validate *validation)
{
    const bool on_hostfile = validation->settings->hostfile != NULL;
    const int64_t each = nereus_machine_cores_per_process(&validation->machine);
    const int64_t cores = on_hostfile ? nereus_cores_usable() / each
                                      : nereus_machine_total_cores(&validation->machine);
    int64_t max = 0;
    for (int i = 0; i < validation->pair_count; i++) {
        max = validation->pairs[i].ns > max ? validation->pairs[i].ns : max;
        max = validation->pairs[i].nt > max ? validation->pairs[i].nt : max;
    }
    if (!on_hostfile &&
        validation->profile.cores_per_node / each != validation->machine.cores_per_node) {
        nereus_cli_note("the profile (%s) has %lld cores a node, this machine has %lld",
                        validation->profile.cluster, (long long)validation->profile.cores_per_node,
                        (long long)(validation->machine.cores_per_node * each));
    }
    if (validation->why_skipped[0] != '\0')
        nereus_cli_note("%s", validation->why_skipped);
    if (max > cores) {
        nereus_cli_note("up to %lld processes on %lld core%s: these runs are oversubscribed",
                        (long long)max, (long long)(cores * each), nereus_plural_s(cores * each));
    }
}

/* Set the folder in which restarts are measured. */
static enum nereus_status choose_checkpoints(struct nereus_validate *validation,
                                             struct nereus_error *err)
{
    bool any = false;
    for (int i = 0; i < validation->methods.count; i++)
        any = any || validation->methods.items[i].process == NEREUS_RESTART;
    if (!any)
        return NEREUS_OK;
    NEREUS_TRY(nereus_checkpoint_folder_open(validation->settings->checkpoint,
                                             &validation->checkpoints, err));
    validation->live.checkpoints = validation->checkpoints.path;
    return NEREUS_OK;
}

enum nereus_status nereus_validate_measure(struct nereus_validate *validation,
                                           struct nereus_error *err)
{
    char result[80];
    enum nereus_status status = open_results(validation, err);
    validation->jobs = validation->comparison_count * (int)validation->settings->repeats -
                       validation->jobs_resumed;
    if (status != NEREUS_OK || validation->jobs <= 0)
        return status; /* complete results can be reported without MPI */
    NEREUS_TRY(check_pairs(validation, err));
    NEREUS_TRY(nereus_live_init(&validation->live, validation->settings->limit_s,
                                validation->settings->hostfile,
                                nereus_machine_cores_per_process(&validation->machine), err));
    NEREUS_TRY(choose_checkpoints(validation, err));
    warn_of_machine(validation);
    validation->live.on_tick = update_progress;
    validation->live.user = validation;
    nereus_progress_start(&validation->progress, "validating", validation->jobs);
    validation->started_s = nereus_monotonic_s();
    status = measure_all(validation, err);
    snprintf(result, sizeof result, "%s%d live reconfiguration%s",
             nereus_interrupted() != 0 ? "interrupted after " : "", validation->jobs_done,
             nereus_plural_s(validation->jobs_done));
    nereus_progress_end(&validation->progress, result);
    return status;
}
