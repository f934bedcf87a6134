/**
 * @file probe.c
 * Tests hosts before a spawn: MPI_Comm_spawn ends or hangs the job if a host does not answer or
 * cannot be reached. Therefore the launcher first starts a guard there, which only checks whether
 * the program can be started, reports to nereus-supervise and ends (guard.c, word q; protocol of a
 * launched world: link/launch.h). A failure of this test does not affect the job.
 *
 * Only hosts without a process of the job are tested: without an answer from a host that it already
 * uses the job hangs in any case. The test takes as long as one start of a launcher, as all hosts
 * are tested in parallel.
 */
#include <unistd.h>

#include "hosts.h"
#include "spawn.h"
#include "src/link/launch.h"
#include "src/util/guard_events.h"

/* nereus-supervise runs one launcher per host during the test. Further hosts are not tested: if one
 * does not answer, the job ends. */
enum { HOSTS_MAX = 32 };

struct hosts {
    char names[HOSTS_MAX][NEREUS_NODE_NAME_MAX];
    int count;
};

static bool contains_host(const struct hosts *hosts, const char *name)
{
    for (int i = 0; i < hosts->count; i++)
        if (strcmp(hosts->names[i], name) == 0)
            return true;
    return false;
}

/* Does the job have a process on this host, active or asleep? */
static bool is_used(const nereus_job *job, const char *name)
{
    const struct nereus_segment *lists[] = {job->state.segments, job->state.sleepers};
    const int64_t counts[] = {job->state.segment_count, job->state.sleeper_count};
    char host[NEREUS_NODE_NAME_MAX];
    for (int list = 0; list < 2; list++) {
        for (int64_t i = 0; i < counts[list]; i++) {
            nereus_host_of_node(&job->machine, lists[list][i].node, host, sizeof host);
            if (strcmp(host, name) == 0)
                return true;
        }
    }
    return false;
}

static void find_new_hosts(const nereus_job *job, const struct nereus_request *request,
                           struct hosts *hosts)
{
    hosts->count = 0;
    for (int64_t i = 0; i < request->group_count && hosts->count < HOSTS_MAX; i++) {
        char *name = hosts->names[hosts->count];
        nereus_host_of_node(&job->machine, request->groups[i].node, name, sizeof hosts->names[0]);
        if (name[0] != '\0' && !contains_host(hosts, name) && !is_used(job, name))
            hosts->count++;
    }
}

/* Report the first host that failed, with its reason; else the first that did not answer. */
static enum nereus_status find_failure(const struct hosts *hosts,
                                       const struct nereus_launch *launch, double limit_s,
                                       struct nereus_error *failure)
{
    struct nereus_error why = {0};
    nereus_launch_failure(launch, &why); /* reason of the first failed host */
    for (int i = 0; i < hosts->count; i++)
        if (nereus_launch_state(launch, i) == NEREUS_LAUNCH_FAILED)
            return nereus_fail(failure, NEREUS_ERR_SPAWN,
                               "no process can be started on %s, and nothing was: %.300s",
                               hosts->names[i], why.text);
    for (int i = 0; i < hosts->count; i++)
        if (nereus_launch_state(launch, i) != NEREUS_LAUNCH_CHECKED)
            return nereus_fail(
                failure, NEREUS_ERR_SPAWN,
                "%s did not answer within %g s (answer_timeout_s, NEREUS_ANSWER_TIMEOUT): nothing was "
                "started",
                hosts->names[i], limit_s);
    return NEREUS_OK;
}

enum nereus_status nereus_probe_hosts(const nereus_job *job, const struct nereus_request *request,
                                      const struct start_spec *spec, struct nereus_error *failure)
{
    struct hosts hosts;
    struct nereus_launch_group groups[HOSTS_MAX];
    struct nereus_launch *launch = NULL;
    struct nereus_error none = {0};
    find_new_hosts(job, request, &hosts);
    if (hosts.count == 0 || getenv(NEREUS_LAUNCHER_NAME) == NULL)
        return NEREUS_OK;
    /* word q of guard.c: only check the program, report and end */
    static char check_only[] = "q";
    char **argv = nereus_argv_prepend(check_only, spec->argv);
    NEREUS_TRY_MEMORY(argv, failure, "to look at %d hosts", hosts.count);
    for (int i = 0; i < hosts.count; i++)
        groups[i] = (struct nereus_launch_group){
            .host = hosts.names[i], .processes = 1, .guard = spec->guard, .argv = argv};
    enum nereus_status status = NEREUS_OK;
    /* longer than the wait below, so that the launch's own timeout is not reported */
    if (nereus_launch_start(groups, hosts.count, job->settings.answer_timeout_s + 1, &launch,
                            &none) == NEREUS_OK) {
        nereus_launch_wait(launch, job->settings.answer_timeout_s);
        status = find_failure(&hosts, launch, job->settings.answer_timeout_s, failure);
    }
    nereus_launch_free(launch); /* ends the guards that have not answered */
    free(argv);
    return status;
}
