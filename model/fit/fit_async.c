/*
 * Asynchronous reconfigurations: RT_async by group of methods, within and above the cores; omega;
 * and how many iterations a reconfiguration takes beyond RT / (omega T_iter). overlap.c has the
 * terms.
 */
#include "fit_question.h"
#include "model/predict/lookup.h"
#include "model/util/try.h"

/* Of the rows that a model is fitted to. */
struct kind_of_rows {
    const struct nereus_profile *profile;
    int group; /* -1: all */
    bool oversubscribed;
};

static bool usable(const struct nereus_sample *s, bool oversubscribed)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && s->method.async &&
           !nereus_method_overlaps(&s->method, 1) && s->oversubscribed == oversubscribed &&
           s->t_iter_ns_s > 0 && s->ns != s->nt;
}

/* @return whether the row is of the kind */
static bool input_of(const struct nereus_sample *s, const struct kind_of_rows *kind,
                     struct nereus_fit_equation *e)
{
    struct nereus_overlap_input *in = &e->overlap;
    struct nereus_node node;
    if (!usable(s, kind->oversubscribed))
        return false;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_method carried_out = nereus_method_carried_out(&s->method);
    nereus_overlap_input_make(&machine, s->ns, s->nt, &carried_out, s->t_iter_ns_s, in);
    in->rt_sync_s = nereus_lookup_synchronous_s(kind->profile, &machine, s->ns, s->nt, &s->method);
    in->rt_async_s = s->rt_s;
    in->iterations = s->iterations;
    e->load = in->load.load;
    if (in->group == NEREUS_ASYNC_SHRINK)
        return (kind->group < 0 || kind->group == NEREUS_ASYNC_SHRINK) &&
               s->method.shrink != NEREUS_SS && s->method.shrink != NEREUS_TS;
    return (kind->group < 0 || (int)in->group == kind->group) && in->rt_sync_s > 0;
}

/* A shrink in a published table needs no synchronous counterpart. */
static int rt_equation(const struct nereus_sample *s, const void *context,
                       struct nereus_fit_equation *e)
{
    const struct kind_of_rows *kind = context;
    const bool is_one = input_of(s, kind, e);
    e->time_s = s->rt_s;
    return is_one && (e->overlap.rt_sync_s > 0 || !nereus_profile_has_steps(kind->profile));
}

static bool has_iterations(const struct nereus_sample *s)
{
    return s->ct_s > 0 && s->iterations >= 1;
}

static int omega_equation(const struct nereus_sample *s, const void *kind,
                          struct nereus_fit_equation *e)
{
    const bool is_one = input_of(s, kind, e) && has_iterations(s);
    e->time_s = s->ct_s / s->iterations;
    e->base_s = s->t_iter_ns_s;
    return is_one;
}

/* It = RT / (CT / It) and what a model says beyond it. Iterations are whole: a row of one only says
 * that the sum is rounded to 1 or less, which holds for any number beyond up to a half. */
static int late_equation(const struct nereus_sample *s, const void *kind,
                         struct nereus_fit_equation *e)
{
    const bool is_one = input_of(s, kind, e) && has_iterations(s) && s->iterations > 1;
    e->time_s = s->iterations;
    e->base_s = s->rt_s / (s->ct_s / s->iterations);
    return is_one;
}

/* The models of RT_async, by group. */
static struct nereus_linear_model *rt_model(struct nereus_profile *profile, int group,
                                            bool oversubscribed)
{
    struct nereus_linear_model *const models[][2] = {
        {&profile->async_plain, &profile->async_plain_oversubscribed},
        {&profile->async_single, &profile->async_single_oversubscribed},
        {&profile->async_shrink, &profile->async_shrink_oversubscribed}};
    return models[group][oversubscribed];
}

/* A shrink in a published table is expected to take as long as a synchronous one and a wait for the
 * core; on several nodes once to twice as long, as a thread and the process that computes share a
 * core. */
