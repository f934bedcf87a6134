/** @file text_meter_with_cairo.c  Measures the widths of texts in the font that cairo finds. */
#include <cairo.h>

#include "text_meter.h"

struct nereus_meter {
    cairo_t *cr;
    double size; /* size to which the font is set */
    bool bold;
};

void nereus_meter_set_metrics(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

struct nereus_meter *nereus_meter_new(void)
{
    struct nereus_meter *meter = calloc(1, sizeof *meter);
    if (meter == NULL)
        return NULL;
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    meter->cr = cairo_create(surface);
    cairo_surface_destroy(surface);
    nereus_meter_set_metrics(meter->cr);
    return meter;
}

void nereus_meter_free(struct nereus_meter *meter)
{
    if (meter != NULL)
        cairo_destroy(meter->cr);
    free(meter);
}

double nereus_meter_width(struct nereus_meter *meter, double size, bool bold, const char *text)
{
    cairo_text_extents_t extents;
    if (meter == NULL)
        return 0;
    if (meter->size != size || meter->bold != bold) {
        cairo_select_font_face(meter->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                               bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(meter->cr, size);
        meter->size = size;
        meter->bold = bold;
    }
    cairo_text_extents(meter->cr, text, &extents);
    return extents.x_advance;
}
