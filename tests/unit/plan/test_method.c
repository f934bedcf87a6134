/** @file test_method.c  Every method of the grammar there and back; refusals that help; what can be
 *                       planned
 * or carried out. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"
#include "model/util/file.h"
#include "nereus/method.h"
#include "tests/unit/random.h"

/* The grammar of method.h, written down a second time. The first word of a list that may be left
 * out is "". */
static const char *const processes[] = {"baseline", "baseline-intra", "merge", "restart"};
static const char *const strategies[] = {"",          "single",   "multiple", "hypercube",
                                         "diffusive", "binomial", "launch"};
static const char *const asyncs[] = {"", "async"};
static const char *const shrinks[] = {"", "ss", "zs", "ts"};
static const char *const datas[] = {"p2p", "coll", "rma", "shared", "file"};
static const char *const overlaps[] = {"", "waitsources", "waittargets", "thread"};
static const char *const distributions[] = {"", "weighted", "keep"};
_Static_assert(NEREUS_COUNT_OF(strategies) == NEREUS_STRATEGY_COUNT,
               "`strategies` has those of method.h");

/* Counted by hand, with S strategies, of which all but single can respawn: 6 expansions and 6
 * shrinks of each strategy (3 processes, async or not), without a shrink kind; merge's ss with each
 * that can respawn, async or not; its zs and ts, plain. Restart goes with nothing but file, and
 * file with nothing else. */
enum {
    S = NEREUS_COUNT_OF(strategies),
    RESPAWNING = S - 1,
    PROCESS_PARTS = 4 * S * 2 * 4,
    DATA_PARTS = 1 + 5 * 4 * 3,
    METHODS = PROCESS_PARTS * DATA_PARTS,
    EXPANSIONS = 3 * S * 2 + 1,
    SHRINKS = 3 * S * 2 + RESPAWNING * 2 + 2 * 2 + 1,
    WAYS = SHRINKS * 60,
    WAYS_REFUSED = (S + RESPAWNING) * 2 * 4 * 3 /* rma, with baseline or ss, async or not */
                   + (SHRINKS - 1) * 12         /* file, without restart */
                   + 59                         /* restart, but for restart/file */
};

static void append(char *text, const char *separator, const char *word)
{
    if (word[0] != '\0') {
        strcat(text, separator);
        strcat(text, word);
    }
}

/* Method number i of the grammar, 0 <= i < METHODS: its text and what it means. */
static void nth(size_t i, char *text, struct nereus_method *method)
{
    size_t d = i % DATA_PARTS, p = i / DATA_PARTS;
    memset(method, 0, sizeof *method);
    method->process = (enum nereus_process)(p / (S * 8));
    method->strategy = (enum nereus_strategy)(p / 8 % S);
    method->async = p / 4 % 2 == 1;
    method->shrink = (enum nereus_shrink)(p % 4);
    strcpy(text, processes[p / (S * 8)]);
    append(text, "-", strategies[p / 8 % S]);
    append(text, "-", asyncs[p / 4 % 2]);
    append(text, "-", shrinks[p % 4]);
    if (d > 0) {
        d--;
        method->has_data = true;
        method->data = (enum nereus_data)(d / 12);
        method->overlap = (enum nereus_overlap)(d / 3 % 4);
        method->distribution = (enum nereus_distribution)(d % 3);
        append(text, "/", datas[d / 12]);
        append(text, "-", overlaps[d / 3 % 4]);
        append(text, "-", distributions[d % 3]);
    }
}

Test(method, the_lists_have_the_words_of_the_grammar)
{
    cr_assert(NEREUS_COUNT_OF(processes) == NEREUS_PROCESS_COUNT);
    cr_assert(NEREUS_COUNT_OF(strategies) == NEREUS_STRATEGY_COUNT);
    cr_assert(NEREUS_COUNT_OF(shrinks) == NEREUS_SHRINK_COUNT);
    cr_assert(NEREUS_COUNT_OF(datas) == NEREUS_DATA_COUNT);
    cr_assert(NEREUS_COUNT_OF(overlaps) == NEREUS_OVERLAP_COUNT);
    cr_assert(NEREUS_COUNT_OF(distributions) == NEREUS_DISTRIBUTION_COUNT);
}

