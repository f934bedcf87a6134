/**
 * @file cmd_report.c
 * The command nereus study report: shows results of the synthetic application as a page, a picture
 * or a table.
 */
#include <limits.h>

#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "predictor/profile/profile_option.h"
#include "report_print.h"

struct settings {
    int format, table;
    struct nereus_profile_settings machine;
    struct nereus_picture_settings picture;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option options[] = {
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv or json (text)", AT(format),
     nereus_format_choices},
    {"report", 0, NEREUS_OPTION_CHOICE, "TABLE",
     "changes (RT of each kind of change, measured and predicted) or events (every iteration, "
     "stage, change and step) (changes)",
     AT(table), nereus_report_tables},
};

/* Read the profile: a named one must exist; else the installed one is used, if there is one. */
static enum nereus_status add_predictions(const struct settings *settings,
                                          struct nereus_report *report, struct nereus_error *err)
{
    const bool named = settings->machine.profile != NULL || settings->machine.synthetic != NULL;
    struct nereus_profile profile;
    const enum nereus_status status = nereus_profile_open(&settings->machine, NULL, &profile, err);
    if (status != NEREUS_OK && named)
        return status;
    if (status != NEREUS_OK) {
        nereus_cli_note("nothing is predicted: %s", err->text);
        return NEREUS_OK;
    }
    nereus_report_predict(report, &profile);
    nereus_profile_fini(&profile);
    return NEREUS_OK;
}

static void note_unpredicted(const struct nereus_report *report)
{
    for (int64_t i = 0; i < report->cell_count; i++) {
        const struct nereus_report_cell *cell = &report->cells[i];
        char label[128];
        if (report->cluster[0] != '\0' && !cell->predicted) {
            nereus_cli_note("%s is not predicted: %s",
                            nereus_report_label(cell, label, sizeof label), cell->why);
        }
    }
}

static enum nereus_status write_report(const struct settings *settings,
                                       const struct nereus_arguments *files,
                                       struct nereus_report *report, struct nereus_error *err)
{
    NEREUS_TRY(nereus_picture_check_place(&settings->picture, (const char *const *)files->items,
                                          (size_t)files->count, err));
    NEREUS_TRY(nereus_report_read(files->items, files->count, report, err));
    NEREUS_TRY(add_predictions(settings, report, err));
    if (!nereus_report_print(report, (enum nereus_report_table)settings->table,
                             (enum nereus_format)settings->format))
        return nereus_fail(err, NEREUS_ERR_IO, "the report could not be printed");
    note_unpredicted(report);
    return settings->picture.path == NULL ? NEREUS_OK
                                          : nereus_report_draw(report, &settings->picture, err);
}

static const char help[] =
    "Summarises results of the synthetic application (`nereus run --results FILE.jsonl`): a "
    "table, and with --output a page or a picture: iterations and sizes over time, reconfiguration "
    "times by step, and predicted compared with measured times where there is a profile. A folder "
    "stands for all its files NAME.jsonl.";

int nereus_cmd_study_report(int argc, char **argv)
{
    struct settings settings = {0};
    const struct nereus_option_group groups[] = {
        {NULL, options, NEREUS_COUNT_OF(options), &settings},
        {"Machine", nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {"Pictures", nereus_picture_options, nereus_picture_option_count, &settings.picture}};
    const struct nereus_command_line line =
        NEREUS_COMMAND_LINE("RESULTS.jsonl...", help, groups, 1, INT_MAX);
    struct nereus_arguments files;
    struct nereus_report report = {.run_count = 0};
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    if (nereus_profile_settings_check(&settings.machine, &err) != NEREUS_OK ||
        nereus_picture_check(&settings.picture, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    const enum nereus_status status = write_report(&settings, &files, &report, &err);
    nereus_report_fini(&report);
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}
