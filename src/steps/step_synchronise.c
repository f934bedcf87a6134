/*
 * Groups wait for each other along the spawn tree (parallel-spawning 4.3): upwards every group
 * reports to its parent that it and all groups below it are there, downwards it is told that all
 * are.
 *
 * The ports travel with these messages, so that no name service is needed: upwards each group names
 * the port that it has opened, downwards each is told the one port that it will connect to. So do
 * failures: a process that could not start its group reports it, and the root's answer calls the
 * reconfiguration off before anybody waits for a group that does not exist.
 */
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "src/util/error.h"
#include "src/util/pack_buffer.h"
#include "steps.h"

enum { UP_TAG = 61, DOWN_TAG = 62 };

/* ---- tables of ports ------------------------------------------------------------------------- */

/* Takes the port over. */
static enum nereus_status report_add(struct group_report *report, int64_t group, int64_t round, char *port,
                                     struct nereus_error *err)
{
    struct port_entry *longer = realloc(report->entries, ((size_t)report->count + 1) * sizeof *longer);
    if (longer == NULL || port == NULL) {
        free(port);
        report->entries = longer != NULL ? longer : report->entries;
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a list of ports");
    }
    report->entries = longer;
    report->entries[report->count++] = (struct port_entry){group, round, port};
    return NEREUS_OK;
}

static void put_report(struct pack_buffer *pack, const struct group_report *report)
{
    pack_put_int(pack, report->failure.status);
    pack_put_text(pack, report->failure.text);
    pack_put_int(pack, report->count);
    for (int64_t i = 0; i < report->count; i++) {
        pack_put_int(pack, report->entries[i].group);
        pack_put_int(pack, report->entries[i].round);
        pack_put_text(pack, report->entries[i].port);
    }
}

/* Add what a message reports: its ports, and its failure if it is the first. */
static enum nereus_status get_report(struct pack_buffer *pack, struct group_report *report,
                                     struct nereus_error *err)
{
    const int64_t status = pack_get_int(pack);
    char *sentence = pack_get_text(pack);
    if (status != NEREUS_OK && report->failure.status == NEREUS_OK && sentence != NULL)
        nereus_fail(&report->failure, (enum nereus_status)status, "%s", sentence);
    free(sentence);
    const int64_t count = pack_get_int(pack);
    for (int64_t i = 0; i < count && !pack->broken; i++) {
        const int64_t group = pack_get_int(pack), round = pack_get_int(pack);
        NEREUS_TRY(report_add(report, group, round, pack_get_text(pack), err));
    }
    return pack->broken ? nereus_fail(err, NEREUS_ERR_PARSE, "a message between groups is cut off")
                        : NEREUS_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum nereus_status send_report(MPI_Comm comm, int tag, const struct group_report *report,
                                      struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    put_report(&pack, report);
    if (pack.broken) {
        free(pack.data);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a message between groups");
    }
    const int code = MPI_Send_c(pack.data, (MPI_Count)pack.bytes, MPI_BYTE, 0, tag, comm);
    free(pack.data);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Send", err);
}

/* All levels of the tree below or above may have to start first, each within its own limit. */
static double patience_s(const struct reconfiguration *rc)
{
    return (double)(rc->plan.tree.levels + 1) * rc->job->settings.spawn_timeout_s;
}

static enum nereus_status receive_report(MPI_Comm comm, int tag, const struct reconfiguration *rc,
                                         struct group_report *report, struct nereus_error *err)
{
    MPI_Message message;
    MPI_Status status;
    MPI_Count bytes;
    NEREUS_TRY(nereus_await_message(comm, 0, tag, rc->waiting, patience_s(rc), &message, &status, err));
    MPI_Get_count_c(&status, MPI_BYTE, &bytes);
    struct pack_buffer pack = {.data = malloc((size_t)bytes + 1), .bytes = (size_t)bytes};
    if (pack.data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a message between groups");
    const int code = MPI_Mrecv_c(pack.data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    enum nereus_status result =
        code == MPI_SUCCESS ? get_report(&pack, report, err) : nereus_mpi_failed(code, "MPI_Mrecv", err);
    free(pack.data);
    return result;
}

/* This process' group, or the parents. */
static MPI_Comm group_comm(const struct reconfiguration *rc)
{
    return rc->group.number >= 0 ? MPI_COMM_WORLD : rc->comms.parents;
}

/* The reports of all processes of a group become one at its root. */
static enum nereus_status gather_reports(struct reconfiguration *rc, struct group_report *report)
{
    struct nereus_error *err = &rc->error;
    const MPI_Comm comm = group_comm(rc);
    struct pack_buffer mine = {0};
    int size, bytes;
    NEREUS_MPI(MPI_Comm_size(comm, &size), err);
    put_report(&mine, report);
    bytes = (int)mine.bytes;
    int *counts = malloc(2 * (size_t)size * sizeof *counts), *offsets = counts + size, total = 0;
    if (counts == NULL || mine.broken)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, comm), err);
    for (int i = 0; i < size && rc->group.rank == 0; i++) {
        offsets[i] = total;
        total += counts[i];
    }
    unsigned char *all = malloc((size_t)total + 1);
    if (all == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Gatherv(mine.data, bytes, MPI_BYTE, all, counts, offsets, MPI_BYTE, 0, comm), err);
    free(mine.data);
    enum nereus_status status = NEREUS_OK;
    for (int i = 1; i < size && rc->group.rank == 0 && status == NEREUS_OK; i++) {
        struct pack_buffer theirs = {.data = all + offsets[i], .bytes = (size_t)counts[i]};
        status = get_report(&theirs, report, err);
    }
    free(counts);
    free(all);
    return status;
}

/* ---- up -------------------------------------------------------------------------------------- */

/* Does this process exchange reports with the groups that it started? In a flat tree all parents
 * hold the communicator, and the root does. */
static bool leads(const struct reconfiguration *rc)
{
    return nereus_strategy(rc->plan.method.strategy)->starter != NEREUS_STARTER_PARENTS ||
           rc->group.rank == 0;
}

/* Of two groups that connect, the one with the higher number opens the port. A group opens one
 * port, which is used for one connection: MPICH 5.0.2 crashes when a second connection to a port
 * comes while the first is being accepted. */
static enum nereus_status open_port(struct reconfiguration *rc, struct group_report *report)
{
    if (rc->group.number == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_port_open(&rc->group.port, &rc->error));
    return report_add(report, rc->group.number, 0, strdup(rc->group.port.text), &rc->error);
}

static enum nereus_status synchronise_up(struct reconfiguration *rc)
{

