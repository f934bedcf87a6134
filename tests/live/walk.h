/** @file walk.h  A random walk through methods and sizes: the next request, by a seed. */
#pragma once

#include <stdint.h>

#include "nereus/method.h"
#include "nereus/nereus.h"

/*
 * The next request of a job of that size, after that many reconfigurations, and refused requests
 * since the last one: the same seed gives the same walk. The first half of the walk, counted in
 * reconfigurations, only merges, so that processes live long enough to show what grows in them;
 * at begin, middle and end the job has 2 new processes, so that its memory can be compared.
 * @return its size; text gets its method
 */
int64_t walk_next(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                  int64_t length, char text[NEREUS_METHOD_TEXT_MAX]);
/* Has the job after that many reconfigurations 2 new processes and no others? */
int walk_rests(int64_t reconfigurations, int64_t length);

/*
 * Any request: every method with every way to move data, overlap and distribution,
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

/* On rank 0: requests the next reconfiguration as soon as the last one is answered, and prints
 * it. */
void walk_ask(nereus_job *job, const struct walk *walk);
