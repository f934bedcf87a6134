/**
 * @file predict.c
 * Predicts one method in one scenario: RT, alpha, omega, It, CT and T_ex.
 *
 * A synchronous RT is the process part (measured, or priced and corrected) + the data part. The
 * process part of an asynchronous method (overlap.c) and constant data with an overlap
 * (overlap_data.c) overlap with the application; the rest stops it:
 *
 *     T_ex = before T(NS) + RT + after T(NT)                                    synchronous
 *     T_ex = before T(NS) + CT + RT_blocking + max(0, after - It) T(NT)         any overlap
 *
 * (Martín-Álvarez et al. (2024a), equation 7, with data as in docs/results/errata.md).
 * Rankings use the expected, unrounded It.
 */

#include "lookup.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "nereus/goal.h"
#include "prepared.h"

static const double negligible =
    0.01; /* relative change of RT below which a prediction still counts as measured */

const char *nereus_source_name(enum nereus_source source)
{
    static const char *const names[] = {"measured", "modelled", "extrapolated"};
    return (unsigned)source < NEREUS_COUNT_OF(names) ? names[source] : "unknown";
}

/* alpha and omega are not clamped: both fall below 1 for some redistributions (Martín-Álvarez et
 * al. (2023), section 4.4.2). */
double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega)
{
    return iterations * t_iter_s * omega;
}

double nereus_equation_7_s(double iterations_before, double t_iter_ns_s, double rt_or_ct_s,
                           double rt_blocking_s, double iterations_after, double iterations,
                           double t_iter_nt_s)
{
    return iterations_before * t_iter_ns_s + rt_or_ct_s + rt_blocking_s +
           fmax(0, iterations_after - iterations) * t_iter_nt_s;
}

enum nereus_status nereus_predict_check(const struct nereus_scenario *scenario,
                                        struct nereus_error *err)
{
    const double values[] = {scenario->constant_bytes,   scenario->variable_bytes,
                             scenario->replicated_bytes, scenario->t_iter_ns_s,
                             scenario->t_iter_nt_s,      scenario->iterations_before,
                             scenario->iterations_after};
    static const char *const names[] = {
        "bytes of constant data", "bytes of variable data", "bytes of replicated values",
        "iteration time on NS",   "iteration time on NT",   "iterations before",
        "iterations after"};
    if (scenario->machine == NULL || scenario->ns < 1 || scenario->nt < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a reconfiguration from %lld to %lld process%s: both must be at least 1",
                           (long long)scenario->ns, (long long)scenario->nt,
                           nereus_plural_es(scenario->nt));
    for (size_t i = 0; i < NEREUS_COUNT_OF(values); i++)
        if (!isfinite(values[i]) || values[i] < 0)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s: %g is not a number of 0 or more",
                               names[i], values[i]);
    if (scenario->constant_bytes > NEREUS_BYTES_MAX - scenario->variable_bytes ||
        scenario->replicated_bytes > NEREUS_BYTES_MAX)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT, "%g bytes of data: at most 4 EiB (2^62) can be moved",
            fmax(scenario->constant_bytes + scenario->variable_bytes, scenario->replicated_bytes));
    return NEREUS_OK;
}

/* Does a part of the method overlap with the application? Not in a merge to the present size. */
static bool is_overlapped(const struct nereus_scenario *s, const struct nereus_method *method)
{
    return (method->async || nereus_method_overlaps(method, (int64_t)s->constant_bytes)) &&
           (s->ns != s->nt || nereus_method_resolve(method).process != NEREUS_MERGE);
}

static enum nereus_status check_method(const struct nereus_scenario *s,
                                       const struct nereus_method *method, struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    NEREUS_TRY(nereus_method_check_direction(method, s->ns, s->nt, err));
    if (method->shrink == NEREUS_TS && !nereus_price_worlds_can_leave(s->state, s->ns - s->nt))
        return nereus_fail(
            err, NEREUS_ERR_ILLEGAL,
            "'%s' ends whole worlds, and no worlds of this job add up to the %lld process%s that "
            "%s to go (with --state per-node, every node has a world of its own)",
            nereus_method_format(method, text), (long long)(s->ns - s->nt),
            nereus_plural_es(s->ns - s->nt), nereus_choose_plural(s->ns - s->nt, "has", "have"));
    if (is_overlapped(s, method) && !(s->t_iter_ns_s > 0))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%s' overlaps with iterations: their time on NS processes must be given and above 0",
            nereus_method_format(method, text));
    return NEREUS_OK;
}

