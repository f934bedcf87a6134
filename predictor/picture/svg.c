/**
 * @file svg.c
 * Writes a drawing as SVG, by itself or in a web page that follows the reader's light or dark
 * setting.
 *
 * Texts stay texts, so that they can be searched, read aloud and checked; textLength sets the
 * measured width for any font of the reader. Colours are attributes; in a web page a style sheet
 * replaces them for a dark one.
 */

#include "surface.h"

int nereus_symbol_corners(enum nereus_symbol symbol, double corners[4][2])
{
    static const double square[][2] = {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
                        triangle[][2] = {{0, -1}, {1, 0.9}, {-1, 0.9}},
                        diamond[][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const double(*from)[2] = symbol == NEREUS_SYMBOL_SQUARE     ? square
                             : symbol == NEREUS_SYMBOL_TRIANGLE ? triangle
                                                                : diamond;
    const int count = symbol == NEREUS_SYMBOL_DISC ? 0 : symbol == NEREUS_SYMBOL_TRIANGLE ? 3 : 4;
    for (int i = 0; i < count; i++) {
        corners[i][0] = from[i][0];
        corners[i][1] = from[i][1];
    }
    return count;
}

/* Write a title, which may be no UTF-8, unlike the texts of a drawing. */
static void write_escaped(const char *title, FILE *stream)
{
    char *repaired = nereus_text_repair(title);
    for (const char *text = repaired != NULL ? repaired : ""; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
        }
    }
    free(repaired);
}

static void write_inks(const struct nereus_paint *paint, FILE *stream)
{
    if (paint->fill == NEREUS_INK_NONE)
        fputs(" fill=\"none\"", stream);
    else
        fprintf(stream, " fill=\"#%06x\"", nereus_ink_rgb(paint->fill, false));
    if (paint->stroke != NEREUS_INK_NONE) {
        fprintf(stream, " stroke=\"#%06x\" stroke-width=\"%.4g\"%s",
                nereus_ink_rgb(paint->stroke, false), paint->line > 0 ? paint->line : 1,
                paint->dashed ? " stroke-dasharray=\"4 3\"" : "");
    }
    fprintf(stream, " class=\"f%d s%d\"", paint->fill, paint->stroke);
}

/* Write the end of an element, with its hint. */
static void finish_element(const char *name, const char *hint, FILE *stream)
{
    if (hint == NULL) {
        fputs("/>\n", stream);
        return;
    }
    fputs("><title>", stream);
    write_escaped(hint, stream);
    fprintf(stream, "</title></%s>\n", name);
}

static void write_rect(const struct nereus_shape *shape, const char *id, FILE *stream)
{
    const struct nereus_paint *paint = &shape->paint;
    fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", shape->x,
            shape->y, shape->width, shape->height);
    write_inks(paint, stream);
    if (paint->stroke == NEREUS_INK_NONE) /* no seams between neighbours */
        fputs(" shape-rendering=\"crispEdges\"", stream);
    finish_element("rect", shape->text, stream);
    if (paint->hatch != NEREUS_INK_NONE) {
        fprintf(stream,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#%sh%d)\" "
                "pointer-events=\"none\" class=\"hatch\"/>\n",
                shape->x, shape->y, shape->width, shape->height, id, paint->hatch);
    }
}

static void write_point(const struct nereus_shape *shape, FILE *stream)
{
    double corners[4][2];
    const int count = nereus_symbol_corners(shape->symbol, corners);
    if (count == 0) {
        fprintf(stream, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", shape->x, shape->y,
                shape->width);
    } else {
        fputs("<polygon points=\"", stream);
        for (int i = 0; i < count; i++) {
            fprintf(stream, "%s%.2f,%.2f", i > 0 ? " " : "",
                    shape->x + shape->width * corners[i][0],
                    shape->y + shape->width * corners[i][1]);
        }
        fputc('"', stream);
    }
    write_inks(&shape->paint, stream);
    finish_element(count == 0 ? "circle" : "polygon", shape->text, stream);
}

static void write_text(const struct nereus_shape *shape, FILE *stream)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    const struct nereus_font *font = &shape->font;
    fprintf(stream, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.4g\"%s%s", shape->x, shape->y,
            font->size, anchors[font->anchor], font->bold ? " font-weight=\"bold\"" : "");
    if (font->upwards)
        fprintf(stream, " transform=\"rotate(-90 %.2f %.2f)\"", shape->x, shape->y);
    if (shape->width > 0)
        fprintf(stream, " textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\"", shape->width);
    fprintf(stream, " fill=\"#%06x\" class=\"f%d\">", nereus_ink_rgb(font->ink, false), font->ink);
    write_escaped(shape->text, stream);
    fputs("</text>\n", stream);
}

