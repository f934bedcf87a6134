/**
 * @file malleable.h
 * Parses the options of the malleable solvers for what no variable says. Changes of size are those
 * of NEREUS_SCHEDULE, load balance is that of NEREUS_BALANCE.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>

#include "nereus/nereus.h"

enum { MALLEABLE_POWERS_MAX = 64 };

/** The parsed options. Zeroed: none was given. */
struct malleable {
    bool settle;   /**< wait at the end for a change that is under way */
    bool tell_end; /**< tell the library the number of iterations */
    /** Lists of powers, stated in turn: number i begins at list_first[i]; list_count 0: none */
    double powers[MALLEABLE_POWERS_MAX];
    int64_t list_first[MALLEABLE_POWERS_MAX + 1], list_count;
};

/**
 * Options --powers, --tell-end and --settle, for a program's own argp as a child; its input is a
 * struct malleable.
 */
extern const struct argp malleable_argp;
/** Before each point: state the power of --powers. Local. */
enum nereus_status malleable_state_power(const struct malleable *options, nereus_job *job);
/**
 * After the last iteration: sleep 1 ms if a change is under way.
 * @return whether one is, which needs another point; the same in all processes
 */
bool malleable_pause_if_pending(const struct malleable *options, const nereus_job *job);
