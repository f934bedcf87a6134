/** @file painted_without_cairo.c  Replaces painted_with_cairo.c in a build without cairo, whose
 * pictures are SVG and HTML only. */
#include "surface.h"

const struct nereus_surface nereus_surface_pdf = {".pdf", NULL};
const struct nereus_surface nereus_surface_png = {".png", NULL};
