/**
 * @file model_choice.c
 * Chooses methods at rank 0: loads the profile at its first use, measures iteration times by size,
 * and ranks the methods with them.
 */

#include "model_choice.h"

#include "nereus/goal.h"
#include "nereus/profile_place.h"
#include "nereus/scaling.h"
#include "prepare_request.h"
#include "src/util/callback.h"
#include "src/util/clock.h"
#include "src/util/process_settings.h"

/* Assumed duration of the rest of the job if the number of iterations left is unknown: long enough
 * for any method to pay off, short enough for T_ex to distinguish methods. */
static const double assumed_rest_s = 100;

/* State of rank 0 that is kept between choices. */
struct method_chooser {
    bool is_found; /* the search for a profile has found one */
    struct nereus_profile profile;
    char reason[160];
};

/* ---- the profile ---- */

static void load_profile(const nereus_job *job, struct method_chooser *chooser)
{
    struct nereus_profile_search search;
    struct nereus_profile_place place;
    struct nereus_error why;
    nereus_profile_search_init(&search);
    const enum nereus_status found =
        nereus_profile_find(&search, job->settings.profile, &place, &why);
    /* The usual case: this machine was not calibrated. */
    if (found == NEREUS_ERR_NO_BASIS) {
        snprintf(chooser->reason, sizeof chooser->reason, "no profile of this machine was found");
        return;
    }
    chooser->is_found =
        found == NEREUS_OK && nereus_profile_read(place.path, &chooser->profile, &why) == NEREUS_OK;
    if (chooser->is_found)
        snprintf(chooser->reason, sizeof chooser->reason, "%.90s, %s", place.path,
                 nereus_profile_selection_text(place.selection));
    else
        snprintf(chooser->reason, sizeof chooser->reason, "%.150s", why.text);
    if (!chooser->is_found)
        nereus_log("methods are not chosen by the model: %s", why.text);
}

/* Get the chooser, which is made at the first use; NULL: no memory. */
static const struct method_chooser *get_chooser(nereus_job *job)
{
    if (job->chooser == NULL) {
        job->chooser = calloc(1, sizeof *job->chooser);
        if (job->chooser != NULL)
            load_profile(job, job->chooser);
    }
    return job->chooser;
}

const struct nereus_profile *nereus_model_choice_profile(nereus_job *job)
{
    const struct method_chooser *chooser = get_chooser(job);
    return chooser != NULL && chooser->is_found ? &chooser->profile : NULL;
}

void nereus_model_choice_begin(nereus_job *job)
{
    const struct nereus_profile *profile = nereus_model_choice_profile(job);
    if (job->settings.process.huge_bytes == NEREUS_HUGE_BY_PROFILE)
        job->settings.process.huge_bytes = profile != NULL ? nereus_profile_huge_bytes(profile) : 0;
}

void nereus_model_choice_fini(nereus_job *job)
{
    if (job->chooser != NULL && job->chooser->is_found)
        nereus_profile_fini(&job->chooser->profile);
    free(job->chooser);
    job->chooser = NULL;
}

/* ---- iteration times ---- */

void nereus_model_choice_start_timing(nereus_job *job, int64_t points)
{
    job->size_since_s = nereus_skewed_monotonic_s();
    job->size_since_points = points;
}

static double *find_measured_time(struct iteration_times *times, int64_t size)
{
    for (int64_t i = 0; i < times->count; i++)
        if (times->sizes[i] == size)
            return &times->t_iter_s[i];
    return NULL;
}

double nereus_model_choice_measured_s(const nereus_job *job, int64_t size)
{
    struct iteration_times times = job->settings.iteration_times;
    const double *known = find_measured_time(&times, size);
    return known != NULL ? *known : NAN;
}