static void write_shape(const struct nereus_shape *shape, const char *id, FILE *stream)
{
    switch (shape->kind) {
    case NEREUS_SHAPE_RECT:
        write_rect(shape, id, stream);
        break;
    case NEREUS_SHAPE_LINE:
        fprintf(stream, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"", shape->x, shape->y,
                shape->x + shape->width, shape->y + shape->height);
        write_inks(&shape->paint, stream);
        fputs("/>\n", stream);
        break;
    case NEREUS_SHAPE_POINT:
        write_point(shape, stream);
        break;
    case NEREUS_SHAPE_TEXT:
        write_text(shape, stream);
        break;
    }
}

static void write_hatches(const struct nereus_drawing *drawing, const char *id, FILE *stream)
{
    bool used[NEREUS_INK_COUNT] = {false};
    for (int64_t i = 0; i < drawing->count; i++)
        used[drawing->shapes[i].paint.hatch] = true;
    fputs("<defs>\n", stream);
    for (int ink = NEREUS_INK_NONE + 1; ink < NEREUS_INK_COUNT; ink++) {
        if (used[ink]) {
            fprintf(stream,
                    "<pattern id=\"%sh%d\" width=\"%.4g\" height=\"%.4g\" "
                    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                    "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"%.4g\" stroke=\"#%06x\" "
                    "stroke-width=\"%.4g\" class=\"s%d\"/></pattern>\n",
                    id, ink, NEREUS_HATCH_STEP, NEREUS_HATCH_STEP, NEREUS_HATCH_STEP,
                    nereus_ink_rgb(ink, false), 2 * NEREUS_HATCH_LINE, ink);
        }
    }
    fputs("</defs>\n", stream);
}

void nereus_svg_write(const struct nereus_drawing *drawing, const char *title, const char *id,
                      FILE *stream)
{
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2f\" height=\"%.2f\" viewBox=\"0 "
            "0 %.2f %.2f\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<title>",
            drawing->width, drawing->height, drawing->width, drawing->height);
    write_escaped(title, stream);
    fputs("</title>\n", stream);
    write_hatches(drawing, id, stream);
    const struct nereus_shape page = {.kind = NEREUS_SHAPE_RECT,
                                      .width = drawing->width,
                                      .height = drawing->height,
                                      .paint = {.fill = NEREUS_INK_PAGE}};
    write_shape(&page, id, stream);
    for (int64_t i = 0; i < drawing->count; i++)
        write_shape(&drawing->shapes[i], id, stream);
    fputs("</svg>\n", stream);
}

static const char *write_svg_file(const struct nereus_drawing *drawing, const char *title,
                                  FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    nereus_svg_write(drawing, title, "", stream);
    return NULL;
}

void nereus_html_begin(const char *title, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          stream);
    write_escaped(title, stream);
    fprintf(stream,
            "</title>\n<style>\n:root { color-scheme: light dark; }\n"
            "body { margin: 0; background: #%06x; }\n"
            "svg { display: block; margin: 0 auto; max-width: 100%%; height: auto; }\n"
            "figure { margin: 0; }\n.narrow { display: none; }\n"
            "@media (max-width: 700px) { .wide { display: none; } .narrow { display: block; } }\n"
            "@media (prefers-color-scheme: dark) {\nbody { background: #%06x; }\n",
            nereus_ink_rgb(NEREUS_INK_PAGE, false), nereus_ink_rgb(NEREUS_INK_PAGE, true));
    for (int ink = NEREUS_INK_NONE + 1; ink < NEREUS_INK_COUNT; ink++) {
        if (nereus_ink_rgb(ink, true) != nereus_ink_rgb(ink, false)) {
            fprintf(stream, ".f%d { fill: #%06x; } .s%d { stroke: #%06x; }\n", ink,
                    nereus_ink_rgb(ink, true), ink, nereus_ink_rgb(ink, true));
        }
    }
    fputs("}\n</style>\n</head>\n<body>\n", stream);
}

void nereus_html_end(FILE *stream)
{
    fputs("</body>\n</html>\n", stream);
}

static const char *write_html_file(const struct nereus_drawing *drawing, const char *title,
                                   FILE *stream)
{
    nereus_html_begin(title, stream);
    nereus_svg_write(drawing, title, "", stream);
    nereus_html_end(stream);
    return NULL;
}

const struct nereus_surface nereus_surface_svg = {".svg", write_svg_file};
const struct nereus_surface nereus_surface_html = {".html", write_html_file};
