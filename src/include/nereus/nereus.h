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
 *     nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
 *                                &counter);
 *     if (!nereus_is_received(job, x)) fill_in_initial_values(job, x);
 *     enum nereus_action action = NEREUS_CONTINUE;
 *     while (iteration < last && action != NEREUS_LEAVE) {
 *         compute(nereus_comm(job), ...); iteration++;
 *         nereus_point(job, &action);
 *         if (action == NEREUS_RESIZED) get_pointers_again(job, x);
 *     }
 *     return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
 *
 * A process that was spawned by a reconfiguration runs the same program from main(): nereus_init
 * joins the job and returns with the data already received; registering a name then yields the
 * received values. Start-up code with collectives runs only where its result was not received
 * (nereus_is_received). A source that leaves gets NEREUS_LEAVE and goes to its own end: the library
 * never calls exit.
 *
 * All functions are to be called from the thread that initialised MPI, and, unless marked local, by
 * every active process in the same order. They return an enum nereus_status; nereus_last_error
 * gives the sentence. Counts are int64_t.
 *
 * Inside functions of the application that the library calls (options.before, after, decide and
 * mover, struct nereus_custom, weigh) nereus_init, nereus_finalize, nereus_point, nereus_balance,
 * nereus_swap, nereus_schedule_spread, requests and registrations return NEREUS_ERR_STATE and do
 * nothing. The local calls that ask, and nereus_set_..., nereus_weigh_by_nonzeros and
 * nereus_declare_sizes, are allowed in `before` and `after`.
 */
#ifndef NEREUS_H
#define NEREUS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In an installed tree the model's headers lie in nereus/. */
#include "nereus/request.h"
#include "nereus/sizes.h"
#include "nereus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A malleable job, as this process sees it. Opaque. */
typedef struct nereus_job nereus_job;

struct nereus_policy_question; /* nereus/policy.h */
struct nereus_allocation;

/** What a malleability point tells the application to do. */
enum nereus_action {
    NEREUS_CONTINUE = 0, /**< nothing has changed */
    NEREUS_RESIZED =
        1,           /**< communicator, rank, size and local parts are new: ask for all of them */
    NEREUS_LEAVE = 2 /**< the process has left the job: leave the loop, call nereus_finalize, end */
};

/** What became of a request. */
enum nereus_outcome {
    NEREUS_OUTCOME_NONE = 0, /**< no request yet */
    NEREUS_OUTCOME_PENDING,  /**< accepted, not carried out yet */
    NEREUS_OUTCOME_RESIZED,  /**< carried out */
    NEREUS_OUTCOME_UNCHANGED, /**< nothing to do: the job has that size already, or its data lie well */
    NEREUS_OUTCOME_FAILED,  /**< rolled back (spawn failed, no memory, ...); the job is as before */
    NEREUS_OUTCOME_TOO_LATE /**< the application ended first; only the trace shows it */
};

/** A change of size, carried out at the first malleability point whose number is >= point. */
struct nereus_resize {
    int64_t point; /**< 1 is the first malleability point of the job */
    int64_t nt;    /**< processes wanted */
    /** as "merge/coll"; "auto": chosen as in options.method; NULL: options.method */
    const char *method;
};

/** The processes before and after a reconfiguration: sources 0 .. ns - 1, targets 0 .. nt - 1. */
struct nereus_regroup {
    int ns, nt;
    int source, target; /**< this process' number among them; -1: none of them */
    /** All of them, for `move` alone (elsewhere MPI_COMM_NULL). It returns errors; never free it.
     * Source i has rank i, target j rank target_ranks[j]. */
    MPI_Comm comm;
    bool inter; /**< it is an inter-communicator of sources and targets (baseline, for one) */
    const int *target_ranks; /**< nt of them; for `move` alone, elsewhere NULL */
};

/**
 * Data that is no range of elements (tiles, block-cyclic, parts of a graph), which the application
 * moves itself. The four functions are called in every process that is a source or a target, in the
 * thread that calls nereus_point; in one that joins, inside nereus_init. None of them may call this
 * library.
 */
struct nereus_mover {
    size_t size; /**< sizeof(struct nereus_mover), set by NEREUS_MOVER_INIT */
    /** Bytes that all processes together hold, the same in each: what the reconfiguration is priced
     * by, and nothing else. Asked in the sources, at the decision; with an asynchronous method or
     * an overlap the data may have another size when they move. Negative: unknown: the
     * reconfiguration fails. */
    int64_t (*bytes)(void *user, int ns, int nt);
    /** Memory for the new part, beside the old one. A status other than NEREUS_OK takes the
     * reconfiguration back. No MPI here. From here to `end` the application stands still. */
    enum nereus_status (*prepare)(void *user, const struct nereus_regroup *regroup);
    /** Collective: from old to new parts, after all have prepared. The application stands still.
     * Keep the old part: a status other than NEREUS_OK in any process takes the reconfiguration
     * back. */
    enum nereus_status (*move)(void *user, const struct nereus_regroup *regroup);
    /** After `prepare`, also after one that failed. committed: the new part is the data from now on
     * (a process that is no target has none); else it is dropped, and the old one stays. */
    void (*end)(void *user, const struct nereus_regroup *regroup, bool committed);
    void *user;
};
#define NEREUS_MOVER_INIT                                                                          \
    {                                                                                              \
        sizeof(struct nereus_mover), 0, 0, 0, 0, 0                                                 \
    }

