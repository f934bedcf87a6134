/*
 * The steps "spawn" and "join" in the parents: spawn, and send the join payload.
 *
 * The step's starter is: all parents together, one world or several in turn; the root alone; or, at
 * each level of the spawn tree, each process with an assigned group. For the last, the root's
 * start_spec is broadcast first.
 */
#include <stdio.h>
#include <stdlib.h>

#include "src/start/hosts.h"
#include "src/start/join_payload.h"
#include "src/start/spawn.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "steps.h"

/* Broadcast the root's start_spec to all parents. */
static enum nereus_status share_spec(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const bool sends = rc->group.rank == 0;
    int64_t no_group = -1;
    NEREUS_TRY(nereus_sleeping_barrier(rc->comms.parents, rc->waiting, err));
    NEREUS_TRY(nereus_payload_broadcast(rc->comms.parents, 0, sends, &rc->spec, &no_group, err));
    if (sends)
        return NEREUS_OK;
    return nereus_payload_read_spec(&rc->spec, err);
}

static enum nereus_status remember_child(struct reconfiguration *rc, int64_t group, MPI_Comm inter)
{
    struct child *longer =
        realloc(rc->group.children, ((size_t)rc->group.child_count + 1) * sizeof *longer);
    NEREUS_TRY_MEMORY(longer, &rc->error, "to remember a new process");
    rc->group.children = longer;
    rc->group.children[rc->group.child_count++] = (struct child){group, inter};
    return NEREUS_OK;
}

/* Start one group on its node. */
static enum nereus_status start_group(struct reconfiguration *rc, MPI_Comm comm, int64_t group)
{
    const struct nereus_request *request = &rc->record;
    char host[NEREUS_NODE_NAME_MAX] = "", place[NEREUS_NODE_NAME_MAX + 24] = "";
    MPI_Comm inter;
    if (request->group_count > 0)
        nereus_host_of_node(&rc->job->machine, request->groups[group].node, host, sizeof host);
    if (host[0] != '\0')
        snprintf(place, sizeof place, "%s:%lld", host, (long long)request->groups[group].processes);
    if (nereus_spawn(&rc->spec, rc->job,
                     &(struct spawn_group){comm, rc->plan.tree.groups[group].processes, place},
                     &inter, &rc->failure) != NEREUS_OK)
        return NEREUS_OK; /* reported when groups synchronise */
    return remember_child(rc, group, inter);
}

static enum nereus_status start_alone(struct reconfiguration *rc)
{
    MPI_Comm inter;
    rc->taken = rc->group.rank == 0;
    if (!rc->taken || rc->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (nereus_spawn(&rc->spec, rc->job,
                     &(struct spawn_group){rc->job->self, rc->step->new_processes, rc->spec.hosts},
                     &inter, &rc->failure) != NEREUS_OK)
        return NEREUS_OK; /* reported before the connection */
    return remember_child(rc, 0, inter);
}

static enum nereus_status start_in_tree(struct reconfiguration *rc)
{
    if (rc->step->level == 1)
        NEREUS_TRY(share_spec(rc));
    const int64_t group =
        nereus_tree_child(&rc->plan.tree, rc->step->level, rc->group.number, rc->group.rank);
    rc->taken = group >= 0;
    /* After a failure this process starts no group; the others learn of it when groups synchronise.
     */
    return group < 0 || rc->failure.status != NEREUS_OK ? NEREUS_OK
                                                        : start_group(rc, rc->job->self, group);
}

enum nereus_status nereus_run_spawn(struct reconfiguration *rc)
{
    if (rc->step->starter == NEREUS_STARTER_TREE)
        return start_in_tree(rc);
    if (rc->step->starter == NEREUS_STARTER_ROOT)
        return start_alone(rc);
    if (rc->step->channel ==
        NEREUS_CHANNEL_SPAWN) /* the error is the same in all parents: it is the verdict */
        return nereus_spawn(
            &rc->spec, rc->job,
            &(struct spawn_group){rc->comms.parents, rc->step->new_processes, rc->spec.hosts},
            &rc->comms.inter, &rc->verdict);
    for (int64_t group = 0; group < rc->step->times && rc->group.child_count == group; group++)
        NEREUS_TRY(start_group(rc, rc->comms.parents, group));
    return NEREUS_OK;
}

/* Broadcast the payload to a group; `leads`: this process sends. */
static enum nereus_status send_payload(struct reconfiguration *rc, MPI_Comm inter, int64_t group,
                                       bool leads)
{
    return nereus_payload_broadcast(inter, leads ? MPI_ROOT : MPI_PROC_NULL, leads, &rc->spec,
                                    &group, &rc->error);
}

/* The new processes' side of this step is nereus_join. Its result is agreed on before any data
 * moves. */
enum nereus_status nereus_run_join(struct reconfiguration *rc)
{
    const bool root = rc->group.rank == 0;
    const bool leads =
        root || rc->step->starter !=
                    NEREUS_STARTER_PARENTS; /* otherwise all parents have the communicator */
    const struct nereus_tree *const tree = &rc->plan.tree;
    if (rc->step->channel == NEREUS_CHANNEL_SPAWN)
        return send_payload(rc, rc->comms.inter, 0, root);
    if (rc->step->channel == NEREUS_CHANNEL_LINES)
        return nereus_launch_join(rc);
    rc->taken = false;
    for (int i = 0; i < rc->group.child_count; i++) {
        const struct child *child = &rc->group.children[i];
        if (tree->group_count > 0 && tree->groups[child->group].level != rc->step->level)
            continue;
        rc->taken = true;
        NEREUS_TRY(send_payload(rc, child->inter, child->group, leads));
    }
    return NEREUS_OK;
}
