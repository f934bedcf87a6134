/**
 * @file bytes_in.h
 * Bytes of a file, a pipe or standard input; what is gzipped comes unpacked. Private to
 * text_file.c.
 */
#ifndef NEREUS_BYTES_IN_H
#define NEREUS_BYTES_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <zlib.h>

struct nereus_bytes_in {
    int descriptor;       /**< the caller's */
    unsigned char *bytes; /**< read from it; NULL before the first call */
    size_t from, to;      /**< of them, what was not taken yet */
    bool begun, packed;   /**< packed: gzip, as the first two bytes say */
    bool between;         /**< of a gzip file: no member is under way */
    z_stream unpacker;
};

enum { NEREUS_BYTES_IN_DAMAGED = -2, NEREUS_BYTES_IN_FOLLOWED = -3 };

/**
 * The next bytes: as many as there are, at most `capacity`. It waits for the first one only, so
 * that a pipe can be followed.
 * @return 0: the end, for now (a file may grow); -1: errno says why; NEREUS_BYTES_IN_DAMAGED: gzip
 *     data that is wrong or not complete; NEREUS_BYTES_IN_FOLLOWED: something else behind it
 */
ssize_t nereus_bytes_in_read(struct nereus_bytes_in *in, char *to, size_t capacity);
void nereus_bytes_in_fini(struct nereus_bytes_in *in);

#endif