static enum nereus_status check_layout(const struct nereus_profile *profile,
                                       const struct nereus_scenario *s,
                                       const struct nereus_method *method, struct nereus_error *err)
{
    struct nereus_method meant = *method;
    struct nereus_nodes nodes;
    if (s->machine->layout == NULL)
        return NEREUS_OK;
    meant.shrink = nereus_predicted_shrink_kind(profile, s, method);
    return nereus_predict_held_nodes(s, &meant, &nodes, err);
}

/* Prices that synchronous and overlapped predictions have in common. */
struct draft {
    struct nereus_process_estimate process; /* process part of the synchronous counterpart */
    bool moves_data;                        /* false: the next members are not set */
    struct nereus_cost_sum data;            /* data that moves with the application stopped */
    struct nereus_cost_sum overlapped;      /* overlapped data: its time without the application */
    /* time of `data`; time of overlapped data by blocking calls */
    double data_s, blocking_s;
    double start_up_s;               /* start-up of the program, which `process` includes */
    struct nereus_cost_sum start_up; /* set if start_up_s > 0 */
    /* cores of a node size that was not measured; 0: none */
    int64_t unknown_node;
};

/* Is the data cut by powers or as a grid? Measured rows with data cannot be used then, because rows
 * record neither powers nor grids. */
static bool has_own_ranges(const struct nereus_scenario *s, const struct nereus_method *method)
{
    return s->grid != NULL || (s->powers != NULL && method->distribution == NEREUS_WEIGHTED);
}

/* @return NULL: none */
static const struct nereus_measurement *
find_measured_with_data(const struct nereus_profile *profile, const struct nereus_scenario *s,
                        const struct nereus_method *method, double bytes)
{
    if (!(bytes > 0) || is_overlapped(s, method) || has_own_ranges(s, method) ||
        !nereus_lookup_is_possible(s))
        return NULL;
    const struct nereus_lookup_key key = nereus_lookup_key_make(profile, s, method);
    return nereus_lookup_find_data(profile, &key, bytes);
}

static enum nereus_status price_data(const struct nereus_profile *profile,
                                     const struct nereus_scenario *s,
                                     const struct nereus_method *method, struct draft *draft,
                                     struct nereus_error *err)
{
    struct nereus_price_parts parts;
    NEREUS_TRY(nereus_price_data(profile, s, method, &parts, err));
    draft->moves_data = true;
    draft->data = parts.data;
    draft->overlapped = parts.overlapped;
    draft->data_s = parts.data.value_s;
    draft->blocking_s = parts.blocking.value_s;
    return NEREUS_OK;
}

static enum nereus_status price_start_up(const struct nereus_profile *profile,
                                         const struct nereus_scenario *s,
                                         const struct nereus_method *method, struct draft *draft,
                                         struct nereus_error *err)
{
    draft->start_up_s = 0;
    if (profile->program.start.basis == NEREUS_BASIS_NONE)
        return NEREUS_OK;
    NEREUS_TRY(nereus_price_program(profile, s, method, &draft->start_up, err));
    draft->start_up_s = draft->start_up.value_s;
    if (!(draft->start_up_s > 0))
        return NEREUS_OK;
    nereus_cost_add_sum(&draft->process.sum, &draft->start_up);
    draft->process.expected_s += draft->start_up_s;
    draft->process.measured =
        draft->process.measured && draft->start_up_s <= negligible * draft->process.sum.value_s;
    return NEREUS_OK;
}

