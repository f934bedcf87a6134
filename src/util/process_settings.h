/**
 * @file process_settings.h
 * Stores settings of a process that do not change the results of a job: rank 0 reads them in
 * nereus_init, and all processes get its values. Written by the main thread, before there is data.
 */
#pragma once

#include "model/util/base.h"

enum {
    /** not set: rank 0 reads it from the profile, in nereus_init */
    NEREUS_HUGE_BY_PROFILE = -1,
    /** least size: the first touch of a smaller part takes 1 to 2 ms */
    NEREUS_HUGE_LEAST_BYTES = 4 << 20,
};

struct process_settings {
    bool checks; /**< NEREUS_CHECK=1: a mode for testing a program, which finds errors in it */
    /** NEREUS_KEEP_BUFFERS: bytes of replaced parts that a process keeps for later changes of size
     */
    int64_t keep_bytes;
    /** NEREUS_HUGE_PAGES: largest part, in bytes, for which the kernel is advised to use huge
     * pages; 0: none */
    int64_t huge_bytes;
};

/** Those of this process. */
extern struct process_settings nereus_process_settings;

/** Read the environment. */
enum nereus_status nereus_process_settings_read(struct process_settings *settings,
                                                struct nereus_error *err);
