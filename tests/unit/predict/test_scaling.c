/** @file test_scaling.c  Iteration times by laws and by tables, worked out by hand, and tables that
 * are none. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "nereus/profile.h"
#include "nereus/scaling.h"

static struct nereus_scaling parse(const char *text)
{
    struct nereus_scaling scaling;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_scaling_parse(text, &scaling, &err) == NEREUS_OK, "%s: %s", text, err.text);
    return scaling;
}

static void write_table(char *path, const char *content)
{
    strcpy(path, "scaling-XXXXXX");
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, content, strlen(content)) == (ssize_t)strlen(content));
    close(file);
}

/* Equations and sections of Martín-Álvarez et al. (2024a). */
Test(scaling, laws)
{
    static const struct {
        const char *text;
        int64_t known, n;
        double known_s, t_iter_s;
    } rows[] = {
        {"strong", 3, 7, 0.21, 0.09},       /* equation 8: 0.63 s on one */
        {"strong", 120, 10, 1.0 / 30, 0.4}, /* section 4.3.2: 4 s / n */
        {"weak", 10, 160, 0.2, 0.2},        /* section 4.4.2: 0.2 s at every size */
        {"amdahl:0.2", 4, 10, 0.6,
         0.42}, /* 1.5 s on one: 1.5 (0.2 + 0.8 / 4) = 0.6, 1.5 (0.2 + 0.8 / 10) = 0.42 */
        {"amdahl:0", 6, 9, 0.3, 0.2},    /* nothing serial: strong */
        {"amdahl:1", 6, 9, 0.3, 0.3},    /* all serial: weak */
        {"amdahl:0.25", 3, 1, 0.7, 1.4}, /* 0.7 / (0.25 + 0.25) */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_scaling scaling = parse(rows[i].text);
        double t_iter_s = 0;
        cr_assert(nereus_scaling_apply(&scaling, rows[i].known, rows[i].known_s, rows[i].n,
                                       &t_iter_s, NULL) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, rows[i].t_iter_s, 1e-12, "row %zu: %g", i, t_iter_s);
        cr_expect(nereus_scaling_lookup(&scaling, 4, &t_iter_s, NULL) == NEREUS_ERR_NO_BASIS);
        nereus_scaling_fini(&scaling);
    }
}

/* Eight cores: processes above them take turns. */
Test(scaling, shared_cores)
{
    static const struct {
        const char *text;
        int64_t each, known, n; /* each: cores of a process */
        double known_s, t_iter_s;
    } rows[] = {
        {"strong", 1, 3, 16, 0.21, 0.07875}, /* as on 8: 0.63 s / 8 */
        {"strong", 1, 16, 12, 0.3, 0.3},     {"strong", 1, 16, 4, 0.3, 0.6}, /* 2.4 s on one core */
        {"strong", 2, 2, 8, 0.4, 0.2},     /* four places: as on 4 */
        {"weak", 1, 6, 20, 0.2, 0.5},      /* 20 / 8 processes per core */
        {"weak", 1, 20, 6, 0.5, 0.2},      /* and back */
        {"amdahl:0.2", 1, 4, 12, 0.6, 0.6} /* 1.5 (0.2 + 0.8 / 12) s, times 12 / 8 */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_scaling scaling = parse(rows[i].text);
        struct nereus_machine machine;
        double t_iter_s = 0;
        cr_assert_eq(nereus_machine_equal_nodes(2, 4, &machine, NULL), NEREUS_OK);
        cr_assert_eq(nereus_machine_set_per_process(&machine, rows[i].each, NULL), NEREUS_OK);
        scaling.machine = &machine;
        cr_assert(nereus_scaling_apply(&scaling, rows[i].known, rows[i].known_s, rows[i].n,
                                       &t_iter_s, NULL) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, rows[i].t_iter_s, 1e-12, "row %zu: %g", i, t_iter_s);
        nereus_scaling_fini(&scaling);
        nereus_machine_fini(&machine);
    }
}

