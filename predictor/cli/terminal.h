/** @file terminal.h  Finds the properties of a terminal: its size, colours, characters beyond
 * ASCII. */
#pragma once

#include "model/util/base.h"

/** Choices of a --color option: auto, always, never. */
extern const char *const nereus_colour_choices[];
enum nereus_colour_choice { NEREUS_COLOUR_AUTO, NEREUS_COLOUR_ALWAYS, NEREUS_COLOUR_NEVER };
/** Row of an option table for --color; `offset` is that of an int. */
#define NEREUS_COLOUR_OPTION(offset)                                                               \
    {                                                                                              \
        "color", 0, NEREUS_OPTION_CHOICE, "WHEN",                                                  \
            "colours and blocks on a terminal: auto, always or never (auto: if stdout is "         \
            "one that can, and NO_COLOR is not set)",                                              \
            offset, nereus_colour_choices                                                          \
    }

/** Is this descriptor a terminal that understands control sequences (TERM is not dumb)? */
bool nereus_terminal_is_capable(int descriptor);
/** @return width in characters; 80 if it is no terminal or has no known size */
int nereus_terminal_columns(int descriptor);
/** @return height in lines; 24 if it is no terminal or has no known size */
int nereus_terminal_rows(int descriptor);
/** Clear the screen and move the cursor to its upper left corner. */
void nereus_terminal_clear(FILE *stream);

/**
 * Are colours printed to standard output? auto: on a terminal with control sequences, unless
 * NO_COLOR is set and not empty (no-color.org).
 */
bool nereus_terminal_has_colours(int choice);
/** Do the environment's locale variables name UTF-8? */
bool nereus_terminal_is_utf8(void);

/** Set text and background colour (0xRRGGBB) to the nearest of 256 colours; below 0: unchanged.
 * Reset with nereus_terminal_plain. */
void nereus_terminal_paint(FILE *stream, int text, int background);
void nereus_terminal_plain(FILE *stream);
