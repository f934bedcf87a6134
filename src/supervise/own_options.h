/**
 * @file own_options.h
 * Options that nereus-mpiexec accepts with every MPI: -hosts A,B:2, -f FILE and -genv NAME VALUE,
 * as in its help. Hydra's mpiexec has these options; for another launcher they are translated into
 * its own.
 */
#ifndef NEREUS_SRC_SUPERVISE_OWN_OPTIONS_H
#define NEREUS_SRC_SUPERVISE_OWN_OPTIONS_H

/** The command line with the launcher's options, an owned list of owned words. NULL: no memory. */
char **own_options_translate(char *const *mpiexec);

#endif