struct nereus_options {
    size_t size; /**< sizeof(struct nereus_options), set by NEREUS_OPTIONS_INIT */
    /** Default method. NULL or "auto": chosen for each request. Where rank 0 finds a profile of
     * this machine, by the model: the best prediction for `goal`, from the measured iteration time
     * and its `scaling`, the registered bytes and the iterations left. Else so that most failures
     * are survived: "merge-launch/coll" if processes have to start and a launcher can be used (the
     * job was started with nereus-mpiexec), else "merge/coll". Trace and outcome name the chosen
     * method and why. */
    const char *method;
    /** Requests known from the start; read in the initial processes only. */
    const struct nereus_resize *schedule;
    int64_t schedule_count;
    /** Program of new processes; NULL: what the user has started, with its wrapper
     * (docs/application.md, "What new processes start") */
    const char *program;
    /** Names of environment variables that new processes get with their value at the change,
     * NULL-terminated. The environment with which rank 0 was started they get in any case, in jobs
     * that were started with nereus-mpiexec. */
    const char *const *environment;
    /** File of "name[:cores]" lines, the declared slots; NULL: $NEREUS_HOSTFILE, else none */
    const char *hostfile;
    /** Declared slots on this host; 0: $NEREUS_SLOTS, else none (more processes than cores only
     * warn) */
    int64_t slots;
    const char *trace;      /**< JSON Lines file for the trace; NULL: $NEREUS_TRACE, else none */
    const char *state;      /**< JSON file for the job's state; NULL: $NEREUS_STATE, else none */
    const void *user_state; /**< copied to new processes before nereus_init returns there */
    size_t user_state_bytes;
    /** Called in every source (not in one that sleeps), when data has moved and all have agreed,
     * just before communicator and pointers change. Both are still the old ones, and may be used,
     * nereus_comm for collectives, too. What it writes to registered data is lost. Not called for
     * a reconfiguration that is called off. */
    void (*before)(nereus_job *job, void *user);
    /** Called afterwards in every target, before the point (or nereus_init) returns: communicator
     * and pointers are the new ones. In a joined process nothing is registered yet: ids are not
     * valid there. */
    void (*after)(nereus_job *job, void *user);
    void *user;
    double
        spawn_timeout_s; /**< a new process that has not reached MPI by then has failed; 0: 60 s */
    /** "core": one core for each process if there are enough; "none"; NULL: $NEREUS_BIND, else
     * "core" */
    const char *bind;
    /** How old and new processes are connected if not all old ones start the new ones: "port" or
     * "bridge"; NULL: $NEREUS_CONNECT, else the faster one (docs/results/connect.md) */
    const char *connect;
    int64_t batch; /**< strategy multiple: processes of one spawn; 0: $NEREUS_BATCH, else 1 */
    /** Asynchronous methods: points between two checks of the auxiliary threads; 0:
     * $NEREUS_TEST_EVERY, else 1 */
    int64_t test_every;
    /** A host that does not answer for so long when processes are to start there has failed; 0:
     * $NEREUS_ANSWER_TIMEOUT, else 7 s */
    double answer_timeout_s;
    /** Distribution keep: a range has at least (1 - imbalance) n / nt elements, rounded down, and
     * at most (1 + imbalance) n / nt, rounded up. Below 0: none; 0: $NEREUS_IMBALANCE, else 0.05 */
    double imbalance;
    /** How the application moves data of its own. NULL: it has none. Copied; set in all processes,
     * also in those that join */
    const struct nereus_mover *mover;
    /** Cores that each process takes, with its threads: counts in layouts, slots (unless they are
     * given as a number), binding and prices. 0: $NEREUS_CORES_PER_PROCESS, else the host file's,
     * else Slurm's CPUs per task, else 1 */
    int64_t cores_per_process;
    /** What the choice of a method is for: "application" (least time until the end), "system"
     * (least RT) or "node-hours"; NULL: $NEREUS_GOAL, else "application" */
    const char *goal;
    /** Malleability points from the beginning of the job to its end, one an iteration; 0: unknown.
     * See nereus_set_iterations_left */
    int64_t iterations;
    /** Iteration time over the size: "strong", "weak", "amdahl:0.05", a table (nereus/scaling.h).
     * Sizes that the job has had count as they were measured. NULL: unknown: what loses less,
     * whether it is strong or weak */
    const char *scaling;
    /** Profile of this machine: a file, or a name; NULL: as `nereus predict` finds it
     * ($NEREUS_PROFILE, or what `nereus calibrate` has installed; nereus/profile_place.h) */
    const char *profile;
    /** File of the policy that decides on the size (docs/policy.md); NULL: $NEREUS_POLICY, else
     * none */
    const char *policy;
    /** The policy "user": asked on rank 0 before each sampling interval, with `user` as above. A
     * nereus_policy_function; what it takes is in nereus/policy.h. Set in all processes, also in
     * those that join. */
    bool (*decide)(void *user, const struct nereus_policy_question *question,
                   struct nereus_allocation *wanted, char why[128]);
};
#define NEREUS_OPTIONS_INIT                                                                        \
    {                                                                                              \
        sizeof(struct nereus_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, 0, 0, 0, 0, 0, 0, 0                                                              \
    }

/**
 * Start: initialise MPI if the program has not, and join the running job if this process was
 * started by a reconfiguration. Collective over MPI_COMM_WORLD.
 * @param[in,out] argc, argv  as main got them; new processes get these arguments. NULL: those of
 *                the process
 * @param[in]     options     NULL: all defaults
 * @param[out]    job         to be ended with nereus_finalize; NULL on failure
 * @return NEREUS_ERR_CALLED_OFF in a new process whose reconfiguration was rolled back: return from
 *         main (MPI is finalised if this call initialised it). The sentence of an error is printed
 *         to stderr once.
 */
enum nereus_status nereus_init(int *argc, char ***argv, const struct nereus_options *options,
                               nereus_job **job);

/** Was this process started by a reconfiguration, so that nereus_init will join a job? Local; also
 * before nereus_init and MPI_Init. For programs whose initial processes have to read input first.
 */
bool nereus_will_join(void);
/** Did a reconfiguration bring this process into the job? Local. */
bool nereus_is_joined(const nereus_job *job);
/** The application's communicator, this process' rank in it, and its size. Valid until a point
 * returns RESIZED or LEAVE; never free it. Local. */
MPI_Comm nereus_comm(const nereus_job *job);
int nereus_rank(const nereus_job *job);
int nereus_size(const nereus_job *job);
/** Malleability points passed since the job began, and reconfigurations carried out. Local. */
int64_t nereus_points(const nereus_job *job);
int64_t nereus_reconfigurations(const nereus_job *job);
/** options.user_state; in a joined process the received copy. Valid until a point returns RESIZED.
 * Local.
 * @param[out] bytes  may be NULL */
const void *nereus_user_state(const nereus_job *job, size_t *bytes);

/** Value of the parameter `partition` below: the partition that all data of one length share. */
enum { NEREUS_BY_LENGTH = -1 };

/**
 * Register a distributed array of count elements; each process holds one contiguous range. The
 * library owns the local part (zeroed; in a joined process received). At first ranges are blocks in
 * rank order (nereus_block(count, size, rank)). After a reconfiguration with the distribution
 * weighted or keep they are others, with keep not even in rank order: always ask nereus_local. Data
 * of one partition are always cut at the same indices. Local.
 * @param[in]  type  predefined (also a pair with a gap, as MPI_DOUBLE_INT: an element is a struct
 *                   of both), or any type whose extent equals its size
 * @param[in]  kind  NEREUS_CONSTANT: with an overlap it moves while the application computes, so
 *                   that the
 *                   application may read but not write it. NEREUS_VARIABLE: may be written at any
 *                   time, and
 *                   moves only inside a point
 * @param[out] id    handle, the same in every process: all that are active register in the same
 *                   order; one that has joined registers what it received in any order, and before
 *                   anything new
 * @return NEREUS_ERR_ARGUMENT (name empty, too long or taken; count < 0); NEREUS_ERR_BUSY (a
 *         reconfiguration is under way: nereus_last_outcome says PENDING); NEREUS_ERR_MISMATCH (a
 *         joined
 *         process asks for another type or length than it received); NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type,
                                         int64_t count, enum nereus_data_kind kind, int *id);

/**
 * Register an index space of n elements, so that several data are cut at the same indices, such as
 * the vectors and the matrix of a solver. The functions below take its handle. Local.
 * @param[out] partition  handle, the same in every process, as ids are (nereus_register_array)
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_BUSY (a reconfiguration is under way);
 * NEREUS_ERR_MISMATCH
 *         (received with another length); NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_partition(nereus_job *job, const char *name, int64_t n,
                                             int *partition);

/** nereus_register_array, cut as a partition of `count` elements.
 * @param[in] partition  its handle, or NEREUS_BY_LENGTH */
enum nereus_status nereus_register_array_in(nereus_job *job, const char *name, MPI_Datatype type,
                                            int64_t count, int partition,
                                            enum nereus_data_kind kind, int *id);

/**
 * Register a dense matrix of rows x columns (both >= 0; the dimension that is not cut >= 1). A
 * process holds whole rows (NEREUS_BY_ROWS, stored row after row) or whole columns
 * (NEREUS_BY_COLUMNS, column after column): nereus_local gives the first one, how many, and their
 * memory. Owner and errors as nereus_register_array. Local.
 * @param[in] partition  of the rows, or columns: a handle, or NEREUS_BY_LENGTH
 */
enum nereus_status nereus_register_matrix(nereus_job *job, const char *name, MPI_Datatype type,
                                          int64_t rows, int64_t columns,
                                          enum nereus_data_shape shape, int partition,
                                          enum nereus_data_kind kind, int *id);

/** This process' part of a sparse matrix. The library owns all memory, which is valid until a point
 * returns RESIZED or LEAVE. */
struct nereus_sparse {
    int64_t first,
        count; /**< rows (CSR) or columns (CSC) first .. first + count - 1 of the whole */
    int64_t first_nonzero; /**< number of non-zeros of the rows (columns) before them */
    int64_t nonzeros;      /**< of this part */
    /** count + 1 numbers, from 0: row i of this part has the non-zeros pointers[i] .. pointers[i +
     * 1] - 1. Never change them: the pattern of a registered matrix is fixed */
    const int64_t *pointers;
    int64_t *indices; /**< of the columns (CSC: rows) in the whole matrix, from 0. NULL where
                         nonzeros is 0 */
    void *values;     /**< NULL where nonzeros is 0 */
};

/**
 * Register a sparse matrix by rows. Each process gives its own rows, those that the partition has
 * for it (nereus_block at first, or nereus_partition_part_of). They are copied; the caller's memory
 * stays the caller's. Pointers, indices and values move as one object. Collective over the active
 * processes; in a joined process local, as the matrix was received: the three arrays may be NULL
 * there.
 * @param[in]  type           of a value
 * @param[in]  rows, columns  of the whole matrix, >= 0
 * @param[in]  partition      of the rows: a handle, or NEREUS_BY_LENGTH
 * @param[in]  pointers       one more than own rows, the first is 0
 * @param[in]  indices        columns, from 0
 * @param[out] id             handle for nereus_local_sparse
 * @return as nereus_register_array; NEREUS_ERR_ARGUMENT in all processes if the part of one of them
 *         is not part of such a matrix
 */
enum nereus_status nereus_register_csr(nereus_job *job, const char *name, MPI_Datatype type,
                                       int64_t rows, int64_t columns, int partition,
                                       const int64_t *pointers, const int64_t *indices,
                                       const void *values, enum nereus_data_kind kind, int *id);
/** The same by columns: own columns, one more pointer than these, indices of rows, partition of the
 * columns. */
enum nereus_status nereus_register_csc(nereus_job *job, const char *name, MPI_Datatype type,
                                       int64_t rows, int64_t columns, int partition,
                                       const int64_t *pointers, const int64_t *indices,
                                       const void *values, enum nereus_data_kind kind, int *id);
/** This process' part of a sparse matrix. Local.
 * @return NEREUS_ERR_ARGUMENT for another id */
enum nereus_status nereus_local_sparse(const nereus_job *job, int id, struct nereus_sparse *local);

/** Data that fits no other kind (lists, trees, ...): n elements, of which each process has a range.
 * The functions are called in the thread that calls nereus_point; `bytes` and `pack` of data that
 * moves while the application computes, in the thread that moves it. None of them may call MPI or
 * this library. Constant data must stay valid until nereus_finalize returns, which completes a move
 * that is under way. */
struct nereus_custom {
    size_t size; /**< sizeof(struct nereus_custom), set by NEREUS_CUSTOM_INIT */
    /** Bytes that pack will write for own elements first .. first + count - 1. Asked at the
     * decision, for the price; and, where the application has run since (asynchronous methods,
     * overlaps), again when it stands still to pack, so variable data may grow and shrink: the
     * bytes of the price may differ from those of the move. Constant data may not. 0: nothing, pack
     * and unpack are called all the same. Negative: unknown, and the reconfiguration fails. */
    int64_t (*bytes)(void *user, int64_t first, int64_t count);
    /** Write the elements, exactly `bytes` bytes, as the latest call of the function bytes has
     * said. Keep them: the reconfiguration may still be rolled back. More than these is found by
     * guard bytes (up to 64 KiB do no harm), and the reconfiguration is taken back with a
     * sentence. */
    void (*pack)(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes);
    /** The reconfiguration is committed: this process has elements first .. first + count - 1 from
     * now on. unpack will bring all of them, also those that it had: free these. May be NULL. */
    void (*resize)(void *user, int64_t first, int64_t count);
    /** Take what one process has packed, in the order of the elements. A status other than
     * NEREUS_OK ends the whole job, as nothing can be rolled back any more; in a joined process
     * nereus_register_custom returns it, and the application decides. */
    enum nereus_status (*unpack)(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes);
    void *user;
};
#define NEREUS_CUSTOM_INIT                                                                         \
    {                                                                                              \
        sizeof(struct nereus_custom), 0, 0, 0, 0, 0                                                \
    }

/**
 * Register data that fits no other kind (struct nereus_custom): n elements in the caller's memory,
 * cut as a partition. In a joined process this function calls resize and unpack. The struct is
 * copied; the caller owns the data. Local.
 * @param[in] name  at most 47 characters
 * @return as nereus_register_array, or what unpack has returned
 */
enum nereus_status nereus_register_custom(nereus_job *job, const char *name, int64_t n,
                                          int partition, const struct nereus_custom *custom,
                                          enum nereus_data_kind kind, int *id);

/**
 * Register values that are the same in every process (an iteration counter, parameters). They stay
 * in the caller's memory, which must be valid until nereus_finalize; in a joined process the
 * received values are written there. Local. Errors as nereus_register_array.
 */
enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind,
                                              void *values, int *id);

