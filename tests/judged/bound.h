/**
 * @file bound.h
 * A figure, what it has to reach, and what is aimed at.
 */
#ifndef NEREUS_TESTS_JUDGED_BOUND_H
#define NEREUS_TESTS_JUDGED_BOUND_H

#include <stdbool.h>

/** Print a line and note whether the figure lies between the bounds. aim: what is strived for, in
 * words. */
void bound_hold(const char *figure, double value, double min, double max, const char *aim);

/** Have all figures been within their bounds so far? */
bool bound_all_held(void);

#endif
