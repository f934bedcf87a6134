/**
 * @file kept_parts.h
 * Caches replaced parts for later changes of size: their pages have been touched already, and the
 * first touch is most of the cost of new memory. At most NEREUS_KEEP_BUFFERS bytes
 * (util/process_settings.h). Not thread-safe: only the thread that carries out the change calls it.
 */
#pragma once

#include "model/util/base.h"

/** Keep a part from malloc, or free it; older parts may be freed to make room. */
void nereus_kept_parts_add(void *part);
/** Take a part of this size or up to 64 KiB longer, which is shortened. NULL: none. */
void *nereus_kept_parts_reuse(size_t bytes);
/** Bytes of all kept parts. */
size_t nereus_kept_parts_bytes(void);
/** Free them all. */
void nereus_kept_parts_free(void);
