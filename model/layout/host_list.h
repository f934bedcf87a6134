/**
 * @file host_list.h
 * Reads lists of nodes with ranges, as Slurm writes them: "n[01-03,7],gpu2"; and checks names of
 * hosts.
 */
#pragma once

#include "model/util/base.h"

/** A callback for a name.
 * @return any status but NEREUS_OK ends the visit */
typedef enum nereus_status nereus_on_host(void *user, const char *name, struct nereus_error *err);

/** Call back for each name, in order.
 * @param what  name of the list in messages: "SLURM_JOB_NODELIST"
 * @return NEREUS_ERR_PARSE: no list, an empty name, or more than 100000 names; earlier names were
 *     passed before */
enum nereus_status nereus_host_list_visit(const char *text, const char *what,
                                          nereus_on_host *on_host, void *user,
                                          struct nereus_error *err);

/** Does the name have only letters, digits, '.', '_' and '-', beginning with a letter or digit?
 * Such a name is neither an option nor a list. */
bool nereus_host_name_is_plain(const char *name, size_t length);
/** Is the name that of a host, or "host/virtual"? */
bool nereus_node_name_is_plain(const char *name, size_t length);

/** Is the name "localhost", or that of this host? "n1" and "n1.cluster" are the same. */
bool nereus_host_name_is_own(const char *name);

/** Read the digits at *position, which advances.
 * @return the number; -1: no digit, or more than 18 */
int64_t nereus_host_list_number(const char **position);
