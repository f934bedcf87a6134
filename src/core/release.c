/** @file release.c  Derives a size and a set of leaving processes from names of nodes. */
#include "prepare_request.h"

enum nereus_status nereus_check_placed(const nereus_job *job, struct nereus_error *err)
{
    return job->misplaced
               ? nereus_fail(err, NEREUS_ERR_STATE,
                             "processes are not on the nodes that the host file says, so none can "
                             "be given back by name: start the job on the first hosts of the host "
                             "file, in its order")
               : NEREUS_OK;
}

static enum nereus_status append_node(const nereus_job *job, const char *name,
                                      struct resize_request *request, struct nereus_error *err)
{
    const int64_t node = nereus_machine_find(&job->machine, name);
    if (node < 0)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            job->machine.slots > 0
                ? "the node '%.160s' that is to be released is not in the job's machine (names are as "
                  "they stand in the host file, without the number)"
                : "the node '%.160s' cannot be released: there is no host file that names nodes "
                  "(NEREUS_HOSTFILE or options.hostfile)",
            name);
    for (int64_t i = 0; i < request->release_count; i++)
        if (request->release[i] == node)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "the node '%.160s' is to be released twice: name it once", name);
    request->release[request->release_count++] = node;
    request->nt -= nereus_jobstate_node_processes(&job->state, node);
    return NEREUS_OK;
}

enum nereus_status nereus_make_release_request(const nereus_job *job, const char *const *nodes,
                                               int64_t count, const char *method,
                                               struct resize_request *request,
                                               struct nereus_error *err)
{
    request->point =
        __atomic_load_n(&job->points, __ATOMIC_RELAXED); /* read by another thread, too */
    request->nt = job->size;
    request->machine_changes = job->machine_changes;
    if (count < 1 || count > RELEASE_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld node%s %s to be released: 1 to %d can be", (long long)count,
                           nereus_plural_s(count), nereus_choose_plural(count, "is", "are"),
                           (int)RELEASE_MAX);
    for (int64_t i = 0; i < count; i++)
        NEREUS_TRY(append_node(job, nodes[i], request, err));
    NEREUS_TRY(nereus_check_placed(job, err));
    if (request->nt < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "without the nodes that are to be released no process would be left");
    /* No process on these nodes: the size stays */
    NEREUS_TRY(nereus_set_requested_method(
        job, method == NULL && request->nt == job->size ? "merge/coll" : method, request, err));
    if (request->method.shrink == NEREUS_ZS)
        return nereus_fail(err, NEREUS_ERR_ILLEGAL,
                           "zs gives no node back: a process that sleeps keeps its slot there "
                           "(Martín-Álvarez et al. (2024a), section 3.2.2)");
    return NEREUS_OK;
}
