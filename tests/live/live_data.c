/**
 * @file live_data.c
 * Each way to move data has a live test with each kind of process method: the list that
 * kinds_matrix.cmake leaves, a line for each change of each job, against method_check.c; and the
 * table of both in tests/README.md. Without file, which goes with restart only.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/util/file.h"
#include "nereus/method.h"

enum {
    CHANGES_MAX = 1000,
    OVERLAPS_AND_DISTRIBUTIONS = 4 * 3,
    PAIRS = 11 * 48,
    /* rma has no window where old and new processes are two groups: baseline, parallel or by the
       launcher, too. */
    REFUSED = 3 * OVERLAPS_AND_DISTRIBUTIONS
};

#define BIT(value)   (1u << (unsigned)(value))
#define PARALLEL     0u /* the strategies with a tree: strategies_of */
#define COUNT(array) (sizeof array / sizeof array[0])

/* A kind of process method: any one of the strategies stands for it. */
struct form {
    const char *family, *text; /* as in tests/README.md */
    enum nereus_process process;
    unsigned strategies;
    enum nereus_shrink shrink;
};

static const struct form forms[] = {
    {"baseline", "baseline", NEREUS_BASELINE, BIT(NEREUS_PLAIN), NEREUS_SHRINK_BY_STATE},
    {"baseline-intra", "baseline-intra", NEREUS_BASELINE_INTRA, BIT(NEREUS_PLAIN),
     NEREUS_SHRINK_BY_STATE},
    {"merge", "merge", NEREUS_MERGE, BIT(NEREUS_PLAIN), NEREUS_SHRINK_BY_STATE},
    {"merge", "merge-zs", NEREUS_MERGE, BIT(NEREUS_PLAIN), NEREUS_ZS},
    {"merge", "merge-ts", NEREUS_MERGE, BIT(NEREUS_PLAIN), NEREUS_TS},
    {"parallel", "baseline", NEREUS_BASELINE, PARALLEL, NEREUS_SHRINK_BY_STATE},
    {"parallel", "baseline-intra", NEREUS_BASELINE_INTRA, PARALLEL, NEREUS_SHRINK_BY_STATE},
    {"parallel", "merge", NEREUS_MERGE, PARALLEL, NEREUS_SHRINK_BY_STATE},
    {"launch", "baseline-launch", NEREUS_BASELINE, BIT(NEREUS_LAUNCH), NEREUS_SHRINK_BY_STATE},
    {"launch", "baseline-intra-launch", NEREUS_BASELINE_INTRA, BIT(NEREUS_LAUNCH),
     NEREUS_SHRINK_BY_STATE},
    {"launch", "merge-launch", NEREUS_MERGE, BIT(NEREUS_LAUNCH), NEREUS_SHRINK_BY_STATE},
};

struct change {
    int64_t ns, nt;
    struct nereus_method method;
};

static struct change changes[CHANGES_MAX];
static int change_count;

static void read_list(void)
{
    char line[NEREUS_METHOD_TEXT_MAX + 64], text[NEREUS_METHOD_TEXT_MAX];
    struct nereus_error err;
    FILE *file = fopen(NEREUS_BINARY_DIR "/tests/live-data.txt", "r");
    cr_assert(file != NULL, "the list of ways to move data is missing");
    while (fgets(line, sizeof line, file) != NULL) {
        struct change *change = &changes[change_count++];
        cr_assert(change_count <= CHANGES_MAX);
        cr_assert_eq(sscanf(line, "%" SCNd64 " %" SCNd64 " %95s", &change->ns, &change->nt, text),
                     3, "%s", line);
        cr_assert_eq(nereus_method_parse(text, &change->method, &err), NEREUS_OK, "%s", err.text);
    }
    fclose(file);
}

static struct nereus_method method_of(const struct form *form, int strategy, int data, int rest)
{
    return (struct nereus_method){
        .process = form->process,
        .strategy = (enum nereus_strategy)strategy,
        .shrink = form->shrink,
        .has_data = true,
        .data = (enum nereus_data)data,
        .overlap = (enum nereus_overlap)(rest / NEREUS_DISTRIBUTION_COUNT),
        .distribution = (enum nereus_distribution)(rest % NEREUS_DISTRIBUTION_COUNT)};
}

static unsigned strategies_of(const struct form *form)
{
    unsigned trees = 0;
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
        if (nereus_strategy_is_tree((enum nereus_strategy)s))
            trees |= BIT(s);
    return form->strategies != PARALLEL ? form->strategies : trees;
}

