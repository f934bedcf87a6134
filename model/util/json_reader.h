/**
 * @file json_reader.h
 * Reads JSON strictly: unknown and missing keys, types and ranges are errors that name the
 * place. The first error stays and later calls do nothing, so that a reader is a plain list of
 * calls.
 */
#pragma once

#include "model/util/json_make.h"
#include "model/util/text_file.h"
#include "nereus/status.h"

struct nereus_json_reader {
    const char *path; /**< for sentences */
    struct nereus_error *err;
    enum nereus_status status;
    char where[256]; /**< "steps.spawn.": the current object */
};

/** @param[in]  what  the kind of file.
 * @param[out] root  to be released.
 * @return as nereus_file_read; NEREUS_ERR_PARSE: no JSON, or a key stands twice */
enum nereus_status nereus_json_read(const char *path, const char *what, json_t **root,
                                    struct nereus_error *err);

enum nereus_status nereus_json_read_text(struct nereus_text_file *file, json_t **root,
                                         struct nereus_error *err);

bool nereus_json_begins(const char *beginning);

/** Enter a member or an element "name[index]".
 * @return argument of nereus_json_leave */
size_t nereus_json_enter(struct nereus_json_reader *reader, const char *name);
size_t nereus_json_enter_element(struct nereus_json_reader *reader, const char *name, size_t index);
void nereus_json_leave(struct nereus_json_reader *reader, size_t mark);

/** Set the error "PATH: steps.spawn.rows: SENTENCE", printed as printf does, if it is the first. */
void nereus_json_fail(struct nereus_json_reader *reader, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Fail if `memory` is NULL.
 * @return false: this or an earlier call failed */
bool nereus_json_check_memory(struct nereus_json_reader *reader, const void *memory);

/** Is the value an object that has the first `needed` of the known keys, and no unknown key? The
 * message suggests the nearest known key. */
bool nereus_json_check(struct nereus_json_reader *reader, const json_t *json,
                       const char *const *known_words, size_t count, size_t needed);

/** Read members of a checked object; absent members leave the output. Numbers are finite. */
void nereus_json_read_string(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, char *text, size_t size);
void nereus_json_read_number(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, double min, double *value);
void nereus_json_read_integer(struct nereus_json_reader *reader, const json_t *object,
                              const char *key, int64_t min, int64_t max, int64_t *value);
void nereus_json_read_boolean(struct nereus_json_reader *reader, const json_t *object,
                              const char *key, bool *value);
/** Read an array of at most `max` elements (SIZE_MAX: any).
 * @return NULL: absent or wrong */
const json_t *nereus_json_read_array(struct nereus_json_reader *reader, const json_t *object,
                                     const char *key, size_t max);

/* For files with optional and unknown members; `object` may be NULL or no object. */
/** @return NAN: no number */
double nereus_json_get_real(const json_t *object, const char *key);
/** @return "": no text. Control characters are replaced, in place. */
const char *nereus_json_get_text(const json_t *object, const char *key);
