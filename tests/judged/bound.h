/**
 * @file bound.h
 * A figure, what it has to reach, and what is aimed at.
 */
#pragma once

#include <stdbool.h>

/** Print a line and note whether the figure lies between the bounds. aim: what is strived for, in
 * words. */
void bound_hold(const char *figure, double value, double min, double max, const char *aim);

/** Have all figures been within their bounds so far? */
bool bound_all_held(void);
