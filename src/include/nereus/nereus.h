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
 * joins the job and returns when the data has been received; registering a name then yields the
 * received values. Run start-up code that has collectives only where its result was not received
 * (nereus_is_received). A process that has to leave gets NEREUS_LEAVE and returns from main by
 * itself: the library never calls exit.
 *
 * Terms: a reconfiguration changes the number or the placement of processes. Sources are its
 * processes before the change, targets those after it; with merge a process can be both. Active
 * processes are all that execute the application; a zombie is a process that has left but sleeps in
 * the library, because its MPI_COMM_WORLD has other active processes. A point is a malleability
 * point, a call of nereus_point or nereus_balance. RT is the time of a reconfiguration. More terms
 * are in docs/architecture.md. The papers cited are listed in docs/results/errata.md.
 *
 * Call all functions from the thread that initialised MPI and, unless marked local, in every active
 * process in the same order. They return an enum nereus_status; nereus_last_error gives the error
 * message, one sentence. Counts are int64_t.
 *
 * Inside callbacks (options.before, after, decide and mover, struct nereus_custom, weigh)
 * nereus_init, nereus_finalize, nereus_point, nereus_balance, nereus_checkpoint, nereus_swap,
 * nereus_schedule_spread, nereus_grid_exchange, nereus_grid_comm (unless it was called at this
 * size before), requests and registrations return NEREUS_ERR_STATE and do nothing. In `before` and
 * `after` the local query functions, nereus_set_..., nereus_weigh_by_nonzeros and
 * nereus_declare_sizes are allowed.
 */
#ifndef NEREUS_H
#define NEREUS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Headers of the model; installed into the same folder as this one. */
#include "nereus/grid.h"
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
    /** Communicator, rank, size and local parts have changed: get all of them again. Where the job
     * has gone on after a loss (--on-failure continue), all data are those of a checkpoint. */
    NEREUS_RESIZED = 1,
    /** This process has left the job: leave the loop, call nereus_finalize, return from main. */
    NEREUS_LEAVE = 2
};

/** Outcome of a request. */
enum nereus_outcome {
    NEREUS_OUTCOME_NONE = 0, /**< no request yet */
    NEREUS_OUTCOME_PENDING,  /**< accepted, not carried out yet */
    NEREUS_OUTCOME_RESIZED,  /**< carried out */
    /** Nothing to do: the job has that size already, or nereus_balance would gain nothing. */
    NEREUS_OUTCOME_UNCHANGED,
    NEREUS_OUTCOME_FAILED,  /**< rolled back (spawn failed, no memory, ...); the job is unchanged */
    NEREUS_OUTCOME_TOO_LATE /**< the application ended first; only the trace shows it */
};

/** A change of size, carried out at the first malleability point whose number is >= point. */
struct nereus_resize {
    int64_t point; /**< 1 is the first malleability point of the job */
    int64_t nt;    /**< processes wanted */
    /** Such as "merge/coll". "auto": chosen as options.method describes; NULL: options.method. */
    const char *method;
};

/** The processes before and after a reconfiguration: sources 0 .. ns - 1, targets 0 .. nt - 1. */
struct nereus_regroup {
    int ns, nt;
    int source, target; /**< number of this process among sources and targets; -1: it is none */
    /** Communicator of all sources and targets, in `move` only; elsewhere MPI_COMM_NULL. Its error
     * handler is MPI_ERRORS_RETURN. Never free it. Source i has rank i, target j rank
     * target_ranks[j]. */
    MPI_Comm comm;
    bool inter; /**< comm is an inter-communicator of sources and targets (as with baseline) */
    const int *target_ranks; /**< nt ranks; in `move` only, elsewhere NULL */
};

/**
 * Callbacks for data that are not a contiguous range per process (tiles of several sizes,
 * parts of a graph): the application moves them. The first four functions are called in every
 * source and target, in the thread that calls nereus_point; in a process that joins, inside
 * nereus_init. None of them may call this library.
 */
struct nereus_mover {
    size_t size; /**< sizeof(struct nereus_mover), set by NEREUS_MOVER_INIT */
    /** Total bytes in all processes, the same return value in each; used only to predict the cost.
     * Called in the sources when the reconfiguration is decided; with an asynchronous method or an
     * overlap the size may have changed when the data moves. Negative: unknown, and the
     * reconfiguration fails. */
    int64_t (*bytes)(void *user, int ns, int nt);
    /** Allocate the new part; the old one stays. A status other than NEREUS_OK rolls the
     * reconfiguration back. Must not call MPI. From here to `end` the application does not run. */
    enum nereus_status (*prepare)(void *user, const struct nereus_regroup *regroup);
    /** Copy from old to new parts; collective over regroup->comm, after `prepare` in all processes.
     * Keep the old part: a status other than NEREUS_OK in any process rolls the reconfiguration
     * back. */
    enum nereus_status (*move)(void *user, const struct nereus_regroup *regroup);
    /** Called after `prepare`, also after one that failed. committed: free the old part and use the
     * new one (a process that is not a target has none). Otherwise free the new part. */
    void (*end)(void *user, const struct nereus_regroup *regroup, bool committed);
    /** Checkpoints, and restarts from them; NULL: they are refused. With regroup->source >= 0 write
     * the own part to the file, with regroup->target >= 0 read the new part, between `prepare` and
     * `end`, from a file that regroup->ns processes wrote. So the order in the file has to be that
     * of the whole, whatever the number of processes (MPI_File_set_view, MPI_File_write_all).
     * Collective over the active processes, also where one of them fails; the library opens and
     * closes the file, whose errors return. */
    enum nereus_status (*file)(void *user, const struct nereus_regroup *regroup, MPI_File file);
    void *user;
};
#define NEREUS_MOVER_INIT                                                                          \
    {                                                                                              \
        sizeof(struct nereus_mover), 0, 0, 0, 0, 0, 0                                              \
    }