static enum nereus_status make_draft(const struct nereus_profile *profile,
                                     const struct nereus_scenario *s,
                                     const struct nereus_method *method,
                                     struct nereus_estimates *estimates, struct draft *draft,
                                     struct nereus_error *err)
{
    const double bytes = s->constant_bytes + s->variable_bytes;
    draft->unknown_node =
        nereus_profile_unknown_node(profile, s->machine, nereus_max(s->ns, s->nt));
    draft->moves_data = false;
    draft->data_s = draft->blocking_s = 0;
    /* measured rows do not record replicated bytes */
    const struct nereus_measurement *m =
        s->replicated_bytes > 0 ? NULL : find_measured_with_data(profile, s, method, bytes);
    if (m != NULL) { /* the measured time includes the data */
        draft->process =
            (struct nereus_process_estimate){nereus_lookup_make_sum(profile, m), true, m->rt_s};
        return price_start_up(profile, s, method, draft, err);
    }
    NEREUS_TRY(nereus_lookup_estimate_once(profile, s, method, estimates, &draft->process, err));
    NEREUS_TRY(price_start_up(profile, s, method, draft, err));
    return bytes + s->replicated_bytes > 0 ? price_data(profile, s, method, draft, err) : NEREUS_OK;
}

static bool is_data_negligible(const struct draft *draft, const struct nereus_cost_sum *total)
{
    return draft->moves_data &&
           draft->data_s + draft->overlapped.value_s <= negligible * total->value_s;
}

static bool is_assumed(const struct nereus_cost_sum *total)
{
    return total->prior != NULL &&
           !(total->assumed_s <= negligible * total->value_s && total->value_s > 0);
}

/* Choose the source of a prediction, which data with negligible time does not change. */
static enum nereus_source choose_source(const struct draft *draft,
                                        const struct nereus_cost_sum *total, bool measured)
{
    const bool negligible_data = is_data_negligible(draft, total);
    if (measured && draft->data_s <= negligible * total->value_s)
        return NEREUS_MEASURED;
    /* 0 s of work takes 0 s on any machine */
    const bool process_extrapolated =
        !measured &&
        (draft->process.sum.extrapolated || (draft->unknown_node > 0 && total->value_s > 0));
    return process_extrapolated || (total->extrapolated && !negligible_data) || is_assumed(total)
               ? NEREUS_EXTRAPOLATED
               : NEREUS_MODELLED;
}

static void set_t_ex(const struct nereus_scenario *s, double blocking_s, double ct_expected_s,
                     struct nereus_prediction *p)
{
    const bool async = p->overlapped;
    const double stop_s = async ? blocking_s : 0;
    p->t_ex_s =
        nereus_equation_7_s(s->iterations_before, s->t_iter_ns_s, async ? p->ct_s : p->rt_s.value,
                            stop_s, s->iterations_after, p->iterations, s->t_iter_nt_s);
    p->t_ex_expected_s = nereus_equation_7_s(
        s->iterations_before, s->t_iter_ns_s, async ? ct_expected_s : p->rt_s.value, stop_s,
        s->iterations_after, p->iterations_expected, s->t_iter_nt_s);
}

void nereus_prediction_add_note(struct nereus_prediction *prediction, struct nereus_note note)
{
    if (prediction->note_count < NEREUS_PREDICTION_NOTES_MAX)
        prediction->notes[prediction->note_count++] = note;
}

char *nereus_prediction_note(const struct nereus_prediction *prediction,
                             char text[NEREUS_NOTE_TEXT_MAX])
{
    return nereus_notes_format(prediction->notes, prediction->note_count, text,
                               NEREUS_NOTE_TEXT_MAX);
}

/* Note the prior with most seconds, the number of priors, and the sum of the others. */
static void add_prior_note(const struct nereus_cost_sum *sum, struct nereus_prediction *p)
{
    if (sum->prior == NULL)
        return;
    const double others_s = sum->assumed_s - sum->prior_s;
    const bool part =
        sum->prior_s<0.99 * sum->value_s, others = others_s> negligible * sum->value_s;
    nereus_prediction_add_note(
        p, (struct nereus_note){NEREUS_NOTE_PRIOR + (part ? 1 : 0) + (others ? 2 : 0),
                                sum->prior->source,
                                {sum->prior_s, sum->value_s, others_s}});
}

