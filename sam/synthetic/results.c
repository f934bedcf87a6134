/** @file results.c  Computes the statistics of a group, and prints the results as a table and as
 * JSON. */
#include "results.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys.h"
#include "model/util/json_make.h"
#include "model/util/text.h"

const char *sam_outcome_name(int64_t outcome)
{
    static const char *const names[SAM_OUTCOME_COUNT] = {"start", "resized", "unchanged", "failed"};
    return outcome >= 0 && outcome < SAM_OUTCOME_COUNT ? names[outcome] : "?";
}

double sam_capture_time(enum sam_capture method, double *times, int64_t count)
{
    const size_t n = (size_t)count;
    gsl_sort(times, 1, n);
    switch (method) {
    case SAM_CAPTURE_MEDIAN:
        return gsl_stats_median_from_sorted_data(times, 1, n);
    case SAM_CAPTURE_MEAN:
        return gsl_stats_mean(times, 1, n);
    default:
        return times[n - 1];
    }
}

void sam_record_times(struct sam_record *record, double *times, int64_t count)
{
    const size_t n = (size_t)count;
    gsl_sort(times, 1, n);
    record->mean_s = gsl_stats_mean(times, 1, n);
    record->median_s = gsl_stats_median_from_sorted_data(times, 1, n);
    record->min_s = times[0];
    record->max_s = times[n - 1];
    record->iterations = count;
}

int64_t sam_results_count_not_resized(const struct sam_results *results)
{
    int64_t count = 0;
    for (int64_t g = 0; g < results->config->group_count; g++)
        count += results->records[g].outcome == SAM_FAILED;
    return count;
}

int64_t sam_results_count_wrong(const struct sam_results *results)
{
    int64_t count = 0;
    for (int64_t g = 0; g < results->config->group_count; g++)
        count += results->records[g].wrong_constant + results->records[g].wrong_variable;
    return count;
}

double sam_results_omega(const struct sam_results *results, int64_t group)
{
    const struct sam_record *r = &results->records[group];
    /* Both times include the malleability point. */
    const double before_s =
        group > 0 ? results->records[group - 1].mean_s + results->records[group - 1].point_mean_s
                  : 0;
    return r->overlap_iterations > 0 && before_s > 0 ? r->overlap_mean_s / before_s : NAN;
}

double sam_results_t_ex_s(const struct sam_results *results)
{
    double sum_s = 0;
    for (int64_t g = 0; g < results->config->group_count; g++) {
        const struct sam_record *r = &results->records[g];
        sum_s += r->reconfiguration_s;
        if (r->iterations > 0) {
            sum_s +=
                (double)r->iterations * r->mean_s + (double)(r->iterations - 1) * r->point_mean_s;
        }
    }
    return sum_s;
}

/* ---- text --------------------------------------------------------------------------------- */

struct time_text {
    char text[24];
};

/* Format a time with three or four digits and a unit, as "12.30 ms". */
static struct time_text format_time(double time_s)
{
    static const struct {
        double from_s, scale;
        const char *unit;
    } units[] = {{1, 1, "s "}, {1e-3, 1e3, "ms"}, {0, 1e6, "us"}};
    int i = 0;
    while (time_s < units[i].from_s && i < 2)
        i++;
    struct time_text t;
    const double value = time_s * units[i].scale;
    snprintf(t.text, sizeof t.text, "%.*f %s", value < 99.995 ? 2 : 1, value, units[i].unit);
    return t;
}

static void print_time(FILE *stream, double time_s)
{
    fprintf(stream, "  %9s", format_time(time_s).text);
}

/* Print It and omega of an asynchronous reconfiguration. */
static void print_overlap(const struct sam_results *results, int64_t g, FILE *stream)
{
    const double omega = sam_results_omega(results, g);
    if (isnan(omega))
        fprintf(stream, "  %5s  %5s", "-", "-");
    else
        fprintf(stream, "  %5lld  %5.2f", (long long)results->records[g].overlap_iterations, omega);
}

static void print_record(const struct sam_results *results, int64_t g, FILE *stream)
{
    const struct sam_record *r = &results->records[g];
    fprintf(stream, "%5lld  %9lld%c %10lld", (long long)g, (long long)r->processes,
            r->oversubscribed ? '*' : ' ', (long long)r->iterations);
    print_time(stream, r->mean_s);
    print_time(stream, r->median_s);
    print_time(stream, r->min_s);
    print_time(stream, r->max_s);
    fprintf(stream, "  %-9s", sam_outcome_name(r->outcome));
    if (r->outcome == SAM_RESIZED) {
        print_time(stream, r->reconfiguration_s);
        if (results->rt_s && !isnan(results->rt_s[g]))
            print_time(stream, results->rt_s[g]);
        else
            fprintf(stream, "  %9s", "-");
        print_overlap(results, g, stream);
        fprintf(stream, "  %s", results->config->groups[g].method);
    }
    fputc('\n', stream);
}

