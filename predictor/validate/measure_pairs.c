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

static bool has_bytes(const struct nereus_validate *work, const struct nereus_sample *row)
{
    const int64_t requested = work->settings->bytes + work->settings->constant_bytes;
    return fabs(row->bytes - (double)requested) < ROUNDED_BY;
}

static bool is_of_machine(const struct nereus_machine *machine, const struct nereus_sample *row)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    return row->cores_per_process == each && row->cores_per_node == machine->cores_per_node * each;
}

static struct nereus_comparison *find_comparison(const struct nereus_validate *work,
                                                 const struct nereus_sample *row)
{
    for (int i = 0; i < work->comparison_count; i++) {
        struct nereus_comparison *comparison = &work->comparisons[i];
        if (row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->ns == comparison->ns &&
            row->nt == comparison->nt && nereus_method_equal(&row->method, &comparison->method) &&
            has_bytes(work, row) && is_of_machine(&work->machine, row))
            return comparison;
    }
    return NULL;
}

static enum nereus_status resume_runs(struct nereus_validate *work,
                                      const struct nereus_samples *held, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < held->count && status == NEREUS_OK; i++) {
        struct nereus_comparison *comparison = find_comparison(work, &held->rows[i]);
        struct nereus_trace trace;
        if (comparison == NULL || comparison->successful_jobs == comparison->repeats)
            continue;
        status = nereus_live_make_trace(held, i, comparison->step_count, &trace, err);
        if (status == NEREUS_OK) {
            status = nereus_comparison_add(comparison, &trace, 1, err);
            nereus_trace_fini(&trace);
            work->jobs_resumed++;
        }
    }
    return status;
}

static enum nereus_status store_run(struct nereus_validate *work, const struct nereus_trace *trace,
                                    int64_t number, struct nereus_error *err)
{
    struct nereus_samples rows;
    if (work->store.stream == NULL)
        return NEREUS_OK;
    enum nereus_status status =
        nereus_live_make_rows(trace, number, work->profile.cluster, &work->machine, &rows, err);
    if (status == NEREUS_OK) {
        status = nereus_calibration_store_append(&work->store, &rows, err);
        nereus_samples_fini(&rows);
    }
    return status;
}

/* Set the time left: that of the remaining jobs, but at most the rest of the budget. */
static void update_progress(void *user)
{
    struct nereus_validate *work = user;
    const double spent_s = nereus_monotonic_s() - work->started_s,
                 budget_s = work->settings->budget_s;
    if (budget_s > 0 && work->jobs_done > 0) {
        const double rest_s = spent_s / work->jobs_done * (work->jobs - work->jobs_done);
        nereus_progress_set_left(&work->progress, fmax(0, fmin(rest_s, budget_s - spent_s)));
    }
    nereus_progress_update(&work->progress, work->jobs_done, NULL);
}

/* Run a job and report its failure in a line; only an error of the results file ends the run. */
static enum nereus_status measure_one(struct nereus_validate *work,
                                      struct nereus_comparison *comparison,
                                      struct nereus_error *err)
{
    char method[NEREUS_METHOD_TEXT_MAX], note[160];
    const struct nereus_live_change change = {comparison->ns, comparison->nt, &comparison->method,
                                              work->settings->constant_bytes,
                                              work->settings->bytes};
    const int64_t number = nereus_live_number(&comparison->method);
    struct nereus_trace trace;
    struct nereus_child_result result;
    struct nereus_error why;
    enum nereus_status keep_status = NEREUS_OK;
    nereus_method_format(&comparison->method, method);
    snprintf(note, sizeof note, "%s, %lld -> %lld", method, (long long)comparison->ns,
             (long long)comparison->nt);
    nereus_progress_update(&work->progress, work->jobs_done, note);
    enum nereus_status status = nereus_live_run(&work->live, &change, &trace, &result, &why);
    if (status == NEREUS_OK) {
        status = nereus_comparison_add(comparison, &trace, number, &why);
        keep_status = status == NEREUS_OK ? store_run(work, &trace, number, err) : NEREUS_OK;
        nereus_trace_fini(&trace);
    }
    if (status != NEREUS_OK && nereus_interrupted() == 0) {
        snprintf(comparison->failure, sizeof comparison->failure, "%s", why.text);
        nereus_progress_print_line(&work->progress, "nereus validate: %s: %s", note, why.text);
    }
    return keep_status;
}

/* Note whether the budget is spent.
 * @return whether to go on */
static bool check_budget(struct nereus_validate *work)
{
    const double budget_s = work->settings->budget_s;
    work->budget_spent = budget_s > 0 && nereus_monotonic_s() - work->started_s >= budget_s;
    return !work->budget_spent && nereus_interrupted() == 0;
}

/* Run all jobs. Repeats are the outer loop, so that a disturbance of the machine affects all
 * methods. A failed comparison is not repeated. */