/* Note the measured range that is exceeded. */
static void add_extrapolation_note(const struct nereus_profile *profile,
                                   const struct nereus_scenario *s, const struct draft *draft,
                                   const struct nereus_cost_sum *total, struct nereus_prediction *p)
{
    const struct nereus_cost_sum *sum =
        total->extrapolated_model != NULL ? total : &draft->process.sum;
    if (p->source != NEREUS_EXTRAPOLATED)
        return;
    if (sum->extrapolated_model != NULL)
        nereus_prediction_add_note(p,
                                   nereus_cost_note_extrapolation(sum->extrapolated_model, s->ns,
                                                                  s->nt, sum->extrapolated_load));
    if (draft->unknown_node > 0)
        nereus_prediction_add_note(p, (struct nereus_note){NEREUS_NOTE_CORES,
                                                           NULL,
                                                           {(double)profile->cores_per_node,
                                                            (double)draft->unknown_node}});
}

static void finish_sync(const struct nereus_profile *profile, const struct nereus_scenario *s,
                        const struct draft *draft, struct nereus_prediction *p)
{
    struct nereus_cost_sum sum;
    const struct nereus_cost_sum *total = &draft->process.sum;
    if (draft->moves_data) {
        sum = draft->process.sum;
        nereus_cost_add_sum(&sum, &draft->data);
        total = &sum;
    }
    p->rt_s = nereus_cost_interval(total);
    p->rt_sync_s = p->wait_s = total->value_s;
    p->source = choose_source(draft, total, draft->process.measured);
    add_prior_note(total, p);
    add_extrapolation_note(profile, s, draft, total, p);
    set_t_ex(s, 0, 0, p);
}

/* Mark RT_async as extrapolated if RT_sync is, or if the model of RT_async is. */
static void mark_async_extrapolated(const struct nereus_linear_model *model,
                                    const struct nereus_cost_sum *synchronous,
                                    const struct nereus_lookup_key *key, double load,
                                    struct nereus_cost_sum *sum)
{
    sum->extrapolated = synchronous->extrapolated;
    sum->extrapolated_model = synchronous->extrapolated_model;
    sum->extrapolated_load = synchronous->extrapolated_load;
    if (nereus_cost_extrapolation(model, key->ns, key->nt, load) > 0)
        nereus_cost_set_extrapolated(sum, model, load);
}

/* Name the priors: the model's own, or those of RT_sync in proportion. */
static void set_async_prior(const struct nereus_linear_model *model,
                            const struct nereus_cost_sum *synchronous, struct nereus_cost_sum *sum)
{
    if (model->basis == NEREUS_BASIS_PRIOR) {
        nereus_cost_set_prior(sum, model, sum->value_s);
        sum->degrees_of_freedom = INFINITY;
    } else if (synchronous->prior != NULL && synchronous->value_s > 0) {
        sum->prior = synchronous->prior;
        sum->prior_s = synchronous->prior_s / synchronous->value_s * sum->value_s;
        sum->assumed_s = synchronous->assumed_s / synchronous->value_s * sum->value_s;
    }
}

/* Set RT_async: measured, or from RT_sync and the loads.
 * @param[out] notice_s  part of RT_async after the auxiliary thread has finished */
