/**
 * @file join.c
 * Joins as a new process: its side of the step "join". The sources' root broadcasts the record over
 * the inter-communicator; old and new processes compare the plan's hash. If a program cannot start,
 * nereus-guard-join joins in its place, and `failure` is the reason.
 */

#include "join.h"

#include "reconfigure.h"
#include "src/link/launch.h"
#include "src/link/watchdog.h"
#include "src/start/join_payload.h"
#include "src/steps/execute.h"
#include "src/steps/steps.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "src/util/pack_buffer.h"

/* Index of the first step after a group has joined. */
static int find_first_step_after_join(const struct nereus_plan *plan, int64_t group)
{
    const int64_t level = plan->tree.group_count > 0 ? plan->tree.groups[group].level : 0;
    int i = 0;
    while (plan->steps[i].kind != NEREUS_STEP_JOIN || plan->steps[i].level != level)
        i++;
    return i + 1;
}

/* Set the communicators of a new process: to its parents (with the strategy plain all parents), and
 * of its world (with one world all new processes). */
static enum nereus_status set_communicators(struct reconfiguration *reconfig, MPI_Comm parent,
                                            const struct nereus_step *join,
                                            struct nereus_error *err)
{
    const bool plain = join->channel == NEREUS_CHANNEL_SPAWN;
    reconfig->comms.inter = plain ? parent : MPI_COMM_NULL;
    reconfig->comms.parent = plain ? MPI_COMM_NULL : parent;
    reconfig->comms.merged = reconfig->comms.parents = MPI_COMM_NULL;
    reconfig->comms.new_processes = MPI_COMM_WORLD;
    return plain ? nereus_reconfig_begin_duplicates(reconfig, err) : NEREUS_OK;
}

static enum nereus_status make_plan(struct reconfiguration *reconfig, MPI_Comm parent,
                                    int64_t group, double arrival_s, struct nereus_error *err)
{
    int rank;
    NEREUS_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank), err);
    NEREUS_TRY(nereus_reconfig_make_plan(reconfig, NEREUS_SPAWNED, -1, rank, err));
    const struct nereus_plan *plan = &reconfig->plan;
    const bool several = plan->tree.group_count > 0;
    reconfig->group.number = reconfig->group.united = group;
    reconfig->group.rank = rank;
    reconfig->target_rank = rank + (int)(several ? plan->tree.groups[group].first : 0);
    if (plan->method.process == NEREUS_MERGE)
        reconfig->target_rank += (int)(plan->ns + plan->woken);
    reconfig->job->world = reconfig->record.next_world_id + (several ? group : 0);
    const int join = find_first_step_after_join(plan, group) - 1;
    NEREUS_TRY(set_communicators(reconfig, parent, &plan->steps[join], err));
    reconfig->job->times.stamps[join] =
        (struct nereus_stamp){arrival_s, nereus_skewed_monotonic_s(), true};
    return NEREUS_OK;
}

/* Execute the plan of a new process up to the commit. */
static enum nereus_status execute_plan(struct reconfiguration *reconfig, struct nereus_error *err)
{
    const int first = find_first_step_after_join(&reconfig->plan, reconfig->group.number);
    const enum nereus_status status = nereus_execute(reconfig, first, reconfig->plan.step_count);
    if (status != NEREUS_OK && reconfig->verdict.status != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_CANCELLED, "the reconfiguration was cancelled: %.400s",
                           reconfig->verdict.text);
    return status;
}

/* Abort: without a plan this process cannot roll back. Cause: old and new processes run different
 * versions. */
static void abort_join(const struct nereus_error *err)
{
    nereus_log("a new process cannot follow the job's plan: %s", err->text);
    nereus_end_world();
}

/* Unpack the payload in reconfig->spec and make the plan. */
static enum nereus_status read_payload(struct reconfiguration *reconfig, MPI_Comm parent,
                                       int64_t group, double arrival_s, struct nereus_error *err)
{
    NEREUS_TRY(nereus_payload_unpack(reconfig->job, &reconfig->record, &reconfig->spec, err));
    reconfig->request.method = reconfig->record.method;
    NEREUS_TRY(make_plan(reconfig, parent, group, arrival_s, err));
    nereus_watchdog_set_identity(reconfig->job->watchdog, reconfig->job->id, reconfig->target_rank,
                                 reconfig->plan.nt, reconfig->job->reconfigurations, false);
    return NEREUS_OK;
}

/* Execute the part of a new process, from the payload to the first iteration. */
static enum nereus_status finish_join(struct reconfiguration *reconfig,
                                      const struct nereus_error *failure, struct nereus_error *err)
{
    reconfig->failure = *failure;
    if (nereus_fault_applies(NEREUS_STEP_JOIN, nereus_reconfig_rank(reconfig)))
        nereus_fault_report(NEREUS_STEP_JOIN, &reconfig->failure);
    enum nereus_status status = execute_plan(reconfig, err);
    if (status != NEREUS_OK && err->status == NEREUS_OK)
        *err = reconfig->error;
    if (status == NEREUS_OK)
        status = nereus_report_carried_out(reconfig, err);
    nereus_reconfig_fini(reconfig);
    return status;
}

enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err)
{
    struct reconfiguration reconfig;
    const double arrival_s = nereus_skewed_monotonic_s();
    int64_t group = 0;
    nereus_reconfig_init(&reconfig, job);
    NEREUS_MPI(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN), err);
    NEREUS_TRY(nereus_payload_broadcast(parent, 0, false, &reconfig.spec, &group, err));
    if (read_payload(&reconfig, parent, group, arrival_s, err) != NEREUS_OK)
        abort_join(err);
    return finish_join(&reconfig, failure, err);
}

/* Unpack the reply that a launched group receives. */
static enum nereus_status read_reply(const struct nereus_launch_reply *reply,
                                     struct reconfiguration *reconfig, struct nereus_error *err)
{
    struct pack_buffer pack = nereus_pack_reading(reply->bytes, reply->count);
    struct port_list ports = {0};
    nereus_launch_pack(&pack, &ports, &reconfig->spec);
    nereus_port_list_extract(&ports, reply->group, reconfig->group.ports, ROUNDS_MAX);
    nereus_port_list_fini(&ports);
    return pack.broken ? nereus_fail(err, NEREUS_ERR_PARSE,
                                     "the message to this launched process is incomplete")
                       : NEREUS_OK;
}

enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err)
{
    struct reconfiguration reconfig;
    struct nereus_launch_reply reply;
    const double arrival_s = nereus_skewed_monotonic_s();
    nereus_reconfig_init(&reconfig, job);
    NEREUS_TRY(nereus_launch_announce(MPI_COMM_WORLD, &reply, err));
    if (read_reply(&reply, &reconfig, err) != NEREUS_OK ||
        read_payload(&reconfig, MPI_COMM_NULL, reply.group, arrival_s, err) != NEREUS_OK)
        abort_join(err);
    reconfig.group.port = reply.own_port;
    reply.own_port = (struct nereus_port)NEREUS_PORT_NONE;
    const enum nereus_status status = finish_join(&reconfig, failure, err);
    /* Closed only now: the open line shows the root that this world is alive */
    nereus_launch_reply_fini(&reply);
    return status;
}