/* Without memory the oldest size is overwritten. */
static void store_t_iter(struct iteration_times *times, int64_t size, double t_iter_s)
{
    double *known = find_measured_time(times, size);
    if (known == NULL) {
        if (times->count == SIZES_SEEN_MAX) {
            memmove(times->sizes, times->sizes + 1, (SIZES_SEEN_MAX - 1) * sizeof *times->sizes);
            memmove(times->t_iter_s, times->t_iter_s + 1,
                    (SIZES_SEEN_MAX - 1) * sizeof *times->t_iter_s);
            times->count--;
        }
        times->sizes[times->count] = size;
        known = &times->t_iter_s[times->count++];
    }
    *known = t_iter_s;
}

/* Time of an iteration at this size: measured since the job has this size, else when it last had
 * this size; 0: unknown. */
double nereus_model_choice_iteration_s(nereus_job *job)
{
    struct iteration_times *times = &job->settings.iteration_times;
    const int64_t iterations = job->points - job->size_since_points;
    if (job->size_since_s > 0 && iterations > 0)
        store_t_iter(times, job->size,
                     (nereus_skewed_monotonic_s() - job->size_since_s) / (double)iterations);
    const double *known = find_measured_time(times, job->size);
    return known != NULL ? *known : 0;
}

/* Compute T(nt) by a scaling law.
 * @return false: it is not defined there */
static bool scale_by_law(const nereus_job *job, struct nereus_scaling *law, double t_iter_s,
                         int64_t nt, double *scaled_s)
{
    law->machine = &job->machine;
    return nereus_scaling_apply(law, job->size, t_iter_s, nt, scaled_s, NULL) == NEREUS_OK;
}

/* Compute T(nt) by the sizes that the job has had. */
static bool scale_by_measured_sizes(const nereus_job *job, double t_iter_s, int64_t nt,
                                    double *scaled_s)
{
    const struct iteration_times *times = &job->settings.iteration_times;
    struct nereus_scaling_point points[SIZES_SEEN_MAX];
    for (int64_t i = 0; i < times->count; i++)
        points[i] = (struct nereus_scaling_point){times->sizes[i], times->t_iter_s[i]};
    struct nereus_scaling law = {
        .law = NEREUS_SCALING_MEASURED, .points = points, .count = times->count};
    return scale_by_law(job, &law, t_iter_s, nt, scaled_s);
}

/* Compute T(nt) by options.scaling. */
static bool scale_by_options(const nereus_job *job, double t_iter_s, int64_t nt, double *scaled_s)
{
    struct nereus_scaling law;
    if (job->settings.scaling == NULL ||
        nereus_scaling_parse(job->settings.scaling, &law, NULL) != NEREUS_OK)
        return false;
    const bool scaled = scale_by_law(job, &law, t_iter_s, nt, scaled_s);
    nereus_scaling_fini(&law);
    return scaled;
}

/* Compute T(nt). First choice: measured. Second: the power law through this size and the nearest
 * other size that the job has had. Third: the law of the options, or strong scaling. */
static double scale_iteration(const nereus_job *job, double t_iter_s, int64_t nt,
                              struct method_choice *choice)
{
    struct nereus_scaling strong = {.law = NEREUS_SCALING_STRONG};
    struct iteration_times times = job->settings.iteration_times;
    double scaled_s = t_iter_s;
    if (scale_by_measured_sizes(job, t_iter_s, nt, &scaled_s)) {
        choice->scaling = find_measured_time(&times, nt) != NULL ? "measured" : "power law";
    } else if (scale_by_options(job, t_iter_s, nt, &scaled_s)) {
        choice->scaling = job->settings.scaling;
    } else {
        choice->scaling = "strong";
        scale_by_law(job, &strong, t_iter_s, nt, &scaled_s);
    }
    return scaled_s;
}

/* ---- the question ---- */

/* Find the grid with most of the bytes; NULL: arrays have more. */
static const struct nereus_grid *find_main_grid(const nereus_job *job)
{
    const struct registry *registry = &job->registry;
    const struct nereus_grid *grid = NULL;
    int64_t most = 0, others = 0;
    for (int64_t i = 0; i < registry->space_count; i++) {
        int64_t bytes = 0;
        for (int64_t k = 0; k < registry->count; k++)
            if (registry->data[k].entry.partition == i + 1)
                bytes += registry->data[k].entry.element_bytes * registry->data[k].entry.count;
        if (!nereus_partition_is_grid(&registry->spaces[i].partition)) {
            others += bytes;
        } else if (bytes > most) {
            most = bytes;
            grid = &registry->spaces[i].partition.grid;
        }
    }
    return most > others ? grid : NULL;
}

