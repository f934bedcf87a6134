/* Appending lines of JSON: see json_lines.h. */
#include "json_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

void nereus_lines_append(const char *path, const char *what, const char *text, bool *said)
{
    FILE *file = text != NULL ? fopen(path, "a") : NULL;
    const bool written = file != NULL && fputs(text, file) >= 0;
    if (!written && !*said)
        nereus_say("the %s cannot be written to '%s': %s", what, path, strerror(errno));
    if (file != NULL && fclose(file) != 0 && written && !*said) {
        nereus_say("the %s '%s' is not complete: %s", what, path, strerror(errno));
        *said = true;
    }
    *said = *said || !written;
}

void nereus_json_line_append(const char *path, const char *what, json_t *line, bool *said)
{
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    const size_t length = text != NULL ? strlen(text) : 0;
    char *whole = realloc(text, length + 2);
    if (text != NULL && whole != NULL)
        memcpy(whole + length, "\n", 2);
    nereus_lines_append(path, what, text != NULL ? whole : NULL, said);
    free(whole != NULL ? whole : text);
    json_decref(line);
}
