/** @file map_cells.h  Keeps the choices of a whole map, for a picture or for a terminal. */
#pragma once

#include "map.h"
#include "predictor/picture/picture.h"

/** Quantity of one method that a map shows. */
enum nereus_map_value {
    NEREUS_MAP_BEST, /**< no quantity: the best method */
    NEREUS_MAP_RT,
    NEREUS_MAP_ALPHA,
    NEREUS_MAP_OMEGA,
    NEREUS_MAP_T_EX
};
extern const char *const nereus_map_value_choices[]; /**< in the order of the enum, from RT on */

/** Choice of one pair with one goal. */
struct nereus_map_cell {
    int16_t method;      /**< index among the map's methods; -1: none is possible */
    int16_t tied_method; /**< the nearest other one within the threshold; -1: none */
    bool measured;
    double value; /**< NAN: none */
};

/** Largest number of sizes of NS, and of NT, that are kept. */
enum { NEREUS_MAP_SIDE_MAX = 1000 };

struct nereus_map_cells {
    enum nereus_map_value value;
    struct nereus_map_cell *items; /**< indexed by NS, NT, goal; owned */
};

/** @return NEREUS_ERR_ARGUMENT for too many sizes; NEREUS_ERR_MEMORY */
enum nereus_status nereus_map_cells_init(const struct nereus_map *map,
                                         struct nereus_map_cells *cells, struct nereus_error *err);
void nereus_map_cells_fini(struct nereus_map_cells *cells);

/** Keep the choices of one row (index of NS). Rows may be kept by several threads. */
void nereus_map_cells_store(const struct nereus_map *map, int64_t row,
                            const struct nereus_map_choice *choices);
struct nereus_map_cell *nereus_map_cell_at(const struct nereus_map *map, int64_t ns_index,
                                           int64_t nt_index, int goal);

/** Kinds of cells that occur, and the methods that get a colour: the most frequent ones, in the
 * order of the candidates. */
struct nereus_map_colours {
    int shown_methods[NEREUS_SERIES_COUNT];
    int shown_count;
    int other_count; /**< methods beyond these, which share the last colour */
    bool ties, measured, without;
};
/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_map_colours_choose(const struct nereus_map *map,
                                             struct nereus_map_colours *colours,
                                             struct nereus_error *err);
/** @return index of a method among those shown; NEREUS_SERIES_COUNT - 1: one of the others */
int nereus_map_colours_find(const struct nereus_map_colours *colours, int method);

/** Draw the map as a chart with one panel per goal. */
enum nereus_status nereus_map_draw(const struct nereus_map *map,
                                   const struct nereus_question *first,
                                   const struct nereus_picture_settings *settings,
                                   struct nereus_error *err);

/** Print the map as coloured cells; only every n-th size where a line or 50 lines are too few. */
void nereus_map_print_cells(const struct nereus_map *map, FILE *stream);

/** Print for each goal how many pairs each method is best for, the most frequent one first.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_map_print_summary(const struct nereus_map *map, FILE *stream,
                                            struct nereus_error *err);

enum { NEREUS_TIE_TEXT_MAX = 96 };

/** Explain a tie for people: "T_ex is within 1 % of the best one's". @return text */
char *nereus_map_tie_text(const struct nereus_map *map, int goal, char text[NEREUS_TIE_TEXT_MAX]);
