/** @file test_profile.c  Profiles: there and back, and what is refused with which words. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "profile-%d.json", (int)getpid());
}

static void fit_tables(struct nereus_profile *profile)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_read(NEREUS_SOURCE_DIR "/tests/unit/data/spawning_tables_1_to_4.csv",
                                  false, &samples, &err) == NEREUS_OK,
              "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, profile, &err) == NEREUS_OK, "%s", err.text);
    nereus_samples_fini(&samples);
}

static void same_model(const char *what, const struct nereus_linear_model *a,
                       const struct nereus_linear_model *b)
{
    cr_expect(a->basis == b->basis && a->terms == b->terms && strcmp(a->source, b->source) == 0,
              "%s", what);
    cr_expect(a->log_sd == b->log_sd && a->rows == b->rows && a->max_load == b->max_load &&
                  a->max_move_s == b->max_move_s && a->min_bytes == b->min_bytes &&
                  a->max_bytes == b->max_bytes,
              "%s", what);
    cr_expect(a->low_factor == b->low_factor && a->high_factor == b->high_factor, "%s", what);
    cr_expect(a->long_low_factor == b->long_low_factor &&
                  a->long_high_factor == b->long_high_factor && a->early_s == b->early_s &&
                  a->late_s == b->late_s,
              "%s", what);
    cr_expect(a->min_ns == b->min_ns && a->max_ns == b->max_ns && a->min_nt == b->min_nt &&
                  a->max_nt == b->max_nt,
              "%s", what);
    for (int i = 0; i < a->terms; i++) {
        cr_expect(strcmp(a->names[i], b->names[i]) == 0 && a->coefficients[i] == b->coefficients[i],
                  "%s", what);
        for (int j = 0; j < a->terms; j++)
            cr_expect(a->covariance[i][j] == b->covariance[i][j], "%s", what);
    }
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void same_profile(const struct nereus_profile *a, const struct nereus_profile *b)
{
    cr_expect(strcmp(a->cluster, b->cluster) == 0 && strcmp(a->host, b->host) == 0 &&
              strcmp(a->mpi, b->mpi) == 0);
    cr_expect(strcmp(a->date, b->date) == 0 && strcmp(a->launcher, b->launcher) == 0);
    cr_expect(a->cores_per_node == b->cores_per_node);
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        same_model(nereus_step_name((enum nereus_step_kind)k), &a->steps[k], &b->steps[k]);
        same_model("oversubscribed", &a->steps_oversubscribed[k], &b->steps_oversubscribed[k]);
    }
    cr_expect(a->nodes == b->nodes);
    for (int w = 0; w < NEREUS_UNATTRIBUTED_COUNT; w++)
        same_model("unattributed", &a->unattributed[w], &b->unattributed[w]);
    same_model("plain", &a->async_plain, &b->async_plain);
    same_model("single", &a->async_single, &b->async_single);
    same_model("shrink", &a->async_shrink, &b->async_shrink);
    same_model("plain above", &a->async_plain_oversubscribed, &b->async_plain_oversubscribed);
    same_model("single above", &a->async_single_oversubscribed, &b->async_single_oversubscribed);
    same_model("shrink above", &a->async_shrink_oversubscribed, &b->async_shrink_oversubscribed);
    same_model("omega", &a->omega, &b->omega);
    same_model("omega by thread", &a->omega_by_thread, &b->omega_by_thread);
    cr_assert(a->method_count == b->method_count && a->measured_count == b->measured_count);
    for (int64_t i = 0; i < a->method_count; i++)
        cr_expect(nereus_method_equal(&a->methods[i], &b->methods[i]));
    for (int64_t i = 0; i < a->measured_count; i++) {
        const struct nereus_measurement *x = &a->measurements[i], *y = &b->measurements[i];
        cr_expect(x->ns == y->ns && x->nt == y->nt && x->n == y->n &&
                  nereus_method_equal(&x->method, &y->method));
        cr_expect(x->rt_s == y->rt_s && same_number(x->ct_s, y->ct_s) &&
                  same_number(x->iterations, y->iterations));
        cr_expect(same_number(x->log_sd, y->log_sd) && same_number(x->model_s, y->model_s));
        cr_expect(same_number(x->t_iter_ns_s, y->t_iter_ns_s) && x->bytes == y->bytes);
    }
}

Test(profile, there_and_back)
{
    struct nereus_profile written, read;
    struct nereus_error err = {.text = ""};
    name_file();
    fit_tables(&written);
    snprintf(written.host, sizeof written.host, "node \"7\"");
    written.nodes = 3;
    for (int w = 0; w < NEREUS_UNATTRIBUTED_COUNT; w++) {
        written.unattributed[w] = (struct nereus_linear_model){.basis = NEREUS_BASIS_FITTED,
                                                               .terms = 1,
                                                               .names = {"const"},
                                                               .coefficients = {0.0017 * (w + 1)},
                                                               .log_sd = 0.31,
                                                               .low_factor = 0.17,
                                                               .high_factor = 5.3 + w,
                                                               .long_low_factor = 0.8,
                                                               .long_high_factor = 1.3 + w,
                                                               .early_s = 1e-5,
                                                               .late_s = 0.003,
                                                               .rows = 11 + w,
                                                               .min_ns = 1,
                                                               .max_ns = 3,
                                                               .min_nt = 2,
                                                               .max_nt = 4,
                                                               .min_bytes = 3e6,
                                                               .max_bytes = 7e9};
    }
    snprintf(written.mpi, sizeof written.mpi, "MPICH 3.4.3");
    snprintf(written.date, sizeof written.date, "2023-05-17T08:09:10Z");
    written.pairs[NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE] =
        (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                .pieces = 2,
                                .from_bytes = {0, 4096.0},
                                .alpha_s = {1.83e-5, 3.1e-5},
                                .beta_s_per_byte = {1.7e-10, 9.3e-11},
                                .log_sd = 0.07,
                                .rows = 23,
                                .max_bytes = 1e6};
    cr_assert(nereus_profile_write(path, &written, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_read(path, &read, &err) == NEREUS_OK, "%s", err.text);
    remove(path);
    same_profile(&written, &read);
    const struct nereus_hockney *pair = &read.pairs[NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE];
    cr_expect(pair->pieces == 2 && pair->from_bytes[1] == 4096 &&
              pair->beta_s_per_byte[1] == 9.3e-11 && pair->rows == 23);
    nereus_profile_fini(&written);
    nereus_profile_fini(&read);
}

Test(profile, its_machine_has_its_nodes)
{
    static struct nereus_profile profile = {.cluster = "small", .cores_per_node = 6};
    struct nereus_machine machine;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_machine(&profile, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(machine.node_count == 0 && machine.cores_per_node == 6);
    cr_expect(!nereus_machine_is_oversubscribed(&machine, 1000));
    nereus_machine_fini(&machine);
    profile.nodes = 2;
    cr_assert(nereus_profile_machine(&profile, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(machine.node_count == 2 && nereus_machine_total_cores(&machine) == 12 &&
              machine.slots == 0);
    cr_expect(nereus_machine_is_oversubscribed(&machine, 13));
    nereus_machine_fini(&machine);
    profile.cores_per_node = 0; /* made by hand, and forgotten */
    cr_expect(nereus_profile_machine(&profile, &machine, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "the profile of 'small': a node has 1 core or more") != NULL, "%s",
              err.text);
}

