/** @file cmd_compare.c  The command nereus study compare: compares repeated runs of several methods
 * by statistical tests. */

#include "compare_print.h"
#include "model/evaluate/compare.h"
#include "model/util/file.h"
#include "nereus/provenance.h"
#include "predictor/cli/command.h"

struct settings {
    int value, correction, ties, format, report;
    double significance;
    const char *cluster, *hostfile, *reference;
    int64_t bytes; /* -1: all */
    int64_t iterations_before, iterations_after;
    struct nereus_picture_settings picture;
};

static const char *const values[] = {"rt", "t_ex", "ct", NULL};
static const char *const corrections[] = {"none", "bonferroni", "holm", NULL};
static const char *const tie_rules[] = {"nearest", "remaining", "median", NULL};

static const struct nereus_option table[] = {
    {"value", 0, NEREUS_OPTION_CHOICE, "VALUE",
     "rt (reconfiguration time), t_ex (time of the application, by equation 7 from the run's RT "
     "and It and the pair's median iteration times) or ct (of the overlapped iterations) (rt)",
     offsetof(struct settings, value), values},
    {"correction", 0, NEREUS_OPTION_CHOICE, "NAME",
     "of Conover's test for the number of comparisons: none, bonferroni or holm (holm)",
     offsetof(struct settings, correction), corrections},
    {"significance", 0, NEREUS_OPTION_NUMBER, "P",
     "a smaller probability rejects that methods are equal (0.05)",
     offsetof(struct settings, significance), NULL},
    {"reference", 0, NEREUS_OPTION_TEXT, "METHOD", "speed-up of each method over this one",
     offsetof(struct settings, reference), NULL},
    {"ties", 0, NEREUS_OPTION_CHOICE, "RULE",
     "on the map a tie goes to the method that is best in most of the nearest cells, of the "
     "remaining ones, or to the least median (nearest)",
     offsetof(struct settings, ties), tie_rules},
    {"bytes", 0, NEREUS_OPTION_BYTES, "BYTES", "only runs that move this amount of data",
     offsetof(struct settings, bytes), NULL},
    {"cluster", 0, NEREUS_OPTION_TEXT, "NAME", "which cluster, where the samples hold several",
     offsetof(struct settings, cluster), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "nodes of the rows without cores_per_node and hostfile", offsetof(struct settings, hostfile),
     NULL},
    {"iterations-before", 0, NEREUS_OPTION_NATURAL, "N", "of T_ex: iterations on NS processes (3)",
     offsetof(struct settings, iterations_before), NULL},
    {"iterations-after", 0, NEREUS_OPTION_NATURAL, "N", "of T_ex: iterations that follow (97)",
     offsetof(struct settings, iterations_after), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format)),
    {"report", 0, NEREUS_OPTION_CHOICE, "TABLE",
     "which table csv prints: groups, pairs or differences (groups)",
     offsetof(struct settings, report), nereus_compare_reports},
};

static void note_rows(int64_t rows, const char *why)
{
    if (rows > 0)
        nereus_cli_note("%lld row%s %s", (long long)rows, nereus_plural_s(rows), why);
}

static void note_left_out(const struct nereus_compare *compare)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    note_rows(compare->other_bytes, "of other bytes left out");
    note_rows(compare->statistics, "left out, of which n is not 1: statistics of several runs");
    note_rows(compare->without_value, "left out, which lack a time that this value needs");
    for (int64_t i = 0; i < compare->pair_count; i++) {
        const struct nereus_compare_pair *pair = &compare->pairs[i];
        if (pair->tested_groups == 0) {
            nereus_cli_note("%lld to %lld is not compared: %s", (long long)pair->ns,
                            (long long)pair->nt, pair->why_untested);
        }
        for (int g = pair->tested_groups; g < pair->count && pair->tested_groups > 0; g++) {
            const struct nereus_compare_group *group = &pair->groups[g];
            nereus_cli_note("%lld to %lld by %s is not compared: %d run%s, at least %d "
                            "are needed",
                            (long long)pair->ns, (long long)pair->nt,
                            nereus_method_format(&compare->methods[group->method], method),
                            group->runs.count, nereus_plural_s(group->runs.count),
                            NEREUS_COMPARE_RUNS_MIN);
        }
    }
}

static struct nereus_compare_options make_options(const struct settings *settings)
{
    return (struct nereus_compare_options){
        .value = (enum nereus_compare_value)settings->value,
        .correction = (enum nereus_correction)settings->correction,
        .ties = (enum nereus_tie_rule)settings->ties,
        .significance = settings->significance,
        .cluster = settings->cluster,
        .bytes = settings->bytes < 0 ? NAN : (double)settings->bytes,
        .iterations_before = (double)settings->iterations_before,
        .iterations_after = (double)settings->iterations_after,
        .reference = settings->reference};
}

