/* A pack buffer: integers and blocks of bytes, one after the other. All records of variable length
 * that processes send each other are written with it. Private to src/. */
#ifndef NEREUS_PACK_BUFFER_H
#define NEREUS_PACK_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writing grows data (owned); reading advances `at`. broken: no memory, or read past the end. */
struct pack_buffer {
    unsigned char *data;
    size_t bytes, capacity, at;
    bool broken;
};

void pack_put_int(struct pack_buffer *pack, int64_t value);
void pack_put_block(struct pack_buffer *pack, const void *block, size_t bytes); /* with its length */
void pack_put_text(struct pack_buffer *pack, const char *text);                 /* NULL stays NULL */
int64_t pack_get_int(struct pack_buffer *pack);
/* The block lies within the buffer. */
const unsigned char *pack_get_block(struct pack_buffer *pack, size_t *bytes);
/* A copy, to be freed; NULL was NULL. */
char *pack_get_text(struct pack_buffer *pack);

#endif
