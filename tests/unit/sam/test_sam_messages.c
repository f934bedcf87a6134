/** @file test_sam_messages.c  Messages of a stage by process, and stages that run now and then. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "sam/synthetic/config.h"
#include "sam/synthetic/messages.h"

/* "s1:800 r2:64": sends 800 bytes to 1, receives 64 from 2. */
static void list(const struct sam_message *messages, int count, char *text, size_t size)
{
    size_t index = 0;
    text[0] = '\0';
    for (int i = 0; i < count && index < size; i++)
        index +=
            (size_t)snprintf(text + index, size - index, "%s%c%d:%d", i > 0 ? " " : "",
                             messages[i].sends ? 's' : 'r', messages[i].peer, messages[i].bytes);
}

static char file[] = "/tmp/nereus-test-messages-XXXXXX.csv";

static void write_rows(void)
{
    const int descriptor = mkstemps(file, 4);
    FILE *stream = fdopen(descriptor, "w");
    fputs("processes,stage,from,to,bytes\n3,1,0,2,800\n3,1,2,0,64\n3,1,2,2,5\n3,4,0,1,7\n"
          "2,1,0,1,9\n",
          stream);
    fclose(stream);
}

Test(sam_messages, of_a_process)
{
    static const struct {
        const char *text; /* NULL: the file above */
        int stage, rank, processes;
        const char *messages; /* NULL: no row for so many processes */
    } rows[] = {
        {"1:800,-1:64", 0, 0, 5, "s1:800 r4:800 s4:64 r1:64"},
        {"1:800,-1:64", 0, 4, 5, "s0:800 r3:800 s3:64 r0:64"},
        {"7:3", 0, 1, 3, "s2:3 r0:3"}, /* around the ring */
        {"-4:3", 0, 0, 3, "s2:3 r1:3"},
        {"2:0", 0, 1, 1, "s0:0 r0:0"},
        {NULL, 1, 0, 3, "s2:800 r2:64"},
        {NULL, 1, 2, 3, "r0:800 s0:64 s2:5 r2:5"},
        {NULL, 1, 1, 3, ""},
        {NULL, 4, 1, 3, "r0:7"},
        {NULL, 1, 1, 2, "r0:9"},
        {NULL, 1, 0, 4, NULL},
    };
    write_rows();
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct sam_messages_of of = {rows[i].stage, rows[i].rank, rows[i].processes};
        struct sam_message *messages;
        struct nereus_error err = {.status = NEREUS_OK};
        int count;
        char text[256];
        cr_assert_eq(
            sam_messages_read(rows[i].text ? rows[i].text : file, of, &messages, &count, &err),
            NEREUS_OK, "row %zu: %s", i, err.text);
        cr_expect_eq(count < 0, rows[i].messages == NULL, "row %zu: %d messages", i, count);
        list(messages, count, text, sizeof text);
        if (rows[i].messages != NULL)
            cr_expect_str_eq(text, rows[i].messages, "row %zu: %s", i, text);
        free(messages);
    }
    unlink(file);
}

Test(sam_messages, refused)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"1:", "must be offset:bytes,... as -1:800,1:800, or FILE.csv, not '1:'"},
        {"1:5;2:6", "must be offset:bytes"},
        {"1:-5", "must be offset:bytes"},
        {"1:5,", "must be offset:bytes"},
        {"1:3000000000", "must be offset:bytes"},
        {"nowhere.csv", "nowhere.csv"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct sam_message *messages;
        struct nereus_error err = {.status = NEREUS_OK};
        int count;
        cr_expect_neq(sam_messages_read(rows[i].text, (struct sam_messages_of){0, 0, 2}, &messages,
                                        &count, &err),
                      NEREUS_OK, "row %zu", i);
        cr_expect(strstr(err.text, rows[i].says) != NULL, "row %zu: %s", i, err.text);
    }
}

/* Over many iterations a stage runs iterations / every times, as evenly as possible. */
Test(sam_messages, stages_now_and_then)
{
    static const struct {
        double every;
        int64_t iterations, times, most; /* in all, and in one iteration */
    } rows[] = {
        {1, 77, 77, 1},   {10, 99, 9, 1},   {10, 100, 10, 1},         {56.44, 508, 9, 1},
        {0.25, 9, 36, 4}, {0.4, 10, 25, 3}, {1.0 / 3, 1000, 3000, 3}, {1e9, 1000, 0, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct sam_stage stage = {.interval_iterations = rows[i].every};
        int64_t sum = 0, most = 0;
        for (int64_t k = 0; k < rows[i].iterations; k++) {
            const int64_t times = sam_config_times(&stage, k);
            sum += times;
            most = times > most ? times : most;
        }
        cr_expect(sum == rows[i].times && most == rows[i].most, "row %zu: %lld, %lld at once", i,
                  (long long)sum, (long long)most);
    }
}
