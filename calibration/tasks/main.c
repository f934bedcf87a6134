/**
 * @file main.c
 * nereus-calibrate TASK OPTIONS: makes one measurement under mpiexec and writes rows of samples
 * (model/include/nereus/samples.h), header line first. `nereus calibrate` runs a grid of these;
 * each can be run by hand:
 *
 *     nereus-mpiexec -n 2 libexec/nereus/nereus-calibrate spawn --new 2
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/limits.h"
#include "task.h"

static const struct nereus_task *const tasks[] = {
    &nereus_task_pingpong,   &nereus_task_spawn, &nereus_task_split,
    &nereus_task_data,       &nereus_task_node,  &nereus_task_collective,
    &nereus_task_contention, &nereus_task_stage, &nereus_task_program};
enum { TASK_COUNT = NEREUS_COUNT_OF(tasks), TASK_NAMES_BYTES = 128 };

struct arguments {
    struct nereus_task_run run;
    const struct nereus_task *task;
    const char *output;
    char host[64];
};

enum {
    KEY_NEW = 256,
    KEY_TO,
    KEY_REPEATS,
    KEY_BYTES,
    KEY_PAIR,
    KEY_HOSTS,
    KEY_CLUSTER,
    KEY_CORES,
    KEY_NODES,
    KEY_THREADS,
    KEY_BACKGROUND,
    KEY_PROGRAM,
    KEY_STAGE,
    KEY_VERBOSE
};

static const struct argp_option options[] = {
    {"new", KEY_NEW, "N", 0, "processes to spawn (spawn, program; default 1)", 0},
    {"to", KEY_TO, "N", 0, "processes that stay (split; default 1)", 0},
    {"repeats", KEY_REPEATS, "N", 0, "how often (default 1)", 0},
    {"bytes", KEY_BYTES, "N", 0,
     "one size, a power of 2 from 8 to 16777216 (pingpong, data; default: all to 16 MiB)", 0},
    {"pair", KEY_PAIR, "CLASS", 0, "same-world/same-node and so on (pingpong, node)", 0},
    {"hosts", KEY_HOSTS, "NAME[:N],...", 0, "spawn there (default: where the launcher likes)", 0},
    {"cluster", KEY_CLUSTER, "NAME", 0, "of the rows (default: this host's name)", 0},
    {"cores", KEY_CORES, "N", 0, "of a node (default: those that this process may use)", 0},
    {"nodes", KEY_NODES, "N", 0, "that the job has (default 1)", 0},
    {"threads", KEY_THREADS, "N", 0,
     "background threads in total, or starting processes (contention; default 1)", 0},
    {"background", KEY_BACKGROUND, "KIND", 0,
     "their kind: waiting, communicating or starting (contention; default waiting)", 0},
    {"program", KEY_PROGRAM, "COMMAND", 0, "command of the program that starts (program)", 0},
    {"stage", KEY_STAGE, "STAGE:GRANULARITY", 0, "what computes, as pi:100 (stage)", 0},
    {"verbose", KEY_VERBOSE, 0, 0,
     "print on standard error on which cores each process may run, and how many messages a partner "
     "exchanged (collective, contention)",
     0},
    {"output", 'o', "FILE", 0, "where the rows go (default: standard output)", 0},
    {0},
};

/* A whole positive number; otherwise the program ends with a message. */
static int64_t parse_number(struct argp_state *state, const char *option, const char *text,
                            int64_t max)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (*text == 0 || *end != 0 || value < 1 || value > max)
        argp_failure(state, 2, 0, "%s %s: a whole number from 1 to %lld is needed", option, text,
                     (long long)max);
    return value;
}

static double parse_bytes(struct argp_state *state, const char *text)
{
    char *end;
    const long long bytes = strtoll(text, &end, 10);
    if (*end != 0 || bytes < NEREUS_TASK_BYTES_MIN || bytes > NEREUS_TASK_BYTES_MAX ||
        (bytes & (bytes - 1)) != 0)
        argp_failure(state, 2, 0, "--bytes %s: a power of 2 from %d to %d is needed", text,
                     NEREUS_TASK_BYTES_MIN, NEREUS_TASK_BYTES_MAX);
    return (double)bytes;
}

static enum nereus_pair_class parse_pair_class(struct argp_state *state, const char *text)
{
    for (int i = 0; i < NEREUS_PAIR_CLASS_COUNT; i++)
        if (strcmp(text, nereus_pair_class_name((enum nereus_pair_class)i)) == 0)
            return (enum nereus_pair_class)i;
    argp_failure(
        state, 2, 0,
        "--pair %s: it is same-world or different-worlds, then /same-node or /different-nodes",
        text);
    return NEREUS_PAIR_CLASS_COUNT;
}

