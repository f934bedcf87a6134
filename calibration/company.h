/**
 * @file company.h
 * Threads beside the main ones of a world: what auxiliary threads do while an application iterates.
 */
#ifndef NEREUS_CALIBRATION_COMPANY_H
#define NEREUS_CALIBRATION_COMPANY_H

#include <mpi.h>

#include "contention.h"

struct company;

/**
 * Start so many threads, dealt out over the processes from rank 0 on. Collective; MPI_THREAD_MULTIPLE.
 * @return ends with company_end; NULL without memory
 */
struct company *company_start(MPI_Comm world, enum nereus_company kind, int threads);

/** End them. Collective. */
void company_end(struct company *company);

#endif
