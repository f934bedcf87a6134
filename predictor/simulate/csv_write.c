/** @file csv_write.c  Writes a workload as CSV. */

#include "convert.h"
#include "model/util/csv.h"
#include "predictor/cli/output.h"

static void print_real(double value, FILE *stream)
{
    const struct nereus_cell cell = nereus_cell_real(value);
    nereus_csv_print_cell(stream, &cell);
}

static void print_if(const struct nereus_sim_job *job, enum nereus_sim_given what, double value,
                     FILE *stream)
{
    fputc(',', stream);
    if ((job->given & (unsigned)what) != 0)
        print_real(value, stream);
}

static void print_job(const struct nereus_workload *workload, const struct nereus_sim_job *job,
                      FILE *stream)
{
    fprintf(stream, "%lld,", (long long)job->number);
    print_real(job->submit_s, stream);
    fputc(',', stream);
    print_real(job->run_s, stream);
    fprintf(stream, ",%lld,", (long long)job->processors);
    if (job->estimate_s > job->run_s)
        print_real(job->estimate_s, stream);
    fputs((job->given & NEREUS_SIM_GIVEN_MALLEABLE) == 0 ? ","
          : job->malleable                               ? ",yes"
                                                         : ",no",
          stream);
    print_if(job, NEREUS_SIM_GIVEN_T_ITER, job->t_iter_s, stream);
    fputc(',', stream);
    if ((job->given & NEREUS_SIM_GIVEN_SERIAL) != 0) {
        fputs("amdahl:", stream);
        print_real(job->serial, stream);
    }
    print_if(job, NEREUS_SIM_GIVEN_BYTES, job->bytes_per_process, stream);
    print_if(job, NEREUS_SIM_GIVEN_MIN, job->min, stream);
    print_if(job, NEREUS_SIM_GIVEN_MAX, job->max, stream);
    fputc(',', stream);
    if (job->app_class != NEREUS_SIM_NONE)
        nereus_csv_print(stream, workload->classes[job->app_class]);
    fputc('\n', stream);
}

void nereus_workload_write_csv(const struct nereus_workload *workload, FILE *stream)
{
    fputs("job,submit_s,run_s,processors,requested_s,malleable,t_iter_s,scaling,bytes_per_process,"
          "least_processors,most_processors,class\n",
          stream);
    for (int64_t i = 0; i < workload->count; i++)
        print_job(workload, &workload->jobs[i], stream);
}
