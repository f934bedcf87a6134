/** @file data_window.c  One-sided: gets from a window, and the time to create and free it. */
#include "data_operations.h"

enum { DONE_TAG = 3 };

static bool open_window(struct nereus_data_pair *pair)
{
    const MPI_Aint bytes = pair->is_source ? (MPI_Aint)pair->largest_bytes : 0;
    MPI_Win_create(pair->is_source ? pair->buffer : NULL, bytes, 1, MPI_INFO_NULL, pair->both,
                   &pair->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, pair->window);
    return true;
}

static void close_window(struct nereus_data_pair *pair)
{
    MPI_Win_unlock_all(pair->window);
    MPI_Win_free(&pair->window);
}

/* The source waits inside MPI, where it makes progress for the get. */
static void get_round(struct nereus_data_pair *pair, size_t bytes)
{
    MPI_Request request;
    if (pair->is_source) {
        MPI_Recv(NULL, 0, MPI_BYTE, 1, DONE_TAG, pair->both, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Rget(pair->buffer, (int)bytes, MPI_BYTE, 0, 0, (int)bytes, MPI_BYTE, pair->window,
             &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, DONE_TAG, pair->both);
}

static void run_window_round(struct nereus_data_pair *pair, size_t bytes)
{
    MPI_Win window;
    MPI_Win_create(pair->is_source ? pair->buffer : NULL, pair->is_source ? (MPI_Aint)bytes : 0, 1,
                   MPI_INFO_NULL, pair->both, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

const struct nereus_data_operation nereus_data_get = {.operation = NEREUS_OPERATION_GET,
                                                      .begin = open_window,
                                                      .round = get_round,
                                                      .end = close_window};
const struct nereus_data_operation nereus_data_get_inter = {.operation = NEREUS_OPERATION_GET_INTER,
                                                            .inter = true,
                                                            .begin = open_window,
                                                            .round = get_round,
                                                            .end = close_window};
const struct nereus_data_operation nereus_data_window = {.operation = NEREUS_OPERATION_WINDOW,
                                                         .round = run_window_round};