static void set_scenario_bytes(const nereus_job *job, int64_t nt, struct nereus_scenario *scenario)
{
    scenario->grid = find_main_grid(job);
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct nereus_data_entry *entry = &job->registry.data[i].entry;
        const struct nereus_mover *mover = &job->callbacks.mover;
        double bytes = (double)(entry->element_bytes * entry->count);
        if (entry->placement == NEREUS_MOVED_BY_APPLICATION) {
            nereus_callback_enter("options.mover");
            bytes = fmax(0, (double)mover->bytes(mover->user, job->size, (int)nt));
            nereus_callback_leave();
        }
        if (entry->placement == NEREUS_REPLICATED)
            scenario->replicated_bytes += bytes;
        else if (entry->kind == NEREUS_CONSTANT)
            scenario->constant_bytes += bytes;
        else
            scenario->variable_bytes += bytes;
    }
}

double nereus_model_choice_iterations_left(const nereus_job *job, double t_iter_s)
{
    if (job->settings.iterations > 0)
        return fmax(0, (double)(job->settings.iterations - job->points));
    return t_iter_s > 0 ? fmax(1000, assumed_rest_s / t_iter_s) : 1000;
}

static bool has_data(const struct nereus_scenario *scenario)
{
    return scenario->constant_bytes + scenario->variable_bytes > 0;
}

/* Can this job carry out the method? */
static bool is_possible(const nereus_job *job, const struct resize_request *request,
                        bool can_launch, const struct nereus_method *method)
{
    struct resize_request tried = *request;
    tried.method = *method;
    return (method->strategy != NEREUS_LAUNCH || can_launch) &&
           (request->release_count == 0 || method->shrink != NEREUS_ZS) &&
           nereus_check_request(job, &tried, NULL) == NEREUS_OK;
}

/* List the candidates: the profile's methods, with each way to move data that has no special
 * requirements.
 * @return their number; methods has space for twice as many as the profile's */
static int find_candidates(const nereus_job *job, const struct resize_request *request,
                           bool can_launch, bool data, struct nereus_method *methods)
{
    static const enum nereus_data ways[] = {NEREUS_COLL, NEREUS_P2P};
    const struct nereus_profile *profile = &job->chooser->profile;
    int count = 0;
    for (int64_t i = 0; i < profile->method_count; i++) {
        for (int way = 0; way < (data ? 2 : 1); way++) {
            struct nereus_method method = profile->methods[i];
            method.has_data = true;
            method.data = ways[way];
            method.distribution = request->method.distribution;
            if (is_possible(job, request, can_launch, &method))
                methods[count++] = method;
        }
    }
    return count;
}

/* Make a scenario with weak scaling: without a scaling law, a job that has had one size only may
 * scale strongly (as the first scenario assumes) or weakly.
 * @return false: the job has only one scenario */
static bool make_weak_scenario(const nereus_job *job, const struct nereus_scenario *scenario,
                               struct nereus_scenario *weakly)
{
    struct nereus_scaling weak = {.law = NEREUS_SCALING_WEAK};
    *weakly = *scenario;
    return job->settings.iteration_times.count < 2 && job->settings.scaling == NULL &&
           scenario->t_iter_ns_s > 0 &&
           scale_by_law(job, &weak, scenario->t_iter_ns_s, scenario->nt, &weakly->t_iter_nt_s);
}

