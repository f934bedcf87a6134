/**
 * @file surface.h
 * Lists the formats of pictures: each has a function that writes a drawing, chosen by the ending of
 * the file's name.
 */
#pragma once

#include "drawing.h"

struct nereus_surface {
    const char *ending; /**< ".svg" */
    /** @return NULL, or why it could not be written; errors of the stream need not be reported.
     * Function NULL: built without cairo, which this format needs */
    const char *(*write)(const struct nereus_drawing *drawing, const char *title, FILE *stream);
};

extern const struct nereus_surface nereus_surface_svg, nereus_surface_html; /**< svg.c */
extern const struct nereus_surface nereus_surface_pdf, nereus_surface_png;  /**< painted_*.c */

/** Write the svg element.
 * @param[in] id  begins the ids in it, which are unique in a page */
void nereus_svg_write(const struct nereus_drawing *drawing, const char *title, const char *id,
                      FILE *stream);
/** Write a web page from its first line to the beginning of its body, and write its end. */
void nereus_html_begin(const char *title, FILE *stream);
void nereus_html_end(FILE *stream);

/** Distance and width of the lines of a hatching, in points. */
#define NEREUS_HATCH_STEP 6.0
#define NEREUS_HATCH_LINE 1.6

/** Compute the corners of a symbol with radius 1 around (0, 0).
 * @param[out] corners  room for 4 pairs
 * @return their number; 0: a disc */
int nereus_symbol_corners(enum nereus_symbol symbol, double corners[4][2]);
