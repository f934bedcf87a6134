/* The step "gather": the root of those that stay learns where the others will sleep. */
#include <stdlib.h>

#include "src/util/error.h"
#include "steps.h"

/* Memory of the root for what it gathers. */
static enum nereus_status make_room(struct reconfiguration *rc, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    rc->shrink.addresses = malloc((size_t)rc->plan.ns * sizeof *rc->shrink.addresses);
    NEREUS_TRY_MEMORY(rc->shrink.addresses, err, "for the addresses of %lld processes",
                      (long long)rc->plan.ns);
    return zombies_reserve(&job->zombies, rc->plan.leaving, err);
}

/* The endpoint of this process. */
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

/* A process that goes to sleep opens its endpoint; the root of those that stay gathers all
 * addresses. */
enum nereus_status nereus_run_gather(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const int root = (int)nereus_plan_old_rank(&rc->plan, 0);
    struct zombie_address mine = {.pool_rank = -1};
    int can = 1;
    if (rc->role == NEREUS_LEAVING && !nereus_plan_source_ends(&rc->plan, rc->source_rank))
        NEREUS_TRY(open_endpoint(rc, &mine));
    if (rc->source_rank == root)
        can = make_room(rc, &rc->failure) == NEREUS_OK;
    NEREUS_TRY(nereus_meet(rc->comms.parents, rc->waiting, err));
    /* Without memory at the root nobody may send: it says so first. */
    NEREUS_MPI(MPI_Bcast(&can, 1, MPI_INT, root, rc->comms.parents), err);
    if (can)
        NEREUS_MPI(MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, rc->shrink.addresses,
                              (int)sizeof mine, MPI_BYTE, root, rc->comms.parents),
                   err);
    return NEREUS_OK;
}