static enum nereus_background parse_background(struct argp_state *state, const char *text)
{
    for (int i = 0; i < NEREUS_BACKGROUND_COUNT; i++)
        if (strcmp(text, nereus_background_name((enum nereus_background)i)) == 0)
            return (enum nereus_background)i;
    argp_failure(state, 2, 0, "--background %s: it is waiting, communicating or starting", text);
    return NEREUS_BACKGROUND_COUNT;
}

/* "pingpong, spawn, ..." */
static const char *list_task_names(char text[TASK_NAMES_BYTES])
{
    text[0] = '\0';
    for (int i = 0, at = 0; i < TASK_COUNT && at < TASK_NAMES_BYTES; i++)
        at += snprintf(text + at, (size_t)(TASK_NAMES_BYTES - at), "%s%s", i > 0 ? ", " : "",
                       tasks[i]->name);
    return text;
}

static void choose_task(struct argp_state *state, struct arguments *arguments, const char *name)
{
    char names[TASK_NAMES_BYTES];
    for (int i = 0; i < TASK_COUNT; i++)
        if (strcmp(name, tasks[i]->name) == 0)
            arguments->task = tasks[i];
    if (!arguments->task)
        argp_failure(state, 2, 0, "there is no task %s: the tasks are %s", name,
                     list_task_names(names));
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct nereus_task_run *run = &arguments->run;
    char names[TASK_NAMES_BYTES];
    switch (key) {
    case KEY_NEW:
        run->new_processes = (int)parse_number(state, "--new", text, NEREUS_TASK_PROCESSES_MAX);
        break;
    case KEY_TO:
        run->staying = (int)parse_number(state, "--to", text, NEREUS_TASK_PROCESSES_MAX);
        break;
    case KEY_REPEATS:
        run->repeats = (int)parse_number(state, "--repeats", text, 1000);
        break;
    case KEY_BYTES:
        run->bytes = parse_bytes(state, text);
        break;
    case KEY_PAIR:
        run->pair = parse_pair_class(state, text);
        break;
    case KEY_HOSTS:
        run->hosts = text;
        break;
    case KEY_CLUSTER:
        run->cluster = text;
        break;
    case KEY_CORES:
        run->cores_per_node = parse_number(state, "--cores", text, 1 << 20);
        break;
    case KEY_NODES:
        run->nodes = parse_number(state, "--nodes", text, 1 << 20);
        break;
    case KEY_THREADS:
        run->threads = (int)parse_number(state, "--threads", text, 1 << 12);
        break;
    case KEY_BACKGROUND:
        run->background = parse_background(state, text);
        break;
    case KEY_PROGRAM:
        run->program = text;
        break;
    case KEY_STAGE:
        run->stage = text;
        break;
    case KEY_VERBOSE:
        run->verbose = true;
        break;
    case 'o':
        arguments->output = text;
        break;
    case ARGP_KEY_ARG:
        choose_task(state, arguments, text);
        break;
    case ARGP_KEY_END:
        if (!arguments->task)
            argp_failure(state, 2, 0, "a task is missing: one of %s", list_task_names(names));
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void set_defaults(struct arguments *arguments, char **argv)
{
    memset(arguments, 0, sizeof *arguments);
    gethostname(arguments->host, sizeof arguments->host - 1);
    arguments->run = (struct nereus_task_run){.argv = argv + 1,
                                              .new_processes = 1,
                                              .staying = 1,
                                              .threads = 1,
                                              .repeats = 1,
                                              .bytes = -1.0,
                                              .cluster = arguments->host,
                                              .cores_per_node = nereus_cores_usable(),
                                              .nodes = 1,
                                              .parent = MPI_COMM_NULL};
}

/* Rank 0 of the first world writes the rows, header first. */
static bool open_rows(struct arguments *arguments)
{
    struct nereus_task_run *run = &arguments->run;
    if (run->parent != MPI_COMM_NULL || run->rank != 0)
        return true;
    run->rows = arguments->output ? fopen(arguments->output, "w") : stdout;
    if (!run->rows) {
        perror(arguments->output);
        return false;
    }
    fprintf(run->rows, "%s\n", nereus_samples_header(false));
    return true;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {
        options, parse_option,
        "TASK",  "Measures one thing about this MPI and machine. To be run under nereus-mpiexec.",
        0,       0,
        0};
    struct arguments arguments;
    set_defaults(&arguments, argv);
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct nereus_task_run *run = &arguments.run;
    int level;
    /* MPI_THREAD_MULTIPLE slows every call: only for tasks with threads. */
    MPI_Init_thread(NULL, NULL, arguments.task->threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &level);
    MPI_Comm_get_parent(&run->parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &run->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run->size);
    bool measured = open_rows(&arguments) && arguments.task->run(run);
    if (run->rows && (fflush(run->rows) != 0 || ferror(run->rows))) {
        fprintf(stderr, "nereus-calibrate: the rows cannot be written: %s\n", strerror(errno));
        measured = false;
    }
    /* A single failed process must not leave the others waiting in MPI_Finalize. */
    if (!measured)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
