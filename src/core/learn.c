/**
 * @file learn.c
 * Writes samples of real jobs (NEREUS_LEARN=FILE): RT, bytes, iteration time and It of each
 * reconfiguration. RT is measured at rank 0, from the decision to the first iteration of the
 * target.
 */
#include <sys/stat.h>

#include "model/util/file.h"
#include "model/util/home.h"
#include "model_choice.h"
#include "nereus/profile_place.h"
#include "nereus/samples.h"
#include "src/start/hosts.h"
#include "src/util/clock.h"
#include "src/util/json_lines.h"
#include "trace.h"

static struct nereus_sample make_sample(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    const struct nereus_request *record = &reconfig->record;
    const double rt_s = nereus_skewed_monotonic_s() + nereus_clock_correction_s() - job->began_s;
    const bool overlapped = nereus_method_is_overlapped(&record->method);
    const int64_t alive = reconfig->plan.ns + reconfig->plan.woken + reconfig->plan.spawned;
    struct nereus_profile_search search;
    struct nereus_request_bytes bytes;
    nereus_profile_search_init(&search);
    nereus_request_sum_bytes(record, &bytes);
    struct nereus_sample sample = {
        .kind = NEREUS_SAMPLE_RECONFIGURATION,
        .cores_per_node = job->machine.cores_per_node,
        .cores_per_process = nereus_machine_cores_per_process(&job->machine),
        .ns = record->ns,
        .nt = record->nt,
        .method = reconfig->request.method,
        .t_iter_ns_s = nereus_model_choice_measured_s(job, record->ns),
        .t_iter_nt_s = nereus_model_choice_measured_s(job, record->nt),
        .bytes = (double)(bytes.constant_bytes + bytes.variable_bytes),
        .rt_s = rt_s,
        .ct_s = overlapped ? rt_s : NAN,
        .iterations = overlapped ? (double)(job->points - record->point) : NAN,
        .time_s = NAN,
        .oversubscribed = nereus_machine_is_oversubscribed(&job->machine, alive),
        .n = 1};
    snprintf(sample.cluster, sizeof sample.cluster, "%.60s", search.here_words);
    return sample;
}

/* Lock the file, as several jobs may write to it. Without locks their rows may be mixed, which is
 * rare: that is said once, and the row is written. */
static void lock_samples(FILE *file, const char *path)
{
    if (nereus_file_lock(fileno(file), true) == NEREUS_FILE_LOCKED ||
        nereus_unwritten.learn_unlocked)
        return;
    nereus_log("'%s' cannot be locked (%s): let no other job learn into it", path, strerror(errno));
    nereus_unwritten.learn_unlocked = true;
}

/* @return the header line, to be freed by the caller; NULL: there is none, as in an empty file */
static char *read_header(FILE *file)
{
    struct stat status;
    char *line = NULL;
    size_t size = 0;
    ssize_t length = -1;
    if (fstat(fileno(file), &status) != 0 || status.st_size == 0) /* a device has no end */
        return NULL;
    rewind(file);
    do
        length = getline(&line, &size, file);
    while (length > 0 && (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0'));
    if (length > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        return line;
    }
    free(line);
    return NULL;
}

/* Write a header line where there is none.
 * @param[in,out] per_process  as of nereus_samples_header_fits */
static enum nereus_status find_columns(FILE *file, bool *per_process, struct nereus_error *err)
{
    char *line = read_header(file);
    fseek(file, 0, SEEK_END); /* between reading and writing */
    if (line == NULL) {
        *per_process = true;
        return fprintf(file, "%s\n", nereus_samples_header(true)) > 0
                   ? NEREUS_OK
                   : nereus_fail(err, NEREUS_ERR_IO, "%s", strerror(errno));
    }
    const bool fits = nereus_samples_header_fits(line, per_process),
               is_single = strcmp(line, nereus_samples_header(false)) == 0;
    free(line);
    if (fits)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_PARSE, "its header line %s; name another file",
                       is_single ? "has no column cores_per_process, which this job needs"
                                 : "is another one than that of samples that nereus writes");
}

/* Append a row under a lock. */
static bool append_sample(const char *path, const struct nereus_sample *sample,
                          struct nereus_error *err)
{
    char *in_home = nereus_home_path(path);
    FILE *file = fopen(in_home != NULL ? in_home : path, "a+");
    struct stat status;
    free(in_home);
    if (file == NULL)
        return nereus_fail(err, NEREUS_ERR_IO, "%s", strerror(errno)) == NEREUS_OK;
    if (fstat(fileno(file), &status) == 0 && S_ISFIFO(status.st_mode)) {
        fclose(file);
        return nereus_fail(err, NEREUS_ERR_IO, "a pipe keeps nothing: name a file") == NEREUS_OK;
    }
    lock_samples(file, path);
    bool per_process = sample->cores_per_process > 1;
    bool written = nereus_samples_repair_last_line(fileno(file)) ||
                   nereus_fail(err, NEREUS_ERR_IO, "%s", strerror(errno)) == NEREUS_OK;
    written = written && find_columns(file, &per_process, err) == NEREUS_OK &&
              nereus_samples_write_row(file, sample, per_process, err) == NEREUS_OK;
    if (fclose(file) != 0 && written)
        written = nereus_fail(err, NEREUS_ERR_IO, "%s", strerror(errno)) == NEREUS_OK;
    return written;
}

void nereus_learn_append_row(const struct reconfiguration *reconfig)
{
    const char *path = reconfig->job->settings.learn_path;
    struct nereus_error err = {0};
    /* The clock of another host is not aligned yet */
    if (path == NULL || reconfig->target_rank != 0 ||
        (reconfig->role == NEREUS_SPAWNED &&
         nereus_machine_has_several_hosts(&reconfig->job->machine)))
        return;
    const struct nereus_sample sample = make_sample(reconfig);
    if (!append_sample(path, &sample, &err) && !nereus_unwritten.learn) {
        nereus_log("nothing can be learnt in '%s': %s", path, err.text);
        nereus_unwritten.learn = true;
    }
}
