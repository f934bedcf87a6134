/**
 * @file sizes.h
 * Describes the numbers of processes that an application can have.
 */
#ifndef NEREUS_SIZES_H
#define NEREUS_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** A zeroed struct allows every size from 1 on. */
struct nereus_sizes {
    int64_t minimum, maximum; /**< processes; 0: none is declared */
    int64_t multiple_of;      /**< 0 or 1: any */
    bool powers_of_two;
};

enum { NEREUS_SIZES_TEXT_MAX = 112 };

/**
 * Check declared sizes.
 * @return NEREUS_ERR_ARGUMENT: a negative number, or no size is left
 */
enum nereus_status nereus_sizes_check(const struct nereus_sizes *sizes, struct nereus_error *err);

/** Is n an allowed size? */
bool nereus_sizes_allow(const struct nereus_sizes *sizes, int64_t n);

/**
 * The allowed sizes nearest to n, below and above it, in ascending order.
 * @param[in]  max  limit of the machine; 0: none
 * @param[out] near_sizes  two sizes
 * @return number of sizes: 0, 1 or 2
 */
int nereus_sizes_find_nearest(const struct nereus_sizes *sizes, int64_t n, int64_t max,
                              int64_t near_sizes[2]);

/**
 * Combine two declarations into the sizes that both allow.
 * @param[out] both  may be a or b
 * @return NEREUS_ERR_ARGUMENT: no size is allowed by both
 */
enum nereus_status nereus_sizes_combine(const struct nereus_sizes *a, const struct nereus_sizes *b,
                                        struct nereus_sizes *both, struct nereus_error *err);

/**
 * Read "minimum=2,maximum=64,multiple-of=4,powers-of-two"; each part is optional.
 * @param[in]  what   begins the error message
 * @param[out] sizes  0 for parts that are not given
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_sizes_read(const char *what, const char *text, struct nereus_sizes *sizes,
                                     struct nereus_error *err);

/**
 * Format sizes as "2 to 64 processes, multiples of 4".
 * @param[out] text  NEREUS_SIZES_TEXT_MAX characters
 * @return text
 */
char *nereus_sizes_format(const struct nereus_sizes *sizes, char text[NEREUS_SIZES_TEXT_MAX]);

NEREUS_END_C
#endif
