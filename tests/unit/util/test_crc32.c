/** @file test_crc32.c  CRC-32: values of RFC 1952's sum, in pieces and of pieces. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/crc32.h"

Test(crc32, known_values)
{
    static const struct {
        const char *text;
        uint32_t crc;
    } rows[] = {{"", 0}, {"a", 0xe8b7be43U}, {"abc", 0x352441c2U}, {"123456789", 0xcbf43926U}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_eq(nereus_crc32(0, rows[i].text, strlen(rows[i].text)), rows[i].crc, "'%s'",
                     rows[i].text);
}

Test(crc32, of_two_pieces)
{
    enum { BYTES = 700 };
    unsigned char bytes[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * i * 31 + 7);
    const uint32_t whole = nereus_crc32(0, bytes, BYTES);
    for (size_t cut = 0; cut <= BYTES; cut++) {
        const uint32_t left = nereus_crc32(0, bytes, cut);
        cr_expect_eq(nereus_crc32(left, bytes + cut, BYTES - cut), whole, "cut at %zu", cut);
        const uint32_t right = nereus_crc32(0, bytes + cut, BYTES - cut);
        cr_expect_eq(nereus_crc32_combine(left, right, (int64_t)(BYTES - cut)), whole,
                     "combined at %zu", cut);
    }
}

/* Many zeros behind a text: as long as a large file. */
Test(crc32, combined_over_a_terabyte)
{
    const int64_t half = (int64_t)1 << 39;
    const uint32_t text = nereus_crc32(0, "123456789", 9);
    const uint32_t once = nereus_crc32_combine(nereus_crc32_combine(text, 0, half), 0, half);
    cr_expect_eq(nereus_crc32_combine(text, 0, 2 * half), once);
    cr_expect_neq(once, text);
}
