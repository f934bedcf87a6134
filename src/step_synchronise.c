/*
 * Groups wait for each other along the spawn tree (parallel-spawning 4.3): upwards every group tells its parent that it and all
 * groups below it are there, downwards it hears that all are.
 *
 * The ports travel with these messages, so that no name service is needed: upwards each group names the port that it has
 * opened, downwards each is told the one port that it will connect to. So do failures: who could not start its group says so, and
 * the root's answer calls the reconfiguration off before anybody waits for a group that does not exist.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "parcel.h"

enum { UP_TAG = 61, DOWN_TAG = 62 };

/* ---- tables of ports ---------------------------------------------------------------------------------- */

void nereus_report_fini(struct report *report)
{
    for (int64_t i = 0; i < report->count; i++)
        free(report->entries[i].port);
    free(report->entries);
    memset(report, 0, sizeof *report);
}

/* Takes the port over. */
static enum nereus_status report_add(struct report *report, int64_t group, int64_t round, char *port,
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

static void put_report(struct parcel *parcel, const struct report *report)
{
    parcel_put_int(parcel, report->failure.status);
    parcel_put_text(parcel, report->failure.text);
    parcel_put_int(parcel, report->count);
    for (int64_t i = 0; i < report->count; i++) {
        parcel_put_int(parcel, report->entries[i].group);
        parcel_put_int(parcel, report->entries[i].round);
        parcel_put_text(parcel, report->entries[i].port);
    }
}

/* Add what a parcel reports: its ports, and its failure if it is the first. */
static enum nereus_status get_report(struct parcel *parcel, struct report *report, struct nereus_error *err)
{
    const int64_t status = parcel_get_int(parcel);
    char *sentence = parcel_get_text(parcel);
    if (status != NEREUS_OK && report->failure.status == NEREUS_OK && sentence != NULL)
        nereus_fail(&report->failure, (enum nereus_status)status, "%s", sentence);
    free(sentence);
    const int64_t count = parcel_get_int(parcel);
    for (int64_t i = 0; i < count && !parcel->broken; i++) {
        const int64_t group = parcel_get_int(parcel), round = parcel_get_int(parcel);
        NEREUS_TRY(report_add(report, group, round, parcel_get_text(parcel), err));
    }
    return parcel->broken ? nereus_fail(err, NEREUS_ERR_PARSE, "a message between groups is cut off")
                          : NEREUS_OK;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static enum nereus_status send_report(MPI_Comm comm, int tag, const struct report *report,
                                      struct nereus_error *err)
{
    struct parcel parcel = {0};
    put_report(&parcel, report);
    if (parcel.broken) {
        free(parcel.data);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a message between groups");
    }
    const int code = MPI_Send_c(parcel.data, (MPI_Count)parcel.bytes, MPI_BYTE, 0, tag, comm);
    free(parcel.data);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Send", err);
}

/* All levels of the tree below or above may have to start first, each within its own limit. */
static double patience_s(const struct move *move)
{
    return (double)(move->plan.tree.levels + 1) * move->job->spawn_timeout_s;
}

static enum nereus_status receive_report(MPI_Comm comm, int tag, const struct move *move,
                                         struct report *report, struct nereus_error *err)
{
    MPI_Message message;
    MPI_Status status;
    MPI_Count bytes;
    NEREUS_TRY(nereus_await_message(comm, 0, tag, move->naps, patience_s(move), &message, &status, err));
    MPI_Get_count_c(&status, MPI_BYTE, &bytes);
    struct parcel parcel = {.data = malloc((size_t)bytes + 1), .bytes = (size_t)bytes};
    if (parcel.data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a message between groups");
    const int code = MPI_Mrecv_c(parcel.data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    enum nereus_status result =
        code == MPI_SUCCESS ? get_report(&parcel, report, err) : nereus_mpi_failed(code, "MPI_Mrecv", err);
    free(parcel.data);
    return result;
}

/* This process' group, or the parents. */
static MPI_Comm group_comm(const struct move *move)
{
    return move->group >= 0 ? MPI_COMM_WORLD : move->parents;
}

/* The reports of all processes of a group become one at its root. */
static enum nereus_status gather_reports(struct move *move, struct report *report)
{
    struct nereus_error *err = &move->error;
    const MPI_Comm comm = group_comm(move);
    struct parcel mine = {0};
    int size, bytes;
    NEREUS_MPI(MPI_Comm_size(comm, &size), err);
    put_report(&mine, report);
    bytes = (int)mine.bytes;
    int *counts = malloc(2 * (size_t)size * sizeof *counts), *offsets = counts + size, total = 0;
    if (counts == NULL || mine.broken)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, comm), err);
    for (int i = 0; i < size && move->group_rank == 0; i++) {
        offsets[i] = total;
        total += counts[i];
    }
    unsigned char *all = malloc((size_t)total + 1);
    if (all == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Gatherv(mine.data, bytes, MPI_BYTE, all, counts, offsets, MPI_BYTE, 0, comm), err);
    free(mine.data);
    enum nereus_status status = NEREUS_OK;
    for (int i = 1; i < size && move->group_rank == 0 && status == NEREUS_OK; i++) {
        struct parcel theirs = {.data = all + offsets[i], .bytes = (size_t)counts[i]};
        status = get_report(&theirs, report, err);
    }
    free(counts);
    free(all);
    return status;
}

/* ---- up -------------------------------------------------------------------------------------------------- */

/* Does this process speak with the group? In a flat tree all parents hold the line, and the root speaks. */
static bool leads(const struct move *move)
{
    return move->plan.method.strategy != NEREUS_MULTIPLE || move->group_rank == 0;
}

/* Of every pair that meets the group with the higher number opens the port. It does so once in its life, so that one port is used for
 * one connection: MPICH 5.0.2 crashes when a second connection to a port comes while the first is being accepted. */
static enum nereus_status open_port(struct move *move, struct report *report)
{
    if (move->group == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_port_open(&move->port, &move->error));
    return report_add(report, move->group, 0, strdup(move->port.text), &move->error);
}

static enum nereus_status synchronise_up(struct move *move)
{
    const bool naps = move->naps;
    struct report *report = &move->report;
    report->failure = move->failure;
    for (int i = 0; i < move->child_count && leads(move); i++)
        NEREUS_TRY(receive_report(move->children[i].inter, UP_TAG, move, report, &move->error));
    NEREUS_TRY(nereus_meet(group_comm(move), naps, &move->error));
    NEREUS_TRY(gather_reports(move, report));
    if (move->group < 0 || move->group_rank != 0)
        return NEREUS_OK;
    NEREUS_TRY(open_port(move, report));
    return send_report(move->parent, UP_TAG, report, &move->error);
}

/* ---- down ------------------------------------------------------------------------------------------------- */

/* The root: which group connects to which port, and when. */
static enum nereus_status assign_ports(struct move *move, struct report *answer)
{
    const int64_t groups = move->plan.tree.group_count;
    answer->failure = move->report.failure;
    if (answer->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (move->report.count != groups - 1)
        return nereus_fail(&move->error, NEREUS_ERR_STATE, "%lld of %lld groups have opened a port",
                           (long long)move->report.count, (long long)(groups - 1));
    for (int64_t i = 0; i < move->report.count; i++) {
        int64_t round, to;
        nereus_connect_partner(groups, move->report.entries[i].group, &round, &to);
        NEREUS_TRY(report_add(answer, to, round, strdup(move->report.entries[i].port), &move->error));
    }
    return NEREUS_OK;
}

/* Everybody of a group gets its root's report. */
static enum nereus_status spread_report(struct move *move, struct report *report)
{
    struct nereus_error *err = &move->error;
    const bool root = move->group_rank == 0;
    struct parcel parcel = {0};
    NEREUS_TRY(nereus_meet(group_comm(move), move->naps, err));
    if (root)
        put_report(&parcel, report);
    int64_t bytes = (int64_t)parcel.bytes;
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, group_comm(move)), err);
    if (!root) {
        parcel.data = malloc((size_t)bytes + 1);
        parcel.bytes = (size_t)bytes;
    }
    if (parcel.data == NULL || parcel.broken)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    NEREUS_MPI(MPI_Bcast_c(parcel.data, (MPI_Count)bytes, MPI_BYTE, 0, group_comm(move)), err);
    const enum nereus_status status = root ? NEREUS_OK : get_report(&parcel, report, err);
    free(parcel.data);
    return status;
}

static bool is_below(const struct nereus_tree *tree, int64_t group, int64_t top)
{
    while (group > top)
        group = tree->groups[group].parent; /* a parent has a smaller number */
    return group == top;
}

/* To a group that this process started: what it and the groups below it need. */
static enum nereus_status pass_on(struct move *move, const struct child *child, const struct report *report)
{
    struct report part = {.failure = report->failure};
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < report->count && status == NEREUS_OK; i++)
        if (is_below(&move->plan.tree, report->entries[i].group, child->group))
            status = report_add(&part, report->entries[i].group, report->entries[i].round,
                                strdup(report->entries[i].port), &move->error);
    if (status == NEREUS_OK)
        status = send_report(child->inter, DOWN_TAG, &part, &move->error);
    nereus_report_fini(&part);
    return status;
}

