/*
 * nereus-calibrate-job: the smallest malleable program, resized along a list of sizes for the sake of its
 * trace, in which every step of every reconfiguration has its measured time.
 *
 *     nereus-mpiexec -n 2 nereus-calibrate-job --sizes 4,2 --method merge/coll --bytes 1000000 --trace FILE
 *
 * It passes POINTS_BETWEEN malleability points with an iteration of nearly nothing between two resizes. Half
 * of the bytes are constant, half variable data; every local part is written to before the first resize, so
 * that no step pays for the first touch of pages that an application would have touched long ago.
 */
#include "nereus.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 64, POINTS_BETWEEN = 3, SIZE_MAX_PROCESSES = 1 << 20 };

struct arguments {
    struct nereus_options options;
    struct nereus_resize schedule[SIZES_MAX];
    int64_t bytes;
    int exit_status;
};

enum { KEY_SIZES = 256, KEY_METHOD, KEY_BYTES, KEY_TRACE, KEY_PROGRAM, KEY_EXIT };

static const struct argp_option options[] = {
    {"sizes", KEY_SIZES, "N,N,...", 0, "to resize to, one after the other", 0},
    {"method", KEY_METHOD, "METHOD", 0, "of all resizes (default merge/coll)", 0},
    {"bytes", KEY_BYTES, "N", 0, "of distributed data (default 0)", 0},
    {"program", KEY_PROGRAM, "PATH", 0, "to spawn instead of this one, to see what happens", 0},
    {"exit", KEY_EXIT, "N", 0, "status of the processes that end the job (default 0)", 0},
    {"trace", KEY_TRACE, "FILE", 0, "where the trace goes", 0},
    {0},
};

static void parse_sizes(struct argp_state *state, const char *text, struct arguments *arguments)
{
    int64_t *count = &arguments->options.schedule_count;
    for (const char *at = text; *count < SIZES_MAX; at++) {
        char *end;
        long long size = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != 0) || size < 1 || size > SIZE_MAX_PROCESSES)
            argp_failure(state, 2, 0, "--sizes %s: numbers of processes, with commas between, are needed",
                         text);
        arguments->schedule[*count] =
            (struct nereus_resize){.point = (*count + 1) * POINTS_BETWEEN, .nt = size};
        ++*count;
        at = end;
        if (*at == 0)
            return;
    }
    argp_failure(state, 2, 0, "--sizes has more than %d sizes", SIZES_MAX);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case KEY_SIZES:
        parse_sizes(state, text, arguments);
        break;
    case KEY_METHOD:
        arguments->options.method = text;
        break;
    case KEY_BYTES:
        arguments->bytes = strtoll(text, &end, 10);
        if (*text == 0 || *end != 0 || arguments->bytes < 0)
            argp_failure(state, 2, 0, "--bytes %s: a whole number from 0 is needed", text);
        break;
    case KEY_TRACE:
        arguments->options.trace = text;
        break;
    case KEY_EXIT:
        arguments->exit_status = (int)strtol(text, &end, 10);
        if (*text == 0 || *end != 0 || arguments->exit_status < 0 || arguments->exit_status > 125)
            argp_failure(state, 2, 0, "--exit %s: a status from 0 to 125 is needed", text);
        break;
    case KEY_PROGRAM:
        arguments->options.program = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Two byte arrays, the first of them constant. */
static enum nereus_status register_data(nereus_job *job, int64_t bytes, int64_t *iteration)
{
    int ids[2], unused;
    enum nereus_status status =
        nereus_register_array(job, "constant", MPI_BYTE, bytes / 2, NEREUS_CONSTANT, &ids[0]);
    if (status == NEREUS_OK)
        status =
            nereus_register_array(job, "variable", MPI_BYTE, bytes - bytes / 2, NEREUS_VARIABLE, &ids[1]);
    if (status == NEREUS_OK)
        status =
            nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, iteration, &unused);
    for (int i = 0; i < 2 && status == NEREUS_OK && !nereus_is_joined(job); i++) {
        void *part;
        int64_t count;
        status = nereus_local(job, ids[i], &part, NULL, &count);
        if (status == NEREUS_OK && count > 0)
            memset(part, 1 + i, (size_t)count);
    }
    return status;
}

static enum nereus_status iterate(nereus_job *job, int64_t last, int64_t *iteration,
                                  enum nereus_action *action)
{
    enum nereus_status status = NEREUS_OK;
    *action = NEREUS_CONTINUE;
    while (status == NEREUS_OK && *action != NEREUS_LEAVE && *iteration < last) {
        MPI_Barrier(nereus_comm(job));
        ++*iteration;
        status = nereus_point(job, action);
    }
    return status;
}

/* Say why the last request was not carried out, if it was not. */
static bool say_undone(const nereus_job *job)
{
    const char *sentence = NULL;
    enum nereus_outcome outcome = nereus_last_outcome(job, &sentence);
    bool undone = outcome == NEREUS_OUTCOME_REFUSED || outcome == NEREUS_OUTCOME_FAILED;
    if (undone && nereus_rank(job) == 0)
        printf("undone=%s: %s\n", outcome == NEREUS_OUTCOME_FAILED ? "failed" : "refused",
               sentence ? sentence : "");
    return undone;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "", "A tiny malleable program, for its trace.",
                                       0,       0,     0};
    struct arguments arguments = {.options = NEREUS_OPTIONS_INIT};
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    arguments.options.schedule = arguments.schedule;
    nereus_job *job;
    enum nereus_status status = nereus_init(&argc, &argv, &arguments.options, &job);
    if (status != NEREUS_OK)
        return status == NEREUS_ERR_CALLED_OFF ? EXIT_SUCCESS : EXIT_FAILURE;
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0, last = (arguments.options.schedule_count + 1) * POINTS_BETWEEN;
    status = register_data(job, arguments.bytes, &iteration);
    if (status == NEREUS_OK)
        status = iterate(job, last, &iteration, &action);
    if (status != NEREUS_OK)
        fprintf(stderr, "nereus-calibrate-job: %s\n", nereus_last_error(job));
    bool undone = say_undone(job);
    if (nereus_finalize(&job) != NEREUS_OK)
        status = NEREUS_ERR_MPI;
    if (status != NEREUS_OK || undone)
        return EXIT_FAILURE;
    return action == NEREUS_LEAVE ? EXIT_SUCCESS : arguments.exit_status;
}
