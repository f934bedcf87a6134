/** @file cmd_map.c  The command nereus map: which method is best, for many pairs of sizes. */

#include "map.h"
#include "map_cells.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/cli/terminal.h"
#include "predictor/profile/profile_option.h"
#include "predictor/scenario/goal_options.h"

struct settings {
    struct nereus_profile_settings machine;
    const char *ns, *nt, *methods;
    int goal, format;
    int64_t threads;
    struct nereus_goal_settings best;
    int value, colour;
    double tie_percent;
    struct nereus_picture_settings picture;
};

static const char *const goal_choices[] = {"both", NEREUS_GOAL_WORDS, NULL};

static const struct nereus_option table[] = {
    {"ns", 0, NEREUS_OPTION_TEXT, "SIZES",
     "processes now: 1:1000, 2:64:2 (step 2), 1,2,4 or several of these",
     offsetof(struct settings, ns), NULL},
    {"nt", 0, NEREUS_OPTION_TEXT, "SIZES", "processes wanted", offsetof(struct settings, nt), NULL},
    NEREUS_CANDIDATES_OPTION(offsetof(struct settings, methods)),
    {"goal", 0, NEREUS_OPTION_CHOICE, "GOAL",
     NEREUS_GOAL_HELP "both of them, node-hours, energy or weights (both)",
     offsetof(struct settings, goal), goal_choices},
    {"threads", 0, NEREUS_OPTION_COUNT, "N", "number of predicting threads (the usable cores)",
     offsetof(struct settings, threads), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format)),
    {"tie", 0, NEREUS_OPTION_NUMBER, "PERCENT",
     "methods tie if their figures are within this percentage of the best one's (1)",
     offsetof(struct settings, tie_percent), NULL},
    {"value", 0, NEREUS_OPTION_CHOICE, "VALUE",
     "draw rt, alpha, omega or t_ex of one method (--methods), not which is best",
     offsetof(struct settings, value), nereus_map_value_choices},
    NEREUS_COLOUR_OPTION(offsetof(struct settings, colour)),
};

/* SIZE_OPTIONS: --ns and --nt, the first options of a scenario, are ranges here. */
enum { THREADS_MAX = 256, SIZE_OPTIONS = 2 };

static int64_t get_default_threads(void)
{
    const int64_t cores = nereus_cores_usable();
    return cores < THREADS_MAX ? cores : THREADS_MAX;
}

static void note_left_out(const struct nereus_map_result *result)
{
    if (result->without_method > 0) {
        nereus_cli_note("none of the methods is possible for %lld of %lld pair%s",
                        (long long)result->without_method, (long long)result->pairs,
                        nereus_plural_s(result->pairs));
    }
    if (result->no_expansion > 0) {
        nereus_cli_note(
            "%lld of %lld pair%s %s no expansion that --later-shrink can follow, and without a "
            "choice",
            (long long)result->no_expansion, (long long)result->pairs,
            nereus_plural_s(result->pairs),
            nereus_choose_plural(result->no_expansion, "is", "are"));
    }
    if (result->oversubscribed > 0) {
        nereus_cli_note("%lld of %lld pair%s %s oversubscribed: more processes than cores",
                        (long long)result->oversubscribed, (long long)result->pairs,
                        nereus_plural_s(result->pairs),
                        nereus_choose_plural(result->oversubscribed, "is", "are"));
    }
}

/* Get the value that the map shows; without --value (-1) the one before the first choice. */
static enum nereus_map_value get_shown_value(const struct settings *settings)
{
    return (enum nereus_map_value)(settings->value + 1);
}

/* Check that --value goes with a picture of one method; only asynchronous ones have alpha, omega.
 */
static enum nereus_status check_value(const struct settings *settings,
                                      const struct nereus_methods *methods,
                                      struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    const enum nereus_map_value value = get_shown_value(settings);
    if (value == NEREUS_MAP_BEST)
        return NEREUS_OK;
    if (settings->picture.path == NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--value is what a picture shows: name its file with --output");
    }
    if (methods->count != 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--value shows one method: name it, such as --methods merge/coll");
    }
    if ((value == NEREUS_MAP_ALPHA || value == NEREUS_MAP_OMEGA) &&
        !nereus_method_is_overlapped(&methods->items[0])) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--value %s is that of an asynchronous method, which %s is not",
                           nereus_map_value_choices[settings->value],
                           nereus_method_format(&methods->items[0], text));
    }
    return NEREUS_OK;
}

/* Check the command line before any file is read, and fill the map from it. */
static enum nereus_status check_options(const struct settings *settings,
                                        struct nereus_methods *methods, struct nereus_map *map,
                                        struct nereus_error *err)
{
    const bool both = settings->goal == 0 && settings->value < 0;
    map->goals[0] = both ? NEREUS_GOAL_APPLICATION
                         : (enum nereus_goal)(settings->goal > 0 ? settings->goal - 1 : 0);
    map->goals[1] = NEREUS_GOAL_SYSTEM;
    map->goal_count = both ? 2 : 1;
    NEREUS_TRY(nereus_settings_check(map->scenario, err));
    NEREUS_TRY(nereus_profile_settings_check(&settings->machine, err));
    NEREUS_TRY(nereus_goal_ranking(&settings->best, map->goals[0], &map->ranking, err));
    if (settings->methods != NULL) {
        NEREUS_TRY(strcmp(settings->methods, "all") == 0
                       ? nereus_methods_all(0, 0, methods, err)
                       : nereus_methods_parse(settings->methods, methods, err));
    }
    NEREUS_TRY(nereus_picture_check(&settings->picture, err));
    NEREUS_TRY(check_value(settings, methods, err));
    NEREUS_TRY(nereus_sizes_parse("--ns", settings->ns, &map->ns, err));
    return nereus_sizes_parse("--nt", settings->nt, &map->nt, err);
}