void nereus_keep_ports(struct move *move, struct report *answer)
{
    for (int64_t i = 0; i < answer->count; i++) {
        struct port_entry *entry = &answer->entries[i];
        if (entry->group != move->group || entry->round < 1 || entry->round >= ROUNDS_MAX)
            continue;
        move->ports[entry->round] = entry->port;
        entry->port = NULL;
    }
}

static enum nereus_status answer_all(struct move *move, struct report *answer)
{
    if (move->group_rank == 0)
        NEREUS_TRY(move->group < 0 ? assign_ports(move, answer)
                                   : receive_report(move->parent, DOWN_TAG, move, answer, &move->error));
    NEREUS_TRY(spread_report(move, answer));
    for (int i = 0; i < move->child_count && leads(move); i++)
        NEREUS_TRY(pass_on(move, &move->children[i], answer));
    if (move->group_rank == 0)
        nereus_keep_ports(move, answer);
    move->verdict = answer->failure;
    return move->verdict.status;
}

static enum nereus_status synchronise_down(struct move *move)
{
    struct report answer = {0};
    const enum nereus_status status = answer_all(move, &answer);
    nereus_report_fini(&answer);
    nereus_report_fini(&move->report);
    return status;
}

/* ---- old and new ------------------------------------------------------------------------------------------ */

