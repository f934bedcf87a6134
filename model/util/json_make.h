/**
 * @file json_make.h
 * Makes JSON from any text and number: jansson returns NULL for a text that is not UTF-8 and a
 * number that is not finite, and a document with such a NULL is lost. So its json_string, json_real
 * and json_pack are called nowhere else (tests/rooms), and neither are json_load... and
 * json_dump..., which depend on the locale and print 0.1 with 17 digits.
 */
#pragma once

#include <jansson.h>

#include "model/util/base.h"
#include "nereus/status.h"

/** Make a text; bytes that are not UTF-8 become U+FFFD. NULL: the value null. */
json_t *nereus_json_text(const char *text);

/** Make a number; the value null for one that is not finite. */
json_t *nereus_json_real(double value);

/** Set a member, and take over `value`; the name need not be UTF-8.
 * @return -1: no memory */
int nereus_json_set(json_t *object, const char *name, json_t *value);

/** As json_pack, with objects, arrays and s, s?, s*, f, i, I, b, n, o, o* and O; texts and numbers
 * as above. o takes over its value.
 * @return NULL: no memory */
json_t *nereus_json_pack(const char *format, ...);

/** As json_loadb and json_dumps, in any locale; reals with as few digits as read back the same. */
json_t *nereus_json_parse(const char *text, size_t length, size_t flags, json_error_t *fault);
char *nereus_json_dump(const json_t *json, size_t flags);

/** Write an indented document to a stream; takes over the document.
 * @return false: no memory, or the stream failed */
bool nereus_json_write(json_t *document, FILE *stream);

/** Replace a file by a document (file.h); takes over the document.
 * @param transient  see struct nereus_file_replace
 * @return NEREUS_ERR_MEMORY, also for no document; NEREUS_ERR_IO */
enum nereus_status nereus_json_replace(const char *path, json_t *document, size_t indent,
                                       bool transient, struct nereus_error *err);

/** Print a document as a line of JSON Lines, with its newline; takes over `line`.
 * @return to be freed; NULL: no document, or no memory */
char *nereus_json_line(json_t *line);

/** Print a text with its quotes, for documents that are printed without jansson. */
void nereus_json_text_print(FILE *stream, const char *text);
