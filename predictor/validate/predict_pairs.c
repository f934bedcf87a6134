/** @file predict_pairs.c  Makes the predictions with which live reconfigurations are compared. */

#include "comparison_predict.h"
#include "model/plan/placement.h"
#include "model/statistics/statistics.h"
#include "predictor/cli/command.h"
#include "validate.h"

/* Seconds for which the application runs after the request, with the shorter iteration time. */
static const double after_request_s = 2;

/* ---- profiles ---- */

static enum nereus_status fit_without_pairs(struct nereus_validate *validation,
                                            const struct nereus_size_pair *pairs, int count,
                                            struct nereus_error *err)
{
    enum nereus_status status =
        nereus_held_out_fit(&validation->samples, pairs, count, &validation->profile,
                            &validation->fits[validation->fit_count], err);
    validation->fit_count += status == NEREUS_OK ? 1 : 0;
    return status;
}

/* Fit profiles without pairs: the pairs of --pairs are held out together, chosen ones one at a
 * time.
 */
static enum nereus_status fit_held_out(struct nereus_validate *validation, struct nereus_error *err)
{
    const bool named = validation->settings->pairs != NULL;
    enum nereus_status status =
        fit_without_pairs(validation, validation->pairs, named ? validation->pair_count : 0, err);
    for (int pair_index = 0; status == NEREUS_OK && pair_index < validation->pair_count;
         pair_index++) {
        const bool alone =
            !named && nereus_pair_was_measured(&validation->samples, validation->profile.cluster,
                                               &validation->pairs[pair_index]);
        if (alone)
            status = fit_without_pairs(validation, &validation->pairs[pair_index], 1, err);
        validation->profile_of[pair_index] =
            &validation->fits[alone ? validation->fit_count - 1 : 0];
    }
    return status;
}

enum nereus_status nereus_validate_fit(struct nereus_validate *validation, struct nereus_error *err)
{
    for (int pair_index = 0; pair_index < validation->pair_count; pair_index++)
        validation->profile_of[pair_index] = &validation->profile;
    return validation->settings->held_out ? fit_held_out(validation, err) : NEREUS_OK;
}

/* ---- the question ---- */

/* @return nominal iteration time: the work divided by the cores in use */
static double get_nominal_iteration_s(const struct nereus_validate *validation, int64_t processes)
{
    const int64_t cores = nereus_machine_total_cores(&validation->machine);
    return nereus_live_work_s / (double)(processes < cores ? processes : cores);
}

/* @return median over all jobs with this size; NAN: none */
static double find_measured_iteration_s(const struct nereus_validate *validation, int64_t processes,
                                        double *values)
{
    int count = 0;
    for (int i = 0; i < validation->comparison_count; i++) {
        const struct nereus_comparison *comparison = &validation->comparisons[i];
        for (int r = 0; r < comparison->successful_jobs; r++) {
            const struct nereus_live_run *run = &comparison->runs[r];
            if (comparison->ns == processes && run->t_iter_ns_s > 0)
                values[count++] = run->t_iter_ns_s;
            if (comparison->nt == processes && run->t_iter_nt_s > 0)
                values[count++] = run->t_iter_nt_s;
        }
    }
    nereus_sort(values, count);
    return nereus_quantile(values, count, 0.5);
}

/* Make the question about the synthetic application of live_job.c on the machine of the jobs. */
static struct nereus_settings make_settings(const struct nereus_validate *validation,
                                            const struct nereus_size_pair *pair)
{
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    const double ns_s = get_nominal_iteration_s(validation, pair->ns),
                 nt_s = get_nominal_iteration_s(validation, pair->nt);
    settings.ns = pair->ns;
    settings.nt = pair->nt;
    settings.machine = &validation->machine; /* nodes of an allocation may be unequal */
    settings.t_iter_ns_s = ns_s;
    settings.t_iter_nt_s = nt_s;
    settings.iterations_before = NEREUS_LIVE_ITERATIONS;
    settings.iterations_after = (int64_t)ceil(after_request_s / fmin(ns_s, nt_s));
    settings.constant_bytes = validation->settings->constant_bytes;
    settings.variable_bytes = validation->settings->bytes;
    settings.state = "initial";
    return settings;
}

