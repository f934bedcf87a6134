/*
 * Shrinks by merge without spawning, in tables of whole reconfigurations: z0 on one node, else
 * z1 log2(nodes(NS)) (equation 3: T_split + T_gather). The two terms contain the time of all steps
 * of such a shrink.
 */
#include "fit_question.h"
#include "model/util/try.h"

/* context: oversubscribed or not (bool). */
static int equations(const struct nereus_sample *s, const void *context,
                     struct nereus_fit_equation *e)
{
    const bool oversubscribed = *(const bool *)context;
    struct nereus_node node;
    if (s->oversubscribed != oversubscribed || !nereus_fit_is_zombie_shrink(s))
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    e->input.load.old_nodes = nereus_machine_nodes_used(&machine, s->ns);
    e->time_s = s->rt_s;
    return 1;
}

/* The other steps of such a shrink have no rows of their own. */
static void contain_others(struct nereus_linear_model *models)
{
    static const enum nereus_step_kind others[] = {NEREUS_STEP_DECIDE, NEREUS_STEP_GATHER,
                                                   NEREUS_STEP_AGREE, NEREUS_STEP_COMMIT,
                                                   NEREUS_STEP_SLEEP};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (models[others[i]].basis == NEREUS_BASIS_NONE)
            nereus_fit_contain("split", &models[others[i]]);
}

enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    /* named as those of steps: the only terms of such a split */
    static const enum nereus_overlap_feature terms[] = {NEREUS_OVERLAP_ONE_NODE,
                                                        NEREUS_OVERLAP_LOG2_NODES};
    const struct nereus_fit_question question = {.model = "shrink",
                                                 .terms = terms,
                                                 .term_count = 2,
                                                 .equations = equations,
                                                 .context = &oversubscribed};
    struct nereus_linear_model *models =
        oversubscribed ? profile->steps_oversubscribed : profile->steps;
    if (models[NEREUS_STEP_SPLIT].basis != NEREUS_BASIS_NONE) /* fitted with the other steps */
        return NEREUS_OK;
    NEREUS_TRY(nereus_fit_answer(&question, rows, &models[NEREUS_STEP_SPLIT], err));
    if (models[NEREUS_STEP_SPLIT].basis == NEREUS_BASIS_FITTED)
        contain_others(models);
    return NEREUS_OK;
}
