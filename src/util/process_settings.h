/**
 * @file process_settings.h
 * Settings of a process that do not change the results of a job: rank 0 reads them in nereus_init,
 * and all processes get its values. Written by the main thread, before there is data.
 */
#ifndef NEREUS_SRC_UTIL_PROCESS_SETTINGS_H
#define NEREUS_SRC_UTIL_PROCESS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/status.h"

/** NEREUS_CHECK=1: a mode for testing a program, which finds errors in it. */
bool nereus_checks(void);
/** Switch that mode on or off in this process. */
void nereus_checks_set(bool on);
/** Read NEREUS_CHECK. */
enum nereus_status nereus_check_setting(bool *on, struct nereus_error *err);

/** NEREUS_KEEP_BUFFERS: bytes of replaced parts that a process keeps for later changes of size. */
int64_t nereus_keep_bytes(void);
/** Set these bytes in this process. */
void nereus_keep_bytes_set(int64_t bytes);
/** Read NEREUS_KEEP_BUFFERS. */
enum nereus_status nereus_keep_setting(int64_t *bytes, struct nereus_error *err);

/** NEREUS_HUGE_PAGES: largest part, in bytes, for which the kernel is advised to use huge pages; 0:
 * none. */
enum {
    /** not set: rank 0 reads it from the profile, in nereus_init */
    NEREUS_HUGE_BY_PROFILE = -1,
    /** least size: the first touch of a smaller part takes 1 to 2 ms */
    NEREUS_HUGE_LEAST_BYTES = 4 << 20,
};
/** Largest part that gets huge pages in this process. */
int64_t nereus_huge_bytes(void);
/** Set this size. */
void nereus_huge_bytes_set(int64_t bytes);
/** Read NEREUS_HUGE_PAGES. */
enum nereus_status nereus_huge_setting(int64_t *bytes, struct nereus_error *err);

#endif