/* The text of a good profile, with one piece of it replaced. */
static char *spoilt(const char *find, const char *replace)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    char *text = calloc(1, 1 << 20);
    cr_assert(fread(text, 1, (1 << 20) - 200, file) > 0);
    fclose(file);
    char *position = strstr(text, find);
    cr_assert(position != NULL, "the profile has no %s", find);
    memmove(position + strlen(replace), position + strlen(find),
            strlen(position + strlen(find)) + 1);
    memcpy(position, replace, strlen(replace));
    return text;
}

static const struct {
    const char *find, *replace, *words[2];
} refused[] = {
    {"\"cluster\"", "\"clustre\"", {"clustre", "did you mean 'cluster'"}},
    {"\"version\": 1", "\"version\": 2", {"version", "reads version 1"}},
    {"\"version\": 1,", "", {"version", "missing"}},
    {"\"spawn\":", "\"spwan\":", {"steps.spwan", "did you mean 'spawn'"}},
    {"\"coefficient\"", "\"coeficient\"", {"coeficient", "did you mean 'coefficient'"}},
    {"\"overload\"", "\"overlaod\"", {"'overlaod' is not known", "'overload'"}},
    {"\"sync_growth\"",
     "\"overload_growth\"",
     {"terms.name: 'overload_growth' is not known", "fit the samples again"}},
    {"\"fitted\"", "\"fited\"", {"'fited' is not known", "'fitted'"}},
    {"\"cores_per_node\": 20", "\"cores_per_node\": 0", {"cores_per_node", "from 1 on"}},
    {"\"cores_per_node\": 20", "\"cores_per_node\": \"x\"", {"cores_per_node", "whole number"}},
    {"\"baseline\"", "\"basline\"", {"methods", "baseline"}},
    {"\"n\": 10", "\"n\": -10", {"measured[", "from 1 on"}},
    {"\"rt_s\": 0.894", "\"rt_s\": 0e-9", {"measured[", "rt_s: is not above 0"}},
    {"\"measured\": [", "\"measured\": {}, \"x\": [", {"x", "not known"}},
    {"\"whole\":",
     "\"program\": {\"command\": \"app\"}, \"whole\":",
     {"program.start", "this key is missing"}},
    {"\"whole\":",
     "\"program\": {\"commnd\": \"app\"}, \"whole\":",
     {"program.commnd", "did you mean 'command'"}},
    {"\"spread\":",
     "\"factors\": [2, 3], \"spread\":",
     {"factors", "is not [low, high] with 0 < low <= 1 <= high"}},
    {"\"spread\":", "\"long_factors\": [0.5], \"spread\":", {"long_factors", "is not [low, high]"}},
    {"\"spread\":",
     "\"delays_s\": [-1, 0], \"spread\":",
     {"delays_s", "is not [early, late] in seconds"}},
    {"\"spread\":",
     "\"delays_s\": [\"early\", null], \"spread\":",
     {"delays_s", "is not [early, late] in seconds"}},
    {"\"ns\":", "\"ns\": [null, 4], \"delays_s\":", {"ns", "is not a range [least, most]"}},
    {"\"spread\":",
     "\"bytes\": [2, 1], \"spread\":",
     {"bytes", "is not [least, most] with 0 < least <= most"}},
    /* A wrong key, and another one after it, for which the list is not grown. */
    {"\"whole\":",
     "\"collectives\": {\"barrier\": {\"x\": 0, \"y\": 0}}, \"whole\":",
     {"collectives.barrier.x", "is no number of processes"}},
    {"\"whole\":",
     "\"stages\": {\"x\": 0, \"y\": 0}, \"whole\":",
     {"stages.x", "is no stage and granularity"}},
    {"{", "", {"no JSON", ":2:"}},
    /* The place of each type of a member. */
    {"\"cores_per_node\": 20,",
     "\"cores_per_node\": 20, \"mpi\": 3,",
     {": mpi: is not a text", ""}},
    {"\"cores_per_node\": 20,",
     "\"cores_per_node\": 20, \"processors\": -1,",
     {": processors: is not a number from 0 on", ""}},
    {"\"oversubscribed\": false",
     "\"oversubscribed\": 0",
     {".oversubscribed: is neither true nor false", ""}},
    {"\"n\": 10", "\"n\": 10, \"machine\": 1", {": measured[", "].machine: is not"}},
    {"\"n\": 10",
     "\"n\": 10, \"cores_per_process\": 21",
     {": measured[", "].cores_per_process: is not a whole number from 1 to 20"}},
    {"\"whole\":", "\"contention\": [], \"whole\":", {": contention: is not a JSON object", ""}},
    {"\"whole\":",
     "\"operations\": {\"get\": {\"basis\": \"fitted\", \"pieces\": [], \"rows\": 1, "
     "\"max_bytes\": 1}}, \"whole\":",
     {": operations.get.pieces: is empty", ""}},
    {"\"rows\":", "\"rowz\":", {": steps.", ".rowz: this key is not known"}},
};

