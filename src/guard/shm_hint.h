/* What /dev/shm may have to do with the end of a process of this host. Private to src/guard. */
#ifndef NEREUS_SHM_HINT_H
#define NEREUS_SHM_HINT_H

#include <stddef.h>
#include <stdint.h>

/* Of a process that signal N killed (status 128 + N) in a full or small /dev/shm: the end of a
 * sentence, beginning with "; ". Empty: nothing. @param bytes  below 0: there is no such limit */
void shm_hint_text(int status, int64_t bytes, int64_t free_bytes, char *text, size_t size);
/* The same with this host's /dev/shm, as it is now. */
void shm_hint(int status, char *text, size_t size);

#endif
