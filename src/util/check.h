/* NEREUS_CHECK=1: a mode that finds mistakes of the program, for tests of it. */
#ifndef NEREUS_SRC_CHECK_H
#define NEREUS_SRC_CHECK_H

#include <stdbool.h>

#include "nereus/status.h"

/* Off until rank 0's setting has been received; equal in all processes. */
bool nereus_checks(void);
void nereus_checks_set(bool on);
/* What NEREUS_CHECK says here. */
enum nereus_status nereus_check_setting(bool *on, struct nereus_error *err);

#endif
