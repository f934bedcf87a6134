/**
 * @file test_sam_config.c
 * The configuration of the synthetic application: what is read, what is refused, and with which
 * sentence.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/file.h"
#include "sam/synthetic/config.h"
#include "sam/synthetic/keys.h"

static struct sam_config config;

static enum nereus_status parse(const char *text, struct nereus_error *err)
{
    memset(&config, 0, sizeof config);
    return sam_config_parse("app.ini", text, &config, err);
}

static void load_example(const char *name)
{
    char path[1024], *text;
    struct nereus_error err = {NEREUS_OK, ""};
    snprintf(path, sizeof path, "%s/sam/examples/%s", NEREUS_SOURCE_DIR, name);
    cr_assert_eq(nereus_file_read(path, "configuration", &text, NULL, &err), NEREUS_OK, "%s",
                 err.text);
    enum nereus_status status = sam_config_parse(path, text, &config, &err);
    free(text);
    cr_assert_eq(status, NEREUS_OK, "%s", err.text);
}

#define STAGE  "[stage0]\nStage_Type = 0\nStage_Time = 0.03\n"
#define GROUP0 "[group0]\nIters = 7\nProcs = 3\n"
#define GROUP1 "[group1]\nIters = 11\nProcs = 5\n"
/* Lines 1-3, 4-6, 7-9. */
#define BASE STAGE GROUP0 GROUP1

Test(sam_config, defaults)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse(BASE, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(config.stage_count, 1);
    cr_assert_eq(config.group_count, 2);
    cr_assert_eq(config.reconfigurations, 1);
    cr_assert_eq(config.granularity, 100);
    cr_assert_eq(config.constant_bytes, 0);
    cr_assert_eq(config.variable_bytes, 0);
    cr_assert_float_eq(config.groups[0].factor, 1.0 / 3.0, 1e-14);
    cr_assert_float_eq(config.groups[1].factor, 0.2, 1e-14);
    cr_assert_str_eq(config.groups[1].method, "merge/coll");
    cr_assert_str_eq(config.groups[0].method, "");
    cr_assert_str_eq(config.notes, "");
}

/* Every value of a file in the keys of the paper (Martín-Álvarez et al. (2024b), section 4.4). */
Test(sam_config, paper_keys)
{
    load_example("two-to-four.ini");
    cr_assert_eq(config.stage_count, 2);
    cr_assert_eq(config.granularity, 1000);
    cr_assert_eq(config.constant_bytes, 7728000); /* 96.6 % of 8000000 */
    cr_assert_eq(config.variable_bytes, 272000);
    cr_assert_eq(config.stages[0].type, SAM_PI);
    cr_assert_float_eq(config.stages[0].time_s, 0.02, 1e-14);
    cr_assert_eq(config.stages[1].type, SAM_ALLGATHER);
    cr_assert_eq(config.stages[1].bytes, 80000);
    cr_assert_eq(config.groups[1].processes, 4);
    cr_assert_float_eq(config.groups[1].factor, 0.28, 1e-14);
    cr_assert_str_eq(config.groups[1].method, "baseline/coll");
}

/* As on the command line of nereus. */
Test(sam_config, bytes_have_units)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(
        parse("[general]\nconstant_bytes = 64MB\nvariable_bytes = 1.5KiB\n" STAGE GROUP0, &err),
        NEREUS_OK, "%s", err.text);
    cr_expect_eq(config.constant_bytes, 64000000);
    cr_expect_eq(config.variable_bytes, 1536);
    cr_assert_eq(
        parse("[general]\nconstant_bytes = 0.3KiB\nvariable_bytes = 7.5\n" STAGE GROUP0, &err),
        NEREUS_OK, "%s", err.text);
    cr_expect_eq(config.constant_bytes, 307); /* 307.2 */
    cr_expect_eq(config.variable_bytes, 8);
}

Test(sam_config, other_examples)
{
    load_example("minimal.ini");
    cr_assert_eq(config.groups[0].processes, 2);
    load_example("chain.ini");
    cr_assert_eq(config.group_count, 4);
    cr_assert_eq(config.constant_bytes, 2000011);
    cr_assert_str_eq(config.groups[2].method, "merge/p2p");
    cr_assert_str_eq(config.groups[3].method, "baseline/p2p");
}

