/**
 * @file callback.h
 * Marks callbacks of the application. While one runs, calls of the library that wait for others, or
 * change data used by a reconfiguration, are refused.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** This thread enters a callback, which has this name in the API. */
void nereus_callback_enter(const char *name);
/** This thread returns from the callback. */
void nereus_callback_leave(void);
/** Call a callback, if there is one: before or after of nereus_options. */
struct nereus_job;
void nereus_callback_call(const char *name, void (*callback)(struct nereus_job *job, void *user),
                          struct nereus_job *job, void *user);
/** NEREUS_ERR_STATE if this thread is inside a callback. what: the refused call, as
 * "nereus_point". */
enum nereus_status nereus_callback_check_outside(const char *what, struct nereus_error *err);
