/* The step "gather": the root of the staying processes collects the addresses of those that will
 * sleep. By messages: a collective would make all staying processes wait. */
#include <stdlib.h>

#include "src/util/error.h"
#include "steps.h"

enum { ADDRESS_TAG = 45 };

static bool falls_asleep(const struct nereus_plan *plan, int64_t rank)
{
    return nereus_plan_source_role(plan, rank) == NEREUS_LEAVING &&
           !nereus_plan_source_ends(plan, rank);
}

/* Root: allocate memory for the addresses. */
static enum nereus_status reserve_addresses(struct reconfiguration *rc, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    rc->shrink.addresses = malloc((size_t)rc->plan.ns * sizeof *rc->shrink.addresses);
    NEREUS_TRY_MEMORY(rc->shrink.addresses, err, "for the addresses of %lld processes",
                      (long long)rc->plan.ns);
    return zombies_reserve(&job->zombies, rc->plan.leaving, err);
}

/* Open the endpoint of this process. */
static enum nereus_status open_endpoint(struct reconfiguration *rc, struct zombie_address *mine)
{
    nereus_job *job = rc->job;
    int pool_rank;
    NEREUS_MPI(MPI_Comm_rank(job->pool, &pool_rank), &rc->error);
    NEREUS_TRY(nereus_translate_rank(job->control, (int)nereus_plan_old_rank(&rc->plan, 0),
                                     job->pool, &rc->shrink.caller, &rc->error));
    zombie_endpoint_open(pool_rank, &rc->shrink.endpoint, &rc->failure);
    *mine = rc->shrink.endpoint.address;
    mine->world = job->world;
    return NEREUS_OK;
}

/* Root: receive even without memory, as the senders would wait. A failure is agreed on next. */
static enum nereus_status receive_addresses(struct reconfiguration *rc, struct nereus_error *err)
{
    static struct zombie_address one; /* static: see nereus_receive */
    struct zombie_address *all = rc->shrink.addresses;
    for (int rank = 0; rank < (int)rc->plan.ns; rank++) {
        one = (struct zombie_address){.pool_rank = -1};
        if (falls_asleep(&rc->plan, rank))
            NEREUS_TRY(nereus_receive(&one, sizeof one, rank, ADDRESS_TAG, rc->comms.parents,
                                      nereus_rc_waiting(rc, false), err));
        if (all != NULL)
            all[rank] = one;
    }
    return NEREUS_OK;
}

/* A future zombie opens its endpoint and sends the address to the root of the staying processes. */
enum nereus_status nereus_run_gather(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const int root = (int)nereus_plan_old_rank(&rc->plan, 0);
    struct zombie_address mine;
    NEREUS_TRY(nereus_sleeping_barrier(rc->comms.parents, rc->waiting, err));
    if (rc->source_rank == root) {
        reserve_addresses(rc, &rc->failure);
        return receive_addresses(rc, err);
    }
    if (!falls_asleep(&rc->plan, rc->source_rank))
        return NEREUS_OK;
    NEREUS_TRY(open_endpoint(rc, &mine));
    NEREUS_MPI(MPI_Send(&mine, (int)sizeof mine, MPI_BYTE, root, ADDRESS_TAG, rc->comms.parents),
               err);
    return NEREUS_OK;
}
