/**
 * @file task_program.c
 * program: the start-up of a user's program. One process spawns --new copies of it, and in turns as
 * many of the calibration's own malleable program: the difference is what loader, shared file
 * system and interpreter add (Martín et al. (2015), section 5.1, figure 6).
 *
 * Both are started as the runtime does it, by nereus-guard, and with libnereus-startup.so, which
 * stops them after MPI_Init and in nereus_init (src/interpose). A time ends when the last new
 * process reports to this one, so that no clocks are compared. The guard says why a program did not
 * reach MPI.
 */
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "model/util/clock.h"
#include "src/link/connection.h"
#include "task.h"

enum { ARGUMENTS_MAX = 256, PATH_BYTES = 4096 };
/* Limit of the guard; that of a whole task is 30 s (predictor/calibrate). */
static const char limit_s[] = "20";

/* Time until the last process has left MPI_Init, and from there to nereus_init; NAN: never
 * called. */
struct start_up {
    double start_s, join_s;
};

/* libexec/nereus, where this program is. */
static void find_own_folder(char folder[PATH_BYTES])
{
    char path[PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    snprintf(folder, PATH_BYTES, "%s", dirname(path));
}

static void free_arguments(char **arguments)
{
    for (; *arguments != NULL; arguments++)
        free(*arguments);
}

/* Make the guard's arguments: limit, environment, program, arguments. */
static void make_guard_arguments(const char *folder, char *const *command, size_t count,
                                 char **arguments)
{
    const char *loaded = getenv("LD_PRELOAD");
    char preload[2 * PATH_BYTES];
    size_t n = 0;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s/libnereus-startup.so%s%s", folder,
             loaded != NULL ? ":" : "", loaded != NULL ? loaded : "");
    arguments[n++] = nereus_word_encode('t', limit_s);
    arguments[n++] = nereus_word_encode('e', preload);
    for (size_t i = 0; i < count; i++)
        arguments[n++] = nereus_word_encode(i == 0 ? 'p' : 'a', command[i]);
    arguments[n] = NULL;
    for (size_t i = 0; i < n; i++)
        if (arguments[i] == NULL)
            nereus_task_abort("no memory for the guard's arguments");
}

/* The new processes and this one tell each other a number: over an inter-communicator
 * MPI_Allreduce gives each group the minimum of the other group.
 * @return the minimum of the new processes */
static int receive_min(MPI_Comm inter)
{
    const int own = 1;
    int min = 0;
    MPI_Allreduce(&own, &min, 1, MPI_INT, MPI_MIN, inter);
    return min;
}

static bool time_start_up(const struct nereus_task_run *run, const char *folder,
                          char *const *command, size_t count, struct start_up *took)
{
    char guard[PATH_BYTES + 16], *arguments[ARGUMENTS_MAX + 1];
    MPI_Comm inter;
    snprintf(guard, sizeof guard, "%s/nereus-guard", folder);
    make_guard_arguments(folder, command, count, arguments);
    const double began_s = nereus_monotonic_s();
    const bool spawned =
        nereus_task_spawn_program(run, guard, arguments, MPI_COMM_SELF, run->new_processes, &inter);
    free_arguments(arguments);
    if (!spawned)
        return false;
    const int has_nereus = receive_min(inter);
    const double reached_s = nereus_monotonic_s();
    const int joins = has_nereus && receive_min(inter);
    took->start_s = reached_s - began_s;
    took->join_s = joins ? nereus_monotonic_s() - reached_s : NAN;
    nereus_task_disconnect(&inter);
    return true;
}

/* The first spawn of a job takes longer: the own program's is not counted. */
static bool measure_repeats(const struct nereus_task_run *run, const wordexp_t *command)
{
    char folder[PATH_BYTES], job[PATH_BYTES + 32], *own_command[] = {job};
    struct start_up own, app;
    find_own_folder(folder);
    snprintf(job, sizeof job, "%s/nereus-calibrate-job", folder);
    if (!time_start_up(run, folder, own_command, 1, &own))
        return false;
    for (int i = 0; i < run->repeats; i++) {
        if (!time_start_up(run, folder, command->we_wordv, command->we_wordc, &app) ||
            !time_start_up(run, folder, own_command, 1, &own))
            return false;
        if (!isnan(app.join_s) &&
            !nereus_task_write_program(run, NEREUS_SAMPLE_PROGRAM_JOIN, own.join_s, app.join_s))
            return false;
        if (!nereus_task_write_program(run, NEREUS_SAMPLE_PROGRAM_START, own.start_s, app.start_s))
            return false;
    }
    return true;
}

static bool run_task(struct nereus_task_run *run)
{
    wordexp_t command;
    if (run->program == NULL || strlen(run->program) >= NEREUS_PROGRAM_MAX || run->size != 1) {
        fprintf(stderr,
                "nereus-calibrate: program needs one process, and --program of up to %d "
                "characters\n",
                NEREUS_PROGRAM_MAX - 1);
        return false;
    }
    if (wordexp(run->program, &command, WRDE_NOCMD | WRDE_UNDEF) != 0) {
        fprintf(stderr,
                "nereus-calibrate: '%s' is no command: quotes must be closed, variables set, and "
                "characters as ; | & < > quoted\n",
                run->program);
        return false;
    }
    const bool fits = command.we_wordc > 0 && command.we_wordc + 3 <= ARGUMENTS_MAX;
    if (!fits)
        fprintf(stderr, "nereus-calibrate: '%.200s' has no words, or more than %d\n", run->program,
                ARGUMENTS_MAX - 3);
    const bool measured = fits && measure_repeats(run, &command);
    wordfree(&command);
    return measured;
}

const struct nereus_task nereus_task_program = {
    .name = "program",
    .help = "start --new copies of --program, and of the calibration's own program",
    .run = run_task,
};
