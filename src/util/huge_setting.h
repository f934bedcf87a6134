/* NEREUS_HUGE_PAGES: new parts for which the kernel is advised to use huge pages. */
#ifndef NEREUS_SRC_HUGE_SETTING_H
#define NEREUS_SRC_HUGE_SETTING_H

#include <stdint.h>

#include "nereus/status.h"

enum {
    NEREUS_HUGE_BY_PROFILE = -1,       /* until rank 0 has read it, in nereus_init */
    NEREUS_HUGE_LEAST_BYTES = 4 << 20, /* smaller parts: first touch takes a millisecond or two */
};

/* Largest part with huge pages, in bytes; 0: none. Equal in all processes. */
int64_t nereus_huge_bytes(void);
void nereus_huge_bytes_set(int64_t bytes);
/* What NEREUS_HUGE_PAGES says here: all, none, or NEREUS_HUGE_BY_PROFILE. */
enum nereus_status nereus_huge_setting(int64_t *bytes, struct nereus_error *err);

#endif
