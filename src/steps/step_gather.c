/**
 * @file step_gather.c
 * Runs the step "gather": the root of the staying processes collects the addresses of those that
 * will sleep. By messages: a collective would make all staying processes wait.
 */

#include "src/util/tags.h"
#include "src/util/translate_rank.h"
#include "steps.h"

static bool falls_asleep(const struct nereus_plan *plan, int64_t rank)
{
    return nereus_plan_source_role(plan, rank) == NEREUS_LEAVING &&
           !nereus_plan_source_ends(plan, rank);
}

/* Root: allocate memory for the addresses. */
static enum nereus_status reserve_addresses(struct reconfiguration *reconfig,
                                            struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    reconfig->shrink.addresses =
        malloc((size_t)reconfig->plan.ns * sizeof *reconfig->shrink.addresses);
    NEREUS_TRY_MEMORY(reconfig->shrink.addresses, err, "for the addresses of %lld processes",
                      (long long)reconfig->plan.ns);
    return nereus_zombies_reserve(&job->zombies, reconfig->plan.leaving, err);
}

/* Open the endpoint of this process. */
static enum nereus_status open_endpoint(struct reconfiguration *reconfig,
                                        struct zombie_address *own_address)
{
    nereus_job *job = reconfig->job;
    int pool_rank;
    NEREUS_MPI(MPI_Comm_rank(job->pool, &pool_rank), &reconfig->error);
    NEREUS_TRY(nereus_translate_rank(job->control, (int)nereus_plan_old_rank(&reconfig->plan, 0),
                                     job->pool, &reconfig->shrink.caller, &reconfig->error));
    nereus_zombie_endpoint_open(pool_rank, &reconfig->shrink.endpoint, &reconfig->failure);
    *own_address = reconfig->shrink.endpoint.address;
    own_address->world = job->world;
    return NEREUS_OK;
}

/* Root: receive even without memory, as the senders would wait. A failure is agreed on next. */
static enum nereus_status receive_addresses(struct reconfiguration *reconfig,
                                            struct nereus_error *err)
{
    static struct zombie_address one; /* static: see nereus_receive */
    struct zombie_address *all_addresses = reconfig->shrink.addresses;
    for (int rank = 0; rank < (int)reconfig->plan.ns; rank++) {
        one = (struct zombie_address){.pool_rank = -1};
        if (falls_asleep(&reconfig->plan, rank))
            NEREUS_TRY(
                nereus_receive(&one, sizeof one,
                               (struct nereus_sender){reconfig->comms.parents, rank, ADDRESS_TAG},
                               nereus_reconfig_waiting(reconfig, false), err));
        if (all_addresses != NULL)
            all_addresses[rank] = one;
    }
    return NEREUS_OK;
}

/* A future zombie opens its endpoint and sends the address to the root of the staying processes. */
enum nereus_status nereus_run_gather(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const int root = (int)nereus_plan_old_rank(&reconfig->plan, 0);
    struct zombie_address own_address;
    NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.parents, reconfig->wait_mode, err));
    if (reconfig->source_rank == root) {
        reserve_addresses(reconfig, &reconfig->failure);
        return receive_addresses(reconfig, err);
    }
    if (!falls_asleep(&reconfig->plan, reconfig->source_rank))
        return NEREUS_OK;
    NEREUS_TRY(open_endpoint(reconfig, &own_address));
    NEREUS_MPI(MPI_Send(&own_address, (int)sizeof own_address, MPI_BYTE, root, ADDRESS_TAG,
                        reconfig->comms.parents),
               err);
    return NEREUS_OK;
}