struct nereus_options {
    size_t size; /**< sizeof(struct nereus_options), set by NEREUS_OPTIONS_INIT */
    /** Default method. NULL or "auto": chosen for each request. If rank 0 finds a profile of this
     * machine: the best prediction for `goal`, from the measured iteration time and its `scaling`,
     * the registered bytes and the iterations left. Otherwise the method that survives most
     * failures: "merge-launch/coll" if processes have to start and the job was started with
     * nereus-mpiexec, else "merge/coll". Trace and outcome give the chosen method and the reason.
     */
    const char *method;
    /** Requests that are known at the start; read in the initial processes only. Without any:
     * $NEREUS_SCHEDULE, as "4@10,2@20:merge/p2p" (SIZE@POINT[:METHOD]). */
    const struct nereus_resize *schedule;
    int64_t schedule_count;
    /** Program that new processes run; NULL: the user's program with its wrapper
     * (docs/application.md, "What new processes start"). */
    const char *program;
    /** NULL-terminated names of environment variables. New processes get the values that rank 0 has
     * at the reconfiguration. In jobs started with nereus-mpiexec they also get the environment
     * with which rank 0 was started. */
    const char *const *environment;
    /** Host file: lines "name[:cores]", whose cores are the slots; NULL: $NEREUS_HOSTFILE, else
     * none. */
    const char *hostfile;
    /** Slots of this host: the most processes. 0: $NEREUS_SLOTS, else 64 a core (more processes
     * than cores give a warning). */
    int64_t slots;
    const char *trace;      /**< JSON Lines file for the trace; NULL: $NEREUS_TRACE, else none */
    const char *state;      /**< JSON file for the job's state; NULL: $NEREUS_STATE, else none */
    const void *user_state; /**< sent to new processes before nereus_init returns there */
    size_t user_state_bytes;
    /** Called in every source that is no zombie, after data has moved and all processes have
     * agreed to commit, before communicator and pointers change. Both are still the old ones and
     * may be used, nereus_comm also for collectives. Writes to registered data are lost. Not called
     * for a reconfiguration that is rolled back. */
    void (*before)(nereus_job *job, void *user);
    /** Called in every target after the commit, before the point (or nereus_init) returns:
     * communicator and pointers are the new ones. In a process that joins no data is registered
     * yet, so that ids are not valid. */
    void (*after)(nereus_job *job, void *user);
    void *user;
    /** Time limit for a new process to enter MPI_Init; 0: 60 s */
    double spawn_timeout_s;
    /** Binding. "core": each process to cores of its own if there are enough; "none"; NULL:
     * $NEREUS_BIND, else "core". */
    const char *bind;
    /** How old and new processes are connected if not all old ones spawn the new ones: "port"
     * (MPI_Comm_connect) or "bridge" (MPI_Intercomm_create over the inter-communicator of the
     * root's spawn); NULL: $NEREUS_CONNECT, else the faster one (docs/results/speed.md). */
    const char *connect;
    int64_t batch; /**< strategy multiple: processes per spawn; 0: $NEREUS_BATCH, else 1 */
    /** Asynchronous methods: points between two checks of the auxiliary threads; 0:
     * $NEREUS_TEST_EVERY, else 1 */
    int64_t test_every;
    /** Time limit for a host to respond when processes are started there; 0:
     * $NEREUS_ANSWER_TIMEOUT, else 7 s. */
    double answer_timeout_s;
    /** Distribution keep: a range has from (1 - imbalance) n / nt elements, rounded down, to
     * (1 + imbalance) n / nt, rounded up. Below 0: no imbalance; 0: $NEREUS_IMBALANCE, else 0.05.
     */
    double imbalance;
    /** Callbacks for data that the application moves. NULL: none. Copied; set it in all processes,
     * also in those that join. */
    const struct nereus_mover *mover;
    /** Cores per process, for its threads: used for layouts, slots (unless given as a number),
     * binding and predictions. 0: $NEREUS_CORES_PER_PROCESS, else the host file's, else Slurm's
     * CPUs per task, else 1. */
    int64_t cores_per_process;
    /** Goal of the choice of a method: "application" (least time until the application ends),
     * "system" (least RT), "node-hours" or "energy"; NULL: $NEREUS_GOAL, else "application". */
    const char *goal;
    /** Iterations (malleability points) of the whole job; 0: unknown. See
     * nereus_set_iterations_left. */
    int64_t iterations;
    /** Iteration time as a function of the size: "strong", "weak", "amdahl:0.05" or a table
     * (nereus/scaling.h). For sizes that the job has had, measured times are used. NULL: unknown;
     * the method is chosen by minimax regret over strong and weak scaling. */
    const char *scaling;
    /** Profile of this machine: a file, or a name; NULL: as `nereus predict` finds it
     * ($NEREUS_PROFILE, or what `nereus calibrate` has installed; nereus/profile_place.h) */
    const char *profile;
    /** File of a policy that decides the size (docs/policies.md); NULL: $NEREUS_POLICY or none. */
    const char *policy;
    /** Callback of the policy "user", called on rank 0 before each sampling interval with `user` as
     * above: a nereus_policy_function (nereus/policy.h). Set it in all processes, also in those
     * that join. */
    bool (*decide)(void *user, const struct nereus_policy_question *question,
                   struct nereus_allocation *wanted, char why[128]);
    /** Folder for checkpoints, on a file system that all hosts of the job have, and for this job
     * alone; it is made if it is missing. NULL: $NEREUS_CHECKPOINT, else none. */
    const char *checkpoint;
    /** Seconds between two checkpoints, which are written at points. 0: $NEREUS_CHECKPOINT_EVERY,
     * a duration ("90", "15min") or "auto"; if that is not set, only nereus_checkpoint writes any.
     * Below 0: auto, the interval that loses least time (Daly 2006), from the measured cost of a
     * checkpoint and $NEREUS_MTBF, the mean time between failures of the job. Data is copied at
     * the point, and written while the application computes; $NEREUS_CHECKPOINT_OVERLAP=off: it
     * is written at the point. */
    double checkpoint_every_s;
    /** Goal "energy": watts of a node while processes compute on it, of one that the job holds for
     * zombies alone, and of one during a resize. 0: $NEREUS_NODE_POWER, $NEREUS_IDLE_POWER,
     * $NEREUS_RESIZE_POWER; without these the first is missing, the second 0, and the third as the
     * first. */
    double node_power_w, idle_power_w, resize_power_w;
};
#define NEREUS_OPTIONS_INIT                                                                        \
    {                                                                                              \
        sizeof(struct nereus_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0                                               \
    }

/** @name Start, and this process in the job */

/**
 * Start: initialise MPI if the program has not, and join the running job if this process was
 * started by a reconfiguration. Collective over MPI_COMM_WORLD.
 * @param[in,out] argc, argv  of main; new processes get these arguments. NULL: the arguments with
 *                            which this process was started
 * @param[in]     options     NULL: all defaults
 * @param[out]    job         to be ended with nereus_finalize; NULL on failure
 * @return NEREUS_ERR_CANCELLED in a new process whose reconfiguration was rolled back: return from
 *         main (MPI is finalised if this call initialised it). An error message is printed to
 *         stderr, once.
 */
enum nereus_status nereus_init(int *argc, char ***argv, const struct nereus_options *options,
                               nereus_job **job);

/** Was this process started by a reconfiguration, or to go on from a checkpoint, so that
 * nereus_init will join a job? May be called before nereus_init and MPI_Init, for programs whose
 * initial processes read input first. Local. */
bool nereus_will_join(void);
/** Did a reconfiguration or a restart bring this process into the job? Local. */
bool nereus_is_joined(const nereus_job *job);
/** The application's communicator, this process' rank in it, and its size. Valid until a point
 * returns RESIZED or LEAVE; never free it. Local. */
MPI_Comm nereus_comm(const nereus_job *job);
int nereus_rank(const nereus_job *job);
int nereus_size(const nereus_job *job);
/** Malleability points that the job has passed, and reconfigurations carried out. Local. */
int64_t nereus_points(const nereus_job *job);
int64_t nereus_reconfigurations(const nereus_job *job);
/** Times that the job was restarted from a checkpoint. Local. */
int64_t nereus_restarts(const nereus_job *job);
/**
 * The value of options.user_state, in a joined process its received copy. Valid until a point
 * returns RESIZED. Local.
 * @param[out] bytes  may be NULL
 */
const void *nereus_user_state(const nereus_job *job, size_t *bytes);

/** @name Registered data */

/** Value of the parameter `partition` below: the partition that all data of one length share. */
enum { NEREUS_BY_LENGTH = -1 };

/**
 * Register a distributed array of count elements; each process holds one contiguous range. The
 * library owns the local part (zeroed; in a joined process received). Ranges are first blocks in
 * rank order (nereus_block(count, size, rank)). The distributions weighted and keep have other
 * ranges, keep also in another order than by rank: always use nereus_local. Data of one partition
 * always have the same ranges. Local.
 * @param[in]  type  predefined (also a pair with a gap, as MPI_DOUBLE_INT: an element is a struct
 *                   of both), or any type whose extent equals its size
 * @param[in]  kind  NEREUS_CONSTANT: the application never writes it, so that with an overlap it
 *                   can move while the application computes. NEREUS_VARIABLE: may be written at any
 *                   time; moves only inside a point
 * @param[out] id    handle, the same in every process. Active processes register in the same order.
 *                   A joined process first registers what it received, in any order, and then new
 *                   data
 * @return NEREUS_ERR_ARGUMENT (name empty, too long or taken; count < 0); NEREUS_ERR_BUSY (a
 *         reconfiguration is under way: nereus_last_outcome says PENDING); NEREUS_ERR_MISMATCH (a
 *         joined process requests another type or length than it received); NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type,
                                         int64_t count, enum nereus_data_kind kind, int *id);

/**
 * Register a partition: an index space of n elements that several arrays share, such as the vectors
 * and the matrix of a solver, so that a process has the same indices of each. The functions below
 * take its handle. Local.
 * @param[out] partition  handle, the same in every process, as ids are (nereus_register_array)
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_BUSY (a reconfiguration is under way);
 *         NEREUS_ERR_MISMATCH (received with another length); NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_partition(nereus_job *job, const char *name, int64_t n,
                                             int *partition);

/**
 * nereus_register_array with the ranges of a partition of `count` elements. Local.
 * @param[in]  partition  its handle, or NEREUS_BY_LENGTH
 * @param[out] id         handle, as of nereus_register_array
 * @return as nereus_register_array
 */
enum nereus_status nereus_register_array_in(nereus_job *job, const char *name, MPI_Datatype type,
                                            int64_t count, int partition,
                                            enum nereus_data_kind kind, int *id);

/**
 * Register a dense matrix of rows x columns (both >= 0; the dimension not distributed >= 1). A
 * process holds whole rows (NEREUS_BY_ROWS, stored row after row) or whole columns
 * (NEREUS_BY_COLUMNS, column after column): nereus_local gives the first one, how many, and their
 * memory. Owner and errors as nereus_register_array. Local.
 * @param[in]  partition  of the rows, or columns: a handle, or NEREUS_BY_LENGTH
 * @param[out] id         handle for nereus_local, the same in every process
 * @return as nereus_register_array
 */
enum nereus_status nereus_register_matrix(nereus_job *job, const char *name, MPI_Datatype type,
                                          int64_t rows, int64_t columns,
                                          enum nereus_data_shape shape, int partition,
                                          enum nereus_data_kind kind, int *id);

/** This process' part of a sparse matrix. The library owns all memory, which is valid until a point
 * returns RESIZED or LEAVE. */
struct nereus_sparse {
    int64_t first, count;  /**< rows (CSC: columns) first .. first + count - 1 of the whole */
    int64_t first_nonzero; /**< non-zeros in the rows (columns) before `first` */
    int64_t nonzeros;      /**< in this part */
    /** count + 1 offsets, the first is 0: row i of this part has the non-zeros pointers[i] ..
     * pointers[i + 1] - 1. Read-only: the sparsity pattern is fixed. */
    const int64_t *pointers;
    /** Columns (CSC: rows) in the whole matrix, from 0. NULL if nonzeros is 0. */
    int64_t *indices;
    void *values; /**< NULL if nonzeros is 0 */
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
/**
 * As nereus_register_csr, by columns: own columns, one more pointer than own columns, row indices,
 * partition of the columns. Collective as that.
 * @param[out] id  handle for nereus_local_sparse
 * @return as nereus_register_csr
 */
enum nereus_status nereus_register_csc(nereus_job *job, const char *name, MPI_Datatype type,
                                       int64_t rows, int64_t columns, int partition,
                                       const int64_t *pointers, const int64_t *indices,
                                       const void *values, enum nereus_data_kind kind, int *id);
/**
 * This process' part of a sparse matrix. Local.
 * @param[out] local  pointers into the library's memory
 * @return NEREUS_ERR_ARGUMENT for another id
 */
enum nereus_status nereus_local_sparse(const nereus_job *job, int id, struct nereus_sparse *local);

/**
 * Register a grid of 1 to 4 dimensions, cut into one box per process. Several fields share it. The
 * process grid is chosen again at each size (nereus_grid_choose): boxes and surfaces as small as
 * possible, and among equals the one that moves least; `fixed` numbers of processes never change,
 * and a size that they do not divide is refused, as is one whose parts would be thinner than the
 * halo. Grids are not weighted: with the distribution weighted they are cut evenly. Local.
 * @param[in]  grid  NEREUS_GRID_INIT; `processes` is ignored
 * @param[out] id    handle of the grid, the same in every process, as of nereus_register_partition
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_BUSY (a reconfiguration is under way);
 *         NEREUS_ERR_MISMATCH (received as another grid); NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_register_grid(nereus_job *job, const char *name,
                                        const struct nereus_grid *grid, int *id);

/**
 * Register a field: one value per element of a grid. The library owns the box with its halo, zeroed
 * (in a joined process received, halos zeroed). Halos do not move: after a resize they are zero
 * until nereus_grid_exchange refills those that have a neighbour. Local.
 * @param[in]  type  as nereus_register_array
 * @param[in]  grid  handle of nereus_register_grid
 * @param[out] id    handle for nereus_local_box, nereus_grid_exchange and nereus_swap
 * @return as nereus_register_array
 */
enum nereus_status nereus_register_field(nereus_job *job, const char *name, MPI_Datatype type,
                                         int grid, enum nereus_data_kind kind, int *id);

/** This process' box of a field. The memory is the library's, and valid until a point returns
 * RESIZED or LEAVE, or until nereus_swap. */
struct nereus_box {
    int dimensions;
    /** Own elements first .. first + count - 1 of each dimension; block-cyclic: `first` is the
     * first one, and nereus_grid_global_index gives the others */
    int64_t first[NEREUS_GRID_DIMENSIONS], count[NEREUS_GRID_DIMENSIONS];
    /** Elements in memory from one to the next in a dimension; the last one is 1 */
    int64_t stride[NEREUS_GRID_DIMENSIONS];
    /** The first own element; element (i, j, k) of the box is at i stride[0] + j stride[1] + k
     * stride[2], and the halo has indices from -halo to -1, and from count on. NULL: no elements */
    void *values;
    struct nereus_grid grid;                     /**< with the present process grid */
    int64_t coordinates[NEREUS_GRID_DIMENSIONS]; /**< of this process in it */
};
/**
 * This process' box of a field. Local.
 * @param[out] box  pointers into the library's memory
 * @return NEREUS_ERR_ARGUMENT for another id
 */
enum nereus_status nereus_local_box(const nereus_job *job, int id, struct nereus_box *box);

/**
 * Ranks in nereus_comm of the neighbours in each dimension. Local.
 * @param[in]  grid          handle of nereus_register_grid
 * @param[out] lower, upper  one per dimension; MPI_PROC_NULL where the grid ends
 * @return NEREUS_ERR_ARGUMENT for another handle
 */
enum nereus_status nereus_grid_neighbours(const nereus_job *job, int grid,
                                          int lower[NEREUS_GRID_DIMENSIONS],
                                          int upper[NEREUS_GRID_DIMENSIONS]);

/**
 * A communicator with the Cartesian topology of a grid, with its coordinates. The library owns it;
 * it lives until a point returns RESIZED or LEAVE. Collective over the active processes at the
 * first call after a resize, afterwards local.
 * @param[out] cartesian  never free it
 * @return NEREUS_ERR_ARGUMENT for another handle; NEREUS_ERR_STATE (in a callback, before another
 *         call has made it); NEREUS_ERR_MPI
 */
enum nereus_status nereus_grid_comm(nereus_job *job, int grid, MPI_Comm *cartesian);

/**
 * Refill the halo of a field from the neighbours, with edges and corners, dimension by dimension,
 * by persistent requests that are kept until the next resize. A halo at the end of a grid that is
 * not periodic stays as it is. Collective over the active processes; every call waits for the
 * neighbours only.
 * @param[in] id  handle of nereus_register_field
 * @return NEREUS_ERR_ARGUMENT for another id; NEREUS_ERR_UNSUPPORTED in all processes, if a part is
 *         thinner than the halo; NEREUS_ERR_MISMATCH in all, if at the first call of a size they
 *         have registered different data; NEREUS_ERR_STATE (in a callback); NEREUS_ERR_MEMORY;
 *         NEREUS_ERR_MPI
 */
enum nereus_status nereus_grid_exchange(nereus_job *job, int id);

/** Callbacks for elements of any type and size (lists, trees, ...): n elements, of which each
 * process has a range. They are called in the thread that calls nereus_point; for data that moves
 * while the application computes, `bytes` and `pack` are called in an auxiliary thread. None of
 * them may call MPI or this library. Constant data must stay valid until nereus_finalize returns,
 * as that completes a pending redistribution. */
struct nereus_custom {
    size_t size; /**< sizeof(struct nereus_custom), set by NEREUS_CUSTOM_INIT */
    /** Bytes that pack will write for own elements first .. first + count - 1. Called when the
     * reconfiguration is decided, to predict its cost, and called again before pack if the
     * application has run since (asynchronous methods, overlaps): variable data may change its
     * size, constant data may not. 0: pack and unpack are called with 0 bytes. Negative: unknown,
     * and the reconfiguration fails. */
    int64_t (*bytes)(void *user, int64_t first, int64_t count);
    /** Write the elements to buffer: exactly `bytes` bytes, the latest return value of the function
     * bytes. Keep the elements: the reconfiguration may still be rolled back. An overrun of up to
     * 64 KiB is detected and rolls the reconfiguration back with an error message. */
    void (*pack)(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes);
    /** The reconfiguration is committed: this process now has elements first .. first + count - 1.
     * Free the old elements: unpack delivers all, also those that were here. May be NULL. */
    void (*resize)(void *user, int64_t first, int64_t count);
    /** Read what one process has packed; called in the order of the elements. A status other than
     * NEREUS_OK ends the whole job, as the commit cannot be rolled back; in a joined process
     * nereus_register_custom returns that status instead. */
    enum nereus_status (*unpack)(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes);
    void *user;
};
#define NEREUS_CUSTOM_INIT                                                                         \
    {                                                                                              \
        sizeof(struct nereus_custom), 0, 0, 0, 0, 0                                                \
    }

/**
 * Register data of struct nereus_custom: n elements in the caller's memory, with the ranges of a
 * partition. In a joined process this function calls resize and unpack. The struct is copied; the
 * caller owns the data. Local.
 * @param[in]  name  at most 47 characters
 * @param[out] id    handle for nereus_part_of and nereus_owner_of
 * @return as nereus_register_array, or the status that unpack returned
 */
enum nereus_status nereus_register_custom(nereus_job *job, const char *name, int64_t n,
                                          int partition, const struct nereus_custom *custom,
                                          enum nereus_data_kind kind, int *id);

/**
 * Register values that are the same in every process (an iteration counter, parameters). They stay
 * in the caller's memory. Local.
 * @param[in,out] values  `count` elements, valid until nereus_finalize; in a joined process the
 *                        received values are written there
 * @param[out]    id      handle for nereus_is_received
 * @return as nereus_register_array
 */
enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind,
                                              void *values, int *id);

/** @name Local parts of registered data */

/**
 * Did registered data come with values from other processes? False: it is new in all processes, so
 * that this one has to initialise it. The condition for start-up code such as reading and
 * broadcasting input: processes that join later must not run it, as the others would not take part
 * in its collectives:
 *
 *     nereus_register_replicated(job, "input", MPI_BYTE, sizeof input, NEREUS_VARIABLE, &input,
 *                                &id);
 *     if (!nereus_is_received(job, id))
 *         MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, nereus_comm(job));
 *
 * nereus_is_joined is not the right condition in later phases of a program: data that is first
 * registered in phase 2 is new also in a process that joined in phase 1. False for an unknown id.
 * Local.
 */
bool nereus_is_received(const nereus_job *job, int id);

/**
 * Swap two registered arrays, dense matrices or fields (double buffers). Only the pointers that
 * nereus_local and nereus_local_box give are exchanged: O(1). Every active process makes the same
 * swaps between the same points; otherwise the next reconfiguration fails and is rolled back.
 * Allowed during a pending reconfiguration (asynchronous methods, overlaps), as variable data moves
 * last. Local.
 * @return NEREUS_ERR_ARGUMENT (unknown array; NEREUS_CONSTANT data, which may be moving while the
 *         application computes); NEREUS_ERR_MISMATCH (type, length, shape or partition differ)
 */
enum nereus_status nereus_swap(nereus_job *job, int a, int b);

/**
 * This process' part of an array or a dense matrix: elements (rows, columns) first .. first +
 * count - 1 of the whole. Not necessarily in rank order (nereus_part_of). The library owns the
 * memory, which is valid until a point returns RESIZED or LEAVE. Local.
 * @param[out] part, first, count  each may be NULL; the part of length 0 may be NULL
 * @return NEREUS_ERR_ARGUMENT for an unknown id, and for custom data (use nereus_part_of)
 */
enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first,
                                int64_t *count);

