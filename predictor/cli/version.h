/** @file version.h  `nereus --version`. */
#ifndef NEREUS_VERSION_PRINT_H
#define NEREUS_VERSION_PRINT_H

/** Version, commit, MPI, and the profile that is taken where none is given. */
void nereus_version_print(void);

#endif
