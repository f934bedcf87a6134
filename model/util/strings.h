/**
 * @file strings.h  A list of strings that grows: a command's words.
 */
#ifndef NEREUS_STRINGS_H
#define NEREUS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

struct nereus_strings {
    char **words; /**< owned, and so are they; NULL-terminated; NULL: none */
    size_t count;
    bool broken; /**< there was no memory for a word */
};

/** Append a string, taking ownership; NULL: it could not be allocated. */
void nereus_strings_take(struct nereus_strings *strings, char *word);
/** Append a copy. */
void nereus_strings_add(struct nereus_strings *strings, const char *word);
/** Free a list and its strings; NULL: nothing. */
void nereus_strings_free(char **words);

#endif
