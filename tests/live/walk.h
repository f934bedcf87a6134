/** @file walk.h  A random walk through methods and sizes: what to ask for next, by a seed. */
#pragma once

#include <stdint.h>

#include "nereus/method.h"
#include "nereus/nereus.h"

/*
 * The next request of a job of that size, after so many reconfigurations and so many vain requests
 * since the last one: the same seed walks the same way. The first half of the walk, counted in
 * reconfigurations, only merges, so that processes live long enough to show what grows in them;
 * begin, middle and end are 2 new processes, which make the job comparable with itself.
 * @return its size; text gets its method
 */
int64_t walk_next(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                  int64_t length, char text[NEREUS_METHOD_TEXT_MAX]);
/* Is a reconfiguration of that number one after which the job has 2 new processes and nobody else?
 */
int walk_rests(int64_t reconfigurations, int64_t length);

/*
 * The same without any order: every method with every way to move data, overlap and distribution,
 * or one that is left to the library; the present size only by what changes something there.
 * @param[in] largest  size
 */
int64_t walk_any(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                 int64_t largest, char text[NEREUS_METHOD_TEXT_MAX]);

/* walk_next or walk_any, with the last number that it takes. */
struct walk {
    int64_t (*draw)(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                    int64_t number, char method[NEREUS_METHOD_TEXT_MAX]);
    uint64_t seed;
    int64_t number;
    bool layouts; /* now and then a layout of the nodes in $NEREUS_HOSTFILE */
};

/* On rank 0: asks for the next change as soon as the one before is answered, and says so. */
void walk_ask(nereus_job *job, const struct walk *walk);
