/**
 * @file check_request.c
 * Checks of a request that need the job's state. Checks of the method alone are in the model
 * (method_check.c).
 */
#include "model/plan/strategies/strategy.h"
#include "prepare_request.h"
#include "src/job/machine.h"
#include "src/mpi/mpi_library.h"

enum nereus_status nereus_request_check_windows(const struct nereus_method *method,
                                                struct nereus_error *err)
{
    const bool windows = method->has_data && method->data == NEREUS_RMA;
    const char *reason = windows ? nereus_mpi()->no_rma : NULL;
    return reason == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                             "'rma' is not carried out on this MPI: %s; use p2p or coll", reason);
}

enum nereus_status nereus_request_check_threads(const nereus_job *job,
                                                const struct nereus_method *method,
                                                struct nereus_error *err)
{
    if (!job->has_threads && nereus_method_needs_thread(method))
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "asynchronous methods call MPI from two threads at once: initialise MPI with "
            "MPI_THREAD_MULTIPLE, or let nereus_init do it");
    return NEREUS_OK;
}

enum nereus_status nereus_request_check_grids(const nereus_job *job, int64_t nt,
                                              struct nereus_error *err)
{
    for (int64_t i = 0; i < job->registry.space_count; i++) {
        const struct index_space *space = &job->registry.spaces[i];
        if (!nereus_grid_allows(&space->partition.grid, nt))
            return nereus_fail(err, NEREUS_ERR_ILLEGAL,
                               "%lld process%s cannot hold the grid '%s', whose numbers of "
                               "processes are fixed in some dimensions: their product has to "
                               "divide the size",
                               (long long)nt, nereus_plural_es(nt), space->name);
        const struct nereus_grid new_grid = nereus_partition_resized(&space->partition, nt, 0).grid;
        if (nereus_grid_is_thin(&new_grid))
            return nereus_fail(err, NEREUS_ERR_ILLEGAL,
                               "on %lld process%s parts of the grid '%s' would be thinner than "
                               "its halo",
                               (long long)nt, nereus_plural_es(nt), space->name);
    }
    return NEREUS_OK;
}

static enum nereus_status check_library(const struct nereus_method *method,
                                        struct nereus_error *err)
{
    const struct nereus_mpi_operations *library = nereus_mpi();
    if (library->no_launch != NULL && nereus_strategy_of(method)->channel == NEREUS_CHANNEL_LINES)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "'launch' is not carried out on this MPI: %s: %s; use spawn",
                           library->name, library->no_launch);
    return NEREUS_OK;
}

enum nereus_status nereus_check_request(const nereus_job *job, const struct resize_request *request,
                                        struct nereus_error *err)
{
    struct nereus_machine machine;
    NEREUS_TRY(nereus_machine_of_request(job, request, &machine, err));
    const enum nereus_status status =
        nereus_restart_needs_requeue(job, &request->method, request->nt)
            ? NEREUS_OK
            : nereus_machine_check_start(&machine, "the wanted number of processes", request->nt,
                                         err);
    nereus_machine_fini(&machine);
    NEREUS_TRY(status);
    NEREUS_TRY(nereus_method_check(&request->method, err));
    NEREUS_TRY(check_library(&request->method, err));
    NEREUS_TRY(nereus_request_check_grids(job, request->nt, err));
    NEREUS_TRY(nereus_request_check_windows(&request->method, err));
    return nereus_request_check_threads(job, &request->method, err);
}