Test(profile, refuses_with_key_and_suggestion)
{
    struct nereus_profile profile;
    name_file();
    fit_tables(&profile);
    cr_assert(nereus_profile_write(path, &profile, NULL) == NEREUS_OK);
    for (size_t i = 0; i < NEREUS_COUNT_OF(refused); i++) {
        char *text = spoilt(refused[i].find, refused[i].replace), other[80];
        struct nereus_profile read;
        struct nereus_error err = {.text = ""};
        snprintf(other, sizeof other, "bad-%s", path);
        FILE *file = fopen(other, "wb");
        fputs(text, file);
        fclose(file);
        free(text);
        cr_expect(nereus_profile_read(other, &read, &err) == NEREUS_ERR_PARSE,
                  "row %zu is accepted", i);
        remove(other);
        cr_expect(strncmp(err.text, other, strlen(other)) == 0, "no file name: %s", err.text);
        for (int w = 0; w < 2; w++)
            cr_expect(strstr(err.text, refused[i].words[w]) != NULL, "row %zu: '%s' lacks '%s'", i,
                      err.text, refused[i].words[w]);
    }
    remove(path);
    nereus_profile_fini(&profile);
}

/* What was fitted to redistributions is a factor of their operations' times: never nothing. */
Test(profile, a_fitted_move_has_one_factor)
{
    static const struct {
        int terms;
        double coefficient;
        bool good;
    } rows[] = {{1, 1.7, true}, {1, 0, false}, {0, 0, false}, {2, 1.7, false}};
    name_file();
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_profile profile, read;
        struct nereus_error err = {.text = ""};
        fit_tables(&profile);
        profile.moves[1] = (struct nereus_linear_model){.basis = NEREUS_BASIS_FITTED,
                                                        .terms = rows[i].terms,
                                                        .names = {"transfer", "const"},
                                                        .coefficients = {rows[i].coefficient, 0.1},
                                                        .rows = 13};
        cr_assert(nereus_profile_write(path, &profile, &err) == NEREUS_OK, "%s", err.text);
        const enum nereus_status status = nereus_profile_read(path, &read, &err);
        cr_expect(status == (rows[i].good ? NEREUS_OK : NEREUS_ERR_PARSE), "row %zu: %s", i,
                  err.text);
        cr_expect(rows[i].good || strstr(err.text, "moves.") != NULL, "row %zu: %s", i, err.text);
        if (status == NEREUS_OK)
            nereus_profile_fini(&read);
        nereus_profile_fini(&profile);
    }
    remove(path);
}

