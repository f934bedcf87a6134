/*
 * Connects groups (parallel-spawning 4.4, 4.5), and old and new processes by an inter-communicator.
 *
 * Between groups: rounds in which the lower half connects to the ports of the upper half (in the
 * paper the upper half connects; this way every port is used once). Between old and new: through a
 * port (spawning-methods 3.3), or through a bridge: the root and the first new group share a
 * communicator, as the root has started that group; merged, it contains both leaders, which is all
 * that MPI_Intercomm_create needs.
 */
#include <stdlib.h>
#include <string.h>

#include "src/util/error.h"
#include "src/util/handshake.h"
#include "src/util/mpi_library.h"
#include "steps.h"

enum { PORT_TAG = 71, BRIDGE_TAG = 72 };

/* ---- among the new groups -------------------------------------------------------------------- */

/* Merge two connected groups: the result becomes `own`. */
static enum nereus_status merge_groups(struct reconfiguration *rc, MPI_Comm inter, bool connected)
{
    struct nereus_error *err = &rc->error;
    MPI_Comm both;
    NEREUS_TRY(nereus_handshake_ordered(inter, connected, err));
    NEREUS_MPI(MPI_Intercomm_merge(inter, connected, &both), err);
    NEREUS_MPI(MPI_Comm_free(&inter), err);
    if (rc->comms.own != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&rc->comms.own), err);
    rc->comms.own = both;
    NEREUS_MPI(MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static enum nereus_status connect_round(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const int64_t left = nereus_connect_left(rc->plan.tree.group_count, rc->step->level),
                  half = (left + 1) / 2;
    MPI_Comm inter;
    rc->taken = rc->group.united >= half || rc->group.united + half < left;
    if (!rc->taken)
        return NEREUS_OK; /* an odd group is left over in this round */
    const bool upper = rc->group.united >= half;
    /* short limit: all have reported that they are ready */
    const double limit_s = rc->job->settings.answer_timeout_s;
    /* only rank 0 of the united group needs the port: the root of this group */
    if (upper)
        NEREUS_TRY(nereus_port_accept(rc->comms.own, &rc->group.port, limit_s, &inter, err));
    else
        NEREUS_TRY(nereus_port_connect(rc->comms.own, rc->group.ports[rc->step->level], limit_s,
                                       NULL, &inter, err));
    if (upper && rc->group.united == rc->group.number)
        nereus_port_close(&rc->group.port);
    if (upper)
        rc->group.united -= half;
    return merge_groups(rc, inter, upper);
}

enum nereus_status nereus_run_reorder(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const struct nereus_tree_group *group = &rc->plan.tree.groups[rc->group.number];
    MPI_Comm ordered;
    NEREUS_MPI(MPI_Comm_split(rc->comms.own, 0, (int)group->first + rc->group.rank, &ordered), err);
    if (rc->comms.own != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&rc->comms.own), err);
    rc->comms.own = ordered;
    NEREUS_MPI(MPI_Comm_set_errhandler(ordered, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* ---- old with new ---------------------------------------------------------------------------- */

/* Communicator of the parents' root and the first new group; MPI_COMM_NULL: not in this process. */
static MPI_Comm first_line(const struct reconfiguration *rc)
{
    if (rc->group.number == 0)
        return rc->comms.parent;
    return rc->group.number < 0 && rc->group.child_count > 0 && rc->group.children[0].group == 0
               ? rc->group.children[0].inter
               : MPI_COMM_NULL;
}

/* Send the port of the new processes' leader to the root of the old ones. */
static enum nereus_status send_port(struct reconfiguration *rc)
{
    const MPI_Comm line = first_line(rc);
    struct nereus_error *err = &rc->error;
    if (rc->group.rank != 0 || line == MPI_COMM_NULL)
        return NEREUS_OK;
    if (rc->group.number == 0) {
        NEREUS_TRY(nereus_port_open(&rc->group.port, err));
        NEREUS_MPI(MPI_Send(rc->group.port.text, (int)strlen(rc->group.port.text) + 1, MPI_CHAR, 0,
                            PORT_TAG, line),
                   err);
        return NEREUS_OK;
    }
    MPI_Message message;
    MPI_Status status;
    int length;
    NEREUS_TRY(nereus_await_message(line, 0, PORT_TAG, rc->waiting,
                                    rc->job->settings.spawn_timeout_s, &message, &status, err));
    MPI_Get_count(&status, MPI_CHAR, &length);
    rc->group.peer_port = calloc(1, (size_t)length + 1);
    NEREUS_TRY_MEMORY(rc->group.peer_port, err, "for the name of a port");
    NEREUS_MPI(MPI_Mrecv(rc->group.peer_port, length, MPI_CHAR, &message, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

static enum nereus_status connect_by_port(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    NEREUS_TRY(send_port(rc));
    const double limit_s = rc->job->settings.spawn_timeout_s;
    if (rc->group.number >= 0)
        return nereus_port_accept(rc->comms.own, &rc->group.port, limit_s, &rc->comms.inter, err);
    return nereus_port_connect(rc->comms.parents, rc->group.peer_port, limit_s, NULL,
                               &rc->comms.inter, err);
}

/* Rank of the first new process in the bridge, after the parents. */
static enum nereus_status rank_behind_parents(MPI_Comm line, int *rank, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Comm_size(line, rank), err);
    return NEREUS_OK;
}

static enum nereus_status connect_by_bridge(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const MPI_Comm line = first_line(rc);
    MPI_Comm bridge = MPI_COMM_NULL;
    int remote = 0;
    if (line != MPI_COMM_NULL) {
        NEREUS_TRY(nereus_sleeping_barrier(line, rc->waiting, err));
        NEREUS_TRY(nereus_handshake_ordered(line, rc->group.number < 0, err));
        NEREUS_MPI(MPI_Intercomm_merge(line, rc->group.number >= 0, &bridge), err);
        if (rc->group.number < 0)
            NEREUS_TRY(rank_behind_parents(line, &remote, err));
    }
    NEREUS_TRY(nereus_sleeping_barrier(rc->group.number >= 0 ? rc->comms.own : rc->comms.parents,
                                       rc->waiting, err));
    NEREUS_MPI(MPI_Intercomm_create(rc->group.number >= 0 ? rc->comms.own : rc->comms.parents, 0,
                                    bridge, remote, BRIDGE_TAG, &rc->comms.inter),
               err);
    if (bridge != MPI_COMM_NULL)
        NEREUS_MPI(MPI_Comm_free(&bridge), err);
    return NEREUS_OK;
}

static enum nereus_status disconnect_edge(MPI_Comm *line, struct nereus_error *err)
{
    /* a disconnect does not wait for the other side */
    NEREUS_TRY(nereus_barrier(*line, NEREUS_WAITING, err));
    NEREUS_MPI(nereus_mpi_end_edge(line), err);
    return NEREUS_OK;
}

enum nereus_status nereus_disconnect_edges(struct reconfiguration *rc, struct nereus_error *err)
{
    if (rc->comms.parent != MPI_COMM_NULL && rc->comms.parent != rc->comms.inter)
        NEREUS_TRY(disconnect_edge(&rc->comms.parent, err));
    rc->comms.parent = MPI_COMM_NULL;
    for (int i = 0; i < rc->group.child_count; i++)
        NEREUS_TRY(disconnect_edge(&rc->group.children[i].inter, err));
    rc->group.child_count = 0;
    return NEREUS_OK;
}

/* If only the root starts processes the other sources wait here, asleep. */
static enum nereus_status wait_for_spawn(struct reconfiguration *rc)
{
    const struct nereus_error none = {0};
    const bool lacks = rc->group.rank == 0 && rc->group.child_count == 0;
    return nereus_share_verdict(rc, lacks ? &rc->failure : &none, nereus_rc_waiting(rc, true));
}

static enum nereus_status connect_old_with_new(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    if (rc->step->starter == NEREUS_STARTER_ROOT && rc->step->channel == NEREUS_CHANNEL_TREE &&
        rc->group.number < 0)
        NEREUS_TRY(wait_for_spawn(rc));
    if (rc->step->channel == NEREUS_CHANNEL_LINES)
        NEREUS_TRY(nereus_launch_connect(rc));
    else
        NEREUS_TRY(rc->record.bridge != 0 ? connect_by_bridge(rc) : connect_by_port(rc));
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.inter, MPI_ERRORS_RETURN), err);
    nereus_port_close(&rc->group.port);
    /* without a merge, which contains the handshake, it takes place here */
    if (rc->plan.inter && nereus_is_watched(rc)) {
        NEREUS_TRY(nereus_handshake_all(rc->comms.inter, rc->group.number >= 0, rc->waiting, err));
        NEREUS_TRY(nereus_wait_for_new_processes(rc));
    }
    NEREUS_TRY(nereus_disconnect_edges(rc, err));
    return rc->group.number >= 0 ? nereus_rc_begin_own(rc, err) : NEREUS_OK;
}

enum nereus_status nereus_run_connect(struct reconfiguration *rc)
{
    return rc->step->level > 0 ? connect_round(rc) : connect_old_with_new(rc);
}
