/**
 * @file check.h
 * Checks of a configuration that was read: each value may be right by itself, and wrong with
 * others. What needs several values is set on the way (phases, bytes, factors, methods). No MPI
 * here.
 */
#pragma once

#include "config.h"
#include "keys.h"

/** Line numbers of sections and keys, from 1; 0: not in the file. */
struct sam_lines {
    int general[SAM_KEY_COUNT];
    int stage[SAM_STAGES_MAX][SAM_KEY_COUNT];
    int group[SAM_GROUPS_MAX][SAM_KEY_COUNT];
    int stage_header[SAM_STAGES_MAX];
    int group_header[SAM_GROUPS_MAX];
};

/** The configuration with the line numbers of its keys, and the place for a failure. */
struct sam_check {
    const char *file;
    struct sam_config *config;
    const struct sam_lines *lines;
    struct nereus_error *err;
};

/** Fail with "FILE:LINE: ..."; line 0: "FILE: ...".
 * @return NEREUS_ERR_PARSE */
enum nereus_status sam_check_fail(const struct sam_check *c, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Add a note on a key that has no effect. */
void sam_check_note(const struct sam_check *c, int line, const char *what);

/** Check the numbers of sections, then phases and bytes, which need them. */
enum nereus_status sam_check_counts(const struct sam_check *c);
enum nereus_status sam_check_phases(const struct sam_check *c);
enum nereus_status sam_check_bytes(const struct sam_check *c);

/** Check a stage, or a group, by its number. */
enum nereus_status sam_check_stage(const struct sam_check *c, int i);
enum nereus_status sam_check_group(const struct sam_check *c, int i);

/** Parse a factor: a number, or T(processes) / T(1) by a law; "" is ideal. */
enum nereus_status sam_factor_parse(const char *text, int64_t processes, double *factor,
                                    struct nereus_error *why);
