/** @file cmd_fit.c  The command nereus profile fit: fits a profile to measured samples. */

#include "model/util/file.h"
#include "model/util/standard_output.h"
#include "nereus/profile.h"
#include "nereus/provenance.h"
#include "nereus/samples.h"
#include "predictor/cli/command.h"
#include "profile_print.h"

struct settings {
    const char *output;
    const char *cluster;
    const char *hostfile;
    int64_t nodes; /* 0: not given */
};

static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_TEXT, "PROFILE.json",
     "where the profile is written (-: standard output, and no summary)",
     offsetof(struct settings, output), NULL},
    {"cluster", 0, NEREUS_OPTION_TEXT, "NAME", "which cluster, where the samples hold several",
     offsetof(struct settings, cluster), NULL},
    {"nodes", 0, NEREUS_OPTION_COUNT, "N",
     "number of nodes that they were measured on (as in the samples of a calibration; else "
     "unknown, and predictions assume as many as needed)",
     offsetof(struct settings, nodes), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "nodes of the rows without cores_per_node and hostfile, a line 'name[:cores]' each; processes "
     "fill them in order",
     offsetof(struct settings, hostfile), NULL},
};

/* Samples, and the file of each. */
struct input {
    const struct nereus_arguments *files;
    int64_t *ends; /* index after the last sample of each file */
    struct nereus_samples samples;
    struct nereus_provenances provenances; /* provenance that the files contain */
};