/* Each default by itself: a default that its key refuses would silently be 0. */
Test(sam_config, defaults_are_allowed_values)
{
    for (int k = 0; k < sam_table.key_count; k++) {
        struct nereus_ini_table one = sam_table;
        one.keys = &sam_table.keys[k];
        one.key_count = 1;
        cr_expect_eq(nereus_ini_keys_set_defaults(&one, one.keys->section, &config), NEREUS_OK,
                     "%s = %s", one.keys->names[0], one.keys->default_value);
    }
}

/* Names whatever the case, the older name of a key, indentation, both kinds of comments,
 * [resizeN], sections in any order. */
Test(sam_config, spellings)
{
    struct nereus_error err = {NEREUS_OK, ""};
    const char *text =
        "[resize1]\n   iters = 13 # thirteen\n   PROCS=2 ; two\n"
        "spawn_method = Baseline\nRedistribution_Method: p2p\nRedistribution_Strategy = "
        "3\n\n; a comment\n# another\n"
        "[General]# all\nTotal_Resizes = 1\nADR = 24\nvariable_bytes = 40\n" STAGE GROUP0;
    cr_assert_eq(parse(text, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(config.groups[1].iterations, 13);
    cr_assert_eq(config.groups[1].processes, 2);
    cr_assert_str_eq(config.groups[1].method, "baseline/p2p-waittargets");
    cr_assert_eq(config.constant_bytes, 24);
    cr_assert_eq(config.variable_bytes, 40);
}

Test(sam_config, notes)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse(BASE "[stage1]\ntype = wait\nbytes = 5\n", &err), NEREUS_OK, "%s", err.text);
    cr_assert_str_eq(config.notes, "app.ini:12: Stage_Bytes has no effect on barrier and wait\n");
    /* Sentences beyond the room for them are cut, not written over something else. */
    char text[4096] = "[general]\nRigid = 1\nCapture_Method = 1\n";
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "[stage%d]\ntype = pi\ntime_s = 1\nbytes = 5\n", i);
    cr_assert_eq(parse(strcat(text, GROUP0), &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(strlen(config.notes), sizeof config.notes - 1);
}

struct refusal {
    const char *text;     /* of the file */
    const char *sentence; /* a part of it */
    enum nereus_status status;
};

static const struct refusal refusals[] = {
    {STAGE GROUP0 "[group1]\nIterz = 3\n",
     "app.ini:8: unknown key 'Iterz' in [group1]; did you mean 'Iters'?", NEREUS_ERR_PARSE},
    {"[resize1]\nIterz = 3\n", "app.ini:2: unknown key 'Iterz' in [resize1]; did you mean 'Iters'?",
     NEREUS_ERR_PARSE},
    {"[general]\nGranularty = 3\n",
     "app.ini:2: unknown key 'Granularty' in [general]; did you mean 'Granularity'?",
     NEREUS_ERR_PARSE},
    {"[stage0]\nxyzzy = 3\n",
     "app.ini:2: unknown key 'xyzzy' in [stage0], which has Stage_Type, Stage_Time, Stage_Bytes, ",
     NEREUS_ERR_PARSE},
    {"[general]\nIters = 3\n", "app.ini:2: 'Iters' is a key of [group0], not of [general]",
     NEREUS_ERR_PARSE},
    {STAGE "\n[gruop1]\n", "app.ini:5: unknown section [gruop1]; did you mean 'group0'?",
     NEREUS_ERR_PARSE},
    {"[reszie1]\n", "app.ini:1: unknown section [reszie1]; did you mean 'resize0'?",
     NEREUS_ERR_PARSE},
    {"[generall]\n", "app.ini:1: unknown section [generall]; did you mean 'general'?",
     NEREUS_ERR_PARSE},
    {"[stage]\n", "app.ini:1: unknown section [stage]; did you mean 'stage0'?", NEREUS_ERR_PARSE},
    {"[quux]\n", "unknown section [quux]; a section reads [general], [stage0] or [group0]",
     NEREUS_ERR_PARSE},
    {"[stage64]\n", "app.ini:1: [stage64]: at most [stage63]", NEREUS_ERR_PARSE},
    {"[stage99999999999999999999]\n", "at most [stage63]", NEREUS_ERR_PARSE},
    {"Iters = 3\n", "app.ini:1: 'Iters' stands before any [section]", NEREUS_ERR_PARSE},
    {"[stage0\n", "app.ini:1: '[' without ']'", NEREUS_ERR_PARSE},
    {STAGE "three words here\n[grup0]\n", "app.ini:4: neither 'key = value' nor '[section]'",
     NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs = 3\nprocesses = 4\n",
     "app.ini:6: 'processes' in [group0] is given already in line 5", NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs = 3\n[resize0]\nIters = 4\n",
     "app.ini:6: [resize0] is given already in line 4", NEREUS_ERR_PARSE},
    {STAGE "[group0]\nIters = 7\nProcs = 0\n",
     "app.ini:6: Procs in [group0] must be an integer from 1 to 1000000, not '0'",
     NEREUS_ERR_PARSE},
    {"[general]\nbytes = 64XB\n" BASE,
     "app.ini:2: bytes in [general] must be a number of bytes from 0 to 1000000000000000, as 4096, "
     "64MB or 64MiB, not '64XB'",
     NEREUS_ERR_PARSE},
    {"[general]\nADR = -1\n" BASE, "not '-1'", NEREUS_ERR_PARSE},
    {"[general]\nADR = 2000T\n" BASE, "not '2000T'", NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs = -2\n", "must be an integer from 1 to 1000000, not '-2'",
     NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs = 4x\n", "not '4x'", NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs =\n", "not ''", NEREUS_ERR_PARSE},
    {STAGE "[group0]\nProcs = 99999999999999999999\n", "not '99999999999999999999'",
     NEREUS_ERR_PARSE},
    {STAGE GROUP0 "FactorS = nan\n", "FactorS 'nan' for 3 processes: must be a number from 1e-09",
     NEREUS_ERR_PARSE},
    {STAGE GROUP0 "FactorS = 0\n", "must be a number from 1e-09", NEREUS_ERR_PARSE},
    {STAGE GROUP0 "FactorS = amdahl:2\n",
     "app.ini:7: FactorS 'amdahl:2' for 3 processes: ", NEREUS_ERR_PARSE},
    {"[general]\nscaling = quadratic\n" BASE,
     "app.ini:2: scaling 'quadratic' for 3 processes: ", NEREUS_ERR_PARSE},
    {"[general]\nphases = 10,x\n" BASE, "app.ini:2: phases must be up to 15 numbers of iterations",
     NEREUS_ERR_PARSE},
    {"[general]\nphases = 10\n" STAGE "phase = 2\n" GROUP0,
     "app.ini:6: [stage0] is of phase 2, and there are 2", NEREUS_ERR_PARSE},
    {STAGE "imbalance = linear:2\n" GROUP0, "app.ini:4: imbalance must be linear:X",
     NEREUS_ERR_PARSE},
    {STAGE "variation = 1 | 1,2\n" GROUP0, "app.ini:4: variation must be one table",
     NEREUS_ERR_PARSE},
    {STAGE "variation = 1,,2\n" GROUP0, "app.ini:4: variation must be linear:X", NEREUS_ERR_PARSE},
    {"[stage0]\ntype = reduce\nbytes = 8\nimbalance = 1,2\n" GROUP0,
     "app.ini:4: [stage0] communicates (reduce): imbalance and variation are for stages that "
     "compute",
     NEREUS_ERR_PARSE},
    {"[stage0]\ntype = wait\ntime_s = 1\nStage_Time_Capped = 1\n" GROUP0,
     "app.ini:4: [stage0] is a part of an exchange (wait), which cannot be repeated",
     NEREUS_ERR_PARSE},
    {"[stage0]\ntype = reduce\nbytes = 8\nStage_Time_Capped = 1\n" GROUP0,
     "app.ini:1: [stage0] ends after its time (Stage_Time_Capped): Stage_Time must be above 0",
     NEREUS_ERR_PARSE},
    {"[general]\nAsynch_Percentage_Redistribution = 103\n",
     "must be a number from 0 to 100, not '103'", NEREUS_ERR_PARSE},
    {"[general]\nresults =\n",
     "app.ini:2: results in [general] must be a text from 1 to 255 characters, not ''",
     NEREUS_ERR_PARSE},
    {"[stage0]\nStage_Type = alreduce\n",
     "app.ini:2: Stage_Type in [stage0] must be pi (0), matrix (1), point-to-point (2), broadcast "
     "(3), "
     "allgather (4), "
     "reduce (5), allreduce (6), ",
     NEREUS_ERR_PARSE},
    {"[stage0]\nStage_Type = alreduce\n", "not 'alreduce'; did you mean 'allreduce'?",
     NEREUS_ERR_PARSE},
    {"[stage0]\nStage_Type = 16\n", "not '16'", NEREUS_ERR_PARSE},
    {"[stage0]\nStage_Type = 7\nStage_Time = 1\n" GROUP0,
     "app.ini:1: [stage0] communicates (nonblocking): Stage_Bytes must be 1 or more",
     NEREUS_ERR_PARSE},
    {"[group0]\nDist = spraed\n",
     "Dist in [group0] must be compact (0) or spread (1), not 'spraed'; did you mean 'spread'?",
     NEREUS_ERR_PARSE},
    {GROUP0, "app.ini: there is no section [stage0]", NEREUS_ERR_PARSE},
    {STAGE, "app.ini: there is no section [group0]", NEREUS_ERR_PARSE},
    {"[general]\nTotal_Reconfigurations = 2\n" BASE,
     "app.ini:2: Total_Reconfigurations asks for [group0] to [group2], but [group2] is missing",
     NEREUS_ERR_PARSE},
    {BASE "[group3]\n", "app.ini:10: [group3] follows, but [group2] is missing", NEREUS_ERR_PARSE},
    {"[stage0]\ntime_s = 2\n" GROUP0, "app.ini:1: [stage0] has no Stage_Type", NEREUS_ERR_PARSE},
    {"[stage0]\ntype = pi\n" GROUP0, "app.ini:1: [stage0] computes (pi): time_s is missing",
     NEREUS_ERR_PARSE},
    {"[stage0]\ntype = allreduce\n" GROUP0,
     "app.ini:1: [stage0] communicates (allreduce): Stage_Bytes must be 1 or more, or Stage_Time "
     "above 0",
     NEREUS_ERR_PARSE},
    {STAGE "[group0]\nIters = 3\n", "app.ini:4: [group0] has no Procs", NEREUS_ERR_PARSE},
    {BASE "method = merge/clol\n", "app.ini:10: method of [group1]: ", NEREUS_ERR_PARSE},
    {BASE "method = baseline/rma\n", "app.ini:10: method of [group1]: ", NEREUS_ERR_ILLEGAL},
    {BASE "method = merge\nSpawn_Method = 1\n", "app.ini:10: [group1] has 'method', and in line 11",
     NEREUS_ERR_PARSE},
    {"[general]\nslots = 4\n" BASE,
     "app.ini:11: Procs in [group1] is 5, above the 4 slots of line 2", NEREUS_ERR_PARSE},
    {"[general]\nbytes = 4\nADR = 9\n" BASE,
     "app.ini:3: constant_bytes or variable_bytes together with Total_Data_Redistribution (line 2)",
     NEREUS_ERR_PARSE},
};

Test(sam_config, refusals)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(refusals); i++) {
        const struct refusal *r = &refusals[i];
        struct nereus_error err = {NEREUS_OK, ""};
        cr_expect_eq(parse(r->text, &err), r->status, "row %zu: %s", i, err.text);
        cr_expect_eq(err.status, r->status, "row %zu", i);
        cr_expect(strstr(err.text, r->sentence) != NULL, "row %zu: got '%s', expected '%s'", i,
                  err.text, r->sentence);
        cr_expect(config.group_count == 0, "row %zu: something was written", i);
        cr_expect_eq(parse(r->text, NULL), r->status, "row %zu without an error to write to", i);
    }
}