static struct nereus_cost_sum predict_rt_async(const struct nereus_profile *profile,
                                               const struct draft *draft,
                                               const struct nereus_lookup_key *key,
                                               const struct nereus_overlap_input *input,
                                               const struct nereus_measurement *m, double *notice_s)
{
    const struct nereus_linear_model *model =
        nereus_overlap_model(profile, input->group, key->oversubscribed);
    const struct nereus_cost_sum *const synchronous = &draft->process.sum;
    *notice_s = nereus_overlap_notice_s(model, input);
    if (m != NULL)
        return nereus_lookup_make_sum(profile, m);
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    const double value = nereus_overlap_value(model, input, &sum.variance_s2);
    const double f = nereus_lookup_correction(profile, key, value);
    sum.value_s = f * value;
    *notice_s *= f;
    /* the thread executes the steps of the synchronous shrink, and is not faster */
    if (input->group == NEREUS_ASYNC_SHRINK)
        sum.value_s = fmax(sum.value_s, synchronous->value_s);
    sum.common_scatter_s = model->log_sd * sum.value_s;
    sum.variance_s2 *= f * f;
    if (synchronous->value_s > 0 && input->rt_sync_s > 0) {
        /* add the error of RT_sync, by the terms that depend on it */
        struct nereus_overlap_input without = *input;
        without.rt_sync_s = 0;
        const double slope =
            (value - nereus_overlap_value(model, &without, NULL)) / input->rt_sync_s;
        const double error_s = f * slope * nereus_cost_error_s(synchronous);
        sum.variance_s2 += error_s * error_s;
    }
    sum.degrees_of_freedom = (double)nereus_model_degrees_of_freedom(model);
    mark_async_extrapolated(model, synchronous, key, input->load.core_load, &sum);
    set_async_prior(model, synchronous, &sum);
    return sum;
}

/* Set It (at most the iterations left) and CT.
 * @return CT of the unrounded It */
static double set_iterations(const struct nereus_scenario *s, double rt_async_s, double iteration_s,
                             double extra_iterations, const struct nereus_measurement *measurement,
                             struct nereus_prediction *p)
{
    double expected = nereus_overlap_iterations(rt_async_s, iteration_s, extra_iterations);
    double rounded = round(expected);
    if (measurement != NULL) { /* a median of two runs may be half an iteration */
        expected = measurement->iterations;
        rounded = fmax(1, round(expected));
    }
    p->wait_s = expected * iteration_s;
    p->iterations_capped = rounded > s->iterations_after || expected > s->iterations_after;
    p->iterations = fmin(rounded, floor(s->iterations_after));
    p->iterations_expected = fmin(expected, s->iterations_after);
    p->omega = iteration_s / s->t_iter_ns_s;
    p->ct_s = nereus_equation_6_ct_s(p->iterations, s->t_iter_ns_s, p->omega);
    return nereus_equation_6_ct_s(p->iterations_expected, s->t_iter_ns_s, p->omega);
}

/* The overlapped part of a prediction. */
struct overlap {
    struct nereus_cost_sum process, data; /* value_s 0: no overlap; nothing else is set */
    double iterations;                    /* iterations during the overlap, unrounded */
    /* further iterations until the main threads notice the end */
    double extra_iterations;
    struct nereus_measurement measured;
    const struct nereus_measurement *measured_row; /* measured row; NULL: none */
    double half_width; /* iterations x log-error of one iteration time (90 %) */
    /* omega comes from measured contention (contention_price.c) */
    bool slowed_as_measured;
};

static void begin_overlap(struct overlap *overlap)
{
    overlap->process.value_s = overlap->data.value_s = overlap->iterations = overlap->half_width =
        0;
    overlap->extra_iterations = 0.5; /* data ends within an iteration */
    overlap->measured_row = NULL;
    overlap->slowed_as_measured = false;
}

/* Log-error (90 %) of measured iterations, which have the relative error of RT. */
static double compute_half_width(const struct nereus_cost_sum *sum)
{
    const struct nereus_interval rt_s = nereus_cost_interval(sum);
    return rt_s.value > 0 ? log(rt_s.high / rt_s.value) : 0;
}

