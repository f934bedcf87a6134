/**
 * @file workload.h
 * Jobs of a simulation: what a log says about them, and what becomes of them.
 */
#ifndef NEREUS_WORKLOAD_H
#define NEREUS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** No job or node: ends lists, which are linked by index. */
enum { NEREUS_SIM_NONE = -1 };

enum { NEREUS_SIM_JOBS_MAX = 100000000, NEREUS_SIM_NODES_MAX = 1 << 24 };

/** What a log says of a malleable job; the rest is drawn (draw.h). */
enum nereus_sim_given {
    NEREUS_SIM_GIVEN_MALLEABLE = 1,
    NEREUS_SIM_GIVEN_T_ITER = 2,
    NEREUS_SIM_GIVEN_SERIAL = 4,
    NEREUS_SIM_GIVEN_BYTES = 8,
    NEREUS_SIM_GIVEN_LEAST = 16,
    NEREUS_SIM_GIVEN_MOST = 32
};

struct nereus_sim_job {
    /* from the log */
    int64_t number;     /**< in the log */
    int64_t line;       /**< in the log; 0: generated */
    int64_t processors; /**< asked for */
    double submit_s;
    double run_s;      /**< on the nodes asked for */
    double estimate_s; /**< requested time, at least run_s */
    /* of malleable jobs */
    double t_iter_s;          /**< an iteration on the nodes asked for */
    double serial;            /**< serial share on one process (Amdahl) */
    double bytes_per_process; /**< variable data of each process asked for */
    int32_t nodes;            /**< asked for: whole nodes */
    int32_t least, most;      /**< nodes; processors until nereus_workload_prepare() */
    int32_t app_class;        /**< of the workload's classes; NEREUS_SIM_NONE: none */
    uint8_t given;            /**< enum nereus_sim_given */
    bool malleable;
    /* as it runs */
    bool resizing;
    int32_t held;           /**< nodes now; 0: waiting, or ended */
    int32_t target;         /**< after the present resize */
    int32_t first_node;     /**< head of a list (cluster.h) */
    int32_t previous, next; /**< in the queue */
    int32_t event;          /**< index in the heap (events.h) */
    int32_t resizes;
    double estimated_end_s;
    double reserved_s; /**< start promised by conservative backfilling; negative: none */
    double since_s;    /**< since when it computes on these nodes */
    double work_s;     /**< done until then, in seconds on the nodes asked for */
    double rate;       /**< work a second; 1 on the nodes asked for; 0 while waiting */
    /* results */
    double start_s, end_s;    /**< negative: not yet */
    double reconfiguration_s; /**< time in resizes */
    double node_s, reconfiguration_node_s;
};

enum nereus_sim_trouble {
    NEREUS_SIM_FIELDS,    /**< SWF: other than 18 fields: missing ones are unknown */
    NEREUS_SIM_UNKNOWN,   /**< submit time, run time or processors unknown: left out */
    NEREUS_SIM_TOO_LARGE, /**< more nodes than the machine has: left out */
    NEREUS_SIM_UNSORTED,  /**< submitted before the line above: sorted */
    NEREUS_SIM_PARTIAL,   /**< part of a job that has a line of its own: left out */
    NEREUS_SIM_CANCELLED, /**< cancelled before it ran: left out */
    NEREUS_SIM_TWICE,     /**< the number of a job above: another job all the same */
    NEREUS_SIM_TROUBLE_COUNT
};
enum { NEREUS_SIM_LINES_NAMED = 5 };

struct nereus_workload {
    struct nereus_sim_job *jobs; /**< in order of submission; owned */
    int64_t count;
    char **classes; /**< names, owned */
    int32_t class_count;
    struct {
        int64_t count;
        int64_t lines[NEREUS_SIM_LINES_NAMED]; /**< the first ones */
    } troubles[NEREUS_SIM_TROUBLE_COUNT];
};

/** "left out", for notes. */
extern const char *const nereus_sim_trouble_texts[NEREUS_SIM_TROUBLE_COUNT];

void nereus_workload_trouble(struct nereus_workload *workload, enum nereus_sim_trouble trouble,
                             int64_t line);

/** What a line says of a job; negative numbers are unknown. */
struct nereus_workload_line {
    int64_t line, number, processors;
    double submit_s, run_s, requested_s;
    /* of malleable jobs, where `given` says so */
    unsigned given; /**< enum nereus_sim_given */
    bool malleable;
    double t_iter_s, serial, bytes_per_process;
    int64_t least, most;   /**< processors */
    const char *app_class; /**< NULL: none */
};
/** Append a job, or count why it is left out. @return NEREUS_ERR_MEMORY, NEREUS_ERR_ARGUMENT */
enum nereus_status nereus_workload_add(struct nereus_workload *workload,
                                       const struct nereus_workload_line *line,
                                       struct nereus_error *err);

struct nereus_sim_machine {
    int32_t nodes, cores_per_node;
};
/** A class by name; a new one is added. */
enum nereus_status nereus_workload_class(struct nereus_workload *workload, const char *name,
                                         int32_t *number, struct nereus_error *err);

bool nereus_workload_says_malleable(const struct nereus_workload *workload);

/** Sort by submission (stable) and give each job whole nodes; jobs larger than the machine are
 * removed. */
enum nereus_status nereus_workload_prepare(struct nereus_workload *workload,
                                           const struct nereus_sim_machine *machine,
                                           struct nereus_error *err);

/** Node-seconds asked for / those of the machine from first to last submission. */
double nereus_workload_load(const struct nereus_workload *workload,
                            const struct nereus_sim_machine *machine);
void nereus_workload_scale_arrivals(struct nereus_workload *workload, double factor);

void nereus_workload_fini(struct nereus_workload *workload);

/** Read a file or "-": CSV (docs/formats.md), or the Standard Workload Format, if the name does not
 * end in .csv and the first line begins with a number. */
enum nereus_status nereus_workload_read(const char *path, struct nereus_workload *workload,
                                        struct nereus_error *err);

NEREUS_END_C
#endif
