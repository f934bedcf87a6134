/**
 * @file figures.h
 * Writes several pictures into one file: below each other on a web page, where each has a form for
 * a wide window and one for a phone, or as one picture in the other formats.
 */
#pragma once

#include "chart.h"

/** Width of the form for phones, in points. */
#define NEREUS_FIGURE_NARROW 366.0

struct nereus_figure {
    char name[32]; /**< the element's id in a page: letters, digits, - */
    char title[200];
    struct nereus_drawing wide_drawing, narrow_drawing; /**< narrow: drawn for web pages only */
};

/** Fill a chart; called once for each form. */
typedef enum nereus_status nereus_figure_fill(void *user, struct nereus_chart *chart,
                                              struct nereus_error *err);

/**
 * Draw both forms.
 * @param[out] figure  to be ended with nereus_figure_fini, on NEREUS_OK
 */
enum nereus_status nereus_figure_draw(const char *name, nereus_figure_fill *fill, void *user,
                                      struct nereus_figure *figure, struct nereus_error *err);
void nereus_figure_fini(struct nereus_figure *figure);

/**
 * Write all figures; the file is replaced as a whole or not at all.
 * @return as nereus_picture_write
 */
enum nereus_status nereus_figures_write(const struct nereus_picture_settings *settings,
                                        const struct nereus_figure *figures, int count,
                                        const char *title, struct nereus_error *err);
