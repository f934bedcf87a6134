/** @file cmd_advise.c  The command nereus advise: whether to resize, to which size, how, until
 * when. */

#include "advice.h"
#include "predictor/cli/command.h"
#include "predictor/profile/profile_option.h"

struct settings {
    struct nereus_profile_settings machine;
    const char *nt, *methods, *results, *trace;
    int goal, format;
    struct nereus_goal_settings best;
    struct nereus_mtbf mtbf;
};

static const struct nereus_option table[] = {
    {"nt", 0, NEREUS_OPTION_TEXT, "SIZES",
     "candidate sizes: 40:160, 20:120:20, 16,32,64 (best: every size that the nodes allow; of more "
     "than 10000 some 500)",
     offsetof(struct settings, nt), NULL},
    NEREUS_CANDIDATES_OPTION(offsetof(struct settings, methods)),
    {"results", 0, NEREUS_OPTION_TEXT, "FILE.jsonl",
     "read missing values from the results of a job (nereus run --results FILE.jsonl): its last "
     "size, iteration times, bytes, and the scaling if it has had several sizes",
     offsetof(struct settings, results), NULL},
    {"trace", 0, NEREUS_OPTION_TEXT, "FILE",
     "as --results, from the trace of a job (NEREUS_TRACE=FILE)", offsetof(struct settings, trace),
     NULL},
    {"goal", 0, NEREUS_OPTION_CHOICE, "GOAL",
     NEREUS_GOAL_HELP "node-hours, energy or weights (application)",
     offsetof(struct settings, goal), nereus_goal_choices},
    {"mtbf", 0, NEREUS_OPTION_SECONDS, "TIME",
     "mean time between failures of the job's nodes together: say what checkpoints and failures "
     "cost, and how often to write one",
     offsetof(struct settings, mtbf.job_s), NULL},
    {"node-mtbf", 0, NEREUS_OPTION_SECONDS, "TIME",
     "as --mtbf, of one node: that of the job is this divided by its nodes",
     offsetof(struct settings, mtbf.node_s), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format)),
};

/* Check the command line before any file is read. */
static enum nereus_status check_command_line(const struct settings *settings,
                                             const struct nereus_settings *scenario,
                                             struct nereus_methods *methods,
                                             struct nereus_ranking *ranking,
                                             struct nereus_error *err)
{
    NEREUS_TRY(nereus_profile_settings_check(&settings->machine, err));
    NEREUS_TRY(
        nereus_goal_ranking(&settings->best, (enum nereus_goal)settings->goal, ranking, err));
    NEREUS_TRY(nereus_settings_check(scenario, err));
    if (settings->nt != NULL)
        NEREUS_TRY(nereus_nt_check(settings->nt, err));
    if (settings->methods == NULL)
        return NEREUS_OK;
    return strcmp(settings->methods, "all") == 0
               ? nereus_methods_all(0, 0, methods, err)
               : nereus_methods_parse(settings->methods, methods, err);
}

/* Read the file of a job, if one was named. */
static enum nereus_status read_observed(const struct settings *settings,
                                        struct nereus_observed *observed,
                                        struct nereus_settings *scenario, struct nereus_error *err)
{
    if (settings->results == NULL && settings->trace == NULL)
        return NEREUS_OK;
    NEREUS_TRY(settings->results != NULL
                   ? nereus_observed_read_results(settings->results, observed, err)
                   : nereus_observed_read_trace(settings->trace, observed, err));
    scenario->observed = observed;
    scenario->ns = scenario->ns == 0 ? observed->size : scenario->ns;
    return NEREUS_OK;
}

static int print_advice(const struct settings *settings, struct nereus_settings *scenario)
{
    struct nereus_observed observed = {.size = 0};
    struct nereus_methods methods = {NULL, 0};
    struct nereus_ranking ranking;
    struct nereus_profile profile;
    const struct nereus_candidates candidates = {&profile, &methods, &ranking};
    const bool requested = settings->mtbf.job_s > 0 || settings->mtbf.node_s > 0;
    struct nereus_error err;
    int exit_status;
    if (check_command_line(settings, scenario, &methods, &ranking, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail_usage("%s", err.text);
    } else if (read_observed(settings, &observed, scenario, &err) != NEREUS_OK ||
               nereus_profile_open(&settings->machine, NULL, &profile, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        exit_status =
            settings->methods == NULL &&
                    nereus_methods_from_profile(&profile, &methods, &err) != NEREUS_OK
                ? nereus_cli_fail("%s", err.text)
                : nereus_advice_answer(&candidates, scenario, settings->nt, &settings->best,
                                       requested ? &settings->mtbf : NULL,
                                       (enum nereus_format)settings->format);
        nereus_profile_fini(&profile);
    }
    nereus_methods_fini(&methods);
    nereus_observed_fini(&observed);
    return exit_status;
}

static const char help[] =
    "Advises whether a job on NS processes should be resized, to which size and by which method, "
    "how many iterations must be left to amortise the resize, and the loss at the unfavourable "
    "bound of the prediction. No resize is one of the candidates. Needs no MPI. Defaults are in "
    "brackets; the answer says which were used.";

int nereus_cmd_advise(int argc, char **argv)
{
    struct settings settings = {.best = nereus_goal_settings_default()};
    struct nereus_settings scenario = NEREUS_SETTINGS_INIT;
    const struct nereus_option_group groups[] = {
        {NULL, nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {NULL, nereus_scenario_options, NEREUS_SCENARIO_NT, &scenario},
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_goal_options, nereus_goal_option_count, &settings.best},
        {NULL, nereus_scenario_options + NEREUS_SCENARIO_T_ITER, 1, &scenario},
        {NULL, nereus_scenario_options + NEREUS_SCENARIO_OTHERS,
         nereus_scenario_option_count - NEREUS_SCENARIO_OTHERS, &scenario},
    };
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status))
        return exit_status;
    if (settings.results != NULL && settings.trace != NULL)
        return nereus_cli_fail_usage("--results and --trace exclude each other");
    if (settings.mtbf.job_s > 0 && settings.mtbf.node_s > 0)
        return nereus_cli_fail_usage("--mtbf and --node-mtbf exclude each other");
    if (scenario.ns == 0 && settings.results == NULL && settings.trace == NULL)
        return nereus_cli_fail_usage("--ns is missing (processes now)");
    return print_advice(&settings, &scenario);
}
