/** @file point_balance.c  NEREUS_BALANCE: load balance in nereus_point. */
#include "point.h"
#include "src/core/balance.h"
#include "src/util/error.h"

const char *const nereus_default_balance = "merge/coll-weighted";

/* If the weights cannot be determined, the program continues as without NEREUS_BALANCE. */
static void turn_balance_off(nereus_job *job)
{
    if (job->rank == 0)
        nereus_log("load is not balanced any more: %s", job->error.text);
    job->settings.balance_every = 0;
}

enum nereus_status nereus_point_balance(nereus_job *job, enum nereus_action *action)
{
    const int64_t every = job->settings.balance_every;
    struct balance_settings settings = {NEREUS_BALANCE_THRESHOLD, 0, {0}};
    if (every == 0 || job->points % every != 0 || job->under_way != NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_method_parse(nereus_default_balance, &settings.method, &job->error));
    const enum nereus_status status = nereus_balance_load(job, &settings, action, &job->error);
    if (status != NEREUS_ERR_STATE && status != NEREUS_ERR_ARGUMENT)
        return status;
    turn_balance_off(job);
    return NEREUS_OK;
}