/**
 * The part of any rank: elements, rows or columns first .. first + count - 1 of distributed data
 * of any kind. O(1). Local.
 * @param[out] first, count  each may be NULL
 * @return NEREUS_ERR_ARGUMENT for an unknown id, or, without an error message, for a rank below 0
 *         or above size - 1
 */
enum nereus_status nereus_part_of(const nereus_job *job, int id, int rank, int64_t *first,
                                  int64_t *count);
/**
 * As nereus_part_of, for a partition, also before data is registered in it. O(1). Local.
 * @param[out] first, count  each may be NULL
 * @return as nereus_part_of
 */
enum nereus_status nereus_partition_part_of(const nereus_job *job, int partition, int rank,
                                            int64_t *first, int64_t *count);
/**
 * The rank that has an element (row, column) of distributed data; of a field: by its number in the
 * whole grid, the last dimension fastest. O(log processes). Local.
 * @param[out] rank  0 .. size - 1
 * @return NEREUS_ERR_ARGUMENT for an unknown id, or no element of the data
 */
enum nereus_status nereus_owner_of(const nereus_job *job, int id, int64_t element, int *rank);
/**
 * The partition of distributed data that was registered with NEREUS_BY_LENGTH. Local.
 * @param[out] partition  handle for the functions that take one
 * @return NEREUS_ERR_ARGUMENT for an unknown id, or data that is not distributed
 */
