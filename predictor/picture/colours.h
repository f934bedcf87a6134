/**
 * @file colours.h
 * Lists the colours of pictures by their use, each for a light and for a dark page.
 */
#pragma once

#include "model/util/base.h"

enum { NEREUS_SERIES_COUNT = 8, NEREUS_SHADE_COUNT = 10 };

enum nereus_ink {
    NEREUS_INK_NONE, /**< nothing is drawn */
    NEREUS_INK_PAGE,
    NEREUS_INK_TEXT,
    NEREUS_INK_MUTED, /**< axes, less important text */
    NEREUS_INK_GRID,
    NEREUS_INK_EMPTY, /**< a cell without a value */
    NEREUS_INK_BLACK, /**< on a light fill, on both pages */
    NEREUS_INK_WHITE, /**< on a dark fill, on both pages */
    /** Okabe and Ito (2008): distinguishable with any of the common colour blindnesses */
    NEREUS_INK_SERIES,
    /** cividis (Nunez et al. (2018)), from dark to bright, so that it is ordered without colours,
     * too */
    NEREUS_INK_SHADE = NEREUS_INK_SERIES + NEREUS_SERIES_COUNT,
    NEREUS_INK_COUNT = NEREUS_INK_SHADE + NEREUS_SHADE_COUNT
};

/** @return colour of an ink, 0xRRGGBB */
unsigned nereus_ink_rgb(enum nereus_ink ink, bool dark);

/** @return ink of series i; all from the last one on share its ink */
enum nereus_ink nereus_ink_series(int i);
/** @return ink of class i of `count`, from dark to bright */
enum nereus_ink nereus_ink_shade(int i, int count);
/** @return black or white, whichever has more contrast on this ink; the text ink on inks of the
 * page */
enum nereus_ink nereus_ink_on(enum nereus_ink ink);