static void print_wrong(FILE *stream, int64_t g, const char *what, int64_t count, int64_t first)
{
    if (count > 0) {
        fprintf(stream, "group %lld: %lld element%s of the %s data are wrong, the first is %lld\n",
                (long long)g, (long long)count, nereus_plural_s(count), what, (long long)first);
    }
}

/* Note a stage of less than one operation: it carries out one. */
static void print_too_coarse(const struct sam_results *results, int64_t g, FILE *stream)
{
    for (int64_t i = 0; i < results->config->stage_count; i++) {
        const struct sam_stage *stage = &results->config->stages[i];
        const double wanted_s = stage->time_s * results->config->groups[g].factor;
        if (sam_stage_type_computes(stage->type) && wanted_s < 0.5 * results->t_op_s[stage->type]) {
            fprintf(
                stream,
                "group %lld: [stage%lld] asks for %s, less than one operation: choose a smaller "
                "Granularity\n",
                (long long)g, (long long)i, format_time(wanted_s).text);
        }
    }
}

void sam_results_print(const struct sam_results *results, FILE *stream)
{
    static const char *const names[] = {"pi", "matrix"};
    fprintf(stream, "%s: %lld bytes constant, %lld bytes variable", results->file,
            (long long)results->config->constant_bytes, (long long)results->config->variable_bytes);
    for (int i = 0; i < 2; i++) {
        if (results->t_op_s[i] > 0) {
            fprintf(stream, "; one operation (%s) takes %s%s", names[i],
                    format_time(results->t_op_s[i]).text,
                    results->t_op_of_profile ? " by the profile" : "");
        }
    }
    fprintf(stream,
            "\ngroup  processes iterations  %9s  %9s  %9s  %9s  %-9s  %9s  %9s  %5s  %5s  %s\n",
            "mean", "median", "least", "most", "outcome", "seen", "RT", "It", "omega", "method");
    bool oversubscribed = false;
    for (int64_t g = 0; g < results->config->group_count; g++) {
        print_record(results, g, stream);
        oversubscribed = oversubscribed || results->records[g].oversubscribed;
    }
    fprintf(stream, "T_ex: %s\n", format_time(sam_results_t_ex_s(results)).text);
    if (oversubscribed)
        fprintf(stream, "* oversubscribed: more processes than cores\n");
    for (int64_t g = 0; g < results->config->group_count; g++) {
        const struct sam_record *r = &results->records[g];
        print_too_coarse(results, g, stream);
        print_wrong(stream, g, "constant", r->wrong_constant, r->first_wrong_constant);
        print_wrong(stream, g, "variable", r->wrong_variable, r->first_wrong_variable);
        if (r->reason[0])
            fprintf(stream, "group %lld: %s\n", (long long)g, r->reason);
    }
}

/* ---- JSON ------------------------------------------------------------------------------- */

static json_t *make_wrong_json(int64_t count, int64_t first)
{
    return nereus_json_pack("{s:I, s:o}", "count", (json_int_t)count, "first",
                            count > 0 ? json_integer((json_int_t)first) : json_null());
}

static json_t *make_stages_json(const struct sam_results *results, int64_t g)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < results->config->stage_count; i++) {
        const struct sam_stage *stage = &results->config->stages[i];
        json_t *one =
            nereus_json_pack("{s:s}", "type", sam_choice_name(SAM_KEY_STAGE_TYPE, stage->type));
        if (sam_stage_type_computes(stage->type)) {
            const int64_t operations = sam_config_operations(
                stage, results->config->groups[g].factor, results->t_op_s[stage->type]);
            json_object_set_new(one, "operations", json_integer((json_int_t)operations));
        } else {
            json_object_set_new(one, "bytes", json_integer((json_int_t)stage->bytes));
        }
        json_array_append_new(array, one);
    }
    return array;
}

