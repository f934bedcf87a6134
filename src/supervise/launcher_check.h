/**
 * @file launcher_check.h
 * Detects an mpiexec that waits forever: srun or ssh, which it has started for its proxies, has
 * ended before any process was there.
 */
#pragma once

#include <sys/types.h>

#include "model/util/base.h"

struct launcher_check {
    double next_s; /* time of the next check */
    int idle;      /* successive checks that found no running child */
};

/** Check now, if it is time.
 * @return true: the launcher waits for processes that nobody starts */
bool launcher_waits_in_vain(struct launcher_check *check, pid_t launcher, double now_s);
