/**
 * @file json_reader.h
 * Reading JSON strictly: every key is known and every needed one is there, else a sentence names
 * the place and the fault. Private to model/.
 *
 * The first error stays and every later call does nothing, so that a reader is a plain list of
 * calls.
 */
#ifndef NEREUS_JSON_READER_H
#define NEREUS_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/util/text_file.h"
#include "nereus/status.h"

struct nereus_json_reader {
    const char *path; /**< of the file, for sentences */
    struct nereus_error *err;
    enum nereus_status status;
    char where[256]; /**< "steps.spawn.": path of the current object in the document */
};

/**
 * Read a file that is one JSON document.
 * @param[in]  what  the kind of file, for sentences
 * @param[out] root  to be released
 * @return as nereus_file_read; NEREUS_ERR_PARSE also where it is no JSON, or a key stands twice
 */
enum nereus_status nereus_json_read(const char *path, const char *what, json_t **root,
                                    struct nereus_error *err);

/** The same of a file that is open. */
enum nereus_status nereus_json_read_text(struct nereus_text_file *file, json_t **root,
                                         struct nereus_error *err);

/** Does a text that begins so look like JSON? */
bool nereus_json_begins(const char *beginning);

/** Go into a member or an element; `leave` goes back. @return what to hand to leave */
size_t nereus_json_enter(struct nereus_json_reader *reader, const char *name);
/** The same into "name[index]". */
size_t nereus_json_enter_element(struct nereus_json_reader *reader, const char *name, size_t index);
void nereus_json_leave(struct nereus_json_reader *reader, size_t mark);

/** Fail with a sentence about `key`: "PATH: steps.spawn.rows: SENTENCE". */
void nereus_json_fail(struct nereus_json_reader *reader, const char *key, const char *sentence);

/** Fail with NEREUS_ERR_MEMORY where `memory` is NULL. @return whether nothing has failed yet */
bool nereus_json_has_memory(struct nereus_json_reader *reader, const void *memory);

/**
 * Is `json` an object with known keys only? The first `needed` ones are mandatory. An unknown key
 * is reported with the known one that it resembles.
 */
bool nereus_json_check(struct nereus_json_reader *reader, const json_t *json,
                       const char *const *known, size_t count, size_t needed);

/** Members of an object that was checked; absent ones leave the output alone. Numbers must be
 * finite. */
void nereus_json_string(struct nereus_json_reader *reader, const json_t *object, const char *key,
                        char *text, size_t size);
void nereus_json_number(struct nereus_json_reader *reader, const json_t *object, const char *key,
                        double least, double *value);
/** @param most  INT64_MAX: no limit */
void nereus_json_integer(struct nereus_json_reader *reader, const json_t *object, const char *key,
                         int64_t least, int64_t most, int64_t *value);
void nereus_json_boolean(struct nereus_json_reader *reader, const json_t *object, const char *key,
                         bool *value);
/** An array of at most `most` elements (SIZE_MAX: any); NULL where absent or wrong. */
const json_t *nereus_json_array(struct nereus_json_reader *reader, const json_t *object,
                                const char *key, size_t most);

/*
 * Lenient, for files with optional and unknown members: a member of `object`, which may be NULL or
 * no object.
 */
/** NAN where it is no number. */
double nereus_json_real_of(const json_t *object, const char *key);
/** "" where it is no text; control characters in it are replaced, in place. */
const char *nereus_json_text_of(const json_t *object, const char *key);

#endif