static void predict_process_overlap(const struct nereus_profile *profile,
                                    const struct nereus_scenario *s, const struct draft *draft,
                                    const struct nereus_prediction *p, struct overlap *overlap)
{
    const struct nereus_method priced = nereus_priced_method(profile, s, &p->method),
                               carried_out = nereus_method_resolve(&priced);
    const struct nereus_lookup_key key = nereus_lookup_key_make(profile, s, &priced);
    const struct nereus_measurement *m =
        nereus_lookup_is_possible(s) &&
                nereus_lookup_find_process(profile, &key, &overlap->measured)
            ? &overlap->measured
            : NULL;
    struct nereus_overlap_input input;
    nereus_overlap_input_make(s->machine, s->ns, s->nt, &carried_out, s->t_iter_ns_s, &input);
    input.rt_sync_s = draft->process.expected_s;
    input.stage = s->stage;
    double notice_s;
    overlap->process = predict_rt_async(profile, draft, &key, &input, m, &notice_s);
    if (m != NULL && draft->start_up_s > 0)
        nereus_cost_add_sum(&overlap->process, &draft->start_up);
    overlap->extra_iterations = nereus_overlap_extra_iterations(profile, &input);
    overlap->measured_row = m != NULL && m->iterations >= 1 && m->ct_s > 0 ? m : NULL;
    overlap->slowed_as_measured = nereus_contention_is_measured(profile, &input);
    if (overlap->measured_row != NULL) {
        overlap->iterations += overlap->process.value_s / (m->ct_s / m->iterations);
        overlap->half_width +=
            s->values_only ? 0 : overlap->iterations * compute_half_width(&overlap->process);
        return;
    }
    /* iterations are slower only while the thread runs; the fit of omega does not distinguish */
    notice_s = overlap->slowed_as_measured ? fmin(notice_s, overlap->process.value_s) : 0;
    const double thread_s = overlap->process.value_s - notice_s;
    double iteration_s = nereus_overlap_iteration_s(profile, &input, thread_s);
    if (!overlap->slowed_as_measured)
        iteration_s =
            fmax(s->t_iter_ns_s,
                 iteration_s * nereus_lookup_slowdown(profile, &key, input.load.load_all));
    const double slowed = thread_s / iteration_s;
    overlap->iterations += notice_s / s->t_iter_ns_s + slowed;
    if (!s->values_only)
        overlap->half_width +=
            slowed * nereus_overlap_iteration_half_width(profile, &input, thread_s);
}

static void predict_data_overlap(const struct nereus_profile *profile,
                                 const struct nereus_scenario *s, const struct draft *draft,
                                 const struct nereus_prediction *p, struct overlap *overlap)
{
    struct nereus_overlap_data price;
    nereus_overlap_data_make(profile, s, &p->method, &draft->overlapped, &price);
    overlap->data = price.sum;
    const double iterations = price.sum.value_s / price.iteration_s;
    overlap->iterations += iterations;
    if (!s->values_only)
        overlap->half_width += iterations * price.half_width;
}

static bool find_measured_overlap(const struct nereus_profile *profile,
                                  const struct nereus_scenario *s,
                                  const struct nereus_method *method, struct nereus_measurement *m)
{
    if (s->variable_bytes > 0 || s->replicated_bytes > 0 || has_own_ranges(s, method) ||
        !nereus_lookup_is_possible(s))
        return false;
    const struct nereus_method priced = nereus_priced_method(profile, s, method);
    const struct nereus_lookup_key key = nereus_lookup_key_make(profile, s, &priced);
    return nereus_lookup_find_overlapped(profile, &key, s->constant_bytes, m);
}

/* Set RT, that of the synchronous counterpart, and alpha. */
static void set_rt(const struct draft *draft, const struct nereus_cost_sum *total,
                   double overlapped_s, struct nereus_prediction *p)
{
    const double process_s = draft->process.sum.value_s,
                 sync_s = (p->method.async ? process_s : 0) + draft->blocking_s;
    p->rt_s = nereus_cost_interval(total);
    p->rt_sync_s = process_s + draft->data_s + draft->blocking_s;
    p->alpha = sync_s > 0 ? overlapped_s / sync_s : 1;
}

/* Set T_ex: the part of RT outside the iterations stops the application. */
static void finish_measured(const struct nereus_profile *profile, const struct nereus_scenario *s,
                            const struct draft *draft, const struct nereus_measurement *m,
                            struct nereus_prediction *p)
{
    struct nereus_cost_sum total = nereus_lookup_make_sum(profile, m);
    const bool slower = draft->start_up_s > 0, async = p->method.async;
    if (slower)
        nereus_cost_add_sum(&total, &draft->start_up);
    const double stop_s = fmax(0, m->rt_s - m->ct_s) + (async ? 0 : draft->start_up_s),
                 overlapped_s = total.value_s - stop_s;
    set_rt(draft, &total, overlapped_s, p);
    const double ct_expected_s =
        set_iterations(s, overlapped_s, m->ct_s / m->iterations, 0, slower && async ? NULL : m, p);
    p->omega_factor = s->values_only ? 1 : exp(compute_half_width(&total));
    p->wait_s += stop_s;
    p->source = draft->start_up_s <= negligible * total.value_s ? NEREUS_MEASURED : NEREUS_MODELLED;
    set_t_ex(s, stop_s, ct_expected_s, p);
}

