/** @file drawing.c  Builds the list of shapes of a picture, and measures the widths of its texts.
 */
#include "drawing.h"

#include "text_meter.h"

static const double default_font_size = 11;

void nereus_drawing_init(struct nereus_drawing *drawing, double width, double height)
{
    *drawing = (struct nereus_drawing){.width = width, .height = height};
}

void nereus_drawing_fini(struct nereus_drawing *drawing)
{
    for (int64_t i = 0; i < drawing->count; i++)
        free(drawing->shapes[i].text);
    free(drawing->shapes);
    nereus_meter_free(drawing->meter);
    *drawing = (struct nereus_drawing){.width = 0};
}

/* Append a shape with a copy of its text, repaired to UTF-8: cairo stops drawing at an invalid
 * text. */
static void add_shape(struct nereus_drawing *drawing, struct nereus_shape shape, const char *text)
{
    struct nereus_shape *grown = nereus_grow(drawing->shapes, drawing->count, sizeof *grown);
    if (grown == NULL) {
        drawing->no_memory = true;
        return;
    }
    shape.text = text != NULL ? nereus_text_repair(text) : NULL;
    drawing->no_memory = drawing->no_memory || (text != NULL && shape.text == NULL);
    drawing->shapes = grown;
    drawing->shapes[drawing->count++] = shape;
}

void nereus_draw_rect(struct nereus_drawing *drawing, struct nereus_rect rect,
                      struct nereus_paint paint, const char *hint)
{
    add_shape(drawing,
              (struct nereus_shape){.kind = NEREUS_SHAPE_RECT,
                                    .x = rect.x,
                                    .y = rect.y,
                                    .width = rect.width,
                                    .height = rect.height,
                                    .paint = paint},
              hint);
}

void nereus_draw_line(struct nereus_drawing *drawing, double x0, double y0, double x1, double y1,
                      struct nereus_paint paint)
{
    add_shape(drawing,
              (struct nereus_shape){.kind = NEREUS_SHAPE_LINE,
                                    .x = x0,
                                    .y = y0,
                                    .width = x1 - x0,
                                    .height = y1 - y0,
                                    .paint = paint},
              NULL);
}

void nereus_draw_point(struct nereus_drawing *drawing, struct nereus_position position,
                       double radius, enum nereus_symbol symbol, struct nereus_paint paint,
                       const char *hint)
{
    add_shape(drawing,
              (struct nereus_shape){.kind = NEREUS_SHAPE_POINT,
                                    .x = position.x,
                                    .y = position.y,
                                    .width = radius,
                                    .symbol = symbol,
                                    .paint = paint},
              hint);
}

static struct nereus_font set_defaults(struct nereus_font font)
{
    font.size = font.size > 0 ? font.size : default_font_size;
    font.ink = font.ink != NEREUS_INK_NONE ? font.ink : NEREUS_INK_TEXT;
    return font;
}

double nereus_text_width(struct nereus_drawing *drawing, struct nereus_font font, const char *text)
{
    char *repaired = nereus_text_is_utf8(text) ? NULL : nereus_text_repair(text);
    if (drawing->meter == NULL)
        drawing->meter = nereus_meter_new();
    font = set_defaults(font);
    const double width = nereus_meter_width(drawing->meter, font.size, font.bold,
                                            repaired != NULL ? repaired : text);
    free(repaired);
    return width;
}

double nereus_line_height(struct nereus_font font)
{
    return 1.35 * set_defaults(font).size;
}

double nereus_draw_text(struct nereus_drawing *drawing, double x, double y, struct nereus_font font,
                        const char *text)
{
    const double width = nereus_text_width(drawing, font, text);
    add_shape(
        drawing,
        (struct nereus_shape){
            .kind = NEREUS_SHAPE_TEXT, .x = x, .y = y, .width = width, .font = set_defaults(font)},
        text);
    return width;
}

/* @return number of bytes of the text that fit into a line: up to a space if one fits, else whole
 * characters */
static size_t count_fitting_bytes(struct nereus_drawing *drawing, struct nereus_font font,
                                  double width, const char *text)
{
    char line[256];
    size_t broken = 0, length = 0;
    for (size_t i = 1; i < sizeof line - 1 && text[i - 1] != '\0'; i++) {
        if (((unsigned char)text[i] & 0xc0) == 0x80)
            continue; /* within a character */
        memcpy(line, text, i);
        line[i] = '\0';
        if (nereus_text_width(drawing, font, line) > width && length > 0)
            return broken > 0 ? broken : length;
        length = i;
        broken = text[i] == ' ' || text[i] == '\0' ? i : broken;
    }
    return length;
}

double nereus_draw_paragraph(struct nereus_drawing *drawing, struct nereus_position position,
                             double width, struct nereus_font font, const char *text,
                             bool measure_only)
{
    const double line_height = nereus_line_height(font);
    double height = 0;
    while (*text != '\0') {
        char line[256];
        const size_t length = count_fitting_bytes(drawing, font, width, text);
        memcpy(line, text, length);
        line[length] = '\0';
        height += line_height;
        if (!measure_only)
            nereus_draw_text(drawing, position.x, position.y + height - 0.3 * line_height, font,
                             line);
        text += length;
        text += strspn(text, " ");
    }
    return height;
}

void nereus_drawing_append(struct nereus_drawing *drawing, const struct nereus_drawing *other,
                           double x, double y, double scale)
{
    drawing->no_memory = drawing->no_memory || other->no_memory;
    for (int64_t i = 0; i < other->count; i++) {
        struct nereus_shape shape = other->shapes[i];
        shape.x = x + scale * shape.x;
        shape.y = y + scale * shape.y;
        shape.width *= scale;
        shape.height *= scale;
        shape.font.size *= scale;
        shape.paint.line *= scale;
        add_shape(drawing, shape, shape.text);
    }
}
