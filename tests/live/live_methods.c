/**
 * @file live_methods.c
 * Each method that the runtime carries out has a live test: the list that matrix.cmake leaves,
 * against method_check.c. Processes, strategies, threads and shrink kinds in every combination;
 * ways to move data with each of the three processes. Without restart, after which other processes
 * run the program from its start.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "nereus/method.h"

enum { METHODS_MAX = 1000 };

static struct nereus_method live[METHODS_MAX];
static int live_count;

static void read_list(void)
{
    char line[NEREUS_METHOD_TEXT_MAX + 2];
    FILE *file = fopen(NEREUS_BINARY_DIR "/tests/live-methods.txt", "r");
    cr_assert(file != NULL, "the list of live methods is missing");
    while (fgets(line, sizeof line, file) != NULL) {
        struct nereus_error err;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0')
            continue;
        cr_assert(live_count < METHODS_MAX);
        cr_assert_eq(nereus_method_parse(line, &live[live_count], &err), NEREUS_OK, "%s", err.text);
        live_count++;
    }
    fclose(file);
}

static bool same_process_part(const struct nereus_method *a, const struct nereus_method *b)
{
    return a->process == b->process && a->strategy == b->strategy && a->async == b->async &&
           a->shrink == b->shrink;
}

static bool same_data_part(const struct nereus_method *a, const struct nereus_method *b)
{
    return a->process == b->process && b->has_data && a->data == b->data &&
           a->overlap == b->overlap && a->distribution == b->distribution;
}

static void expect_live(const struct nereus_method *method,
                        bool (*same)(const struct nereus_method *, const struct nereus_method *))
{
    char text[NEREUS_METHOD_TEXT_MAX];
    for (int i = 0; i < live_count; i++)
        if (same(method, &live[i]))
            return;
    cr_expect(false, "the runtime carries out %s, but tests/live/matrix.cmake has no row for it",
              nereus_method_format(method, text));
}

static int expect_all_shrinks(struct nereus_method method)
{
    struct nereus_error err;
    int built = 0;
    for (int shrink = 0; shrink < NEREUS_SHRINK_COUNT; shrink++) {
        method.shrink = (enum nereus_shrink)shrink;
        if (nereus_method_check(&method, &err) != NEREUS_OK)
            continue;
        built++;
        expect_live(&method, same_process_part);
    }
    return built;
}

Test(live_methods, every_way_to_start_and_to_end_processes)
{
    int built = 0;
    read_list();
    for (int process = 0; process < NEREUS_RESTART; process++)
        for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++)
            for (int async = 0; async < 2; async++)
                built += expect_all_shrinks(
                    (struct nereus_method){.process = (enum nereus_process)process,
                                           .strategy = (enum nereus_strategy)strategy,
                                           .async = async != 0});
    cr_expect_geq(built, 42); /* what this version could do when the list began */
}

static void expect_all_distributions(struct nereus_method method)
{
    struct nereus_error err;
    for (int i = 0; i < NEREUS_DISTRIBUTION_COUNT; i++) {
        method.distribution = (enum nereus_distribution)i;
        if (nereus_method_check(&method, &err) == NEREUS_OK)
            expect_live(&method, same_data_part);
    }
}

Test(live_methods, every_way_to_move_data)
{
    read_list();
    for (int process = 0; process < NEREUS_RESTART; process++)
        for (int data = 0; data < NEREUS_DATA_COUNT; data++)
            for (int overlap = 0; overlap < NEREUS_OVERLAP_COUNT; overlap++)
                expect_all_distributions(
                    (struct nereus_method){.process = (enum nereus_process)process,
                                           .has_data = true,
                                           .data = (enum nereus_data)data,
                                           .overlap = (enum nereus_overlap)overlap});
}

/* A row whose method was renamed or taken back would test something else. */
Test(live_methods, every_row_can_be_carried_out)
{
    struct nereus_error err;
    read_list();
    for (int i = 0; i < live_count; i++)
        cr_expect_eq(nereus_method_check(&live[i], &err), NEREUS_OK, "%s", err.text);
}
