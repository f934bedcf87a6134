/**
 * @file prepare_request.h
 * Prepares a request for the decision: checks whether it is possible (check_request.c), chooses its
 * method and the places of its processes (choose.c), derives it from nodes to release (release.c).
 */
#pragma once

#include "src/job/job.h"

/** Can this request be carried out at all (size, slots, method)? Local. */
enum nereus_status nereus_check_request(const nereus_job *job, const struct resize_request *request,
                                        struct nereus_error *err);

/** Can this MPI carry out the method rma? */
enum nereus_status nereus_request_check_windows(const struct nereus_method *method,
                                                struct nereus_error *err);

/** Asynchronous methods need MPI_THREAD_MULTIPLE. */
enum nereus_status nereus_request_check_threads(const nereus_job *job,
                                                const struct nereus_method *method,
                                                struct nereus_error *err);

/** Refuse a size that a grid's fixed numbers of processes do not allow. */
enum nereus_status nereus_request_check_grids(const nereus_job *job, int64_t nt,
                                              struct nereus_error *err);

/** Place the processes of a complete request, and choose those that leave.
 * @param machine  the job's, with the nodes that the request adds */
enum nereus_status nereus_job_place_request(const nereus_job *job,
                                            const struct nereus_machine *machine,
                                            const struct resize_request *resize,
                                            struct nereus_request *request,
                                            struct nereus_error *err);
/** Can the request be placed in the job's present state?
 * @param[out] shrink  the resulting kind of shrink */
enum nereus_status nereus_job_check_placement(const nereus_job *job,
                                              const struct resize_request *resize, int64_t zombies,
                                              enum nereus_shrink *shrink, struct nereus_error *err);

/** Set the method of a request, or note that the method is to be chosen.
 * @param[in] text  as "merge/coll"; "auto": chosen; NULL: as options.method says */
enum nereus_status nereus_set_requested_method(const nereus_job *job, const char *text,
                                               struct resize_request *request,
                                               struct nereus_error *err);

/** Why the job can get no new processes by this method while it runs; NULL: it can. */
const char *nereus_start_refusal_reason(const nereus_job *job, const struct nereus_method *method);

/** Root: choose restart if no process can be started and the job has a folder for checkpoints, else
 * by the model, else by a rule; nothing if a method was named. */
void nereus_choose_method(nereus_job *job, int64_t zombies, struct resize_request *request,
                          struct method_choice *choice);

/** Refuse requests that name nodes if initial processes are on other hosts than in the host
 * file. */
enum nereus_status nereus_check_placed(const nereus_job *job, struct nereus_error *err);

/** Make the request that releases these nodes: the nodes, the processes that stay, the method
 * (NULL: the job's own). Local. */
enum nereus_status nereus_make_release_request(const nereus_job *job, const char *const *nodes,
                                               int64_t count, const char *method,
                                               struct resize_request *request,
                                               struct nereus_error *err);