/**
 * Did registered data come with values from other processes? False where it is new everywhere, so
 * that this process has to give it its first values. The condition for start-up code (reading and
 * broadcasting input, say), which those that join later must not run, as the others would not take
 * part in its collectives:
 *
 *     nereus_register_replicated(job, "input", MPI_BYTE, sizeof input, NEREUS_VARIABLE, &input,
 *                                &id);
 *     if (!nereus_is_received(job, id))
 *         MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, nereus_comm(job));
 *
 * Right also in later phases of a program, where nereus_is_joined is not: data that is first
 * registered in phase 2 is new in a process that joined in phase 1. False for another id. Local.
 */
bool nereus_is_received(const nereus_job *job, int id);

/**
 * Exchange two registered arrays or dense matrices (double buffers): what was `a` is `b` from now
 * on, and the other way round. Only the pointers that nereus_local gives change hands: O(1). Every
 * active process swaps alike, between the same points: a reconfiguration for which one has swapped
 * more often than another fails, and is taken back. Allowed while a reconfiguration is under way
 * (asynchronous methods, overlaps): variable data moves last, under the names that it has then.
 * Local.
 * @return NEREUS_ERR_ARGUMENT (no such array; NEREUS_CONSTANT data, which may be moving while the
 *         application computes); NEREUS_ERR_MISMATCH (type, length, shape or partition differ)
 */
