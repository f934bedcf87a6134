/** @file test_profile_diff.c  Differences between two profiles: each key of the file is compared. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/profile/profile_json.h"
#include "model/profile/profile_machine.h"
#include "model/profile/profile_words.h"
#include "model/util/file.h"
#include "predictor/profile/profile_print.h"

static char path[64];

static const struct nereus_linear_model model = {.basis = NEREUS_BASIS_FITTED,
                                                 .terms = 1,
                                                 .names = {"const"},
                                                 .coefficients = {0.37},
                                                 .log_sd = 0.29,
                                                 .rows = 7};

/* A profile with all keys of the file: a calibrated one, and what that lacks. */
static void make_profile(struct nereus_profile *profile)
{
    static const int64_t cores[] = {4, 2};
    struct nereus_error err = {.text = ""};
    snprintf(path, sizeof path, "profile-diff-%d.json", (int)getpid());
    cr_assert(nereus_profile_read(NEREUS_SOURCE_DIR "/tests/unit/data/calibrated.json", profile,
                                  &err) == NEREUS_OK,
              "%s", err.text);
    snprintf(profile->machine_kind, sizeof profile->machine_kind, "%s", NEREUS_MACHINE_VIRTUAL);
    profile->campaign_log_sd = 0.13;
    profile->campaign_of_shrinks_log_sd = 0.17;
    profile->processors = 1.5;
    cr_assert(nereus_profile_add_machine(profile, cores, 2, &err) == NEREUS_OK);
    profile->moves[NEREUS_MOVES_SHARED] = model;
    profile->between_models[NEREUS_BETWEEN_TWO_GROUPS] = model;
    profile->contention[0] = model;
    snprintf(profile->contention[0].names[0], sizeof profile->contention[0].names[0],
             "t_iter_shared");
    snprintf(profile->program.command, sizeof profile->program.command, "app input");
    profile->program.start = model;
    profile->collective_count = profile->stage_count = profile->whole_count = 1;
    profile->collectives = calloc(1, sizeof *profile->collectives);
    profile->collectives[0].processes = 4;
    profile->collectives[0].time = profile->operations[NEREUS_OPERATION_GET];
    profile->stages = calloc(1, sizeof *profile->stages);
    profile->stages[0] = (struct nereus_stage_time){.stage = "pi:100", .t_op_s = 0.03, .rows = 5};
    free(profile->whole_models);
    profile->whole_models = calloc(1, sizeof *profile->whole_models);
    profile->whole_models[0].model = model;
}

/* @return differences of two profiles as CSV, to be freed */
static char *diff(const struct nereus_profile *a, const struct nereus_profile *b,
                  enum nereus_format format)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert(nereus_profile_diff_print(a, b, format, stream));
    fclose(stream);
    return text;
}

/* Change the first number that is found.
 * @return false: there is none */
static bool change_number(json_t *value)
{
    json_t *item;
    const char *key;
    size_t i;
    if (json_is_integer(value))
        return json_integer_set(value, 2 * json_integer_value(value) + 1) == 0;
    if (json_is_real(value))
        return json_real_set(value, 2 * json_real_value(value) + 1) == 0;
    json_array_foreach(value, i, item)
    {
        if (change_number(item))
            return true;
    }
    json_object_foreach(value, key, item)
    {
        if (change_number(item))
            return true;
    }
    return false;
}

static void change(json_t *value)
{
    if (change_number(value))
        return;
    if (json_is_array(value))
        json_array_remove(value, json_array_size(value) - 1);
    else
        cr_assert(json_string_set(value, "other") == 0);
}

static void write_json(json_t *json)
{
    FILE *stream = fopen(path, "w");
    cr_assert(nereus_json_write(json, stream));
    fclose(stream);
}

Test(profile_diff, each_key_of_the_file_is_compared)
{
    struct nereus_profile profile, changed;
    struct nereus_error err = {.text = ""};
    make_profile(&profile);
    char *text = diff(&profile, &profile, NEREUS_FORMAT_TEXT);
    cr_expect_str_eq(text, "they do not differ\n");
    free(text);
    for (size_t i = 0; i < nereus_profile_table.count; i++) {
        const char *key = nereus_profile_table.members[i].key;
        if (strcmp(key, "version") == 0) /* another version is refused */
            continue;
        json_t *json = nereus_profile_json(&profile);
        cr_assert(json_object_get(json, key) != NULL, "make_profile() lacks %s", key);
        change(json_object_get(json, key));
        write_json(json);
        cr_assert(nereus_profile_read(path, &changed, &err) == NEREUS_OK, "%s", err.text);
        text = diff(&profile, &changed, NEREUS_FORMAT_CSV);
        cr_expect(strchr(text, '\n')[1] != '\0', "no difference in %s is listed", key);
        free(text);
        nereus_profile_fini(&changed);
    }
    remove(path);
    nereus_profile_fini(&profile);
}

