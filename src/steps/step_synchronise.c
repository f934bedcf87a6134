/*
 * Groups synchronise along the spawn tree (parallel-spawning 4.3): upwards every group reports to
 * its parent that it and all groups below it are ready; downwards it is told that all are.
 *
 * These messages also carry ports, so that no name service is needed: upwards the port that a group
 * has opened, downwards the port that it will connect to. And they carry failures: a process that
 * could not start its group reports that, and the root's answer calls the reconfiguration off
 * before anyone waits for a group that does not exist.
 */
#include <stdlib.h>

#include "model/util/text.h"
#include "src/util/error.h"
#include "src/util/pack_buffer.h"
#include "steps.h"
#include "transfer.h"

enum { UP_TAG = 61, DOWN_TAG = 62 };

/* ---- reports --------------------------------------------------------------------------------- */

static void pack_report(struct pack_buffer *pack, struct group_report *report)
{
    PACK(pack, report->failure);
    nereus_port_list_pack(pack, &report->ports);
}

/* Merge a report: its ports, and its failure if it is the first. */
static enum nereus_status add_report(struct pack_buffer *pack, struct group_report *report,
                                     struct nereus_error *err)
{
    struct group_report theirs = {0};
    enum nereus_status status = NEREUS_OK;
    pack_report(pack, &theirs);
    if (pack->broken)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ports of a group");
    if (report->failure.status == NEREUS_OK)
        report->failure = theirs.failure;
    for (int64_t i = 0; i < theirs.ports.count && status == NEREUS_OK; i++) {
        const struct port_entry *entry = &theirs.ports.entries[i];
        status = nereus_port_list_add(&report->ports, entry->group, entry->round, entry->port, err);
    }
    nereus_port_list_fini(&theirs.ports);
    return status;
}

static enum nereus_status send_report(MPI_Comm comm, int tag, struct group_report *report,
                                      struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    pack_report(&pack, report);
    return pack_send(&pack, comm, tag, err);
}

static enum nereus_status receive_report(MPI_Comm comm, int tag, const struct reconfiguration *rc,
                                         struct group_report *report, struct nereus_error *err)
{
    /* levels below or above may have to start first, each within its own limit */
    const double limit_s = (double)(rc->plan.tree.levels + 1) * rc->job->settings.spawn_timeout_s;
    struct pack_buffer pack = {0};
    NEREUS_TRY(pack_receive(&pack, comm, tag, rc->waiting, limit_s, err));
    const enum nereus_status status = add_report(&pack, report, err);
    free(pack.data);
    return status;
}

/* Communicator of this process' group, or of the parents. */
static MPI_Comm group_comm(const struct reconfiguration *rc)
{
    return rc->group.number >= 0 ? MPI_COMM_WORLD : rc->comms.parents;
}

/* Merge the reports of a group at its root. */
static enum nereus_status gather_reports(struct reconfiguration *rc, struct group_report *report)
{
    struct pack_buffer pack = {0};
    enum nereus_status status = NEREUS_OK;
    pack_report(&pack, report);
    NEREUS_TRY(pack_gather(&pack, group_comm(rc), &rc->error));
    nereus_port_list_fini(&report->ports);
    while (pack.at < pack.bytes && status == NEREUS_OK)
        status = add_report(&pack, report, &rc->error);
    free(pack.data);
    return status;
}

/* ---- up -------------------------------------------------------------------------------------- */

/* Does this process exchange reports with the groups that it has started? In a flat tree all
 * parents have the communicator, and the root does. */
static bool exchanges_reports(const struct reconfiguration *rc)
{
    return rc->step->starter != NEREUS_STARTER_PARENTS || rc->group.rank == 0;
}

/* Of two groups that connect, the one with the higher number opens the port. A port is used for one
 * connection: MPICH 5.0.2 crashes if a second connection arrives while the first is being accepted.
 */
static enum nereus_status open_port(struct reconfiguration *rc, struct group_report *report)
{
    if (rc->group.number == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_port_open(&rc->group.port, &rc->error));
    return nereus_port_list_add(&report->ports, rc->group.number, 0, rc->group.port.text,
                                &rc->error);
}

static enum nereus_status synchronise_up(struct reconfiguration *rc)
{

