/**
 * @file request_balance.c
 * nereus_balance: a redistribution over the same processes, against load imbalance.
 */

#include "requests.h"
#include "src/core/balance.h"
#include "src/util/callback.h"

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