/* Use the job state after the first growth, if the job of live_job.c grows first. */
static enum nereus_status set_state_after_growth(const struct nereus_method *method,
                                                 struct nereus_question *question,
                                                 struct nereus_error *err)
{
    struct nereus_jobstate state;
    struct nereus_method growth;
    const struct nereus_scenario *scenario = &question->scenario;
    if (nereus_live_request_number(method) == 1 || scenario->nt >= scenario->ns)
        return NEREUS_OK;
    NEREUS_TRY(nereus_method_parse(nereus_live_growth_method, &growth, err));
    NEREUS_TRY(nereus_jobstate_initial(&question->machine, scenario->nt, &state, err));
    const struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                           .number = 1,
                                           .ns = scenario->nt,
                                           .nt = scenario->ns,
                                           .next_world_id = state.next_world_id,
                                           .batch = 1,
                                           .method = growth};
    enum nereus_status status = nereus_jobstate_apply(&question->machine, &request, &state, err);
    if (status != NEREUS_OK) {
        nereus_jobstate_fini(&state);
        return status;
    }
    nereus_jobstate_fini(&question->state);
    question->state = state;
    return NEREUS_OK;
}

/* A question and its priced plan; both are to be ended on NEREUS_OK. */
static enum nereus_status
price_question(const struct nereus_profile *profile, const struct nereus_method *method,
               const struct nereus_settings *settings, struct nereus_question *question,
               struct nereus_priced_plan *priced, struct nereus_error *err)
{
    NEREUS_TRY(nereus_question_make(settings, profile, question, err));
    enum nereus_status status = set_state_after_growth(method, question, err);
    if (status == NEREUS_OK)
        status = nereus_priced_plan_make(profile, question, method, priced, err);
    if (status != NEREUS_OK)
        nereus_question_fini(question);
    return status;
}

/* ---- all predictions ---- */

/* A merge shrink does not depend on the spawn strategy: the plain one represents all. */
static bool is_repeat_of_plain(const struct nereus_validate *validation,
                               const struct nereus_size_pair *pair,
                               const struct nereus_method *method)
{
    struct nereus_method plain = *method;
    plain.strategy = NEREUS_PLAIN;
    const bool alike = pair->nt < pair->ns && method->process == NEREUS_MERGE &&
                       method->shrink != NEREUS_SS && method->strategy != NEREUS_PLAIN;
    for (int i = 0; alike && i < validation->methods.count; i++)
        if (nereus_method_equal(&validation->methods.items[i], &plain))
            return true;
    return false;
}

/* Skip this method for this pair if the failure concerns no other one.
 * @return false: the whole command fails */
static bool accept_refusal(struct nereus_validate *validation, const struct nereus_size_pair *pair,
                           const struct nereus_method *method, enum nereus_status status,
                           const struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (status == NEREUS_ERR_ILLEGAL) {
        snprintf(validation->why_skipped, sizeof validation->why_skipped,
                 "%lld -> %lld is left out: %.250s", (long long)pair->ns, (long long)pair->nt,
                 err->text);
        return true;
    }
    if (status == NEREUS_ERR_NO_BASIS && validation->settings->held_out) {
        nereus_cli_note(
            "%s, %lld -> %lld cannot be predicted without the pair's own measurements: %s",
            nereus_method_format(method, text), (long long)pair->ns, (long long)pair->nt,
            err->text);
        validation->refused++;
        return true;
    }
    return false;
}

