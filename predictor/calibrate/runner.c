/** @file runner.c  Runs one cell of a calibration's grid and reads its rows. */
#include "runner.h"

#include <unistd.h>

#include "model/trace/trace.h"
#include "model/util/file.h"
#include "model/util/strings.h"
#include "predictor/cli/command.h"
#include "predictor/run/child.h"
#include "predictor/run/this_machine.h"

enum nereus_status nereus_calibration_runner_init(struct nereus_calibration_runner *runner,
                                                  const char *scratch_beside,
                                                  struct nereus_error *err)
{
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", runner->mpiexec, err));
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "nereus-calibrate", runner->tasks, err));
    NEREUS_TRY(
        nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "nereus-calibrate-job", runner->job, err));
    snprintf(runner->launch_hosts, sizeof runner->launch_hosts, "%s.task.hosts", scratch_beside);
    return snprintf(runner->scratch, PATH_MAX, "%s.task", scratch_beside) < PATH_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long", scratch_beside);
}

/* ---- command lines ---- */

/* Append the node of a spawned process. */
static void add_spawn_host(const struct nereus_calibration_runner *runner, int64_t node,
                           struct nereus_strings *words)
{
    char name[NEREUS_NODE_NAME_MAX];
    if (runner->machine->node_count > node) {
        nereus_node_host(runner->machine, node, name);
        nereus_strings_add_format(words, "--hosts=%s", name);
    }
}

/* Append the nodes of the new processes of a spawn, compactly after the old ones:
 * "host0:2,host1:1". */
static void add_spawn_hosts(const struct nereus_calibration_runner *runner,
                            const struct nereus_calibration_cell *cell,
                            struct nereus_strings *words)
{
    char *list = NULL, name[NEREUS_NODE_NAME_MAX];
    size_t length = 0;
    FILE *stream = open_memstream(&list, &length);
    for (int64_t node = 0; stream != NULL && node < runner->machine->node_count; node++) {
        int64_t there = nereus_machine_node_processes(runner->machine, cell->processes,
                                                      cell->new_processes, node);
        if (there > 0) {
            nereus_node_host(runner->machine, node, name);
            fprintf(stream, "%s%s:%lld", ftell(stream) > 0 ? "," : "--hosts=", name,
                    (long long)there);
        }
    }
    if (stream == NULL || fclose(stream) != 0)
        words->broken = true;
    else if (length > 0)
        nereus_strings_add(words, list);
    free(list);
}

static void add_task_words(const struct nereus_calibration_runner *runner,
                           const struct nereus_calibration_cell *cell, struct nereus_strings *words)
{
    bool several = runner->hostfile != NULL && runner->machine->node_count > 1;
    bool inter_node = cell->pair == NEREUS_PAIR_DIFFERENT_WORLDS_DIFFERENT_NODES;
    nereus_strings_add(words, runner->tasks);
    switch (cell->task) {
    case NEREUS_CELL_PINGPONG:
        nereus_strings_add(words, "pingpong");
        nereus_strings_add_format(words, "--pair=%s", nereus_pair_class_name(cell->pair));
        if (several && cell->processes == 1)
            add_spawn_host(runner, inter_node ? 1 : 0, words);
        break;
    case NEREUS_CELL_DATA:
        nereus_strings_add(words, "data");
        if (several && cell->processes == 1)
            add_spawn_host(runner, 0, words);
        break;
    case NEREUS_CELL_NODE:
        nereus_strings_add(words, "node");
        nereus_strings_add_format(words, "--pair=%s", nereus_pair_class_name(cell->pair));
        break;
    case NEREUS_CELL_SPLIT:
        nereus_strings_add(words, "split");
        nereus_strings_add_format(words, "--to=%lld", (long long)cell->staying_processes);
        break;
    case NEREUS_CELL_COLLECTIVE:
        nereus_strings_add(words, "collective");
        break;
    case NEREUS_CELL_CONTENTION:
        nereus_strings_add(words, "contention");
        nereus_strings_add_format(words, "--threads=%lld", (long long)cell->threads);
        nereus_strings_add_format(words, "--background=%s",
                                  nereus_background_name(cell->background));
        break;
    case NEREUS_CELL_STAGE:
        nereus_strings_add(words, "stage");
        nereus_strings_add_format(words, "--stage=%s", cell->program);
        break;
    case NEREUS_CELL_SPAWN:
    case NEREUS_CELL_PROGRAM:
        nereus_strings_add(words, cell->task == NEREUS_CELL_SPAWN ? "spawn" : "program");
        nereus_strings_add_format(words, "--new=%lld", (long long)cell->new_processes);
        if (cell->task == NEREUS_CELL_PROGRAM)
            nereus_strings_add_format(words, "--program=%s", cell->program);
        if (several)
            add_spawn_hosts(runner, cell, words);
        break;
    case NEREUS_CELL_JOB:
        break;
    }
    nereus_strings_add_format(words, "--output=%s", runner->scratch);
}

