/**
 * @file terminal.h
 * What a terminal can show: its width, colours, characters beyond ASCII.
 */
#ifndef NEREUS_TERMINAL_H
#define NEREUS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/** Choices of a --color option: auto, always, never. */
extern const char *const nereus_colour_choices[];
enum nereus_colour_choice { NEREUS_COLOUR_AUTO, NEREUS_COLOUR_ALWAYS, NEREUS_COLOUR_NEVER };
/** The row of an option table for it; `offset` is that of an int. */
#define NEREUS_COLOUR_OPTION(offset)                                                               \
    {                                                                                              \
        "color", 0, NEREUS_OPTION_CHOICE, "WHEN",                                                  \
            "colours and blocks on a terminal: auto, always or never (auto: if stdout is "         \
            "one that can, and NO_COLOR is not set)",                                              \
            offset, nereus_colour_choices                                                          \
    }

/** Is this descriptor a terminal that understands control sequences (TERM is not dumb)? */
bool nereus_terminal_can(int descriptor);
/** Its columns; 80 where it is none or does not say. */
int nereus_terminal_columns(int descriptor);
/** Its rows; 24 where it is none or does not say. */
int nereus_terminal_rows(int descriptor);
/** Begin again in the upper left corner of an empty screen. */
void nereus_terminal_clear(FILE *stream);

/**
 * Colours on standard output? auto: on a terminal that can, unless NO_COLOR is set and not empty
 * (no-color.org).
 */
bool nereus_terminal_colours(int choice);
/** Do the environment's locale variables name UTF-8? */
bool nereus_terminal_is_utf8(void);

/** Switch to a text and a background colour, 0xRRGGBB, by the nearest of 256 colours; text below 0:
 * unchanged. End with nereus_terminal_plain. */
void nereus_terminal_paint(FILE *stream, int text, int background);
void nereus_terminal_plain(FILE *stream);

#endif
