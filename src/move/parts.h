/**
 * @file parts.h
 * Allocates the memory of the parts of registered data. With NEREUS_CHECK=1 each part has its own
 * pages between protected ones, and a part that a reconfiguration has replaced is protected instead
 * of freed: an access is reported, and raises the signal SIGSEGV.
 */
#pragma once

#include "model/util/base.h"

/** Allocate a part of `bytes` > 0. NULL: no memory. */
void *nereus_part_new(size_t bytes, bool zeroed);
/** NEREUS_CHECK=1: name the part for reports of accesses outside it. part NULL: nothing. */
void nereus_part_name(void *part, const char *name, int rank);
/** Free the part, or keep it for reuse (kept_parts.h). NULL: nothing. */
void nereus_part_free(void *part);
/** Free, as nereus_part_free does, a part that the reconfiguration at that point has replaced. */
void nereus_part_retire(void *part, const char *name, int rank, int64_t point);