enum nereus_status nereus_partition_of(const nereus_job *job, int id, int *partition);

/**
 * Bytes of distributed data that this process received in the last reconfiguration, and that it
 * kept. The sums over all processes are in the trace (moved_bytes, kept_bytes). Local.
 * @param[out] moved_bytes, kept_bytes  each may be NULL
 * @return NEREUS_OK
 */
enum nereus_status nereus_last_moved(const nereus_job *job, int64_t *moved_bytes,
                                     int64_t *kept_bytes);

/** @name Work and power, for the distribution weighted */

/**
 * Set the computing power of this process for the distribution weighted, whose shares are
 * proportional to it (Martín et al. (2015), section 4.3, equation 1): units of work (non-zeros,
 * rows, ...; the same unit in all processes) per CPU second outside MPI. Replaces earlier values. A
 * process without power, or with 0, gets the mean of its node, else that of the node's class in a
 * policy with several, else the mean of all processes; so do new processes. Local.
 * @param[in] work, cpu_s  units of work, and the CPU seconds that they took
 * @return NEREUS_ERR_ARGUMENT for negative values
 */
enum nereus_status nereus_set_power(nereus_job *job, double work, double cpu_s);

/**
 * Set the work of the elements of a partition, for the distribution weighted (Martín et al. (2015),
 * section 4.3: non-zero elements rather than rows or columns). Without it all elements count the
 * same. Every active process calls it, joined ones too. Local.
 * @param[in] weigh  called when a reconfiguration is decided: writes the weights (>= 0) of own
 *                   elements first .. first + count - 1 and returns 0; another return value makes
 *                   the reconfiguration fail. NULL: equal weights
 * @param[in] user   passed to it
 * @return NEREUS_ERR_ARGUMENT for an unknown partition
 */
