/**
 * @file task_node.c
 * node: pairs of processes that send at once, as osu_mbw_mr does: the first half of the processes
 * to the second half, between two nodes or within one (--pair), and back.
 *
 * A row for each size: bytes of all pairs, and the time of the slower direction, from a common
 * barrier until the last source has the answer of its target. Sizes grow until a round would take
 * too long: on so slow a link the smaller sizes have shown the rate.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "task.h"

enum { SMALLEST_BYTES = 1 << 16, STEP = 4, LARGEST_BYTES = 1 << 22 }; /* of a pair */
static const double seconds_a_size = 0.1, longest_round_s = 0.25;

struct stream {
    unsigned char *buffer;
    int bytes, peer;
    bool is_source;
};

static void run_round(void *user)
{
    const struct stream *s = user;
    char answer = 0;
    if (s->is_source) {
        MPI_Send(s->buffer, s->bytes, MPI_BYTE, s->peer, 0, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_BYTE, s->peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(s->buffer, s->bytes, MPI_BYTE, s->peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_BYTE, s->peer, 0, MPI_COMM_WORLD);
    }
}

static bool measure_sizes(const struct nereus_task_run *run, struct stream *s)
{
    const int pairs = run->size / 2;
    const enum nereus_operation operation = run->pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE
                                                ? NEREUS_OPERATION_NODE_MEMORY
                                                : NEREUS_OPERATION_NODE;
    const struct nereus_rounds all = {
        .comm = MPI_COMM_WORLD, .round = run_round, .user = s, .seconds = seconds_a_size};
    double time_s = 0;
    int rounds = 0;
    bool written = true;
    for (int bytes = SMALLEST_BYTES; written && bytes <= LARGEST_BYTES &&
                                     (bytes == SMALLEST_BYTES || STEP * time_s < longest_round_s);
         bytes *= STEP) {
        s->bytes = bytes;
        time_s = 0;
        for (int way = 0; way < 2; way++) {
            s->is_source = (run->rank < pairs) == (way == 0);
            time_s = fmax(time_s, nereus_rounds_median_s(&all, &rounds));
        }
        written = nereus_task_write_operation(run, operation, pairs, (double)pairs * bytes, time_s,
                                              rounds);
    }
    return written;
}

static bool run_task(struct nereus_task_run *run)
{
    const int pairs = run->size / 2;
    struct stream s = {.peer = run->rank < pairs ? run->rank + pairs : run->rank - pairs};
    if (run->size % 2 != 0) {
        fprintf(stderr, "nereus-calibrate: node is started with an even number of processes\n");
        return false;
    }
    if (!nereus_task_check_pair(run, MPI_COMM_WORLD, s.peer))
        return false;
    s.buffer = nereus_task_allocate(LARGEST_BYTES);
    memset(s.buffer, 1, LARGEST_BYTES);
    nereus_task_bind(run);
    const bool measured = measure_sizes(run, &s);
    free(s.buffer);
    return measured;
}

const struct nereus_task nereus_task_node = {
    .name = "node",
    .help = "pairs of processes at once, of two nodes or within one (--pair): 64 KiB to 4 MiB each",
    .run = run_task,
};
