/** @file check.c  Formats the messages of the checks, which begin with file and line. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum nereus_status sam_check_fail(const struct sam_check *c, int line, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line > 0)
        return nereus_fail(c->err, NEREUS_ERR_PARSE, "%.200s:%d: %s", c->file, line, what);
    return nereus_fail(c->err, NEREUS_ERR_PARSE, "%.200s: %s", c->file, what);
}

void sam_check_note(const struct sam_check *c, int line, const char *what)
{
    char *notes = c->config->notes;
    size_t used = strlen(notes);
    snprintf(notes + used, sizeof c->config->notes - used, "%.200s:%d: %s\n", c->file, line, what);
}