/* Draw the picture after the answer was printed: if it fails, nothing else is lost. */
static enum nereus_status print_answer(const struct settings *settings,
                                       const struct nereus_samples *samples,
                                       struct nereus_compare *compare, struct nereus_best_map *map,
                                       struct nereus_error *err)
{
    const struct nereus_compare_options options = make_options(settings);
    NEREUS_TRY(nereus_compare_collect(samples, &options, compare, err));
    NEREUS_TRY(nereus_compare_test(compare, err));
    NEREUS_TRY(nereus_best_map_init(compare, map, err));
    if (!nereus_compare_print(compare, map, settings->picture.path != NULL,
                              (enum nereus_format)settings->format,
                              (enum nereus_compare_report)settings->report))
        return nereus_fail(err, NEREUS_ERR_IO, "the answer could not be printed");
    note_left_out(compare);
    return settings->picture.path == NULL
               ? NEREUS_OK
               : nereus_compare_draw(compare, map, &settings->picture, err);
}

static enum nereus_status read_all(const struct nereus_arguments *files,
                                   struct nereus_samples *samples,
                                   struct nereus_provenances *provenances, struct nereus_error *err)
{
    for (int i = 0; i < files->count; i++) {
        NEREUS_TRY(
            nereus_samples_read_provenance(files->items[i], false, samples, provenances, err));
        nereus_cli_note_left_out(files->items[i], samples->left_out, samples->first_left_out, NULL);
    }
    return NEREUS_OK;
}

static int compare_files(const struct settings *settings, const struct nereus_arguments *files)
{
    struct nereus_samples samples = {0};
    struct nereus_provenances provenances = {.hostfile = settings->hostfile};
    struct nereus_compare compare = {0};
    struct nereus_best_map map = {0};
    struct nereus_error err;
    enum nereus_status status = nereus_picture_check_path(
        &settings->picture, (const char *const *)files->items, (size_t)files->count, &err);
    if (status == NEREUS_OK)
        status = read_all(files, &samples, &provenances, &err);
    if (status == NEREUS_OK)
        status = print_answer(settings, &samples, &compare, &map, &err);
    nereus_best_map_fini(&map);
    nereus_compare_fini(&compare);
    nereus_samples_fini(&samples);
    nereus_provenances_fini(&provenances);
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}

static enum nereus_status check_settings(const struct settings *settings,
                                         const struct nereus_arguments *files,
                                         struct nereus_error *err)
{
    struct nereus_method method;
    if (!(settings->significance > 0 && settings->significance < 1)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--significance must be above 0 and below 1, not %g",
                           settings->significance);
    }
    if (settings->reference != NULL)
        NEREUS_TRY(nereus_method_parse(settings->reference, &method, err));
    if (settings->report >= 0 && settings->format != NEREUS_FORMAT_CSV) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--report names a table of csv: say --format csv, or leave it out");
    }
    for (int i = 0; i < files->count; i++) {
        if (nereus_file_is_among(files->items[i], files->items, i)) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "%s is given twice: its runs would count double", files->items[i]);
        }
    }
    return nereus_picture_check(&settings->picture, err);
}

static const char help[] =
    "Compares repeated runs of several methods, for each pair of sizes: medians with intervals, "
    "Shapiro-Wilk, Kruskal-Wallis and Conover's test, sets of equivalent methods, and a map of the "
    "best ones. Runs are rows of samples with n = 1, as `nereus validate --results` writes them. "
    "The interval of a median is 90 % or a little more, from two order statistics of at least five "
    "runs. Shapiro-Wilk is Royston's algorithm AS R94, for 3 to 5000 runs; Kruskal-Wallis is "
    "corrected for equal values, and rough for less than five runs. Only where it rejects, "
    "Conover and Iman's test compares each two methods; two share a letter if and only if they do "
    "not differ (Piepho 2004).";

int nereus_cmd_study_compare(int argc, char **argv)
{
    struct settings settings = {.correction = NEREUS_CORRECTION_HOLM,
                                .significance = 0.05,
                                .bytes = -1,
                                .iterations_before = 3,
                                .iterations_after = 97,
                                .report = -1};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings},
                                                 {"Picture of the map", nereus_picture_options,
                                                  nereus_picture_option_count, &settings.picture}};
    const struct nereus_command_line line =
        NEREUS_COMMAND_LINE("SAMPLES.csv...", help, groups, 1, INT_MAX);
    struct nereus_arguments files;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    if (check_settings(&settings, &files, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    settings.report = settings.report < 0 ? NEREUS_COMPARE_GROUPS : settings.report;
    return compare_files(&settings, &files);
}
