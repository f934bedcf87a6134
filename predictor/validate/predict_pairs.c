/** @file predict_pairs.c  Makes the predictions with which live reconfigurations are compared. */

#include "comparison_predict.h"
#include "model/plan/placement.h"
#include "model/statistics/statistics.h"
#include "predictor/cli/command.h"
#include "predictor/validate/live_job.h"
#include "validate.h"

/* Seconds for which the application runs after the request, with the shorter iteration time. */
static const double after_request_s = 2;

/* ---- profiles ---- */

static enum nereus_status fit_without_pairs(const struct nereus_validate_inputs *inputs,
                                            const struct nereus_size_pair *pairs, int count,
                                            struct nereus_validate_profiles *profiles,
                                            struct nereus_error *err)
{
    enum nereus_status status =
        nereus_held_out_fit(&inputs->samples, pairs, count, &inputs->profile,
                            &profiles->fits[profiles->fit_count], err);
    profiles->fit_count += status == NEREUS_OK ? 1 : 0;
    return status;
}

/* Fit profiles without pairs: the pairs of --pairs are held out together, chosen ones one at a
 * time.
 */
static enum nereus_status fit_held_out(const struct nereus_validate_inputs *inputs,
                                       struct nereus_validate_profiles *profiles,
                                       struct nereus_error *err)
{
    const bool named = inputs->settings->pairs != NULL;
    enum nereus_status status =
        fit_without_pairs(inputs, inputs->pairs, named ? inputs->pair_count : 0, profiles, err);
    for (int pair_index = 0; status == NEREUS_OK && pair_index < inputs->pair_count; pair_index++) {
        const bool alone =
            !named && nereus_pair_was_measured(&inputs->samples, inputs->profile.cluster,
                                               &inputs->pairs[pair_index]);
        if (alone)
            status = fit_without_pairs(inputs, &inputs->pairs[pair_index], 1, profiles, err);
        profiles->of_pair[pair_index] = &profiles->fits[alone ? profiles->fit_count - 1 : 0];
    }
    return status;
}

enum nereus_status nereus_validate_fit(const struct nereus_validate_inputs *inputs,
                                       struct nereus_validate_profiles *profiles,
                                       struct nereus_error *err)
{
    for (int pair_index = 0; pair_index < inputs->pair_count; pair_index++)
        profiles->of_pair[pair_index] = &inputs->profile;
    return inputs->settings->held_out ? fit_held_out(inputs, profiles, err) : NEREUS_OK;
}

/* ---- the question ---- */

/* @return nominal iteration time: the work divided by the cores in use */
static double compute_nominal_iteration_s(const struct nereus_machine *machine, int64_t processes)
{
    const int64_t cores = nereus_machine_total_cores(machine);
    return nereus_live_work_s / (double)(processes < cores ? processes : cores);
}