enum nereus_status nereus_swap(nereus_job *job, int a, int b);

/** This process' part of an array or a dense matrix: elements (rows, columns) first .. first +
 * count - 1 of the whole. Not necessarily in rank order (nereus_part_of). The library owns the
 * memory, which is valid until a point returns RESIZED or LEAVE. Local.
 * @param[out] part, first, count  each may be NULL; the part of length 0 may be NULL
 * @return NEREUS_ERR_ARGUMENT for another id, as of custom data: its range is nereus_part_of's */
enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first,
                                int64_t *count);

/** The part of any rank: elements, rows or columns first .. first + count - 1 of distributed data
 * of any kind. O(1). Local.
 * @param[out] first, count  each may be NULL
 * @return NEREUS_ERR_ARGUMENT for another id, or (without a sentence) a rank outside
 *         0 .. size - 1 */
enum nereus_status nereus_part_of(const nereus_job *job, int id, int rank, int64_t *first,
                                  int64_t *count);
/** The same of a partition, also before data is registered in it. O(1). Local. */
enum nereus_status nereus_partition_part_of(const nereus_job *job, int partition, int rank,
                                            int64_t *first, int64_t *count);
/** The rank that has an element (row, column) of distributed data. O(log processes). Local. */
enum nereus_status nereus_owner_of(const nereus_job *job, int id, int64_t element, int *rank);
/** The partition of distributed data that was registered with NEREUS_BY_LENGTH. Local. */
enum nereus_status nereus_partition_of(const nereus_job *job, int id, int *partition);