/* FactorS: 0.28 + 0.72 / 3, 1 / 3; 10 iterations, 20, and the rest. */
Test(sam_config, laws_and_phases)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(
        parse("[general]\nphases = 10,20\nscaling = amdahl:0.28\nCapture_Method = 1\n" STAGE
              "phase = 2\nimbalance = 1,1,3\n" GROUP0,
              &err),
        NEREUS_OK, "%s", err.text);
    cr_assert_float_eq(config.groups[0].factor, 0.52, 1e-14);
    cr_assert_eq(config.capture, SAM_CAPTURE_MEDIAN);
    const int64_t phases[][2] = {{0, 0}, {9, 0}, {10, 1}, {29, 1}, {30, 2}, {1000, 2}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(phases); i++)
        cr_expect_eq(sam_config_find_phase(&config, phases[i][0]), phases[i][1], "row %zu", i);
    cr_assert_eq(parse("[general]\nscaling = amdahl:0.28\n" STAGE GROUP0 "FactorS = ideal\n", &err),
                 NEREUS_OK, "%s", err.text);
    cr_assert_float_eq(config.groups[0].factor, 1.0 / 3, 1e-14);
    cr_assert_eq(parse(BASE "Redistribution_Method = 3\n", &err), NEREUS_OK, "%s", err.text);
    cr_assert_str_eq(config.groups[1].method, "merge/rma");
}

