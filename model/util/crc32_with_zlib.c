/** @file crc32_with_zlib.c  Computes CRC-32 by zlib. */
#include <zlib.h>

#include "crc32.h"

uint32_t nereus_crc32(uint32_t crc, const void *bytes, size_t count)
{
    return (uint32_t)crc32_z(crc, bytes, count);
}

uint32_t nereus_crc32_combine(uint32_t left, uint32_t right, int64_t right_bytes)
{
    return (uint32_t)crc32_combine(left, right, (z_off_t)right_bytes);
}
