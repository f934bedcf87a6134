/**
 * @file chart.h
 * Describes charts as data: panels of marks in the units of their axes, a legend, notes. One
 * function lays them out and turns them into shapes, with all text measured, so that no text is cut
 * off.
 *
 *     struct nereus_chart chart;
 *     nereus_chart_init(&chart, 1);
 *     struct nereus_panel *panel = &chart.panels[0];
 *     nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "RT");
 *     nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
 *     nereus_axis_set_name(&panel->y, "merge/coll", NULL);
 *     nereus_panel_add_area(panel, nereus_box_make(0, 0.1, 0.35, 0.9), style, NULL, NULL);
 *     nereus_chart_draw(&chart, 0, 0, &drawing, &err);
 *     nereus_chart_fini(&chart);
 *
 * Bars, stacked bars, Gantt charts and maps are areas; results over time are segments and points;
 * measurements are points with intervals.
 */
#pragma once

#include "axis.h"
#include "predictor/picture/picture.h"

enum nereus_mark_kind {
    NEREUS_MARK_AREA,     /**< from (x0, y0) to (x1, y1); a text in it where it has room */
    NEREUS_MARK_SEGMENT,  /**< a line from (x0, y0) to (x1, y1) */
    NEREUS_MARK_INTERVAL, /**< an interval with a bar at each end */
    NEREUS_MARK_POINT     /**< a symbol at (x0, y0) */
};

/** Corners of an area or ends of a line, in the units of the axes. */
struct nereus_box {
    double x0, y0, x1, y1;
};
static inline struct nereus_box nereus_box_make(double x0, double y0, double x1, double y1)
{
    return (struct nereus_box){x0, y0, x1, y1};
}

struct nereus_style {
    enum nereus_ink ink;
    enum nereus_ink hatch; /**< areas: ink of the hatching; NEREUS_INK_NONE: none */
    bool frame;            /**< areas: with an outline */
    bool small;            /**< points: half as large */
    bool dashed;
    enum nereus_symbol symbol;
};

struct nereus_mark {
    enum nereus_mark_kind kind;
    struct nereus_box box;
    struct nereus_style style;
    char *text; /**< owned; NULL: none */
    char *hint; /**< text shown when the mouse pointer is over the mark; owned; NULL: none */
};

struct nereus_panel {
    char title[128];
    struct nereus_axis x, y; /**< y: names from top to bottom, numbers from bottom to top */
    bool same_rows;          /**< the panel to the left shows the names of y */
    bool grid;               /**< draw lines at the ticks of x, and of y unless it has names */
    double row_height;       /**< height of a name of y in points, if there is room; 0: 22 */
    /** height of a plot without names in points, if there is room; 0: 300 */
    double height;
    struct nereus_mark *marks; /**< owned */
    int64_t mark_count;
    bool no_memory;
};

/** An entry of the legend. */
struct nereus_key {
    enum nereus_mark_kind kind; /**< AREA: a box; else as the mark is drawn */
    struct nereus_style style;
    char text[128];
    char label[16]; /**< text in the box; "": none */
};

enum { NEREUS_PANELS_MAX = 4, NEREUS_KEYS_MAX = 24 };

struct nereus_chart {
    char title[200];
    char description[600]; /**< below the title */
    char note[1200];       /**< below the panels */
    bool stacked; /**< panels above each other, with a common x-axis; false: side by side */
    double width; /**< width if no size is requested; 0: 760 */
    struct nereus_panel panels[NEREUS_PANELS_MAX];
    int panel_count;
    double free_below; /**< height in points that is left free at the bottom, for further shapes */
    struct nereus_key keys[NEREUS_KEYS_MAX];
    int key_count;
};

/** Make a chart with empty panels, whose axes the caller sets. */
void nereus_chart_init(struct nereus_chart *chart, int panels);
void nereus_chart_fini(struct nereus_chart *chart);

/** Append a mark; its axes cover it. Texts are copied; NULL: none. */
void nereus_panel_add_area(struct nereus_panel *panel, struct nereus_box box,
                           struct nereus_style style, const char *text, const char *hint);
void nereus_panel_add_segment(struct nereus_panel *panel, struct nereus_box box,
                              struct nereus_style style);
void nereus_panel_add_interval(struct nereus_panel *panel, struct nereus_box box,
                               struct nereus_style style);
void nereus_panel_add_point(struct nereus_panel *panel, double x, double y,
                            struct nereus_style style, const char *hint);

/**
 * Append an entry to the legend; entries beyond NEREUS_KEYS_MAX are lost.
 * @param label  in its box; may be NULL
 */
void nereus_chart_add_key(struct nereus_chart *chart, enum nereus_mark_kind kind,
                          struct nereus_style style, const char *text, const char *label);

/**
 * Lay out and draw. Sets the final ranges of the axes: once per chart.
 * @param width, height size of the page in points; 0: as the content needs
 * @param[out] drawing   to be ended with nereus_drawing_fini when NEREUS_OK is returned
 * @return NEREUS_ERR_ARGUMENT for a size in which not everything can be read, with one that would
 *     do; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_chart_draw(struct nereus_chart *chart, double width, double height,
                                     struct nereus_drawing *drawing, struct nereus_error *err);

/**
 * Draw in the size of the settings, write, and end the chart.
 * @return as nereus_chart_draw and nereus_picture_write
 */
enum nereus_status nereus_chart_write(struct nereus_chart *chart,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err);