/* Is T_iter outside half to twice the range to which RT_async and omega were fitted? With this
 * library's samples the terms follow from the way it stops at points, and hold for any T_iter. */
static bool is_t_iter_extrapolated(const struct nereus_profile *profile,
                                   const struct nereus_scenario *s,
                                   const struct nereus_prediction *p, struct nereus_note *note)
{
    double min_s, max_s;
    if (!p->method.async || nereus_profile_has_steps(profile) ||
        !nereus_prepared_find_t_iter_range(profile, &min_s, &max_s) ||
        (s->t_iter_ns_s >= min_s / 2 && s->t_iter_ns_s <= 2 * max_s))
        return false;
    *note = (struct nereus_note){NEREUS_NOTE_T_ITER, NULL, {min_s, max_s, s->t_iter_ns_s}};
    return true;
}

static void finish_overlapped(const struct nereus_profile *profile,
                              const struct nereus_scenario *scenario, const struct draft *draft,
                              struct nereus_prediction *prediction)
{
    const bool async = prediction->method.async,
               overlaps =
                   nereus_method_overlaps(&prediction->method, (int64_t)scenario->constant_bytes);
    struct overlap overlap;
    begin_overlap(&overlap);
    if (overlaps &&
        find_measured_overlap(profile, scenario, &prediction->method, &overlap.measured)) {
        finish_measured(profile, scenario, draft, &overlap.measured, prediction);
        return;
    }
    if (async)
        predict_process_overlap(profile, scenario, draft, prediction, &overlap);
    if (overlaps)
        predict_data_overlap(profile, scenario, draft, prediction, &overlap);
    struct nereus_cost_sum total = async ? overlap.process : draft->process.sum;
    if (draft->moves_data)
        nereus_cost_add_sum(&total, &draft->data);
    if (overlaps)
        nereus_cost_add_sum(&total, &overlap.data);
    const double overlapped_s = overlap.process.value_s + overlap.data.value_s;
    const double stop_s = draft->data_s + (async ? 0 : draft->process.sum.value_s);
    const bool known = overlap.measured_row != NULL && !overlaps;
    const double iteration_s = known ? overlap.measured_row->ct_s / overlap.measured_row->iterations
                               : overlap.iterations > 0 ? overlapped_s / overlap.iterations
                                                        : scenario->t_iter_ns_s;
    set_rt(draft, &total, overlapped_s, prediction);
    const double ct_expected_s =
        set_iterations(scenario, overlapped_s, iteration_s, overlap.extra_iterations,
                       known && !(draft->start_up_s > 0) ? overlap.measured_row : NULL, prediction);
    prediction->omega_factor = !scenario->values_only && overlap.iterations > 0
                                   ? nereus_error_factor(overlap.half_width / overlap.iterations)
                                   : 1;
    prediction->wait_s += stop_s;
    prediction->source =
        choose_source(draft, &total, known && draft->start_up_s <= negligible * total.value_s);
    set_t_ex(scenario, stop_s, ct_expected_s, prediction);
    struct nereus_note of_t_iter;
    const bool assumed = !known && async && profile->omega.basis == NEREUS_BASIS_PRIOR &&
                         !overlap.slowed_as_measured;
    const bool extrapolated =
        !known && is_t_iter_extrapolated(profile, scenario, prediction, &of_t_iter);
    if ((assumed || extrapolated) && prediction->source == NEREUS_MODELLED)
        prediction->source = NEREUS_EXTRAPOLATED;
    add_prior_note(&total, prediction);
    if (assumed)
        nereus_prediction_add_note(
            prediction, (struct nereus_note){NEREUS_NOTE_ASSUMED, profile->omega.source, {0}});
    if (extrapolated)
        nereus_prediction_add_note(prediction, of_t_iter);
    add_extrapolation_note(profile, scenario, draft, &total, prediction);
}