static void as_synchronous(const struct nereus_profile *profile, struct nereus_fit_question *q)
{
    const struct nereus_cost_input one_node = {.load.old_nodes = 1};
    q->related = &profile->steps[NEREUS_STEP_SPLIT];
    q->related_ratio = 1.5;
    q->related_only = nereus_overlap_feature_name(NEREUS_OVERLAP_LOG2_NODES);
    if (q->related->basis == NEREUS_BASIS_FITTED)
        q->more_s = nereus_cost_value(q->related, &one_node, NULL);
}

/* A fitted model whose coefficients are expected, and the name of a stand-in by it: the same beside
 * the other load; of single, that of other methods. NULL: none */
static const struct nereus_linear_model *related_model(struct nereus_profile *profile, int group,
                                                       bool oversubscribed, const char **name)
{
    const struct nereus_linear_model *other = rt_model(profile, group, !oversubscribed),
                                     *plain = rt_model(profile, NEREUS_ASYNC_PLAIN, oversubscribed);
    *name =
        oversubscribed ? "asynchronous as within the cores" : "asynchronous as when oversubscribed";
    if (other->basis == NEREUS_BASIS_FITTED)
        return other;
    *name = "single async as other async";
    if (group == NEREUS_ASYNC_SINGLE && plain->basis == NEREUS_BASIS_FITTED)
        return plain;
    *name = "asynchronous by synchronous and priors";
    return NULL;
}

/* RT_async of a group, of rows within or above the cores. @param by_priors  without rows by its
 * priors, unless it is the same as the other load's, of which nothing is known either */
static enum nereus_status fit_group(const struct nereus_fit_rows *rows, int group,
                                    bool oversubscribed, bool by_priors,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    static const char *const models[] = {"async_plain", "async_single", "async_shrink"};
    const bool own = nereus_profile_has_steps(profile);
    const struct kind_of_rows kind = {profile, group, oversubscribed};
    struct nereus_fit_question q = {
        .model = models[group], .equations = rt_equation, .context = &kind, .related_ratio = 1};
    const char *name;
    const struct nereus_linear_model *known = related_model(profile, group, oversubscribed, &name);
    q.term_count = (size_t)nereus_overlap_terms((enum nereus_async_group)group, own, &q.overlap);
    q.by_priors = by_priors && (known != NULL || !oversubscribed) ? name : NULL;
    if (oversubscribed || by_priors)
        q.related = known;
    if (q.related == NULL && group == NEREUS_ASYNC_SHRINK && !own)
        as_synchronous(profile, &q);
    return nereus_fit_answer(&q, rows, rt_model(profile, group, oversubscribed), err);
}

static enum nereus_status fit_iterations(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    const struct kind_of_rows all = {profile, -1, false};
    struct nereus_fit_question omega = {.model = "omega",
                                        .equations = omega_equation,
                                        .context = &all,
                                        .by_priors = "omega by processor sharing"},
                               late = {
                                   .model = "late", .equations = late_equation, .context = &all};
    omega.term_count = (size_t)nereus_overlap_omega_terms(&omega.overlap);
    late.term_count = (size_t)nereus_overlap_late_terms(&late.overlap);
    NEREUS_TRY(nereus_fit_answer(&omega, rows, &profile->omega, err));
    return nereus_fit_answer(&late, rows, &profile->late, err);
}

/* Those with rows first: what has none is expected to be as they are. */
enum nereus_status nereus_fit_async(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    for (int by_priors = 0; by_priors < 2; by_priors++)
        for (int group = 0; group <= NEREUS_ASYNC_SHRINK; group++)
            for (int over = 0; over < 2; over++)
                if (rt_model(profile, group, over == 1)->basis == NEREUS_BASIS_NONE)
                    NEREUS_TRY(fit_group(rows, group, over == 1, by_priors == 1, profile, err));
    return fit_iterations(rows, profile, err);
}
