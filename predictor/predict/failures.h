/**
 * @file failures.h
 * Computes what failures of the machine cost the present job, with and without checkpoints.
 */
#pragma once

#include "nereus/price.h"
#include "predictor/scenario/scenario.h"

/** Mean time between failures, of which one is given; 0: not given. */
struct nereus_mtbf {
    double job_s;  /**< MTBF of the job's machine as a whole */
    double node_s; /**< MTBF of a node; that of the job is this divided by its nodes */
};

struct nereus_failures {
    double mtbf_s;                       /**< MTBF of the job; 0: not requested */
    struct nereus_interval checkpoint_s; /**< time to write a checkpoint, with its 90 % interval */
    double interval_s;                   /**< best interval between two checkpoints */
    double start_s, read_s;              /**< times of the start and of reading after a failure */
    double left_s;                       /**< remaining work, without failures */
    double done_s;                       /**< work of the iterations before */
    double with_s, without_s;            /**< expected T_ex, with checkpoints and without */
    char note[256];                      /**< why these prices are uncertain; "": they are not */
};

/**
 * @param[in] question  question of the present size, with nt = ns
 * @return NEREUS_ERR_ARGUMENT: no registered data; NEREUS_ERR_NO_BASIS: no price of a start
 */
enum nereus_status nereus_failures_weigh(const struct nereus_profile *profile,
                                         const struct nereus_question *question,
                                         const struct nereus_mtbf *mtbf,
                                         struct nereus_failures *failures,
                                         struct nereus_error *err);

/** @return share of the remaining time that checkpoints and failures take; NAN if the times are */
double nereus_failures_share(const struct nereus_failures *failures);

/** Print a paragraph for people. */
void nereus_failures_print(const struct nereus_failures *failures, FILE *stream);
