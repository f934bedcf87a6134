/**
 * @file runner.h
 * Runs one cell of a calibration's grid under mpiexec and reads its rows.
 */
#pragma once

#include "model/calibrate/grid.h"
#include "nereus/layout.h"
#include "nereus/samples.h"

struct nereus_calibration_runner {
    /** The programs nereus-mpiexec, nereus-calibrate and nereus-calibrate-job */
    char mpiexec[PATH_MAX], tasks[PATH_MAX], job[PATH_MAX];
    char scratch[PATH_MAX];           /**< output file of a task; removed after each run */
    char launch_hosts[PATH_MAX + 16]; /**< host file for the launcher; removed after each run */
    const struct nereus_machine *machine;
    const char *hostfile; /**< NULL: this host alone */
    const char *cluster;
    const char *checkpoints; /**< folder of the checkpoints of restarts; emptied after a run */
    /** use of huge pages by jobs, by the measurements so far (rows.h) */
    bool huge_pages;
    void (*on_tick)(void *user); /**< while a task runs; may be NULL */
    void *user;
};

/**
 * Find the programs.
 * @param scratch_beside  the samples file: the scratch file is in its folder, which other hosts see
 */
enum nereus_status nereus_calibration_runner_init(struct nereus_calibration_runner *runner,
                                                  const char *scratch_beside,
                                                  struct nereus_error *err);

/**
 * Run a cell once, for limit_s at most.
 * @param[out] rows  to be freed by the caller; at least one on NEREUS_OK
 * @param[out] wall_s  also on failure
 * @return NEREUS_ERR_MPI with a part of a message ("ended with status 1: ...") if the task failed,
 * NEREUS_ERR_STATE when the command was interrupted, NEREUS_ERR_IO
 */
enum nereus_status nereus_calibration_run(const struct nereus_calibration_runner *runner,
                                          const struct nereus_calibration_cell *cell,
                                          double limit_s, struct nereus_samples *rows,
                                          double *wall_s, struct nereus_error *err);
