/**
 * @file map.h
 * The best methods of many pairs of sizes: a row per NS is one piece of work, done by several threads, printed in order.
 */
#ifndef NEREUS_MAP_H
#define NEREUS_MAP_H

#include <stdio.h>

#include "answer.h"
#include "output.h"
#include "ranges.h"

/** Both goals, or one of them. */
enum nereus_map_goals { NEREUS_MAP_BOTH, NEREUS_MAP_APPLICATION, NEREUS_MAP_SYSTEM };

struct nereus_map {
    const struct nereus_profile *profile;
    const struct nereus_settings *scenario; /**< without sizes */
    const struct nereus_methods *methods;
    struct nereus_ranking ranking;
    struct nereus_sizes ns, nt;
    enum nereus_map_goals goals;
    enum nereus_format format;
    int threads;
};

/** The choice of a goal for a pair; NULL: no method can be predicted. */
struct nereus_map_choice {
    const struct nereus_prediction *application, *system;
    int methods; /**< that were predicted */
};

/** A text that grows. */
struct nereus_map_text {
    char *text;
    size_t length, room;
    bool no_memory;
};

/** What is printed before the first row and after the last one. */
void nereus_map_print_head(const struct nereus_map *map, const struct nereus_question *first, FILE *stream);
void nereus_map_print_tail(const struct nereus_map *map, FILE *stream);

/** The text of one row, of choices for each of map->nt. */
void nereus_map_print_row(const struct nereus_map *map, int64_t ns, const struct nereus_map_choice *choices,
                          struct nereus_map_text *text);

/** What came of it. */
struct nereus_map_result {
    int64_t pairs, without_method, oversubscribed;
    int interrupted; /**< the signal, or 0 */
};

/**
 * All rows, in order, to the stream; as much as map->threads rows at once, memory for a few of them. Progress goes to stderr.
 * @return NEREUS_ERR_ARGUMENT before anything is printed, where a pair is not possible; NEREUS_ERR_MEMORY; NEREUS_ERR_IO
 */
enum nereus_status nereus_map_run(const struct nereus_map *map, FILE *stream,
                                  struct nereus_map_result *result, struct nereus_error *err);

#endif
