/**
 * @file nereus.h
 * libnereus: makes an iterative MPI program malleable.
 *
 * The shape of a malleable program (complete: sam/, and docs/application.md):
 *
 *     struct nereus_options options = NEREUS_OPTIONS_INIT;
 *     nereus_job *job;
 *     if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK) return EXIT_FAILURE;
 *     int x, counter; int64_t iteration = 0;
 *     nereus_register_array(job, "x", MPI_DOUBLE, n, NEREUS_VARIABLE, &x);
 *     nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration, &counter);
 *     if (!nereus_is_joined(job)) fill_in_initial_values(job, x);
 *     enum nereus_action action = NEREUS_CONTINUE;
 *     while (iteration < last && action != NEREUS_LEAVE) {
 *         compute(nereus_comm(job), ...); iteration++;
 *         nereus_point(job, &action);
 *         if (action == NEREUS_RESIZED) get_pointers_again(job, x);
 *     }
 *     return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
 *
 * A process that was spawned by a reconfiguration runs the same program from main(): nereus_init joins the
 * job and returns with the data already received; registering a name then yields the received values. A
 * source that leaves gets NEREUS_LEAVE and goes to its own end: the library never calls exit.
 *
 * All functions are to be called from the thread that initialised MPI, and, unless marked local, by every
 * active process in the same order. They return an enum nereus_status; nereus_last_error gives the sentence.
 * Counts are int64_t.
 */
#ifndef NEREUS_H
#define NEREUS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In an installed tree the model's headers lie in nereus/. */
#include "request.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A malleable job, as this process sees it. Opaque. */
typedef struct nereus_job nereus_job;

/** What a malleability point tells the application to do. */
enum nereus_action {
    NEREUS_CONTINUE = 0, /**< nothing has changed */
    NEREUS_RESIZED = 1, /**< another communicator, rank, size; other local parts: ask for all of them again */
    NEREUS_LEAVE =
        2 /**< this process is no longer part of the job: leave the loop, call nereus_finalize, end */
};

/** What became of a request. */
enum nereus_outcome {
    NEREUS_OUTCOME_NONE = 0,  /**< no request yet */
    NEREUS_OUTCOME_PENDING,   /**< accepted, not carried out yet */
    NEREUS_OUTCOME_RESIZED,   /**< carried out */
    NEREUS_OUTCOME_UNCHANGED, /**< nothing to do: the job has that size already */
    NEREUS_OUTCOME_REFUSED,   /**< reserved for requests from outside; nereus_request_size refuses at once */
    NEREUS_OUTCOME_FAILED, /**< begun and taken back (spawn failed, no memory, ...); the job goes on as it was
                            */
    NEREUS_OUTCOME_TOO_LATE /**< the application ended first; found out by nereus_finalize, seen in the trace */
};

/** One wanted size change, carried out at the first malleability point whose number is >= point. */
struct nereus_resize {
    int64_t point;      /**< 1 is the first malleability point of the job */
    int64_t nt;         /**< processes wanted */
    const char *method; /**< as in "merge/coll"; NULL: options.method, and if that is NULL too, chosen as there */
};

