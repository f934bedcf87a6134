/** @file watched.c  Runs a program with libnereus-watch, and reads the calls of its processes. */
#include "watched.h"

#include <unistd.h>

#include "model/util/file.h"
#include "model/util/home.h"
#include "predictor/run/child.h"

static void make_file_path(const char *folder, int rank, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/rank-%d.csv", folder, rank);
}

/* Read the files "rank-N.csv" in the folder. */
static enum nereus_status read_all(const char *folder, struct nereus_calls **ranks, int *count,
                                   struct nereus_error *err)
{
    char path[PATH_MAX];
    struct nereus_calls first;
    make_file_path(folder, 0, path);
    if (access(path, R_OK) != 0) {
        return nereus_fail(
            err, NEREUS_ERR_NO_BASIS,
            "the program left no record: it must call MPI_Init and MPI_Finalize, and communicate "
            "between them, and its MPI must be a shared library");
    }
    NEREUS_TRY(nereus_calls_read(path, &first, err));
    *ranks = calloc((size_t)first.processes, sizeof **ranks);
    if (*ranks == NULL) {
        nereus_calls_fini(&first);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d processes", first.processes);
    }
    (*ranks)[0] = first;
    *count = first.processes;
    for (int r = 1; r < *count; r++) {
        make_file_path(folder, r, path);
        NEREUS_TRY(nereus_calls_read(path, &(*ranks)[r], err));
    }
    return NEREUS_OK;
}

/* What a quiet program prints is lost, but not its errors. */
static void forward_errors(void *user, const char *line, bool is_stderr)
{
    (void)user;
    if (is_stderr)
        fprintf(stderr, "%s\n", line);
}

/* Run the program with the library before its own. */
static enum nereus_status watch_program(const char *const *command, const char *variable,
                                        double limit_s, bool quiet, const char *folder,
                                        struct nereus_error *err)
{
    char library[PATH_MAX], preload[2 * PATH_MAX], place[PATH_MAX + 16], outcome[96];
    const char *old_value = getenv("LD_PRELOAD");
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "libnereus-watch.so", library, err));
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s%s%s", library, old_value != NULL ? ":" : "",
             old_value != NULL ? old_value : "");
    snprintf(place, sizeof place, "NEREUS_WATCH=%s", folder);
    const char *const environment[] = {preload, place, variable, NULL};
    const struct nereus_child child = {.argv = command,
                                       .environment = environment,
                                       .limit_s = limit_s,
                                       .on_line = quiet ? forward_errors : NULL};
    struct nereus_child_result result;
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    return result.exit_status == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_STATE, "the program %s",
                             nereus_child_format_outcome(&child, &result, outcome));
}

void nereus_watched_fini(struct nereus_watched *watched)
{
    for (int r = 0; r < watched->count; r++)
        nereus_calls_fini(&watched->ranks[r]);
    free(watched->ranks);
    *watched = (struct nereus_watched){.ranks = NULL};
}

enum nereus_status nereus_watched_run(const char *const *command, const char *variable,
                                      double limit_s, bool quiet, struct nereus_watched *watched,
                                      struct nereus_error *err)
{
    char folder[PATH_MAX - 32];
    *watched = (struct nereus_watched){.ranks = NULL};
    if (mkdtemp(nereus_temporary_path("nereus-twin", folder, sizeof folder)) == NULL) {
        return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be made: %s", folder,
                           strerror(errno));
    }
    enum nereus_status status = watch_program(command, variable, limit_s, quiet, folder, err);
    if (status == NEREUS_OK)
        status = read_all(folder, &watched->ranks, &watched->count, err);
    nereus_file_remove_tree(folder);
    return status;
}
