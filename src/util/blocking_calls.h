/* Blocking MPI calls that have no other form (spawn, connect, accept, merge). A process that waits
 * inside one spins, also where the processes that it waits for need its core. Private to src/. */
#ifndef NEREUS_SRC_BLOCKING_CALLS_H
#define NEREUS_SRC_BLOCKING_CALLS_H

/* From here to _end MPI sleeps between its looks, 0.1 ms, in every MPI call of the calling thread;
 * calls of other threads wait some 0.1 ms for MPICH's lock. No effect on an MPI without MPICH's
 * MPIX_Async_start. Any thread, each for itself. */
void nereus_blocking_calls_begin(void);
void nereus_blocking_calls_end(void);

#endif
