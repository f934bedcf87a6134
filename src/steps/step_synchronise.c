/**
 * @file step_synchronise.c
 * Groups synchronise along the spawn tree (Martín-Álvarez et al. (2025), section 4.3): upwards
 * every group reports to its parent that it and all groups below it are ready; downwards the root's
 * answer says that all groups are ready.
 *
 * These messages also carry ports, so that no name service is needed: upwards the port that a group
 * has opened, downwards the port that it will connect to. And they carry failures: a process that
 * could not start its group reports that, and the root's answer cancels the reconfiguration before
 * a process waits for a group that does not exist.
 */

#include "src/util/pack_buffer.h"
#include "src/util/tags.h"
#include "steps.h"
#include "transfer.h"

/* ---- reports --------------------------------------------------------------------------------- */

static void pack_report(struct pack_buffer *pack, struct group_report *report)
{
    NEREUS_PACK(pack, report->failure);
    nereus_port_list_pack(pack, &report->ports);
}

/* Merge a report: its ports, and its failure if it is the first. */
static enum nereus_status merge_report(struct pack_buffer *pack, struct group_report *report,
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
    return nereus_pack_send(&pack, comm, tag, err);
}

static enum nereus_status receive_report(MPI_Comm comm, int tag,
                                         const struct reconfiguration *reconfig,
                                         struct group_report *report, struct nereus_error *err)
{
    /* levels below or above may have to start first, each within its own limit */
    const double limit_s =
        (double)(reconfig->plan.tree.levels + 1) * reconfig->job->settings.spawn_timeout_s;
    struct pack_buffer pack = {0};
    NEREUS_TRY(nereus_pack_receive(&pack, comm, tag, reconfig->wait_mode, limit_s, err));
    const enum nereus_status status = merge_report(&pack, report, err);
    free(pack.data);
    return status;
}

/* Communicator of this process' group, or of the parents. */
static MPI_Comm get_group_comm(const struct reconfiguration *reconfig)
{
    return reconfig->group.number >= 0 ? MPI_COMM_WORLD : reconfig->comms.parents;
}

/* Merge the reports of a group at its root. */
static enum nereus_status gather_reports(struct reconfiguration *reconfig,
                                         struct group_report *report)
{
    struct pack_buffer pack = {0};
    enum nereus_status status = NEREUS_OK;
    pack_report(&pack, report);
    NEREUS_TRY(nereus_pack_gather(&pack, get_group_comm(reconfig), &reconfig->error));
    nereus_port_list_fini(&report->ports);
    while (pack.read_offset < pack.bytes && status == NEREUS_OK)
        status = merge_report(&pack, report, &reconfig->error);
    free(pack.data);
    return status;
}

/* ---- up -------------------------------------------------------------------------------------- */

/* Does this process exchange reports with the groups that it has started? In a flat tree all
 * parents have the communicator, and only the root exchanges reports. */
static bool exchanges_reports(const struct reconfiguration *reconfig)
{
    return reconfig->step->starter != NEREUS_STARTER_PARENTS || reconfig->group.rank == 0;
}

/* Open a port in one of two groups that connect: in the one with the higher number. A port is used
 * for one connection: MPICH 5.0.2 crashes if a second connection arrives while the first is being
 * accepted. */
static enum nereus_status open_port(struct reconfiguration *reconfig, struct group_report *report)
{
    if (reconfig->group.number == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_port_open(&reconfig->group.port, &reconfig->error));
    return nereus_port_list_add(&report->ports, reconfig->group.number, 0,
                                reconfig->group.port.text, &reconfig->error);
}

static enum nereus_status synchronise_up(struct reconfiguration *reconfig)
{
    struct group_report *report = &reconfig->group.report;
    report->failure = reconfig->failure;
    for (int i = 0; i < reconfig->group.child_count && exchanges_reports(reconfig); i++)
        NEREUS_TRY(receive_report(reconfig->group.children[i].inter, UP_TAG, reconfig, report,
                                  &reconfig->error));
    NEREUS_TRY(
        nereus_sleeping_barrier(get_group_comm(reconfig), reconfig->wait_mode, &reconfig->error));
    NEREUS_TRY(gather_reports(reconfig, report));
    if (reconfig->group.number < 0 || reconfig->group.rank != 0)
        return NEREUS_OK;
    NEREUS_TRY(open_port(reconfig, report));
    return send_report(reconfig->comms.parent, UP_TAG, report, &reconfig->error);
}

