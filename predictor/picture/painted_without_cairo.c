/** @file painted_without_cairo.c  Built without cairo: pictures are SVG and HTML. */
#include "surface.h"

const struct nereus_surface nereus_surface_pdf = {".pdf", NULL};
const struct nereus_surface nereus_surface_png = {".png", NULL};