    struct group_report *report = &rc->group.report;
    report->failure = rc->failure;
    for (int i = 0; i < rc->group.child_count && leads(rc); i++)
        NEREUS_TRY(receive_report(rc->group.children[i].inter, UP_TAG, rc, report, &rc->error));
    NEREUS_TRY(nereus_meet(group_comm(rc), rc->waiting, &rc->error));
    NEREUS_TRY(gather_reports(rc, report));
    if (rc->group.number < 0 || rc->group.rank != 0)
        return NEREUS_OK;
    NEREUS_TRY(open_port(rc, report));
    return send_report(rc->comms.parent, UP_TAG, report, &rc->error);
}

/* ---- down ------------------------------------------------------------------------------------ */

/* The root: which group connects to which port, and when. */
static enum nereus_status assign_ports(struct reconfiguration *rc, struct group_report *answer)
{
    const int64_t groups = rc->plan.tree.group_count;
    answer->failure = rc->group.report.failure;
    if (answer->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (rc->group.report.count != groups - 1)
        return nereus_fail(&rc->error, NEREUS_ERR_STATE, "%lld of %lld groups have opened a port",
                           (long long)rc->group.report.count, (long long)(groups - 1));
    for (int64_t i = 0; i < rc->group.report.count; i++) {
        int64_t round, to;
        nereus_connect_partner(groups, rc->group.report.entries[i].group, &round, &to);
        NEREUS_TRY(report_add(answer, to, round, strdup(rc->group.report.entries[i].port), &rc->error));
    }
    return NEREUS_OK;
}

/* Everybody of a group gets its root's report. */
static enum nereus_status spread_report(struct reconfiguration *rc, struct group_report *report)
{
    struct nereus_error *err = &rc->error;
    const bool root = rc->group.rank == 0;
    struct pack_buffer pack = {0};
    NEREUS_TRY(nereus_meet(group_comm(rc), rc->waiting, err));
    if (root)
        put_report(&pack, report);
    int64_t bytes = (int64_t)pack.bytes;
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, group_comm(rc)), err);
    if (!root) {
        pack.data = malloc((size_t)bytes + 1);
        pack.bytes = (size_t)bytes;
    }
    if (pack.data == NULL || pack.broken)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Bcast_c(pack.data, (MPI_Count)bytes, MPI_BYTE, 0, group_comm(rc)), err);
    const enum nereus_status status = root ? NEREUS_OK : get_report(&pack, report, err);
    free(pack.data);
    return status;
}

