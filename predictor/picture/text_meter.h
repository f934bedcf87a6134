/** @file text_meter.h  Measures the widths of texts in the sans-serif font of pictures. Private to
 * drawing.c and painted_with_cairo.c. */
#pragma once

#include "model/util/base.h"

struct nereus_meter;

struct _cairo; /* cairo_t */

/** Have cairo place glyphs without rounding to pixels, so that a text is as wide on each surface as
 * it was measured. Only where there is cairo. */
void nereus_meter_set_metrics(struct _cairo *cr);

/** @return NULL: no memory; widths are then 0 */
struct nereus_meter *nereus_meter_new(void);
void nereus_meter_free(struct nereus_meter *meter);
/** @param[in] text  valid UTF-8 */
double nereus_meter_width(struct nereus_meter *meter, double size, bool bold, const char *text);
