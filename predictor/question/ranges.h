/**
 * @file ranges.h
 * Lists and ranges of sizes: "1:1000", "2:64:2" (first, last, step), "1,2,4,8", "1:16,32,64".
 */
#ifndef NEREUS_RANGES_H
#define NEREUS_RANGES_H

#include <stdint.h>

#include "nereus/status.h"

enum { NEREUS_RANGE_SIZES_MAX = 1000000 };

struct nereus_sizes {
    int64_t *items; /**< ascending, without duplicates; owned */
    int64_t count;
};

/**
 * @param[in]  what   starts the sentence of an error ("--ns")
 * @param[out] sizes  to be freed with nereus_sizes_fini where NEREUS_OK is returned
 * @return NEREUS_ERR_PARSE for what is no number, 0, or no ascending range; NEREUS_ERR_ARGUMENT for
 *     too many or too large ones
 */
enum nereus_status nereus_sizes_parse(const char *what, const char *text,
                                      struct nereus_sizes *sizes, struct nereus_error *err);
void nereus_sizes_fini(struct nereus_sizes *sizes);

#endif
