/** @file background.c  Threads that wait, exchange messages or start processes, one kind a run. */
#include "background.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/util/clock.h"
#include "model/util/text.h"

/* Backoff as in the runtime (src/util/wait.c). */
static const double first_backoff_s = 20e-6, longest_backoff_s = 1e-3, backoff_growth = 1.5;

struct member {
    pthread_t thread;
    struct nereus_background_threads *background;
    int number; /* among all threads of the world */
};

struct nereus_background_threads {
    const struct nereus_task_run *run;
    MPI_Comm comm;    /* a duplicate of MPI_COMM_WORLD */
    MPI_Comm partner; /* partner process if there is only one thread and one process; else
                         MPI_COMM_NULL */
    enum nereus_background kind;
    int threads, size, rank, count;
    struct member *members; /* `count` of them in this process */
    atomic_bool ends, over;
    double operation_end_s; /* end time; set before `over` */
    bool failed;            /* the spawn failed */
};

/* Poll with backoff for the message that ends the thread. */
static void wait_for_end(const struct member *member)
{
    const struct nereus_background_threads *background = member->background;
    MPI_Request request;
    char word;
    int done = 0;
    double backoff_s = first_backoff_s;
    MPI_Irecv(&word, 1, MPI_CHAR, background->rank, member->number, background->comm, &request);
    while (!done) {
        const struct timespec pause = {0, (long)(backoff_s * 1e9)};
        nanosleep(&pause, NULL);
        backoff_s = backoff_s * backoff_growth < longest_backoff_s ? backoff_s * backoff_growth
                                                                   : longest_backoff_s;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Messages carry the end flag, so that both sides end in the same round. */
static long exchange_until_flag(MPI_Comm comm, int peer, int out_tag, int in_tag,
                                const atomic_bool *ends)
{
    long rounds = 0;
    char *out = nereus_task_allocate((size_t)2 * NEREUS_BACKGROUND_MESSAGE_BYTES),
         *in = out + NEREUS_BACKGROUND_MESSAGE_BYTES;
    do {
        out[0] = ends != NULL && atomic_load(ends) ? 1 : 0;
        MPI_Sendrecv(out, NEREUS_BACKGROUND_MESSAGE_BYTES, MPI_BYTE, peer, out_tag, in,
                     NEREUS_BACKGROUND_MESSAGE_BYTES, MPI_BYTE, peer, in_tag, comm,
                     MPI_STATUS_IGNORE);
        rounds++;
    } while (out[0] == 0 && in[0] == 0);
    free(out);
    return rounds;
}

/* Pairs of threads exchange messages, an odd one with itself. A single process has a partner
 * process instead: messages to itself would be plain copies without the waiting of a
 * redistribution. */
static void exchange_until_end(struct member *member)
{
    struct nereus_background_threads *background = member->background;
    const int partner =
        (member->number ^ 1) < background->threads ? member->number ^ 1 : member->number;
    if (background->partner != MPI_COMM_NULL)
        exchange_until_flag(background->partner, 0, 0, 0, &background->ends);
    else
        exchange_until_flag(background->comm, partner % background->size, partner, member->number,
                            &background->ends);
}

void nereus_background_partner(const struct nereus_task_run *run)
{
    const long rounds = exchange_until_flag(run->parent, 0, 0, 0, NULL);
    int partners;
    MPI_Comm_remote_size(run->parent, &partners);
    if (run->verbose)
        fprintf(stderr,
                "nereus-calibrate: partner %d of %d of %d process%s exchanged %ld message%s\n",
                run->rank, run->size, partners, partners == 1 ? "" : "es", rounds,
                nereus_plural_s(rounds));
}

/* Spawn once, from all threads together, as an asynchronous expansion does. What follows is not
 * overlapped. */
static void start_processes(struct member *member)
{
    struct nereus_background_threads *background = member->background;
    MPI_Comm inter;
    background->failed = !nereus_task_spawn_copies(background->run, background->comm,
                                                   background->run->threads, &inter);
    background->operation_end_s = nereus_monotonic_s();
    atomic_store(&background->over, true);
    if (!background->failed)
        nereus_task_disconnect(&inter);
}

static void *run_background(void *argument)
{
    struct member *member = argument;
    if (member->background->kind == NEREUS_BACKGROUND_WAITING)
        wait_for_end(member);
    else if (member->background->kind == NEREUS_BACKGROUND_COMMUNICATING)
        exchange_until_end(member);
    else
        start_processes(member);
    return NULL;
}

static void start_partner(struct nereus_background_threads *background)
{
    background->partner = MPI_COMM_NULL;
    if (background->kind == NEREUS_BACKGROUND_COMMUNICATING && background->threads == 1 &&
        background->size == 1 &&
        !nereus_task_spawn_copies(background->run, background->comm, 1, &background->partner))
        MPI_Abort(MPI_COMM_WORLD, 1); /* it has said why */
}

static void end_partner(struct nereus_background_threads *background)
{
    if (background->partner != MPI_COMM_NULL)
        nereus_task_disconnect(&background->partner);
}

struct nereus_background_threads *nereus_background_start(const struct nereus_task_run *run)
{
    struct nereus_background_threads *background = nereus_task_allocate(sizeof *background);
    MPI_Comm_dup(MPI_COMM_WORLD, &background->comm);
    background->run = run;
    background->rank = run->rank;
    background->size = run->size;
    background->kind = run->background;
    background->threads = run->background == NEREUS_BACKGROUND_STARTING ? run->size : run->threads;
    start_partner(background);
    const int threads = background->threads;
    background->members = nereus_task_allocate((size_t)threads * sizeof *background->members);
    for (int number = background->rank; number < threads; number += background->size) {
        struct member *member = &background->members[background->count++];
        member->background = background;
        member->number = number;
        if (pthread_create(&member->thread, NULL, run_background, member) != 0)
            nereus_task_abort("a background thread cannot be started");
    }
    return background;
}

double nereus_background_end_s(const struct nereus_background_threads *background)
{
    return atomic_load(&background->over) ? background->operation_end_s : INFINITY;
}

bool nereus_background_end(struct nereus_background_threads *background)
{
    const char word = 1;
    atomic_store(&background->ends, true);
    for (int i = 0; i < background->count; i++) {
        if (background->kind == NEREUS_BACKGROUND_WAITING)
            MPI_Send(&word, 1, MPI_CHAR, background->rank, background->members[i].number,
                     background->comm);
        pthread_join(background->members[i].thread, NULL);
    }
    end_partner(background);
    const bool started = !background->failed;
    MPI_Comm_free(&background->comm);
    free(background->members);
    free(background);
    return started;
}
