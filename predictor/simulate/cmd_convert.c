/** @file cmd_convert.c  The command nereus convert: converts workloads from and to formats of other
 * simulators. */

#include "convert.h"
#include "model/util/file.h"
#include "model/util/json_reader.h"
#include "model/util/values.h"
#include "model/workload/formats.h"
#include "predictor/cli/command.h"
#include "predictor/cli/output.h"
#include "predictor/profile/profile_option.h"
#include "predictor/simulate/sim_run.h"

static const char *const formats[] = {"csv", "elastisim", NULL};
enum { CSV, ELASTISIM };

struct settings {
    const char *platform, *cluster, *output, *method;
    int64_t nodes, cores_per_node;
    int to;
    struct nereus_profile_settings profile;
};

static const struct nereus_option table[] = {
    {"to", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "csv, as `nereus simulate` reads it, or elastisim: a folder of files (csv)",
     offsetof(struct settings, to), formats},
    {"output", 'o', NEREUS_OPTION_TEXT, "PATH",
     "file, or with --to elastisim folder (standard output)", offsetof(struct settings, output),
     NULL},
    {"platform", 0, NEREUS_OPTION_TEXT, "PLATFORM.xml",
     "of a jobs file of ElastiSim: how many nodes, and how fast",
     offsetof(struct settings, platform), NULL},
    {"cluster", 0, NEREUS_OPTION_TEXT, "ID", "of a platform with several (the only one)",
     offsetof(struct settings, cluster), NULL},
    {"nodes", 0, NEREUS_OPTION_COUNT, "N", "of the platform that is written",
     offsetof(struct settings, nodes), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "C",
     "processes on each node, which ElastiSim does not count (that of the platform, else 1)",
     offsetof(struct settings, cores_per_node), NULL},
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD",
     "whose prices --to elastisim writes; best: the least RT (best)",
     offsetof(struct settings, method), NULL},
};

static enum nereus_status check_settings(const struct settings *settings, const char *path,
                                         struct nereus_error *err)
{
    NEREUS_TRY(nereus_profile_settings_check(&settings->profile, err));
    const bool nodes = settings->nodes > 0, output = settings->output != NULL;
    if (settings->to == ELASTISIM && !(nodes && output)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--to elastisim needs %s%s%s",
                           nodes ? "" : "--nodes N, of the platform",
                           nodes || output ? "" : ", and ", output ? "" : "--output FOLDER");
    }
    if (settings->to == ELASTISIM && strcmp(settings->output, "-") == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--output -: several files are written: name a folder");
    }
    if (settings->output != NULL && settings->to == CSV &&
        nereus_file_is_same(path, settings->output)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--output %s is read: name another file",
                           settings->output);
    }
    return NEREUS_OK;
}

static enum nereus_status check_format(const struct settings *settings, const char *path, bool json,
                                       struct nereus_error *err)
{
    if (settings->to == ELASTISIM && json)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is ElastiSim's already", path);
    if (settings->platform != NULL && !json) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--platform belongs to a jobs file of ElastiSim, which is JSON");
    }
    return NEREUS_OK;
}

static enum nereus_status read_platform(const struct settings *settings,
                                        struct nereus_platform *platform, struct nereus_error *err)
{
    if (settings->platform != NULL)
        NEREUS_TRY(nereus_platform_read(settings->platform, settings->cluster, platform, err));
    if (settings->nodes > 0)
        platform->nodes = settings->nodes;
    if (settings->cores_per_node > 0 || platform->cores_per_node == 0)
        platform->cores_per_node = settings->cores_per_node > 0 ? settings->cores_per_node : 1;
    if (platform->cores_per_node < 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: hosts differ in their number of cores: say how many processes a "
                           "node has with --cores-per-node",
                           settings->platform);
    }
    return NEREUS_OK;
}

/* Find the format by the first character, or by the ending .json.
 * @param[out] misused  options do not fit the format */
static enum nereus_status read_workload(const struct settings *settings, const char *path,
                                        struct nereus_platform *platform,
                                        struct nereus_workload *workload, bool *misused,
                                        struct nereus_error *err)
{
    struct nereus_text_file file;
    const char *beginning = "";
    NEREUS_TRY(nereus_text_open(path, "workload", &file, err));
    enum nereus_status status = nereus_text_peek(&file, &beginning, err);
    const bool json = nereus_json_begins(beginning) || nereus_text_has_ending_or_gz(path, ".json");
    if (status == NEREUS_OK) {
        status = check_format(settings, path, json, err);
        *misused = status != NEREUS_OK;
    }
    if (status == NEREUS_OK)
        status = read_platform(settings, platform, err);
    if (status == NEREUS_OK && json) {
        file.what = "jobs file";
        status = nereus_elastisim_read(&file, platform, workload, err);
    } else if (status == NEREUS_OK) {
        status = nereus_workload_read_text(&file, beginning, workload, err);
    }
    nereus_text_close(&file);
    return status;
}

