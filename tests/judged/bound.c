/** @file bound.c  Figures and their bounds. */
#include "bound.h"

#include <math.h>
#include <stdio.h>

static int broken;

void bound_check(const char *figure, double value, double min, double max, const char *aim)
{
    const bool held = value >= min && value <= max;
    broken += !held;
    printf("  %-52s %8.2f  must be %g to %g  (aim: %s)%s\n", figure, value, min, max, aim,
           held ? "" : "  NOT HELD");
}

bool bound_all_held(void)
{
    return broken == 0;
}
