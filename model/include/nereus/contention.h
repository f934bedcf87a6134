/**
 * @file contention.h
 * Describes contention: iterations that share their cores with threads. Words for what iteration
 * and threads do.
 */
#ifndef NEREUS_CONTENTION_H
#define NEREUS_CONTENTION_H

#include "status.h"

NEREUS_BEGIN_C

/** X(enumerator, word, help) */
#define NEREUS_STAGE_LIST(X)                                                                       \
    X(NEREUS_STAGE_COMPUTE, "compute", "arithmetic in registers")                                  \
    X(NEREUS_STAGE_MEMORY, "memory", "a stream through more than the caches hold")                 \
    X(NEREUS_STAGE_COLLECTIVE, "collective", "MPI_Allreduce of 1 KiB")
#define NEREUS_BACKGROUND_LIST(X)                                                                  \
    X(NEREUS_BACKGROUND_WAITING, "waiting", "threads that look for a message between naps")        \
    X(NEREUS_BACKGROUND_COMMUNICATING, "communicating",                                            \
      "threads that exchange messages the whole time")                                             \
    X(NEREUS_BACKGROUND_STARTING, "starting",                                                      \
      "processes that start, and a thread each in MPI_Comm_spawn")

#define NEREUS_ENUMERATOR(e, word, help) e,
enum nereus_stage { NEREUS_STAGE_LIST(NEREUS_ENUMERATOR) NEREUS_STAGE_COUNT };
enum nereus_background { NEREUS_BACKGROUND_LIST(NEREUS_ENUMERATOR) NEREUS_BACKGROUND_COUNT };
#undef NEREUS_ENUMERATOR

enum { NEREUS_CONTENTION_COUNT = NEREUS_STAGE_COUNT * NEREUS_BACKGROUND_COUNT };

/** Name of a stage or of what runs beside it, such as "compute"; NULL out of range. */
const char *nereus_stage_name(enum nereus_stage stage);
const char *nereus_background_name(enum nereus_background background);
/**
 * Name of a contention, such as "compute/waiting", as in samples and profiles; NULL out of range.
 * @param[in] index  stage x NEREUS_BACKGROUND_COUNT + background
 */
const char *nereus_contention_name(int index);
/** Index of a contention by name; NEREUS_CONTENTION_COUNT: no such name. */
int nereus_contention_from_name(const char *name);

NEREUS_END_C
#endif
