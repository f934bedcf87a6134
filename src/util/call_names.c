/**
 * @file call_names.c
 * Translates the names of C in messages where these leave the library.
 */
#include "call_names.h"

/* pairs; NULL: the names of C. Never freed: messages are written until the program ends */
static char **call_names;

/* Copies the names: the caller's memory may be freed with its interpreter. */
void nereus_set_call_names(const char *const *pairs)
{
    size_t count = 0;
    while (pairs != NULL && pairs[count] != NULL)
        count++;
    call_names = count > 0 ? calloc(count + 1, sizeof *call_names) : NULL;
    for (size_t i = 0; call_names != NULL && i < count; i++)
        call_names[i] = strdup(pairs[i]); /* without memory the list ends here */
}

static const char *find_other_name(const char *word, size_t length)
{
    for (char *const *pair = call_names; pair[0] != NULL; pair += 2)
        if (strlen(pair[0]) == length && strncmp(pair[0], word, length) == 0)
            return pair[1];
    return NULL;
}

void nereus_replace_call_names(char *text, size_t capacity)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    char *word = call_names != NULL ? strstr(text, "nereus_") : NULL;
    while (word != NULL) {
        const size_t length = strspn(word, letters);
        const char *other = find_other_name(word, length);
        char *after = word + length;
        if (other != NULL) {
            char *rest = strdup(after);
            const size_t left = capacity - (size_t)(word - text);
            if (rest == NULL)
                return;
            snprintf(word, left, "%s%s", other, rest);
            free(rest);
            after = word + (strlen(other) < left ? strlen(other) : left - 1);
        }
        word = strstr(after, "nereus_");
    }
}
