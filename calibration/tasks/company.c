#include "company.h"

#include "model/util/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Backoff as in the runtime (src/nap.c). */
static const double first_nap_s = 20e-6, longest_nap_s = 1e-3, nap_growth = 1.5;

struct member {
    pthread_t thread;
    struct company *company;
    int number; /* among all threads of the world */
};

struct company {
    const struct nereus_task_run *run;
    MPI_Comm comm;    /* its own */
    MPI_Comm partner; /* partner process if there is only one thread and one process; else MPI_COMM_NULL */
    enum nereus_company kind;
    int threads, size, rank, count;
    struct member *members; /* `count` of them in this process */
    atomic_bool ends, over;
    double over_s; /* end time; set before `over` */
    bool failed;   /* the spawn failed */
};

/* Poll with backoff for the message that ends the thread. */
static void wait_for_end(const struct member *member)
{
    const struct company *company = member->company;
    MPI_Request request;
    char word;
    int done = 0;
    double nap_s = first_nap_s;
    MPI_Irecv(&word, 1, MPI_CHAR, company->rank, member->number, company->comm, &request);
    while (!done) {
        const struct timespec nap = {0, (long)(nap_s * 1e9)};
        nanosleep(&nap, NULL);
        nap_s = nap_s * nap_growth < longest_nap_s ? nap_s * nap_growth : longest_nap_s;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Messages carry the end flag, so that both sides end in the same round.
 * @return number of rounds */
static long exchange(MPI_Comm comm, int peer, int out_tag, int in_tag, const atomic_bool *ends)
{
    long rounds = 0;
    char *out = calloc(2, COMPANY_MESSAGE_BYTES), *in = out + COMPANY_MESSAGE_BYTES;
    if (out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    do {
        out[0] = ends != NULL && atomic_load(ends) ? 1 : 0;
        MPI_Sendrecv(out, COMPANY_MESSAGE_BYTES, MPI_BYTE, peer, out_tag, in, COMPANY_MESSAGE_BYTES, MPI_BYTE,
                     peer, in_tag, comm, MPI_STATUS_IGNORE);
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
    struct company *company = member->company;
    const int partner = (member->number ^ 1) < company->threads ? member->number ^ 1 : member->number;
    if (company->partner != MPI_COMM_NULL)
        exchange(company->partner, 0, 0, 0, &company->ends);
    else
        exchange(company->comm, partner % company->size, partner, member->number, &company->ends);
}

void company_partner(const struct nereus_task_run *run)
{
    const long rounds = exchange(run->parent, 0, 0, 0, NULL);
    int partners;
    MPI_Comm_remote_size(run->parent, &partners);
    if (run->tell)
        fprintf(stderr, "nereus-calibrate: partner %d of %d of %d process%s exchanged %ld messages\n",
                run->rank, run->size, partners, partners == 1 ? "" : "es", rounds);
}

/* Spawn once, from all threads together, as an asynchronous expansion does. What follows is not
 * overlapped. */
static void start_processes(struct member *member)
{
    struct company *company = member->company;
    MPI_Comm inter;
    company->failed =
        nereus_task_spawn_copies(company->run, company->comm, company->run->threads, &inter) != 0;
    company->over_s = nereus_clock_s();
    atomic_store(&company->over, true);
    if (!company->failed)
        nereus_task_part(&inter);
}

static void *keep_company(void *argument)
{
    struct member *member = argument;
    if (member->company->kind == NEREUS_COMPANY_WAITING)
        wait_for_end(member);
    else if (member->company->kind == NEREUS_COMPANY_COMMUNICATING)
        exchange_until_end(member);
    else
        start_processes(member);
    return NULL;
}

/* @return false: the spawn failed */
static bool start_partner(struct company *company)
{
    company->partner = MPI_COMM_NULL;
    if (company->kind != NEREUS_COMPANY_COMMUNICATING || company->threads > 1 || company->size > 1)
        return true;
    return nereus_task_spawn_copies(company->run, company->comm, 1, &company->partner) == 0;
}

static void end_partner(struct company *company)
{
    if (company->partner != MPI_COMM_NULL)
        nereus_task_part(&company->partner);
}

struct company *company_start(const struct nereus_task_run *run)
{
    struct company *company = calloc(1, sizeof *company);
    if (company == NULL)
        return NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &company->comm);
    company->run = run;
    company->rank = run->rank;
    company->size = run->size;
    company->kind = run->company;
    company->threads = run->company == NEREUS_COMPANY_STARTING ? run->size : run->threads;
    if (!start_partner(company))
        MPI_Abort(MPI_COMM_WORLD, 1);
    const int threads = company->threads;
    company->members = calloc((size_t)threads + 1, sizeof *company->members);
    if (company->members == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int number = company->rank; number < threads; number += company->size) {
        struct member *member = &company->members[company->count++];
        member->company = company;
        member->number = number;
        if (pthread_create(&member->thread, NULL, keep_company, member) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return company;
}

double company_over_s(const struct company *company)
{
    return atomic_load(&company->over) ? company->over_s : INFINITY;
}

int company_end(struct company *company)
{
    const char word = 1;
    atomic_store(&company->ends, true);
    for (int i = 0; i < company->count; i++) {
        if (company->kind == NEREUS_COMPANY_WAITING)
            MPI_Send(&word, 1, MPI_CHAR, company->rank, company->members[i].number, company->comm);
        pthread_join(company->members[i].thread, NULL);
    }
    end_partner(company);
    const int failed = company->failed;
    MPI_Comm_free(&company->comm);
    free(company->members);
    free(company);
    return failed;
}
