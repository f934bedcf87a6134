/** @file text.c  Copies that end at a whole character, and texts that a terminal does not obey. */
#include "text.h"

#include <string.h>

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

char *nereus_text_plain(char *text, char instead)
{
    for (char *c = text; *c != '\0'; c++) {
        const unsigned char first = (unsigned char)c[0], second = (unsigned char)c[1];
        if (first < ' ' || first == 0x7f) {
            c[0] = instead;
        } else if (first == 0xc2 && second >= 0x80 && second < 0xa0) {
            c[0] = c[1] = instead;
        }
    }
    return text;
}