/* ---- down ------------------------------------------------------------------------------------ */

/* Root: assign ports to groups, by round. */
static enum nereus_status assign_ports(struct reconfiguration *reconfig,
                                       struct group_report *answer)
{
    const int64_t groups = reconfig->plan.tree.group_count;
    const struct port_list *ports = &reconfig->group.report.ports;
    answer->failure = reconfig->group.report.failure;
    if (answer->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (ports->count != groups - 1)
        return nereus_fail(&reconfig->error, NEREUS_ERR_STATE,
                           "%lld of %lld group%s %s opened a port", (long long)ports->count,
                           (long long)(groups - 1), nereus_plural_s((groups - 1)),
                           nereus_choose_plural(ports->count, "has", "have"));
    for (int64_t i = 0; i < ports->count; i++) {
        int64_t round, to;
        nereus_connect_find_partner(groups, ports->entries[i].group, &round, &to);
        NEREUS_TRY(nereus_port_list_add(&answer->ports, to, round, ports->entries[i].port,
                                        &reconfig->error));
    }
    return NEREUS_OK;
}

/* Broadcast the root's report in its group. */
static enum nereus_status broadcast_report(struct reconfiguration *reconfig,
                                           struct group_report *report)
{
    struct pack_buffer pack = {0};
    NEREUS_TRY(
        nereus_sleeping_barrier(get_group_comm(reconfig), reconfig->wait_mode, &reconfig->error));
    if (reconfig->group.rank == 0)
        pack_report(&pack, report);
    NEREUS_TRY(nereus_pack_broadcast(&pack, get_group_comm(reconfig), &reconfig->error));
    const enum nereus_status status =
        pack.reading ? merge_report(&pack, report, &reconfig->error) : NEREUS_OK;
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
static enum nereus_status send_ports_down(struct reconfiguration *reconfig,
                                          const struct child *child,
                                          const struct group_report *report)
{
    struct group_report part = {.failure = report->failure};
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < report->ports.count && status == NEREUS_OK; i++) {
        const struct port_entry *entry = &report->ports.entries[i];
        if (is_below(&reconfig->plan.tree, entry->group, child->group))
            status = nereus_port_list_add(&part.ports, entry->group, entry->round, entry->port,
                                          &reconfig->error);
    }
    if (status == NEREUS_OK)
        status = send_report(child->inter, DOWN_TAG, &part, &reconfig->error);
    nereus_port_list_fini(&part.ports);
    return status;
}

static enum nereus_status send_answers(struct reconfiguration *reconfig,
                                       struct group_report *answer)
{
    if (reconfig->group.rank == 0)
        NEREUS_TRY(reconfig->group.number < 0 ? assign_ports(reconfig, answer)
                                              : receive_report(reconfig->comms.parent, DOWN_TAG,
                                                               reconfig, answer, &reconfig->error));
    NEREUS_TRY(broadcast_report(reconfig, answer));
    for (int i = 0; i < reconfig->group.child_count && exchanges_reports(reconfig); i++)
        NEREUS_TRY(send_ports_down(reconfig, &reconfig->group.children[i], answer));
    if (reconfig->group.rank == 0)
        nereus_port_list_extract(&answer->ports, reconfig->group.number, reconfig->group.ports,
                                 ROUNDS_MAX);
    reconfig->verdict = answer->failure;
    return reconfig->verdict.status;
}

static enum nereus_status synchronise_down(struct reconfiguration *reconfig)
{
    struct group_report answer = {0};
    const enum nereus_status status = send_answers(reconfig, &answer);
    nereus_port_list_fini(&answer.ports);
    nereus_port_list_fini(&reconfig->group.report.ports);
    return status;
}

/* ---- between old and new processes ----------------------------------------------------------- */

/* Short sleeps: the application is stopped until the last new process has woken. */
static const double new_sleep_s = 0.2e-3;

/* Changes since the new processes received the record: the application has run meanwhile. */
struct update {
    int64_t points, iterations;
    /* size of a new packed record, as bytes of custom data have changed; 0: unchanged */
    int64_t record_bytes;
};

static enum nereus_status broadcast_to_new(struct reconfiguration *reconfig, void *data,
                                           int64_t bytes)
{
    const bool source = reconfig->source_rank >= 0;
    const int root = !reconfig->plan.inter || !source ? 0
                     : reconfig->source_rank == 0     ? MPI_ROOT
                                                      : MPI_PROC_NULL;
    struct nereus_wait_mode wait_mode = nereus_reconfig_waiting(reconfig, !source);
    wait_mode.longest_s = new_sleep_s;
    return nereus_broadcast(data, (size_t)bytes, root,
                            reconfig->plan.inter ? reconfig->comms.inter : reconfig->comms.merged,
                            wait_mode, &reconfig->error);
}

/* New and woken processes: update the bounds of custom data. */
static void update_custom_bounds(struct reconfiguration *reconfig,
                                 const unsigned char *packed_bytes, int64_t bytes)
{
    struct nereus_request record = {0};
    if (nereus_request_unpack(packed_bytes, (size_t)bytes, &record, &reconfig->failure) ==
        NEREUS_OK)
        nereus_spaces_set(&reconfig->job->registry, &record, -1, &reconfig->failure);
    nereus_request_fini(&record);
}

static enum nereus_status broadcast_record(struct reconfiguration *reconfig, int64_t bytes)
{
    unsigned char *packed_bytes = malloc((size_t)bytes);
    NEREUS_TRY_MEMORY(packed_bytes, &reconfig->error, "for a record of %lld bytes",
                      (long long)bytes);
    if (reconfig->source_rank == 0)
        nereus_request_pack(&reconfig->record, packed_bytes);
    NEREUS_TRY(broadcast_to_new(reconfig, packed_bytes, bytes));
    if (reconfig->source_rank < 0)
        update_custom_bounds(reconfig, packed_bytes, bytes);
    free(packed_bytes);
    return NEREUS_OK;
}

/* The sources have just met; new processes have slept, and receive the changes. No barrier: the
 * sources would wait for the others to wake up. Buffers are on the heap, and freed after success
 * only: a pending MPI_Ibcast may outlive this frame if a peer dies. */
static enum nereus_status synchronise_old_and_new(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    if (reconfig->plan.woken + reconfig->plan.spawned == 0)
        return NEREUS_OK; /* the sources have met at the agreed point */
    struct update *update = malloc(sizeof *update);
    NEREUS_TRY_MEMORY(update, &reconfig->error, "to meet new processes");
    *update = (struct update){job->points, job->settings.iterations,
                              nereus_must_query_any_size_again(reconfig)
                                  ? (int64_t)nereus_request_packed_bytes(&reconfig->record)
                                  : 0};
    NEREUS_TRY(broadcast_to_new(reconfig, update, sizeof *update));
    job->points = update->points;
    __atomic_store_n(&job->settings.iterations, update->iterations, __ATOMIC_RELAXED);
    const enum nereus_status status =
        update->record_bytes > 0 ? broadcast_record(reconfig, update->record_bytes) : NEREUS_OK;
    free(update);
    return status;
}

enum nereus_status nereus_run_synchronise(struct reconfiguration *reconfig)
{
    if (reconfig->step->level == 0)
        return synchronise_old_and_new(reconfig);
    /* Launched groups have announced themselves. */
    if (reconfig->step->channel == NEREUS_CHANNEL_LINES) {
        reconfig->takes_part = reconfig->step->level < 0 && reconfig->group.number < 0;
        return reconfig->takes_part ? nereus_launch_check_all_alive(reconfig) : NEREUS_OK;
    }
    return reconfig->step->level > 0 ? synchronise_up(reconfig) : synchronise_down(reconfig);
}