/* Of a group that was resized from outside: T(n) / T(1) of its law; a number says nothing of other
 * sizes. */
Test(sam_config, factor_of_a_size)
{
    static const struct {
        const char *text;
        int64_t processes;
        double factor;
    } rows[] = {
        {STAGE GROUP0, 3, 1. / 3},
        {STAGE GROUP0, 7, 1. / 7},
        {"[general]\nscaling = amdahl:0.3\n" STAGE GROUP0, 7, 0.4},
        {"[general]\nscaling = amdahl:0.3\n" STAGE GROUP0 "FactorS = weak\n", 7, 1},
        {"[general]\nscaling = weak\n" STAGE GROUP0 "FactorS = 0.28\n", 3, 0.28},
        {"[general]\nscaling = weak\n" STAGE GROUP0 "FactorS = 0.28\n", 7, 0.28},
    };
    struct nereus_error err = {NEREUS_OK, ""};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert_eq(parse(rows[i].text, &err), NEREUS_OK, "row %zu: %s", i, err.text);
        cr_expect_float_eq(sam_config_factor(&config, 0, rows[i].processes), rows[i].factor, 1e-14,
                           "row %zu", i);
    }
}

/* What the runtime is told for the choice of a method. */
Test(sam_config, law)
{
    static const struct {
        const char *text, *law;
    } rows[] = {
        {BASE, "ideal"},
        {"[general]\nscaling = weak\n" STAGE GROUP0, "weak"},
        {"[general]\nscaling = amdahl:0.3\n" STAGE GROUP0, "amdahl:0.3"},
        {"[general]\nscaling = 0.5\n" STAGE GROUP0, NULL},
        {"[general]\nscaling = weak\n" STAGE GROUP0 "FactorS = 0.25\n", NULL},
        {"[general]\nscaling = weak\n" STAGE GROUP0 "FactorS = ideal\n", NULL},
    };
    struct nereus_error err = {NEREUS_OK, ""};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert_eq(parse(rows[i].text, &err), NEREUS_OK, "row %zu: %s", i, err.text);
        const char *law = sam_config_law(&config);
        cr_expect((law == NULL) == (rows[i].law == NULL) &&
                      (law == NULL || strcmp(law, rows[i].law) == 0),
                  "row %zu: %s", i, law != NULL ? law : "none");
    }
}

