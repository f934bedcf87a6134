/** @file test_samples.c  Samples from CSV: what is read, what is refused and with which words. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "nereus/provenance.h"
#include "nereus/samples.h"

#define HEADER                                                                                     \
    "cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,"      \
    "statistic,n\n"
#define GOOD "ij,20,10,40,merge-async,0.4,0.1,0,0.915,1.462,3,median,10\n"

static char path[64];

static void write_text(const char *text)
{
    snprintf(path, sizeof path, "samples-%d.csv", (int)getpid());
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static enum nereus_status read_text(const char *text, bool tolerate_cut,
                                    struct nereus_samples *samples, struct nereus_error *err)
{
    write_text(text);
    const enum nereus_status status = nereus_samples_read(path, tolerate_cut, samples, err);
    remove(path);
    return status;
}

Test(samples, reads_the_format)
{
    struct nereus_samples s = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    cr_assert(read_text(HEADER GOOD "mn5,112,224,112,merge-ts,,,10000,0.0893765,,,median,10\n",
                        false, &s, &err) == NEREUS_OK,
              "%s", err.text);
    cr_assert(s.count == 2);
    const struct nereus_sample *a = &s.rows[0], *b = &s.rows[1];
    cr_expect(strcmp(a->cluster, "ij") == 0 && a->cores_per_node == 20 && a->ns == 10 &&
              a->nt == 40 && a->n == 10);
    cr_expect(a->method.process == NEREUS_MERGE && a->method.async && !a->method.has_data);
    cr_expect(a->t_iter_ns_s == 0.4 && a->t_iter_nt_s == 0.1 && a->rt_s == 0.915 &&
              a->ct_s == 1.462 && a->iterations == 3);
    cr_expect(isnan(b->t_iter_ns_s) && isnan(b->ct_s) && isnan(b->iterations) && isnan(b->time_s));
    cr_expect(b->method.shrink == NEREUS_TS && b->bytes == 10000 && b->rt_s == 0.0893765);
    cr_expect(a->line == 2 && b->line == 3);
    nereus_samples_fini(&s);
}

Test(samples, is_tolerant_where_it_may_be)
{
    struct nereus_samples s = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    /* Byte order mark, CRLF, comments, another order, an unknown column, quoted fields, blank
     * lines, no last line end. */
    cr_assert(
        read_text(
            "\xEF\xBB\xBF# by \"hand\r\nrt_s,remark,method,nt,ns,cores_per_node,cluster\r\n\r\n"
            "0.737,\"slow, \"\"old\"\" disk\", merge ,23,17,5,\"lab, east\"\r\n"
            "  # 9,,merge,3,2,5,lab\r\n1.5e0,#,baseline,3,2,5,lab\n#",
            false, &s, &err) == NEREUS_OK,
        "%s", err.text);
    cr_assert(s.count == 2);
    cr_expect(strcmp(s.rows[0].cluster, "lab, east") == 0 && s.rows[0].ns == 17 &&
              s.rows[0].nt == 23);
    cr_expect(s.rows[0].rt_s == 0.737 && s.rows[0].n == 1 &&
              s.rows[0].method.process == NEREUS_MERGE);
    cr_expect(s.rows[1].rt_s == 1.5 && s.rows[1].line == 6);
    nereus_samples_fini(&s);
}

