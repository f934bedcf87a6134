/** @file application_keys.h  The keys of application files, as a table. */
#ifndef NEREUS_POLICY_APPLICATION_KEYS_H
#define NEREUS_POLICY_APPLICATION_KEYS_H

#include "keys.h"

/** Ends with section NULL. */
extern const struct nereus_key nereus_application_keys[];

#endif