/* Add the comparison of a prediction, unless the resize has nothing to do. */
static enum nereus_status add_comparison(struct nereus_validate *validation, int pair_index,
                                         const struct nereus_method *method,
                                         const struct nereus_question *question,
                                         const struct nereus_priced_plan *priced,
                                         struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    struct nereus_comparison *comparison = &validation->comparisons[validation->comparison_count];
    if (priced->plan.step_count == 0) {
        snprintf(validation->why_skipped, sizeof validation->why_skipped,
                 "%s has nothing to do from %lld to %lld process%s",
                 nereus_method_format(method, text), (long long)validation->pairs[pair_index].ns,
                 (long long)validation->pairs[pair_index].nt,
                 nereus_plural_es(validation->pairs[pair_index].nt));
        return NEREUS_OK;
    }
    enum nereus_status status = nereus_comparison_init(
        question, priced, (int)validation->settings->repeats, comparison, err);
    if (status == NEREUS_OK) {
        comparison->held_out = validation->settings->held_out;
        validation->pair_of[validation->comparison_count++] = pair_index;
    }
    return status;
}

static enum nereus_status predict_one(struct nereus_validate *validation, int pair_index,
                                      const struct nereus_method *method, struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_priced_plan priced;
    const struct nereus_settings settings =
        make_settings(validation, &validation->pairs[pair_index]);
    enum nereus_status status = price_question(validation->profile_of[pair_index], method,
                                               &settings, &question, &priced, err);
    if (status != NEREUS_OK)
        return accept_refusal(validation, &validation->pairs[pair_index], method, status, err)
                   ? NEREUS_OK
                   : status;
    status = add_comparison(validation, pair_index, method, &question, &priced, err);
    nereus_priced_plan_fini(&priced);
    nereus_question_fini(&question);
    return status;
}

enum nereus_status nereus_validate_predict(struct nereus_validate *validation,
                                           struct nereus_error *err)
{
    const size_t capacity = (size_t)validation->pair_count * (size_t)validation->methods.count;
    validation->comparisons = calloc(capacity, sizeof *validation->comparisons);
    validation->pair_of = calloc(capacity, sizeof *validation->pair_of);
    NEREUS_TRY_MEMORY(validation->comparisons && validation->pair_of, err, "for %zu comparisons",
                      capacity);
    enum nereus_status status = NEREUS_OK;
    for (int pair_index = 0; status == NEREUS_OK && pair_index < validation->pair_count;
         pair_index++) {
        for (int m = 0; status == NEREUS_OK && m < validation->methods.count; m++)
            if (!is_repeat_of_plain(validation, &validation->pairs[pair_index],
                                    &validation->methods.items[m]))
                status = predict_one(validation, pair_index, &validation->methods.items[m], err);
    }
    if (status == NEREUS_OK && validation->comparison_count == 0) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT, "there is nothing to run: %s",
                             validation->why_skipped);
    }
    return status;
}

static enum nereus_status predict_again(struct nereus_validate *validation, int i, double *values,
                                        struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_priced_plan priced;
    struct nereus_comparison *comparison = &validation->comparisons[i];
    struct nereus_settings settings =
        make_settings(validation, &validation->pairs[validation->pair_of[i]]);
    const double ns_s = find_measured_iteration_s(validation, comparison->ns, values);
    const double nt_s = find_measured_iteration_s(validation, comparison->nt, values);
    settings.t_iter_ns_s = ns_s > 0 ? ns_s : settings.t_iter_ns_s;
    settings.t_iter_nt_s = nt_s > 0 ? nt_s : settings.t_iter_nt_s;
    enum nereus_status status =
        price_question(validation->profile_of[validation->pair_of[i]], &comparison->method,
                       &settings, &question, &priced, err);
    if (status == NEREUS_OK) {
        nereus_comparison_predict(comparison, &question, &priced);
        nereus_priced_plan_fini(&priced);
        nereus_question_fini(&question);
    }
    return status;
}

enum nereus_status nereus_validate_predict_again(struct nereus_validate *validation,
                                                 struct nereus_error *err)
{
    const size_t capacity =
        2 * (size_t)validation->comparison_count * (size_t)validation->settings->repeats;
    double *values = calloc(capacity, sizeof *values);
    NEREUS_TRY_MEMORY(values, err, "for the times of %zu iterations", capacity);
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < validation->comparison_count && status == NEREUS_OK; i++)
        status = predict_again(validation, i, values, err);
    free(values);
    return status;
}
