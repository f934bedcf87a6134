/** @file entry_print.c  A registered data entry as text, for messages. */
#include <stdio.h>

#include "registry.h"

void nereus_entry_print(const struct nereus_data_entry *entry, char *text, size_t size)
{
    static const char *const forms[] = {[NEREUS_ARRAY] = "array",
                                        [NEREUS_BY_ROWS] = "matrix by rows",
                                        [NEREUS_BY_COLUMNS] = "matrix by columns",
                                        [NEREUS_CSR] = "CSR matrix",
                                        [NEREUS_CSC] = "CSC matrix",
                                        [NEREUS_INDICES] = "index list",
                                        [NEREUS_VALUES] = "value list",
                                        [NEREUS_CUSTOM] = "custom datum"};
    char across[48] = "";
    if (entry->across > 0)
        snprintf(across, sizeof across, " x %lld", (long long)entry->across);
    const int64_t one =
        entry->shape == NEREUS_BY_ROWS || entry->shape == NEREUS_BY_COLUMNS ? entry->across : 1;
    snprintf(text, size, "a %s %s of %lld%s elements of %lld bytes",
             entry->kind == NEREUS_CONSTANT ? "constant" : "variable",
             entry->placement == NEREUS_REPLICATED ? "replicated list" : forms[entry->shape],
             (long long)entry->count, across,
             (long long)(entry->element_bytes / (one > 0 ? one : 1)));
}
