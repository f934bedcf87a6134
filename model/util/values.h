/**
 * @file values.h
 * Values as people write them: whole numbers, bytes with units, seconds and durations with units.
 *
 * `what` is what the value belongs to ("--ns", "cases.csv:3: ns"); the sentence of an error
 * starts with it, shows the text found and says what would be right. Nothing may stand before or
 * after the value.
 */
#ifndef NEREUS_VALUES_H
#define NEREUS_VALUES_H

#include <stdint.h>

#include "nereus/status.h"

/** A whole number of at least `least`. */
enum nereus_status nereus_value_integer(const char *what, const char *text, int64_t least,
                                        int64_t *value, struct nereus_error *err);

/** A finite number of at least 0. */
enum nereus_status nereus_value_number(const char *what, const char *text, double *value,
                                       struct nereus_error *err);

/** Bytes, at least 0: "4096", "64M", "64MiB" (1024 x 1024 bytes each), "64MB" (1000 x 1000). B, K,
 * M, G, T.
 */
enum nereus_status nereus_value_bytes(const char *what, const char *text, int64_t *bytes,
                                      struct nereus_error *err);

/** A time above 0, in seconds unless a unit says otherwise: "0.1", "0.1s", "100ms", "250us", "90s",
 * "5min", "2h". */
enum nereus_status nereus_value_seconds(const char *what, const char *text, double *seconds,
                                        struct nereus_error *err);

/** The same, or 0: "0", "0ms". */
enum nereus_status nereus_value_time(const char *what, const char *text, double *seconds,
                                     struct nereus_error *err);

/** For people: "64 MiB", "1.5 ms"; into a buffer of at least 32 characters, which is returned. */
char *nereus_format_bytes(double bytes, char *text);
char *nereus_format_seconds(double seconds, char *text);

/** For programs: a finite number with as few digits as read back as the same value, at most 17; into
 * the same buffer. */
char *nereus_format_real(double value, char *text);

#endif