#define GIVEN(what, cell) nereus_cell_if((job->given & NEREUS_SIM_GIVEN_##what) != 0, cell)
#define COLUMNS(X)                                                                                 \
    X("job", NULL, NULL, nereus_cell_integer(job->number))                                         \
    X("submit_s", NULL, NULL, nereus_cell_real(job->submit_s))                                     \
    X("run_s", NULL, NULL, nereus_cell_real(job->run_s))                                           \
    X("processors", NULL, NULL, nereus_cell_integer(job->processors))                              \
    X("requested_s", NULL, NULL,                                                                   \
      nereus_cell_if(job->estimate_s > job->run_s, nereus_cell_real(job->estimate_s)))             \
    X("malleable", NULL, NULL, GIVEN(MALLEABLE, nereus_cell_text(job->malleable ? "yes" : "no")))  \
    X("t_iter_s", NULL, NULL, GIVEN(T_ITER, nereus_cell_real(job->t_iter_s)))                      \
    X("scaling", NULL, NULL, GIVEN(SERIAL, nereus_cell_text(law)))                                 \
    X("bytes_per_process", NULL, NULL, GIVEN(BYTES, nereus_cell_real(job->bytes_per_process)))     \
    X("least_processors", NULL, NULL, GIVEN(MIN, nereus_cell_integer(job->min)))                   \
    X("most_processors", NULL, NULL, GIVEN(MAX, nereus_cell_integer(job->max)))                    \
    X("class", NULL, NULL,                                                                         \
      nereus_cell_text(job->app_class != NEREUS_SIM_NONE ? workload->classes[job->app_class]       \
                                                         : NULL))

/* Write CSV as nereus_workload_read reads it. */
static void print_csv(const struct nereus_workload *workload, FILE *stream)
{
    static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    char law[48], serial[32];
    nereus_csv_print_head(stream, columns, NEREUS_COUNT_OF(columns));
    for (int64_t i = 0; i < workload->count; i++) {
        const struct nereus_sim_job *job = &workload->jobs[i];
        snprintf(law, sizeof law, "amdahl:%s", nereus_format_real(job->serial, serial));
        const struct nereus_cell cells[] = {COLUMNS(NEREUS_CELL)};
        nereus_csv_print_row(stream, columns, cells, NEREUS_COUNT_OF(columns));
    }
}

static enum nereus_status write_csv(const struct settings *settings,
                                    const struct nereus_workload *workload,
                                    struct nereus_error *err)
{
    struct nereus_file_replace replace;
    if (settings->output == NULL) {
        print_csv(workload, stdout);
        return NEREUS_OK;
    }
    NEREUS_TRY(nereus_file_replace_begin(settings->output, &replace, err));
    print_csv(workload, replace.stream);
    return nereus_file_replace_commit(&replace, err);
}

/* Write prices only with --profile, because the installed profile is that of this host, not of the
 * workload's cluster. */
static enum nereus_status write_elastisim(const struct settings *settings,
                                          struct nereus_platform *platform,
                                          const struct nereus_workload *workload,
                                          struct nereus_error *err)
{
    struct nereus_profile profile;
    struct nereus_resize_prices prices;
    if (!(platform->flop_per_s > 0))
        platform->flop_per_s = 1e11;
    if (settings->profile.profile == NULL && settings->profile.synthetic == NULL)
        return nereus_elastisim_write(workload, platform, NULL, settings->output, err);
    NEREUS_TRY(nereus_profile_open(&settings->profile, NULL, &profile, err));
    enum nereus_status status = nereus_resize_prices_init(&profile, settings->method,
                                                          platform->cores_per_node, &prices, err);
    if (status == NEREUS_OK) {
        status = nereus_elastisim_write(workload, platform, &prices, settings->output, err);
        nereus_resize_prices_fini(&prices);
    }
    nereus_profile_fini(&profile);
    return status;
}

static const char help[] =
    "Converts a workload: ElastiSim's jobs (JSON), CSV or the Standard Workload Format become CSV, "
    "or the files of ElastiSim. What the other format cannot express is left out with a note. "
    "Malleable and adaptive jobs of ElastiSim are read if their iterations follow Amdahl's law to "
    "within 20 %, moldable and evolving ones with their largest number of nodes.";

int nereus_cmd_convert(int argc, char **argv)
{
    struct settings settings = {.method = "best"};
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_profile_options, nereus_profile_option_count, &settings.profile}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE("WORKLOAD", help, groups, 1, 1);
    struct nereus_arguments files;
    struct nereus_platform platform = {0};
    struct nereus_workload workload = {0};
    struct nereus_error err;
    int exit_status;
    bool misused = false;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    if (check_settings(&settings, files.items[0], &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    enum nereus_status status =
        read_workload(&settings, files.items[0], &platform, &workload, &misused, &err);
    if (misused)
        return nereus_cli_fail_usage("%s", err.text);
    if (status == NEREUS_OK) {
        nereus_workload_print_warnings(files.items[0], &workload);
        status = workload.count == 0  ? nereus_fail(&err, NEREUS_ERR_PARSE,
                                                    "%s: no job can be converted", files.items[0])
                 : settings.to == CSV ? write_csv(&settings, &workload, &err)
                                      : write_elastisim(&settings, &platform, &workload, &err);
        nereus_workload_fini(&workload);
    }
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}
