/**
 * @file json_make.h
 * Values of JSON documents, which no input can make fail: jansson returns NULL for a text that is
 * not UTF-8 and for a number that is not finite, and what such a NULL is put into is lost. So its
 * json_string, json_real and json_pack are called nowhere else (tests/rooms). Nor are
 * its json_load... and json_dump..., which follow the locale, and print 0.1 with 17 digits.
 */
#ifndef NEREUS_UTIL_JSON_MAKE_H
#define NEREUS_UTIL_JSON_MAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/** @param[in] text  each byte that is not UTF-8 becomes U+FFFD; NULL: null. @return NULL: no memory
 */
json_t *nereus_json_text(const char *text);

/** A number, or null if it is not finite. */
json_t *nereus_json_real(double value);

/** Add a member, whose name may be no UTF-8; takes ownership of `value`. @return -1: no memory */
int nereus_json_set(json_t *object, const char *name, json_t *value);

/**
 * As json_pack, with objects, arrays and the values s, s?, s*, f, i, I, b, n, o, o* and O. Texts and
 * numbers are as nereus_json_text and nereus_json_real have them: s and s? are the same. o takes
 * over its value, and NULL for it is a lack of memory.
 * @return NULL: no memory
 */
json_t *nereus_json_pack(const char *format, ...);

/** As json_loadb and json_dumps, in any locale of the application; a real is written with as few
 * digits as read back as the same value. NULL for NULL. */
json_t *nereus_json_parse(const char *text, size_t length, size_t flags, json_error_t *fault);
char *nereus_json_dump(const json_t *json, size_t flags);

/** The same as lines of a stream, indented; takes over the reference. @return false: none, no
 * memory, or the stream has failed */
bool nereus_json_write(json_t *document, FILE *stream);

/** Print a text with its quotes, into a document that is printed without jansson. */
void nereus_json_text_print(FILE *stream, const char *text);

#endif
