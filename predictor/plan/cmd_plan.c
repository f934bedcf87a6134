/** @file cmd_plan.c  The command nereus plan: prints the steps of a reconfiguration with their
 * predicted times. */

#include "plan_print.h"
#include "predictor/cli/command.h"
#include "predictor/cli/terminal.h"
#include "predictor/profile/profile_option.h"
#include "predictor/scenario/question_layout.h"
#include "priced_plan.h"

struct settings {
    struct nereus_profile_settings machine;
    const char *method;
    bool summary;
    int format, colour;
    struct nereus_picture_settings picture;
};

static const char *const formats[] = {"text", "json", NULL};
enum { JSON = 1 };

static const struct nereus_option table[] = {
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD", "such as merge/coll or baseline-single/p2p",
     offsetof(struct settings, method), NULL},
    {"summary", 0, NEREUS_OPTION_FLAG, NULL, "totals only, as the text with --output",
     offsetof(struct settings, summary), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), formats},
    NEREUS_COLOUR_OPTION(offsetof(struct settings, colour)),
};

static int print_plan(const struct settings *settings, const struct nereus_priced_plan *priced,
                      const struct nereus_question *question)
{
    const bool json = settings->format == JSON;
    const bool summary = settings->summary || (!json && settings->picture.path != NULL);
    bool printed;
    if (json)
        printed = nereus_json_write(summary ? nereus_plan_summary_json(priced, question)
                                            : nereus_priced_plan_json(priced, question),
                                    stdout);
    else if (summary)
        printed = nereus_plan_summary_print(priced, question, stdout);
    else
        printed = nereus_priced_plan_print(priced, question,
                                           nereus_terminal_has_colours(settings->colour), stdout);
    return printed ? NEREUS_EXIT_OK : nereus_cli_fail("not enough memory to print the plan");
}

/* Note that without constant data an overlap has one redistribution, not two. */
static void note_sync(const struct nereus_method *method, const struct nereus_settings *scenario)
{
    if (method->has_data && method->overlap != NEREUS_SYNC && scenario->constant_bytes <= 0) {
        nereus_cli_note(
            "an overlap moves constant data, and there is none (--bytes-constant): this is the "
            "plan without it");
    }
}

static int show_plan(const struct settings *settings, const struct nereus_settings *scenario,
                     const struct nereus_method *method)
{
    struct nereus_profile profile;
    struct nereus_question question;
    struct nereus_priced_plan priced;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_profile_open(&settings->machine, NULL, &profile, &err), err);
    int exit_status;
    if (nereus_question_make(scenario, &profile, &question, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        if (nereus_priced_plan_make(&profile, &question, method, &priced, &err) != NEREUS_OK) {
            exit_status = nereus_cli_fail("%s", err.text);
        } else {
            note_sync(method, scenario);
            /* the picture comes first, so that a failing command prints nothing to stdout */
            exit_status =
                settings->picture.path != NULL &&
                        nereus_plan_draw(&priced, &question, &settings->picture, &err) != NEREUS_OK
                    ? nereus_cli_fail("%s", err.text)
                    : print_plan(settings, &priced, &question);
            nereus_priced_plan_fini(&priced);
        }
        nereus_question_fini(&question);
    }
    nereus_profile_fini(&profile);
    return exit_status;
}

static const char help[] =
    "Shows the steps by which a method goes from NS to NT processes: who takes part, its predicted "
    "time with a 90 % interval and the terms of that time. RT is the sum of the rows, as in "
    "`nereus predict`. For several groups of new processes it shows the spawn tree and the "
    "connections between groups. Needs no MPI. Defaults are in brackets; the answer says which "
    "were used.";

int nereus_cmd_plan(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_settings scenario = NEREUS_SETTINGS_INIT;
    const struct nereus_option_group groups[] = {
        {NULL, nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_picture_options, nereus_picture_option_count, &settings.picture},
        {NULL, nereus_layout_options, NEREUS_LAYOUT_OPTION_COUNT, &scenario},
        {NULL, nereus_scenario_options, nereus_scenario_option_count, &scenario},
    };
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status))
        return exit_status;
    struct nereus_error err;
    if (nereus_settings_check_layout(&scenario, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    const struct {
        const char *sentence;
        bool missing;
    } needed[] = {
        {"--method METHOD is missing (such as merge/coll)", settings.method == NULL},
        {"--ns is missing (processes now)", scenario.ns == 0},
        {"--nt is missing (processes wanted)", scenario.nt == 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(needed); i++)
        if (needed[i].missing)
            return nereus_cli_fail_usage("%s", needed[i].sentence);
    struct nereus_method method;
    if (nereus_method_parse(settings.method, &method, &err) != NEREUS_OK ||
        nereus_method_check(&method, &err) != NEREUS_OK ||
        nereus_settings_check(&scenario, &err) != NEREUS_OK ||
        nereus_profile_settings_check(&settings.machine, &err) != NEREUS_OK ||
        nereus_picture_check(&settings.picture, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    const char *const read[] = {settings.machine.profile, scenario.hostfile, scenario.state,
                                scenario.scaling};
    return nereus_picture_check_path(&settings.picture, read, NEREUS_COUNT_OF(read), &err) ==
                   NEREUS_OK
               ? show_plan(&settings, &scenario, &method)
               : nereus_cli_fail("%s", err.text);
}