static bool predict_best(const nereus_job *job, const struct nereus_scenario *scenario,
                         const struct nereus_method *methods, struct method_choice *choice,
                         struct nereus_prediction *best_prediction)
{
    struct nereus_scenario weakly;
    const struct nereus_goal_question requested = {&job->chooser->profile, scenario,
                                                   &job->settings.ranking};
    struct nereus_prediction *scratch = calloc((size_t)choice->candidates + 1, sizeof *scratch);
    if (scratch == NULL)
        choice->candidates = 0;
    else if (make_weak_scenario(job, scenario, &weakly))
        choice->candidates = nereus_predict_minimax_regret(
            &requested, &weakly, methods, choice->candidates, scratch, best_prediction);
    else
        choice->candidates = nereus_predict_for_goal(&requested, methods, choice->candidates,
                                                     scratch, best_prediction);
    free(scratch);
    return choice->candidates > 0;
}

/* Keep only synchronous methods.
 * @return their number */
static int keep_synchronous(struct nereus_method *methods, int count)
{
    int kept_count = 0;
    for (int i = 0; i < count; i++)
        if (!methods[i].async)
            methods[kept_count++] = methods[i];
    return kept_count;
}

static bool choose_from_model(nereus_job *job, bool can_launch, struct resize_request *request,
                              struct method_choice *choice)
{
    const double t_iter_s = nereus_model_choice_iteration_s(job);
    struct nereus_scenario scenario = {.machine = &job->machine,
                                       .state = &job->state,
                                       .ns = job->size,
                                       .nt = request->nt,
                                       .t_iter_ns_s = t_iter_s};
    set_scenario_bytes(job, request->nt, &scenario);
    if (t_iter_s > 0)
        scenario.t_iter_nt_s = scale_iteration(job, t_iter_s, request->nt, choice);
    scenario.iterations_after = nereus_model_choice_iterations_left(job, t_iter_s);
    struct nereus_method *methods =
        calloc(2 * (size_t)job->chooser->profile.method_count + 1, sizeof *methods);
    struct nereus_prediction best_prediction;
    const int candidates =
        methods == NULL ? 0
                        : find_candidates(job, request, can_launch, has_data(&scenario), methods);
    choice->candidates = candidates;
    bool chosen = predict_best(job, &scenario, methods, choice, &best_prediction);
    /* If the iterations left are unknown, an overlap that is longer than the job so far may not
     * complete before the application ends. */
    if (chosen && job->settings.iterations == 0 && best_prediction.overlapped &&
        best_prediction.iterations > (double)job->points) {
        choice->candidates = keep_synchronous(methods, candidates);
        chosen = predict_best(job, &scenario, methods, choice, &best_prediction);
    }
    free(methods);
    if (!chosen) {
        snprintf(choice->reason, sizeof choice->reason,
                 "the profile has no method for %lld to %lld process%s", (long long)scenario.ns,
                 (long long)scenario.nt, nereus_plural_es(scenario.nt));
        return false;
    }
    request->method = best_prediction.method;
    choice->rt_s = best_prediction.rt_s;
    choice->t_ex_s = best_prediction.t_ex_s;
    choice->energy_j = best_prediction.energy_j;
    choice->t_iter_ns_s = scenario.t_iter_ns_s;
    choice->t_iter_nt_s = scenario.t_iter_nt_s;
    return true;
}

bool nereus_choose_by_model(nereus_job *job, bool can_launch, struct resize_request *request,
                            struct method_choice *choice)
{
    const struct method_chooser *chooser = get_chooser(job);
    const double began_s = nereus_skewed_monotonic_s();
    snprintf(choice->reason, sizeof choice->reason, "%s",
             chooser != NULL ? chooser->reason : "no memory");
    choice->by_model =
        chooser != NULL && chooser->is_found && choose_from_model(job, can_launch, request, choice);
    choice->decided_s = nereus_skewed_monotonic_s() - began_s;
    return choice->by_model;
}

bool nereus_model_choice_price(nereus_job *job, struct nereus_scenario *scenario,
                               const struct nereus_method *method, double *rt_s)
{
    const struct nereus_profile *profile = nereus_model_choice_profile(job);
    struct nereus_prediction prediction;
    set_scenario_bytes(job, scenario->nt, scenario);
    if (profile == NULL ||
        nereus_predict(profile, scenario, method, &prediction, NULL) != NEREUS_OK)
        return false;
    *rt_s = prediction.rt_s.value;
    return true;
}