/* Legality is the same for each strategy of the form. A refusal cites its source. */
static bool legal(const struct form *form, int data, int rest)
{
    int legal_count = 0, strategy_count = 0;
    for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++) {
        const struct nereus_method method = method_of(form, strategy, data, rest);
        struct nereus_error err = {NEREUS_OK, ""};
        if ((strategies_of(form) & BIT(strategy)) == 0)
            continue;
        strategy_count++;
        if (nereus_method_check(&method, &err) == NEREUS_OK) {
            legal_count++;
            continue;
        }
        cr_expect_eq(err.status, NEREUS_ERR_ILLEGAL, "%s", err.text);
        cr_expect(strstr(err.text, "(MPI 4.1, 12.2.1)") != NULL &&
                      strstr(err.text, "(Martín-Álvarez et al. (2023), section 4)") != NULL,
                  "no source in '%s'", err.text);
    }
    cr_expect(legal_count == 0 || legal_count == strategy_count);
    return legal_count > 0;
}

/* merge without a shrink kind has to grow: its shrink is one of the kinds. */
static bool is_live(const struct form *form, int data, int rest)
{
    const bool grows = form->process == NEREUS_MERGE && form->shrink == NEREUS_SHRINK_BY_STATE;
    for (int i = 0; i < change_count; i++) {
        const struct nereus_method *m = &changes[i].method;
        const struct nereus_method wanted = method_of(form, (int)m->strategy, data, rest);
        if ((strategies_of(form) & BIT(m->strategy)) && nereus_method_equal(m, &wanted) &&
            (!grows || changes[i].nt > changes[i].ns))
            return true;
    }
    return false;
}

Test(live_data, every_legal_pair_of_process_method_and_way_to_move_data)
{
    int live = 0, refused = 0;
    read_list();
    for (size_t f = 0; f < COUNT(forms); f++) {
        for (int data = 0; data < NEREUS_FILE; data++) {
            for (int rest = 0; rest < NEREUS_OVERLAP_COUNT * NEREUS_DISTRIBUTION_COUNT; rest++) {
                char text[NEREUS_METHOD_TEXT_MAX];
                if (!legal(&forms[f], data, rest)) {
                    refused++;
                    continue;
                }
                const struct nereus_method method =
                    method_of(&forms[f], __builtin_ctz(strategies_of(&forms[f])), data, rest);
                live++;
                cr_expect(is_live(&forms[f], data, rest),
                          "%s (%s) is legal, but tests/live/kinds_matrix.cmake has no job for it",
                          nereus_method_format(&method, text), forms[f].family);
            }
        }
    }
    cr_expect(live == PAIRS - REFUSED && refused == REFUSED, "%d, %d", live, refused);
}

static bool any_change(int data, int strategy, int shrink)
{
    for (int i = 0; i < change_count; i++)
        if (changes[i].method.data == (enum nereus_data)data &&
            (strategy < 0 || changes[i].method.strategy == (enum nereus_strategy)strategy) &&
            (shrink < 0 || changes[i].method.shrink == (enum nereus_shrink)shrink))
            return true;
    return false;
}

/* "Parallel" is any tree: each way to move data has all of them; and where all start again to be
 * fewer, what p2p and coll do is not shared's. */
Test(live_data, all_trees_and_spawn_shrink)
{
    read_list();
    for (int data = 0; data < NEREUS_FILE; data++)
        for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
            cr_expect(!nereus_strategy_is_tree((enum nereus_strategy)s) || any_change(data, s, -1),
                      "way %d, strategy %d: NEREUS_TREES in tests/strategies.cmake", data, s);
    cr_expect(any_change(NEREUS_SHARED, -1, NEREUS_SS));
}

/* A row whose method was rolled back would test something else. */
Test(live_data, every_row_can_be_carried_out)
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

/* How many of the twelve; only with rma is it not all of them. */
static void page_row(const struct form *form, char *row)
{
    sprintf(row, "| %s | %s |", form->family, form->text);
    for (int data = 0; data < NEREUS_FILE; data++) {
        int legal_count = 0;
        for (int rest = 0; rest < NEREUS_OVERLAP_COUNT * NEREUS_DISTRIBUTION_COUNT; rest++)
            legal_count += legal(form, data, rest);
        sprintf(row + strlen(row), " %d |", legal_count);
    }
    strcat(row, "\n");
}

Test(live_data, the_page_shows_this_table_and_these_counts)
{
    char *page, row[160], counts[80];
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_read(NEREUS_SOURCE_DIR "/tests/README.md", "page", &page, NULL, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    for (size_t f = 0; f < COUNT(forms); f++) {
        page_row(&forms[f], row);
        cr_expect(strstr(page, row) != NULL, "tests/README.md lacks the row '%s'", row);
    }
    snprintf(counts, sizeof counts, "%d of these %d are legal, %d are refused", PAIRS - REFUSED,
             PAIRS, REFUSED);
    cr_expect(strstr(page, counts) != NULL, "tests/README.md lacks '%s'", counts);
    free(page);
}