/**
 * Set the computing power of this process, for the distribution weighted (flex-mpi 4.3, equation 1:
 * shares are proportional to power): units of work (non-zeros, rows, ...; the same unit in all
 * processes) per CPU second, without time in MPI. The latest call counts. A process without power,
 * or with 0, counts as the mean of its node, else of all; so do new processes. Local.
 * @param[in] work, cpu_s  units of work, and the CPU seconds that they took
 * @return NEREUS_ERR_ARGUMENT for negative values
 */
enum nereus_status nereus_set_power(nereus_job *job, double work, double cpu_s);

/**
 * Set the work of the elements of a partition, for the distribution weighted (flex-mpi 4.3:
 * non-zero elements rather than rows or columns). Without it all elements count the same. Every
 * active process calls it, joined ones too. Local.
 * @param[in] weigh  called at the decision of a reconfiguration: writes the weights (>= 0) of own
 *                   elements
 *                   first .. first + count - 1 and returns 0; otherwise the reconfiguration fails.
 *                   NULL: all
 *                   the same
 * @param[in] user   passed to it
 */
enum nereus_status nereus_set_weights(nereus_job *job, int partition,
                                      int64_t (*weigh)(void *user, int64_t first, int64_t count,
                                                       int64_t *weights),
                                      void *user);