    struct group_report *report = &rc->group.report;
    report->failure = rc->failure;
    for (int i = 0; i < rc->group.child_count && exchanges_reports(rc); i++)
        NEREUS_TRY(receive_report(rc->group.children[i].inter, UP_TAG, rc, report, &rc->error));
    NEREUS_TRY(nereus_sleeping_barrier(group_comm(rc), rc->waiting, &rc->error));
    NEREUS_TRY(gather_reports(rc, report));
    if (rc->group.number < 0 || rc->group.rank != 0)
        return NEREUS_OK;
    NEREUS_TRY(open_port(rc, report));
    return send_report(rc->comms.parent, UP_TAG, report, &rc->error);
}

/* ---- down ------------------------------------------------------------------------------------ */

/* Root: assign ports to groups, by round. */
static enum nereus_status assign_ports(struct reconfiguration *rc, struct group_report *answer)
{
    const int64_t groups = rc->plan.tree.group_count;
    const struct port_list *opened = &rc->group.report.ports;
    answer->failure = rc->group.report.failure;
    if (answer->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (opened->count != groups - 1)
        return nereus_fail(&rc->error, NEREUS_ERR_STATE, "%lld of %lld group%s %s opened a port",
                           (long long)opened->count, (long long)(groups - 1),
                           nereus_plural_s((groups - 1)),
                           nereus_agree(opened->count, "has", "have"));
    for (int64_t i = 0; i < opened->count; i++) {
        int64_t round, to;
        nereus_connect_partner(groups, opened->entries[i].group, &round, &to);
        NEREUS_TRY(
            nereus_port_list_add(&answer->ports, to, round, opened->entries[i].port, &rc->error));
    }
    return NEREUS_OK;
}

/* Broadcast the root's report in its group. */
static enum nereus_status broadcast_report(struct reconfiguration *rc, struct group_report *report)
{
    struct pack_buffer pack = {0};
    NEREUS_TRY(nereus_sleeping_barrier(group_comm(rc), rc->waiting, &rc->error));
    if (rc->group.rank == 0)
        pack_report(&pack, report);
    NEREUS_TRY(pack_broadcast(&pack, group_comm(rc), &rc->error));
    const enum nereus_status status =
        pack.reading ? add_report(&pack, report, &rc->error) : NEREUS_OK;
    free(pack.data);
    return status;
}

static bool is_below(const struct nereus_tree *tree, int64_t group, int64_t top)
{
    while (group > top)
        group = tree->groups[group].parent; /* a parent has a smaller number */
    return group == top;
}

/* Send a group the ports that it and the groups below it need. */
static enum nereus_status send_ports_down(struct reconfiguration *rc, const struct child *child,
                                          const struct group_report *report)
{
    struct group_report part = {.failure = report->failure};
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < report->ports.count && status == NEREUS_OK; i++) {
        const struct port_entry *entry = &report->ports.entries[i];
        if (is_below(&rc->plan.tree, entry->group, child->group))
            status = nereus_port_list_add(&part.ports, entry->group, entry->round, entry->port,
                                          &rc->error);
    }
    if (status == NEREUS_OK)
        status = send_report(child->inter, DOWN_TAG, &part, &rc->error);
    nereus_port_list_fini(&part.ports);
    return status;
}

static enum nereus_status answer_all(struct reconfiguration *rc, struct group_report *answer)
{
    if (rc->group.rank == 0)
        NEREUS_TRY(rc->group.number < 0
                       ? assign_ports(rc, answer)
                       : receive_report(rc->comms.parent, DOWN_TAG, rc, answer, &rc->error));
    NEREUS_TRY(broadcast_report(rc, answer));
    for (int i = 0; i < rc->group.child_count && exchanges_reports(rc); i++)
        NEREUS_TRY(send_ports_down(rc, &rc->group.children[i], answer));
    if (rc->group.rank == 0)
        nereus_port_list_take(&answer->ports, rc->group.number, rc->group.ports, ROUNDS_MAX);
    rc->verdict = answer->failure;
    return rc->verdict.status;
}