/* The application has gone on until now; who is new has slept, and learns which point this is. */
static enum nereus_status wait_for_each_other(struct move *move)
{
    struct nereus_error *err = &move->error;
    const MPI_Comm comm = move->plan.inter ? move->inter : move->wide;
    const bool source = move->source_rank >= 0;
    const int root = !move->plan.inter || !source ? 0 : move->source_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Request request;
    int64_t here = move->job->points, *lasting = malloc(sizeof *lasting),
            *points = lasting != NULL ? lasting : &here;
    *points = here;
    NEREUS_MPI(MPI_Ibarrier(comm, &request), err);
    NEREUS_TRY(nereus_wait(&request, !source, err));
    NEREUS_MPI(MPI_Ibcast(points, 1, MPI_INT64_T, root, comm, &request), err);
    NEREUS_TRY(nereus_wait(&request, false,
                           err)); /* who is lost may leave it behind: so `points` is not on the stack */
    move->job->points = *points;
    free(lasting);
    return NEREUS_OK;
}

enum nereus_status nereus_run_synchronise(struct move *move, const struct nereus_step *step, bool *taken)
{
    if (step->level == 0)
        return wait_for_each_other(move);
    if (move->plan.method.strategy == NEREUS_LAUNCH) { /* they have announced themselves already */
        *taken = step->level < 0 && move->group < 0;
        return *taken ? nereus_launch_look_again(move) : NEREUS_OK;
    }
    return step->level > 0 ? synchronise_up(move) : synchronise_down(move);
}