Test(profile, a_cut_file_is_refused_wherever_it_ends)
{
    struct nereus_profile profile, read;
    name_file();
    fit_tables(&profile);
    cr_assert(nereus_profile_write(path, &profile, NULL) == NEREUS_OK);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    for (long cut = length - 3; cut > 0; cut -= length / 37) {
        cr_assert(truncate(path, cut) == 0);
        cr_expect(nereus_profile_read(path, &read, NULL) != NEREUS_OK, "cut to %ld of %ld bytes",
                  cut, length);
    }
    remove(path);
    nereus_profile_fini(&profile);
}

Test(profile, nothing_is_left_where_it_cannot_be_written)
{
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    memset(&profile, 0, sizeof profile);
    cr_expect(nereus_profile_write("no-such-folder/p.json", &profile, &err) == NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "no-such-folder") != NULL, "%s", err.text);
}

/* By hand, at the largest size that both were measured at. */
Test(profile, huge_pages_pay_where_they_were_measured_to)
{
    static const struct {
        bool measured;
        double plain_s_per_byte, huge_s_per_byte, plain_max_bytes, huge_max_bytes;
        int64_t expected;
    } rows[] = {
        {true, 7e-10, 2e-10, 67108864, 67108864, 67108864},
        {true, 7e-10, 2e-10, 16777216, 67108864, 16777216}, /* of older samples: not as large */
        {true, 7e-10, 2e-10, 67108864, 31337, 31337},
        {true, 7e-10, 6.9e-10, 67108864, 67108864, 0}, /* less than a tenth: scatter */
        {true, 7e-10, 2.1e-9, 67108864, 67108864, 0},
        {false, 7e-10, 2e-10, 67108864, 67108864, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_profile profile = {.cluster = ""};
        profile.operations[NEREUS_OPERATION_TOUCH] =
            (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                    .pieces = 1,
                                    .beta_s_per_byte = {rows[i].plain_s_per_byte},
                                    .max_bytes = rows[i].plain_max_bytes};
        profile.operations[NEREUS_OPERATION_TOUCH_HUGE] = (struct nereus_hockney){
            .basis = rows[i].measured ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE,
            .pieces = 1,
            .beta_s_per_byte = {rows[i].huge_s_per_byte},
            .max_bytes = rows[i].huge_max_bytes};
        cr_expect_eq(nereus_profile_huge_bytes(&profile), rows[i].expected, "row %zu", i);
    }
}

/* A calibration from before it was measured. */
Test(profile, an_older_profile_says_nothing_of_huge_pages)
{
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_read(NEREUS_SOURCE_DIR "/tests/unit/data/calibrated.json", &profile,
                                  &err) == NEREUS_OK,
              "%s", err.text);
    cr_expect_eq(profile.operations[NEREUS_OPERATION_TOUCH].basis, NEREUS_BASIS_FITTED);
    cr_expect_eq(nereus_profile_huge_bytes(&profile), 0);
    nereus_profile_fini(&profile);
}