static void add_job_words(const struct nereus_calibration_runner *runner,
                          const struct nereus_calibration_cell *cell, struct nereus_strings *words)
{
    char sizes[NEREUS_CELL_SIZES_MAX * (NEREUS_METHOD_TEXT_MAX + 24)] = "";
    for (int i = 0; i < cell->size_count; i++) {
        const char *method = cell->methods[i];
        nereus_append(sizes, sizeof sizes, "%s%lld%s%s", i > 0 ? "," : "",
                      (long long)cell->sizes[i], method != NULL ? ":" : "",
                      method != NULL ? method : "");
    }
    nereus_strings_add(words, runner->job);
    nereus_strings_add_format(words, "--sizes=%s", sizes);
    nereus_strings_add_format(words, "--method=%s", cell->method);
    nereus_strings_add_format(words, "--bytes=%lld", (long long)cell->bytes);
    nereus_strings_add_format(words, "--iterate=%lld", (long long)cell->iterate_us);
    if (cell->constant)
        nereus_strings_add(words, "--constant");
    nereus_strings_add_format(words, "--trace=%s", runner->scratch);
}

/* Append the hosts of mpiexec: pairs of one world are on the nodes of their class. */
static void add_host_words(const struct nereus_calibration_runner *runner,
                           const struct nereus_calibration_cell *cell, struct nereus_strings *words)
{
    char first[NEREUS_NODE_NAME_MAX], second[NEREUS_NODE_NAME_MAX];
    if (runner->hostfile == NULL || runner->machine->node_count < 2)
        return;
    const long long processes = cell->processes, each = processes / 2;
    const bool pairs =
        each > 0 && (cell->task == NEREUS_CELL_PINGPONG || cell->task == NEREUS_CELL_DATA ||
                     cell->task == NEREUS_CELL_NODE);
    nereus_node_host(runner->machine, 0, first);
    nereus_node_host(runner->machine, 1, second);
    if (!pairs && cell->task != NEREUS_CELL_CONTENTION) {
        nereus_strings_add(words, "-f");
        nereus_strings_add(words, runner->launch_hosts);
        return;
    }
    nereus_strings_add(words, "-hosts");
    if (pairs && cell->pair != NEREUS_PAIR_SAME_WORLD_SAME_NODE)
        nereus_strings_add_format(words, "%s:%lld,%s:%lld", first, each, second, each);
    else
        nereus_strings_add_format(words, "%s:%lld", first, pairs ? 2 * each : processes);
}

/* @return NULL: no memory */
static char **make_command_line(const struct nereus_calibration_runner *runner,
                                const struct nereus_calibration_cell *cell)
{
    struct nereus_strings words = {0};
    nereus_strings_add(&words, runner->mpiexec);
    add_host_words(runner, cell, &words);
    nereus_strings_add(&words, "-n");
    nereus_strings_add_format(&words, "%lld", (long long)cell->processes);
    if (cell->task == NEREUS_CELL_JOB)
        add_job_words(runner, cell, &words);
    else
        add_task_words(runner, cell, &words);
    return nereus_strings_take(&words);
}

/* ---- rows ---- */

/* Is it a reconfiguration whose total time is representative of its method? */
static bool is_representative(const struct nereus_trace *trace,
                              const struct nereus_trace_event *event)
{
    /* If zombies were woken instead of spawning, only the steps are representative. */
    return event->kind == NEREUS_TRACE_RECONFIGURATION && strcmp(event->outcome, "resized") == 0 &&
           !nereus_trace_has_step(trace, event->reconfiguration, NEREUS_STEP_WAKE);
}

