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

void nereus_strings_add_format(struct nereus_strings *strings, const char *format, ...)
{
    char *word = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    nereus_strings_add_owned(strings, length < 0 ? NULL : word);
}

void nereus_strings_free(char **words)
{
    for (char **word = words; word != NULL && *word != NULL; word++)
        free(*word);
    free(words);
}

char *const *nereus_strings_add_words(struct nereus_strings *strings, char *const *words,
                                      size_t count)
{
    for (; count > 0 && *words != NULL; count--)
        nereus_strings_add(strings, *words++);
    return words;
}

char **nereus_strings_take(struct nereus_strings *strings)
{
    if (!strings->broken)
        return strings->words;
    nereus_strings_free(strings->words); /* never return an incomplete list */
    return NULL;
}
