/**
 * @file fit_async.c
 * Fits asynchronous reconfigurations: RT_async by group of methods, oversubscribed or not; omega;
 * and the number of iterations beyond RT / (omega T_iter). overlap.c has the terms.
 */

#include "fit_formula.h"
#include "model/predict/lookup.h"
#include "priors.h"

/* Which rows one model of RT_async uses. */
struct async_class {
    enum nereus_async_group group;
    bool oversubscribed;
};

static bool is_usable(const struct nereus_sample *s, bool oversubscribed)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && s->method.async &&
           !nereus_method_overlaps(&s->method, 1) && s->oversubscribed == oversubscribed &&
           s->t_iter_ns_s > 0 && s->ns != s->nt;
}

/* Set the input of the terms.
 * @return false: the row has no asynchronous method, or lacks values of the equation */
static bool set_input(const struct nereus_sample *s, const struct nereus_profile *profile,
                      bool oversubscribed, struct nereus_fit_equation *e)
{
    struct nereus_overlap_input *input = &e->overlap;
    struct nereus_node node;
    if (!is_usable(s, oversubscribed))
        return false;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_method carried_out = nereus_method_resolve(&s->method);
    nereus_overlap_input_make(&machine, s->ns, s->nt, &carried_out, s->t_iter_ns_s, input);
    input->rt_sync_s = nereus_lookup_synchronous_s(profile, &machine, s->ns, s->nt, &s->method);
    input->rt_async_s = s->rt_s;
    input->iterations = s->iterations;
    e->core_load = input->load.core_load;
    return input->group == NEREUS_ASYNC_SHRINK
               ? s->method.shrink != NEREUS_SS && s->method.shrink != NEREUS_TS
               : input->rt_sync_s > 0;
}

/* A shrink in a published table needs no synchronous counterpart. context: struct async_class */
static int set_rt_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                           const void *context, struct nereus_fit_equation *e)
{
    const struct async_class *class = context;
    const bool is_one =
        set_input(s, profile, class->oversubscribed, e) && e->overlap.group == class->group;
    e->time_s = s->rt_s;
    return is_one && (e->overlap.rt_sync_s > 0 || !nereus_profile_has_steps(profile));
}

static int set_omega_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                              const void *context, struct nereus_fit_equation *e)
{
    (void)context;
    e->time_s = s->ct_s / s->iterations;
    e->base_s = s->t_iter_ns_s;
    return set_input(s, profile, false, e) && s->ct_s > 0 && s->iterations >= 1;
}

/* It = RT / (CT / It) + extra iterations. It is an integer: rows with It = 1 are left out, as any
 * number of extra iterations up to 0.5 rounds to the same It. */
static int set_extra_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                              const void *context, struct nereus_fit_equation *e)
{
    const bool is_one = set_omega_equation(s, profile, context, e) && s->iterations > 1;
    e->base_s = s->rt_s / e->time_s;
    e->time_s = s->iterations;
    return is_one;
}

static struct nereus_linear_model *get_rt_model(struct nereus_profile *profile, int group,
                                                bool oversubscribed)
{
    struct nereus_linear_model *const models[][2] = {
        {&profile->async_plain, &profile->async_plain_oversubscribed},
        {&profile->async_single, &profile->async_single_oversubscribed},
        {&profile->async_shrink, &profile->async_shrink_oversubscribed}};
    return models[group][oversubscribed];
}

/* Find a fitted model with similar coefficients, and the name of a prior taken from this model: the
 * same at the other kind of load; for single, the model of other methods. NULL: none */
static const struct nereus_linear_model *find_related_model(struct nereus_profile *profile,
                                                            int group, bool oversubscribed,
                                                            const char **name)
{
    const struct nereus_linear_model *other_model = get_rt_model(profile, group, !oversubscribed),
                                     *plain =
                                         get_rt_model(profile, NEREUS_ASYNC_PLAIN, oversubscribed);
    *name =
        oversubscribed ? "asynchronous as within the cores" : "asynchronous as when oversubscribed";
    if (other_model->basis == NEREUS_BASIS_FITTED)
        return other_model;
    *name = "single async as other async";
    if (group == NEREUS_ASYNC_SINGLE && plain->basis == NEREUS_BASIS_FITTED)
        return plain;
    *name = "asynchronous by synchronous and priors";
    return NULL;
}