/* Correct a row that was measured on virtual nodes. Its oversubscription is by this host's cores,
 * not by the declared nodes as in the trace. The placement matters for a whole reconfiguration, so
 * that its row has a machine with nodes of one core; its steps have this machine. */
static void adapt_to_virtual_nodes(const struct nereus_calibration_runner *runner,
                                   const struct nereus_calibration_cell *cell,
                                   const struct nereus_trace_event *event,
                                   struct nereus_sample *row)
{
    const bool merge = nereus_method_resolve(&event->method).process == NEREUS_MERGE;
    const int64_t larger = event->ns > event->nt ? event->ns : event->nt;
    if (cell->virtual_nodes == 0)
        return;
    row->oversubscribed =
        nereus_machine_is_oversubscribed(runner->machine, merge ? larger : event->ns + event->nt);
    row->cores_per_process = 1;
    row->cores_per_node = event->kind == NEREUS_TRACE_RECONFIGURATION ? 1 : row->cores_per_node;
}

/* Add the overlapped iterations of an asynchronous reconfiguration to its row. */
static void add_iterations(const struct nereus_trace *trace, const struct nereus_trace_event *event,
                           struct nereus_sample *row)
{
    const struct nereus_trace_event *overlapped =
        nereus_trace_iterations(trace, event->reconfiguration);
    if (event->kind == NEREUS_TRACE_RECONFIGURATION &&
        nereus_method_is_overlapped(&event->method) && overlapped != NULL) {
        row->t_iter_ns_s = overlapped->t_iter_s;
        row->iterations = overlapped->iterations;
        row->ct_s = overlapped->iterations * overlapped->overlapped_s;
    }
}

/* Add a row for a redistribution between nodes, with all data of its steps, because its time
 * depends on the placement of the processes. A row has no host file, so that the nodes must be
 * equal. */
static void add_redistribution(const struct nereus_calibration_runner *runner,
                               const struct nereus_trace *trace,
                               const struct nereus_trace_event *event, struct nereus_samples *rows)
{
    struct nereus_sample row;
    const int64_t max = nereus_max(event->ns, event->nt);
    const bool unequal = nereus_machine_total_cores(runner->machine) !=
                         runner->machine->node_count * runner->machine->cores_per_node;
    nereus_trace_sample(event, runner->cluster, runner->machine, &row);
    if (unequal || !(row.bytes > 0) || row.oversubscribed ||
        nereus_method_is_overlapped(&event->method) ||
        nereus_machine_is_one_node(runner->machine, max))
        return;
    row.kind = NEREUS_SAMPLE_REDISTRIBUTION;
    row.rt_s = NAN;
    if (nereus_method_resolve(&event->method).process == NEREUS_BASELINE &&
        row.method.data == NEREUS_COLL)
        row.method.data = NEREUS_P2P; /* coll sends messages between two groups, too */
    row.time_s = 0;
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *step = &trace->events[i];
        if (step->kind == NEREUS_TRACE_STEP && step->step_kind == NEREUS_STEP_REDISTRIBUTE &&
            step->reconfiguration == event->reconfiguration)
            row.time_s += step->time_s;
    }
    if (row.time_s > 0)
        rows->rows[rows->count++] = row;
}

/* Add the rows of a trace. The row of a whole reconfiguration follows those of its steps, and
 * counts as the run. */
static enum nereus_status read_trace_rows(const struct nereus_calibration_runner *runner,
                                          const struct nereus_calibration_cell *cell,
                                          struct nereus_samples *rows, struct nereus_error *err)
{
    struct nereus_trace trace;
    NEREUS_TRY(nereus_trace_read(runner->scratch, &trace, err));
    nereus_cli_note_left_out(runner->scratch, trace.left_out.lines, trace.left_out.first,
                             trace.left_out.why);
    int resized = 0;
    rows->rows = calloc(2 * (size_t)trace.count + 1, sizeof *rows->rows);
    for (int64_t i = 0; i < trace.count && rows->rows != NULL; i++) {
        const struct nereus_trace_event *event = &trace.events[i];
        const bool is_resized =
            event->kind == NEREUS_TRACE_RECONFIGURATION && strcmp(event->outcome, "resized") == 0;
        resized += is_resized;
        if (is_representative(&trace, event) || nereus_trace_is_typical(event)) {
            struct nereus_sample *row = &rows->rows[rows->count++];
            nereus_trace_sample(event, runner->cluster, runner->machine, row);
            adapt_to_virtual_nodes(runner, cell, event, row);
            add_iterations(&trace, event, row);
        }
        if (is_resized && cell->virtual_nodes == 0)
            add_redistribution(runner, &trace, event, rows);
    }
    nereus_trace_fini(&trace);
    NEREUS_TRY_MEMORY(rows->rows, err, "for the rows of a trace");
    if (resized != cell->size_count) {
        return nereus_fail(err, NEREUS_ERR_MPI, "carried out %d of %d reconfiguration%s", resized,
                           cell->size_count, nereus_plural_s(cell->size_count));
    }
    return NEREUS_OK;
}

