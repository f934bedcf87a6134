/* NEREUS_KEEP_BUFFERS: bytes of replaced parts that a process keeps for later changes of size. */
#ifndef NEREUS_SRC_KEEP_SETTING_H
#define NEREUS_SRC_KEEP_SETTING_H

#include <stdint.h>

#include "nereus/status.h"

/* 0 until rank 0's setting has been received; equal in all processes. */
int64_t nereus_keep_bytes(void);
void nereus_keep_bytes_set(int64_t bytes);
/* What NEREUS_KEEP_BUFFERS says here. */
enum nereus_status nereus_keep_setting(int64_t *bytes, struct nereus_error *err);

#endif
