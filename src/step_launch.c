/*
 * The strategy launch in a plan: the launcher starts a world for each group, and the sources wait for their announcements outside
 * MPI (step "launch"), tell them what they have to know and whose ports they connect to ("join"), and look a last time whether
 * all are there ("synchronise" downwards) before they enter MPI with them. Whatever fails until then costs the job
 * nothing: the root alone has to do with the new processes, and tells the others how it ended.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "launch.h"
#include "parcel.h"

/* Beyond this a connection has failed: both sides have said that they are there, and a healthy one takes some 10 ms (docs/launch.md). */
static double connect_limit_s(const struct move *move)
{
    return move->job->answer_timeout_s;
}

enum nereus_status nereus_launch_begin(struct move *move, struct nereus_error *failure)
{
    const struct nereus_tree *tree = &move->plan.tree;
    const struct nereus_request *request = move->request;
    const int64_t count = tree->group_count;
    struct nereus_launch_group *groups = calloc((size_t)count, sizeof *groups);
    char(*hosts)[NEREUS_NODE_NAME_MAX] = calloc((size_t)count, sizeof *hosts);
    enum nereus_status status = NEREUS_OK;
    if (groups == NULL || hosts == NULL)
        status = nereus_fail(failure, NEREUS_ERR_MEMORY, "no memory to launch %lld groups", (long long)count);
    for (int64_t i = 0; status == NEREUS_OK && i < count; i++) {
        if (request->group_count > 0)
            nereus_host_of_node(&move->job->machine, request->groups[i].node, hosts[i], sizeof hosts[i]);
        groups[i] = (struct nereus_launch_group){.host = hosts[i][0] != '\0' ? hosts[i] : NULL,
                                                 .processes = (int)tree->groups[i].processes,
                                                 .guard = move->kit.guard,
                                                 .words = move->kit.words};
    }
    if (status == NEREUS_OK)
        status = nereus_launch_start(groups, (int)count, move->job->spawn_timeout_s, &move->launch, failure);
    free(groups);
    free(hosts);
    return status;
}

enum nereus_status nereus_run_launch(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error failure = move->failure;
    (void)step;
    (void)taken;
    if (move->group_rank == 0 && failure.status == NEREUS_OK && move->launch == NULL)
        nereus_launch_begin(move, &failure);
    if (move->launch != NULL && failure.status == NEREUS_OK) {
        nereus_launch_wait(move->launch, move->job->spawn_timeout_s + 1);
        nereus_launch_failure(move->launch, &failure);
    }
    return nereus_share_verdict(move, &failure);
}

/* ---- welcome --------------------------------------------------------------------------------------------------- */

/* Whom the group connects to, in which round: as in a tree (step_synchronise.c), but the root knows all ports. */
static enum nereus_status put_ports(struct move *move, int64_t group, struct parcel *parcel)
{
    const int64_t groups = move->plan.tree.group_count;
    int64_t sought = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            parcel_put_int(parcel, sought);
        for (int64_t other = group + 1; other < groups; other++) {
            int64_t round, to;
            nereus_connect_partner(groups, other, &round, &to);
            if (to != group)
                continue;
            sought += pass == 0;
            if (pass == 1) {
                parcel_put_int(parcel, round);
                parcel_put_text(parcel, nereus_launch_port(move->launch, (int)other));
            }
        }
    }
    return parcel->broken ? NEREUS_ERR_MEMORY : NEREUS_OK;
}

static enum nereus_status welcome_group(struct move *move, int64_t group, struct nereus_error *failure)
{
    struct parcel parcel = {0};
    enum nereus_status status = NEREUS_OK;
    parcel_put_int(&parcel, move->job->points);
    put_ports(move, group, &parcel);
    parcel_put_block(&parcel, move->kit.welcome, (size_t)move->kit.welcome_bytes);
    if (parcel.broken)
        status = nereus_fail(failure, NEREUS_ERR_MEMORY, "no memory for the record that new processes get");
    else
        status = nereus_launch_welcome(move->launch, (int)group, parcel.data, parcel.bytes, NULL, failure);
    free(parcel.data);
    return status;
}

enum nereus_status nereus_launch_join(struct move *move)
{
    struct nereus_error failure = {0};
    for (int64_t i = 0; move->launch != NULL && i < move->plan.tree.group_count; i++)
        if (welcome_group(move, i, &failure) != NEREUS_OK)
            break;
    return nereus_share_verdict(move, &failure);
}

enum nereus_status nereus_launch_look_again(struct move *move)
{
    struct nereus_error failure = {0};
    for (int64_t i = 0; move->launch != NULL && i < move->plan.tree.group_count; i++)
        if (nereus_launch_last_look(move->launch, (int)i, connect_limit_s(move), &failure) != NEREUS_OK)
            break;
    return nereus_share_verdict(move, &failure);
}

/* ---- the connection ---------------------------------------------------------------------------------------------- */

/* A connection that times out has failed for all sources. After a death it may stand for some only: where they are watched, the root
 * says what becomes of it. */
static enum nereus_status connection_failed(struct move *move, bool watched)
{
    struct nereus_error failure;
    move->inter = MPI_COMM_NULL;
    nereus_fail(&failure, move->error.status, "the launched processes did not connect within %.0f s: %.300s",
                connect_limit_s(move), move->error.text);
    if (watched)
        return nereus_lookout_lose(move, &failure);
    move->job->unconnectable = move->job->unconnectable || failure.status == NEREUS_ERR_MPI;
    move->verdict = failure;
    return failure.status;
}

/* The new processes' first group accepts on the port that it has announced. */
enum nereus_status nereus_launch_meet(struct move *move)
{
    struct nereus_error *err = &move->error;
    if (move->group >= 0)
        return nereus_port_accept(move->own, &move->port, connect_limit_s(move), &move->inter, err);
    const bool watched = nereus_is_watched(move);
    const char *port = move->launch != NULL ? nereus_launch_port(move->launch, 0) : NULL;
    if (watched)
        NEREUS_TRY(nereus_lookout_begin(move));
    if (nereus_port_connect(move->parents, port, connect_limit_s(move), watched ? move : NULL, &move->inter,
                            err) != NEREUS_OK)
        return connection_failed(move, watched);
    if (watched)
        nereus_lookout_resume(move, true);
    for (int64_t i = 0; !watched && move->launch != NULL && i < move->plan.tree.group_count; i++)
        nereus_launch_joined(move->launch, (int)i);
    return NEREUS_OK;
}

/* ---- in the new processes ------------------------------------------------------------------------------------------ */

enum nereus_status nereus_launch_unpack(const struct nereus_greeting *greeting, int64_t *points, char **ports,
                                        const unsigned char **welcome, int64_t *bytes,
                                        struct nereus_error *err)
{
    struct parcel parcel = {.data = greeting->bytes, .bytes = greeting->count};
    size_t size;
    *points = parcel_get_int(&parcel);
    const int64_t count = parcel_get_int(&parcel);
    for (int64_t i = 0; i < count && !parcel.broken; i++) {
        const int64_t round = parcel_get_int(&parcel);
        char *port = parcel_get_text(&parcel);
        if (round < 1 || round >= ROUNDS_MAX || ports[round] != NULL)
            parcel.broken = true;
        if (parcel.broken)
            free(port);
        else
            ports[round] = port;
    }
    *welcome = parcel_get_block(&parcel, &size);
    *bytes = (int64_t)size;
    return parcel.broken
               ? nereus_fail(err, NEREUS_ERR_PARSE, "what this launched process was told is cut off")
               : NEREUS_OK;
}
