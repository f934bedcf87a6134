/**
 * @file lists.h
 * Parses lists in options: sizes, also as ranges, "1:1000", "2:64:2" (first, last, step),
 * "1,2,4,8", "1:16,32,64"; and computing powers, "20*1,32*1.4".
 */
#pragma once

#include "model/util/base.h"
#include "nereus/grid.h"

enum { NEREUS_RANGE_SIZES_MAX = 1000000 };

struct nereus_sizes {
    int64_t *items; /**< ascending, without duplicates; owned */
    int64_t count;
};

/**
 * @param[in]  what   starts the error message ("--ns")
 * @param[out] sizes  to be freed with nereus_sizes_fini where NEREUS_OK is returned
 * @return NEREUS_ERR_PARSE for a text that is not a number or not an ascending range, and for 0;
 *     NEREUS_ERR_ARGUMENT for too many or too large sizes
 */
enum nereus_status nereus_sizes_parse(const char *what, const char *text,
                                      struct nereus_sizes *sizes, struct nereus_error *err);
void nereus_sizes_fini(struct nereus_sizes *sizes);

/** Parse the sizes of a grid's dimensions, as "512x512x256".
 * @return NEREUS_ERR_PARSE */
enum nereus_status nereus_grid_parse(const char *text, struct nereus_grid *grid,
                                     struct nereus_error *err);

/** Parse entries POWER or COUNT*POWER, with commas between them; powers are above 0.
 * @param[out] powers  to be freed with free; written on success only
 * @param[out] count   1 to NEREUS_POWERS_MAX (price.h)
 * @return NEREUS_ERR_ARGUMENT with an error message that names the entry; NEREUS_ERR_MEMORY */
enum nereus_status nereus_powers_parse(const char *text, double **powers, int64_t *count,
                                       struct nereus_error *err);
