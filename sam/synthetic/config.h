/**
 * @file config.h
 * Describes the configuration of the synthetic application, and reads it from an INI file. No MPI
 * here.
 *
 * One table (keys.c) describes every key: its names, type, range, default and help. The reader
 * (model/util/ini_keys.h), the checks (check*.c) and `nereus-sam --keys` all use it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "nereus/method.h"
#include "nereus/status.h"
#include "shares.h"

enum {
    SAM_STAGES_MAX = 64,
    SAM_GROUPS_MAX = 1024,
    SAM_PHASES_MAX = 16,
    SAM_TEXT_MAX = 256 /**< longest text value, with its terminator */
};

/** Which process' time is that of an iteration; the numbers are those of Capture_Method. */
enum sam_capture { SAM_CAPTURE_SLOWEST = 0, SAM_CAPTURE_MEDIAN, SAM_CAPTURE_MEAN };

/** What a stage does; the numbers are those of Stage_Type. From 9 on they are this program's
 * own. */
enum sam_stage_type {
    SAM_PI = 0,
    SAM_MATRIX,
    SAM_POINT_TO_POINT,
    SAM_BROADCAST,
    SAM_ALLGATHER,
    SAM_REDUCE,
    SAM_ALLREDUCE,
    SAM_NONBLOCKING,
    SAM_WAIT,
    SAM_BARRIER,
    SAM_ALLTOALL,
    SAM_SCATTER,
    SAM_GATHER,
    SAM_NEIGHBOURS,
    SAM_WRITE,
    SAM_READ,
    SAM_STAGE_TYPE_COUNT
};

/** One stage of an iteration. */
struct sam_stage {
    int64_t type; /**< enum sam_stage_type */
    /** compute: sequential time, multiplied by the group's factor; communication: time of one call,
     * if there are no bytes */
    double time_s;
    int64_t bytes;                 /**< bytes that a call moves; 0: as many as take time_s */
    int64_t phase;                 /**< phase in which the stage runs */
    double interval_iterations;    /**< runs every n-th iteration; below 1: several times in each */
    int64_t processes;             /**< of each communicator of a collective; 0: all */
    int64_t root;                  /**< of a collective that has one; modulo its processes */
    char neighbours[SAM_TEXT_MAX]; /**< as in the file: "offset:bytes,..." or FILE.csv; "": none */
    int64_t capped;                /**< 0: Stage_Time sets the number of operations; 1: their end */
    char imbalance[SAM_TEXT_MAX];  /**< as in the file: shares of the processes; "": equal */
    char variation[SAM_TEXT_MAX];  /**< as in the file: variation over iterations; "": none */
    struct sam_shares by_process, by_iteration; /**< after the checks */
};

/** Some iterations with one number of processes. */
struct sam_group {
    int64_t iterations;
    int64_t processes;
    char scaling[SAM_TEXT_MAX]; /**< FactorS as in the file: a number, or a law */
    double factor;              /**< after the checks; ideal: 1 / processes */
    char method[SAM_TEXT_MAX]; /**< method of the reconfiguration into this group; in canonical form
                                  after the checks */
    int64_t spawn_method; /**< Proteo's four numbers as in the file; `method` is composed of them */
    int64_t spawn_strategy;
    int64_t redistribution_method;
    int64_t redistribution_strategy;
    int64_t placement;
    int64_t asynch_type; /**< no effect; older files of Proteo have it */
};

/** A whole configuration. Its arrays are as long as their largest number of sections. */
struct sam_config {
    int64_t stage_count;
    int64_t reconfigurations; /**< groups - 1 */
    int64_t granularity; /**< points of one pi operation, order of the matrices of one product */
    int64_t bytes;       /**< as in the file: bytes to redistribute, and the constant share */
    double constant_percent;
    int64_t constant_bytes; /**< after the checks: from the above, or as given */
    int64_t variable_bytes;
    char phases[SAM_TEXT_MAX]; /**< as in the file: iterations of each but the last phase */
    int64_t phase_ends[SAM_PHASES_MAX]; /**< after the checks: first iteration after each phase */
    int64_t phase_count;                /**< at least 1 */
    int64_t rigid;                      /**< 1: all processes meet before each stage */
    int64_t capture;                    /**< enum sam_capture */
    int64_t t_op_measured;              /**< 1: T_op is measured at the start, whatever the profile
                                           of this machine has */
    int64_t threads_single;             /**< 1: MPI starts with MPI_THREAD_SINGLE */
    char scaling[SAM_TEXT_MAX];         /**< law of the groups without FactorS; "": ideal */
    char folder[SAM_TEXT_MAX]; /**< folder of the files that stages write; "": $TMPDIR, else /tmp */
    int64_t slots;
    char results[SAM_TEXT_MAX];
    char trace[SAM_TEXT_MAX];
    char state[SAM_TEXT_MAX];
    char hostfile[SAM_TEXT_MAX];
    char program[SAM_TEXT_MAX];
    int64_t group_count;
    struct sam_stage stages[SAM_STAGES_MAX];
    struct sam_group groups[SAM_GROUPS_MAX];
    char notes[1024]; /**< notes about keys without effect, one per line */
};

/**
 * Read a configuration from text.
 * @param[in]  file    its name, for messages
 * @param[in]  text    the file's content, zero-terminated
 * @param[out] config  written on success only
 * @return NEREUS_ERR_PARSE or NEREUS_ERR_UNSUPPORTED with "FILE:LINE: ...", NEREUS_ERR_MEMORY
 */
enum nereus_status sam_config_parse(const char *file, const char *text, struct sam_config *config,
                                    struct nereus_error *err);

/** Iterations before a group begins; with group = group_count: of the whole job. */
int64_t sam_config_first_iteration(const struct sam_config *config, int64_t group);

/** The law by which computing scales with the size (nereus/scaling.h) in all groups; NULL: groups
 * have numbers or laws of their own. Points into the configuration. */
const char *sam_config_law(const struct sam_config *config);

/** The group to which an iteration (0 is the first) belongs; the last one for later iterations. */
int64_t sam_config_find_group(const struct sam_config *config, int64_t iteration);

/** The phase of an iteration (0 is the first): the last one continues to the end. */
int64_t sam_config_find_phase(const struct sam_config *config, int64_t iteration);

/** Does a stage of this type compute? */
static inline bool sam_stage_type_computes(int64_t type)
{
    return type == SAM_PI || type == SAM_MATRIX;
}

/** The factor of a group, by its law or its number. processes: a resize may have changed them. */
double sam_config_factor(const struct sam_config *config, int64_t group, int64_t processes);

/** How often a stage runs in this iteration (0 is the first): in the mean 1 / interval_iterations. */
int64_t sam_config_times(const struct sam_stage *stage, int64_t iteration);

/** Number of operations of a compute stage: time_s factor / t_op_s, rounded, at least 1
 * (Martín-Álvarez et al. (2024b), section 4.4). */
int64_t sam_config_operations(const struct sam_stage *stage, double factor, double t_op_s);
