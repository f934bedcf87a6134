/**
 * @file bound.h
 * A figure, what it has to reach, and what is aimed at.
 */
#pragma once

#include <stdbool.h>

/** Print a figure with its aim, and note whether it lies between the bounds.
 * @param aim  text, as "85 to 97" */
void bound_check(const char *figure, double value, double min, double max, const char *aim);

/** Have all figures been within their bounds so far? */
bool bound_all_held(void);
