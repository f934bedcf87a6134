/*
 * Groups become one (parallel-spawning 4.4, 4.5), and old and new processes get a common inter-communicator.
 *
 * Between groups: rounds in which the lower half connects to the upper half through its ports (the paper lets the upper half
 * connect; this way round every port is used once). Between old and new: through a port
 * (spawning-methods 3.3), or through a bridge: the root and the first new group have a communicator already, since the root
 * started that group; merged, it holds both leaders, and MPI_Intercomm_create needs no more than that.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum { PORT_TAG = 71, BRIDGE_TAG = 72 };

/* ---- among the new groups --------------------------------------------------------------------------------- */

/* The communicator of two groups that have met becomes `own`. */
static enum nereus_status unite(struct move *move, MPI_Comm inter, bool connected)
{
    struct nereus_error *err = &move->error;
    MPI_Comm both;
    NEREUS_TRY(nereus_first_words(inter, connected, err));
    NEREUS_MPI(MPI_Intercomm_merge(inter, connected, &both), err);
    NEREUS_MPI(MPI_Comm_free(&inter), err);
    if (move->own != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&move->own), err);
    move->own = both;
    NEREUS_MPI(MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static enum nereus_status connect_round(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    const int64_t left = nereus_connect_left(move->plan.tree.group_count, step->level), half = (left + 1) / 2;
    MPI_Comm inter;
    *taken = move->met >= half || move->met + half < left;
    if (!*taken)
        return NEREUS_OK; /* the middle one of an odd number */
    const bool upper = move->met >= half;
    const double limit_s = move->job->answer_timeout_s; /* all have said that they are there */
    /* Only the root of the united groups needs the port: rank 0, which is the root of the group that they are named
     * after. */
    if (upper)
        NEREUS_TRY(nereus_port_accept(move->own, &move->port, limit_s, &inter, err));
    else
        NEREUS_TRY(nereus_port_connect(move->own, move->ports[step->level], limit_s, NULL, &inter, err));
    if (upper && move->met == move->group)
        nereus_port_close(&move->port);
    if (upper)
        move->met -= half;
    return unite(move, inter, upper);
}

enum nereus_status nereus_run_reorder(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    const struct nereus_tree_group *group = &move->plan.tree.groups[move->group];
    MPI_Comm ordered;
    (void)step;
    (void)taken;
    NEREUS_MPI(MPI_Comm_split(move->own, 0, (int)group->first + move->group_rank, &ordered), err);
    if (move->own != MPI_COMM_WORLD)
        NEREUS_MPI(MPI_Comm_free(&move->own), err);
    move->own = ordered;
    NEREUS_MPI(MPI_Comm_set_errhandler(ordered, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* ---- old with new ------------------------------------------------------------------------------------------- */

/* The line between the root of the parents and the first new group, on either side; MPI_COMM_NULL: not here. */
static MPI_Comm first_line(const struct move *move)
{
    if (move->group == 0)
        return move->parent;
    return move->group < 0 && move->child_count > 0 && move->children[0].group == 0 ? move->children[0].inter
                                                                                    : MPI_COMM_NULL;
}

/* The leader of the new processes tells the root of the old ones where its port is. */
static enum nereus_status tell_port(struct move *move)
{
    const MPI_Comm line = first_line(move);
    struct nereus_error *err = &move->error;
    if (move->group_rank != 0 || line == MPI_COMM_NULL)
        return NEREUS_OK;
    if (move->group == 0) {
        NEREUS_TRY(nereus_port_open(&move->port, err));
        NEREUS_MPI(MPI_Send(move->port.text, (int)strlen(move->port.text) + 1, MPI_CHAR, 0, PORT_TAG, line),
                   err);
        return NEREUS_OK;
    }
    MPI_Message message;
    MPI_Status status;
    int length;
    NEREUS_TRY(nereus_await_message(line, 0, PORT_TAG, move->naps, move->job->spawn_timeout_s, &message,
                                    &status, err));
    MPI_Get_count(&status, MPI_CHAR, &length);
    move->partner = calloc(1, (size_t)length + 1);
    if (move->partner == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the name of a port");
    NEREUS_MPI(MPI_Mrecv(move->partner, length, MPI_CHAR, &message, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

static enum nereus_status connect_by_port(struct move *move)
{
    struct nereus_error *err = &move->error;
    NEREUS_TRY(tell_port(move));
    const double limit_s = move->job->spawn_timeout_s;
    if (move->group >= 0)
        return nereus_port_accept(move->own, &move->port, limit_s, &move->inter, err);
    return nereus_port_connect(move->parents, move->partner, limit_s, NULL, &move->inter, err);
}

/* Rank of the first new process in the bridge: behind those on the parents' side of the line. */
static enum nereus_status rank_behind_parents(MPI_Comm line, int *rank, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Comm_size(line, rank), err);
    return NEREUS_OK;
}

static enum nereus_status connect_by_bridge(struct move *move)
{
    struct nereus_error *err = &move->error;
    const MPI_Comm line = first_line(move);
    MPI_Comm bridge = MPI_COMM_NULL;
    int remote = 0;
    if (line != MPI_COMM_NULL) {
        NEREUS_TRY(nereus_meet(line, move->naps, err));
        NEREUS_TRY(nereus_first_words(line, move->group < 0, err));
        NEREUS_MPI(MPI_Intercomm_merge(line, move->group >= 0, &bridge), err);
        if (move->group < 0)
            NEREUS_TRY(rank_behind_parents(line, &remote, err));
    }
    NEREUS_TRY(nereus_meet(move->group >= 0 ? move->own : move->parents, move->naps, err));
    NEREUS_MPI(MPI_Intercomm_create(move->group >= 0 ? move->own : move->parents, 0, bridge, remote,
                                    BRIDGE_TAG, &move->inter),
               err);
    if (bridge != MPI_COMM_NULL)
        NEREUS_MPI(MPI_Comm_free(&bridge), err);
    return NEREUS_OK;
}

static enum nereus_status cut(MPI_Comm *line, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Barrier(*line), err); /* a disconnect does not wait for the other side */
    NEREUS_MPI(MPI_Comm_disconnect(line), err);
    return NEREUS_OK;
}

enum nereus_status nereus_cut_edges(struct move *move, struct nereus_error *err)
{
    if (move->parent != MPI_COMM_NULL && move->parent != move->inter)
        NEREUS_TRY(cut(&move->parent, err));
    move->parent = MPI_COMM_NULL;
    for (int i = 0; i < move->child_count; i++)
        NEREUS_TRY(cut(&move->children[i].inter, err));
    move->child_count = 0;
    return NEREUS_OK;
}

/* single: until here the other sources have nothing to do but wait for the root, asleep. */
static enum nereus_status hear_of_spawn(struct move *move)
{
    const struct nereus_error none = {0};
    const bool lacks = move->group_rank == 0 && move->child_count == 0;
    return nereus_share_verdict(move, lacks ? &move->failure : &none);
}

static enum nereus_status connect_old_with_new(struct move *move)
{
    struct nereus_error *err = &move->error;
    if (move->plan.method.strategy == NEREUS_SINGLE && move->group < 0)
        NEREUS_TRY(hear_of_spawn(move));
    if (move->plan.method.strategy == NEREUS_LAUNCH)
        NEREUS_TRY(nereus_launch_meet(move));
    else
        NEREUS_TRY(move->request->bridge != 0 ? connect_by_bridge(move) : connect_by_port(move));
    NEREUS_MPI(MPI_Comm_set_errhandler(move->inter, MPI_ERRORS_RETURN), err);
    nereus_port_close(&move->port);
    if (move->plan.inter && nereus_is_watched(move)) { /* no merge follows, in which they do */
        NEREUS_TRY(nereus_get_acquainted(move->inter, move->group >= 0, err));
        NEREUS_TRY(nereus_await_new(move));
    }
    NEREUS_TRY(nereus_cut_edges(move, err));
    return move->group >= 0 ? nereus_move_begin_own(move, err) : NEREUS_OK;
}

enum nereus_status nereus_run_connect(struct move *move, const struct nereus_step *step, bool *taken)
{
    return step->level > 0 ? connect_round(move, step, taken) : connect_old_with_new(move);
}
