/** @file text.c  Copies that end at a whole character. */
#include "text.h"

#include <string.h>
#include <strings.h>

char *nereus_text_copy(const char *value, char *text, size_t bytes)
{
    size_t length = value != NULL ? strlen(value) : 0;
    if (length >= bytes) {
        length = bytes - 1;
        while (length > 0 && ((unsigned char)value[length] & 0xc0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(text, value, length);
    text[length] = '\0';
    return text;
}

bool nereus_text_has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), own = strlen(ending);
    return length > own && path[length - own - 1] != '/' &&
           strcasecmp(path + length - own, ending) == 0;
}
