/**
 * @file workload.h
 * Describes the jobs of a simulation: their data from a workload log, and their results.
 */
#ifndef NEREUS_WORKLOAD_H
#define NEREUS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** No job or node; also the end of a list that is linked by index. */
enum { NEREUS_SIM_NONE = -1 };

enum { NEREUS_SIM_JOBS_MAX = 100000000, NEREUS_SIM_NODES_MAX = 1 << 24 };

/** Fields of a malleable job that the log has (a set); others are drawn at random (draw.h). */
enum nereus_sim_given {
    NEREUS_SIM_GIVEN_MALLEABLE = 1,
    NEREUS_SIM_GIVEN_T_ITER = 2,
    NEREUS_SIM_GIVEN_SERIAL = 4,
    NEREUS_SIM_GIVEN_BYTES = 8,
    NEREUS_SIM_GIVEN_MIN = 16,
    NEREUS_SIM_GIVEN_MAX = 32
};

struct nereus_sim_job {
    /* from the log */
    int64_t number;     /**< in the log */
    int64_t line;       /**< in the log; 0: generated */
    int64_t processors; /**< requested */
    double submit_s;
    double run_s;      /**< run time on the requested nodes */
    double estimate_s; /**< requested time, at least run_s */
    /* of malleable jobs */
    double t_iter_s;          /**< iteration time on the requested nodes */
    double serial;            /**< serial share on one process (Amdahl) */
    double bytes_per_process; /**< variable data / requested processes */
    int32_t nodes;            /**< requested, whole nodes */
    int32_t min, max;         /**< nodes; before nereus_workload_prepare() processors */
    int32_t app_class;        /**< index in the workload's classes; NEREUS_SIM_NONE: none */
    uint8_t given;            /**< set of enum nereus_sim_given */
    bool malleable;
    /* state in the simulation */
    bool resizing;
    int32_t held;           /**< allocated nodes; 0: queued or ended */
    int32_t target;         /**< nodes after the present resize */
    int32_t first_node;     /**< head of a list (cluster.h) */
    int32_t previous, next; /**< in the queue */
    int32_t event;          /**< index in the heap (events.h) */
    int32_t resizes;
    double estimated_end_s;
    double reserved_s; /**< start time reserved by conservative backfilling; negative: none */
    double since_s;    /**< time of the last change of `held` or `rate` */
    double work_s;     /**< work done until since_s, in seconds on the requested nodes */
    double rate;       /**< work per second; 1 on the requested nodes; 0 while queued */
    /* results */
    double start_s, end_s;    /**< negative: not started, not ended */
    double reconfiguration_s; /**< time in resizes */
    double node_s, reconfiguration_node_s;
};

/** What failures of nodes do to a job; all zero without them. */
struct nereus_sim_survival {
    int32_t losses; /**< failures of nodes that the job held */
    bool given_up;  /**< the job does not go on after its last loss */
    bool restarting;
    /* checkpoints on its present nodes, or on those that it waits for */
    double interval_s; /**< computing time between two checkpoints; INFINITY: none is written */
    double write_s;    /**< to write a checkpoint */
    double restart_s;  /**< to start and to read a checkpoint */
    /* the computing since the last start, restart or resize */
    double since_s, work_s, rate; /**< as those of the job */
    /** at since_s, since the last checkpoint: computing, then writing */
    double since_checkpoint_s;
    double unsaved_node_s; /**< node-seconds since the last checkpoint */
    double saved_s;        /**< work in the last checkpoint */
    double pause_s;        /**< length of the resize or restart that is under way */
    /* results */
    double redone_s; /**< work that was lost, and done again */
    double redone_node_s, checkpoint_node_s, restart_node_s;
};

