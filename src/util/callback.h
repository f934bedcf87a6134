/* Functions of the application that the library calls: while one runs, calls of the library that
 * wait for others, or change what a reconfiguration works on, are refused. Private to src/. */
#ifndef NEREUS_SRC_CALLBACK_H
#define NEREUS_SRC_CALLBACK_H

#include "nereus/status.h"

/* This thread enters one, which the application knows by that name, and comes back from it. */
void nereus_callback_begins(const char *name);
void nereus_callback_ends(void);
/* NEREUS_ERR_STATE where this thread is inside one. what: as in "nereus_point". */
enum nereus_status nereus_callback_refuses(const char *what, struct nereus_error *err);

#endif
