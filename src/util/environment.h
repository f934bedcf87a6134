/* Environment variables that the MPI at hand needs. Private to src/. */
#ifndef NEREUS_SRC_ENVIRONMENT_H
#define NEREUS_SRC_ENVIRONMENT_H

/* Set what the MPI at hand needs in its environment, unless the user has set it. Before MPI_Init.
 */
void nereus_set_mpi_environment(void);

#endif
