/** @file comparison_picture.h  Predicted against measured RT as a picture. */
#ifndef NEREUS_COMPARISON_PICTURE_H
#define NEREUS_COMPARISON_PICTURE_H

#include "model/judge/comparison.h"
#include "predictor/picture/picture.h"

/**
 * Draw a point for each comparison that was measured, with the predicted interval and the range of
 * the repeats, on logarithmic axes.
 * @return as nereus_chart_draw and nereus_picture_write
 */
enum nereus_status nereus_comparisons_draw(const struct nereus_comparison *comparisons, int count,
                                           const char *cluster,
                                           const struct nereus_picture_settings *settings,
                                           struct nereus_error *err);

#endif
