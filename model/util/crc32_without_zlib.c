/**
 * @file crc32_without_zlib.c
 * Computes CRC-32 without zlib: one table look-up a byte, which is several times slower than
 * zlib's. Polynomial, bit order and complements are those of RFC 1952, section 8.
 */
#include <pthread.h>

#include "crc32.h"

static const uint32_t polynomial = 0xedb88320U, all_bits = 0xffffffffU;
static const uint32_t one = 0x80000000U; /* the polynomial 1: the highest bit comes first */
static uint32_t table[256];              /* set once, before it is read */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t times_x(uint32_t a)
{
    return (a & 1) != 0 ? polynomial ^ a >> 1 : a >> 1;
}

static void fill_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        table[byte] = byte;
        for (int bit = 0; bit < 8; bit++)
            table[byte] = times_x(table[byte]);
    }
}

uint32_t nereus_crc32(uint32_t crc, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    pthread_once(&once, fill_table);
    crc ^= all_bits;
    for (size_t i = 0; i < count; i++)
        crc = table[(crc ^ from[i]) & 0xff] ^ crc >> 8;
    return crc ^ all_bits;
}

/* Product modulo the polynomial. */
static uint32_t multiply_modulo(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t bit = one; bit != 0; bit >>= 1, b = times_x(b))
        sum ^= (a & bit) != 0 ? b : 0;
    return sum;
}

/* Each byte that follows multiplies the CRC `left` by x^8. */
uint32_t nereus_crc32_combine(uint32_t left, uint32_t right, int64_t right_bytes)
{
    uint32_t power = one >> 8; /* x^8, then its square, ... */
    for (; right_bytes > 0; right_bytes >>= 1, power = multiply_modulo(power, power))
        left = (right_bytes & 1) != 0 ? multiply_modulo(left, power) : left;
    return left ^ right;
}
