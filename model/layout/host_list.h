/**
 * @file host_list.h
 * Names of nodes in a list with ranges, as Slurm writes it: "n[01-03,7],gpu2".
 */
#ifndef NEREUS_MODEL_LAYOUT_HOST_LIST_H
#define NEREUS_MODEL_LAYOUT_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

/** @return anything but NEREUS_OK ends the list */
typedef enum nereus_status nereus_on_host(void *user, const char *name, struct nereus_error *err);

/**
 * Call back for each name, in order.
 * @param what  name of the list: "SLURM_JOB_NODELIST".
 * @return NEREUS_ERR_PARSE: no list, an empty name, or more than 100000 names; earlier names have
 *         been passed
 */
enum nereus_status nereus_host_list_each(const char *list, const char *what,
                                         nereus_on_host *on_host, void *user,
                                         struct nereus_error *err);

/** Letters, digits, '.', '_', '-', beginning with a letter or digit: neither an option nor a list.
 */
bool nereus_host_name_is_plain(const char *name, size_t length);
/** Is it the name of a host, or "host/virtual"? */
bool nereus_node_name_is_plain(const char *name, size_t length);

/** Is it "localhost", or the name of this host? "n1" and "n1.cluster" are the same. */
bool nereus_host_name_is_own(const char *name);

/** Digits at *at, which advances. @return their number; -1: none, or more than 18 */
int64_t nereus_host_list_number(const char **at);

#endif
