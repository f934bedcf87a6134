/** @file terminal.c  Finds the properties of a terminal. */
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

const char *const nereus_colour_choices[] = {"auto", "always", "never", NULL};

bool nereus_terminal_is_capable(int descriptor)
{
    const char *terminal = getenv("TERM");
    return isatty(descriptor) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

int nereus_terminal_columns(int descriptor)
{
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

int nereus_terminal_rows(int descriptor)
{
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 4 ? size.ws_row : 24;
}

void nereus_terminal_clear(FILE *stream)
{
    fputs("\033[H\033[2J", stream);
}

bool nereus_terminal_has_colours(int choice)
{
    const char *no_colour = getenv("NO_COLOR");
    if (choice != NEREUS_COLOUR_AUTO)
        return choice == NEREUS_COLOUR_ALWAYS;
    return (no_colour == NULL || no_colour[0] == '\0') && nereus_terminal_is_capable(STDOUT_FILENO);
}

bool nereus_terminal_is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0') /* the first one that is set counts */
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

/* @return the nearest colour of the 6 x 6 x 6 cube, whose levels are 0, 95, 135, ..., 255 */
static int get_256_colour(int rgb)
{
    int index = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int level = rgb >> shift & 255;
        index = 6 * index + (level < 48 ? 0 : level < 115 ? 1 : (level - 35) / 40);
    }
    return 16 + index;
}

void nereus_terminal_paint(FILE *stream, int text, int background)
{
    if (text >= 0)
        fprintf(stream, "\033[38;5;%dm", get_256_colour(text));
    if (background >= 0)
        fprintf(stream, "\033[48;5;%dm", get_256_colour(background));
}

void nereus_terminal_plain(FILE *stream)
{
    fputs("\033[0m", stream);
}