static enum nereus_status measure_all(struct nereus_validate *work, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int repeat = 0; repeat < work->settings->repeats; repeat++) {
        for (int i = 0; i < work->comparison_count; i++) {
            struct nereus_comparison *comparison = &work->comparisons[i];
            if (comparison->successful_jobs > repeat)
                continue;
            if (status != NEREUS_OK || !check_budget(work))
                return status;
            if (comparison->failure[0] == '\0')
                status = measure_one(work, comparison, err);
            work->jobs_done++;
        }
    }
    return status;
}

static enum nereus_status open_results(struct nereus_validate *work, struct nereus_error *err)
{
    struct nereus_samples held;
    if (work->settings->results == NULL)
        return NEREUS_OK;
    enum nereus_status status = nereus_calibration_store_open(
        work->settings->results, work->profile.cluster,
        nereus_machine_cores_per_process(&work->machine), &work->store, &held, err);
    if (status == NEREUS_OK) {
        status = resume_runs(work, &held, err);
        nereus_samples_fini(&held);
    }
    return status;
}

/* Refuse sizes that the runtime would refuse in each job. With NEREUS_SLOTS the runtime decides. */
static enum nereus_status check_pairs(const struct nereus_validate *work, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < work->pair_count && status == NEREUS_OK && getenv("NEREUS_SLOTS") == NULL;
         i++) {
        char what[64];
        const struct nereus_size_pair *pair = &work->pairs[i];
        snprintf(what, sizeof what, "--pairs %lld:%lld: a job of", (long long)pair->ns,
                 (long long)pair->nt);
        status = nereus_machine_check_start(&work->machine, what,
                                            pair->ns > pair->nt ? pair->ns : pair->nt, err);
    }
    return status;
}

/* Print notes about machine and profile, before any run. */
static void warn_of_machine(const struct nereus_validate *work)
{
    const bool on_hostfile = work->settings->hostfile != NULL;
    const int64_t each = nereus_machine_cores_per_process(&work->machine);
    const int64_t cores =
        on_hostfile ? nereus_cores_usable() / each : nereus_machine_total_cores(&work->machine);
    int64_t max = 0;
    for (int i = 0; i < work->pair_count; i++) {
        max = work->pairs[i].ns > max ? work->pairs[i].ns : max;
        max = work->pairs[i].nt > max ? work->pairs[i].nt : max;
    }
    if (!on_hostfile && work->profile.cores_per_node / each != work->machine.cores_per_node) {
        nereus_cli_note("the profile (%s) has %lld cores a node, this machine has %lld",
                        work->profile.cluster, (long long)work->profile.cores_per_node,
                        (long long)(work->machine.cores_per_node * each));
    }
    if (work->why_skipped[0] != '\0')
        nereus_cli_note("%s", work->why_skipped);
    if (max > cores) {
        nereus_cli_note("up to %lld processes on %lld core%s: these runs are oversubscribed",
                        (long long)max, (long long)(cores * each), nereus_plural_s(cores * each));
    }
}

/* Set the folder in which restarts are measured. */
static enum nereus_status choose_checkpoints(struct nereus_validate *work, struct nereus_error *err)
{
    bool any = false;
    for (int i = 0; i < work->methods.count; i++)
        any = any || work->methods.items[i].process == NEREUS_RESTART;
    if (!any)
        return NEREUS_OK;
    NEREUS_TRY(nereus_checkpoint_folder_open(work->settings->checkpoint, &work->checkpoints, err));
    work->live.checkpoints = work->checkpoints.path;
    return NEREUS_OK;
}

enum nereus_status nereus_validate_measure(struct nereus_validate *work, struct nereus_error *err)
{
    char result[80];
    enum nereus_status status = open_results(work, err);
    work->jobs = work->comparison_count * (int)work->settings->repeats - work->jobs_resumed;
    if (status != NEREUS_OK || work->jobs <= 0)
        return status; /* complete results can be reported without MPI */
    NEREUS_TRY(check_pairs(work, err));
    NEREUS_TRY(nereus_live_init(&work->live, work->settings->limit_s, work->settings->hostfile,
                                nereus_machine_cores_per_process(&work->machine), err));
    NEREUS_TRY(choose_checkpoints(work, err));
    warn_of_machine(work);
    work->live.on_tick = update_progress;
    work->live.user = work;
    nereus_progress_start(&work->progress, "validating", work->jobs);
    work->started_s = nereus_monotonic_s();
    status = measure_all(work, err);
    snprintf(result, sizeof result, "%s%d live reconfiguration%s",
             nereus_interrupted() != 0 ? "interrupted after " : "", work->jobs_done,
             nereus_plural_s(work->jobs_done));
    nereus_progress_end(&work->progress, result);
    return status;
}
