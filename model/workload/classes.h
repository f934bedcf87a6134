/**
 * @file classes.h
 * Reads classes of applications from an INI file: each has a section, with the options of malleable
 * jobs and its share.
 */
#pragma once

#include "draw.h"

enum { NEREUS_SIM_CLASSES_MAX = 64 };
struct nereus_sim_classes {
    struct nereus_draw_class items[NEREUS_SIM_CLASSES_MAX];
    int32_t count;
};

/** Read the classes.
 * @param defaults  values of missing keys */
enum nereus_status nereus_sim_classes_read(const char *path,
                                           const struct nereus_draw_jobs *defaults,
                                           struct nereus_sim_classes *classes,
                                           struct nereus_error *err);
