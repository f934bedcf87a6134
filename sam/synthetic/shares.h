/**
 * @file shares.h
 * Shares of work, by process or by iteration: how unequal the processes of an application are, and
 * how its iterations vary. No MPI here.
 *
 *   linear:X             1 - X for the first to 1 + X for the last
 *   1,1,3                a table, repeated; divided by its mean
 *   1 | 1,3 | 1,1,2,4    several tables: the one with as many numbers as there are indices; else
 *                        the first, repeated
 *   uniform:X[:SEED]     random between 1 - X and 1 + X
 *   normal:X[:SEED]      random, standard deviation X, not below 0
 *
 * Random shares depend on index and seed alone: the same in each run.
 */
#pragma once

#include <stdint.h>

#include "nereus/status.h"

/** The distribution of the shares. */
enum sam_shares_kind { SAM_EQUAL, SAM_LINEAR, SAM_TABLE, SAM_UNIFORM, SAM_NORMAL };

enum {
    SAM_SHARES_MAX = 64,   /**< numbers of one table */
    SAM_SHARES_ALL = 128,  /**< numbers of all tables together */
    SAM_SHARES_TABLES = 8, /**< tables */
};

/** Zero: equal shares. */
struct sam_shares {
    enum sam_shares_kind kind;
    double width; /**< X */
    uint64_t seed;
    int tables;
    /** begin of each table in `table`, and the end of the last */
    int begin[SAM_SHARES_TABLES + 1];
    double table[SAM_SHARES_ALL]; /**< the mean of each is 1 */
};

/** @param[out] err  what the text must be; the caller puts file, line and key before it */
enum nereus_status sam_shares_parse(const char *text, struct sam_shares *shares,
                                    struct nereus_error *err);

/**
 * The share of an index; at least 0, 1 on average.
 * @param[in] count  number of indices, for linear and for several tables
 */
double sam_share(const struct sam_shares *shares, int64_t index, int64_t count);