/* Keep the values of the whole map, if it is drawn or a terminal shows its cells. */
static enum nereus_status store_cells(const struct settings *settings,
                                      const struct nereus_settings *scenario,
                                      struct nereus_map *map, struct nereus_map_cells *cells,
                                      struct nereus_error *err)
{
    const char *const read[] = {settings->machine.profile, scenario->hostfile, scenario->state,
                                scenario->scaling, scenario->powers};
    const bool small = map->ns.count <= NEREUS_MAP_SIDE_MAX && map->nt.count <= NEREUS_MAP_SIDE_MAX;
    NEREUS_TRY(nereus_picture_check_path(&settings->picture, read, NEREUS_COUNT_OF(read), err));
    map->as_summary = map->format == NEREUS_FORMAT_TEXT && settings->picture.path != NULL;
    map->as_cells = map->format == NEREUS_FORMAT_TEXT && !map->as_summary && small &&
                    nereus_terminal_has_colours(settings->colour);
    if (!map->as_cells && settings->picture.path == NULL)
        return NEREUS_OK;
    cells->value = get_shown_value(settings);
    map->cells = cells;
    return nereus_map_cells_init(map, cells, err);
}

static int run_map(const struct nereus_map *map)
{
    struct nereus_map_result result;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_map_run(map, stdout, &result, &err), err);
    if (result.interrupted != 0) {
        nereus_cli_fail("interrupted by a signal after %lld of %lld pair%s",
                        (long long)result.pairs, (long long)(map->ns.count * map->nt.count),
                        nereus_plural_s(map->ns.count * map->nt.count));
        return 128 + result.interrupted;
    }
    note_left_out(&result);
    return NEREUS_EXIT_OK;
}

static int run_with_profile(const struct settings *settings, struct nereus_methods *methods,
                            struct nereus_map *map)
{
    struct nereus_profile profile;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_profile_open(&settings->machine, NULL, &profile, &err), err);
    int exit_status;
    if (settings->methods == NULL &&
        nereus_methods_from_profile(&profile, methods, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        map->profile = &profile;
        map->methods = methods;
        exit_status = run_map(map);
    }
    nereus_profile_fini(&profile);
    return exit_status;
}

static int print_map(const struct settings *settings, const struct nereus_settings *scenario)
{
    struct nereus_error err;
    struct nereus_methods methods = {NULL, 0};
    struct nereus_map map = {
        .scenario = scenario,
        .goal_settings = &settings->best,
        .tie_percent = settings->tie_percent,
        .picture = &settings->picture,
        .format = (enum nereus_format)settings->format,
        .threads = (int)(settings->threads > 0 ? settings->threads : get_default_threads())};
    struct nereus_map_cells cells = {.items = NULL};
    const int exit_status = check_options(settings, &methods, &map, &err) != NEREUS_OK
                                ? nereus_cli_fail_usage("%s", err.text)
                            : store_cells(settings, scenario, &map, &cells, &err) != NEREUS_OK
                                ? nereus_cli_fail("%s", err.text)
                                : run_with_profile(settings, &methods, &map);
    nereus_map_cells_fini(&cells);
    nereus_methods_fini(&methods);
    nereus_sizes_fini(&map.ns);
    nereus_sizes_fini(&map.nt);
    return exit_status;
}

static const char help[] =
    "Predicts the best method for every pair of the sizes NS and NT, for the application and for "
    "the system: csv and json have a line per pair, text has ranges of NT with the same best "
    "method. Values are those of `nereus predict`. Needs no MPI. Defaults are in brackets; stderr "
    "says which were used. Example: `nereus map --ns 1:512 --nt 1:512 --threads 4 --format csv`.";

int nereus_cmd_map(int argc, char **argv)
{
    struct settings settings = {
        .best = nereus_goal_settings_default(), .tie_percent = 1, .value = -1};
    struct nereus_settings scenario = NEREUS_SETTINGS_INIT;
    const struct nereus_option_group groups[] = {
        {NULL, nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_picture_options, nereus_picture_option_count, &settings.picture},
        {NULL, nereus_goal_options, nereus_goal_option_count, &settings.best},
        {NULL, nereus_scenario_options + SIZE_OPTIONS, nereus_scenario_option_count - SIZE_OPTIONS,
         &scenario},
    };
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status))
        return exit_status;
    if (settings.ns == NULL || settings.nt == NULL) {
        return nereus_cli_fail_usage("--%s is missing (processes %s, as 1:1000)",
                                     settings.ns == NULL ? "ns" : "nt",
                                     settings.ns == NULL ? "now" : "wanted");
    }
    if (settings.threads > THREADS_MAX) {
        return nereus_cli_fail_usage("--threads must be at most %d, not %lld", THREADS_MAX,
                                     (long long)settings.threads);
    }
    return print_map(&settings, &scenario);
}