/* @return median over all jobs with this size; NAN: none */
static double find_measured_iteration_s(const struct nereus_validate_results *results,
                                        int64_t processes, double *values)
{
    int count = 0;
    for (int i = 0; i < results->count; i++) {
        const struct nereus_comparison *comparison = &results->comparisons[i];
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
static struct nereus_settings make_settings(const struct nereus_validate_inputs *inputs,
                                            const struct nereus_size_pair *pair)
{
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    const double ns_s = compute_nominal_iteration_s(&inputs->machine, pair->ns),
                 nt_s = compute_nominal_iteration_s(&inputs->machine, pair->nt);
    settings.ns = pair->ns;
    settings.nt = pair->nt;
    settings.machine = &inputs->machine; /* nodes of an allocation may be unequal */
    settings.t_iter_ns_s = ns_s;
    settings.t_iter_nt_s = nt_s;
    settings.iterations_before = NEREUS_LIVE_ITERATIONS;
    settings.iterations_after = (int64_t)ceil(after_request_s / fmin(ns_s, nt_s));
    settings.constant_bytes = inputs->settings->constant_bytes;
    settings.variable_bytes = inputs->settings->bytes;
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
static bool is_repeat_of_plain(const struct nereus_methods *methods,
                               const struct nereus_size_pair *pair,
                               const struct nereus_method *method)
{
    struct nereus_method plain = *method;
    plain.strategy = NEREUS_PLAIN;
    const bool alike = pair->nt < pair->ns && method->process == NEREUS_MERGE &&
                       method->shrink != NEREUS_SS && method->strategy != NEREUS_PLAIN;
    for (int i = 0; alike && i < methods->count; i++)
        if (nereus_method_equal(&methods->items[i], &plain))
            return true;
    return false;
}

/* Skip this method for this pair if the failure concerns no other one.
 * @return false: the whole command fails */
static bool accept_refusal(struct nereus_validate_results *results, bool held_out,
                           const struct nereus_size_pair *pair, const struct nereus_method *method,
                           enum nereus_status status, const struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (status == NEREUS_ERR_ILLEGAL) {
        snprintf(results->why_skipped, sizeof results->why_skipped,
                 "%lld -> %lld is left out: %.250s", (long long)pair->ns, (long long)pair->nt,
                 err->text);
        return true;
    }
    if (status == NEREUS_ERR_NO_BASIS && held_out) {
        nereus_cli_note(
            "%s, %lld -> %lld cannot be predicted without the pair's own measurements: %s",
            nereus_method_format(method, text), (long long)pair->ns, (long long)pair->nt,
            err->text);
        results->refused++;
        return true;
    }
    return false;
}

/* Add the comparison of a prediction, unless the resize has nothing to do. */
static enum nereus_status add_comparison(const struct nereus_validate_settings *settings,
                                         int pair_index, const struct nereus_question *question,
                                         const struct nereus_priced_plan *priced,
                                         struct nereus_validate_results *results,
                                         struct nereus_error *err)
{
    const struct nereus_scenario *scenario = &question->scenario;
    char text[NEREUS_METHOD_TEXT_MAX];
    struct nereus_comparison *comparison = &results->comparisons[results->count];
    if (priced->plan.step_count == 0) {
        snprintf(results->why_skipped, sizeof results->why_skipped,
                 "%s has nothing to do from %lld to %lld process%s",
                 nereus_method_format(&priced->method, text), (long long)scenario->ns,
                 (long long)scenario->nt, nereus_plural_es(scenario->nt));
        return NEREUS_OK;
    }
    NEREUS_TRY(nereus_comparison_init(question, priced, (int)settings->repeats, comparison, err));
    comparison->held_out = settings->held_out;
    results->pair_of[results->count++] = pair_index;
    return NEREUS_OK;
}

static enum nereus_status predict_one(const struct nereus_validate_inputs *inputs,
                                      const struct nereus_validate_profiles *profiles,
                                      struct nereus_validate_results *results, int pair_index,
                                      const struct nereus_method *method, struct nereus_error *err)
{
    const struct nereus_size_pair *pair = &inputs->pairs[pair_index];
    const struct nereus_settings settings = make_settings(inputs, pair);
    struct nereus_question question;
    struct nereus_priced_plan priced;
    enum nereus_status status =
        price_question(profiles->of_pair[pair_index], method, &settings, &question, &priced, err);
    if (status != NEREUS_OK) {
        return accept_refusal(results, inputs->settings->held_out, pair, method, status, err)
                   ? NEREUS_OK
                   : status;
    }
    status = add_comparison(inputs->settings, pair_index, &question, &priced, results, err);
    nereus_priced_plan_fini(&priced);
    nereus_question_fini(&question);
    return status;
}

enum nereus_status nereus_validate_predict(const struct nereus_validate_inputs *inputs,
                                           const struct nereus_validate_profiles *profiles,
                                           struct nereus_validate_results *results,
                                           struct nereus_error *err)
{
    const size_t capacity = (size_t)inputs->pair_count * (size_t)inputs->methods.count;
    results->comparisons = calloc(capacity, sizeof *results->comparisons);
    results->pair_of = calloc(capacity, sizeof *results->pair_of);
    NEREUS_TRY_MEMORY(results->comparisons && results->pair_of, err, "for %zu comparisons",
                      capacity);
    enum nereus_status status = NEREUS_OK;
    for (int pair_index = 0; status == NEREUS_OK && pair_index < inputs->pair_count; pair_index++) {
        for (int m = 0; status == NEREUS_OK && m < inputs->methods.count; m++)
            if (!is_repeat_of_plain(&inputs->methods, &inputs->pairs[pair_index],
                                    &inputs->methods.items[m]))
                status = predict_one(inputs, profiles, results, pair_index,
                                     &inputs->methods.items[m], err);
    }
    if (status == NEREUS_OK && results->count == 0) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT, "there is nothing to run: %s",
                             results->why_skipped);
    }
    return status;
}

static enum nereus_status predict_again(const struct nereus_validate_inputs *inputs,
                                        const struct nereus_validate_profiles *profiles,
                                        struct nereus_validate_results *results, int i,
                                        double *values, struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_priced_plan priced;
    struct nereus_comparison *comparison = &results->comparisons[i];
    struct nereus_settings settings = make_settings(inputs, &inputs->pairs[results->pair_of[i]]);
    const double ns_s = find_measured_iteration_s(results, comparison->ns, values);
    const double nt_s = find_measured_iteration_s(results, comparison->nt, values);
    settings.t_iter_ns_s = ns_s > 0 ? ns_s : settings.t_iter_ns_s;
    settings.t_iter_nt_s = nt_s > 0 ? nt_s : settings.t_iter_nt_s;
    enum nereus_status status =
        price_question(profiles->of_pair[results->pair_of[i]], &comparison->method, &settings,
                       &question, &priced, err);
    if (status == NEREUS_OK) {
        nereus_comparison_predict(comparison, &question, &priced);
        nereus_priced_plan_fini(&priced);
        nereus_question_fini(&question);
    }
    return status;
}

enum nereus_status nereus_validate_predict_again(const struct nereus_validate_inputs *inputs,
                                                 const struct nereus_validate_profiles *profiles,
                                                 struct nereus_validate_results *results,
                                                 struct nereus_error *err)
{
    const size_t capacity = 2 * (size_t)results->count * (size_t)inputs->settings->repeats;
    double *values = calloc(capacity, sizeof *values);
    NEREUS_TRY_MEMORY(values, err, "for the times of %zu iterations", capacity);
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < results->count && status == NEREUS_OK; i++)
        status = predict_again(inputs, profiles, results, i, values, err);
    free(values);
    return status;
}
