/** @file goal_options.c  Parses the options that define "best". */
#include "goal_options.h"

static const char *const later_nodes_choices[] = {"returned", "any", NULL};

const struct nereus_option nereus_goal_options[] = {
    {"system-threshold", 0, NEREUS_OPTION_NUMBER, "X",
     "goal system: within this share of the least RT or CT the least T_ex is best (0.1)",
     offsetof(struct nereus_goal_settings, system_threshold), NULL},
    {"weights", 0, NEREUS_OPTION_TEXT, "W",
     "goal weights: least sum, each over its least among the candidates, as "
     "t_ex=1,rt=0.5,node_hours=2,energy=1",
     offsetof(struct nereus_goal_settings, weights), NULL},
    {"node-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "goal energy: what a node draws while processes compute on it",
     offsetof(struct nereus_goal_settings, power.busy_w), NULL},
    {"idle-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "what a node draws that the job holds for zombies alone (0)",
     offsetof(struct nereus_goal_settings, power.idle_w), NULL},
    {"resize-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "what a node draws during the resize (as --node-power)",
     offsetof(struct nereus_goal_settings, power.resize_w), NULL},
    {"later-shrink", 0, NEREUS_OPTION_COUNT, "N",
     "rank an expansion together with a later shrink to N processes",
     offsetof(struct nereus_goal_settings, later_shrink), NULL},
    {"later-iterations", 0, NEREUS_OPTION_NATURAL, "N",
     "iterations between the expansion and that shrink (half of --iterations-after)",
     offsetof(struct nereus_goal_settings, later_iterations), NULL},
    {"later-nodes", 0, NEREUS_OPTION_CHOICE, "NODES",
     "the later shrink must return the nodes that P processes do not need: returned, or any "
     "(returned)",
     offsetof(struct nereus_goal_settings, later_nodes), later_nodes_choices},
};
const size_t nereus_goal_option_count = NEREUS_COUNT_OF(nereus_goal_options);

struct nereus_goal_settings nereus_goal_settings_default(void)
{
    const struct nereus_ranking usual = NEREUS_RANKING_INIT;
    return (struct nereus_goal_settings){
        .system_threshold = usual.system_threshold, .power = {-1, 0, -1}, .later_iterations = -1};
}

/* Set the power of a node, if the goal needs it. */
static enum nereus_status fill_power(const struct nereus_goal_settings *settings,
                                     struct nereus_ranking *ranking, struct nereus_error *err)
{
    const bool needed = ranking->goal == NEREUS_GOAL_ENERGY ||
                        ranking->weights[NEREUS_QUANTITY_ENERGY] > 0,
               given = settings->power.busy_w >= 0;
    if (needed && !(settings->power.busy_w > 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--goal %s needs --node-power, the watts of a node that computes, "
                           "above 0",
                           ranking->goal == NEREUS_GOAL_ENERGY ? "energy" : "weights with energy");
    }
    if (!needed && (given || settings->power.idle_w > 0 || settings->power.resize_w >= 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--%s belongs to --goal energy, or to weights with energy",
                           given                        ? "node-power"
                           : settings->power.idle_w > 0 ? "idle-power"
                                                        : "resize-power");
    }
    if (needed) {
        ranking->power = settings->power;
        if (ranking->power.resize_w < 0)
            ranking->power.resize_w = ranking->power.busy_w;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_goal_ranking(const struct nereus_goal_settings *settings,
                                       enum nereus_goal goal, struct nereus_ranking *ranking,
                                       struct nereus_error *err)
{
    *ranking = (struct nereus_ranking)NEREUS_RANKING_INIT;
    ranking->goal = goal;
    ranking->system_threshold = settings->system_threshold;
    if (settings->later_shrink == 0 &&
        (settings->later_iterations >= 0 || settings->later_nodes != 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--later-%s belongs to --later-shrink",
                           settings->later_iterations >= 0 ? "iterations" : "nodes");
    }
    if ((settings->weights != NULL) != (goal == NEREUS_GOAL_WEIGHTS)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           goal == NEREUS_GOAL_WEIGHTS
                               ? "--goal weights needs --weights, as t_ex=1,rt=0.5,node_hours=2"
                               : "--weights belongs to --goal weights");
    }
    if (settings->weights != NULL)
        NEREUS_TRY(nereus_weights_parse(settings->weights, ranking->weights, err));
    return fill_power(settings, ranking, err);
}

bool nereus_goal_allows_later_shrink(const struct nereus_goal_settings *settings, int64_t ns,
                                     int64_t nt)
{
    return settings->later_shrink == 0 || (nt > ns && nt > settings->later_shrink);
}

enum nereus_status nereus_goal_add_later(const struct nereus_goal_settings *settings,
                                         struct nereus_question *question, struct nereus_error *err)
{
    return settings->later_shrink == 0
               ? NEREUS_OK
               : nereus_question_add_later(settings->later_shrink, settings->later_iterations,
                                           settings->later_nodes != 0, question, err);
}

enum nereus_status nereus_goal_question(const struct nereus_goal_settings *goal_settings,
                                        const struct nereus_settings *settings,
                                        const struct nereus_profile *profile,
                                        struct nereus_question *question, struct nereus_error *err)
{
    NEREUS_TRY(nereus_question_make(settings, profile, question, err));
    const enum nereus_status status = nereus_goal_add_later(goal_settings, question, err);
    if (status != NEREUS_OK)
        nereus_question_fini(question);
    return status;
}
