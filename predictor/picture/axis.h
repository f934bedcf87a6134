/** @file axis.h  Makes axes of charts: they place values, and have ticks with round numbers. */
#pragma once

#include "predictor/picture/drawing.h"

enum nereus_scale {
    NEREUS_SCALE_LINEAR,
    NEREUS_SCALE_LOG,
    NEREUS_SCALE_NAMES /**< name i takes the interval [i, i + 1) */
};

struct nereus_axis {
    char title[96];
    enum nereus_scale scale;
    bool seconds;    /**< ticks get a unit of time */
    bool integers;   /**< ticks at whole numbers only */
    bool every_name; /**< no name may be left out for lack of room */
    /** range of the data (nereus_axis_include), then of the axis; min > max: no data */
    double min, max;
    char **names; /**< owned */
    char **notes; /**< at the opposite side, one per name; owned */
    int64_t name_count;
    bool no_memory;
};

struct nereus_tick {
    double value; /**< value */
    char text[96];
};
enum { NEREUS_TICKS_MAX = 64 };

/** Make an empty axis.
 * @param title  printf format */
void nereus_axis_init(struct nereus_axis *axis, enum nereus_scale scale, const char *title);
void nereus_axis_fini(struct nereus_axis *axis);

/** Append a name (scale NAMES).
 * @param note  NULL: none */
void nereus_axis_set_name(struct nereus_axis *axis, const char *name, const char *note);
/** Widen the range of the data by a value; it is ignored if it is not finite, or not above 0 on a
 * log axis. */
void nereus_axis_include(struct nereus_axis *axis, double value);
/** Widen the range to ticks and choose a unit of time. Call after nereus_axis_include of all
 * data. */
void nereus_axis_finish(struct nereus_axis *axis);

/** @return position of a value: 0 at the least end of the axis, 1 at the other; clamped */
double nereus_axis_position(const struct nereus_axis *axis, double value);

/** Choose the ticks whose texts fit beside each other.
 * @param[in] length  length of the axis in points
 * @param[in] upright  false: texts stand beside each other (x); true: above each other (y)
 * @return how many, at most NEREUS_TICKS_MAX */
int nereus_axis_choose_ticks(const struct nereus_axis *axis, struct nereus_drawing *drawing,
                             struct nereus_font font, double length, bool upright,
                             struct nereus_tick ticks[NEREUS_TICKS_MAX]);

/** @return the least of 1, 2, 5, 10, ... that is at least `rough` */
double nereus_axis_round_up_step(double rough);

/** Print a time: "250 ms", "1.5 s", "0".
 * @return text */
char *nereus_axis_seconds_text(double seconds, char text[32]);
