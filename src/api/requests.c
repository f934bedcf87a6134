/**
 * @file requests.c
 * Takes requests of the program (a new size, the release of nodes, load balance, a checkpoint), and
 * its declarations for the decision on requests (sizes, iterations left).
 */
#include "requests.h"

#include "src/core/async.h"
#include "src/core/balance.h"
#include "src/core/checkpoints.h"
#include "src/core/external.h"
#include "src/core/prepare_request.h"
#include "src/util/callback.h"

enum nereus_status nereus_make_pending(nereus_job *job, struct resize_request *request,
                                       const char *method)
{
    NEREUS_TRY(nereus_callback_check_outside("a request", &job->error));
    if (job->leaving || job->rank != 0)
        return nereus_fail(&job->error, NEREUS_ERR_STATE,
                           "a size is requested by rank 0 of the active processes, not by rank %d",
                           job->rank);
    if (job->under_way != NULL)
        return nereus_fail(
            &job->error, NEREUS_ERR_BUSY, "a reconfiguration to %lld process%s is under way",
            (long long)job->under_way->request.nt, nereus_plural_es(job->under_way->request.nt));
    if (job->is_pending)
        return nereus_fail(&job->error, NEREUS_ERR_BUSY,
                           "a request for %lld process%s is pending already",
                           (long long)job->pending.nt, nereus_plural_es(job->pending.nt));
    NEREUS_TRY(nereus_set_requested_method(job, method, request, &job->error));
    NEREUS_TRY(nereus_check_request(job, request, &job->error));
    nereus_consensus_request(job, request);
    return NEREUS_OK;
}

enum nereus_status nereus_request_size(nereus_job *job, int64_t nt, const char *method)
{
    struct resize_request request = {.point = job->points, .nt = nt};
    return nereus_make_pending(job, &request, method);
}

enum nereus_status nereus_request_release(nereus_job *job, const char *const *nodes, int64_t count,
                                          const char *method)
{
    struct resize_request request = {.release_count = 0};
    NEREUS_TRY(nereus_make_release_request(job, nodes, count, method, &request, &job->error));
    return nereus_make_pending(job, &request, method);
}

void nereus_set_iterations_left(nereus_job *job, int64_t left)
{
    /* at least 1, as 0 means unknown */
    const int64_t end = job->points + left;
    __atomic_store_n(&job->settings.iterations, left < 0 ? 0 : end > 0 ? end : 1, __ATOMIC_RELAXED);
}

enum nereus_status nereus_declare_sizes(nereus_job *job, const struct nereus_sizes *sizes)
{
    struct nereus_sizes both;
    NEREUS_TRY(nereus_sizes_check(sizes, &job->error));
    NEREUS_TRY(nereus_sizes_combine(sizes, &job->settings.sizes_outside, &both, &job->error));
    nereus_external_set_sizes(job, &both);
    return NEREUS_OK;
}

/* A redistribution over the same processes, against load imbalance. */
enum nereus_status nereus_balance(nereus_job *job, const struct nereus_balance_options *options,
                                  enum nereus_action *action)
{
    static const struct nereus_balance_options none = NEREUS_BALANCE_OPTIONS_INIT;
    const struct nereus_balance_options *o = options != NULL ? options : &none;
    const char *method = o->method != NULL ? o->method : NEREUS_DEFAULT_BALANCE;
    struct balance_settings settings = {
        o->threshold > 0 ? o->threshold : NEREUS_BALANCE_THRESHOLD, o->compute_s, {0}};
    *action = NEREUS_CONTINUE;
    NEREUS_TRY(nereus_callback_check_outside("nereus_balance", &job->error));
    if (o->size != sizeof *o || !(o->threshold >= 0) || !(o->compute_s >= 0) ||
        !isfinite(o->compute_s))
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "load balance with a threshold of %g and %g s of an iteration: both "
                           "must be numbers of 0 or more, beside NEREUS_BALANCE_OPTIONS_INIT",
                           o->threshold, o->compute_s);
    NEREUS_TRY(nereus_method_parse(method, &settings.method, &job->error));
    NEREUS_TRY(nereus_method_check(&settings.method, &job->error));
    if (!nereus_method_rebalances(&settings.method, 1, 1))
        return nereus_fail(&job->error, NEREUS_ERR_ILLEGAL,
                           "load is not balanced by '%s', but by merge with the distribution "
                           "weighted, as merge/coll-weighted",
                           method);
    NEREUS_TRY(nereus_point(job, action));
    if (*action != NEREUS_CONTINUE || job->under_way != NULL)
        return NEREUS_OK;
    return nereus_balance_load(job, &settings, action, &job->error);
}

enum nereus_status nereus_checkpoint(nereus_job *job)
{
    NEREUS_TRY(nereus_callback_check_outside("nereus_checkpoint", &job->error));
    if (job->leaving)
        return nereus_fail(&job->error, NEREUS_ERR_STATE,
                           "this process has left the job: it must end, not write a checkpoint");
    if (job->under_way != NULL)
        return nereus_fail(&job->error, NEREUS_ERR_BUSY,
                           "a reconfiguration to %lld process%s is under way: a checkpoint can be "
                           "written when it has ended",
                           (long long)job->under_way->request.nt,
                           nereus_plural_es(job->under_way->request.nt));
    return nereus_checkpoint_now(job, &job->error);
}
