/**
 * @file state.c
 * Writes the state file. A failure is reported once and is not an error of the job.
 */
#include "state.h"

#include "src/util/json_lines.h"

void nereus_job_write_state(const nereus_job *job)
{
    struct nereus_error err;
    if (job->settings.state_path != NULL &&
        nereus_jobstate_write(job->settings.state_path, &job->state, &job->machine, &err) !=
            NEREUS_OK &&
        !nereus_unwritten.state) {
        nereus_log("%s", err.text); /* not an error of the job */
        nereus_unwritten.state = true;
    }
}
