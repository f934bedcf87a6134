/**
 * @file step_connect.c
 * Connects groups (Martín-Álvarez et al. (2025), sections 4.4 and 4.5), and old and new processes
 * by an inter-communicator.
 *
 * Between groups: rounds in which the lower half connects to the ports of the upper half (in the
 * paper the upper half connects; this way every port is used once). Between old and new: through a
 * port (Martín-Álvarez et al. (2024a), section 3.3), or through a bridge: MPI_Intercomm_create
 * needs a communicator that contains both leaders. The root has started the first new group, and
 * shares an inter-communicator with it; merged, that is the bridge.
 */

#include "src/mpi/mpi_library.h"
#include "src/util/handshake.h"
#include "src/util/pack_buffer.h"
#include "src/util/tags.h"
#include "steps.h"

/* ---- among the new groups -------------------------------------------------------------------- */

/* Merge two connected groups: the result becomes `new_processes`. */
static enum nereus_status merge_groups(struct reconfiguration *reconfig, MPI_Comm inter,
                                       bool connected)
{
    struct nereus_error *err = &reconfig->error;
    MPI_Comm both;
    NEREUS_TRY(nereus_handshake_ordered(inter, connected, err));
    NEREUS_MPI(MPI_Intercomm_merge(inter, connected, &both), err);
    NEREUS_MPI(MPI_Comm_free(&inter), err);
    if (reconfig->comms.new_processes != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&reconfig->comms.new_processes), err);
    reconfig->comms.new_processes = both;
    NEREUS_MPI(MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static enum nereus_status connect_round(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const int64_t left = nereus_connect_count_groups(reconfig->plan.tree.group_count,
                                                     reconfig->step->level),
                  half = (left + 1) / 2;
    MPI_Comm inter;
    reconfig->takes_part = reconfig->group.united >= half || reconfig->group.united + half < left;
    if (!reconfig->takes_part)
        return NEREUS_OK; /* an odd group is left over in this round */
    const bool upper = reconfig->group.united >= half;
    /* short limit: all have reported that they are ready */
    const double limit_s = reconfig->job->settings.answer_timeout_s;
    /* only rank 0 of the united group needs the port: the root of this group */
    if (upper)
        NEREUS_TRY(nereus_port_accept(reconfig->comms.new_processes, &reconfig->group.port, limit_s,
                                      &inter, err));
    else
        NEREUS_TRY(nereus_port_connect(reconfig->comms.new_processes,
                                       reconfig->group.ports[reconfig->step->level], limit_s, NULL,
                                       &inter, err));
    if (upper && reconfig->group.united == reconfig->group.number)
        nereus_port_close(&reconfig->group.port);
    if (upper)
        reconfig->group.united -= half;
    return merge_groups(reconfig, inter, upper);
}

enum nereus_status nereus_run_reorder(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const struct nereus_tree_group *group = &reconfig->plan.tree.groups[reconfig->group.number];
    MPI_Comm ordered;
    NEREUS_MPI(MPI_Comm_split(reconfig->comms.new_processes, 0,
                              (int)group->first + reconfig->group.rank, &ordered),
               err);
    if (reconfig->comms.new_processes != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&reconfig->comms.new_processes), err);
    reconfig->comms.new_processes = ordered;
    NEREUS_MPI(MPI_Comm_set_errhandler(ordered, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* ---- between old and new processes ----------------------------------------------------------- */

/* Get the communicator of the parents' root and the first new group; MPI_COMM_NULL: this process is
 * not in it. */
static MPI_Comm get_parent_edge(const struct reconfiguration *reconfig)
{
    if (reconfig->group.number == 0)
        return reconfig->comms.parent;
    return reconfig->group.number < 0 && reconfig->group.child_count > 0 &&
                   reconfig->group.children[0].group == 0
               ? reconfig->group.children[0].inter
               : MPI_COMM_NULL;
}

/* Send the port of the new processes' leader to the root of the old ones. */
static enum nereus_status send_port(struct reconfiguration *reconfig)
{
    const MPI_Comm edge = get_parent_edge(reconfig);
    struct nereus_error *err = &reconfig->error;
    if (reconfig->group.rank != 0 || edge == MPI_COMM_NULL)
        return NEREUS_OK;
    struct pack_buffer pack = {0};
    if (reconfig->group.number == 0) {
        NEREUS_TRY(nereus_port_open(&reconfig->group.port, err));
        char *port = reconfig->group.port.text;
        nereus_pack_text(&pack, &port);
        return nereus_pack_send(&pack, edge, PORT_TAG, err);
    }
    NEREUS_TRY(nereus_pack_receive(&pack, edge, PORT_TAG, reconfig->wait_mode,
                                   reconfig->job->settings.spawn_timeout_s, err));
    nereus_pack_text(&pack, &reconfig->group.peer_port);
    free(pack.data);
    NEREUS_TRY_MEMORY(reconfig->group.peer_port, err, "for the name of a port");
    return NEREUS_OK;
}

static enum nereus_status connect_by_port(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    NEREUS_TRY(send_port(reconfig));
    const double limit_s = reconfig->job->settings.spawn_timeout_s;
    if (reconfig->group.number >= 0)
        return nereus_port_accept(reconfig->comms.new_processes, &reconfig->group.port, limit_s,
                                  &reconfig->comms.inter, err);
    return nereus_port_connect(reconfig->comms.parents, reconfig->group.peer_port, limit_s, NULL,
                               &reconfig->comms.inter, err);
}

static enum nereus_status connect_by_bridge(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const MPI_Comm edge = get_parent_edge(reconfig), own = reconfig->group.number >= 0
                                                               ? reconfig->comms.new_processes
                                                               : reconfig->comms.parents;
    MPI_Comm bridge = MPI_COMM_NULL;
    int remote = 0;
    if (edge != MPI_COMM_NULL) {
        NEREUS_TRY(nereus_sleeping_barrier(edge, reconfig->wait_mode, err));
        NEREUS_TRY(nereus_handshake_ordered(edge, reconfig->group.number < 0, err));
        NEREUS_MPI(MPI_Intercomm_merge(edge, reconfig->group.number >= 0, &bridge), err);
        if (reconfig->group.number < 0) /* the first new process follows the parents */
            NEREUS_MPI(MPI_Comm_size(edge, &remote), err);
    }
    NEREUS_TRY(nereus_sleeping_barrier(own, reconfig->wait_mode, err));
    NEREUS_MPI(MPI_Intercomm_create(own, 0, bridge, remote, BRIDGE_TAG, &reconfig->comms.inter),
               err);
    if (bridge != MPI_COMM_NULL)
        NEREUS_MPI(MPI_Comm_free(&bridge), err);
    return NEREUS_OK;
}

static enum nereus_status disconnect_edge(MPI_Comm *edge, struct nereus_error *err)
{
    /* a disconnect does not wait for the other side */
    NEREUS_TRY(nereus_barrier(*edge, NEREUS_WAIT_AWAKE, err));
    NEREUS_MPI(nereus_mpi()->end_edge(edge), err);
    return NEREUS_OK;
}

enum nereus_status nereus_disconnect_edges(struct reconfiguration *reconfig,
                                           struct nereus_error *err)
{
    if (reconfig->comms.parent != MPI_COMM_NULL && reconfig->comms.parent != reconfig->comms.inter)
        NEREUS_TRY(disconnect_edge(&reconfig->comms.parent, err));
    reconfig->comms.parent = MPI_COMM_NULL;
    for (int i = 0; i < reconfig->group.child_count; i++)
        NEREUS_TRY(disconnect_edge(&reconfig->group.children[i].inter, err));
    reconfig->group.child_count = 0;
    return NEREUS_OK;
}

/* If only the root starts processes the other sources wait here, asleep. */
static enum nereus_status wait_for_spawn(struct reconfiguration *reconfig)
{
    const struct nereus_error none = {0};
    const bool lacks = reconfig->group.rank == 0 && reconfig->group.child_count == 0;
    return nereus_broadcast_verdict(reconfig, lacks ? &reconfig->failure : &none,
                                    nereus_reconfig_waiting(reconfig, true));
}

static enum nereus_status connect_old_with_new(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    if (reconfig->step->starter == NEREUS_STARTER_ROOT &&
        reconfig->step->channel == NEREUS_CHANNEL_TREE && reconfig->group.number < 0)
        NEREUS_TRY(wait_for_spawn(reconfig));
    if (reconfig->step->channel == NEREUS_CHANNEL_LINES)
        NEREUS_TRY(nereus_launch_connect(reconfig));
    else
        NEREUS_TRY(reconfig->record.bridge != 0 ? connect_by_bridge(reconfig)
                                                : connect_by_port(reconfig));
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.inter, MPI_ERRORS_RETURN), err);
    nereus_port_close(&reconfig->group.port);
    /* without a merge, which contains the handshake, it takes place here */
    if (reconfig->plan.inter && nereus_is_watched(reconfig)) {
        NEREUS_TRY(nereus_handshake_all(reconfig->comms.inter, reconfig->group.number >= 0,
                                        reconfig->wait_mode, err));
        NEREUS_TRY(nereus_wait_for_new_processes(reconfig));
    }
    NEREUS_TRY(nereus_disconnect_edges(reconfig, err));
    return reconfig->group.number >= 0 ? nereus_reconfig_begin_duplicates(reconfig, err)
                                       : NEREUS_OK;
}

enum nereus_status nereus_run_connect(struct reconfiguration *reconfig)
{
    return reconfig->step->level > 0 ? connect_round(reconfig) : connect_old_with_new(reconfig);
}
