/** @file test_text_file.c  The reader of text files: lines of any origin, and what is no text. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/crc32.h"
#include "model/util/file.h"
#include "model/util/gunzip.h"
#include "model/util/text.h"
#include "model/util/text_file.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
/* A text that may have zero bytes, and its length. */
#define BYTES(text) text, sizeof text - 1

static char path[] = "/tmp/test-text-file-XXXXXX";

static void begin(void)
{
    close(mkstemp(path));
}

static void end(void)
{
    unlink(path);
}

TestSuite(text_file, .init = begin, .fini = end);

static void put(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* One member of a gzip file, which holds the bytes as they are (a stored block). */
static void put_packed(const char *mode, const char *bytes, size_t length)
{
    const uint32_t crc = nereus_crc32(0, bytes, length);
    const uint32_t words[] = {(uint32_t)length | ~(uint32_t)length << 16, crc, (uint32_t)length};
    static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    FILE *file = fopen(path, mode);
    cr_assert(file != NULL && fwrite(head, 1, sizeof head, file) == sizeof head);
    for (int i = 0; i < 3; i++) {
        for (int shift = 0; shift < 32; shift += 8)
            fputc((int)(words[i] >> shift & 0xff), file);
        if (i == 0)
            fwrite(bytes, 1, length, file);
    }
    cr_assert_eq(fclose(file), 0);
}

static bool can_unpack(void)
{
    struct nereus_gunzip *unpacker = nereus_gunzip_new();
    const bool can = unpacker != NULL;
    nereus_gunzip_free(unpacker);
    return can;
}

/* Lines joined by '|', with '!' behind the last one where it has no end. */
static enum nereus_status read_lines(bool grows, char *joined, size_t room,
                                     struct nereus_text_file *file, struct nereus_error *err)
{
    char *line;
    cr_assert(nereus_text_open(path, "log", file, err) == NEREUS_OK);
    file->is_appended_to = grows;
    enum nereus_status status;
    joined[0] = '\0';
    while ((status = nereus_text_read_line(file, &line, err)) == NEREUS_OK && line != NULL)
        snprintf(joined + strlen(joined), room - strlen(joined), "%s%s", line,
                 file->terminated ? "|" : "!");
    nereus_text_close(file);
    return status;
}

struct row {
    const char *bytes;
    size_t length;
    const char *joined;
    bool grows;
    int64_t zeros, returns, zeros_line;
};

static const struct row rows[] = {
    {BYTES("a\nb\n"), "a|b|", false, 0, 0, 0},
    {BYTES("a\nb"), "a|b!", false, 0, 0, 0},
    {BYTES("a\r\nb\r\n"), "a|b|", false, 0, 2, 0},
    {BYTES("a\rb\r"), "a|b|", false, 0, 2, 0},
    {BYTES("a\r\r\nb\n\r"), "a||b||", false, 0, 3, 0},
    {BYTES("\n\n"), "||", false, 0, 0, 0},
    {BYTES("\xEF\xBB\xBF"
           "a\n"),
     "a|", false, 0, 0, 0},
    {BYTES("\xEF\xBB\xBF"), "", false, 0, 0, 0},
    {BYTES("\xEF\xBB"), "\xEF\xBB!", false, 0, 0, 0},
    {BYTES("a\xEF\xBB\xBF\n"), "a\xEF\xBB\xBF|", false, 0, 0, 0},
    {BYTES("caf\xE9\n"), "caf\xE9|", false, 0, 0, 0},
    {BYTES(""), "", false, 0, 0, 0},
    /* as DOS and CP/M end a text */
    {BYTES("a\r\nb\r\n\x1A"), "a|b|", false, 0, 2, 0},
    {BYTES("a\nb\x1A"), "a|b!", false, 0, 0, 0},
    {BYTES("a\n\x1A\x1A\r\n\x1A\0\0"), "a|", false, 0, 0, 0},
    /* as a power failure leaves a file to which lines are appended */
    {BYTES("a\nb\0\0\0"), "a|b!", true, 3, 0, 2},
    {BYTES("a\n\0\0\0\0"), "a|", true, 4, 0, 2},
    {BYTES("a\nb\0\0\nc\n"), "a|b|c|", true, 2, 0, 2},
    {BYTES("a\r\nb\0\0\r\nc\n"), "a|b|c|", true, 2, 2, 2},
    {BYTES("a\n\0\0\0\n"), "a||", true, 3, 0, 2},
};

Test(text_file, lines)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        char joined[200];
        struct nereus_text_file file;
        struct nereus_error err = {NEREUS_OK, ""};
        put(rows[i].bytes, rows[i].length);
        cr_expect(read_lines(rows[i].grows, joined, sizeof joined, &file, &err) == NEREUS_OK,
                  "row %zu: %s", i, err.text);
        cr_expect(strcmp(joined, rows[i].joined) == 0, "row %zu: \"%s\"", i, joined);
        cr_expect(file.zeros == rows[i].zeros && file.returns == rows[i].returns &&
                      file.zeros_line == rows[i].zeros_line,
                  "row %zu: %lld zeros from line %lld on, %lld returns", i, (long long)file.zeros,
                  (long long)file.zeros_line, (long long)file.returns);
    }
}