/** The same by the number of non-zeros of each row (CSC: column) of a registered sparse matrix. */
enum nereus_status nereus_weigh_by_nonzeros(nereus_job *job, int id);

/** Bytes of distributed data that this process received in the last reconfiguration, and that it
 * kept. The sums over all processes are in the trace (moved_bytes, kept_bytes). Local.
 * @param[out] moved_bytes, kept_bytes  each may be NULL */
enum nereus_status nereus_last_moved(const nereus_job *job, int64_t *moved_bytes,
                                     int64_t *kept_bytes);

/**
 * A malleability point: carry out a request if one is due. Without one it costs next to nothing (no
 * blocking collective). Every active process passes the same number of points. A process that slept
 * while further data was registered registers it after RESIZED, as a joined one does.
 * @param[out] action  NEREUS_CONTINUE also after a failed request
 * @return NEREUS_OK also then (nereus_last_outcome tells); an error if the process has left
 *         already. What cannot be rolled back (MPI fails, no memory while data moves) ends the
 *         whole job with a sentence, as the other processes would wait for ever.
 */
enum nereus_status nereus_point(nereus_job *job, enum nereus_action *action);

/** Slowest process over the mean, less 1, above which nereus_balance looks whether a move pays. */
#define NEREUS_BALANCE_THRESHOLD 0.1

/** When nereus_balance moves data. */
struct nereus_balance_options {
    size_t size;      /**< sizeof(struct nereus_balance_options), set by the _INIT */
    double threshold; /**< 0: NEREUS_BALANCE_THRESHOLD */
    /** Seconds that this process computed in an iteration, without waiting in MPI, as a mean since
     * its data last moved: its power becomes own work / compute_s. 0: as nereus_set_power says, in
     * units of the weights per second; else as monitoring has measured it (real time outside MPI,
     * docs/jobs.md); where no process has a power, all are taken to be alike. */
    double compute_s;
    const char *method; /**< NULL: "merge/coll-weighted"; merge with the distribution weighted */
};
#define NEREUS_BALANCE_OPTIONS_INIT                                                                \
    {                                                                                              \
        sizeof(struct nereus_balance_options), 0, 0, 0                                             \
    }

/**
 * A malleability point that also looks at the load: nereus_point, and where that has changed
 * nothing, load balance at the present size (flex-mpi 4.3, equation 1). The work of a process is
 * the weights of its elements (nereus_set_weights, nereus_weigh_by_nonzeros; else their number),
 * its time work / power. If the slowest process takes more than 1 + threshold times the mean, and
 * the time that new bounds save until the end (options.iterations, nereus_set_iterations_left) is
 * more than the move takes (by the profile of this machine, else a stand-in), data moves and the
 * action is NEREUS_RESIZED, with communicator, rank and size as before. Else nothing happens;
 * nereus_last_outcome says UNCHANGED and why where the move does not pay. Every active process
 * calls it at the same points, and waits for the others there: call it every 10 or 100 iterations.
 * NEREUS_BALANCE=10 does so at every tenth nereus_point, by measured powers.
 * @param[in]  options  NULL: all defaults. The same in all processes, but for compute_s
 * @param[out] action   as of nereus_point
 * @return as nereus_point; NEREUS_ERR_ARGUMENT, NEREUS_ERR_PARSE or NEREUS_ERR_ILLEGAL (no point
 *         was passed), or NEREUS_ERR_STATE, NEREUS_ERR_ARGUMENT in all processes where one cannot
 *         say what its elements weigh
 */
enum nereus_status nereus_balance(nereus_job *job, const struct nereus_balance_options *options,
                                  enum nereus_action *action);

/**
 * Request another size at run time. Local; on rank 0 (elsewhere NEREUS_ERR_STATE). The processes
 * agree by small messages that nobody waits for, and carry it out some points later: rank 0 names a
 * point 2, 4, 8, ... points ahead until all can stop there.
 * @return NEREUS_ERR_BUSY while a request is pending; NEREUS_ERR_ARGUMENT or NEREUS_ERR_UNSUPPORTED
 *         for a request that cannot be carried out
 */
