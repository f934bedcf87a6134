/**
 * @file powers.h
 * A list of computing powers: "20*1,32*1.4".
 */
#ifndef NEREUS_PREDICT_POWERS_H
#define NEREUS_PREDICT_POWERS_H

#include <stdint.h>

#include "nereus/status.h"

/**
 * Entries POWER or COUNT*POWER, with commas between them; powers are above 0.
 * @param[out] powers  to be freed with free; written on success only
 * @param[out] count   1 to NEREUS_POWERS_MAX (price.h)
 * @return NEREUS_ERR_ARGUMENT with a sentence that names the entry; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_powers_parse(const char *text, double **powers, int64_t *count,
                                       struct nereus_error *err);

#endif
