/*
 * Memory of the parts of registered data. With NEREUS_CHECK=1 each has pages of its own, between
 * pages that are protected, and a part that a reconfiguration has replaced is protected instead of
 * freed: whoever accesses these is told so, and killed by the signal that it gets (SIGSEGV). Private
 * to src/.
 */
#ifndef NEREUS_SRC_PARTS_H
#define NEREUS_SRC_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: no memory. bytes > 0. */
void *nereus_part_new(size_t bytes, bool zeroed);
/* NEREUS_CHECK: whose part it is, for who goes beyond its ends. NULL: nothing. */
void nereus_part_name(void *part, const char *name, int rank);
/* Free it, or keep it for the next one (kept_parts.h). NULL: nothing. */
void nereus_part_free(void *part);
/* The same, as the change of size at that point has replaced it in this rank. */
void nereus_part_retire(void *part, const char *name, int rank, int64_t point);

#endif
