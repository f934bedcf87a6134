/**
 * @file json_table.h
 * Reads and writes a struct as a JSON object by one table, which lists each member once: its key,
 * type, range, and whether an object may lack it.
 */
#pragma once

#include "json_reader.h"

enum nereus_json_type {
    NEREUS_JSON_TYPE_TEXT,    /**< char[size]; written as UTF-8, cut to this size */
    NEREUS_JSON_TYPE_NUMBER,  /**< double; not written unless it is finite and at least 0 */
    NEREUS_JSON_TYPE_INTEGER, /**< int64_t, from min to max */
    NEREUS_JSON_TYPE_BOOLEAN, /**< bool */
    NEREUS_JSON_TYPE_WORD,    /**< an enum, by its name in `words` */
    NEREUS_JSON_TYPE_OBJECT,  /**< a struct, by its table */
    NEREUS_JSON_TYPE_LIST,    /**< an array that the struct owns, of structs by their table */
    NEREUS_JSON_TYPE_NAMED,   /**< an object of structs by their table: an array by `words` */
    NEREUS_JSON_TYPE_ALWAYS,  /**< min, or the first of `words`: the caller has checked it */
    NEREUS_JSON_TYPE_OWN      /**< any type, by the functions `read` and `make` */
};

/** Flags of a member. */
enum {
    NEREUS_JSON_NEEDED = 1,   /**< an object without it is refused */
    NEREUS_JSON_UNLESS_0 = 2, /**< not written if it is 0 or empty */
    NEREUS_JSON_UNLESS_1 = 4, /**< as UNLESS_0, also for an integer of 1 */
    NEREUS_JSON_ELSE_NAN = 8  /**< a number: NAN if an object lacks it */
};

struct nereus_json_table {
    const struct nereus_json_member *members; /**< in the order in which they are written */
    size_t count;
    /** called after all members were read; NULL: nothing else is to be checked */
    void (*check)(struct nereus_json_reader *reader, const json_t *object, void *values);
    /** is the struct without values? NULL: if its first member is */
    bool (*is_empty)(const void *values);
};

struct nereus_json_member {
    const char *key;
    int flags;
    enum nereus_json_type type;
    size_t offset;
    size_t size; /**< of a text, or of an element of a list */
    int64_t min, max;
    size_t count_offset; /**< list: of an int64_t, its length */
    const struct nereus_json_table *table;
    const char *const *words;
    size_t word_count;
    /** called if the object has the member; `target` is in the struct at the offset */
    void (*read)(struct nereus_json_reader *reader, const json_t *object,
                 const struct nereus_json_member *member, void *target);
    /** @return json_null(): not to be written; NULL: no memory */
    json_t *(*make)(const struct nereus_json_member *member, const void *target);
};

/** The offset of a member. `pointer` is the type of its address: a member of another type does not
 * compile, because it would be overwritten by bytes of this one. */
#define NEREUS_JSON_OFFSET(pointer, owner, member)                                                 \
    _Generic(&((owner *)0)->member, pointer : offsetof(owner, member))
#define NEREUS_JSON_AT(itself, pointer, owner, member)                                             \
    .type = NEREUS_JSON_TYPE_##itself, .offset = NEREUS_JSON_OFFSET(pointer, owner, member)

/** Parts of a row: { "key", flags, NEREUS_JSON_... }. */
#define NEREUS_JSON_TEXT(owner, member)                                                            \
    NEREUS_JSON_AT(TEXT, char(*)[sizeof((owner *)0)->member], owner, member),                      \
        .size = sizeof((owner *)0)->member
#define NEREUS_JSON_NUMBER(owner, member) NEREUS_JSON_AT(NUMBER, double *, owner, member)
#define NEREUS_JSON_INTEGER(owner, member, from, to)                                               \
    NEREUS_JSON_AT(INTEGER, int64_t *, owner, member), .min = (from), .max = (to)
#define NEREUS_JSON_BOOLEAN(owner, member) NEREUS_JSON_AT(BOOLEAN, bool *, owner, member)
/** An enum without negative values has the type unsigned. */
#define NEREUS_JSON_WORD(owner, member, list)                                                      \
    NEREUS_JSON_AT(WORD, unsigned *, owner, member), .words = (list),                              \
                                                     .word_count = NEREUS_COUNT_OF(list)
#define NEREUS_JSON_OBJECT(owner, member, its_table)                                               \
    NEREUS_JSON_AT(OBJECT, default, owner, member), .table = (its_table)
#define NEREUS_JSON_LIST(owner, member, length, its_table)                                         \
    NEREUS_JSON_AT(LIST, default, owner, member),                                                  \
        .count_offset = NEREUS_JSON_OFFSET(int64_t *, owner, length),                              \
        .size = sizeof *((owner *)0)->member, .table = (its_table)
#define NEREUS_JSON_NAMED(owner, member, list, its_table)                                          \
    NEREUS_JSON_AT(NAMED, default, owner, member),                                                 \
        .size = sizeof((owner *)0)->member[0], .words = (list),                                    \
        .word_count = NEREUS_COUNT_OF(list), .table = (its_table)
#define NEREUS_JSON_NUMBER_ALWAYS(number) .type = NEREUS_JSON_TYPE_ALWAYS, .min = (number)
#define NEREUS_JSON_WORD_ALWAYS(list)     .type = NEREUS_JSON_TYPE_ALWAYS, .words = (list)
#define NEREUS_JSON_OWN(owner, member, reads, makes)                                               \
    NEREUS_JSON_AT(OWN, default, owner, member), .read = (reads), .make = (makes)
/** Of several members: `target` is the struct itself. */
#define NEREUS_JSON_OWN_OF_ALL(reads, makes)                                                       \
    .type = NEREUS_JSON_TYPE_OWN, .read = (reads), .make = (makes)
#define NEREUS_JSON_OBJECT_OF_ALL(its_table) .type = NEREUS_JSON_TYPE_OBJECT, .table = (its_table)

enum { NEREUS_JSON_MEMBERS_MAX = 48 };
/** A longer list does not compile: the length of an array is negative. */
#define NEREUS_JSON_MEMBERS(list)                                                                  \
    (list), NEREUS_COUNT_OF(list) +                                                                \
                0 * sizeof(char[NEREUS_COUNT_OF(list) > NEREUS_JSON_MEMBERS_MAX ? -1 : 1])

/** Read the members that an object has; other keys are not looked at. */
void nereus_json_read_members(struct nereus_json_reader *reader, const json_t *object,
                              const struct nereus_json_table *table, void *values);

/** As nereus_json_read_members; unknown and missing keys are errors, and the table's check. */
void nereus_json_read_table(struct nereus_json_reader *reader, const json_t *object,
                            const struct nereus_json_table *table, void *values);

/** Read a member of `object` that is an object. */
void nereus_json_read_object(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, const struct nereus_json_table *table, void *values);

/** @return NULL: no memory */
json_t *nereus_json_make_table(const struct nereus_json_table *table, const void *values);