enum nereus_sim_warning {
    NEREUS_SIM_FIELDS,    /**< SWF: other than 18 fields: missing ones are unknown */
    NEREUS_SIM_UNKNOWN,   /**< submit time, run time or processors unknown: left out */
    NEREUS_SIM_TOO_LARGE, /**< more nodes than the machine has: left out */
    NEREUS_SIM_UNSORTED,  /**< submitted before the line above: sorted */
    NEREUS_SIM_PARTIAL,   /**< part of a job that has a line of its own: left out */
    NEREUS_SIM_CANCELLED, /**< cancelled before it ran: left out */
    NEREUS_SIM_TWICE,     /**< a job number that occurred before: treated as another job */
    /* of Slurm's accounting: left out */
    NEREUS_SIM_STEP,
    NEREUS_SIM_NOT_STARTED,
    NEREUS_SIM_NOT_ENDED,
    NEREUS_SIM_COMPONENT, /**< of a heterogeneous job of Slurm: taken as a job of its own */
    NEREUS_SIM_WARNING_COUNT
};
enum { NEREUS_SIM_LINES_NAMED = 5 };

struct nereus_workload {
    struct nereus_sim_job *jobs; /**< in order of submission; owned */
    int64_t count;
    /** indexed by job; NULL: no node failed; owned */
    struct nereus_sim_survival *survival;
    int64_t failures;   /**< number of nodes that failed, also of free ones */
    double down_node_s; /**< until the last job ended */
    char **classes;     /**< names, owned */
    int32_t class_count;
    struct {
        int64_t count;
        int64_t lines[NEREUS_SIM_LINES_NAMED]; /**< the first lines with it */
    } warnings[NEREUS_SIM_WARNING_COUNT];
};

/** Text of each warning. */
extern const char *const nereus_sim_warning_texts[NEREUS_SIM_WARNING_COUNT];

/**
 * Count a warning about a line.
 * @param[in,out] workload  `warnings`
 */
void nereus_workload_warn(struct nereus_workload *workload, enum nereus_sim_warning warning,
                          int64_t line);

/** A job as read from a line of the log; negative numbers are unknown. */
struct nereus_workload_line {
    int64_t line, number, processors;
    double submit_s, run_s, requested_s;
    /* malleable jobs; valid if `given` has their bit */
    unsigned given; /**< set of enum nereus_sim_given */
    bool malleable;
    double t_iter_s, serial, bytes_per_process;
    int64_t min, max;      /**< processors */
    const char *app_class; /**< NULL: none */
};
/**
 * Append a job, or count a warning and leave it out.
 * @param[in,out] workload  zeroed, or with jobs that stay
 * @return NEREUS_ERR_MEMORY, NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_workload_add(struct nereus_workload *workload,
                                       const struct nereus_workload_line *line,
                                       struct nereus_error *err);

struct nereus_sim_machine {
    int32_t nodes, cores_per_node;
};
/**
 * Index of a class by name; an unknown name is added.
 * @param[in,out] workload  may get a class
 * @param[out]    number    index in `classes`
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_workload_class(struct nereus_workload *workload, const char *name,
                                         int32_t *number, struct nereus_error *err);

/** Does the log say of any job that it is malleable? */
bool nereus_workload_has_malleable_jobs(const struct nereus_workload *workload);

/**
 * Sort by submission (stable) and round each job up to whole nodes; jobs larger than the machine
 * are removed.
 * @param[in,out] workload  as it was read
 * @return NEREUS_ERR_ARGUMENT: no job is left
 */
enum nereus_status nereus_workload_prepare(struct nereus_workload *workload,
                                           const struct nereus_sim_machine *machine,
                                           struct nereus_error *err);

/** Offered load: requested node-seconds / node-seconds of the machine between first and last
 * submission. */
double nereus_workload_offered_load(const struct nereus_workload *workload,
                                    const struct nereus_sim_machine *machine);
/**
 * Multiply the times of submission by a factor.
 * @param[in,out] workload  as it was read
 */
void nereus_workload_scale_arrivals(struct nereus_workload *workload, double factor);

/** Free all, and zero the struct. */
void nereus_workload_fini(struct nereus_workload *workload);

/**
 * Read a file or "-": what Slurm's sacct prints, if the first line has JobID; CSV
 * (docs/policies.md); or the Standard Workload Format, if the name does not end in .csv and the
 * first line begins with a number.
 * @param[out] workload  to be freed with nereus_workload_fini
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE with "FILE:LINE: ...", NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_workload_read(const char *path, struct nereus_workload *workload,
                                        struct nereus_error *err);

NEREUS_END_C
#endif