enum nereus_status nereus_set_weights(nereus_job *job, int partition,
                                      int64_t (*weigh)(void *user, int64_t first, int64_t count,
                                                       int64_t *weights),
                                      void *user);
/**
 * Weights: the number of non-zeros of each row (CSC: column) of a registered sparse matrix. Local.
 * @return NEREUS_ERR_ARGUMENT unless id is a sparse matrix
 */
enum nereus_status nereus_weigh_by_nonzeros(nereus_job *job, int id);

/** @name Malleability points, checkpoints, load balance */

/**
 * Pass a malleability point, and carry out a request if one is due; without one no collective
 * blocks. Every active process passes the same number of points. Data that was registered while a
 * zombie slept is registered by it after NEREUS_RESIZED, as in a joined process.
 * @param[out] action  NEREUS_CONTINUE also after a failed request
 * @return NEREUS_OK also after a failed request (see nereus_last_outcome); an error if the process
 *         has left already. Errors that cannot be rolled back (MPI fails, no memory while data
 *         moves) end the whole job with an error message, as other processes would wait forever.
 */
enum nereus_status nereus_point(nereus_job *job, enum nereus_action *action);

/**
 * Write a checkpoint: all registered data and the job's state, as new files in the folder
 * options.checkpoint, where the latest two stay. With NEREUS_RESTART=FOLDER/checkpoint-7 (or FOLDER
 * for the newest one) the same program, started with any number of processes, goes on from there:
 * all its processes are as those that joined (nereus_is_joined, nereus_is_received). Ranges of
 * partitions are blocks then. Custom data is packed element by element, so that `unpack` gets one
 * at a time. Call it where a change of size would be possible, with the data as they are at a
 * point. A blocking collective of the active processes.
 * @return on a failure the same in all processes, and the job goes on: NEREUS_ERR_STATE (no
 *         folder); NEREUS_ERR_BUSY (a reconfiguration is under way, or another job uses the
 *         folder); NEREUS_ERR_UNSUPPORTED (options.mover without `file`); NEREUS_ERR_IO;
 *         NEREUS_ERR_MISMATCH (the processes have registered different data)
 */
