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
#include "nereus/request.h"
#include "nereus/status.h"

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
    NEREUS_OUTCOME_FAILED, /**< begun and taken back (spawn failed, no memory, ...); the job goes on as it was
                            */
    NEREUS_OUTCOME_TOO_LATE /**< the application ended first; found out by nereus_finalize, seen in the trace */
};

/** One wanted size change, carried out at the first malleability point whose number is >= point. */
struct nereus_resize {
    int64_t point; /**< 1 is the first malleability point of the job */
    int64_t nt;    /**< processes wanted */
    const char
        *method; /**< as in "merge/coll"; NULL: options.method, and if that is NULL too, chosen as there */
};

struct nereus_options {
    size_t size; /**< sizeof(struct nereus_options), set by NEREUS_OPTIONS_INIT */
    const char *
        method; /**< default method; NULL: chosen for each request, to survive most: "merge-launch/coll" where
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
                        the application has registered nothing yet then: do not count on ids */
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
    double
        imbalance; /**< distribution keep: a range is at most (1 + imbalance) n / nt elements, rounded up, and at
                         least (1 - imbalance) n / nt, rounded down; below 0: none; 0: $NEREUS_IMBALANCE, else 0.05 */
};
#define NEREUS_OPTIONS_INIT                                                                                  \
    {                                                                                                        \
        sizeof(struct nereus_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0         \
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

/** For the parameter `partition` below: the one that all data of the same length share that name none. */
enum { NEREUS_BY_LENGTH = -1 };

/**
 * Register a distributed array: count elements in all, of which each process holds one contiguous range. The library owns the
 * local part (zeroed; in a joined process: received). At first ranges are blocks in rank order (nereus_block(count, size, rank)); a
 * reconfiguration with the distribution weighted or keep leaves other ranges behind, with keep not in rank order either: always ask
 * nereus_local. Data of one partition are always cut alike.
 * @param[in] type  predefined or any type whose extent equals its size
 * @param[in] kind  NEREUS_CONSTANT: with an overlap it moves while the application runs, from one point to a later one: the
 * application must not write it once it passes points (reading is fine). NEREUS_VARIABLE: may be written at any time, and moves only inside
 * a point @param[out] id  handle; the same in every process that registers in the same order
 * @return NEREUS_ERR_ARGUMENT (name empty, too long or taken; count < 0), NEREUS_ERR_BUSY (a reconfiguration is under way: not
 * between nereus_last_outcome saying PENDING and its end), NEREUS_ERR_MISMATCH (a joined
 * process asks for another type or length than it received), NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type, int64_t count,
                                         enum nereus_data_kind kind, int *id);

/**
 * Register an index space of n elements, to cut several data alike: vectors and matrix of a solver, say. To be named in the functions
 * below; a reconfiguration cuts all of them at the same indices. Local.
 * @param[out] partition  handle, the same in every process that registers in the same order
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_BUSY (a reconfiguration is under way), NEREUS_ERR_MISMATCH (received with another
 * length), NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_partition(nereus_job *job, const char *name, int64_t n, int *partition);

/** nereus_register_array, cut as a partition of `count` elements. @param[in] partition  its handle, or NEREUS_BY_LENGTH */
enum nereus_status nereus_register_array_in(nereus_job *job, const char *name, MPI_Datatype type,
                                            int64_t count, int partition, enum nereus_data_kind kind,
                                            int *id);

/**
 * Register a dense matrix of rows x columns (both >= 0, and the one that is not cut >= 1). A process holds whole rows (NEREUS_BY_ROWS,
 * stored row after row) or whole columns (NEREUS_BY_COLUMNS, column after column): nereus_local gives the first and how many, and their
 * memory. Owner, errors as nereus_register_array.
 * @param[in] partition  of the rows, or columns: a handle, or NEREUS_BY_LENGTH
 */
enum nereus_status nereus_register_matrix(nereus_job *job, const char *name, MPI_Datatype type, int64_t rows,
                                          int64_t columns, enum nereus_data_shape shape, int partition,
                                          enum nereus_data_kind kind, int *id);

/** This process' part of a sparse matrix. All memory is the library's, and valid until a point returns RESIZED or LEAVE. */
struct nereus_sparse {
    int64_t first, count;  /**< rows (CSR) or columns (CSC) first .. first + count - 1 of the whole */
    int64_t first_nonzero; /**< how many non-zeros the lower ones have */
    int64_t nonzeros;      /**< of this part */
    const int64_t *
        pointers; /**< count + 1 of them, from 0: row i of this part has the non-zeros pointers[i] .. pointers[i + 1] - 1. Never
                                change them: the pattern of a registered matrix is fixed */
    int64_t *indices; /**< of the columns (CSC: rows) in the whole matrix, from 0. NULL where nonzeros is 0 */
    void *values;     /**< NULL where nonzeros is 0 */
};

/**
 * Register a sparse matrix by rows. Each process gives its own rows, those that the partition has for it (nereus_block at first, or
 * nereus_partition_part_of); they are copied, and the caller's memory stays the caller's. Pointers, indices and values move as one
 * object. Collective over the active processes, but in a joined process local: there the matrix has been received, and the three arrays
 * may be NULL.
 * @param[in] type  of a value @param[in] rows, columns  of the whole matrix, >= 0 @param[in] partition  of the rows: handle or
 * NEREUS_BY_LENGTH @param[in] pointers  one more than own rows, the first 0 @param[in] indices  columns, from 0 @param[out] id  handle
 * for nereus_local_sparse
 * @return as nereus_register_array; NEREUS_ERR_ARGUMENT also, in all processes, where the part of one is no part of such a matrix
 */
enum nereus_status nereus_register_csr(nereus_job *job, const char *name, MPI_Datatype type, int64_t rows,
                                       int64_t columns, int partition, const int64_t *pointers,
                                       const int64_t *indices, const void *values, enum nereus_data_kind kind,
                                       int *id);
/** The same by columns: own columns, pointers one more than these, indices of rows; partition of the columns. */
enum nereus_status nereus_register_csc(nereus_job *job, const char *name, MPI_Datatype type, int64_t rows,
                                       int64_t columns, int partition, const int64_t *pointers,
                                       const int64_t *indices, const void *values, enum nereus_data_kind kind,
                                       int *id);
/** Local: this process' part. @return NEREUS_ERR_ARGUMENT (without a sentence) unless id is one of a sparse matrix */
enum nereus_status nereus_local_sparse(const nereus_job *job, int id, struct nereus_sparse *local);

/** How an application moves what fits no other kind (lists, trees, ...): n elements, of which each process has a range. All functions are
 *  called in the thread that calls nereus_point, but `bytes` and `pack` of data that move beside the application in the thread that
 *  moves them. None of them may call MPI or this library. Constant data must stay valid until nereus_finalize returns: there, what
 *  moves beside the application is still completed before it is called off. */
struct nereus_custom {
    size_t size; /**< sizeof(struct nereus_custom), set by NEREUS_CUSTOM_INIT */
    /** Bytes that pack writes for own elements first .. first + count - 1; negative: it cannot be said, and the reconfiguration fails.
     *  Asked at the decision; must not change until it is over. */
    int64_t (*bytes)(void *user, int64_t first, int64_t count);
    /** Write them, exactly `bytes`. The elements stay where they are: the reconfiguration may yet be called off. */
    void (*pack)(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes);
    /** The reconfiguration is committed: this process has elements first .. first + count - 1 from now on, all of which unpack will
     *  bring, also those that it had before: let go of these. May be NULL. */
    void (*resize)(void *user, int64_t first, int64_t count);
    /** Take in what one process has packed: in the order of the elements. A status other than NEREUS_OK ends the whole job, as nothing
     *  can be taken back any more; in a joined process nereus_register_custom returns it, and the application ends as it sees fit. */
    enum nereus_status (*unpack)(void *user, int64_t first, int64_t count, const void *buffer, int64_t bytes);
    void *user;
};
#define NEREUS_CUSTOM_INIT                                                                                   \
    {                                                                                                        \
        sizeof(struct nereus_custom), 0, 0, 0, 0, 0                                                          \
    }

/**
 * Register such data: the caller's own memory, whose elements are cut as a partition of n. In a joined process resize and unpack are
 * called from within this function. The functions are copied. Local; owner: the caller. Errors as nereus_register_array, or what unpack
 * has returned; a name is at most 39 characters long.
 */
enum nereus_status nereus_register_custom(nereus_job *job, const char *name, int64_t n, int partition,
                                          const struct nereus_custom *custom, enum nereus_data_kind kind,
                                          int *id);

/**
 * Register values that are the same in every process (an iteration counter, parameters). They stay in the
 * caller's memory, which must stay valid until nereus_finalize; in a joined process the received values are
 * written there.
 */
enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind, void *values,
                                              int *id);

/** Local: this process' part of an array or a dense matrix: elements (rows, columns) first .. first + count - 1 of the whole. Not necessarily
 * in rank order: rank 1 may have lower ones than rank 0 (nereus_part_of). Any output may be NULL. A part of length 0 may have a NULL
 * pointer. The memory is the library's, valid until a point returns RESIZED or LEAVE.
 * @return NEREUS_ERR_ARGUMENT (without a sentence) unless id is one of an array or a dense matrix */
enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first, int64_t *count);