/* Rows of each form: a value, a list, a term of one profile alone, a text that the other lacks. */
Test(profile_diff, rows_have_the_names_of_the_file)
{
    static const char *const rows[] = {
        "\nMPI,MPICH 5.0.2 (ch4:ucx ofi),unknown,\n",
        "\nspawn: const,0.11786075884316262,,\n",
        "\nspawn: full,,0.11786075884316262,\n",
        "\nspawn: nt,1 to 2,1 to 9,\n",
        "\n\"spawn, oversubscribed: covariance\",\"3 values, 1 different\",\"3 values, 1 different\",\n",
        "\noperations get: pieces 2 beta_s_per_byte,6.726333071820431e-10,1.3452666143640863e-09,2\n",
        "\nmoves shared: rows,7,,\n",
        "\nmeasured reconfigurations,\"63 values, 1 different\",\"63 values, 1 different\",\n",
        "\ncollectives barrier: 4 spread,0.5586542516203503,,\n",
    };
    struct nereus_profile a, b;
    make_profile(&a);
    make_profile(&b);
    struct nereus_linear_model *spawn = &b.steps[NEREUS_STEP_SPAWN];
    b.mpi[0] = '\0';
    snprintf(spawn->names[0], sizeof spawn->names[0], "full");
    spawn->max_nt = 9;
    b.steps_oversubscribed[NEREUS_STEP_SPAWN].covariance[1][1] *= 2;
    b.operations[NEREUS_OPERATION_GET].beta_s_per_byte[1] *= 2;
    b.moves[NEREUS_MOVES_SHARED].basis = NEREUS_BASIS_NONE;
    b.measurements[5].rt_s *= 2;
    b.collective_count = 0;
    char *text = diff(&a, &b, NEREUS_FORMAT_CSV);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect(strstr(text, rows[i]) != NULL, "no row%sin %s", rows[i], text);
    free(text);
    nereus_profile_fini(&a);
    nereus_profile_fini(&b);
}

static void double_coefficients(struct nereus_linear_model *models, size_t count)
{
    for (size_t m = 0; m < count; m++)
        for (int i = 0; i < models[m].terms; i++)
            models[m].coefficients[i] *= 2;
}

/* From 20 rows on the text is a summary: of a model it has the coefficients, of any kind of steps
 * and of asynchronous methods, and how many values are no rows. */
Test(profile_diff, text_of_many_differences_has_coefficients)
{
    static const char *const rows[] = {"\nspawn: ", "\nspawn, oversubscribed: ",
                                       "\nasynchronous plain: ", "\nasynchronous omega: "},
                             *const none[] = {"\nmoves shared: const", "spread", "covariance"};
    struct nereus_profile a, b;
    make_profile(&a);
    make_profile(&b);
    double_coefficients(b.steps, NEREUS_COUNT_OF(b.steps));
    double_coefficients(b.steps_oversubscribed, NEREUS_COUNT_OF(b.steps_oversubscribed));
    double_coefficients(&b.moves[NEREUS_MOVES_SHARED], 1);
#define DOUBLE(member, name) double_coefficients(&b.member, 1);
    NEREUS_ASYNC_MODEL_LIST(DOUBLE)
#undef DOUBLE
    b.steps[NEREUS_STEP_SPAWN].log_sd *= 2;
    char *text = diff(&a, &b, NEREUS_FORMAT_TEXT);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect(strstr(text, rows[i]) != NULL, "no row%sin %s", rows[i], text);
    for (size_t i = 0; i < NEREUS_COUNT_OF(none); i++)
        cr_expect(strstr(text, none[i]) == NULL, "a row '%s' in %s", none[i], text);
    free(text);
    nereus_profile_fini(&a);
    nereus_profile_fini(&b);
}
