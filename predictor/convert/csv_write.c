/** @file csv_write.c  A workload as CSV. Numbers have all their digits. */
#include <inttypes.h>

#include "convert.h"
#include "predictor/cli/output.h"

static void print_if(const struct nereus_sim_job *job, enum nereus_sim_given what, double value,
                     FILE *stream)
{
    fputc(',', stream);
    if ((job->given & (unsigned)what) != 0) {
        fprintf(stream, "%.15g", value);
    }
}

static void print_job(const struct nereus_workload *workload, const struct nereus_sim_job *job,
                      FILE *stream)
{
    fprintf(stream, "%" PRId64 ",%.15g,%.15g,%" PRId64 ",", job->number, job->submit_s, job->run_s,
            job->processors);
    if (job->estimate_s > job->run_s) {
        fprintf(stream, "%.15g", job->estimate_s);
    }
    fputs((job->given & NEREUS_SIM_GIVEN_MALLEABLE) == 0 ? ","
          : job->malleable                               ? ",yes"
                                                         : ",no",
          stream);
    print_if(job, NEREUS_SIM_GIVEN_T_ITER, job->t_iter_s, stream);
    fputc(',', stream);
    if ((job->given & NEREUS_SIM_GIVEN_SERIAL) != 0) {
        fprintf(stream, "amdahl:%.15g", job->serial);
    }
    print_if(job, NEREUS_SIM_GIVEN_BYTES, job->bytes_per_process, stream);
    print_if(job, NEREUS_SIM_GIVEN_LEAST, job->least, stream);
    print_if(job, NEREUS_SIM_GIVEN_MOST, job->most, stream);
    fputc(',', stream);
    if (job->app_class != NEREUS_SIM_NONE) {
        nereus_csv_text_print(stream, workload->classes[job->app_class]);
    }
    fputc('\n', stream);
}

void nereus_workload_write_csv(const struct nereus_workload *workload, FILE *stream)
{
    fputs("job,submit_s,run_s,processors,requested_s,malleable,t_iter_s,scaling,bytes_per_process,"
          "least_processors,most_processors,class\n",
          stream);
    for (int64_t i = 0; i < workload->count; i++) {
        print_job(workload, &workload->jobs[i], stream);
    }
}
