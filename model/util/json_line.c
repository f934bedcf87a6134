#include "json_line.h"

#include <stdlib.h>
#include <string.h>

#include "json_make.h"

char *nereus_json_line(json_t *line)
{
    char *text = nereus_json_dump(line, JSON_COMPACT);
    const size_t length = text != NULL ? strlen(text) : 0;
    char *whole = text != NULL ? realloc(text, length + 2) : NULL;
    if (whole != NULL)
        memcpy(whole + length, "\n", 2);
    else
        free(text);
    json_decref(line);
    return whole;
}