enum nereus_status nereus_checkpoint(nereus_job *job);

/** Load imbalance (maximum time / mean time - 1) above which nereus_balance predicts the gain of a
 * redistribution. */
#define NEREUS_BALANCE_THRESHOLD 0.1

/** When nereus_balance moves data. */
struct nereus_balance_options {
    size_t size;      /**< sizeof(struct nereus_balance_options), set by the _INIT */
    double threshold; /**< 0: NEREUS_BALANCE_THRESHOLD */
    /** Mean time that this process computed in an iteration, outside MPI, since its data last
     * moved: its power is own work / compute_s. 0: the power of nereus_set_power, in units of the
     * weights per second; else the monitored one (real time outside MPI, docs/jobs.md); if no
     * process has a power, all are equal. */
    double compute_s;
    const char *method; /**< merge with the distribution weighted; NULL: "merge/coll-weighted" */
};
#define NEREUS_BALANCE_OPTIONS_INIT                                                                \
    {                                                                                              \
        sizeof(struct nereus_balance_options), 0, 0, 0                                             \
    }

/**
 * nereus_point and, if that changed nothing, load balancing at the present size (Martín et al.
 * (2015), section 4.3, equation 1). The work of a process is the sum of the weights of its elements
 * (nereus_set_weights, nereus_weigh_by_nonzeros; else their number), its time is work / power. Data
 * is redistributed if the slowest process takes more than 1 + threshold times the mean, and the
 * time saved until the end (options.iterations, nereus_set_iterations_left) exceeds the
 * redistribution's predicted time (from the profile of this machine, else from priors); the action
 * is then NEREUS_RESIZED, with the same communicator, rank and size. Otherwise nothing changes; if
 * the redistribution would cost more than it saves, nereus_last_outcome gives UNCHANGED and the
 * reason. It is a blocking collective of the active processes: call it every 10 or 100 iterations.
 * NEREUS_BALANCE=10 calls it in every tenth nereus_point, with monitored powers.
 * @param[in]  options  NULL: all defaults. The same in all processes, except compute_s
 * @param[out] action   as in nereus_point
 * @return as nereus_point; NEREUS_ERR_ARGUMENT, NEREUS_ERR_PARSE or NEREUS_ERR_ILLEGAL (no point
 *         was passed); NEREUS_ERR_STATE or NEREUS_ERR_ARGUMENT in all processes if the weights of
 *         one are not available
 */
