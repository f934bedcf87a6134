/* Requests for a layout: which nodes hold how many processes afterwards. */
#include <string.h>

#include "point.h"
#include "src/core/choose.h"
#include "src/core/release.h"
#include "src/util/error.h"

/* One entry: a node of the host file that is not named twice, and as many processes as fit. */
static enum nereus_status add_node(nereus_job *job, const char *name, int64_t processes,
                                   struct resize_request *wanted)
{
    const struct nereus_machine *machine = &job->machine;
    const int64_t node = nereus_find_node(machine, name);
    if (node < 0)
        return nereus_fail(
            &job->error, NEREUS_ERR_ARGUMENT,
            machine->slots > 0
                ? "the node '%.60s' of a layout is not in the host file (names are as "
                  "they stand there, without the number)"
                : "the node '%.60s' cannot be in a layout: there is no host file that "
                  "names nodes (NEREUS_HOSTFILE or options.hostfile)",
            name);
    for (int64_t i = 0; i < wanted->layout_count; i++)
        if (wanted->layout[i].node == node)
            return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                               "the node '%.60s' is in a layout twice", name);
    if (processes < 0 || processes > machine->nodes[node].cores)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "%lld processes on the node '%.60s' of a layout: the host file has room "
                           "for 0 to %lld there",
                           (long long)processes, name, (long long)machine->nodes[node].cores);
    wanted->layout[wanted->layout_count++] = (struct nereus_group){node, processes};
    wanted->nt += processes;
    return NEREUS_OK;
}

/* Where no method is named: merge, or if that cannot do it a respawn, which makes a world of each
 * node, so that any of them can be given back later. */
static enum nereus_status choose_method(nereus_job *job, const char **method,
                                        struct resize_request *wanted)
{
    enum nereus_shrink ignored;
    NEREUS_TRY(nereus_ask_for_method(job, *method, wanted, &job->error));
    if (job->rank != 0)
        return NEREUS_OK;
    const enum nereus_status status =
        nereus_try_to_place(job, wanted, job->zombies.count, &ignored, &job->error);
    if (!wanted->open || status != NEREUS_ERR_ILLEGAL)
        return status;
    *method = "baseline-diffusive/coll";
    return NEREUS_OK;
}

enum nereus_status nereus_request_layout(nereus_job *job, const char *const *nodes,
                                         const int64_t *processes, int64_t n, const char *method)
{
    struct resize_request wanted = {.point = job->points};
    if (n < 1 || n > LAYOUT_MAX)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "a layout of %lld nodes: it can have 1 to %d", (long long)n,
                           (int)LAYOUT_MAX);
    for (int64_t i = 0; i < n; i++)
        NEREUS_TRY(add_node(job, nodes[i], processes[i], &wanted));
    if (wanted.nt < 1)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "a layout without processes: at least one node must hold one");
    NEREUS_TRY(nereus_check_placed(job, &job->error));
    NEREUS_TRY(choose_method(job, &method, &wanted));
    return nereus_pend_request(job, &wanted, method);
}