static enum nereus_status read_task_rows(const struct nereus_calibration_runner *runner,
                                         const struct nereus_calibration_cell *cell,
                                         struct nereus_samples *rows, struct nereus_error *err)
{
    NEREUS_TRY(nereus_samples_read(runner->scratch, false, rows, err));
    if (rows->left_out > 0)
        return nereus_fail(err, NEREUS_ERR_IO, "its samples were not written to their end");
    /* tasks take one core each */
    const int64_t cores_per_process = nereus_machine_cores_per_process(runner->machine);
    const bool oversubscribed =
        cell->peak_processes > cores_per_process * nereus_machine_total_cores(runner->machine);
    for (int64_t i = 0; i < rows->count; i++) {
        struct nereus_sample *row = &rows->rows[i];
        snprintf(row->cluster, sizeof row->cluster, "%s", runner->cluster);
        row->cores_per_node = runner->machine->cores_per_node * cores_per_process;
        row->oversubscribed = oversubscribed;
    }
    return NEREUS_OK;
}

/* ---- running ---- */

struct listener {
    const struct nereus_calibration_runner *runner;
    char sentence[256]; /* the first relevant line on stderr */
};

static void read_line(void *user, const char *line, bool is_stderr)
{
    static const char warning[] = "nereus: warning: ";
    struct listener *listener = user;
    if (is_stderr && nereus_child_line_has_text(line) && !nereus_text_begins_with(line, warning) &&
        listener->sentence[0] == '\0') {
        snprintf(listener->sentence, sizeof listener->sentence, "%s", line);
        const size_t last = strlen(listener->sentence) - 1; /* the next line is not printed */
        if (listener->sentence[last] == ':')
            listener->sentence[last] = '\0';
    }
}

static void forward_tick(void *user)
{
    const struct listener *listener = user;
    if (listener->runner->on_tick != NULL)
        listener->runner->on_tick(listener->runner->user);
}

static enum nereus_status check_run(const struct nereus_child *child,
                                    const struct nereus_child_result *result,
                                    const struct listener *listener, struct nereus_error *err)
{
    char outcome[96];
    if (result->interrupt != 0)
        return nereus_fail(err, NEREUS_ERR_STATE, "interrupted");
    if (result->exit_status != 0 || result->timed_out) {
        return nereus_fail(err, NEREUS_ERR_MPI, "%s%s%s",
                           nereus_child_format_outcome(child, result, outcome),
                           listener->sentence[0] != '\0' ? ": " : "", listener->sentence);
    }
    if (result->left_behind > 0) {
        return nereus_fail(err, NEREUS_ERR_MPI, "left %d process%s behind, which were ended",
                           result->left_behind, nereus_plural_es(result->left_behind));
    }
    return NEREUS_OK;
}

/* Declare virtual nodes of one core each, all of them on this host. */
static enum nereus_status write_nodes(const char *path, int64_t count, struct nereus_error *err)
{
    struct nereus_file_replace file;
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    file.transient = true;
    for (int64_t i = 0; i < count; i++)
        fprintf(file.stream, "localhost/n%lld:1\n", (long long)i);
    return nereus_file_replace_commit(&file, err);
}

/* Write the files that declare the nodes to the launcher, and virtual ones to the runtime. */
static enum nereus_status declare_nodes(const struct nereus_calibration_runner *runner,
                                        const struct nereus_calibration_cell *cell,
                                        const char *nodes, struct nereus_error *err)
{
    if (runner->hostfile != NULL)
        NEREUS_TRY(nereus_launch_hosts_write(runner->machine, runner->launch_hosts, err));
    return cell->virtual_nodes > 0 ? write_nodes(nodes, cell->virtual_nodes, err) : NEREUS_OK;
}