/* What a job has had: three sizes, the last with three processes per core. */
Test(scaling, measured_sizes)
{
    struct nereus_scaling_point points[] = {{24, 0.45}, {2, 0.9}, {8, 0.3}}, steep[] = {{4, 1}};
    struct nereus_machine machine;
    struct nereus_error err = {.text = ""};
    double t_iter_s;
    cr_assert_eq(nereus_machine_equal_nodes(2, 4, &machine, NULL), NEREUS_OK);
    static const struct {
        int64_t n;
        double t_iter_s;
    } rows[] = {
        {2, 0.9},
        {24, 0.45},
        {8, 0.3},
        {4, 0.51961524227066314},  /* from 8 to 2: 3 times as long; half of the way */
        {16, 0.38745607029905854}, /* 0.15 s alone on 24, 0.3 s on 8; two processes per core */
        {1, 1.5588457268119895},   /* 0.9 sqrt(3) */
    };
    struct nereus_scaling scaling = {.law = NEREUS_SCALING_MEASURED,
                                     .points = points,
                                     .count = NEREUS_COUNT_OF(points),
                                     .machine = &machine};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert(nereus_scaling_apply(&scaling, 8, 0.3, rows[i].n, &t_iter_s, NULL) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, rows[i].t_iter_s, 1e-12, "row %zu: %.17g", i, t_iter_s);
    }
    /* Faster than ideal: a cache, perhaps, which no other size need have. */
    scaling.points = steep;
    scaling.count = 1;
    cr_assert(nereus_scaling_apply(&scaling, 8, 0.1, 2, &t_iter_s, NULL) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, 0.4, 1e-12);
    cr_expect(nereus_scaling_apply(&scaling, 4, 0.1, 2, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS &&
              strstr(err.text, "one size") != NULL);
    nereus_machine_fini(&machine);
}

