/** @file compare_print.h  Prints a comparison as text, CSV and JSON, and draws its map. */
#pragma once

#include "model/evaluate/best_map.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

/** The tables, in the order of --report's choices. */
enum nereus_compare_report {
    NEREUS_COMPARE_GROUPS,      /**< the runs of each method at each pair */
    NEREUS_COMPARE_PAIRS,       /**< Kruskal-Wallis of each pair, and the best methods */
    NEREUS_COMPARE_DIFFERENCES, /**< Conover's test of each two methods */
    NEREUS_COMPARE_REPORT_COUNT
};
extern const char *const nereus_compare_reports[];

/** "RT", "T_ex", "CT". */
const char *nereus_compare_value_name(enum nereus_compare_value value);

/** @return how a tie is resolved, in words */
const char *nereus_tie_rule_text(enum nereus_tie_rule rule);

/**
 * Print to standard output: as text groups, pairs and, unless it is drawn, the map; as CSV one
 * table; as JSON all.
 * @return false when memory or the stream failed
 */
bool nereus_compare_print(const struct nereus_compare *compare, const struct nereus_best_map *map,
                          bool is_drawn, enum nereus_format format,
                          enum nereus_compare_report report);

/**
 * Draw the map.
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY, NEREUS_ERR_ARGUMENT for a size in which it cannot be
 *         read
 */
enum nereus_status nereus_compare_draw(const struct nereus_compare *compare,
                                       const struct nereus_best_map *map,
                                       const struct nereus_picture_settings *settings,
                                       struct nereus_error *err);
