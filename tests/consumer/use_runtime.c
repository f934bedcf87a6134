/* Uses the runtime from its installed header: a malleable program in which one process joins two
 * others. */
#include <nereus.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct nereus_resize schedule[] = {{.point = 2, .nt = 3, .method = "merge/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    int id;
    int64_t iteration = 0;
    enum nereus_action action = NEREUS_CONTINUE;

    options.schedule = schedule;
    options.schedule_count = 1;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 1;
    if (nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK)
        return 1;
    while (iteration < 4 && action != NEREUS_LEAVE) {
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 1;
    }
    int wrong = nereus_size(job) != 3;
    if (nereus_rank(job) == 0)
        printf("use_runtime: %d processes after iteration %lld\n", nereus_size(job),
               (long long)iteration);
    return nereus_finalize(&job) != NEREUS_OK || wrong;
}