/* Prior from a related model: its coefficient times a ratio, with the variances of both; value 0:
 * the related model lacks the term. */
static struct nereus_prior make_related_prior(const struct nereus_linear_model *related_model,
                                              const char *name, double ratio)
{
    int i = 0;
    while (i < related_model->terms && strcmp(related_model->names[i], name) != 0)
        i++;
    if (i == related_model->terms || !(related_model->coefficients[i] > 0))
        return (struct nereus_prior){0, 0, 0};
    const double known =
        sqrt(fmax(0, related_model->covariance[i][i])) / related_model->coefficients[i];
    return (struct nereus_prior){ratio * related_model->coefficients[i],
                                 fmin(hypot(known, NEREUS_FIT_RELATED), 2), 0};
}

/* Prior of a shrink in a published table: as long as a synchronous one plus a wait for the core; on
 * several nodes once to twice as long, because a thread and the process that computes share a core.
 */
static struct nereus_prior make_shrink_prior(const struct nereus_linear_model *split_model,
                                             const char *name)
{
    const struct nereus_cost_input one_node = {.load.old_nodes = 1};
    const struct nereus_term_prior *prior = nereus_term_prior_of("async_shrink", name);
    if (strcmp(name, "const") != 0)
        return make_related_prior(split_model, name, 1.5);
    return (struct nereus_prior){prior->value + nereus_cost_value(split_model, &one_node, NULL),
                                 prior->log_sd, 0};
}

/* Fit RT_async of a group, from oversubscribed rows or from the others.
 * @param by_priors  without rows by its priors, unless the same model at the other load has no rows
 *                   either */
static enum nereus_status fit_group(const struct nereus_fit_rows *rows, int group,
                                    bool oversubscribed, bool by_priors,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    static const char *const models[] = {"async_plain", "async_single", "async_shrink"};
    const bool is_own_runtime = nereus_profile_has_steps(profile);
    const struct nereus_linear_model *split_model = &profile->steps[NEREUS_STEP_SPLIT];
    const struct async_class class = {(enum nereus_async_group)group, oversubscribed};
    struct nereus_fit_formula rt = {
        .model = models[group], .equations = set_rt_equation, .context = &class};
    const char *name;
    const struct nereus_linear_model *known =
        find_related_model(profile, group, oversubscribed, &name);
    rt.term_count = (size_t)nereus_overlap_terms((enum nereus_async_group)group, is_own_runtime,
                                                 &rt.overlap_terms);
    rt.model_from_priors = by_priors && (known != NULL || !oversubscribed) ? name : NULL;
    for (size_t t = 0; t < rt.term_count; t++) {
        const char *term = nereus_overlap_term_name(rt.overlap_terms[t]);
        if (known != NULL && (oversubscribed || by_priors))
            rt.priors[t] = make_related_prior(known, term, 1);
        else if (group == NEREUS_ASYNC_SHRINK && !is_own_runtime &&
                 split_model->basis == NEREUS_BASIS_FITTED)
            rt.priors[t] = make_shrink_prior(split_model, term);
    }
    return nereus_fit_models(&rt, rows, profile, get_rt_model(profile, group, oversubscribed), err);
}

static enum nereus_status fit_iterations(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_fit_formula omega = {.model = "omega",
                                       .equations = set_omega_equation,
                                       .model_from_priors = "omega by processor sharing"},
                              extra = {.model = "late", .equations = set_extra_equation};
    omega.term_count = (size_t)nereus_overlap_omega_terms(&omega.overlap_terms);
    extra.term_count = (size_t)nereus_overlap_extra_terms(&extra.overlap_terms);
    NEREUS_TRY(nereus_fit_models(&omega, rows, profile, &profile->omega, err));
    return nereus_fit_models(&extra, rows, profile, &profile->extra_iterations, err);
}

/* Fit models with rows first: the priors of models without rows come from them. */
enum nereus_status nereus_fit_async(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    for (int by_priors = 0; by_priors < 2; by_priors++)
        for (int group = 0; group <= NEREUS_ASYNC_SHRINK; group++)
            for (int oversubscribed = 0; oversubscribed < 2; oversubscribed++)
                if (get_rt_model(profile, group, oversubscribed == 1)->basis == NEREUS_BASIS_NONE)
                    NEREUS_TRY(
                        fit_group(rows, group, oversubscribed == 1, by_priors == 1, profile, err));
    return fit_iterations(rows, profile, err);
}