/* What files of Proteo have besides: shares of a byte, strategies of 0, an old key, more sections
 * than the number says. */
Test(sam_config, files_of_proteo)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse("[general]\nTotal_Resizes = 1\nSDR = 134228039.136\nADR = 0.5\n"
                       "[stage0]\nStage_Type = 4\nStage_Bytes = 0\nStage_Time_Capped = 1\n"
                       "Stage_Time = 0.006\n"
                       "[resize0]\nIters = 5\nProcs = 2\nAsynch_Redistribution_Type = 3\n"
                       "[resize1]\nIters = 5\nProcs = 4\nSpawn_Strategy = 0\nSpawn_Method = 0\n"
                       "Redistribution_Method = 2\nRedistribution_Strategy = 0\n"
                       "[resize2]\nIters = 7\nProcs = 9\n",
                       &err),
                 NEREUS_ERR_ILLEGAL, "rma goes with merge only: %s", err.text);
    cr_assert_eq(parse("[general]\nTotal_Resizes = 1\nSDR = 134228039.136\nADR = 0.5\n"
                       "[stage0]\nStage_Type = 4\nStage_Bytes = 0\nStage_Time_Capped = 1\n"
                       "Stage_Time = 0.006\n"
                       "[resize0]\nIters = 5\nProcs = 2\nAsynch_Redistribution_Type = 3\n"
                       "[resize1]\nIters = 5\nProcs = 4\nSpawn_Strategy = 0\nSpawn_Method = 1\n"
                       "Redistribution_Method = 2\nRedistribution_Strategy = 0\n"
                       "[resize2]\nIters = 7\nProcs = 9\n",
                       &err),
                 NEREUS_OK, "%s", err.text);
    cr_expect_eq(config.group_count, 2);
    cr_expect_eq(config.variable_bytes, 134228039);
    cr_expect_eq(config.constant_bytes, 1);
    cr_expect_str_eq(config.groups[1].method, "merge/rma");
    cr_expect(strstr(config.notes, "Asynch_Redistribution_Type has no effect") != NULL, "%s",
              config.notes);
    cr_expect(strstr(config.notes, "sections from here on have no effect") != NULL, "%s",
              config.notes);
}

