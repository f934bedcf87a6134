/** @file painted_with_cairo.c  Paints a drawing by cairo, as PDF and PNG. */
#include <cairo-pdf.h>
#include <cairo.h>

#include "surface.h"
#include "text_meter.h"

static const double pixels_per_point = 2;

static void set_ink(cairo_t *cr, enum nereus_ink ink)
{
    const unsigned rgb = nereus_ink_rgb(ink, false);
    cairo_set_source_rgb(cr, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

/* Fill and stroke the current path. */
static void paint_path(cairo_t *cr, const struct nereus_paint *paint)
{
    static const double dashes[] = {4, 3};
    if (paint->fill != NEREUS_INK_NONE) {
        set_ink(cr, paint->fill);
        cairo_fill_preserve(cr);
    }
    if (paint->stroke != NEREUS_INK_NONE) {
        set_ink(cr, paint->stroke);
        cairo_set_line_width(cr, paint->line > 0 ? paint->line : 1);
        cairo_set_dash(cr, dashes, paint->dashed ? 2 : 0, 0);
        cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

/* Lines x + y = constant, the same ones for all rectangles of a picture. */
static void paint_hatch(cairo_t *cr, const struct nereus_shape *shape)
{
    const double step = NEREUS_HATCH_STEP * sqrt(2),
                 end = shape->x + shape->width + shape->y + shape->height;
    cairo_save(cr);
    cairo_rectangle(cr, shape->x, shape->y, shape->width, shape->height);
    cairo_clip(cr);
    set_ink(cr, shape->paint.hatch);
    cairo_set_line_width(cr, NEREUS_HATCH_LINE);
    cairo_set_dash(cr, NULL, 0, 0);
    for (double sum = step * floor((shape->x + shape->y) / step); sum <= end; sum += step) {
        cairo_move_to(cr, sum - shape->y, shape->y);
        cairo_line_to(cr, sum - shape->y - shape->height, shape->y + shape->height);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}

static void paint_rect(cairo_t *cr, const struct nereus_shape *shape)
{
    const struct nereus_paint fill = {.fill = shape->paint.fill};
    struct nereus_paint frame = shape->paint;
    frame.fill = NEREUS_INK_NONE;
    cairo_rectangle(cr, shape->x, shape->y, shape->width, shape->height);
    if (frame.stroke == NEREUS_INK_NONE) /* no seams between neighbours */
        cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
    paint_path(cr, &fill);
    cairo_set_antialias(cr, CAIRO_ANTIALIAS_DEFAULT);
    if (shape->paint.hatch != NEREUS_INK_NONE)
        paint_hatch(cr, shape);
    cairo_rectangle(cr, shape->x, shape->y, shape->width, shape->height);
    paint_path(cr, &frame);
}

static void paint_point(cairo_t *cr, const struct nereus_shape *shape)
{
    double corners[4][2];
    const int count = nereus_symbol_corners(shape->symbol, corners);
    cairo_new_path(cr);
    for (int i = 0; i < count; i++) {
        cairo_line_to(cr, shape->x + shape->width * corners[i][0],
                      shape->y + shape->width * corners[i][1]);
    }
    if (count == 0)
        cairo_arc(cr, shape->x, shape->y, shape->width, 0, 2 * M_PI);
    cairo_close_path(cr);
    paint_path(cr, &shape->paint);
}

static void paint_text(cairo_t *cr, const struct nereus_shape *shape)
{
    const struct nereus_font *font = &shape->font;
    const double offset = font->anchor == NEREUS_ANCHOR_LEFT     ? 0
                          : font->anchor == NEREUS_ANCHOR_MIDDLE ? shape->width / 2
                                                                 : shape->width;
    cairo_save(cr);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, font->size);
    set_ink(cr, font->ink);
    cairo_translate(cr, shape->x, shape->y);
    if (font->upwards)
        cairo_rotate(cr, -M_PI / 2);
    cairo_move_to(cr, -offset, 0);
    cairo_show_text(cr, shape->text);
    cairo_restore(cr);
}

static void paint_drawing(cairo_t *cr, const struct nereus_drawing *drawing)
{
    set_ink(cr, NEREUS_INK_PAGE);
    cairo_paint(cr);
    nereus_meter_set_metrics(cr);
    for (int64_t i = 0; i < drawing->count; i++) {
        const struct nereus_shape *shape = &drawing->shapes[i];
        switch (shape->kind) {
        case NEREUS_SHAPE_RECT:
            paint_rect(cr, shape);
            break;
        case NEREUS_SHAPE_LINE:
            cairo_move_to(cr, shape->x, shape->y);
            cairo_line_to(cr, shape->x + shape->width, shape->y + shape->height);
            paint_path(cr, &shape->paint);
            break;
        case NEREUS_SHAPE_POINT:
            paint_point(cr, shape);
            break;
        case NEREUS_SHAPE_TEXT:
            paint_text(cr, shape);
            break;
        }
    }
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

/* Finish and destroy the surface.
 * @return NULL, or the error */
static const char *finish_surface(cairo_surface_t *surface, cairo_status_t status)
{
    cairo_surface_finish(surface);
    status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

static const char *write_pdf_file(const struct nereus_drawing *drawing, const char *title,
                                  FILE *stream)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(write_bytes, stream, drawing->width, drawing->height);
    char *repaired = nereus_text_repair(title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
                                   repaired != NULL ? repaired : "");
    free(repaired);
    cairo_t *cr = cairo_create(surface);
    paint_drawing(cr, drawing);
    const cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return finish_surface(surface, status);
}

static const char *write_png_file(const struct nereus_drawing *drawing, const char *title,
                                  FILE *stream)
{
    (void)title;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(pixels_per_point * drawing->width),
                                   (int)ceil(pixels_per_point * drawing->height));
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, pixels_per_point, pixels_per_point);
    paint_drawing(cr, drawing);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, write_bytes, stream);
    return finish_surface(surface, status);
}

const struct nereus_surface nereus_surface_pdf = {".pdf", write_pdf_file};
const struct nereus_surface nereus_surface_png = {".png", write_png_file};
