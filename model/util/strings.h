/**
 * @file strings.h
 * Grows a list of strings, for the words of a command.
 */
#pragma once

#include "model/util/base.h"

struct nereus_strings {
    char **words; /**< owned; ends with NULL; NULL: none */
    size_t count;
    bool broken; /**< there was no memory for a word */
};

/** Append a word, which the list then owns; NULL: there was no memory for it. */
void nereus_strings_add_owned(struct nereus_strings *strings, char *word);
void nereus_strings_add(struct nereus_strings *strings, const char *word);
/** Append a word as printf prints it. */
void nereus_strings_add_format(struct nereus_strings *strings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void nereus_strings_free(char **words);
/** Append up to `count` words of a list that ends with NULL.
 * @return the word after them */
char *const *nereus_strings_add_words(struct nereus_strings *strings, char *const *words,
                                      size_t count);
/** @return the words, which the caller then owns; NULL: there was no memory for one */
char **nereus_strings_take(struct nereus_strings *strings);
