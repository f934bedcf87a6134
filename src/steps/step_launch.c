/**
 * @file step_launch.c
 * Runs the steps of the strategy launch. The launcher starts a world for each group. The sources
 * wait outside MPI until the groups have announced themselves ("launch"), send them the payload and
 * the ports to connect to ("join"), and check a last time that all are alive ("synchronise"
 * downwards) before they connect by MPI. Until then a failure costs the job nothing: only the root
 * communicates with the new processes, and tells the others the result.
 */

#include "src/link/launch.h"
#include "src/start/hosts.h"
#include "src/util/clock.h"
#include "src/util/pack_buffer.h"
#include "steps.h"

/* Interval at which a waiting thread checks whether the application has ended. */
static const double poll_every_s = 0.02;

/* Time limit of a connection: both sides have reported that they are ready, and a healthy one takes
 * some 10 ms. */
static double compute_connect_limit_s(const struct reconfiguration *reconfig)
{
    return reconfig->job->settings.answer_timeout_s;
}

/* Time limit for launched processes to be ready: spawn_timeout_s, or the deadline of the request if
 * it is earlier. A launch that has begun by the deadline gets at least the time of an answer. */
static double compute_launch_limit_s(const struct reconfiguration *reconfig)
{
    const struct job_settings *settings = &reconfig->job->settings;
    const double deadline_s = reconfig->request.deadline_s;
    return deadline_s > 0
               ? fmin(settings->spawn_timeout_s,
                      fmax(settings->answer_timeout_s, deadline_s - nereus_steady_clock_s()))
               : settings->spawn_timeout_s;
}

enum nereus_status nereus_launch_begin(struct reconfiguration *reconfig,
                                       struct nereus_error *failure)
{
    const struct nereus_tree *tree = &reconfig->plan.tree;
    const struct nereus_request *request = &reconfig->record;
    const int64_t count = tree->group_count;
    struct nereus_launch_group *groups = calloc((size_t)count, sizeof *groups);
    char(*hosts)[NEREUS_NODE_NAME_MAX] = calloc((size_t)count, sizeof *hosts);
    enum nereus_status status = NEREUS_OK;
    if (groups == NULL || hosts == NULL)
        status = nereus_fail(failure, NEREUS_ERR_MEMORY, "no memory to launch %lld groups",
                             (long long)count);
    for (int64_t i = 0; status == NEREUS_OK && i < count; i++) {
        const struct nereus_machine *machine = &reconfig->job->machine;
        const int64_t node = request->group_count > 0 ? request->groups[i].node : -1;
        const bool named = node >= 0 && node < machine->node_count;
        if (named)
            nereus_host_of_node(machine, node, hosts[i], sizeof hosts[i]);
        groups[i] = (struct nereus_launch_group){.host = hosts[i][0] != '\0' ? hosts[i] : NULL,
                                                 .allocation =
                                                     named ? machine->nodes[node].allocation : NULL,
                                                 .processes = (int)tree->groups[i].processes,
                                                 .guard = reconfig->spec.guard,
                                                 .argv = reconfig->spec.argv};
    }
    if (status == NEREUS_OK)
        status = nereus_launch_start(groups, (int)count, compute_launch_limit_s(reconfig),
                                     &reconfig->launch, failure);
    free(groups);
    free(hosts);
    return status;
}

/* Wait until all groups are ready or one has failed; the launch has a time limit. */
static void wait_for_launch(struct reconfiguration *reconfig, struct nereus_error *failure)
{
    while (nereus_launch_wait(reconfig->launch, poll_every_s) > 0 && !reconfig->application_ended &&
           nereus_launch_failure(reconfig->launch, NULL) == NEREUS_OK)
        ;
    if (nereus_launch_failure(reconfig->launch, failure) == NEREUS_OK &&
        reconfig->application_ended)
        nereus_fail(failure, NEREUS_ERR_STATE, "the application ended first");
}

enum nereus_status nereus_run_launch(struct reconfiguration *reconfig)
{
    struct nereus_error failure = reconfig->failure;
    if (reconfig->group.rank == 0 && failure.status == NEREUS_OK && reconfig->launch == NULL)
        nereus_launch_begin(reconfig, &failure);
    if (reconfig->launch != NULL && failure.status == NEREUS_OK)
        wait_for_launch(reconfig, &failure);
    return nereus_broadcast_verdict(reconfig, &failure, nereus_reconfig_waiting(reconfig, true));
}

/* ---- payload --------------------------------------------------------------------------------- */

/* Ports that the group connects to, by round: as in a tree (step_synchronise.c), but the root knows
 * all ports. */
