/**
 * @file hosts_methods.c
 * No legal pair of method and direction is without a row over several hosts: the list that
 * hosts.cmake leaves, a line for each change of each row, against method_check.c. The asynchronous
 * ones on any network module, the others on all. Without restart, after which other processes run
 * the program from its start.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "nereus/method.h"

/* As test_method.c counts them: every strategy both ways by each process, async or not; ss by all
 * but single, zs and ts. */
enum {
    CHANGES_MAX = 1000,
    HOSTS_MIN = 3,
    LEGAL_PAIRS = 2 * 3 * 2 * NEREUS_STRATEGY_COUNT + 2 * (NEREUS_STRATEGY_COUNT - 1) + 2 * 2
};

static const char *const netmods[] = {"ucx", "ofi"};
enum { NETMODS = sizeof netmods / sizeof netmods[0] };

struct change {
    char netmod[8];
    int hosts;
    int64_t ns, nt;
    struct nereus_method method;
};

static struct change changes[CHANGES_MAX];
static int change_count;

static void read_list(void)
{
    char line[NEREUS_METHOD_TEXT_MAX + 64], text[NEREUS_METHOD_TEXT_MAX];
    struct nereus_error err;
    FILE *file = fopen(NEREUS_BINARY_DIR "/tests/hosts-methods.txt", "r");
    cr_assert(file != NULL, "the list of methods over hosts is missing");
    while (fgets(line, sizeof line, file) != NULL) {
        struct change *change = &changes[change_count++];
        cr_assert(change_count <= CHANGES_MAX);
        cr_assert_eq(sscanf(line, "%7s %d %" SCNd64 " %" SCNd64 " %95s", change->netmod,
                            &change->hosts, &change->ns, &change->nt, text),
                     5, "%s", line);
        cr_assert_eq(nereus_method_parse(text, &change->method, &err), NEREUS_OK, "%s", err.text);
    }
    fclose(file);
}

static bool has_row(const struct nereus_method *m, bool expand, const char *netmod)
{
    for (int i = 0; i < change_count; i++) {
        const struct nereus_method *row = &changes[i].method;
        if (row->process == m->process && row->strategy == m->strategy && row->async == m->async &&
            row->shrink == m->shrink && (changes[i].nt > changes[i].ns) == expand &&
            changes[i].nt != changes[i].ns && changes[i].hosts >= HOSTS_MIN &&
            strcmp(changes[i].netmod, netmod) == 0)
            return true;
    }
    return false;
}

static int expect_row(const struct nereus_method *method, bool expand)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    struct nereus_error err;
    int netmods_with_row = 0;
    if (nereus_method_check_direction(method, 2, expand ? 3 : 1, &err) != NEREUS_OK ||
        nereus_method_check(method, &err) != NEREUS_OK)
        return 0;
    for (int i = 0; i < NETMODS; i++)
        netmods_with_row += has_row(method, expand, netmods[i]);
    cr_expect(
        netmods_with_row == NETMODS || (method->async && netmods_with_row > 0),
        "%s is legal, but tests/hosts/hosts.cmake has no row in which it %s, or not on every network",
        nereus_method_format(method, text), expand ? "expands" : "shrinks");
    return 1;
}

static int expect_all_shrinks(struct nereus_method method)
{
    int legal = 0;
    for (int shrink = 0; shrink < NEREUS_SHRINK_COUNT; shrink++) {
        method.shrink = (enum nereus_shrink)shrink;
        legal += expect_row(&method, true) + expect_row(&method, false);
    }
    return legal;
}

Test(hosts_methods, every_legal_pair_of_method_and_direction)
{
    int legal = 0;
    read_list();
    for (int process = 0; process < NEREUS_RESTART; process++)
        for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++)
            for (int async = 0; async < 2; async++)
                legal += expect_all_shrinks(
                    (struct nereus_method){.process = (enum nereus_process)process,
                                           .strategy = (enum nereus_strategy)strategy,
                                           .async = async != 0});
    cr_expect_eq(legal, LEGAL_PAIRS, "%d", legal);
}

/* A row whose method was rolled back would test something else. */
Test(hosts_methods, every_row_can_be_carried_out)
{
    struct nereus_error err;
    read_list();
    for (int i = 0; i < change_count; i++) {
        cr_expect_eq(nereus_method_check(&changes[i].method, &err), NEREUS_OK, "%s", err.text);
        cr_expect_eq(
            nereus_method_check_direction(&changes[i].method, changes[i].ns, changes[i].nt, &err),
            NEREUS_OK, "%s", err.text);
    }
}
