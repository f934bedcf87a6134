/** @file round_robin.c  See round_robin.h. */
#include "round_robin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t count_of(const struct round_robin *s, int rank, int size)
{
    return rank < 0 ? 0 : (s->numbers - rank + size - 1) / size;
}

static int fails_here(struct round_robin *s, const char *what, const struct nereus_regroup *group)
{
    char wanted[40];
    if (group->source >= 0)
        snprintf(wanted, sizeof wanted, "%s:%d", what, group->source);
    else
        snprintf(wanted, sizeof wanted, "%s:+%d", what, group->target);
    return s->failing && strcmp(wanted, s->fails) == 0;
}

static int64_t bytes(void *user, int ns, int nt)
{
    const struct round_robin *s = user;
    if (s->failing && strncmp(s->fails, "bytes:", 6) == 0 &&
        atoi(s->fails + 6) == nereus_rank(s->job))
        return -1;
    return ns > 0 && nt > 0 ? (int64_t)s->numbers * 8 : -1;
}

static enum nereus_status prepare(void *user, const struct nereus_regroup *group)
{
    struct round_robin *s = user;
    s->prepared++;
    s->errors += group->comm != MPI_COMM_NULL || s->received_numbers != NULL;
    if (fails_here(s, "prepare", group))
        return NEREUS_ERR_MEMORY;
    s->received_numbers = calloc((size_t)s->numbers + 1, sizeof *s->received_numbers);
    return s->received_numbers == NULL ? NEREUS_ERR_MEMORY : NEREUS_OK;
}

/* Each number by itself: number k is of source k mod ns, and of target k mod nt. */
static enum nereus_status move(void *user, const struct nereus_regroup *group)
{
    struct round_robin *s = user;
    MPI_Request *requests = malloc(2 * ((size_t)s->numbers + 1) * sizeof *requests);
    int count = 0;
    if (requests == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int k = group->target; group->target >= 0 && k < s->numbers; k += group->nt)
        MPI_Irecv(&s->received_numbers[k / group->nt], 1, MPI_INT64_T, k % group->ns, 1,
                  group->comm, &requests[count++]);
    for (int k = group->source; group->source >= 0 && k < s->numbers; k += group->ns)
        MPI_Isend(&s->own_numbers[k / group->ns], 1, MPI_INT64_T,
                  group->target_ranks[k % group->nt], 1, group->comm, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    free(requests);
    return fails_here(s, "move", group) ? NEREUS_ERR_IO : NEREUS_OK;
}

/* Number k of all is the k-th in the file. */
static enum nereus_status file(void *user, const struct nereus_regroup *group, MPI_File opened)
{
    struct round_robin *s = user;
    const bool reads = group->target >= 0;
    const int rank = reads ? group->target : group->source, size = reads ? group->nt : group->ns;
    const int64_t count = count_of(s, rank, size);
    MPI_Datatype each;
    s->errors +=
        group->comm != MPI_COMM_NULL || (reads && (group->ns < 1 || s->received_numbers == NULL));
    MPI_Type_create_resized(MPI_INT64_T, 0, size * (MPI_Aint)sizeof(int64_t), &each);
    MPI_Type_commit(&each);
    int code = MPI_File_set_view(opened, rank * (MPI_Offset)sizeof(int64_t), MPI_INT64_T, each,
                                 "native", MPI_INFO_NULL);
    MPI_Type_free(&each);
    if (code == MPI_SUCCESS && reads)
        code = MPI_File_read_all(opened, s->received_numbers, (int)count, MPI_INT64_T,
                                 MPI_STATUS_IGNORE);
    else if (code == MPI_SUCCESS)
        code =
            MPI_File_write_all(opened, s->own_numbers, (int)count, MPI_INT64_T, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS && !fails_here(s, reads ? "read" : "write", group) ? NEREUS_OK
                                                                                  : NEREUS_ERR_IO;
}

static void end(void *user, const struct nereus_regroup *group, bool committed)
{
    struct round_robin *s = user;
    s->ended++;
    if (committed) {
        free(s->own_numbers);
        s->own_numbers = group->target >= 0 ? s->received_numbers : NULL;
        s->changes++;
    }
    if (!committed || group->target < 0)
        free(s->received_numbers);
    s->received_numbers = NULL;
}

void round_robin_check(struct round_robin *data, int64_t iteration)
{
    const int rank = nereus_rank(data->job), size = nereus_size(data->job);
    const int64_t count = count_of(data, rank, size);
    for (int64_t i = 0; i < count; i++)
        if (data->own_numbers[i] != 100 * (rank + i * size) + iteration) {
            if (data->errors++ < 3)
                fprintf(stderr,
                        "round robin: rank %d of %d, iteration %" PRId64 ": %" PRId64 " at %" PRId64
                        "\n",
                        rank, size, iteration, data->own_numbers[i], i);
            return;
        }
}

void round_robin_iterate(struct round_robin *data)
{
    const int64_t count = count_of(data, nereus_rank(data->job), nereus_size(data->job));
    for (int64_t i = 0; i < count; i++)
        data->own_numbers[i]++;
}

void round_robin_fill(struct round_robin *data)
{
    const int rank = nereus_rank(data->job), size = nereus_size(data->job);
    data->own_numbers = calloc((size_t)data->numbers + 1, sizeof *data->own_numbers);
    for (int64_t i = 0; data->own_numbers != NULL && i < count_of(data, rank, size); i++)
        data->own_numbers[i] = 100 * (rank + i * size);
}

struct nereus_mover round_robin_mover(struct round_robin *data)
{
    return (struct nereus_mover){
        sizeof(struct nereus_mover), bytes, prepare, move, end, file, data};
}
