/**
 * @file callback.c
 * Keeps the name of the running callback, one per thread: a call from inside it is refused with
 * that name.
 */
#include "callback.h"

/* per thread: an auxiliary thread may pack custom data while the main thread reaches a point */
static _Thread_local const char *inside __attribute__((tls_model("initial-exec")));

void nereus_callback_enter(const char *name)
{
    inside = name;
}

void nereus_callback_leave(void)
{
    inside = NULL;
}

void nereus_callback_call(const char *name, void (*callback)(struct nereus_job *job, void *user),
                          struct nereus_job *job, void *user)
{
    if (callback == NULL)
        return;
    nereus_callback_enter(name);
    callback(job, user);
    nereus_callback_leave();
}

enum nereus_status nereus_callback_check_outside(const char *what, struct nereus_error *err)
{
    if (inside == NULL)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_STATE,
                       "%s is not possible inside %s, where a resize is being carried out: "
                       "do it when nereus_point, or in a joined process nereus_init, has returned",
                       what, inside);
}