enum nereus_status nereus_balance(nereus_job *job, const struct nereus_balance_options *options,
                                  enum nereus_action *action);

/** @name Requests, and the sizes of the job */

/**
 * Request another size at run time. Local; on rank 0 only (elsewhere NEREUS_ERR_STATE). The
 * processes agree by nonblocking messages on a later point, at which they carry it out: rank 0
 * proposes a point 2, 4, 8, ... points ahead until no process has passed it already.
 * @return NEREUS_ERR_BUSY while a request is pending; NEREUS_ERR_ARGUMENT or NEREUS_ERR_UNSUPPORTED
 *         for a request that cannot be carried out
 */
enum nereus_status nereus_request_size(nereus_job *job, int64_t nt, const char *method);

/**
 * Request to release nodes: all processes on them leave, the others stay. Local; on rank 0 only
 * (elsewhere NEREUS_ERR_STATE). How depends on the job's state (Martín-Álvarez et al. (2025),
 * sections 4.6 and 4.7): whole worlds (MPI_COMM_WORLDs) end (ts); if a world also has processes on
 * other nodes, new processes on the remaining nodes replace all (ss), because a world can only end
 * as a whole. The nodes stay in the job's machine: later requests may use them again.
 * @param[in] nodes  names as in the host file, 1 to 64 of them
 * @return as nereus_request_size; also NEREUS_ERR_ARGUMENT for an unknown node, or if no process
 *         would be left
 */
enum nereus_status nereus_request_release(nereus_job *job, const char *const *nodes, int64_t count,
                                          const char *method);

/**
 * Request a number of processes on each node, a layout; nodes that are not listed have none. The
 * total may stay the same. Local; on rank 0 only (elsewhere NEREUS_ERR_STATE). Merge cannot migrate
 * a process. Where nodes only gain processes, zombies wake first, then new ones start. Where nodes
 * only lose some, whole worlds end (ts), or the highest ranks of a node become zombies (zs); if
 * zombies would remain on a node that has to be empty, new processes replace all (ss). Where some
 * nodes gain and others lose, baseline replaces all.
 * @param[in] nodes      1 to 64 different names as in the host file. Up to 16 of them may be new to
 *                       the job: "node5:20", with its cores, or "node5:20@slurm:1234", in another
 *                       Slurm allocation, where only the strategy launch can start processes
 * @param[in] processes  on each node, 0 to its cores; at least 1 in total
 * @param[in] n          length of both arrays
 * @param[in] method     NULL, "auto": options.method; if that is "auto" too, merge or, where merge
 *                       cannot reach the layout, "baseline-diffusive/coll"
 * @return as nereus_request_size; NEREUS_ERR_ARGUMENT for invalid nodes or numbers;
 *         NEREUS_ERR_ILLEGAL if the method cannot reach the layout
 */
