/*
 * Parts that a change of size has replaced, kept for later ones: their pages have been touched,
 * which is most of what moving into fresh memory costs. At most NEREUS_KEEP_BUFFERS bytes
 * (util/keep_setting.h). By the thread that carries out the change. Private to src/.
 */
#ifndef NEREUS_SRC_KEPT_PARTS_H
#define NEREUS_SRC_KEPT_PARTS_H

#include <stddef.h>

/* Keep a part of malloc's, or free it; others may be freed for it. */
void nereus_kept_parts_add(void *part);
/* Take a part of this size, or one up to 64 KiB longer, which is shortened. NULL: none. */
void *nereus_kept_parts_take(size_t bytes);
size_t nereus_kept_parts_bytes(void);
/* Free them all. */
void nereus_kept_parts_drop(void);

#endif
