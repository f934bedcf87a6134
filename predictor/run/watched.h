/**
 * @file watched.h
 * Collects the MPI calls of a program, which runs with the library that records them.
 */
#pragma once

#include "model/twin/calls.h"

struct nereus_watched {
    struct nereus_calls *ranks; /**< owned; by rank */
    int count;
};

/**
 * Run the program and read its records.
 * @param variable "NAME=VALUE" in its environment; NULL: none
 * @param limit_s  0: none
 * @param quiet    of its output only errors pass
 * @param[out] watched  to be ended with nereus_watched_fini in any case
 * @return NEREUS_ERR_NO_BASIS: no record; NEREUS_ERR_STATE: the program failed
 */
enum nereus_status nereus_watched_run(const char *const *command, const char *variable,
                                      double limit_s, bool quiet, struct nereus_watched *watched,
                                      struct nereus_error *err);
void nereus_watched_fini(struct nereus_watched *watched);
