/**
 * @file host_list.h
 * Names of nodes in a list with ranges, as Slurm writes it: "n[01-03,7],gpu2".
 */
#ifndef NEREUS_HOST_LIST_H
#define NEREUS_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

/** A name of a list. @return anything but NEREUS_OK ends the list with it */
typedef enum nereus_status nereus_on_host(void *user, const char *name, struct nereus_error *err);

/**
 * Tell each name of a list, in its order.
 * @param[in] what  the list's name, for sentences: "SLURM_JOB_NODELIST"
 * @return NEREUS_ERR_PARSE with a sentence: what is no list, a name is missing, or there are more
 *    than 100000; names before it have been told
 */
enum nereus_status nereus_host_list_each(const char *list, const char *what,
                                         nereus_on_host *on_host, void *user,
                                         struct nereus_error *err);

/** Letters, digits, '.', '_', '-', of which the first is a letter or a digit: no option of a
 * command is taken for a host, and no list. */
bool nereus_host_name_is_plain(const char *name, size_t length);
/** Such a name, or two: "host/virtual", a virtual node of a host. */
bool nereus_node_name_is_plain(const char *name, size_t length);

/**
 * Digits at *at, which goes on behind them.
 * @return their number; -1: none, or more than 18 behind leading zeros
 */
int64_t nereus_host_list_number(const char **at);

#endif
