/**
 * @file step_time.c
 * One reduction gives the time of a step from the clocks of all its participants.
 */
#include "step_time.h"

#include <string.h>

#include "nereus/request.h"

double nereus_hash_host(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(name, &length);
    uint64_t hash = nereus_hash(name, strlen(name));
    return (double)(hash >> 12);
}

double nereus_step_compute_time_s(struct nereus_step_interval own, MPI_Comm comm)
{
    double host = nereus_hash_host();
    /* One reduction for minimum and maximum: the minimum is minus the maximum of the negated
     * number. */
    double own_times[5] = {host, -host, own.arrival_s, own.departure_s,
                           own.departure_s - own.arrival_s},
           max[5];
    MPI_Allreduce(own_times, max, 5, MPI_DOUBLE, MPI_MAX, comm);
    return max[0] == -max[1] ? max[3] - max[2] : max[4];
}
