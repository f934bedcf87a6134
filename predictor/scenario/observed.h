/**
 * @file observed.h
 * Reads properties of an application from a job's file: results of `nereus run`, or a trace.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/scaling.h"

struct nereus_observed {
    int64_t size;                        /**< size after the last change */
    struct nereus_scaling_point *points; /**< iteration times, one per size; owned */
    int64_t count;
    int64_t constant_bytes, variable_bytes, replicated_bytes; /**< -1: not in the file */
    char file[128];                                           /**< name of the file, for messages */
};

/** Read results: T is the median of the iterations of a size, without those that overlap a change.
 * @param[out] observed  on NEREUS_OK; to be freed with nereus_observed_fini
 * @return NEREUS_ERR_PARSE with file, line and key; NEREUS_ERR_IO, NEREUS_ERR_MEMORY */
enum nereus_status nereus_observed_read_results(const char *path, struct nereus_observed *observed,
                                                struct nereus_error *err);
/** As nereus_observed_read_results, for a trace: T is the runtime's measurement at the end of a
 * size; of several for one size, the last. */
enum nereus_status nereus_observed_read_trace(const char *path, struct nereus_observed *observed,
                                              struct nereus_error *err);
void nereus_observed_fini(struct nereus_observed *observed);

/** Find the iteration time of a size.
 * @return NEREUS_ERR_NO_BASIS, with the known sizes */
enum nereus_status nereus_observed_t_iter(const struct nereus_observed *observed, int64_t size,
                                          double *t_iter_s, struct nereus_error *err);

/** Set how iterations scale: through the sizes that the job has had; with one size, by the law that
 * is set already.
 * @param[in,out] scaling to be freed with nereus_scaling_fini */
enum nereus_status nereus_observed_set_scaling(const struct nereus_observed *observed,
                                               struct nereus_scaling *scaling,
                                               struct nereus_error *err);
