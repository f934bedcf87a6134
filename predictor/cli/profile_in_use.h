/**
 * @file profile_in_use.h
 * The profile that a command takes where none is given.
 */
#ifndef NEREUS_PROFILE_IN_USE_H
#define NEREUS_PROFILE_IN_USE_H

/**
 * @param[out] source  where its name comes from, as in "named by $NEREUS_PROFILE"
 * @return its path, in static memory; NULL: there is none
 */
const char *nereus_cli_profile_in_use(const char **source);

#endif