/** Local: what any rank has of a distributed datum, of whatever kind: elements, rows or columns first .. first + count - 1. O(1). Either output
 * may be NULL. @return NEREUS_ERR_ARGUMENT (without a sentence) for another id, or a rank outside 0 .. size - 1 */
enum nereus_status nereus_part_of(const nereus_job *job, int id, int rank, int64_t *first, int64_t *count);
/** Local: the same of a partition, also before anything is registered in it. O(1). */
enum nereus_status nereus_partition_part_of(const nereus_job *job, int partition, int rank, int64_t *first,
                                            int64_t *count);
/** Local: the rank that has an element (row, column) of a distributed datum. O(log processes). */
enum nereus_status nereus_owner_of(const nereus_job *job, int id, int64_t element, int *rank);
/** Local: the partition of a distributed datum, for those that were registered with NEREUS_BY_LENGTH. */
enum nereus_status nereus_partition_of(const nereus_job *job, int id, int *partition);

/**
 * Say how fast this process is, for the distribution weighted (flex-mpi 4.3, equation 1: shares are in proportion to power): so many
 * units of work (non-zeros, rows, ...: the same unit in all processes) in so many CPU seconds, not counting time in MPI. The latest call
 * counts. A process that never says so, or with 0, counts like the mean of those on its node, else of all; new processes too.
 * Local. @return NEREUS_ERR_ARGUMENT for negative values
 */
enum nereus_status nereus_set_power(nereus_job *job, double work, double cpu_s);

/**
 * Say how much work the elements of a partition are, for the distribution weighted (flex-mpi 4.3: "rather than ... the number of rows
 * or columns ... the number of nonzero elements"); without it all are the same. To be called by every active process, joined ones too.
 * Local. @param[in] weigh  called at the decision of a reconfiguration: write the weights (>= 0) of own elements first .. first + count - 1;
 * return 0, or the reconfiguration fails. NULL: all the same @param[in] user  handed to it
 */
enum nereus_status
nereus_set_weights(nereus_job *job, int partition,
                   int64_t (*weigh)(void *user, int64_t first, int64_t count, int64_t *weights), void *user);
/** The same with the non-zeros of each row (CSC: column) of a registered sparse matrix: what has as many non-zeros is as much work. */
enum nereus_status nereus_weigh_by_nonzeros(nereus_job *job, int id);

/** Local: bytes of distributed data that came into this process by the last reconfiguration, and that it kept. Either output may be NULL. The
 * sums over all processes are in the trace (moved_bytes, kept_bytes). */
enum nereus_status nereus_last_moved(const nereus_job *job, int64_t *moved_bytes, int64_t *kept_bytes);

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
