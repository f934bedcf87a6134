/**
 * @file launched.h
 * Launched worlds: the orders of the root of a reconfiguration (REQUEST_LAUNCHES), the reports of
 * their guards (REQUEST_GUARDS_LAUNCHED), their launchers and time limits.
 */
#ifndef NEREUS_SRC_SUPERVISE_LAUNCHED_H
#define NEREUS_SRC_SUPERVISE_LAUNCHED_H

#include "supervisor.h"

/** Carry out an order: a line of the root. */
void launched_follow_order(struct supervisor *supervisor, const char *session, char *line);
/** The root that gave the orders has ended: groups that have not joined will never join. */
void launched_drop_orders(struct supervisor *supervisor, const char *session, bool on_purpose);
/** Report that a group has failed, with the reason. */
void launched_fail(struct supervisor *supervisor, struct group *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** End a launched world: its guards end their programs when their connections are closed, and its
 * launcher ends with the guards. */
void launched_end(struct supervisor *supervisor, struct group *group);
/** Handle a report: a line of a guard. */
void launched_handle_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Is the launcher checked for an end of what it has started (group->check)? */
bool launched_is_checked(const struct group *group);
/** End the groups whose time limit to connect or to end has passed. */
void launched_act_on_limits(struct supervisor *supervisor, double now_s);

#endif
