/**
 * @file bare_loop.c
 * What MPI itself does not free: spawns as many processes, in as many calls, as another job did, and
 * makes and ends the same kinds of communicators, without the library.
 *
 *   bare-loop FILE      "spawn N" lines, as measure.c writes them; other lines are skipped
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

/* Both sides of a spawn: merge, use and free the communicators. */
static void meet_and_part(MPI_Comm *inter, int high)
{
    MPI_Comm both, copy;
    int one = 1, sum;
    MPI_Intercomm_merge(*inter, high, &both);
    MPI_Comm_dup(both, &copy);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
    MPI_Barrier(*inter);
    MPI_Comm_disconnect(inter);
}

static int replay(FILE *list, const char *program)
{
    char line[256], *words[] = {"child", NULL};
    int count, calls = 0;
    while (fgets(line, sizeof line, list) != NULL) {
        MPI_Comm inter;
        if (sscanf(line, "spawn %d", &count) != 1)
            continue;
        if (calls++ == 1)
            measure_job("begin", 1, 1);
        MPI_Comm_spawn(program, words, count, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                       MPI_ERRCODES_IGNORE);
        meet_and_part(&inter, 0);
        measure_sample();
    }
    return measure_job("end", 1, 1);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        meet_and_part(&parent, 1);
    } else {
        FILE *list = argc > 1 ? fopen(argv[1], "r") : NULL;
        failed = list == NULL || replay(list, argv[0]) != 0;
        if (list != NULL)
            fclose(list);
        measure_end();
    }
    MPI_Finalize();
    return failed;
}
