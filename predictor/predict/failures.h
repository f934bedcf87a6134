/**
 * @file failures.h
 * What failures of the machine cost the job as it is, with checkpoints and without.
 */
#ifndef NEREUS_PREDICTOR_PREDICT_FAILURES_H
#define NEREUS_PREDICTOR_PREDICT_FAILURES_H

#include <stdbool.h>

#include "nereus/price.h"
#include "predictor/scenario/scenario.h"

/** Mean time between failures, as given: one of them; 0: not given. */
struct nereus_mtbf {
    double job_s;  /**< of the job's machine as a whole */
    double node_s; /**< of a node: the job's is that divided by its nodes */
};

struct nereus_failures {
    double mtbf_s;                       /**< of the job; 0: not asked for */
    struct nereus_interval checkpoint_s; /**< to write a checkpoint; 90 % */
    double interval_s;                   /**< best time of work between two */
    double start_s, read_s;              /**< after a failure */
    double left_s;                       /**< work that is left, without failures */
    double done_s;                       /**< that of the iterations before */
    double with_s, without_s;            /**< expected T_ex, with checkpoints and without */
    char note[256];                      /**< why these prices are uncertain; "": they are not */
};

/**
 * @param[in] question  of the present size: its nt is its ns
 * @return NEREUS_ERR_ARGUMENT: no registered data; NEREUS_ERR_NO_BASIS: no price of a start
 */
enum nereus_status nereus_failures_weigh(const struct nereus_profile *profile,
                                         const struct nereus_question *question,
                                         const struct nereus_mtbf *mtbf,
                                         struct nereus_failures *failures,
                                         struct nereus_error *err);

/** Share of the time that is left that checkpoints and failures take. */
double nereus_failures_share(const struct nereus_failures *failures);

/** A paragraph for people. */
void nereus_failures_print(const struct nereus_failures *failures, FILE *stream);

#endif