Test(method, every_method_goes_there_and_back)
{
    size_t seen = 0;
    for (size_t i = 0; i < METHODS; i++, seen++) {
        char text[NEREUS_METHOD_TEXT_MAX], printed[NEREUS_METHOD_TEXT_MAX];
        struct nereus_method expected, parsed;
        struct nereus_error err = {NEREUS_OK, ""};
        nth(i, text, &expected);
        cr_assert(nereus_method_parse(text, &parsed, &err) == NEREUS_OK, "%s", err.text);
        cr_assert(nereus_method_equal(&parsed, &expected), "%s means something else", text);
        cr_assert(nereus_method_format(&parsed, printed) == printed);
        cr_assert(strcmp(printed, text) == 0, "%s is printed as %s", text, printed);
    }
    cr_assert(seen == METHODS);
}

Test(method, all_are_different)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    for (size_t i = 0; i < METHODS; i += 7) {
        struct nereus_method a, b;
        nth(i, text, &a);
        for (size_t j = 0; j < METHODS; j += 5) {
            nth(j, text, &b);
            cr_assert(nereus_method_equal(&a, &b) == (i == j), "%zu and %zu", i, j);
        }
    }
}

Test(method, without_a_data_part_its_fields_do_not_count)
{
    struct nereus_method a = {.process = NEREUS_MERGE},
                         b = {.process = NEREUS_MERGE, .data = NEREUS_RMA};
    char text[NEREUS_METHOD_TEXT_MAX];
    cr_expect(nereus_method_equal(&a, &b));
    cr_expect(strcmp(nereus_method_format(&b, text), "merge") == 0, "%s", text);
    b.has_data = true;
    cr_expect(!nereus_method_equal(&a, &b));
}

Test(method, the_longest_text_fits)
{
    struct nereus_method method;
    char text[NEREUS_METHOD_TEXT_MAX];
    size_t longest = 0;
    for (size_t i = 0; i < METHODS; i++) {
        nth(i, text, &method);
        longest = strlen(text) > longest ? strlen(text) : longest;
    }
    cr_expect(longest + 1 <= NEREUS_METHOD_TEXT_MAX, "%zu characters", longest);
    method = (struct nereus_method){.process = (enum nereus_process)99, .has_data = true};
    cr_expect(strcmp(nereus_method_format(&method, text), "?/p2p") == 0, "%s", text);
}

/* What stands in the tables of the two clusters. */
Test(method, the_methods_of_the_measured_tables_are_known)
{
    static const char *const measured[] = {
        "baseline",           "baseline-async",     "baseline-single", "baseline-single-async",
        "baseline-hypercube", "baseline-diffusive", "merge",           "merge-async",
        "merge-single",       "merge-single-async", "merge-hypercube", "merge-diffusive",
        "merge-ts",           "merge-zs",
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(measured); i++) {
        struct nereus_method method;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert(nereus_method_parse(measured[i], &method, &err) == NEREUS_OK, "%s", err.text);
        cr_expect(nereus_method_check(&method, &err) == NEREUS_OK, "%s", err.text);
    }
}