struct nereus_options {
    size_t size;        /**< sizeof(struct nereus_options), set by NEREUS_OPTIONS_INIT */
    const char *method; /**< default method; NULL: chosen for each request, to survive most: "merge-launch/coll" where
                           processes have to start and a launcher can be used (the job was started with
                           nereus-mpiexec), else "merge/coll"; trace and outcome name what was chosen */
    const struct nereus_resize
        *schedule; /**< requests known from the start (read at the initial processes only) */
    int64_t schedule_count;
    const char *program;            /**< what to start as new processes; NULL: this program */
    const char *const *environment; /**< names of environment variables to hand on, NULL-terminated; NULL:
                                       none but the launcher's */
    const char *hostfile; /**< "name[:cores]" lines: the declared slots; NULL: $NEREUS_HOSTFILE, else none */
    int64_t slots;     /**< declared slots on this host; 0: $NEREUS_SLOTS, else none (more than the cores only
                          warns) */
    const char *trace; /**< JSON Lines file for the trace; NULL: $NEREUS_TRACE, else none */
    const char *state; /**< JSON file for the job's state; NULL: $NEREUS_STATE, else none */
    const void *user_state; /**< handed to new processes before nereus_init returns there */
    size_t user_state_bytes;
    void (*before)(
        nereus_job *job,
        void *
            user); /**< called before communicator and pointers change, on processes that had them; the data has
                        moved by then: what it writes into registered data is lost where a part changes */
    void (*after)(
        nereus_job *job,
        void *
            user); /**< called after, on every target, before the point (or nereus_init) returns; in a joined process
                        nothing is registered yet then */
    void *user;
    double spawn_timeout_s; /**< a new process that has not reached MPI by then has failed; 0: 60 s */
    const char *
        bind; /**< "core": each process on a core of its own where there are enough, "none"; NULL: $NEREUS_BIND,
                         else "core" */
    const char
        *connect; /**< how old and new processes are connected where not all old ones start the new: "port" or
                            "bridge"; NULL: $NEREUS_CONNECT, else what was measured to be better (docs/measured.md) */
    int64_t batch; /**< strategy multiple: processes a spawn; 0: $NEREUS_BATCH, else 1 */
    int64_t
        test_every; /**< asynchronous methods: points from one look at the auxiliary threads to the next; 0:
                            $NEREUS_TEST_EVERY, else 1 */
    double
        answer_timeout_s; /**< a host that does not answer for so long, when processes are to start there, has
                             failed; 0: $NEREUS_ANSWER_TIMEOUT, else 7 s */
};
#define NEREUS_OPTIONS_INIT                                                                                  \
    {                                                                                                        \
        sizeof(struct nereus_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0            \
    }

/**
 * Start: initialises MPI if the program has not, or joins the running job if this process was spawned by it.
 * Collective over the world. @param[in,out] argc, argv  as main got them (may be NULL) @param[in] options
 * NULL: all defaults
 * @param[out] job  to be ended with nereus_finalize; NULL on failure
 * @return NEREUS_ERR_CALLED_OFF in a new process whose reconfiguration was called off (MPI is finalised then
 * if this call initialised it: return from main); otherwise as usual. The sentence is printed to stderr once.
 */
enum nereus_status nereus_init(int *argc, char ***argv, const struct nereus_options *options,
                               nereus_job **job);

/** Local, also before nereus_init and MPI_Init: was this process started by a reconfiguration, so that nereus_init will join a
 * job? For programs whose initial processes have to read something first. */
bool nereus_will_join(void);
/** Local: did this process come into the job by a reconfiguration? */
bool nereus_is_joined(const nereus_job *job);
/** Local: the application's communicator, its size and this process' rank in it. Valid until a point returns
 * RESIZED or LEAVE. Never free it. */
MPI_Comm nereus_comm(const nereus_job *job);
int nereus_rank(const nereus_job *job);
int nereus_size(const nereus_job *job);
/** Local: malleability points passed since the job began; reconfigurations carried out. */
int64_t nereus_points(const nereus_job *job);
int64_t nereus_reconfigurations(const nereus_job *job);
/** Local: the user state given by options.user_state (in a joined process: the received copy). bytes may be
 * NULL. Valid until a point returns RESIZED. */
const void *nereus_user_state(const nereus_job *job, size_t *bytes);

/**
 * Register a block-distributed array: count elements in all, rank r holds nereus_block(count, size, r). The
 * library owns the local part (zeroed; in a joined process: received). @param type  predefined or any type
 * whose extent equals its size
 * @param[out] id  handle; the same in every process that registers in the same order
 * @return NEREUS_ERR_ARGUMENT (name empty, too long or taken; count < 0), NEREUS_ERR_MISMATCH (a joined
 * process asks for another type or length than it received), NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type, int64_t count,
                                         enum nereus_data_kind kind, int *id);

/**
 * Register values that are the same in every process (an iteration counter, parameters). They stay in the
 * caller's memory, which must stay valid until nereus_finalize; in a joined process the received values are
 * written there.
 */
enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind, void *values,
                                              int *id);

/** Local: this process' part of an array. Any output may be NULL. A part of length 0 may have a NULL pointer.
 * @return NEREUS_ERR_ARGUMENT (without a sentence) unless id is one of an array */
enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first, int64_t *count);

/**
 * A malleability point: carries out a request if one is due, else costs next to nothing (no blocking
 * collective). Every active process passes the same number of points.
 * @param[out] action  see enum nereus_action; NEREUS_CONTINUE also after a refused or failed request
 * A process that slept through the registration of further data registers them after RESIZED, like a joined one.
 * @return NEREUS_OK also then (the outcome tells); an error where the process has left already. What cannot be
 *         taken back (MPI fails, memory is lacking while data moves) ends the whole job with a sentence: the others
 *         would wait for ever.
 */
enum nereus_status nereus_point(nereus_job *job, enum nereus_action *action);

/**
 * Ask for another size at run time. Local, on rank 0 (elsewhere NEREUS_ERR_STATE). Agreed on by small
 * messages that nobody waits for, and carried out some points later (rank 0 names a point 2, 4, 8, ... points ahead until all can stop
 * there).
 * @return NEREUS_ERR_BUSY while a request is pending; NEREUS_ERR_ARGUMENT, NEREUS_ERR_UNSUPPORTED for what
 * cannot be done
 */
enum nereus_status nereus_request_size(nereus_job *job, int64_t nt, const char *method);

/**
 * The same, to give nodes back: all processes on them leave, the others stay. How is decided from the job's state
 * (parallel-spawning 4.6, 4.7): whole worlds end (ts); where a world has processes on other nodes too, all are started anew
 * on the nodes that are kept (ss), as a world can only end as a whole.
 * @param[in] nodes  names as in the host file, 1 to 64 of them
 * @return also NEREUS_ERR_ARGUMENT for an unknown node, or where no process would be left
 */
enum nereus_status nereus_request_release(nereus_job *job, const char *const *nodes, int64_t count,
                                          const char *method);

/** Local: what became of the latest request, and its sentence (may be NULL). */
enum nereus_outcome nereus_last_outcome(const nereus_job *job, const char **sentence);
/** Local: the sentence of the last error in this process; NULL job: of the last failed nereus_init. Never
 * NULL. */
const char *nereus_last_error(const nereus_job *job);

/**
 * End: wakes the zombies, completes what is pending, frees everything, and finalises MPI if nereus_init
 * initialised it. Collective over the active processes; also to be called by a process that leaves. Sets *job
 * to NULL.
 */
enum nereus_status nereus_finalize(nereus_job **job);

#ifdef __cplusplus
}
#endif
#endif