enum nereus_status nereus_request_layout(nereus_job *job, const char *const *nodes,
                                         const int64_t *processes, int64_t n, const char *method);

/**
 * Place the processes of a scheduled change cyclically over all nodes of the host file (one per
 * node in turn) instead of node by node. Local; in all initial processes, before the point of the
 * change. Has no effect without a host file. The nodes are those of the job at that point.
 * @param[in] number  index of the change in options.schedule
 * @return NEREUS_ERR_ARGUMENT: no such change, more processes than cores, or more than 64 nodes
 */
enum nereus_status nereus_schedule_spread(nereus_job *job, int64_t number);

/**
 * Declare the sizes that the application can run with (minimum, maximum, multiples of a number,
 * powers of two). External requests for another size are refused, and the nearest allowed sizes are
 * offered (docs/jobs.md); the application's own requests are not checked. Call it in every active
 * process, joined ones too, as each may become rank 0. Replaces earlier calls; $NEREUS_SIZES can
 * restrict the sizes further. Local.
 * @param[in] sizes  copied; a zeroed struct allows every size
 * @return NEREUS_ERR_ARGUMENT: a negative number, or no size is allowed
 */
enum nereus_status nereus_declare_sizes(nereus_job *job, const struct nereus_sizes *sizes);

/**
 * Set the number of iterations (malleability points) that are left, over which the choice of a
 * method amortises the cost of a reconfiguration. Replaces options.iterations. Has an effect on
 * rank 0 only. Local.
 * @param[in] left  below 0: unknown
 */
void nereus_set_iterations_left(nereus_job *job, int64_t left);

/** @name Monitoring */

/** Unit of a process' work: the first of these that its host can count. */
enum nereus_work {
    NEREUS_WORK_FLOP = 0,     /**< floating-point operations of the main thread, by PAPI */
    NEREUS_WORK_INSTRUCTIONS, /**< instructions in user mode, all threads, inside MPI too */
    NEREUS_WORK_CPU_TIME,     /**< CPU seconds, outside MPI if the time in MPI is known */
    NEREUS_WORK_COUNT
};

/** Kinds of MPI calls: X(enumerator, name in files). */
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
    /** As in the arguments of the calls: sent, received or gathered by this process. */
    int64_t bytes;
    double time_s; /**< inside the calls */
};

/** Measurements of one process over one sampling interval (docs/jobs.md; Martín et al. (2015),
 * section 4.1). */
struct nereus_metrics {
    size_t size;                /**< sizeof(struct nereus_metrics), set by NEREUS_METRICS_INIT */
    int64_t point;              /**< the malleability point at which the interval ended */
    int64_t iterations;         /**< malleability points of the interval */
    double real_s;              /**< wall-clock time of the interval */
    double cpu_s;               /**< CPU time of all threads of the process */
    double work;                /**< in units of work_kind */
    enum nereus_work work_kind; /**< the same in all processes of the job */
    /** Work units per CPU second, outside MPI for floating-point operations. If only CPU time can
     * be counted: the value of nereus_set_power, else NAN. */
    double power;
    bool power_set; /**< power is the value of nereus_set_power */
    /** Time in MPI calls of the application's main thread, and in nereus_point and nereus_balance,
     * whose MPI calls are not in `mpi`; NAN: not counted. */
    double mpi_s;
    double wait_s;        /**< part of mpi_s, waiting for other processes; NAN: not counted */
    int64_t memory_bytes; /**< resident set size at the end of the interval; 0: unknown */
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
 * The latest complete sampling interval of a process. The job is monitored if NEREUS_MONITOR or
 * NEREUS_MONITOR_EVERY is set when it starts (docs/jobs.md). A new interval begins after each
 * reconfiguration. Local.
 * @param[in]  rank     own rank; on rank 0 any rank, for the latest interval that rank 0 has
 *                      received from all processes
 * @param[out] metrics  initialised with NEREUS_METRICS_INIT; written on success only
 * @return NEREUS_ERR_STATE (without a message): the job is not monitored; NEREUS_ERR_NO_BASIS
 *         (without a message): no interval is complete; NEREUS_ERR_ARGUMENT: no such rank, or
 *         another process' rank on a process other than rank 0
 */
enum nereus_status nereus_metrics(const nereus_job *job, int rank, struct nereus_metrics *metrics);
/** Name of a kind, such as "allreduce"; NULL if out of range. Any thread. */
const char *nereus_mpi_kind_name(enum nereus_mpi_kind kind);

/** @name Outcome, errors, end */

/**
 * Outcome of the latest request. Local.
 * @param[out] sentence  the reason if it was not carried out; else sizes, method and time, as in
 *                       "resized from 2 to 4 processes by merge/coll in 0.131 s". May be NULL.
 *                       Valid until the next point
 */
enum nereus_outcome nereus_last_outcome(const nereus_job *job, const char **sentence);
/** Message of the last error in this process; job NULL: of the last failed nereus_init. Never NULL.
 * Local. */
const char *nereus_last_error(const nereus_job *job);

/**
 * Wake and end the zombies, complete pending operations, free all memory, and finalise MPI if
 * nereus_init initialised it. Collective over the active processes; a process that leaves calls it
 * too. Sets *job to NULL.
 * @return NEREUS_ERR_STATE inside a callback; NEREUS_ERR_MPI if MPI_Finalize fails, with the job
 *         freed. Where the job cannot end in order, it is aborted with an error message.
 */
enum nereus_status nereus_finalize(nereus_job **job);

#ifdef __cplusplus
}
#endif
#endif
