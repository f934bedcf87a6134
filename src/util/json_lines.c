/**
 * @file json_lines.c
 * One write per line, so that lines of several jobs in one file stay whole; a failure is reported
 * once per file.
 */
#include "json_lines.h"

#include "error.h"
#include "model/util/file.h"
#include "model/util/json_make.h"

struct nereus_unwritten nereus_unwritten;

void nereus_lines_append(const char *path, const char *what, const char *text, bool *reported)
{
    errno = ENOMEM; /* the error for a text that is NULL */
    const bool written = text != NULL && nereus_file_append(path, text, strlen(text));
    if (!written && !*reported)
        nereus_log("the %s cannot be written to '%s': %s", what, path, strerror(errno));
    *reported = *reported || !written;
}

void nereus_json_line_append(const char *path, const char *what, json_t *line, bool *reported)
{
    char *text = nereus_json_line(line);
    nereus_lines_append(path, what, text, reported);
    free(text);
}