static json_t *record_json(const struct sam_results *results, int64_t g)
{
    const struct sam_record *r = &results->records[g];
    const bool resized = r->outcome == SAM_RESIZED;
    json_t *object = json_object();
    json_object_set_new(object, "group", json_integer((json_int_t)g));
    json_object_set_new(object, "iterations", json_integer((json_int_t)r->iterations));
    json_object_set_new(object, "processes", json_integer((json_int_t)r->processes));
    json_object_set_new(object, "oversubscribed", json_boolean(r->oversubscribed));
    json_object_set_new(object, "factor", nereus_json_real(results->config->groups[g].factor));
    json_object_set_new(object, "stages", make_stages_json(results, g));
    /* No value if all iterations of the group were overlapped. */
    const double of_any = r->iterations > 0 ? 1 : NAN;
    json_object_set_new(object, "iteration_mean_s", nereus_json_real(r->mean_s * of_any));
    json_object_set_new(object, "iteration_median_s", nereus_json_real(r->median_s * of_any));
    json_object_set_new(object, "iteration_min_s", nereus_json_real(r->min_s * of_any));
    json_object_set_new(object, "iteration_max_s", nereus_json_real(r->max_s * of_any));
    json_object_set_new(object, "point_mean_s", nereus_json_real(r->point_mean_s));
    json_object_set_new(object, "method",
                        nereus_json_text(g > 0 ? results->config->groups[g].method : NULL));
    json_object_set_new(object, "outcome", nereus_json_text(sam_outcome_name(r->outcome)));
    json_object_set_new(object, "reason", nereus_json_text(r->reason[0] ? r->reason : NULL));
    json_object_set_new(object, "reconfiguration_s",
                        nereus_json_real(resized ? r->reconfiguration_s : NAN));
    json_object_set_new(object, "rt_s", nereus_json_real(results->rt_s ? results->rt_s[g] : NAN));
    json_object_set_new(object, "overlap_iterations",
                        json_integer((json_int_t)r->overlap_iterations));
    json_object_set_new(object, "overlap_mean_s",
                        nereus_json_real(r->overlap_iterations > 0 ? r->overlap_mean_s : NAN));
    json_object_set_new(object, "omega", nereus_json_real(sam_results_omega(results, g)));
    json_object_set_new(object, "wrong_constant",
                        make_wrong_json(r->wrong_constant, r->first_wrong_constant));
    json_object_set_new(object, "wrong_variable",
                        make_wrong_json(r->wrong_variable, r->first_wrong_variable));
    return object;
}

static json_t *make_results_json(const struct sam_results *results)
{
    json_t *groups = json_array();
    for (int64_t g = 0; g < results->config->group_count; g++)
        json_array_append_new(groups, record_json(results, g));
    const struct sam_config *c = results->config;
    return nereus_json_pack(
        "{s:i, s:s, s:I, s:I, s:I, s:{s:o, s:o}, s:s, s:o, s:I, s:I, s:o}", "version", 1,
        "configuration", results->file, "granularity", (json_int_t)c->granularity, "constant_bytes",
        (json_int_t)c->constant_bytes, "variable_bytes", (json_int_t)c->variable_bytes, "t_op_s",
        "pi", nereus_json_real(results->t_op_s[0] > 0 ? results->t_op_s[0] : NAN), "matrix",
        nereus_json_real(results->t_op_s[1] > 0 ? results->t_op_s[1] : NAN), "t_op_from",
        results->t_op_of_profile ? "profile" : "measured", "t_ex_s",
        nereus_json_real(sam_results_t_ex_s(results)), "not_resized",
        (json_int_t)sam_results_count_not_resized(results), "wrong_elements",
        (json_int_t)sam_results_count_wrong(results), "groups", groups);
}

enum nereus_status sam_results_print_json(const struct sam_results *results, FILE *stream,
                                          struct nereus_error *err)
{
    json_t *json = make_results_json(results);
    const bool is_made = json != NULL;
    return nereus_json_write(json, stream)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the results cannot be written as JSON (%s)",
                             is_made ? strerror(errno) : "no memory");
}

enum nereus_status sam_results_write(const struct sam_results *results, const char *path,
                                     struct nereus_error *err)
{
    return nereus_json_replace(path, make_results_json(results), 2, false, err);
}

enum nereus_status sam_results_check_path(const char *path, struct nereus_error *err)
{
    char folder[4096];
    struct stat file_status;
    if (strlen(path) >= sizeof folder)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the results is too long");
    strcpy(folder, path);
    if (stat(path, &file_status) == 0 && S_ISDIR(file_status.st_mode)) {
        return nereus_fail(err, NEREUS_ERR_IO,
                           "%.300s: the results cannot be written there: it is a folder", path);
    }
    if (access(dirname(folder), W_OK) != 0) {
        return nereus_fail(err, NEREUS_ERR_IO, "%.300s: the results cannot be written there: %s",
                           path, strerror(errno));
    }
    return NEREUS_OK;
}
