/**
 * @file main.c
 * nereus-sam: the command line, and how the configuration reaches every process.
 *
 * --check, --processes and --keys work without MPI. Otherwise one process reads the file and
 * broadcasts it; new processes receive it as the job's user state (Martín-Álvarez et al. (2024b),
 * section 4.3).
 */
#include <argp.h>
#include <errno.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "config.h"
#include "events.h"
#include "explain.h"
#include "keys.h"
#include "model/util/file.h"
#include "model/util/standard_output.h"
#include "model/util/text.h"
#include "nereus/nereus.h"
#include "results.h"
#include "run.h"
#include "trace_rt.h"

const char *argp_program_version = "nereus-sam " NEREUS_VERSION;

static const char doc[] =
    "Run a synthetic application that changes its number of processes while it runs."
    "\vAPP.ini says what an iteration does, how many of them each group of processes carries out, "
    "and how to get from one group to the next:\n\n"
    "    nereus-mpiexec -n $(nereus-sam --processes APP.ini) nereus-sam APP.ini";

enum mode { MODE_RUN, MODE_CHECK, MODE_PROCESSES, MODE_KEYS, MODE_INIT };

struct command {
    enum mode mode;
    const char *file;
    const char *results;
    const char *format;
};

static const struct argp_option argp_options[] = {
    {"check", 'c', NULL, 0, "Check APP.ini, say in words what it does, and end (no MPI needed)", 0},
    {"processes", 'p', NULL, 0,
     "Check APP.ini, print the number of processes to start, end (no MPI needed)", 0},
    {"keys", 'k', NULL, 0, "Print all keys of a configuration and end (no MPI needed)", 0},
    {"init", 'i', NULL, 0,
     "Write a commented APP.ini, which must not exist, and end (no MPI needed)", 0},
    {"results", 'r', "FILE", 0,
     "Write the results to FILE as JSON, or with the ending .jsonl an event for each iteration, "
     "stage and step, while the job runs (instead of the key 'results')",
     0},
    {"format", 'f', "text|json", 0, "How to print the results (default: text)", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct command *command = state->input;
    switch (key) {
    case 'c':
        command->mode = MODE_CHECK;
        break;
    case 'p':
        command->mode = MODE_PROCESSES;
        break;
    case 'k':
        command->mode = MODE_KEYS;
        break;
    case 'i':
        command->mode = MODE_INIT;
        break;
    case 'r':
        command->results = argument;
        break;
    case 'f':
        if (strcmp(argument, "text") != 0 && strcmp(argument, "json") != 0)
            argp_error(state, "--format takes text or json, not '%s'", argument);
        command->format = argument;
        break;
    case ARGP_KEY_ARG:
        if (command->file) {
            argp_error(state, "one configuration only: '%s' and '%s' are given", command->file,
                       argument);
        }
        command->file = argument;
        break;
    case ARGP_KEY_END:
        if (!command->file && command->mode != MODE_KEYS)
            argp_error(state, "no configuration given: nereus-sam APP.ini");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_error(const char *sentence)
{
    fflush(stdout);
    fprintf(stderr, "nereus-sam: %s\n", sentence);
}

/* ---- without MPI ----------------------------------------------------------------------------- */

static enum nereus_status load_config(const char *file, char **text, struct sam_config *config,
                                      struct nereus_error *err)
{
    enum nereus_status status = nereus_file_read(file, "configuration", text, NULL, err);
    if (status == NEREUS_OK) {
        status = sam_config_parse(file, *text, config, err);
        if (status != NEREUS_OK)
            free(*text);
    }
    return status;
}

static void print_check(const char *file, const struct sam_config *config)
{
    printf("%s: good. %lld stage%s, %lld iteration%s, %lld + %lld bytes (constant + variable); "
           "processes:",
           file, (long long)config->stage_count, nereus_plural_s(config->stage_count),
           (long long)sam_config_first_iteration(config, config->group_count),
           nereus_plural_s(sam_config_first_iteration(config, config->group_count)),
           (long long)config->constant_bytes, (long long)config->variable_bytes);
    for (int64_t g = 0; g < config->group_count; g++) {
        if (g > 0)
            printf(" -[%s]->", config->groups[g].method);
        printf(" %lld", (long long)config->groups[g].processes);
    }
    putchar('\n');
}

static int check_config(const struct command *command, struct sam_config *config)
{
    struct nereus_error err;
    char *text;
    if (load_config(command->file, &text, config, &err) != NEREUS_OK) {
        print_error(err.text);
        return EXIT_FAILURE;
    }
    free(text);
    fputs(config->notes, stderr);
    if (command->mode == MODE_PROCESSES) {
        printf("%lld\n", (long long)config->groups[0].processes);
    } else {
        print_check(command->file, config);
        sam_explain(config, stdout);
    }
    return EXIT_SUCCESS;
}

/* Write a template to a new file; an existing file is never overwritten. */
static int write_template(const char *path)
{
    FILE *file = fopen(path, "wxe");
    char sentence[400];
    if (file)
        sam_template_print(file);
    if (!file || (ferror(file) != 0) + (fclose(file) != 0) > 0) {
        snprintf(sentence, sizeof sentence, "%.300s cannot be written: %s", path, strerror(errno));
        print_error(sentence);
        if (file) /* a rest of it would make the next attempt fail */
            unlink(path);
        return EXIT_FAILURE;
    }
    printf("%s: written; `nereus run --check` says in words what it does\n", path);
    return EXIT_SUCCESS;
}

/* ---- the configuration reaches all processes ------------------------------------------------- */

/* Rank 0: read the configuration.
 * @param[out] buffer  to be freed */
static enum nereus_status read_bundle(const struct command *command, struct sam_config *config,
                                      char **buffer, size_t *bytes, struct nereus_error *err)
{
    int size;
    char *text;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    enum nereus_status status = load_config(command->file, &text, config, err);
    if (status != NEREUS_OK)
        return status;
    fputs(config->notes, stderr);
    const char *results = command->results ? command->results : config->results;
    const int64_t wanted = config->groups[0].processes;
    if (wanted != size) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "%.200s: [group0] has Procs = %lld, but %d process%s %s started: "
                             "nereus-mpiexec -n %lld nereus-sam ...",
                             command->file, (long long)wanted, size, nereus_plural_es(size),
                             nereus_choose_plural(size, "was", "were"), (long long)wanted);
    } else if (results[0] && nereus_file_is_same(results, command->file)) {
        status =
            nereus_fail(err, NEREUS_ERR_ARGUMENT,
                        "%.200s: the results would replace this file: name another one for them",
                        command->file);
    } else if (results[0]) {
        status = sam_results_check_path(results, err);
    }
    if (status == NEREUS_OK && sam_events_are_wanted(results))
        status = sam_events_begin(results, command->file, config, err);
    if (status == NEREUS_OK) {
        const char *const parts[SAM_BUNDLE_PARTS] = {[SAM_BUNDLE_FILE] = command->file,
                                                     [SAM_BUNDLE_TEXT] = text,
                                                     [SAM_BUNDLE_RESULTS] = results,
                                                     [SAM_BUNDLE_FORMAT] = command->format};
        status = sam_bundle_pack(parts, buffer, bytes, err);
    }
    free(text);
    return status;
}

/* Broadcast the configuration to the initial processes.
 * @return false: rank 0 failed and has printed why */
static bool broadcast_bundle(const struct command *command, struct sam_config *config,
                             char **buffer, size_t *bytes)
{
    int rank;
    struct nereus_error err;
    int64_t size = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (read_bundle(command, config, buffer, bytes, &err) == NEREUS_OK)
            size = (int64_t)*bytes;
        else
            print_error(err.text);
    }
    MPI_Bcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (size < 0)
        return false;
    if (rank != 0) {
        *bytes = (size_t)size;
        *buffer = malloc(*bytes);
        if (!*buffer) {
            print_error("no memory for the configuration");
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    }
    MPI_Bcast(*buffer, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    return true;
}

/* ---- with MPI -------------------------------------------------------------------------------- */

static const char *get_text_or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static const char *get_events_name(const char *results)
{
    return sam_events_are_wanted(results) ? results : NULL;
}

/* Make the schedule: a change to each group after the iterations of the group before. */
static struct nereus_resize *make_schedule(const struct sam_config *config)
{
    struct nereus_resize *schedule = calloc((size_t)config->group_count, sizeof *schedule);
    for (int64_t g = 1; schedule && g < config->group_count; g++) {
        schedule[g - 1] = (struct nereus_resize){.point = sam_config_first_iteration(config, g),
                                                 .nt = config->groups[g].processes,
                                                 .method = config->groups[g].method};
    }
    return schedule;
}

/* Set the placement (Dist) of each group that a change leads to.
 * @return false: a group cannot be spread */
static bool place_groups(const struct sam_config *config, nereus_job *job)
{
    bool good = true;
    for (int64_t g = 1; good && g < config->group_count; g++)
        good = config->groups[g].placement == 0 || nereus_schedule_spread(job, g - 1) == NEREUS_OK;
    return good;
}

/* Start the job in its first processes.
 * @return false: failed with a message */
static bool begin_job(const struct command *command, int *argc, char ***argv,
                      struct sam_config *config, nereus_job **job)
{
    char *buffer = NULL;
    size_t bytes = 0;
    if (!broadcast_bundle(command, config, &buffer, &bytes))
        return false;
    const char *parts[SAM_BUNDLE_PARTS];
    struct nereus_error err;
    struct nereus_resize *schedule = NULL;
    enum nereus_status status = sam_bundle_unpack(buffer, bytes, parts, &err);
    if (status == NEREUS_OK)
        status = sam_config_parse(parts[SAM_BUNDLE_FILE], parts[SAM_BUNDLE_TEXT], config, &err);
    schedule = status == NEREUS_OK ? make_schedule(config) : NULL;
    if (!schedule) {
        print_error(status == NEREUS_OK ? "no memory for the schedule" : err.text);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* the other processes continue */
    } else {
        struct nereus_options options = NEREUS_OPTIONS_INIT;
        options.schedule = schedule;
        options.schedule_count = config->reconfigurations;
        options.program = get_text_or_null(config->program);
        options.hostfile = get_text_or_null(config->hostfile);
        options.slots = config->slots;
        options.iterations = sam_config_first_iteration(config, config->group_count);
        options.scaling = sam_config_law(config);
        options.trace = sam_events_find_trace(config, parts[SAM_BUNDLE_RESULTS]);
        options.state = get_text_or_null(config->state);
        options.user_state = buffer;
        options.user_state_bytes = bytes;
        status = nereus_init(argc, argv, &options, job); /* prints its own message */
        if (status == NEREUS_OK && !place_groups(config, *job)) {
            print_error(nereus_last_error(*job));
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    }
    free(schedule);
    free(buffer);
    return status == NEREUS_OK;
}

/* A new process joins and receives the configuration. */
static bool join_job(int *argc, char ***argv, struct sam_config *config, nereus_job **job)
{
    if (nereus_init(argc, argv, NULL, job) != NEREUS_OK)
        return false;
    const char *parts[SAM_BUNDLE_PARTS];
    struct nereus_error err;
    size_t bytes;
    const char *buffer = nereus_user_state(*job, &bytes);
    enum nereus_status status = sam_bundle_unpack(buffer, bytes, parts, &err);
    if (status == NEREUS_OK)
        status = sam_config_parse(parts[SAM_BUNDLE_FILE], parts[SAM_BUNDLE_TEXT], config, &err);
    if (status != NEREUS_OK) {
        print_error(err.text);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* the job waits for this process */
    }
    return true;
}

/* Write the results, at rank 0 of the last group. */
static enum nereus_status write_results(const struct sam_results *results,
                                        const char *const parts[SAM_BUNDLE_PARTS],
                                        struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    if (strcmp(parts[SAM_BUNDLE_FORMAT], "json") == 0)
        status = sam_results_print_json(results, stdout, err);
    else
        sam_results_print(results, stdout);
    fflush(stdout);
    if (status == NEREUS_OK && parts[SAM_BUNDLE_RESULTS][0] &&
        !sam_events_are_wanted(parts[SAM_BUNDLE_RESULTS]))
        status = sam_results_write(results, parts[SAM_BUNDLE_RESULTS], err);
    return status;
}

/* Errors that did not end the job become the exit status of its last processes. */
static int report_exit_status(const struct sam_results *results, int rank)
{
    const int64_t wrong = sam_results_count_wrong(results),
                  not_resized = sam_results_count_not_resized(results);
    char sentence[200];
    if (rank == 0 && wrong > 0) {
        snprintf(sentence, sizeof sentence, "%lld element%s %s wrong after a reconfiguration",
                 (long long)wrong, nereus_plural_s(wrong),
                 nereus_choose_plural(wrong, "was", "were"));
        print_error(sentence);
    }
    if (rank == 0 && not_resized > 0) {
        snprintf(sentence, sizeof sentence,
                 "%lld of %lld reconfiguration%s %s not carried out; the job went on without them",
                 (long long)not_resized, (long long)results->config->reconfigurations,
                 nereus_plural_s(results->config->reconfigurations),
                 nereus_choose_plural(not_resized, "was", "were"));
        print_error(sentence);
    }
    return wrong + not_resized > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int finish_run(const struct sam_config *config, const struct sam_run *run,
                      const char *const parts[SAM_BUNDLE_PARTS])
{
    if (!run->ended_here)
        return EXIT_SUCCESS;
    struct nereus_error err = {NEREUS_OK, ""};
    struct sam_results results = {.file = parts[SAM_BUNDLE_FILE],
                                  .config = config,
                                  .records = run->records,
                                  .t_op_s = {run->t_op_s[0], run->t_op_s[1]},
                                  .t_op_of_profile = run->t_op_s[SAM_T_OP_FROM_PROFILE] > 0};
    int status = report_exit_status(&results, run->rank);
    if (run->rank == 0) {
        double *rt_s =
            sam_trace_read_rt(config, sam_events_find_trace(config, parts[SAM_BUNDLE_RESULTS]));
        results.rt_s = rt_s;
        if (write_results(&results, parts, &err) != NEREUS_OK) {
            print_error(err.text);
            status = EXIT_FAILURE;
        }
        free(rt_s);
    }
    return status;
}

/* Every process reads the thread level before MPI starts; a file that cannot be read, or has
 * mistakes, is reported later, by rank 0; what can be read only once (a pipe) is left to it. */
static int find_thread_level(const char *file, struct sam_config *config)
{
    char *text;
    struct stat kind;
    struct nereus_error err;
    if (file == NULL || stat(file, &kind) != 0 || !S_ISREG(kind.st_mode) ||
        nereus_file_read(file, "configuration", &text, NULL, &err) != NEREUS_OK)
        return MPI_THREAD_MULTIPLE;
    const bool single =
        sam_config_parse(file, text, config, &err) == NEREUS_OK && config->threads_single;
    free(text);
    return single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE;
}

static int run_job(const struct command *command, int *argc, char ***argv,
                   struct sam_config *config)
{
    int thread_level;
    nereus_job *job;
    MPI_Init_thread(argc, argv, find_thread_level(command->file, config), &thread_level);
    const bool begun = nereus_will_join() ? join_job(argc, argv, config, &job)
                                          : begin_job(command, argc, argv, config, &job);
    if (!begun) {
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    /* Copy the configuration: the job's copy is freed with the job. */
    size_t bytes;
    const char *state = nereus_user_state(job, &bytes);
    const char *parts[SAM_BUNDLE_PARTS];
    char *copy = malloc(bytes);
    struct sam_run run;
    struct nereus_error err = {NEREUS_OK, "no memory for the configuration"};
    if (!copy || sam_bundle_unpack(memcpy(copy, state, bytes), bytes, parts, &err) != NEREUS_OK ||
        sam_run_execute(config, get_events_name(parts[SAM_BUNDLE_RESULTS]), job, &run, &err) !=
            NEREUS_OK) {
        print_error(err.text);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    int status = nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
    if (status == EXIT_SUCCESS)
        status = finish_run(config, &run, parts);
    status = run.results_lost ? EXIT_FAILURE : status;
    sam_run_fini(&run);
    free(copy);
    MPI_Finalize();
    return status;
}

int main(int argc, char **argv)
{
    static struct sam_config config; /* large */
    struct command command = {.format = "text"};
    const struct argp argp = {argp_options, parse_option, "APP.ini", doc, NULL, NULL, NULL};
    nereus_output_begin(NULL);
    argp_parse(&argp, argc, argv, 0, NULL, &command);
    switch (command.mode) {
    case MODE_KEYS:
        nereus_ini_keys_print(&sam_table, stdout);
        return EXIT_SUCCESS;
    case MODE_CHECK:
    case MODE_PROCESSES:
        return check_config(&command, &config);
    case MODE_INIT:
        return write_template(command.file);
    case MODE_RUN:
        break;
    }
    return run_job(&command, &argc, &argv, &config);
}