static bool is_below(const struct nereus_tree *tree, int64_t group, int64_t top)
{
    while (group > top)
        group = tree->groups[group].parent; /* a parent has a smaller number */
    return group == top;
}

/* To a group that this process started: what it and the groups below it need. */
static enum nereus_status pass_on(struct reconfiguration *rc, const struct child *child,
                                  const struct group_report *report)
{
    struct group_report part = {.failure = report->failure};
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < report->count && status == NEREUS_OK; i++)
        if (is_below(&rc->plan.tree, report->entries[i].group, child->group))
            status = report_add(&part, report->entries[i].group, report->entries[i].round,
                                strdup(report->entries[i].port), &rc->error);
    if (status == NEREUS_OK)
        status = send_report(child->inter, DOWN_TAG, &part, &rc->error);
    nereus_group_report_fini(&part);
    return status;
}

static void keep_ports(struct reconfiguration *rc, struct group_report *answer)
{
    for (int64_t i = 0; i < answer->count; i++) {
        struct port_entry *entry = &answer->entries[i];
        if (entry->group != rc->group.number || entry->round < 1 || entry->round >= ROUNDS_MAX)
            continue;
        rc->group.ports[entry->round] = entry->port;
        entry->port = NULL;
    }
}

static enum nereus_status answer_all(struct reconfiguration *rc, struct group_report *answer)
{
    if (rc->group.rank == 0)
        NEREUS_TRY(rc->group.number < 0 ? assign_ports(rc, answer)
                                        : receive_report(rc->comms.parent, DOWN_TAG, rc, answer, &rc->error));
    NEREUS_TRY(spread_report(rc, answer));
    for (int i = 0; i < rc->group.child_count && leads(rc); i++)
        NEREUS_TRY(pass_on(rc, &rc->group.children[i], answer));
    if (rc->group.rank == 0)
        keep_ports(rc, answer);
    rc->verdict = answer->failure;
    return rc->verdict.status;
}

static enum nereus_status synchronise_down(struct reconfiguration *rc)
{
    struct group_report answer = {0};
    const enum nereus_status status = answer_all(rc, &answer);
    nereus_group_report_fini(&answer);
    nereus_group_report_fini(&rc->group.report);
    return status;
}

/* ---- old and new ----------------------------------------------------------------------------- */

/* The application has gone on until now; new processes have slept, and learn the number of the
 * point. */
static enum nereus_status meet_old_and_new(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const MPI_Comm comm = rc->plan.inter ? rc->comms.inter : rc->comms.merged;
    const bool source = rc->source_rank >= 0;
    const int root = !rc->plan.inter || !source ? 0 : rc->source_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Request request;
    /* Heap, not stack: a pending MPI_Ibcast may outlive this frame if a peer dies. */
    int64_t here = rc->job->points, *lasting = malloc(sizeof *lasting),
            *points = lasting != NULL ? lasting : &here;
    *points = here;
    NEREUS_MPI(MPI_Ibarrier(comm, &request), err);
    NEREUS_TRY(nereus_wait(&request, nereus_rc_waiting(rc, !source), err));
    NEREUS_MPI(MPI_Ibcast(points, 1, MPI_INT64_T, root, comm, &request), err);
    NEREUS_TRY(nereus_wait(&request, nereus_rc_waiting(rc, false),
                           /* Who is lost may leave it behind: so `points` is not on the stack */
                           err));
    rc->job->points = *points;
    free(lasting);
    return NEREUS_OK;
}

enum nereus_status nereus_run_synchronise(struct reconfiguration *rc, const struct nereus_step *step,
                                          bool *taken)
{
    if (step->level == 0)
        return meet_old_and_new(rc);
    if (step->channel == NEREUS_CHANNEL_LINES) { /* they have announced themselves already */
        *taken = step->level < 0 && rc->group.number < 0;
        return *taken ? nereus_launch_look_again(rc) : NEREUS_OK;
    }
    return step->level > 0 ? synchronise_up(rc) : synchronise_down(rc);
}
