/**
 * @file blocking_calls.h
 * Makes blocking MPI calls without a non-blocking form (spawn, connect, accept, merge) sleep while
 * they wait: MPICH spins in them, even if the processes that it waits for need the core.
 */
#pragma once

#include "model/util/base.h"

/** MPI's progress loop sleeps 0.1 ms per turn, from here to _end, in every MPI call of the calling
 * thread; calls of other threads wait some 0.1 ms for MPICH's lock. No effect on an MPI without
 * MPICH's MPIX_Async_start. Thread-safe, per thread. */
void nereus_blocking_calls_begin(void);
/** Calls of this thread spin again. */
void nereus_blocking_calls_end(void);
