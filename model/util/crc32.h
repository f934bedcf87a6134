/** @file crc32.h  Computes the CRC-32 of bytes, as zlib's crc32 computes it. */
#pragma once

#include "model/util/base.h"

/** @return CRC of earlier bytes with the CRC `crc` (0: none), followed by these bytes */
uint32_t nereus_crc32(uint32_t crc, const void *bytes, size_t count);

/**
 * @param right_bytes  length of the second
 * @return CRC of two sequences of bytes in succession
 */
uint32_t nereus_crc32_combine(uint32_t left, uint32_t right, int64_t right_bytes);
