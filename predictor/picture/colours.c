/** @file colours.c  Holds the palettes of pictures, and finds a colour by its use. */
#include "colours.h"

static const struct {
    unsigned light, dark;
} inks[NEREUS_INK_COUNT] = {
    [NEREUS_INK_PAGE] = {0xffffff, 0x15181c},
    [NEREUS_INK_TEXT] = {0x1c1f24, 0xe6e8eb},
    [NEREUS_INK_MUTED] = {0x565d67, 0xa9b1bb},
    [NEREUS_INK_GRID] = {0xdde1e6, 0x353b43},
    [NEREUS_INK_EMPTY] = {0xeff1f3, 0x24282e},
    [NEREUS_INK_BLACK] = {0x000000, 0x000000},
    [NEREUS_INK_WHITE] = {0xffffff, 0xffffff},
    [NEREUS_INK_SERIES] = {0x0072b2, 0x0072b2},     /* blue */
    [NEREUS_INK_SERIES + 1] = {0xe69f00, 0xe69f00}, /* orange */
    [NEREUS_INK_SERIES + 2] = {0x009e73, 0x009e73}, /* bluish green */
    [NEREUS_INK_SERIES + 3] = {0xd55e00, 0xd55e00}, /* vermillion */
    [NEREUS_INK_SERIES + 4] = {0x56b4e9, 0x56b4e9}, /* sky blue */
    [NEREUS_INK_SERIES + 5] = {0xcc79a7, 0xcc79a7}, /* reddish purple */
    [NEREUS_INK_SERIES + 6] = {0xf0e442, 0xf0e442}, /* yellow */
    [NEREUS_INK_SERIES + 7] = {0x6b7078, 0x8b929b}, /* grey, in place of black: all others */
    [NEREUS_INK_SHADE] = {0x00224e, 0x00224e},
    [NEREUS_INK_SHADE + 1] = {0x123570, 0x123570},
    [NEREUS_INK_SHADE + 2] = {0x3b496c, 0x3b496c},
    [NEREUS_INK_SHADE + 3] = {0x575d6d, 0x575d6d},
    [NEREUS_INK_SHADE + 4] = {0x707173, 0x707173},
    [NEREUS_INK_SHADE + 5] = {0x8a8678, 0x8a8678},
    [NEREUS_INK_SHADE + 6] = {0xa59c74, 0xa59c74},
    [NEREUS_INK_SHADE + 7] = {0xc3b369, 0xc3b369},
    [NEREUS_INK_SHADE + 8] = {0xe1cc55, 0xe1cc55},
    [NEREUS_INK_SHADE + 9] = {0xfee838, 0xfee838},
};

unsigned nereus_ink_rgb(enum nereus_ink ink, bool dark)
{
    return dark ? inks[ink].dark : inks[ink].light;
}

enum nereus_ink nereus_ink_series(int i)
{
    return NEREUS_INK_SERIES + (i < NEREUS_SERIES_COUNT - 1 ? i : NEREUS_SERIES_COUNT - 1);
}

enum nereus_ink nereus_ink_shade(int i, int count)
{
    return NEREUS_INK_SHADE + (count > 1 ? (i * (NEREUS_SHADE_COUNT - 1)) / (count - 1) : 0);
}

/* @return relative luminance of sRGB (WCAG 2.1), from 0 to 1 */
static double compute_luminance(unsigned rgb)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double level = (double)(rgb >> (16 - 8 * i) & 255) / 255;
        sum += weights[i] * (level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4));
    }
    return sum;
}

enum nereus_ink nereus_ink_on(enum nereus_ink ink)
{
    /* Here black and white have the same contrast: (x + 0.05) / 0.05 = 1.05 / (x + 0.05). */
    static const double equal_contrast = 0.179;
    if (ink == NEREUS_INK_EMPTY || ink == NEREUS_INK_PAGE)
        return NEREUS_INK_TEXT; /* they are light on one page and dark on the other */
    return compute_luminance(inks[ink].light) > equal_contrast ? NEREUS_INK_BLACK
                                                               : NEREUS_INK_WHITE;
}