Test(scaling, a_table)
{
    /* In any order, with a column more. Between 2 and 8 (a factor of 4 in n, of 1/3 in T): at 4
     * half of the way, sqrt(1/3); between 8 and 24 at 12 log(1.5) / log(3) of the way from 0.3 to
     * 0.1: the slope is -1 there, so 0.3 x 8 / 12. */
    char path[32];
    write_table(path, "# measured by hand\ncolour,t_iter_s,n\nred,0.1,24\nblue,0.9,2\n,0.3,8\n");
    struct nereus_scaling scaling = parse(path);
    static const struct {
        int64_t n;
        double t_iter_s;
    } rows[] = {{2, 0.9}, {4, 0.51961524227066314}, {8, 0.3}, {12, 0.2}, {24, 0.1}};
    double t_iter_s;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert(nereus_scaling_lookup(&scaling, rows[i].n, &t_iter_s, NULL) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, rows[i].t_iter_s, 1e-12, "n %d: %g", (int)rows[i].n, t_iter_s);
    }
    /* A time that is known scales the table: 0.5 s at 8 instead of 0.3. */
    cr_assert(nereus_scaling_apply(&scaling, 8, 0.5, 24, &t_iter_s, NULL) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, 0.5 / 3, 1e-12);
    /* Beyond it nothing is known. */
    struct nereus_error err = {.text = ""};
    cr_expect(nereus_scaling_lookup(&scaling, 25, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS);
    cr_expect(strstr(err.text, "2 to 24") != NULL && strstr(err.text, "none for 25") != NULL, "%s",
              err.text);
    cr_expect(nereus_scaling_apply(&scaling, 1, 0.5, 4, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS);
    cr_expect(nereus_scaling_apply(&scaling, 4, 0.5, 99, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS);
    nereus_scaling_fini(&scaling);
    remove(path);
}

Test(scaling, what_is_none)
{
    static const struct {
        const char *content, *word;
    } tables[] = {
        {"n,t\n2,3\n", ":1: the column 't_iter_s' is missing"},
        {"t_iter_s\n2\n", "'n' is missing"},
        {"n,t_iter_s,n\n2,1,4\n", ":1: the column 'n' is there twice"},
        {"t_iter_s,n,t_iter_s\n2,1,4\n", ":1: the column 't_iter_s' is there twice"},
        {"n,t_iter_s\n", "no line"},
        {"n,t_iter_s\n2,0.1\n4,0\n", ":3: t_iter_s must be a time above 0, not 0"},
        {"n,t_iter_s\n2,nan\n", ":2: t_iter_s"},
        {"n,t_iter_s\n2,inf\n", ":2: t_iter_s"},
        {"n,t_iter_s\n2,1x\n", "not '1x'"},
        {"n,t_iter_s\n0,1\n", ":2: n must be"},
        {"n,t_iter_s\n2.5,1\n", "not '2.5'"},
        {"n,t_iter_s\n,1\n", ":2: n must be"},
        {"n,t_iter_s\n8\n", ":2: 1 value where the header line has 2 columns"},
        {"n,t_iter_s\n2,1\n4,2\n2,3\n", ":4: there are two times for n = 2"},
        {"n,t_iter_s\n\"2,1\n", "no CSV"},
        {"", "empty"},
    };
    struct nereus_scaling scaling;
    struct nereus_error err;
    for (size_t i = 0; i < NEREUS_COUNT_OF(tables); i++) {
        char path[32];
        write_table(path, tables[i].content);
        err.text[0] = '\0';
        cr_expect(nereus_scaling_parse(path, &scaling, &err) != NEREUS_OK, "table %zu", i);
        cr_expect(strstr(err.text, tables[i].word) != NULL, "table %zu: %s", i, err.text);
        remove(path);
    }
    static const struct {
        const char *text, *word;
    } words[] = {
        {"amdahl:", "0 to 1"},
        {"amdahl:1.5", "0 to 1"},
        {"amdahl:-0.1", "0 to 1"},
        {"amdahl:x", "0 to 1"},
        {"amdahl:nan", "0 to 1"},
        {"stronk", "did you mean 'strong'"},
        {"stages:", "'' is no stage"},
        {"stages:compute", "'compute' is no stage"},
        {"stages:compute:1,", "'' is no stage"},
        {"stages:compute:1,gather:8", "'gather:8'"},
        {"stages:compute:-1", "'compute:-1'"},
        {"stages:bcast:8x,compute:1", "'bcast:8x'"},
        {"stages:barrier:8", "'barrier:8'"},
        {"stages:dup", "'dup'"},
        {"stages:compute:inf", "'compute:inf'"},
        {"stages:compute:1,compute:1,compute:1,compute:1,compute:1,compute:1,compute:1,compute:1,"
         "compute:1,compute:1,compute:1,"
         "compute:1,compute:1,compute:1,compute:1,compute:1,compute:1",
         "more than 16"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(words); i++) {
        cr_expect(nereus_scaling_parse(words[i].text, &scaling, &err) != NEREUS_OK, "%s",
                  words[i].text);
        cr_expect(strstr(err.text, words[i].word) != NULL, "%s: %s", words[i].text, err.text);
    }
}

static struct nereus_collective_time measured(enum nereus_collective collective, int64_t processes,
                                              double alpha_s, double beta_s_per_byte)
{
    return (struct nereus_collective_time){.collective = collective,
                                           .processes = processes,
                                           .time = {.basis = NEREUS_BASIS_FITTED,
                                                    .pieces = 1,
                                                    .alpha_s = {alpha_s},
                                                    .beta_s_per_byte = {beta_s_per_byte}}};
}

/* By hand: an iteration of 1.8 s on one process, a sum of 16 bytes and 5000 bytes of each gathered
 * everywhere. */
Test(scaling, stages)
{
    struct nereus_collective_time times[] = {
        measured(NEREUS_COLLECTIVE_ALLREDUCE, 2, 3e-6, 1.25e-7),
        measured(NEREUS_COLLECTIVE_ALLREDUCE, 8, 7e-6, 5e-7),
        measured(NEREUS_COLLECTIVE_ALLGATHER, 2, 2e-6, 1e-9),
        measured(NEREUS_COLLECTIVE_ALLGATHER, 8, 9e-6, 3e-9)};
    const struct nereus_profile profile = {.collectives = times,
                                           .collective_count = (int64_t)NEREUS_COUNT_OF(times)};
    const struct {
        int64_t n;
        double t_iter_s;
    } rows[] = {
        {1, 1.8},
        {2, 0.9 + 5e-6 + 7e-6},
        {4, 0.45 + (5e-6 + 1.5e-5) / 2 + (7e-6 + 2.4e-5) / 2}, /* half way from 2 to 8 in log2 */
        {8, 0.225 + 1.5e-5 + 2.4e-5},
        {64, 0.028125 + 2 * 1.5e-5 + 8 * 2.4e-5}, /* twice the rounds, eight times the parts */
    };
    struct nereus_scaling scaling = parse("stages:compute:1.8,allreduce:16,allgather:5000");
    struct nereus_error err;
    double t_iter_s;
    cr_expect(nereus_scaling_lookup(&scaling, 2, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS &&
              strstr(err.text, "'allreduce'") != NULL);
    scaling.profile = &profile;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert(nereus_scaling_lookup(&scaling, rows[i].n, &t_iter_s, &err) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, rows[i].t_iter_s, 1e-12, "%lld: %.9g", (long long)rows[i].n,
                           t_iter_s);
        /* Where a time was measured only their shape counts. */
        cr_assert(nereus_scaling_apply(&scaling, 2, 1.3, rows[i].n, &t_iter_s, &err) == NEREUS_OK);
        cr_expect_float_eq(t_iter_s, 1.3 * rows[i].t_iter_s / rows[1].t_iter_s, 1e-12);
    }
    /* Measured on one node of eight cores, and asked of several nodes: as much longer as a message
     * between them, 2.5 times of 16 and 4.992 times of 5000 bytes. */
    struct nereus_profile near = profile;
    struct nereus_machine machine;
    near.cores_per_node = 8;
    near.pairs[0] = measured(NEREUS_COLLECTIVE_BCAST, 2, 2e-6, 0).time;
    near.pairs[1] = measured(NEREUS_COLLECTIVE_BCAST, 2, 4.984e-6, 1e-9).time;
    scaling.profile = &near;
    cr_assert(nereus_scaling_lookup(&scaling, 64, &t_iter_s, &err) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, 0.028125 + 2.5 * 2 * 1.5e-5 + 4.992 * 8 * 2.4e-5, 1e-9, "%.9g",
                       t_iter_s);
    /* 56 parts of 5000 bytes through the link of a node, 10 ns a byte */
    near.operations[NEREUS_OPERATION_NODE] = measured(NEREUS_COLLECTIVE_BCAST, 2, 0, 1e-8).time;
    cr_assert(nereus_scaling_lookup(&scaling, 64, &t_iter_s, &err) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, 0.028125 + 2.5 * 2 * 1.5e-5 + 56 * 5000 * 1e-8, 1e-9, "%.9g",
                       t_iter_s);
    cr_assert_eq(nereus_machine_uniform(64, &machine, NULL), NEREUS_OK);
    scaling.machine = &machine;
    cr_assert(nereus_scaling_lookup(&scaling, 64, &t_iter_s, &err) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, rows[4].t_iter_s, 1e-12, "one node: %.9g", t_iter_s);
    cr_assert(nereus_scaling_lookup(&scaling, 8, &t_iter_s, &err) == NEREUS_OK);
    cr_expect_float_eq(t_iter_s, rows[3].t_iter_s, 1e-12, "measured: %.9g", t_iter_s);
    nereus_scaling_fini(&scaling);
    scaling = parse("stages:barrier");
    scaling.profile = &profile;
    cr_expect(nereus_scaling_lookup(&scaling, 1, &t_iter_s, &err) == NEREUS_ERR_NO_BASIS &&
              strstr(err.text, "add a stage compute") != NULL);
}
