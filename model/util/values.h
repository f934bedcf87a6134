/**
 * @file values.h
 * Reads and formats values as people write them: numbers, bytes and times with units. `what` begins
 * an error message: "--ns", "cases.csv:3: ns". Nothing may stand before or after the value.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** Read a whole number of at least `min`, in decimal digits. */
enum nereus_status nereus_value_parse_integer(const char *what, const char *text, int64_t min,
                                              int64_t *value, struct nereus_error *err);

/** Read a number of at least 0, without unit: "2", "0.5", "1e6". */
enum nereus_status nereus_value_parse_number(const char *what, const char *text, double *value,
                                             struct nereus_error *err);

/** Read bytes, at least 0: "4096", "64M" and "64MiB" (1024 x 1024), "64MB" (1000 x 1000); B, K, M,
 * G, T. */
enum nereus_status nereus_value_parse_bytes(const char *what, const char *text, int64_t *bytes,
                                            struct nereus_error *err);

/** Read such bytes, also a fraction of one: "0.3KiB" is 307.2. */
enum nereus_status nereus_value_parse_real_bytes(const char *what, const char *text, double *bytes,
                                                 struct nereus_error *err);

/** Read a rate of at least 1 byte a second: such bytes with "/s", or "100Mbit/s", "10Gbit/s". */
enum nereus_status nereus_value_parse_rate(const char *what, const char *text, double *bytes_per_s,
                                           struct nereus_error *err);

/** Read a time above 0: "0.1", "0.1s", "100ms", "250us", "5min", "2h". */
enum nereus_status nereus_value_parse_seconds(const char *what, const char *text, double *seconds,
                                              struct nereus_error *err);

/** Read a time of at least 0, as nereus_value_parse_seconds. */
enum nereus_status nereus_value_parse_seconds_or_0(const char *what, const char *text,
                                                   double *seconds, struct nereus_error *err);

/** Format for people: "64 MiB", "1.5 ms", "24 h".
 * @param text  32 characters; returned */
char *nereus_format_bytes(double bytes, char *text);
char *nereus_format_seconds(double seconds, char *text);

/** Format for people: as %.4g with that many digits, but below 1e7 without an exponent: 18000, not
 * 1.8e+04.
 * @param text  32 characters; returned */
char *nereus_format_digits(double value, int digits, char *text);

/** Round to at most 15 digits, which nereus_format_real then prints in a third of the time. A whole
 * number stays as it is. */
double nereus_round_digits(double value, int digits);

/** Format for programs: as few digits as read back as the same value, at most 17. */
char *nereus_format_real(double value, char *text);
