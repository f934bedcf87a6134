/**
 * @file own_race.c
 * own_race: one data race, in a buffer that MPI has filled: a thread and the main thread both
 * write into a receive buffer when the message is here, and nothing orders them. The thread
 * sanitizer has to report it, though what MPI itself does is left out (tests/tsan.supp).
 *
 *     own_race [ordered]    ordered: the thread is over before the main thread writes, and nothing
 *                           is to be reported
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 4096 };
static char buffer[BYTES];

static void *receive(void *argument)
{
    MPI_Request *request = argument;
    for (int done = 0; !done;)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    memset(buffer, 2, BYTES);
    return NULL;
}

int main(int argc, char **argv)
{
    static char sent[BYTES];
    const int ordered = argc > 1 && strcmp(argv[1], "ordered") == 0;
    int level;
    pthread_t thread;
    MPI_Request requests[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        return 1;
    MPI_Irecv(buffer, BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[0]);
    if (pthread_create(&thread, NULL, receive, &requests[0]) != 0)
        return 1;
    memset(sent, 1, BYTES);
    MPI_Isend(sent, BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    if (ordered)
        pthread_join(thread, NULL);
    memset(buffer, 3, BYTES);
    if (!ordered)
        pthread_join(thread, NULL);
    printf("written %d\n", buffer[0]);
    MPI_Finalize();
    return 0;
}