static enum nereus_status list_ports(const struct reconfiguration *reconfig, int64_t group,
                                     struct port_list *list, struct nereus_error *failure)
{
    const int64_t groups = reconfig->plan.tree.group_count;
    for (int64_t other = group + 1; other < groups; other++) {
        int64_t round, to;
        nereus_connect_find_partner(groups, other, &round, &to);
        if (to == group)
            NEREUS_TRY(nereus_port_list_add(
                list, group, round, nereus_launch_port(reconfig->launch, (int)other), failure));
    }
    return NEREUS_OK;
}

void nereus_launch_pack(struct pack_buffer *pack, struct port_list *ports, struct start_spec *spec)
{
    nereus_port_list_pack(pack, ports);
    NEREUS_PACK_ITEMS(pack, spec->payload, spec->payload_bytes);
}

static enum nereus_status send_group_payload(struct reconfiguration *reconfig, int64_t group,
                                             struct nereus_error *failure)
{
    struct pack_buffer pack = {0};
    struct port_list ports = {0};
    enum nereus_status status = list_ports(reconfig, group, &ports, failure);
    nereus_launch_pack(&pack, &ports, &reconfig->spec);
    if (status == NEREUS_OK && pack.broken)
        status = nereus_fail(failure, NEREUS_ERR_MEMORY,
                             "no memory for the record that new processes get");
    if (status == NEREUS_OK)
        status = nereus_launch_send_payload(reconfig->launch, (int)group, pack.data, pack.bytes,
                                            failure);
    nereus_port_list_fini(&ports);
    free(pack.data);
    return status;
}

enum nereus_status nereus_launch_join(struct reconfiguration *reconfig)
{
    struct nereus_error failure = {0};
    for (int64_t i = 0; reconfig->launch != NULL && i < reconfig->plan.tree.group_count; i++)
        if (send_group_payload(reconfig, i, &failure) != NEREUS_OK)
            break;
    return nereus_broadcast_verdict(reconfig, &failure, reconfig->wait_mode);
}

enum nereus_status nereus_launch_check_all_alive(struct reconfiguration *reconfig)
{
    struct nereus_error failure = {0};
    for (int64_t i = 0; reconfig->launch != NULL && i < reconfig->plan.tree.group_count; i++)
        if (nereus_launch_check_alive(reconfig->launch, (int)i, compute_connect_limit_s(reconfig),
                                      &failure) != NEREUS_OK)
            break;
    return nereus_broadcast_verdict(reconfig, &failure, reconfig->wait_mode);
}

/* ---- the connection -------------------------------------------------------------------------- */

/* A connection that times out has failed for all sources. After a death it may exist in some only:
 * with a detector the root decides for all. */
static enum nereus_status handle_failed_connection(struct reconfiguration *reconfig, bool watched)
{
    struct nereus_error failure;
    reconfig->comms.inter = MPI_COMM_NULL;
    nereus_fail(&failure, reconfig->error.status,
                "the launched processes did not connect within %.0f s: %.300s",
                compute_connect_limit_s(reconfig), reconfig->error.text);
    if (watched)
        return nereus_detector_report_failure(reconfig, &failure);
    reconfig->job->unconnectable = reconfig->job->unconnectable || failure.status == NEREUS_ERR_MPI;
    reconfig->verdict = failure;
    return failure.status;
}

/* Connect to the port that the first new group has announced. */
enum nereus_status nereus_launch_connect(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    if (reconfig->group.number >= 0)
        return nereus_port_accept(reconfig->comms.new_processes, &reconfig->group.port,
                                  compute_connect_limit_s(reconfig), &reconfig->comms.inter, err);
    const bool watched = nereus_is_watched(reconfig);
    const char *port = reconfig->launch != NULL ? nereus_launch_port(reconfig->launch, 0) : NULL;
    if (watched)
        NEREUS_TRY(nereus_detector_begin(reconfig));
    if (nereus_port_connect(reconfig->comms.parents, port, compute_connect_limit_s(reconfig),
                            watched ? &reconfig->detector.token : NULL, &reconfig->comms.inter,
                            err) != NEREUS_OK)
        return handle_failed_connection(reconfig, watched);
    if (watched)
        nereus_detector_resume(reconfig, true);
    /* The application may take any time to its next point. */
    if (watched && reconfig->in_thread) {
        nereus_detector_pause(reconfig, true);
        nereus_detector_resume(reconfig, false);
    }
    for (int64_t i = 0; !watched && reconfig->launch != NULL && i < reconfig->plan.tree.group_count;
         i++)
        nereus_launch_set_joined(reconfig->launch, (int)i);
    return NEREUS_OK;
}