enum nereus_status nereus_request_size(nereus_job *job, int64_t nt, const char *method);

/**
 * Request to give nodes back: all processes on them leave, the others stay. The job's state decides
 * how (parallel-spawning 4.6, 4.7): whole worlds end (ts); if a world has processes on other nodes
 * too, all processes are started anew on the nodes that are kept (ss), as a world can only end as a
 * whole. The job's machine keeps the nodes: later requests may use them again.
 * @param[in] nodes  names as in the host file, 1 to 64 of them
 * @return as nereus_request_size; also NEREUS_ERR_ARGUMENT for an unknown node, or if no process
 * would be left
 */
enum nereus_status nereus_request_release(nereus_job *job, const char *const *nodes, int64_t count,
                                          const char *method);

/**
 * Request a layout: which nodes hold how many processes afterwards, a part of a node included; no
 * other node holds any. The size may stay as it is. Local; on rank 0 (elsewhere NEREUS_ERR_STATE).
 * Merge moves no process: nodes may gain processes (after the zombies, which wake first), or lose
 * some (whole worlds end, ts; of a part of a node the highest ranks sleep, zs; if nobody may stay
 * behind on a node that is to be empty, all start anew, ss). Where some gain and others lose,
 * baseline starts all processes anew.
 * @param[in] nodes      names as in the host file, n (1 to 64) different ones; a node that the job
 *                       does not have (up to 16): "node5:20", with its cores, or
 *                       "node5:20@slurm:1234" in an allocation of its own, where only launch starts
 *                       processes. The job's machine gains it with the change
 * @param[in] processes  of each, 0 to its cores; at least 1 in all
 * @param[in] method     NULL, "auto": as options.method; where that leaves it open, merge or, if
 *                       only that can do it, "baseline-diffusive/coll"
 * @return as nereus_request_size; NEREUS_ERR_ARGUMENT for nodes and numbers that cannot be,
 *         NEREUS_ERR_ILLEGAL where the method cannot bring the layout about
 */
enum nereus_status nereus_request_layout(nereus_job *job, const char *const *nodes,
                                         const int64_t *processes, int64_t n, const char *method);

/**
 * Let a change of the schedule spread its processes over all nodes of the host file, one on each in
 * turn, instead of filling one node after the other. Local; in all initial processes alike, before
 * its point. Where no host file names nodes, nothing happens. Nodes that the job's machine gains or
 * loses before that point count.
 * @param[in] number  of the change in options.schedule, from 0
 * @return NEREUS_ERR_ARGUMENT: no such change, more processes than cores, or more than 64 nodes
 */
enum nereus_status nereus_schedule_spread(nereus_job *job, int64_t number);

/**
 * Declare the sizes that the application can take (a minimum, a maximum, multiples of a number,
 * powers of two): requests from outside for another size are refused, with the nearest ones that it
 * can take (docs/jobs.md). The application's own requests are not looked at. Called in every
 * active process, joined ones too, as each may become rank 0. The latest call counts, and beside it
 * what $NEREUS_SIZES allows. Local.
 * @param[in] sizes  copied; a zeroed struct allows every size
 * @return NEREUS_ERR_ARGUMENT: a negative number, or no size is left
 */
enum nereus_status nereus_declare_sizes(nereus_job *job, const struct nereus_sizes *sizes);

/**
 * Say how many more iterations (malleability points) the application will pass: the choice of a
 * method weighs what a reconfiguration costs against them. Replaces options.iterations; on rank 0
 * (elsewhere nothing happens). Local. @param[in] left  0 or more; below 0: unknown
 */
void nereus_set_iterations_left(nereus_job *job, int64_t left);

/** What a process' work is counted in: the first of these that its host can count. */
enum nereus_work {
    NEREUS_WORK_FLOP = 0,     /**< floating-point operations of the main thread, by PAPI */
    NEREUS_WORK_INSTRUCTIONS, /**< of all threads, in user mode, also those that wait in MPI */
    NEREUS_WORK_CPU_TIME,     /**< CPU seconds, without the time in MPI where that is counted */
    NEREUS_WORK_COUNT
};