Test(samples, calibration_rows_come_back_as_they_were_written)
{
    const struct nereus_sample rows[] = {
        {.cluster = "a \"b\", c",
         .kind = NEREUS_SAMPLE_STEP,
         .step = NEREUS_STEP_REDISTRIBUTE,
         .cores_per_node = 3,
         .ns = 5,
         .nt = 7,
         .method = {.process = NEREUS_MERGE, .has_data = true, .data = NEREUS_P2P},
         .t_iter_ns_s = NAN,
         .t_iter_nt_s = NAN,
         .bytes = 123457,
         .rt_s = NAN,
         .ct_s = NAN,
         .iterations = NAN,
         .time_s = 0.00317,
         .old_processes = 5,
         .new_processes = 7,
         .oversubscribed = true,
         .n = 9},
        {.cluster = "#x",
         .kind = NEREUS_SAMPLE_PINGPONG,
         .pair = NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE,
         .cores_per_node = 3,
         .t_iter_ns_s = NAN,
         .t_iter_nt_s = NAN,
         .bytes = 8,
         .rt_s = NAN,
         .ct_s = NAN,
         .iterations = NAN,
         .time_s = 1.83e-5,
         .n = 1000},
    };
    char text[2048];
    FILE *stream = fmemopen(text, sizeof text, "w");
    fprintf(stream, "%s\n", nereus_samples_header(false));
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_assert(nereus_samples_write_row(stream, &rows[i], false, NULL) == NEREUS_OK);
    fclose(stream);
    struct nereus_samples s = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    cr_assert(read_text(text, false, &s, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(s.count == 2);
    cr_expect(strcmp(s.rows[0].cluster, rows[0].cluster) == 0 &&
              s.rows[0].kind == NEREUS_SAMPLE_STEP);
    cr_expect(s.rows[0].step == NEREUS_STEP_REDISTRIBUTE && s.rows[0].old_processes == 5 &&
              s.rows[0].new_processes == 7);
    cr_expect(s.rows[0].oversubscribed && s.rows[0].bytes == 123457 &&
              s.rows[0].time_s == 0.00317 && s.rows[0].n == 9);
    cr_expect(nereus_method_equal(&s.rows[0].method, &rows[0].method));
    cr_expect(s.rows[1].kind == NEREUS_SAMPLE_PINGPONG && s.rows[1].pair == rows[1].pair &&
              s.rows[1].time_s == 1.83e-5);
    nereus_samples_fini(&s);
}

/* A row without rt_s and with redistribute_s is a redistribution alone; written ones have
 * time_s. */
Test(samples, redistributions_alone)
{
    static const struct {
        const char *text;
        enum nereus_sample_kind kind;
        double time_s;
    } rows[] = {
        {"cluster,cores_per_node,ns,nt,method,bytes,redistribute_s\nx,20,7,30,merge/coll,3e9,2.5\n",
         NEREUS_SAMPLE_REDISTRIBUTION, 2.5},
        {"cluster,cores_per_node,ns,nt,method,bytes,rt_s,redistribute_s\n"
         "x,20,7,30,merge/coll,3e9,,2.5\n",
         NEREUS_SAMPLE_REDISTRIBUTION, 2.5},
        {"cluster,cores_per_node,ns,nt,method,bytes,rt_s,kind,time_s\n"
         "x,20,7,30,merge/coll,3e9,,redistribution,2.5\n",
         NEREUS_SAMPLE_REDISTRIBUTION, 2.5},
        {"cluster,cores_per_node,ns,nt,method,bytes,rt_s,redistribute_s\n"
         "x,20,7,30,merge/coll,3e9,4,2.5\n",
         NEREUS_SAMPLE_RECONFIGURATION, NAN},
        {"cluster,cores_per_node,ns,nt,method,bytes,redistribute_s\nx,32,7,30,merge/coll,3e9,2.5\n",
         NEREUS_SAMPLE_STEP, 2.5}, /* on one node */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_samples s = {.rows = NULL};
        struct nereus_error err = {.text = ""};
        cr_assert(read_text(rows[i].text, false, &s, &err) == NEREUS_OK && s.count == 1,
                  "row %zu: %s", i, err.text);
        cr_expect_eq(s.rows[0].kind, rows[i].kind, "row %zu", i);
        cr_expect(s.rows[0].ns == 7 && s.rows[0].nt == 30 && s.rows[0].bytes == 3e9 &&
                      s.rows[0].method.has_data &&
                      (isnan(rows[i].time_s) || s.rows[0].time_s == rows[i].time_s),
                  "row %zu: %g s", i, s.rows[0].time_s);
        nereus_samples_fini(&s);
    }
}

Test(samples, refuses_with_file_line_and_column)
{
    static const struct {
        const char *text, *words[3];
    } rows[] = {
        {HEADER "ij,20,10,40,merge,,,0,fast,,,median,10\n",
         {":2:", "'rt_s'", "'fast' is not a number"}},
        {HEADER GOOD "ij,20,10,40,merge,,,0,-0.9,,,median,10\n", {":3:", "'rt_s'", "above 0"}},
        {HEADER GOOD "ij,20,10,40,merge,,,0,0,,,median,10\n", {":3:", "'rt_s'", "above 0"}},
        {HEADER "ij,20,10,40,merge,,,0,nan,,,median,10\n", {":2:", "'rt_s'", "'nan'"}},
        {HEADER "ij,20,10,40,merge,,,0,inf,,,median,10\n", {":2:", "'rt_s'", "'inf'"}},
        {HEADER "ij,20,10,40,merge,,,0,1e999,,,median,10\n", {":2:", "'rt_s'", "'1e999'"}},
        {HEADER "ij,20,10,40,merge,,,0,0x10,,,median,10\n", {":2:", "'rt_s'", "'0x10'"}},
        {HEADER "ij,20,10,40,merge/p2p,,,1e300,0.9,,,median,10\n",
         {":2:", "'bytes'", "at most 4 EiB"}},
        {HEADER "ij,20,10,40,merge,,,0,,,,median,10\n", {":2:", "'rt_s'", "an empty field"}},
        {HEADER "ij,20,0,40,merge,,,0,0.9,,,median,10\n", {":2:", "'ns'", "from 1 on"}},
        {HEADER "ij,20,10,4.5,merge,,,0,0.9,,,median,10\n", {":2:", "'nt'", "'4.5'"}},
        {HEADER "ij,0,10,40,merge,,,0,0.9,,,median,10\n", {":2:", "'cores_per_node'", "from 1 on"}},
        {HEADER "ij,20,10,40,merge-asink,,,0,0.9,,,median,10\n", {":2:", "'method'", "async"}},
        {HEADER "ij,20,10,40,merge,0,,0,0.9,,,median,10\n", {":2:", "'t_iter_ns_s'", "above 0"}},
        {HEADER "ij,20,10,40,merge,,,-5,0.9,,,median,10\n", {":2:", "'bytes'", "0 or more"}},
        {HEADER "ij,20,10,40,merge,,,0,0.9\n", {":2:", "9 fields", "13 columns"}},
        {HEADER "ij,20,10,40,mer", {"no samples", "", ""}},
        {HEADER "ij,20,10,40,\"merge,,,0,0.9,,,median,10\n", {":2:", "quoted field", "never ends"}},
        {HEADER "ij,20,10,40,\"merge\"x,,,0,0.9,,,median,10\n", {":2:", "closing quote", ""}},
        {"cluster,cores_per_node,ns,nt,methd,rt_s\nij,20,1,2,merge,0.5\n",
         {":1:", "'method' is missing", "'methd'"}},
        {"cluster;cores_per_node;ns;nt;method;rt_s\nij;20;1;2;merge;0,5\n",
         {":1:", "separated by ','", "written with a point"}},
        {"cluster,cores,ns,nt,method\nij,20,1,2,merge\n",
         {":1:", "'cores_per_node' is missing", "at least"}},
        {"cluster,cores_per_node,ns,ns,nt,method,rt_s\n", {":1:", "'ns'", "twice"}},
        {"cluster,cores_per_node,ns,nt,method,bytes\nij,20,1,2,merge/coll,8\n",
         {":1:", "'rt_s' is missing", "redistribute_s"}},
        {"cluster,cores_per_node,ns,nt,method,bytes,redistribute_s\nij,20,1,2,merge/coll,8,0\n",
         {":2:", "'redistribute_s'", "above 0"}},
        {"cluster,cores_per_node,ns,nt,method,bytes,redistribute_s\nij,20,1,2,merge/coll,,2\n",
         {":2:", "'bytes'", "not a number"}},
        {"cluster,cores_per_node,ns,nt,method,bytes,redistribute_s\nij,20,1,2,merge,8,2\n",
         {":2:", "'method'", "as merge/coll"}},
        {HEADER, {"no samples", "", ""}},
        {"\n\n", {"no header line", "", ""}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,old_processes,new_processes,time_s\nx,2,1,"
         "1,,,spwan,"
         "1,1,0.1\n",
         {":2:", "'kind'", "'spawn'"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,bytes,pair,time_s\nx,2,,,,,pingpong,8,same-"
         "wrld,0."
         "1\n",
         {":2:", "'pair'", "same-world"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,pair,old_processes,new_processes,time_s,t_"
         "iter_ns_s\nx,2,1,1,,,program-start,,1,1,0.1,0.1\n",
         {":2:", "'pair'", "command of a program"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,pair,old_processes,new_processes,time_s,t_"
         "iter_ns_s\nx,2,1,1,,,program-start,app,1,1,0.1,\n",
         {":2:", "'t_iter_ns_s'", "not a number"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,pair,time_s\nx,2,1,,,,stage,pi,1e-6\n",
         {":2:", "'pair'", "as pi:100"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind\nx,2,1,1,,,program-strat\n",
         {":2:", "'kind'", "'program-start'"}},
        {"cluster,cores_per_node,ns,nt,method,rt_s,kind,old_processes,new_processes,time_s\nx,2,1,"
         "1,,,spawn,"
         "1,1,\n",
         {":2:", "'time_s'", "not a number"}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_samples s = {.rows = NULL};
        struct nereus_error err = {.text = ""};
        cr_expect(read_text(rows[i].text, false, &s, &err) != NEREUS_OK && s.count == 0,
                  "row %zu is accepted", i);
        for (size_t w = 0; w < 3; w++)
            cr_expect(strstr(err.text, rows[i].words[w]) != NULL, "row %zu: '%s' lacks '%s'", i,
                      err.text, rows[i].words[w]);
        cr_expect(strchr(err.text, '\n') == NULL, "one sentence: %s", err.text);
    }
}

/* The new processes of a restart are alone; nothing else has no old processes. */
Test(samples, restarts_have_steps_without_old_processes)
{
    static const char header[] =
        "cluster,cores_per_node,ns,nt,method,rt_s,kind,old_processes,new_processes,time_s\n";
    static const struct {
        const char *row;
        bool read;
    } rows[] = {{"x,2,1,2,restart/file,,start,0,2,0.1\n", true},
                {"x,2,1,2,restart/file,,write,1,0,0.1\n", true},
                {"x,2,1,2,restart/file,,start,0,0,0.1\n", false},
                {"x,2,1,2,merge/coll,,spawn,0,1,0.1\n", false}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[256];
        struct nereus_samples s = {.rows = NULL};
        struct nereus_error err = {.text = ""};
        snprintf(text, sizeof text, "%s%s", header, rows[i].row);
        cr_expect((read_text(text, false, &s, &err) == NEREUS_OK) == rows[i].read, "row %zu: '%s'",
                  i, err.text);
        cr_expect(rows[i].read ? s.count == 1 : strstr(err.text, "from 1 on") != NULL,
                  "row %zu: '%s'", i, err.text);
        nereus_samples_fini(&s);
    }
}

Test(samples, unknown_kinds_of_rows_are_passed_over)
{
    struct nereus_samples s = {.rows = NULL};
    cr_assert(
        read_text(
            "cluster,cores_per_node,ns,nt,method,rt_s,kind\nx,2,1,3,merge,0.7,\nx,2,,,,,humidity\n",
            false, &s, NULL) == NEREUS_OK);
    cr_expect(s.count == 1);
    nereus_samples_fini(&s);
}

Test(samples, an_interrupted_calibration_goes_on)
{
    struct nereus_samples s = {.rows = NULL};
    /* The cut may fall behind a digit: a whole-looking last line without a line end is not
     * believed. */
    cr_assert(read_text(HEADER GOOD "ij,20,10,40,merge,,,0,0.9,,,median,1", true, &s, NULL) ==
              NEREUS_OK);
    cr_expect(s.count == 1);
    cr_assert(read_text(HEADER GOOD "ij,20,10,40,\"mer", true, &s, NULL) == NEREUS_OK);
    cr_expect(s.count == 2); /* appended to what was there */
    nereus_samples_fini(&s);
}

/* ---- where samples are from (provenance.h) ---- */

#define MARK "# nereus calibrate: "

static enum nereus_status read_provenances(const char *text, struct nereus_provenances *provenances,
                                           struct nereus_error *err)
{
    struct nereus_samples s = {.rows = NULL};
    write_text(text);
    const enum nereus_status status =
        nereus_samples_read_provenance(path, false, &s, provenances, err);
    remove(path);
    cr_expect(s.count == (status == NEREUS_OK ? 1 : 0));
    nereus_samples_fini(&s);
    return status;
}

Test(samples, where_they_are_from_comes_back_as_it_was_written)
{
    const struct nereus_provenance ij = {.cluster = "ij",
                                         .host = "node \"7\" \\",
                                         .date = "2023-05-17T08:09:10Z",
                                         .mpi = "MPICH 3.4.3",
                                         .launcher = "Slurm (srun)",
                                         .machine_kind = "dedicated",
                                         .cores_per_node = 20,
                                         .nodes = 6};
    struct nereus_provenances provenances = {0};
    struct nereus_error err = {.text = ""};
    char text[1024], *line = nereus_provenance_line(&ij);
    cr_assert(line != NULL && strncmp(line, MARK, strlen(MARK)) == 0 && strchr(line, '\n') == NULL,
              "%s", line);
    snprintf(text, sizeof text,
             HEADER "# of May\n" MARK "tomorrow\n" MARK
                    "{\"cluster\": \"ij\", \"nodes\": 3}\r\n%s\n" GOOD MARK
                    "{\"cluster\": \"mn5\", \"nodes\": 4, \"weather\": [1]}",
             line);
    free(line);
    cr_assert(read_provenances(text, &provenances, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(provenances.count == 3, "%lld", (long long)provenances.count);
    const struct nereus_provenance *last = nereus_provenances_find(&provenances, "ij");
    cr_assert(last == &provenances.items[1]);
    cr_expect(nereus_provenance_same_but_date(last, &ij) && strcmp(last->date, ij.date) == 0);
    cr_expect(!nereus_provenance_same_but_date(&provenances.items[0], &ij));
    cr_expect(nereus_provenances_find(&provenances, "mn5")->nodes == 4 &&
              nereus_provenances_find(&provenances, "mn") == NULL);

    static struct nereus_profile profile = {.mpi = "unchanged", .cores_per_node = 8, .nodes = 9};
    nereus_provenance_describe(&provenances.items[2], &profile);
    cr_expect(profile.nodes == 4 && profile.cores_per_node == 8 &&
              strcmp(profile.mpi, "unchanged") == 0);
    nereus_provenance_describe(last, &profile);
    cr_expect(profile.nodes == 6 && profile.cores_per_node == 20 &&
              strcmp(profile.mpi, ij.mpi) == 0 && strcmp(profile.host, ij.host) == 0 &&
              strcmp(profile.date, ij.date) == 0 && strcmp(profile.launcher, ij.launcher) == 0 &&
              strcmp(profile.machine_kind, ij.machine_kind) == 0);
    nereus_provenances_fini(&provenances);
    cr_expect(provenances.items == NULL && provenances.count == 0);
}

Test(samples, refuses_a_broken_line_of_where_they_are_from)
{
    static const struct {
        const char *line, *sentence;
    } rows[] = {
        {MARK "{\"cluster\": \"ij\", \"nod",
         ".csv:2: what stands behind '# nereus calibrate: ' is no JSON object ("},
        {MARK "{\"cluster\": \"ij\", \"nodes\": 0}",
         ".csv:2: nodes: is not a whole number from 1 on"},
        {MARK "{\"cluster\": \"ij\", \"mpi\": 4}", ".csv:2: mpi: is not a text"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_provenances provenances = {0};
        struct nereus_error err = {.text = ""};
        char text[512];
        snprintf(text, sizeof text, HEADER "%s\n" GOOD, rows[i].line);
        cr_expect(read_provenances(text, &provenances, &err) == NEREUS_ERR_PARSE);
        cr_expect(strstr(err.text, rows[i].sentence) != NULL, "%s", err.text);
        nereus_provenances_fini(&provenances);
        struct nereus_samples s = {.rows = NULL}; /* who does not ask for it reads the rows */
        cr_expect(read_text(text, false, &s, &err) == NEREUS_OK && s.count == 1, "%s", err.text);
        nereus_samples_fini(&s);
    }
}

/* A file is ready for rows to be appended: what was not written to its end becomes a comment. */
Test(samples, a_file_that_was_cut_off_goes_on)
{
    static const struct {
        const char *text;
        size_t length;
        const char *mended;
    } rows[] = {
#define ROW(text, mended) {text, sizeof text - 1, mended}
        ROW("", ""),
        ROW("cluster,cores", ""),
        ROW("a,b\n1,2\n", "a,b\n1,2\n"),
        ROW("a,b\n1,2", "a,b\n# cut off: 1,2\n"),
        ROW("a,b\n1,2\0\0\0", "a,b\n# cut off: 1,2\n"),
        ROW("a,b\n\0\0\0", "a,b\n"),
        ROW("something", "# cut off: something\n"),
#undef ROW
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char name[] = "/tmp/test-samples-XXXXXX", found[200] = "";
        const int file = mkstemp(name);
        cr_assert(write(file, rows[i].text, rows[i].length) == (ssize_t)rows[i].length);
        cr_expect(nereus_samples_repair_last_line(file), "row %zu", i);
        cr_expect(pread(file, found, sizeof found - 1, 0) >= 0 &&
                      strcmp(found, rows[i].mended) == 0,
                  "row %zu: %s", i, found);
        close(file);
        unlink(name);
    }
}

/* A last row that was not written to its end is left out, and counted; a whole one is taken. */
Test(samples, a_last_row_that_was_cut_off)
{
    static const struct {
        const char *text;
        int64_t count, left_out, first;
    } rows[] = {
        {HEADER GOOD GOOD, 2, 0, 0},
        {HEADER GOOD "ij,20,10,40,merge,,,0,0.9,,,median,10", 1, 1, 3}, /* of 100? */
        {HEADER GOOD "ij,20,10,40,mer", 1, 1, 3},
        {HEADER GOOD "ij,20,10,40,\"mer", 1, 1, 3},
        {HEADER GOOD "ij", 1, 1, 3},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_samples samples = {.rows = NULL};
        struct nereus_error err = {NEREUS_OK, ""};
        cr_expect(read_text(rows[i].text, false, &samples, &err) == NEREUS_OK, "row %zu: %s", i,
                  err.text);
        cr_expect(samples.count == rows[i].count && samples.left_out == rows[i].left_out, "row %zu",
                  i);
        cr_expect(rows[i].left_out == 0 || samples.first_left_out == rows[i].first, "row %zu", i);
        nereus_samples_fini(&samples);
    }
}
