/**
 * @file map.h
 * Finds the best methods for many pairs of sizes, for nereus map. Several threads compute the rows,
 * one per NS, which are printed in order.
 */
#pragma once

#include "predictor/cli/output.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/goal_options.h"
#include "predictor/scenario/lists.h"

struct nereus_map_cells;
struct nereus_picture_settings;

/** Largest number of goals per line of a map. */
enum { NEREUS_MAP_GOALS = 2 };

struct nereus_map {
    const struct nereus_profile *profile;
    const struct nereus_settings *scenario; /**< its sizes are not set */
    const struct nereus_methods *methods;
    const struct nereus_goal_settings *goal_settings; /**< has the options of the later shrink */
    struct nereus_ranking ranking;                    /**< its goal is set for each choice */
    enum nereus_goal goals[NEREUS_MAP_GOALS];
    int goal_count; /**< 2: application and system */
    struct nereus_sizes ns, nt;
    enum nereus_format format;
    int threads;
    /** relative distance of figures up to which a method ties with the best one */
    double tie_percent;
    struct nereus_map_cells *cells; /**< storage for the whole map; NULL: it is not kept */
    const struct nereus_picture_settings *picture;
    bool as_cells;   /**< text: the cells are printed, not runs */
    bool as_summary; /**< text beside a picture: how often each method is best, not runs */
};

/** The choices for a pair, by the goals of the map; NULL: no method can be predicted. */
struct nereus_map_choice {
    const struct nereus_prediction *best_predictions[NEREUS_MAP_GOALS];
    /** choice of the later shrink; NULL: none was requested */
    const struct nereus_prediction *shrink[NEREUS_MAP_GOALS];
    int methods; /**< number of methods that were predicted */
    /** number of methods that tie with the choice (nereus_map_find_ties) */
    int ties[NEREUS_MAP_GOALS];
    struct nereus_method tied_methods[NEREUS_MAP_GOALS]; /**< the nearest of them */
};

/**
 * Set ties and tied of a choice for a goal of the map.
 * @param[in] predictions  `count` predictions of the candidates, ranked for that goal
 */
void nereus_map_find_ties(const struct nereus_map *map, int goal,
                          const struct nereus_prediction *predictions, int count,
                          struct nereus_map_choice *choice);

/** Was a later shrink requested? */
static inline bool nereus_map_has_later_shrink(const struct nereus_map *map)
{
    return map->goal_settings->later_shrink > 0;
}

/** Print the text before the first row, and after the last one. */
void nereus_map_print_head(const struct nereus_map *map, const struct nereus_question *first,
                           FILE *stream);
void nereus_map_print_tail(const struct nereus_map *map, FILE *stream);

/** Print one row: a choice for each of map->nt. */
void nereus_map_print_row(const struct nereus_map *map, int64_t ns,
                          const struct nereus_map_choice *choices, FILE *stream);

/** Counts of a map. */
struct nereus_map_result {
    int64_t pairs, without_method, oversubscribed;
    int64_t no_expansion; /**< pairs that a later shrink cannot follow */
    int interrupted;      /**< number of the signal; 0: none */
};

/**
 * Print all rows in order. map->threads rows are computed at once, and memory is needed for a few
 * rows only. Progress goes to stderr.
 * @return NEREUS_ERR_ARGUMENT before anything is printed, for an impossible pair;
 *     NEREUS_ERR_MEMORY; NEREUS_ERR_IO
 */
enum nereus_status nereus_map_run(const struct nereus_map *map, FILE *stream,
                                  struct nereus_map_result *result, struct nereus_error *err);