/** Kinds of MPI calls, and their words in files. */
#define NEREUS_MPI_KIND_LIST(X)                                                                    \
    X(BARRIER, "barrier")                                                                          \
    X(BCAST, "bcast")                                                                              \
    X(REDUCE, "reduce")                                                                            \
    X(ALLREDUCE, "allreduce")                                                                      \
    X(ALLGATHER, "allgather")                                                                      \
    X(GATHER, "gather")                                                                            \
    X(SCATTER, "scatter")                                                                          \
    X(ALLTOALL, "alltoall")                                                                        \
    X(SEND, "send")                                                                                \
    X(RECV, "recv")                                                                                \
    X(SENDRECV, "sendrecv")                                                                        \
    X(ISEND, "isend")                                                                              \
    X(IRECV, "irecv")                                                                              \
    X(WAIT, "wait")                                                                                \
    X(WRITE, "write")                                                                              \
    X(READ, "read")                                                                                \
    X(REDUCE_SCATTER, "reduce-scatter")                                                            \
    X(PROBE, "probe")                                                                              \
    X(TEST, "test")                                                                                \
    X(NONBLOCKING, "nonblocking-collective")                                                       \
    X(RMA, "rma")                                                                                  \
    X(RMA_SYNC, "rma-synchronisation")
#define NEREUS_MPI_KIND(name, word) NEREUS_MPI_##name,
enum nereus_mpi_kind { NEREUS_MPI_KIND_LIST(NEREUS_MPI_KIND) NEREUS_MPI_KIND_COUNT };
#undef NEREUS_MPI_KIND

/** MPI calls of one kind. */
struct nereus_mpi_use {
    int64_t calls;
    int64_t
        bytes; /**< as the calls name them: sent or received by this process, or gathered by it */
    double time_s; /**< inside the calls */
};

/** What one process did in one sampling interval (docs/jobs.md; flex-mpi 4.1). */
struct nereus_metrics {
    size_t size;                /**< sizeof(struct nereus_metrics), set by NEREUS_METRICS_INIT */
    int64_t point;              /**< the malleability point at which the interval ended */
    int64_t iterations;         /**< malleability points of the interval */
    double real_s;              /**< wall-clock time of the interval */
    double cpu_s;               /**< CPU time of all threads of the process */
    double work;                /**< done in the interval, in units of work_kind */
    enum nereus_work work_kind; /**< the same in all processes of the job */
    /** Work units per CPU second: of `work`, outside MPI for floating-point operations; where only
     * CPU time can be counted, what nereus_set_power has said (power_told), else NAN. */
    double power;
    bool power_told;
    /** In MPI calls of the application's main thread, and in nereus_point and nereus_balance, whose
     * own MPI calls `mpi` leaves out; NAN: not counted. */
    double mpi_s;
    double wait_s;        /**< of these, in calls that wait for other processes; NAN: not counted */
    int64_t memory_bytes; /**< resident at the end of the interval; 0: not known */
    struct nereus_mpi_use mpi[NEREUS_MPI_KIND_COUNT]; /**< by enum nereus_mpi_kind */
};
#define NEREUS_METRICS_INIT                                                                        \
    {                                                                                              \
        sizeof(struct nereus_metrics), 0, 0, 0, 0, 0, NEREUS_WORK_FLOP, 0, 0, 0, 0, 0,             \
        {                                                                                          \
            {                                                                                      \
                0, 0, 0                                                                            \
            }                                                                                      \
        }                                                                                          \
    }

/**
 * The latest sampling interval of a process. The job is monitored where NEREUS_MONITOR or
 * NEREUS_MONITOR_EVERY is set when it begins (docs/jobs.md). Intervals begin anew with each
 * change of size: until the first one after it is over there is none. Local.
 * @param[in]  rank     this process' own; at rank 0 that of any process, as of the latest interval
 *                      that has come from all of them
 * @param[out] metrics  begun with NEREUS_METRICS_INIT; written on success only
 * @return NEREUS_ERR_STATE (without a sentence): the job is not monitored; NEREUS_ERR_NO_BASIS
 *         (without a sentence): no interval is over yet; NEREUS_ERR_ARGUMENT: no such rank, or the
 *         rank of another process elsewhere than at rank 0
 */
enum nereus_status nereus_metrics(const nereus_job *job, int rank, struct nereus_metrics *metrics);
/** "allreduce"; NULL for another number. Any thread. */
const char *nereus_mpi_kind_name(enum nereus_mpi_kind kind);

/** What became of the latest request. Local.
 * @param[out] sentence  why it was not carried out; else sizes, method and time, as in "resized
 * from 2 to 4 processes by merge/coll in 0.131 s". May be NULL; valid until the next point */
enum nereus_outcome nereus_last_outcome(const nereus_job *job, const char **sentence);
/** The sentence of the last error in this process; job NULL: of the last failed nereus_init. Never
 * NULL. Local. */
const char *nereus_last_error(const nereus_job *job);

/**
 * End: wake the zombies, complete what is pending, free everything, and finalise MPI if nereus_init
 * initialised it. Collective over the active processes; a process that leaves calls it too. Sets
 * *job to NULL.
 */
enum nereus_status nereus_finalize(nereus_job **job);

#ifdef __cplusplus
}
#endif
#endif
