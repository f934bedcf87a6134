/* A malleable program whose process of rank 1 ends as if it were done, without nereus_finalize;
 * with an argument: with that status. */
#include <nereus.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    nereus_job *job;
    enum nereus_action action;
    if (nereus_init(NULL, NULL, NULL, &job) != NEREUS_OK)
        return 7;
    if (nereus_rank(job) == 1)
        return argc > 1 ? atoi(argv[1]) : 0;
    while (nereus_point(job, &action) == NEREUS_OK)
        ;
    return 8;
}