/* The first group may name a method, which has no effect: each file of Proteo names one. */
Test(sam_config, method_of_first_group)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse(STAGE GROUP0 "Spawn_Strategy = 2\n", &err), NEREUS_OK, "%s", err.text);
    cr_assert_str_eq(config.groups[0].method, "");
    cr_assert_str_eq(config.notes, "");
}

Test(sam_config, long_line)
{
    char text[400] = "[general]\nresults = ";
    memset(text + strlen(text), 'x', 300);
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse(text, &err), NEREUS_ERR_PARSE);
    cr_assert(strstr(err.text, "app.ini:2: results in [general] must be a text from 1 to 255 ") !=
                  NULL,
              "%s", err.text);
}

/* Whatever a file is cut off at, it is read or refused, with a sentence. */
Test(sam_config, cut_anywhere)
{
    char path[1024], *text;
    snprintf(path, sizeof path, "%s/sam/examples/two-to-four.ini", NEREUS_SOURCE_DIR);
    cr_assert_eq(nereus_file_read(path, "configuration", &text, NULL, NULL), NEREUS_OK);
    for (size_t length = strlen(text); length-- > 0;) {
        struct nereus_error err = {NEREUS_OK, ""};
        text[length] = '\0';
        enum nereus_status status = parse(text, &err);
        cr_expect((status == NEREUS_OK) == (err.text[0] == '\0'), "cut at %zu", length);
    }
    free(text);
}

Test(sam_config, iterations)
{
    load_example("chain.ini"); /* 15, 25, 10, 20 */
    static const struct {
        int64_t iteration, group;
    } rows[] = {{0, 0}, {14, 0}, {15, 1}, {39, 1}, {40, 2}, {49, 2}, {50, 3}, {69, 3}, {70, 3}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_eq(sam_config_find_group(&config, rows[i].iteration), rows[i].group);
    cr_expect_eq(sam_config_first_iteration(&config, 0), 0);
    cr_expect_eq(sam_config_first_iteration(&config, 2), 40);
    cr_expect_eq(sam_config_first_iteration(&config, 4), 70);
}

Test(sam_config, a_method_may_be_left_open)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(parse(BASE "method = auto\n", &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(config.groups[1].method, "auto");
}

/* op = Stage_Time FactorS / T_op (Martín-Álvarez et al. (2024b), section 4.4) */
Test(sam_config, operations)
{
    static const struct {
        double time_s, factor, t_op_s;
        int64_t operations;
    } rows[] = {
        {0.75, 0.28, 3e-4, 700},
        {2.5, 0.4, 7e-3, 143}, /* 142.857 */
        {2.5, 0.4, 0.3, 3},    /* 3.333 */
        {1e-9, 0.3, 0.2, 1},   /* never none */
        {1e6, 1e9, 1e-300, INT64_MAX},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct sam_stage stage = {.type = SAM_PI, .time_s = rows[i].time_s};
        cr_expect_eq(sam_config_operations(&stage, rows[i].factor, rows[i].t_op_s),
                     rows[i].operations);
    }
}

/* Every key is in the manual, and no key shares a name with another one of its section. */
Test(sam_keys, documented_and_unique)
{
    char *manual;
    cr_assert_eq(nereus_file_read(NEREUS_SOURCE_DIR "/docs/keys.md", "manual", &manual, NULL, NULL),
                 NEREUS_OK);
    for (int id = 0; id < SAM_KEY_COUNT; id++) {
        for (int i = 0; i < NEREUS_INI_NAMES_MAX && sam_keys[id].names[i]; i++) {
            char quoted[80];
            snprintf(quoted, sizeof quoted, "`%s`", sam_keys[id].names[i]);
            cr_expect(strstr(manual, quoted) != NULL, "%s is not in docs/keys.md", quoted);
            cr_expect_eq(
                nereus_ini_keys_find(&sam_table, sam_keys[id].section, sam_keys[id].names[i]), id);
        }
        cr_expect(sam_keys[id].names[0] && sam_keys[id].help, "key %d has no name or help", id);
    }
    free(manual);
}
