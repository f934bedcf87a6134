/**
 * @file step_spawn.c
 * Runs the steps "spawn" and "join" in the parents: spawn, and send the join payload.
 *
 * Processes are started by all parents together (one world, or several in turn), by the root alone,
 * or, at each level of the spawn tree, by each process with an assigned group. Only in the last
 * case the root's start_spec is broadcast first.
 */

#include "src/start/hosts.h"
#include "src/start/join_payload.h"
#include "src/start/spawn.h"
#include "steps.h"

/* Broadcast the root's start_spec to all parents. */
static enum nereus_status broadcast_spec(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const bool sends = reconfig->group.rank == 0;
    int64_t no_group = -1;
    NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.parents, reconfig->wait_mode, err));
    NEREUS_TRY(nereus_payload_broadcast(reconfig->comms.parents, 0, sends, &reconfig->spec,
                                        &no_group, err));
    if (sends)
        return NEREUS_OK;
    return nereus_payload_read_spec(&reconfig->spec, err);
}

static enum nereus_status append_child(struct reconfiguration *reconfig, int64_t group,
                                       MPI_Comm inter)
{
    NEREUS_TRY_GROW(reconfig->group.children, reconfig->group.child_count, &reconfig->error,
                    "to remember a new process");
    reconfig->group.children[reconfig->group.child_count++] = (struct child){group, inter};
    return NEREUS_OK;
}

/* Start one group on its node. */
static enum nereus_status start_group(struct reconfiguration *reconfig, MPI_Comm comm,
                                      int64_t group)
{
    const struct nereus_request *request = &reconfig->record;
    char host[NEREUS_NODE_NAME_MAX] = "", place[NEREUS_NODE_NAME_MAX + 24] = "";
    MPI_Comm inter;
    if (request->group_count > 0)
        nereus_host_of_node(&reconfig->job->machine, request->groups[group].node, host,
                            sizeof host);
    if (host[0] != '\0')
        snprintf(place, sizeof place, "%s:%lld", host, (long long)request->groups[group].processes);
    if (nereus_spawn(
            &reconfig->spec, reconfig->job,
            &(struct spawn_group){comm, reconfig->plan.tree.groups[group].processes, place}, &inter,
            &reconfig->failure) != NEREUS_OK)
        return NEREUS_OK; /* reported when groups synchronise */
    return append_child(reconfig, group, inter);
}

/* The root starts one world by itself; the others learn of a failure before the connection. */
static enum nereus_status start_alone(struct reconfiguration *reconfig)
{
    MPI_Comm inter;
    reconfig->takes_part = reconfig->group.rank == 0;
    if (!reconfig->takes_part || reconfig->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (nereus_spawn(&reconfig->spec, reconfig->job,
                     &(struct spawn_group){reconfig->job->self, reconfig->step->new_processes,
                                           reconfig->spec.hosts},
                     &inter, &reconfig->failure) != NEREUS_OK)
        return NEREUS_OK;
    return append_child(reconfig, 0, inter);
}

/* Each process with a child group at this level of the spawn tree starts that group. */
static enum nereus_status start_in_tree(struct reconfiguration *reconfig)
{
    if (reconfig->step->level == 1)
        NEREUS_TRY(broadcast_spec(reconfig));
    const int64_t group = nereus_tree_child(&reconfig->plan.tree, reconfig->step->level,
                                            reconfig->group.number, reconfig->group.rank);
    reconfig->takes_part = group >= 0;
    /* After a failure this process starts no group; the others learn of it when groups
     * synchronise. */
    return group < 0 || reconfig->failure.status != NEREUS_OK
               ? NEREUS_OK
               : start_group(reconfig, reconfig->job->self, group);
}

/* All parents call MPI_Comm_spawn together, for one world. An error is the same in all of them, so
 * it is the verdict. */
static enum nereus_status start_one_world(struct reconfiguration *reconfig)
{
    return nereus_spawn(&reconfig->spec, reconfig->job,
                        &(struct spawn_group){reconfig->comms.parents,
                                              reconfig->step->new_processes, reconfig->spec.hosts},
                        &reconfig->comms.inter, &reconfig->verdict);
}

/* All parents start one group after the other, up to the first that fails. */
static enum nereus_status start_in_turn(struct reconfiguration *reconfig)
{
    for (int64_t group = 0; group < reconfig->step->times && reconfig->group.child_count == group;
         group++)
        NEREUS_TRY(start_group(reconfig, reconfig->comms.parents, group));
    return NEREUS_OK;
}

enum nereus_status nereus_run_spawn(struct reconfiguration *reconfig)
{
    switch (reconfig->step->starter) {
    case NEREUS_STARTER_TREE:
        return start_in_tree(reconfig);
    case NEREUS_STARTER_ROOT:
        return start_alone(reconfig);
    case NEREUS_STARTER_PARENTS:
    case NEREUS_STARTER_NONE: /* not of this step */
        break;
    }
    return reconfig->step->channel == NEREUS_CHANNEL_SPAWN ? start_one_world(reconfig)
                                                           : start_in_turn(reconfig);
}

/* Broadcast the payload to a group; `leads`: this process sends. */
static enum nereus_status send_payload(struct reconfiguration *reconfig, MPI_Comm inter,
                                       int64_t group, bool leads)
{
    return nereus_payload_broadcast(inter, leads ? MPI_ROOT : MPI_PROC_NULL, leads, &reconfig->spec,
                                    &group, &reconfig->error);
}

/* Send the payload to the groups of this level that this process has started. */
static enum nereus_status send_to_children(struct reconfiguration *reconfig)
{
    const struct nereus_tree *const tree = &reconfig->plan.tree;
    /* The root sends where all parents have the communicator. */
    const bool leads =
        reconfig->group.rank == 0 || reconfig->step->starter != NEREUS_STARTER_PARENTS;
    reconfig->takes_part = false;
    for (int i = 0; i < reconfig->group.child_count; i++) {
        const struct child *child = &reconfig->group.children[i];
        if (tree->group_count > 0 && tree->groups[child->group].level != reconfig->step->level)
            continue;
        reconfig->takes_part = true;
        NEREUS_TRY(send_payload(reconfig, child->inter, child->group, leads));
    }
    return NEREUS_OK;
}

/* The new processes' side of this step is nereus_join. Its result is agreed on before any data
 * moves. */
enum nereus_status nereus_run_join(struct reconfiguration *reconfig)
{
    if (reconfig->step->channel == NEREUS_CHANNEL_SPAWN)
        return send_payload(reconfig, reconfig->comms.inter, 0, reconfig->group.rank == 0);
    if (reconfig->step->channel == NEREUS_CHANNEL_LINES)
        return nereus_launch_join(reconfig);
    return send_to_children(reconfig);
}
