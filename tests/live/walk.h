/* A random walk through methods and sizes: what to ask for next, by a seed. */
#ifndef NEREUS_TEST_WALK_H
#define NEREUS_TEST_WALK_H

#include <stdint.h>

#include "nereus/method.h"

/*
 * The next request of a job of that size, after so many reconfigurations and so many vain requests
 * since the last one: the same seed walks the same way. The first half of the walk, counted in
 * reconfigurations, only merges, so that processes live long enough to show what grows in them;
 * begin, middle and end are 2 new processes, which make the job comparable with itself.
 * @return its size; method gets its text
 */
int64_t walk_next(uint64_t seed, int64_t vain, int64_t size, int64_t reconfigurations,
                  int64_t length, char method[NEREUS_METHOD_TEXT_MAX]);
/* Is a reconfiguration of that number one after which the job has 2 new processes and nobody else?
 */
int walk_rests(int64_t reconfigurations, int64_t length);

#endif
