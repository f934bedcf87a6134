/* A byte parcel: integers and blocks, packed one after the other. For what new processes are told. Private to
 * src/. */
#ifndef NEREUS_PARCEL_H
#define NEREUS_PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writing grows data (owned); reading walks at. broken: no memory, or read past the end. */
struct parcel {
    unsigned char *data;
    size_t bytes, capacity, at;
    bool broken;
};

void parcel_put_int(struct parcel *parcel, int64_t value);
void parcel_put_block(struct parcel *parcel, const void *block, size_t bytes); /* with its length */
void parcel_put_text(struct parcel *parcel, const char *text);                 /* NULL stays NULL */
int64_t parcel_get_int(struct parcel *parcel);
/* The block lies within the parcel. */
const unsigned char *parcel_get_block(struct parcel *parcel, size_t *bytes);
/* A copy, to be freed; NULL was NULL. */
char *parcel_get_text(struct parcel *parcel);

#endif