static enum nereus_status read_all(struct input *input, struct nereus_error *err)
{
    const struct nereus_arguments *files = input->files;
    input->ends = calloc((size_t)files->count, sizeof *input->ends);
    if (input->ends == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d files", files->count);
    for (int i = 0; i < files->count; i++) {
        enum nereus_status status = nereus_samples_read_provenance(
            files->items[i], false, &input->samples, &input->provenances, err);
        if (status != NEREUS_OK)
            return status;
        nereus_cli_note_left_out(files->items[i], input->samples.left_out,
                                 input->samples.first_left_out, NULL);
        input->ends[i] = input->samples.count;
    }
    return NEREUS_OK;
}

/* Print the summary first: if that fails, no profile is written. */
static bool print_summary(const struct nereus_profile *profile, int64_t rows, const char *output)
{
    printf("cluster %s", profile->cluster);
    nereus_profile_print_nodes(profile);
    printf(": %lld sample%s, %lld whole reconfiguration%s\n", (long long)rows,
           nereus_plural_s(rows), (long long)profile->measured_count,
           nereus_plural_s(profile->measured_count));
    nereus_profile_print_models(profile);
    printf("profile: %s\n", output);
    return nereus_output_flush();
}

/* Was the row measured on nodes of another size? Virtual nodes of one core, by which calibration
 * measures methods with groups, do not count. */
static bool is_of_other_nodes(const struct nereus_sample *row, const struct nereus_profile *profile,
                              bool calibrated)
{
    const bool virtual_nodes =
        calibrated && row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->cores_per_node == 1;
    return strcmp(row->cluster, profile->cluster) == 0 && row->machine == NULL &&
           row->cores_per_node != profile->cores_per_node && !virtual_nodes;
}

static void note_other_nodes(const struct input *input, const struct nereus_profile *profile)
{
    const struct nereus_sample *first = NULL;
    const bool calibrated = nereus_provenances_find(&input->provenances, profile->cluster) != NULL;
    int64_t others = 0;
    int from = 0, file = 0;
    for (int64_t i = 0; i < input->samples.count; i++) {
        const struct nereus_sample *row = &input->samples.rows[i];
        while (i >= input->ends[file])
            file++;
        if (is_of_other_nodes(row, profile, calibrated)) {
            from = others == 0 ? file : from;
            first = others++ == 0 ? row : first;
        }
    }
    if (first != NULL) {
        nereus_cli_note(
            "%s:%lld: %lld core%s per node where most rows of cluster '%s' have %lld: %lld such "
            "row%s as measured on nodes like that, and the profile is of nodes with %lld",
            input->files->items[from], (long long)first->line, (long long)first->cores_per_node,
            nereus_plural_s(first->cores_per_node), profile->cluster,
            (long long)profile->cores_per_node, (long long)others,
            others == 1 ? " counts" : "s count", (long long)profile->cores_per_node);
    }
}

/* Oversubscribed samples are used only for machines with a known number of nodes. */
static void note_unknown_nodes(const struct input *input, const struct nereus_profile *profile)
{
    int64_t above = 0;
    for (int64_t i = 0; i < input->samples.count; i++) {
        const struct nereus_sample *row = &input->samples.rows[i];
        above += strcmp(row->cluster, profile->cluster) == 0 && row->oversubscribed ? 1 : 0;
    }
    if (profile->nodes == 0 && above > 0) {
        nereus_cli_note(
            "%lld sample%s oversubscribed (more processes than cores), but nothing says how many "
            "nodes there were: predictions will be for as many nodes as are needed, where nothing "
            "is oversubscribed; say --nodes N here, or to predict",
            (long long)above, above == 1 ? " is" : "s are");
    }
}

/* Note samples of one cluster that were measured on different numbers of nodes. */
static void note_several_nodes(const struct input *input, const struct nereus_profile *profile)
{
    for (int64_t i = 0; i < input->provenances.count; i++) {
        const struct nereus_provenance *provenance = &input->provenances.items[i];
        if (strcmp(provenance->cluster, profile->cluster) == 0 && provenance->nodes > 0 &&
            provenance->nodes != profile->nodes) {
            nereus_cli_note(
                "some samples were measured on %lld node%s, and the profile is of %lld, as the "
                "last calibration: --nodes N says otherwise",
                (long long)provenance->nodes, nereus_plural_s(provenance->nodes),
                (long long)profile->nodes);
            return;
        }
    }
}

/* Set the provenance of the profile: the options, else the provenance of the samples. */
static void set_provenance(const struct settings *settings, const struct input *input,
                           struct nereus_profile *profile)
{
    const struct nereus_provenance *provenance =
        nereus_provenances_find(&input->provenances, profile->cluster);
    if (provenance != NULL) {
        nereus_provenance_describe(provenance, profile);
        nereus_profile_set_campaign(profile);
    }
    profile->nodes = settings->nodes > 0 ? settings->nodes : profile->nodes;
}

/* Was a row placed on the nodes of this file? */
static bool was_used(const struct input *input, const char *hostfile)
{
    bool used = false;
    for (int64_t i = 0; i < input->provenances.node_lists && !used; i++)
        used = strcmp(input->provenances.nodes[i]->path, hostfile) == 0;
    return used;
}

static void note_nodes(const struct settings *settings, const struct input *input,
                       const struct nereus_profile *profile)
{
    note_other_nodes(input, profile);
    if (settings->hostfile != NULL && !was_used(input, settings->hostfile)) {
        nereus_cli_note("--hostfile %s is not used: each row says by cores_per_node or hostfile on "
                        "what nodes it was measured",
                        settings->hostfile);
    }
    if (settings->nodes == 0) {
        note_unknown_nodes(input, profile);
        note_several_nodes(input, profile);
    }
}

static int fit_profile(const struct settings *settings, const struct input *input)
{
    const struct nereus_samples *samples = &input->samples;
    struct nereus_profile profile = {0};
    struct nereus_error err = {.status = NEREUS_OK};
    enum nereus_status status = nereus_profile_check_path(settings->output, &err);
    if (status == NEREUS_OK)
        status = nereus_profile_fit(samples, settings->cluster, &profile, &err);
    if (status == NEREUS_OK)
        set_provenance(settings, input, &profile);
    int64_t rows = 0; /* of this cluster only */
    for (int64_t i = 0; status == NEREUS_OK && i < samples->count; i++)
        rows += strcmp(samples->rows[i].cluster, profile.cluster) == 0;
    const bool summarized = strcmp(settings->output, "-") != 0;
    if (status == NEREUS_OK && summarized && !print_summary(&profile, rows, settings->output)) {
        nereus_profile_fini(&profile);
        return NEREUS_EXIT_FAILED;
    }
    if (status == NEREUS_OK) {
        status = nereus_profile_write(settings->output, &profile, &err);
        if (status == NEREUS_OK)
            note_nodes(settings, input, &profile);
        nereus_profile_fini(&profile);
    }
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}

static const char help[] =
    "Fits a machine's profile to measured samples, of `nereus calibrate` or of any other cluster.";

static const struct nereus_plain_line plain = {"SAMPLES.csv...",       help, table,
                                               NEREUS_COUNT_OF(table), 1,    INT_MAX};

int nereus_cmd_profile_fit(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments files;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &files, &exit_status))
        return exit_status;
    if (settings.output == NULL)
        return nereus_cli_fail_usage("--output PROFILE.json is missing");
    if (settings.nodes > NEREUS_EQUAL_NODES_MAX) {
        return nereus_cli_fail_usage("--nodes must be at most %d, not %lld", NEREUS_EQUAL_NODES_MAX,
                                     (long long)settings.nodes);
    }
    if (settings.hostfile != NULL && settings.nodes != 0)
        return nereus_cli_fail_usage("--hostfile says what nodes there are: leave --nodes out");
    for (int i = 0; i < files.count; i++) {
        /* --output must not be one of the input files. */
        if (nereus_file_is_same(settings.output, files.items[i]))
            return nereus_cli_fail_usage("--output is the samples file %s itself", files.items[i]);
        if (nereus_file_is_among(files.items[i], files.items, i)) {
            return nereus_cli_fail_usage("%s is given twice: its samples would count double",
                                         files.items[i]);
        }
    }
    struct input input = {.files = &files, .provenances = {.hostfile = settings.hostfile}};
    struct nereus_error err;
    if (read_all(&input, &err) == NEREUS_OK)
        exit_status = fit_profile(&settings, &input);
    else
        exit_status = nereus_cli_fail("%s", err.text);
    nereus_samples_fini(&input.samples);
    nereus_provenances_fini(&input.provenances);
    free(input.ends);
    return exit_status;
}
