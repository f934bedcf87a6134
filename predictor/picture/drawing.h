/**
 * @file drawing.h
 * Describes a picture as a list of shapes on a page, in points from the upper left corner. Every
 * surface (SVG, HTML, PDF, PNG) shows the same list, and a test can read it.
 */
#pragma once

#include "colours.h"

enum nereus_shape_kind {
    NEREUS_SHAPE_RECT,
    NEREUS_SHAPE_LINE,  /**< from (x, y) to (x + width, y + height) */
    NEREUS_SHAPE_POINT, /**< a symbol around (x, y) with radius width */
    NEREUS_SHAPE_TEXT   /**< (x, y): its anchor, on the baseline; width: as measured */
};

/** Symbols of points, so that series differ not by colour alone. */
enum nereus_symbol {
    NEREUS_SYMBOL_DISC,
    NEREUS_SYMBOL_SQUARE,
    NEREUS_SYMBOL_TRIANGLE,
    NEREUS_SYMBOL_DIAMOND,
    NEREUS_SYMBOL_COUNT
};

enum nereus_anchor { NEREUS_ANCHOR_LEFT, NEREUS_ANCHOR_MIDDLE, NEREUS_ANCHOR_RIGHT };

/** Inks of a shape. */
struct nereus_paint {
    enum nereus_ink fill, stroke;
    enum nereus_ink hatch; /**< rectangles: diagonal lines over the fill */
    double line;           /**< width of the stroke; 0: 1 */
    bool dashed;
};

struct nereus_font {
    double size; /**< 0: 11 */
    bool bold;
    enum nereus_ink ink; /**< NEREUS_INK_NONE: NEREUS_INK_TEXT */
    enum nereus_anchor anchor;
    bool upwards; /**< turned by 90 degrees, as the title of a y-axis */
};

struct nereus_position {
    double x, y;
};
static inline struct nereus_position nereus_position_make(double x, double y)
{
    return (struct nereus_position){x, y};
}

struct nereus_rect {
    double x, y, width, height;
};
static inline struct nereus_rect nereus_rect_make(double x, double y, double width, double height)
{
    return (struct nereus_rect){x, y, width, height};
}

struct nereus_shape {
    enum nereus_shape_kind kind;
    double x, y, width, height;
    struct nereus_paint paint;
    enum nereus_symbol symbol;
    struct nereus_font font;
    /** content of a TEXT; for other shapes the text shown when the mouse pointer is over it, or
     * NULL; owned */
    char *text;
};

struct nereus_drawing {
    double width, height;
    struct nereus_shape *shapes; /**< owned, with their texts */
    int64_t count;
    bool no_memory;             /**< a shape was lost; writing then fails */
    struct nereus_meter *meter; /**< measures text; owned; NULL before the first one */
};

void nereus_drawing_init(struct nereus_drawing *drawing, double width, double height);
void nereus_drawing_fini(struct nereus_drawing *drawing);

/** @param hint  text shown when the mouse pointer is over it; NULL: none */
void nereus_draw_rect(struct nereus_drawing *drawing, struct nereus_rect rect,
                      struct nereus_paint paint, const char *hint);
void nereus_draw_line(struct nereus_drawing *drawing, double x0, double y0, double x1, double y1,
                      struct nereus_paint paint);
void nereus_draw_point(struct nereus_drawing *drawing, struct nereus_position position,
                       double radius, enum nereus_symbol symbol, struct nereus_paint paint,
                       const char *hint);
/** @return the width of the text */
double nereus_draw_text(struct nereus_drawing *drawing, double x, double y, struct nereus_font font,
                        const char *text);

/** @return width of a text as it will be drawn */
double nereus_text_width(struct nereus_drawing *drawing, struct nereus_font font, const char *text);
/** @return distance of lines of text */
double nereus_line_height(struct nereus_font font);
/**
 * Draw a text in as many lines as it needs, broken at spaces; a word that is wider than a line is
 * broken anywhere.
 * @return the height of all lines; draws nothing with `measure_only`
 */
double nereus_draw_paragraph(struct nereus_drawing *drawing, struct nereus_position position,
                             double width, struct nereus_font font, const char *text,
                             bool measure_only);

/** Copy all shapes of another drawing, moved by (x, y) and scaled. */
void nereus_drawing_append(struct nereus_drawing *drawing, const struct nereus_drawing *other,
                           double x, double y, double scale);
