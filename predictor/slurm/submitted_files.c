/** @file submitted_files.c  Writes the configuration and the batch script of a job, and reads the
 * files that it leaves. */
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/values.h"
#include "predictor/run/child.h"
#include "submitted.h"

/* Refuse characters that have a meaning in #SBATCH lines: quoting does not help against all. */
static enum nereus_status check_path(const char *what, const char *path, struct nereus_error *err)
{
    return strpbrk(path, " \t\n'\"\\#%") == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO,
                             "the %s '%s' cannot be written in a batch script: it has a blank or "
                             "one of ' \" \\ # %%",
                             what, path);
}

enum nereus_status nereus_submitted_init(const struct nereus_workload *workload,
                                         int32_t cores_per_node, const char *folder,
                                         struct nereus_submitted *live, struct nereus_error *err)
{
    char resolved[PATH_MAX];
    *live = (struct nereus_submitted){.workload = workload, .cores_per_node = cores_per_node};
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || realpath(folder, resolved) == NULL) {
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%s' cannot be made: %s", folder,
                           strerror(errno));
    }
    NEREUS_TRY(check_path("folder", resolved, err));
    if (strlen(resolved) >= sizeof live->folder) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the name of the folder '%.80s...' is too long", resolved);
    }
    memcpy(live->folder, resolved, strlen(resolved) + 1);
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus", live->nereus, err));
    NEREUS_TRY(check_path("program", live->nereus, err));
    live->jobs = calloc((size_t)workload->count, sizeof *live->jobs);
    NEREUS_TRY_MEMORY(live->jobs, err, "for %lld jobs", (long long)workload->count);
    return NEREUS_OK;
}

void nereus_submitted_fini(struct nereus_submitted *live)
{
    free(live->jobs);
    live->jobs = NULL;
}

/* Write iterations of about the workload's length, or of about a second, as many as take the run time.
 * With Stage_Time_Capped a stage ends after its time also on shared cores. */
static void print_configuration(const struct nereus_sim_job *job, FILE *stream)
{
    const double run_s = nereus_max_real(1e-3, job->run_s);
    const double iterations =
        nereus_max_real(1, job->t_iter_s > 0 ? round(run_s / job->t_iter_s) : ceil(run_s));
    const double serial = job->serial;
    const double one_s = run_s / iterations / (serial + (1 - serial) / (double)job->processors);
    char numbers[2][32];
    fprintf(stream,
            "[general]\nscaling = amdahl:%s\nvariable_bytes = %.0f\n\n"
            "[stage0]\ntype = pi\ntime_s = %s\nStage_Time_Capped = yes\n\n"
            "[group0]\niterations = %.0f\nprocesses = %lld\n",
            nereus_format_real(serial, numbers[0]),
            job->bytes_per_process * (double)job->processors, nereus_format_real(one_s, numbers[1]),
            iterations, (long long)job->processors);
}

/* Write the name under which a malleable job answers, and which its comment has for a broker. */
static void print_malleable(const struct nereus_submitted *live, int64_t number, FILE *stream)
{
    const struct nereus_sim_job *job = &live->workload->jobs[number];
    fprintf(stream,
            "#SBATCH --comment=\"nereus job-%lld-%%j\"\n"
            "export NEREUS_SIZES=minimum=%lld,maximum=%lld\n"
            "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n",
            (long long)number, (long long)((int64_t)job->min * live->cores_per_node),
            (long long)((int64_t)job->max * live->cores_per_node));
}

static void print_script(const struct nereus_submitted *live, int64_t number, FILE *stream)
{
    const struct nereus_sim_job *job = &live->workload->jobs[number];
    /* Slurm counts minutes; it would end a job whose start-up takes longer than its estimate. */
    const double limit_min = ceil((job->estimate_s + 60) / 60);
    char name[48] = "";
    fprintf(stream,
            "#!/bin/sh\n#SBATCH --job-name=job-%lld\n#SBATCH --nodes=%d\n"
            "#SBATCH --ntasks-per-node=%d\n#SBATCH --exclusive\n#SBATCH --time=%.0f\n"
            "#SBATCH --output=%s/job-%lld.out\n",
            (long long)number, job->nodes, live->cores_per_node, limit_min, live->folder,
            (long long)number);
    if (job->malleable) {
        snprintf(name, sizeof name, " --job job-%lld-$SLURM_JOB_ID", (long long)number);
        print_malleable(live, number, stream);
    }
    fprintf(stream,
            "cd '%s' || exit 1\n"
            "date +%%s.%%N >job-%lld.start\n"
            "'%s' run%s job-%lld.ini\n"
            "status=$?\n"
            "{ date +%%s.%%N; echo $status; } >job-%lld.ending\n"
            "mv job-%lld.ending job-%lld.end\n"
            "exit $status\n",
            live->folder, (long long)number, live->nereus, name, (long long)number,
            (long long)number, (long long)number, (long long)number);
}

static enum nereus_status write_file(const struct nereus_submitted *live, int64_t job,
                                     const char *ending, struct nereus_file_replace *replace,
                                     struct nereus_error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/job-%lld%s", live->folder, (long long)job, ending);
    return nereus_file_replace_begin(path, replace, err);
}

static void remove_file(const struct nereus_submitted *live, int64_t job, const char *ending)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/job-%lld%s", live->folder, (long long)job, ending);
    unlink(path);
}

enum nereus_status nereus_submitted_write(const struct nereus_submitted *live, int64_t job,
                                          struct nereus_error *err)
{
    struct nereus_file_replace replace;
    remove_file(live, job, ".start");
    remove_file(live, job, ".end");
    NEREUS_TRY(write_file(live, job, ".ini", &replace, err));
    print_configuration(&live->workload->jobs[job], replace.stream);
    replace.transient = true;
    NEREUS_TRY(nereus_file_replace_commit(&replace, err));
    NEREUS_TRY(write_file(live, job, ".sh", &replace, err));
    print_script(live, job, replace.stream);
    replace.transient = true;
    return nereus_file_replace_commit(&replace, err);
}
