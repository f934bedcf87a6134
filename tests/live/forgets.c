/* A malleable program that ends as if it were done, without nereus_finalize.
 *
 *   forgets            the process of the last rank returns from main
 *   forgets STATUS     with that status
 *   forgets finalize   it calls MPI_Finalize
 *   forgets zombie     a process that was asleep, and is called to the end of the job
 */
#include <nereus.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One process is left; it ends the job as it should. */
static int sleep_and_forget(nereus_job *job)
{
    enum nereus_action action = NEREUS_CONTINUE;
    for (int i = 0; i < 5 && action != NEREUS_LEAVE; i++)
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
    if (action == NEREUS_LEAVE)
        return 0;
    return nereus_finalize(&job) == NEREUS_OK ? 0 : 9;
}

int main(int argc, char **argv)
{
    static const struct nereus_resize schedule[] = {{2, 1, "merge-zs/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    const char *how = argc > 1 ? argv[1] : "0";
    nereus_job *job;
    enum nereus_action action;
    if (strcmp(how, "zombie") == 0) {
        options.schedule = schedule;
        options.schedule_count = 1;
    }
    if (nereus_init(NULL, NULL, &options, &job) != NEREUS_OK)
        return 7;
    if (strcmp(how, "zombie") == 0)
        return sleep_and_forget(job);
    const bool forgets = nereus_rank(job) == nereus_size(job) - 1;
    if (forgets && strcmp(how, "finalize") == 0)
        return MPI_Finalize();
    if (forgets)
        return atoi(how);
    while (nereus_point(job, &action) == NEREUS_OK)
        ;
    return 8;
}
