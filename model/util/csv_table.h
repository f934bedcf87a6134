/**
 * @file csv_table.h
 * Reads CSV whose header line names columns, in any order. A table of options describes them.
 */
#pragma once

#include "csv.h"
#include "option.h"

enum { NEREUS_CSV_ROW_MAX = 256 };

struct nereus_csv_table {
    const char *what;                    /**< begins "... no column 'x'": "a workload has" */
    const struct nereus_option *columns; /**< at most 63 */
    size_t count, needed;                /**< the header line has the first `needed` columns */
    bool allows_others;                  /**< other columns are passed over; false: refused */
    /** a cell that says that the value is not known, as an empty one does; NULL: none does, and
     * cells of needed columns may not be empty */
    const char *unknown;
    size_t row_bytes; /**< at most NEREUS_CSV_ROW_MAX */
    /** called for each row
     * @param given  set of the columns with a value
     * @param line   its number */
    enum nereus_status (*take)(void *user, const void *row, uint64_t given, int64_t line,
                               struct nereus_error *err);
};

/** Checks a table when it is compiled. */
#define NEREUS_CSV_CHECK_TABLE(row, column_count)                                                  \
    _Static_assert(sizeof(row) <= NEREUS_CSV_ROW_MAX && (column_count) < 64,                       \
                   "a row or its set of columns has no room")

/** Read a text, which is overwritten.
 * @param row  without values
 * @return NEREUS_ERR_PARSE, or what `take` returned */
enum nereus_status nereus_csv_table_read(const char *path, char *text,
                                         const struct nereus_csv_table *table, const void *row,
                                         void *user, struct nereus_error *err);
