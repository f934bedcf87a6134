/**
 * @file init_late.c
 * A program whose start-up code, with collectives over MPI_COMM_WORLD, stands before nereus_init:
 * each world of new processes runs it by itself. Arguments: the method, and "single" for an MPI
 * that no thread may call. Each process counts its iterations; all must get the job's count. After
 * nereus_finalize MPI still works: a message arrives although its receive is posted only after the
 * sender has called MPI_Finalize.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { LAST = 12, LETTER = 41, LETTER_INTS = 1 << 18 };

/* From rank 0, which ends at once, to the last rank. Buffered: MPI_Finalize completes the send. */
static bool is_received(MPI_Comm comm)
{
    static int letter[LETTER_INTS];
    static char buffer[sizeof letter + MPI_BSEND_OVERHEAD];
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0) {
        letter[LETTER_INTS - 1] = LETTER;
        MPI_Buffer_attach(buffer, (int)sizeof buffer);
        MPI_Bsend(letter, LETTER_INTS, MPI_INT, size - 1, 0, comm);
        return true;
    }
    if (rank != size - 1)
        return true;
    sleep(1); /* so that a sender that does not wait is gone */
    MPI_Recv(letter, LETTER_INTS, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    return letter[LETTER_INTS - 1] == LETTER;
}

int main(int argc, char **argv)
{
    const bool single = argc > 2 && strcmp(argv[2], "single") == 0;
    const struct nereus_resize schedule[] = {
        {.point = 3, .nt = 4}, {.point = 6, .nt = 2, .method = single ? "merge/coll" : NULL}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    MPI_Comm own;
    int rank, level, id, parameter = 0, is_over = 0;
    long pid = 0;
    int64_t iteration = 0;
    nereus_job *job;
    MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);
    if (rank == 0) {
        parameter = 17;
        pid = (long)getpid();
    }
    MPI_Bcast(&parameter, 1, MPI_INT, 0, own);
    MPI_Bcast(&pid, 1, MPI_LONG, 0, own);
    MPI_Barrier(own);
    MPI_Comm_free(&own);

    options.schedule = schedule;
    options.schedule_count = 2;
    options.method = argc > 1 ? argv[1] : NULL;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    /* A registered value is the job's: joined processes get that of the initial ones. */
    if (nereus_register_replicated(job, "pid", MPI_LONG, 1, NEREUS_VARIABLE, &pid, &id) !=
            NEREUS_OK ||
        nereus_is_received(job, id) != nereus_is_joined(job) ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK)
        return EXIT_FAILURE;
    enum nereus_action action = NEREUS_CONTINUE;
    int errors = parameter != 17;
    while (action != NEREUS_LEAVE && (iteration < LAST || nereus_reconfigurations(job) < 2)) {
        long min, max;
        MPI_Allreduce(&pid, &min, 1, MPI_LONG, MPI_MIN, nereus_comm(job));
        MPI_Allreduce(&pid, &max, 1, MPI_LONG, MPI_MAX, nereus_comm(job));
        errors += min != max || min == 0;
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    }
    errors += action != NEREUS_LEAVE && nereus_reconfigurations(job) != 2;
    if (nereus_rank(job) == 0 && action != NEREUS_LEAVE)
        printf("%d processes, %d reconfigurations, wrong %d\n", nereus_size(job),
               (int)nereus_reconfigurations(job), errors);
    if (action != NEREUS_LEAVE)
        MPI_Comm_dup(nereus_comm(job), &own);
    if (nereus_finalize(&job) != NEREUS_OK)
        errors++;
    if (action != NEREUS_LEAVE) {
        errors += !is_received(own);
        MPI_Comm_free(&own);
    }
    MPI_Finalize();
    MPI_Finalized(&is_over);
    errors += !is_over;
    return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
