/** @file samples_columns.h  Lists the columns of samples, for reader and writer. Private to
 * samples*.c. */
#pragma once

#include "model/util/base.h"

/** X(enumerator, name, every file needs it), in the order in which they are written. */
#define NEREUS_WRITTEN_COLUMN_LIST(X)                                                              \
    X(COLUMN_CLUSTER, "cluster", true)                                                             \
    X(COLUMN_CORES, "cores_per_node", true)                                                        \
    X(COLUMN_NS, "ns", true)                                                                       \
    X(COLUMN_NT, "nt", true)                                                                       \
    X(COLUMN_METHOD, "method", true)                                                               \
    X(COLUMN_T_ITER_NS, "t_iter_ns_s", false)                                                      \
    X(COLUMN_T_ITER_NT, "t_iter_nt_s", false)                                                      \
    X(COLUMN_BYTES, "bytes", false)                                                                \
    X(COLUMN_RT, "rt_s", false)                                                                    \
    X(COLUMN_CT, "ct_s", false)                                                                    \
    X(COLUMN_ITERATIONS, "iterations", false)                                                      \
    X(COLUMN_STATISTIC, "statistic", false)                                                        \
    X(COLUMN_N, "n", false)                                                                        \
    X(COLUMN_KIND, "kind", false)                                                                  \
    X(COLUMN_PAIR, "pair", false)                                                                  \
    X(COLUMN_OVERSUBSCRIBED, "oversubscribed", false)                                              \
    X(COLUMN_OLD, "old_processes", false)                                                          \
    X(COLUMN_NEW, "new_processes", false)                                                          \
    X(COLUMN_TIME, "time_s", false)

/** Columns that are written only if processes take several cores. */
#define NEREUS_PER_PROCESS_COLUMN(X) X(COLUMN_PER_PROCESS, "cores_per_process", false)

/** All columns: the last three are read from files of other origin, and never written. */
#define NEREUS_COLUMN_LIST(X)                                                                      \
    NEREUS_WRITTEN_COLUMN_LIST(X)                                                                  \
    NEREUS_PER_PROCESS_COLUMN(X)                                                                   \
    X(COLUMN_REDISTRIBUTE, "redistribute_s", false)                                                \
    X(COLUMN_STATE, "state", false)                                                                \
    X(COLUMN_HOSTFILE, "hostfile", false)