/* Make the environment of a job.
 * @param nodes   file of the virtual nodes
 * @param folder  for the checkpoints of a restart; "": no restart
 * @return NULL: no memory */
static char **make_environment(const struct nereus_calibration_runner *runner,
                               const struct nereus_calibration_cell *cell, const char *nodes,
                               const char *folder)
{
    struct nereus_strings list = {0};
    const bool is_virtual = cell->virtual_nodes > 0;
    const char *hostfile = is_virtual ? nodes : runner->hostfile;
    /* --slots may be more than the host file declares. */
    const bool more = runner->machine->slots > nereus_machine_total_cores(runner->machine);
    const int64_t cores = is_virtual ? 1 : nereus_machine_cores_per_process(runner->machine);
    nereus_strings_add_format(&list, "NEREUS_CORES_PER_PROCESS=%lld", (long long)cores);
    nereus_strings_add_format(&list, "NEREUS_HUGE_PAGES=%d", runner->huge_pages);
    if (hostfile != NULL)
        nereus_strings_add_format(&list, "NEREUS_HOSTFILE=%s", hostfile);
    if (more && !is_virtual)
        nereus_strings_add_format(&list, "NEREUS_SLOTS=%lld", (long long)runner->machine->slots);
    if (folder[0] != '\0')
        nereus_strings_add_format(&list, "NEREUS_CHECKPOINT=%s", folder);
    return nereus_strings_take(&list);
}

static enum nereus_status run_child(const struct nereus_calibration_runner *runner,
                                    const struct nereus_calibration_cell *cell, const char *nodes,
                                    double limit_s, double *wall_s, struct nereus_error *err)
{
    char folder[PATH_MAX + 64] = ""; /* of this run, for the checkpoints of a restart */
    if (cell->task == NEREUS_CELL_JOB && nereus_text_begins_with(cell->method, "restart"))
        snprintf(folder, sizeof folder, "%s/nereus-calibrate.%lld", runner->checkpoints,
                 (long long)getpid());
    char **words = make_command_line(runner, cell),
         **environment = make_environment(runner, cell, nodes, folder);
    struct listener listener = {.runner = runner};
    struct nereus_child_result result = {0};
    const struct nereus_child child = {.argv = (const char *const *)words,
                                       .environment = (const char *const *)environment,
                                       .limit_s = limit_s,
                                       .on_line = read_line,
                                       .on_tick = forward_tick,
                                       .user = &listener};
    enum nereus_status status =
        words != NULL && environment != NULL
            ? nereus_child_run(&child, &result, err)
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a command line");
    if (folder[0] != '\0')
        nereus_file_remove_tree(folder);
    *wall_s = result.wall_s;
    if (status == NEREUS_OK)
        status = check_run(&child, &result, &listener, err);
    nereus_strings_free(words);
    nereus_strings_free(environment);
    return status;
}

enum nereus_status nereus_calibration_run(const struct nereus_calibration_runner *runner,
                                          const struct nereus_calibration_cell *cell,
                                          double limit_s, struct nereus_samples *rows,
                                          double *wall_s, struct nereus_error *err)
{
    char nodes[PATH_MAX + 8];
    *rows = (struct nereus_samples){.rows = NULL};
    *wall_s = 0;
    unlink(runner->scratch);
    snprintf(nodes, sizeof nodes, "%s.nodes", runner->scratch);
    enum nereus_status status = declare_nodes(runner, cell, nodes, err);
    if (status == NEREUS_OK)
        status = run_child(runner, cell, nodes, limit_s, wall_s, err);
    if (status == NEREUS_OK) {
        status = cell->task == NEREUS_CELL_JOB ? read_trace_rows(runner, cell, rows, err)
                                               : read_task_rows(runner, cell, rows, err);
    }
    unlink(runner->scratch);
    unlink(nodes);
    unlink(runner->launch_hosts);
    if (status != NEREUS_OK) {
        nereus_samples_fini(rows);
        *rows = (struct nereus_samples){.rows = NULL};
    }
    return status;
}
