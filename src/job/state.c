/* The job's state file: see state.h. */
#include "state.h"

#include "src/util/error.h"

void nereus_job_write_state(const nereus_job *job)
{
    static bool said; /* that it cannot be written: once is enough */
    struct nereus_error err;
    if (job->settings.state_path != NULL &&
        nereus_jobstate_write(job->settings.state_path, &job->state, &job->machine, &err) !=
            NEREUS_OK &&
        !said) {
        nereus_say("%s", err.text); /* the job itself is well */
        said = true;
    }
}