/* Also of two members, as `cat a.gz b.gz` makes. */
Test(text_file, packed)
{
    char joined[200];
    struct nereus_text_file file;
    struct nereus_error err = {NEREUS_OK, ""};
    put_packed("wb", BYTES("\xEF\xBB\xBF"
                           "a\r\nb\r"));
    put_packed("ab", BYTES("c\n"));
    if (!can_unpack()) {
        cr_expect(read_lines(false, joined, sizeof joined, &file, &err) == NEREUS_ERR_IO);
        cr_expect(strstr(err.text,
                         "it is packed by gzip, and this Nereus was built without zlib") != NULL,
                  "%s", err.text);
        return;
    }
    cr_expect(read_lines(false, joined, sizeof joined, &file, &err) == NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(joined, "a|b|c|");
    static const struct {
        const char *bytes;
        size_t length;
        bool is_taken;
    } behind[] = {{BYTES("\0\0\0\0"), true}, {BYTES("d\n"), false}, {BYTES("\0d"), false}};
    for (size_t i = 0; i < COUNT(behind); i++) {
        put_packed("wb", BYTES("a\n"));
        FILE *more = fopen(path, "ab");
        cr_assert(fwrite(behind[i].bytes, 1, behind[i].length, more) == behind[i].length);
        fclose(more);
        cr_expect((read_lines(false, joined, sizeof joined, &file, &err) == NEREUS_OK) ==
                      behind[i].is_taken,
                  "row %zu: %s", i, err.text);
    }
    cr_expect(strstr(err.text, "behind its gzip data stands something else") != NULL, "%s",
              err.text);
    put_packed("wb", BYTES("a line that is long enough to be cut off\n"));
    cr_assert(truncate(path, 20) == 0);
    cr_expect(read_lines(false, joined, sizeof joined, &file, &err) == NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "its gzip data is damaged, or not complete") != NULL, "%s",
              err.text);
}

Test(text_file, what_is_no_text)
{
    static const struct {
        const char *bytes;
        size_t length;
        bool grows;
        const char *why;
    } bads[] = {
        {BYTES("\xFF\xFE"
               "a\0\n\0"),
         false, "is UTF-16, which Windows calls Unicode: save it as UTF-8"},
        {BYTES("\xFE\xFF"
               "\0a\0\n"),
         false, "is UTF-16"},
        {BYTES("a\0b\0\n\0"), false, "is UTF-16"},
        {BYTES("\0a\0b"), true, "is UTF-16"},
        {BYTES("a\0b"), false, "is not a text file (it has zero bytes in it)"},
        {BYTES("abc\0b\n"), true, "is not a text file"},
        {BYTES("a\n\x1A\nb\n"), false,
         "is not a text file (it has ^Z, the end of a text on DOS, in it, and goes on"},
        {BYTES("a\n\0\0"), false, "is not a text file"},
        {BYTES("a\n\0b\n"), true, "is not a text file"},
        {BYTES("\0\0\0\0"), true, "is not a text file"},
        {BYTES("\xFF\xFE\0\0"
               "a\0\0\0"),
         false, "is UTF-32: save it as UTF-8"},
        {BYTES("\0\0\xFE\xFF\0\0\0a"), false, "is UTF-32"},
        {BYTES("PK\3\4xxxx"), false,
         "is an archive (as .xlsx and .ods are): save the table as CSV"},
        {BYTES("\xFD"
               "7zXZ\0"),
         false, "is packed, and not by gzip: unpack it first"},
        {BYTES("BZh91AY&SY"), false, "is packed, and not by gzip"},
    };
    for (size_t i = 0; i < COUNT(bads); i++) {
        char joined[200], expected[300];
        struct nereus_text_file file;
        struct nereus_error err = {NEREUS_OK, ""};
        put(bads[i].bytes, bads[i].length);
        cr_expect(read_lines(bads[i].grows, joined, sizeof joined, &file, &err) == NEREUS_ERR_PARSE,
                  "row %zu: %s", i, joined);
        snprintf(expected, sizeof expected, "log '%s' %s", path, bads[i].why);
        cr_expect(strncmp(err.text, expected, strlen(expected)) == 0, "row %zu: %s", i, err.text);
    }
}

/* Lines longer than any buffer, and ends of lines at the ends of buffers. */
Test(text_file, long_lines)
{
    static const size_t lengths[] = {65535, 65536, 131071, 131072, 1000000};
    char *bytes = malloc(2000010);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct nereus_text_file file;
        char *line;
        memset(bytes, 'x', lengths[i]);
        memcpy(bytes + lengths[i], "\r\ny", 3);
        put(bytes, lengths[i] + 3);
        cr_assert(nereus_text_open(path, "log", &file, NULL) == NEREUS_OK);
        cr_assert(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line != NULL);
        cr_expect_eq(strlen(line), lengths[i]);
        cr_assert(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line != NULL);
        cr_expect(strcmp(line, "y") == 0 && file.line == 2 && !file.terminated);
        nereus_text_close(&file);
    }
    free(bytes);
}

