/** @file strings.c  Appends strings to a list that owns copies of them. */
#include "strings.h"

void nereus_strings_add_owned(struct nereus_strings *strings, char *word)
{
    char **words = word == NULL
                       ? NULL
                       : realloc(strings->words, (strings->count + 2) * sizeof *strings->words);
    if (words == NULL) {
        strings->broken = true;
        free(word);
        return;
    }
    strings->words = words;
    words[strings->count++] = word;
    words[strings->count] = NULL;
}

void nereus_strings_add(struct nereus_strings *strings, const char *word)
{
    nereus_strings_add_owned(strings, strdup(word));
}

void nereus_strings_free(char **words)
{
    for (char **word = words; word != NULL && *word != NULL; word++)
        free(*word);
    free(words);
}