Test(method, refusals_name_the_word_what_may_stand_there_and_what_was_meant)
{
    static const struct {
        const char *text;
        const char *parts[4]; /* all in the sentence */
    } rows[] = {
        {"", {"method is missing"}},
        {"mrge", {"'mrge'", "baseline, baseline-intra, merge or restart", "did you mean 'merge'?"}},
        {"Merge", {"'Merge'", "did you mean 'merge'?"}},
        {"merge-hypercbe/coll",
         {"'hypercbe'", "single, multiple, hypercube", "did you mean 'hypercube'?"}},
        {"merge-asnyc/coll", {"'asnyc'", "async, ss, zs or ts", "did you mean 'async'?"}},
        {"merge-single-zz", {"'zz'", "async, ss, zs or ts"}},
        {"merge-async-single", {"'single'", "ss, zs or ts", "further to the left"}},
        {"merge-single-multiple", {"'multiple'", "a spawn strategy already: 'single'"}},
        {"merge-single-single", {"'single'", "'single' stands there already"}},
        {"merge-zs-ts", {"'ts' is one word too many", "a shrink kind already: 'zs'"}},
        {"merge-zs-x", {"'x' is one word too many"}},
        {"merge-merge", {"'merge'", "'merge' stands there already"}},
        {"merge-baseline", {"'baseline'", "a process method already: 'merge'"}},
        {"single", {"'single'", "may only follow a process method"}},
        {"merge-coll", {"'coll'", "'coll' belongs behind the '/'"}},
        {"coll", {"'coll'", "'coll' belongs behind the '/'"}},
        {"merge/single", {"'single'", "p2p, coll, rma, shared or file", "belongs before the '/'"}},
        {"merge/col", {"'col'", "p2p, coll, rma, shared or file", "did you mean 'coll'?"}},
        {"merge/coll-waitsource",
         {"'waitsource'", "waittargets, thread, weighted or keep", "'waitsources'?"}},
        {"merge/coll-keep-thread", {"'thread' is one word too many", "further to the left"}},
        {"merge/thread", {"'thread'", "may only follow a redistribution"}},
        {"merge/p2p-p2p", {"'p2p'", "stands there already"}},
        {"merge/", {"missing at character 7", "p2p, coll, rma, shared or file"}},
        {"/coll", {"missing at character 1", "baseline, baseline-intra, merge or restart"}},
        {"merge-", {"missing at character 7", "single"}},
        {"merge--async", {"missing at character 7"}},
        {"merge-zs-", {"nothing may follow at character 10"}},
        {"merge/coll-", {"missing at character 12", "waitsources"}},
        {"-merge", {"missing at character 1"}},
        {"merge/coll/p2p", {"only one '/'"}},
        {"merge //coll", {"without spaces"}},
        {" merge", {"without spaces"}},
        {"merge\n", {"without spaces"}},
        {"baseline-intraa", {"'intraa'"}},
        {"mergex", {"'mergex'", "did you mean 'merge'?"}},
        {"merge/coll-sync", {"'sync'", "leave it out: 'sync' is what no word there means"}},
        {"merge/coll-thread-block", {"'block'", "leave it out"}},
        {"merge-plain/coll", {"'plain'", "leave it out"}},
        {"merge/collx-thread", {"'collx'", "did you mean 'coll'?"}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        struct nereus_method method = {
            .process = NEREUS_MERGE, .strategy = NEREUS_LAUNCH, .data = NEREUS_SHARED};
        struct nereus_method before = method;
        cr_expect(nereus_method_parse(rows[i].text, &method, &err) == NEREUS_ERR_PARSE, "'%s'",
                  rows[i].text);
        cr_expect(memcmp(&method, &before, sizeof method) == 0, "'%s' wrote its output",
                  rows[i].text);
        cr_expect(nereus_method_parse(rows[i].text, &method, NULL) == NEREUS_ERR_PARSE, "'%s'",
                  rows[i].text);
        for (size_t p = 0; p < 4 && rows[i].parts[p] != NULL; p++) {
            cr_expect(strstr(err.text, rows[i].parts[p]) != NULL, "'%s': no \"%s\" in \"%s\"",
                      rows[i].text, rows[i].parts[p], err.text);
        }
    }
    cr_expect(nereus_method_parse(NULL, &(struct nereus_method){0}, NULL) == NEREUS_ERR_PARSE);
}

/* Whatever is written, it is either refused with a sentence or printed back as it was written. */
Test(method, random_slips)
{
    static const char letters[] = "abcegilmnoprstwz2-/ ";
    size_t refused = 0;
    for (int trial = 0; trial < 20000; trial++) {
        char text[NEREUS_METHOD_TEXT_MAX + 8], printed[NEREUS_METHOD_TEXT_MAX];
        struct nereus_method method;
        nth(random_bits() % METHODS, text, &method);
        for (int64_t slips = random_below(4); slips > 0; slips--) {
            size_t at = random_bits() % strlen(text);
            if (random_below(2) == 0)
                text[at] = letters[random_bits() % (sizeof letters - 1)];
            else if (strlen(text) > 1)
                memmove(text + at, text + at + 1, strlen(text + at));
        }
        struct nereus_error err = {NEREUS_OK, ""};
        if (nereus_method_parse(text, &method, &err) == NEREUS_OK) {
            cr_assert(strcmp(nereus_method_format(&method, printed), text) == 0, "%s -> %s", text,
                      printed);
        } else {
            cr_assert(strlen(err.text) > 10, "'%s': '%s'", text, err.text);
            refused++;
        }
    }
    cr_expect(refused > 10000 && refused < 20000, "%zu", refused);
}

Test(method, a_very_long_text_is_refused)
{
    char text[5000];
    struct nereus_method method;
    struct nereus_error err;
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = '\0';
    cr_expect(nereus_method_parse(text, &method, &err) == NEREUS_ERR_PARSE);
    memcpy(text, "merge-", 6);
    cr_expect(nereus_method_parse(text, &method, &err) == NEREUS_ERR_PARSE);
    memcpy(text, "merge/", 6);
    cr_expect(nereus_method_parse(text, &method, &err) == NEREUS_ERR_PARSE);
}

/* ---- what is legal --------------------------------------------------------------------------- */

Test(method, what_is_legal_what_is_planned_and_why_not)
{
    enum nereus_status ok = NEREUS_OK, never = NEREUS_ERR_ILLEGAL;
    const struct {
        const char *text;
        enum nereus_status planned;
        const char *word; /* in the sentence of nereus_method_check */
    } rows[] = {
        {"baseline", ok, NULL},
        {"merge", ok, NULL},
        {"merge-zs", ok, NULL},
        {"baseline/coll", ok, NULL},
        {"merge-zs/p2p", ok, NULL},
        {"merge-ts", ok, NULL},
        {"merge-ss", ok, NULL},
        {"merge-async-ts/coll", ok, NULL},
        {"merge-hypercube-ss", ok, NULL},
        {"merge-launch-async-ss", ok, NULL},
        {"merge-hypercube/coll", ok, NULL},
        {"baseline-diffusive", ok, NULL},
        {"merge-binomial-async-ss", ok, NULL},
        {"merge-single-async/coll", ok, NULL},
        {"merge-multiple", ok, NULL},
        {"merge-launch-async", ok, NULL},
        {"baseline-intra-multiple-async/p2p", ok, NULL},
        {"merge/rma", ok, NULL},
        {"merge/shared", ok, NULL},
        {"merge/coll-waitsources", ok, NULL},
        {"merge-async-ts/p2p-waittargets", ok, NULL},
        {"baseline-single/p2p-thread", ok, NULL},
        {"baseline/rma", never,
         "'rma' needs a window, which is created over an intra-communicator (MPI 4.1, 12.2.1)"},
        {"baseline-launch/rma-thread-keep", never, "use baseline-intra"},
        {"merge-diffusive-ss/rma", never, "ss is carried out as a baseline"},
        {"baseline-intra/rma", ok, NULL},
        {"merge/p2p-weighted", ok, NULL},
        {"merge/p2p-keep", ok, NULL},
        {"baseline-zs", never, "'zs' goes with merge only"},
        {"baseline-ts/rma", never, "'ts' goes with merge only"},
        {"baseline-intra-ss", never, "Martín-Álvarez et al. (2024a), section 3.1"},
        {"merge-single-ts", never, "Martín-Álvarez et al. (2024a), section 3.3"},
        {"merge-hypercube-zs/coll", never, "'hypercube' has no effect"},
        {"merge-single-ss", never, "Martín-Álvarez et al. (2025), section 4.6"},
        {"restart", ok, NULL},
        {"restart/file", ok, NULL},
        {"restart-single", never, "'single' says who spawns processes"},
        {"restart-launch/file", never, "'launch' says who spawns processes"},
        {"restart-async", never, "'async' starts processes while the sources compute"},
        {"restart-ts", never, "'ts' goes with merge only: restart"},
        {"restart/coll", never, "'coll' sends data from process to process"},
        {"restart/p2p-thread", never, "use file"},
        {"restart/file-thread", never, "'thread' moves data while the application computes"},
        {"restart/file-keep", never, "'keep' goes with data that is sent"},
        {"merge/file", never, "'file' goes with restart only"},
        {"baseline/file", never, "'file' goes with restart only"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_method method;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert(nereus_method_parse(rows[i].text, &method, &err) == NEREUS_OK, "%s", err.text);
        cr_expect(nereus_method_check(&method, &err) == rows[i].planned, "%s: %s", rows[i].text,
                  err.text);
        cr_expect(rows[i].word == NULL || strstr(err.text, rows[i].word) != NULL,
                  "%s: no \"%s\" in \"%s\"", rows[i].text, rows[i].word, err.text);
        cr_expect(rows[i].word == NULL || strstr(err.text, rows[i].text) != NULL, "%s: %s",
                  rows[i].text, err.text);
        /* The runtime refuses what is illegal for the same reason. */
        cr_expect((nereus_method_check(&method, &err) == never) == (rows[i].planned == never), "%s",
                  rows[i].text);
    }
}

static bool legal(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    struct nereus_error err = {NEREUS_OK, ""};
    const enum nereus_status status = nereus_method_check(method, &err);
    cr_assert(status == NEREUS_OK || status == NEREUS_ERR_ILLEGAL, "%s", err.text);
    const enum nereus_status direction = nereus_method_check_direction(method, ns, nt, &err);
    cr_assert(direction == NEREUS_OK || direction == NEREUS_ERR_ILLEGAL, "%s", err.text);
    cr_assert(status == NEREUS_OK || direction == NEREUS_ERR_ILLEGAL,
              "refused always, but not from %lld to %lld", (long long)ns, (long long)nt);
    cr_assert(direction == NEREUS_OK || strstr(err.text, "et al. (2") != NULL, "no source in '%s'",
              err.text);
    return status == NEREUS_OK && direction == NEREUS_OK;
}

/* {baseline, baseline-intra, merge, restart} x strategies x {async or not} x {expand, shrink} x 4
 * shrink kinds. */
Test(method, legal_and_refused_pairs)
{
    size_t expand = 0, shrink = 0, same = 0, always = 0;
    for (size_t i = 0; i < PROCESS_PARTS; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        struct nereus_method method;
        nth(i * DATA_PARTS, text, &method);
        expand += legal(&method, 3, 5);
        shrink += legal(&method, 5, 3);
        same += legal(&method, 5, 5);
        always += nereus_method_check(&method, NULL) == NEREUS_OK;
    }
    cr_expect(expand == EXPANSIONS, "%zu", expand);
    cr_expect(shrink == SHRINKS, "%zu", shrink);
    cr_expect(same == shrink && always == shrink, "%zu, %zu", same, always);
}

/* {p2p, coll, rma, shared, file} x {sync, waitsources, waittargets, thread} x {block, weighted,
 * keep}, beside each of the legal process parts: what is refused is rma where old and new processes
 * have no communicator in common, which are baseline and ss; and what is not restart/file, if one
 * of the two is there. */
Test(method, legal_ways_to_move_data)
{
    size_t all = 0, refused = 0;
    for (size_t i = 0; i < METHODS; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        struct nereus_method method, process;
        struct nereus_error err = {NEREUS_OK, ""};
        nth(i, text, &method);
        process = method;
        process.has_data = false;
        if (!method.has_data || nereus_method_check(&process, NULL) != NEREUS_OK)
            continue;
        all++;
        if (nereus_method_check(&method, &err) != NEREUS_ERR_ILLEGAL)
            continue;
        refused++;
        cr_expect(method.process == NEREUS_RESTART || method.data == NEREUS_FILE ||
                      (method.data == NEREUS_RMA && strstr(err.text, "MPI 4.1, 12.2.1") != NULL),
                  "%s: %s", text, err.text);
        cr_expect(nereus_method_check_direction(&method, 5, 3, NULL) == NEREUS_ERR_ILLEGAL, "%s",
                  text);
    }
    cr_expect(all == WAYS && refused == WAYS_REFUSED, "%zu of %zu", refused, all);
}

Test(method, directions)
{
    static const struct {
        const char *text;
        bool expand, same, shrink;
    } rows[] = {{"merge", true, true, true},          {"merge-diffusive", true, true, true},
                {"merge-ss", false, true, true},      {"merge-zs", false, true, true},
                {"merge-ts", false, true, true},      {"baseline-launch", true, true, true},
                {"baseline-ss", false, false, false}, {"restart/file", true, true, true}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_method method;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert(nereus_method_parse(rows[i].text, &method, NULL) == NEREUS_OK);
        cr_expect((nereus_method_check_direction(&method, 4, 9, &err) == NEREUS_OK) ==
                  rows[i].expand);
        cr_expect(rows[i].expand || strstr(err.text, rows[i].text) != NULL, "%s", err.text);
        cr_expect((nereus_method_check_direction(&method, 9, 9, NULL) == NEREUS_OK) ==
                  rows[i].same);
        cr_expect((nereus_method_check_direction(&method, 9, 4, NULL) == NEREUS_OK) ==
                  rows[i].shrink);
    }
}

/* Is the word in a cell of a table, which lists several with commas? "all": every one. */
static bool cell_has(const char *cell, size_t length, const char *word)
{
    const size_t n = strlen(word);
    if (length == 3 && memcmp(cell, "all", 3) == 0)
        return true;
    for (size_t i = 0; i + n <= length; i++)
        if (memcmp(cell + i, word, n) == 0 && (i == 0 || cell[i - 1] == ' ') &&
            (i + n == length || cell[i + n] == ','))
            return true;
    return false;
}

/* The cells behind the first two of the row in docs/methods.md that has both words; NULL: none. */
static const char *cells_of(const char *page, const char *process, const char *strategy)
{
    for (const char *line = page; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *first_end, *second_end;
        if (strncmp(line, "| ", 2) != 0 || (first_end = strstr(line + 2, " | ")) == NULL ||
            (second_end = strstr(first_end + 3, " | ")) == NULL)
            continue;
        if (cell_has(line + 2, (size_t)(first_end - line - 2), process) &&
            cell_has(first_end + 3, (size_t)(second_end - first_end - 3), strategy))
            return second_end + 1;
    }
    return NULL;
}

/* What the table says of a process and a strategy: expand, shrink, and the shrink kinds. */
static void legal_cells(int process, int strategy, char *cells)
{
    const struct nereus_method expand = {.process = (enum nereus_process)process,
                                         .strategy = (enum nereus_strategy)strategy};
    sprintf(cells, "| %s |", legal(&expand, 3, 5) ? "yes" : "no");
    for (int shrink = 0; shrink < NEREUS_SHRINK_COUNT; shrink++) {
        struct nereus_method method = expand;
        method.shrink = (enum nereus_shrink)shrink;
        strcat(cells, legal(&method, 5, 3) ? " yes |" : " no |");
        method.async = true;
        cr_assert(legal(&method, 5, 3) == (process != NEREUS_RESTART &&
                                           strcmp(cells + strlen(cells) - 5, "yes |") == 0),
                  "async is legal with the same, but not with restart");
    }
    strcat(cells, "\n");
}

/* A row of the table of ways to move data: the same with every overlap and every distribution,
 * which do not go with restart. */
static void page_row_of_data(int data, char *row)
{
    sprintf(row, "| %s |", datas[data]);
    static const enum nereus_process forms[] = {NEREUS_BASELINE, NEREUS_BASELINE_INTRA,
                                                NEREUS_MERGE, NEREUS_MERGE, NEREUS_RESTART};
    for (int form = 0; form < 5; form++) { /* the fourth: merge with ss */
        const int rests = forms[form] == NEREUS_RESTART ? 1 : 12;
        size_t legal_ones = 0, all = 0;
        for (int rest = 0; rest < rests; rest++, all++) {
            const struct nereus_method method = {
                .process = forms[form],
                .shrink = form == 3 ? NEREUS_SS : NEREUS_SHRINK_BY_STATE,
                .has_data = true,
                .data = (enum nereus_data)data,
                .overlap = (enum nereus_overlap)(rest / 3),
                .distribution = (enum nereus_distribution)(rest % 3)};
            legal_ones += nereus_method_check(&method, NULL) != NEREUS_ERR_ILLEGAL;
        }
        cr_expect(legal_ones == 0 || legal_ones == all, "%s%d: %zu of %zu", row, form, legal_ones,
                  all);
        strcat(row, legal_ones > 0 ? " yes |" : " no |");
    }
    strcat(row, "\n");
}

Test(method, the_page_shows_the_ways_to_move_data)
{
    char *page, row[160];
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_read(NEREUS_SOURCE_DIR "/docs/methods.md", "page", &page, NULL, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    for (int data = 0; data < NEREUS_DATA_COUNT; data++) {
        page_row_of_data(data, row);
        cr_expect(strstr(page, row) != NULL, "docs/methods.md lacks the row '%s'", row);
    }
    free(page);
}

Test(method, the_page_shows_this_table)
{
    char *page, cells[80];
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_read(NEREUS_SOURCE_DIR "/docs/methods.md", "page", &page, NULL, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    for (int process = 0; process < NEREUS_PROCESS_COUNT; process++) {
        for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++) {
            const char *const word = strategy == 0 ? "plain" : strategies[strategy];
            const char *const said = cells_of(page, processes[process], word);
            legal_cells(process, strategy, cells);
            cr_expect(said != NULL && strncmp(said, cells, strlen(cells)) == 0,
                      "docs/methods.md has no row of %s and %s with '%s'", processes[process], word,
                      cells);
        }
    }
    free(page);
}

/* Has the page a row with the word in its first cell? */
static bool has_row(const char *page, const char *word)
{
    for (const char *line = page; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *const end = strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " |") : NULL;
        if (end != NULL && cell_has(line + 2, (size_t)(end - line - 2), word))
            return true;
    }
    return false;
}

/* What no other test would miss: the grammar on a page, and rows of words. */
Test(method, every_strategy_is_described)
{
    char *methods, *model, quoted[40];
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_read(NEREUS_SOURCE_DIR "/docs/methods.md", "page", &methods, NULL,
                               &err) == NEREUS_OK);
    cr_assert(nereus_file_read(NEREUS_SOURCE_DIR "/model/price/README.md", "page", &model, NULL,
                               &err) == NEREUS_OK);
    for (int s = 1; s < NEREUS_STRATEGY_COUNT; s++) {
        const char *const word = strategies[s];
        snprintf(quoted, sizeof quoted, "\"%s\"", word);
        cr_expect(strstr(methods, quoted) != NULL, "the grammar in docs/methods.md lacks %s",
                  quoted);
        cr_expect(has_row(methods, word), "docs/methods.md has no row of %s", word);
        cr_expect(!nereus_strategies[s]->several_worlds || has_row(model, word),
                  "model/price/README.md has no row of the steps of %s", word);
    }
    free(methods);
    free(model);
}

/* All that is legal, as counted above: no data, or any; without rma where it has no window. */
Test(method, the_legal_methods_are_as_many_as_counted)
{
    size_t planned = 0;
    for (size_t i = 0; i < METHODS; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        struct nereus_method method;
        nth(i, text, &method);
        planned += nereus_method_check(&method, NULL) == NEREUS_OK;
    }
    cr_expect(planned == SHRINKS + WAYS - WAYS_REFUSED, "%zu", planned);
}

Test(method, values_outside_the_lists_are_refused)
{
    struct nereus_method method = {.process = NEREUS_MERGE, .strategy = (enum nereus_strategy)77};
    struct nereus_error err;
    cr_expect(nereus_method_check_direction(&method, 3, 5, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_method_check(&method, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "77") != NULL, "%s", err.text);
}