/* A line is taken when it has an end. */
Test(text_file, a_file_that_grows)
{
    struct nereus_text_file file;
    char *line;
    cr_assert(nereus_text_open(path, "log", &file, NULL) == NEREUS_OK);
    file.is_followed = true;
    cr_expect(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line == NULL);
    cr_assert(nereus_file_append(path, "one\ntw", 6));
    cr_expect(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && strcmp(line, "one") == 0);
    cr_expect(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line == NULL);
    FILE *more = fopen(path, "a");
    fputs("o\n", more);
    fclose(more);
    cr_expect(nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && strcmp(line, "two") == 0);
    cr_expect_eq(file.line, 2);
    nereus_text_close(&file);
}

Test(text_file, what_begins_a_text_stays_there)
{
    struct nereus_text_file file;
    const char *beginning;
    char *text;
    put(BYTES("\xEF\xBB\xBF; a\r\nb"));
    cr_assert(nereus_text_open(path, "log", &file, NULL) == NEREUS_OK);
    cr_expect(nereus_text_peek(&file, &beginning, NULL) == NEREUS_OK);
    cr_expect_str_eq(beginning, "; a\nb");
    cr_expect(nereus_text_read_line(&file, &text, NULL) == NEREUS_OK && strcmp(text, "; a") == 0);
    cr_expect(nereus_text_read_rest(&file, &text, NULL, NULL) == NEREUS_OK);
    cr_expect_str_eq(text, "b");
    free(text);
    nereus_text_close(&file);
}

/* What is appended begins on a new line. */
Test(text_file, lines_are_appended_behind_whole_ones)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *joined;
    } appended[] = {
        {BYTES(""), "x|"},
        {BYTES("a\n"), "a|x|"},
        {BYTES("a\nhal"), "a|hal|x|"},
        {BYTES("a\nhal\0\0"), "a|hal|x|"},
        {BYTES("a\n\0\0"), "a||x|"},
    };
    for (size_t i = 0; i < COUNT(appended); i++) {
        char joined[200];
        struct nereus_text_file file;
        put(appended[i].bytes, appended[i].length);
        cr_expect(nereus_file_append(path, "x\n", 2));
        cr_expect(read_lines(true, joined, sizeof joined, &file, NULL) == NEREUS_OK);
        cr_expect(strcmp(joined, appended[i].joined) == 0, "row %zu: %s", i, joined);
    }
}

Test(text_file, standard_input_is_one_file)
{
    struct nereus_text_file file;
    struct nereus_error err = {NEREUS_OK, ""};
    char *text;
    put(BYTES("a\r\n"));
    const int input = open(path, O_RDONLY);
    cr_assert(dup2(input, STDIN_FILENO) == STDIN_FILENO);
    cr_expect(nereus_file_read("-", "log", &text, NULL, &err) == NEREUS_OK);
    cr_expect_str_eq(text, "a\n");
    free(text);
    cr_expect(nereus_text_open("-", "log", &file, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "standard input was read before") != NULL, "%s", err.text);
    close(input);
}

Test(text_file, endings)
{
    static const struct {
        const char *name, *ending;
        bool has;
    } names[] = {
        {"a.svg", ".svg", true},    {"A.SVG", ".svg", true}, {"a.Csv.Gz", ".csv.gz", true},
        {"b/.svg", ".svg", false},  {".svg", ".svg", false}, {"a.svgz", ".svg", false},
        {"a.svg/b", ".svg", false}, {"", ".svg", false},     {"svg", ".svg", false},
    };
    for (size_t i = 0; i < COUNT(names); i++)
        cr_expect(nereus_text_has_ending(names[i].name, names[i].ending) == names[i].has, "%s",
                  names[i].name);
    cr_expect(nereus_text_has_ending_or_gz("a.csv.GZ", ".csv") &&
              nereus_text_has_ending_or_gz("a.csv", ".csv") &&
              !nereus_text_has_ending_or_gz(".csv.gz", ".csv") &&
              !nereus_text_has_ending_or_gz("a.gz", ".csv"));
}

/* What is written to "-" is standard output, which stays open. */
Test(text_file, standard_output_is_a_file)
{
    struct nereus_file_replace replace;
    char joined[200];
    struct nereus_text_file file;
    cr_assert(freopen(path, "w", stdout) != NULL);
    for (int i = 0; i < 2; i++) {
        cr_assert(nereus_file_replace_begin("-", &replace, NULL) == NEREUS_OK);
        fputs("a\n", replace.stream);
        cr_assert(nereus_file_replace_commit(&replace, NULL) == NEREUS_OK);
    }
    cr_expect(nereus_file_append("-", "b\n", 2));
    cr_assert(nereus_file_replace_begin("-", &replace, NULL) == NEREUS_OK);
    nereus_file_replace_abort(&replace);
    cr_expect(printf("c\n") == 2 && fflush(stdout) == 0);
    cr_expect(read_lines(true, joined, sizeof joined, &file, NULL) == NEREUS_OK);
    cr_expect_str_eq(joined, "a|a|b|c|");
    cr_expect(!nereus_file_is_same("-", "-"));
}
