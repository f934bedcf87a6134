#ifndef NEREUS_SRC_ENVIRONMENT_H
#define NEREUS_SRC_ENVIRONMENT_H

/* Set the environment variables that this MPI needs, unless the user has set them. Before MPI_Init.
 */
void nereus_set_mpi_environment(void);

#endif
