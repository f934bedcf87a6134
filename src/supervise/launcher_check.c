/** @file launcher_check.c  Looks at the launcher's children several times, as it may start others. */
#include "launcher_check.h"

#include "src/guard/processes.h"

static const double check_every_s = 0.5;
/* Number of checks without a running child. */
enum { IDLE_CHECKS = 4 };

bool launcher_waits_in_vain(struct launcher_check *check, pid_t launcher, double now_s)
{
    if (now_s < check->next_s)
        return false;
    const bool idle =
        processes_running_below(launcher) == 0 && processes_has_seen_one_end(launcher);
    check->idle = idle ? check->idle + 1 : 0;
    check->next_s = now_s + check_every_s;
    return check->idle >= IDLE_CHECKS;
}