static enum nereus_status synchronise_down(struct reconfiguration *rc)
{
    struct group_report answer = {0};
    const enum nereus_status status = answer_all(rc, &answer);
    nereus_port_list_fini(&answer.ports);
    nereus_port_list_fini(&rc->group.report.ports);
    return status;
}

/* ---- old and new ----------------------------------------------------------------------------- */

/* Short sleeps: the application is stopped until the last new process has woken. */
static const double new_sleep_s = 0.2e-3;

/* Changes since new processes got the record, as the application has run since. */
struct update {
    int64_t points, iterations;
    /* size of a new packed record, as bytes of custom data have changed; 0: unchanged */
    int64_t record_bytes;
};

/* The same in all processes before the broadcast, including sources, which receive nothing. */
static bool has_new_record(const struct reconfiguration *rc)
{
    for (int64_t i = 0; i < rc->record.data_count; i++)
        if (nereus_is_measured_again(&rc->plan, &rc->record.data[i]))
            return true;
    return false;
}

static enum nereus_status broadcast_to_new(struct reconfiguration *rc, void *data, int64_t bytes)
{
    const bool source = rc->source_rank >= 0;
    const int root = !rc->plan.inter || !source ? 0
                     : rc->source_rank == 0     ? MPI_ROOT
                                                : MPI_PROC_NULL;
    struct nereus_waiting waiting = nereus_rc_waiting(rc, !source);
    waiting.longest_s = new_sleep_s;
    return nereus_broadcast(data, (size_t)bytes, root,
                            rc->plan.inter ? rc->comms.inter : rc->comms.merged, waiting,
                            &rc->error);
}

/* New and woken processes: update the bounds of custom data. */
static void follow_custom_bounds(struct reconfiguration *rc, const unsigned char *packed,
                                 int64_t bytes)
{
    struct nereus_request record = {0};
    if (nereus_request_unpack(packed, (size_t)bytes, &record, &rc->failure) == NEREUS_OK)
        nereus_spaces_follow(&rc->job->registry, &record, -1, &rc->failure);
    nereus_request_fini(&record);
}

static enum nereus_status broadcast_record(struct reconfiguration *rc, int64_t bytes)
{
    unsigned char *packed = malloc((size_t)bytes);
    NEREUS_TRY_MEMORY(packed, &rc->error, "for a record of %lld bytes", (long long)bytes);
    if (rc->source_rank == 0)
        nereus_request_pack(&rc->record, packed);
    NEREUS_TRY(broadcast_to_new(rc, packed, bytes));
    if (rc->source_rank < 0)
        follow_custom_bounds(rc, packed, bytes);
    free(packed);
    return NEREUS_OK;
}

/* The sources have just met; new processes have slept, and receive the changes. No barrier: the
 * sources would wait for the others to wake up. Buffers are on the heap, and freed after success
 * only: a pending MPI_Ibcast may outlive this frame if a peer dies. */
static enum nereus_status synchronise_old_and_new(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (rc->plan.woken + rc->plan.spawned == 0)
        return NEREUS_OK; /* the sources have met at the agreed point */
    struct update *update = malloc(sizeof *update);
    NEREUS_TRY_MEMORY(update, &rc->error, "to meet new processes");
    *update =
        (struct update){job->points, job->settings.iterations,
                        has_new_record(rc) ? (int64_t)nereus_request_packed_bytes(&rc->record) : 0};
    NEREUS_TRY(broadcast_to_new(rc, update, sizeof *update));
    job->points = update->points;
    __atomic_store_n(&job->settings.iterations, update->iterations, __ATOMIC_RELAXED);
    const enum nereus_status status =
        update->record_bytes > 0 ? broadcast_record(rc, update->record_bytes) : NEREUS_OK;
    free(update);
    return status;
}

enum nereus_status nereus_run_synchronise(struct reconfiguration *rc)
{
    if (rc->step->level == 0)
        return synchronise_old_and_new(rc);
    if (rc->step->channel == NEREUS_CHANNEL_LINES) { /* launched groups have announced themselves */
        rc->taken = rc->step->level < 0 && rc->group.number < 0;
        return rc->taken ? nereus_launch_look_again(rc) : NEREUS_OK;
    }
    return rc->step->level > 0 ? synchronise_up(rc) : synchronise_down(rc);
}
