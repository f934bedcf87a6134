/**
 * @file probe.c
 * nereus-probe MODE: tests of this MPI. `nereus doctor` starts each mode in a job of its own
 * with a time limit, as some are expected to hang or to end the job. The first world prints
 * facts as lines "key=value".
 */
#include "probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(struct nereus_probe *probe);
} modes[] = {
    {"facts", nereus_probe_facts},
    {"spawn", nereus_probe_spawn},
    {"descriptors", nereus_probe_descriptors},
    {"missing-program", nereus_probe_missing_program},
    {"dies-early", nereus_probe_dies_early},
    {"unknown-host", nereus_probe_unknown_host},
    {"killed", nereus_probe_killed},
    {"killed-spawned", nereus_probe_killed_spawned},
    {"exit-status", nereus_probe_exit_status},
};
enum { MODE_COUNT = sizeof modes / sizeof modes[0] };

int main(int argc, char **argv)
{
    struct nereus_probe probe = {
        .argv = argv, .guard = argc > 2 && strcmp(argv[2], "plain") != 0 ? argv[2] : NULL};
    int mode = 0;
    while (argc > 1 && mode < MODE_COUNT && strcmp(argv[1], modes[mode].name) != 0)
        mode++;
    if (argc < 2 || mode == MODE_COUNT) {
        fprintf(stderr, "nereus-probe: a mode is missing or unknown: nereus doctor knows them\n");
        return 2;
    }
    ssize_t length = readlink("/proc/self/exe", probe.self, sizeof probe.self - 1);
    if (length < 0) {
        perror("nereus-probe: /proc/self/exe");
        return 1;
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &probe.thread_level);
    MPI_Comm_get_parent(&probe.parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &probe.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &probe.size);
    /* Get errors that MPI can report instead of ending the job. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    usleep(20000); /* what is left after a kill is visible to nereus doctor */
    int status = modes[mode].run(&probe);
    MPI_Finalize();
    return status;
}