/* Note that a distribution without computed ranges is priced as equal blocks. */
static void add_distribution_note(const struct nereus_scenario *s, struct nereus_prediction *p)
{
    if (!p->method.has_data || !(s->constant_bytes + s->variable_bytes > 0) ||
        (s->ns == s->nt && !nereus_method_rebalances(&p->method, s->ns, s->nt)))
        return;
    const struct nereus_method m = nereus_method_resolve(&p->method);
    if (nereus_transfer_knows_grid(s->grid, s->ns, s->nt))
        return;
    if (m.distribution == NEREUS_WEIGHTED && s->powers == NULL)
        nereus_prediction_add_note(p, (struct nereus_note){.code = NEREUS_NOTE_WEIGHTED});
    else if (m.distribution == NEREUS_KEEP && m.process == NEREUS_MERGE &&
             !nereus_transfer_knows_keep(&m, s->ns, s->nt))
        nereus_prediction_add_note(p, (struct nereus_note){.code = NEREUS_NOTE_KEEP});
}

enum nereus_status nereus_predict_unchecked(const struct nereus_profile *profile,
                                            const struct nereus_scenario *scenario,
                                            const struct nereus_method *method,
                                            struct nereus_estimates *estimates,
                                            struct nereus_prediction *prediction,
                                            struct nereus_error *err)
{
    struct nereus_prediction *const p = prediction;
    struct draft draft;
    /* `method` may point into the prediction */
    const struct nereus_method requested = *method;
    enum nereus_status status = check_method(scenario, method, err);
    if (status != NEREUS_OK)
        return status;
    const struct nereus_method carried_out =
        nereus_method_adapt(scenario->machine, method, scenario->ns, scenario->nt);
    status = check_layout(profile, scenario, &carried_out, err);
    if (status == NEREUS_OK)
        status = make_draft(profile, scenario, &carried_out, estimates, &draft, err);
    if (status != NEREUS_OK)
        return status;
    memset(p, 0, offsetof(struct nereus_prediction, notes)); /* the notes are half of its bytes */
    p->method = carried_out;
    p->shrink = nereus_predicted_shrink_kind(profile, scenario, &carried_out);
    p->shrinks = scenario->nt < scenario->ns;
    p->starts_nobody = nereus_lookup_starts_no_process(scenario, &carried_out);
    p->alpha = p->omega = 1;
    p->oversubscribed =
        nereus_cost_is_oversubscribed(scenario->machine, scenario->ns, scenario->nt, &carried_out);
    p->overlapped = is_overlapped(scenario, &carried_out);
    p->start_up_s = draft.start_up_s;
    if (p->overlapped)
        finish_overlapped(profile, scenario, &draft, p);
    else
        finish_sync(profile, scenario, &draft, p);
    if (p->iterations_capped)
        nereus_prediction_add_note(p, (struct nereus_note){.code = NEREUS_NOTE_TOO_LATE});
    if (requested.has_data && requested.overlap != carried_out.overlap)
        nereus_prediction_add_note(
            p, (struct nereus_note){.code = NEREUS_NOTE_OVERLAP,
                                    .text =
                                        carried_out.overlap != NEREUS_SYNC ? "waitsources" : NULL});
    add_distribution_note(scenario, p);
    p->method = requested;
    return NEREUS_OK;
}

enum nereus_status nereus_predict(const struct nereus_profile *profile,
                                  const struct nereus_scenario *scenario,
                                  const struct nereus_method *method,
                                  struct nereus_prediction *prediction, struct nereus_error *err)
{
    const enum nereus_status status = nereus_predict_check(scenario, err);
    return status == NEREUS_OK
               ? nereus_predict_unchecked(profile, scenario, method, NULL, prediction, err)
               : status;
}
