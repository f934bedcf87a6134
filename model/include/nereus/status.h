/**
 * @file status.h
 * Defines the one status enum of Nereus, and the error text that goes with it.
 *
 * Convention of every function in libnereus-model: it returns an enum nereus_status; outputs are
 * written only on NEREUS_OK; the function that finds an error writes its message, one sentence,
 * into the caller's struct nereus_error (which may be NULL), and callers pass it on unchanged.
 * Nothing in model/ prints. All functions are local (no MPI) and thread-safe unless they say
 * otherwise.
 *
 * Comments: [in] is read, [out] written, [in,out] both; after @return stand the errors that a
 * caller may want to tell apart, and others may come. What is owned says which function frees it;
 * all other pointers are the caller's. Units are in the names: _s seconds, _bytes bytes; intervals
 * are of 90 %. Papers are cited as docs/results/errata.md lists them.
 */
#ifndef NEREUS_STATUS_H
#define NEREUS_STATUS_H

#include <stddef.h>

/** Around the declarations of each public header, for C++. */
#ifdef __cplusplus
#define NEREUS_BEGIN_C extern "C" {
#define NEREUS_END_C   }
#else
#define NEREUS_BEGIN_C
#define NEREUS_END_C
#endif

NEREUS_BEGIN_C

enum nereus_status {
    NEREUS_OK = 0,
    NEREUS_ERR_ARGUMENT,    /**< a value out of range (zero, negative, above the slots, ...) */
    NEREUS_ERR_PARSE,       /**< a text, file, line or key that cannot be understood */
    NEREUS_ERR_IO,          /**< a file or pipe that cannot be opened, read or written */
    NEREUS_ERR_MEMORY,      /**< memory allocation failed */
    NEREUS_ERR_UNSUPPORTED, /**< valid, but not implemented */
    NEREUS_ERR_ILLEGAL,     /**< a combination that the MPI standard or a paper rules out */
    NEREUS_ERR_NO_BASIS,    /**< the profile has no basis for a prediction */
    NEREUS_ERR_BUSY,        /**< a reconfiguration is pending already */
    NEREUS_ERR_SPAWN,       /**< new processes could not be started; the job continues as it was */
    NEREUS_ERR_CANCELLED,   /**< the reconfiguration that started this process was cancelled */
    NEREUS_ERR_MISMATCH,    /**< processes disagree on a record, a plan or the registered data */
    NEREUS_ERR_MPI,         /**< an MPI call failed */
    NEREUS_ERR_STATE,       /**< called at the wrong moment */
    NEREUS_STATUS_COUNT
};

/** What went wrong, for a program (status) and for a person (one sentence, no newline). */
struct nereus_error {
    enum nereus_status status;
    char text[512];
};

/** A short lower-case name of a status, as used in traces ("ok", "argument", ...). Never NULL. */
const char *nereus_status_name(enum nereus_status status);

/**
 * Write a status and its message into err (ignored when err is NULL) and return the status, so
 * that `return nereus_fail(err, NEREUS_ERR_PARSE, "...", ...)` is the usual way out.
 * @return status
 */
enum nereus_status nereus_fail(struct nereus_error *err, enum nereus_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

NEREUS_END_C
#endif
