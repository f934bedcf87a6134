/** @file choose.h  The method of a request that names none, or auto. */
#ifndef NEREUS_SRC_CORE_CHOOSE_H
#define NEREUS_SRC_CORE_CHOOSE_H

#include "model_choice.h"
#include "src/job/job.h"

/** Place the processes of a complete request, and choose those that leave.
 * @param machine  the job's, with the nodes that the request adds */
enum nereus_status nereus_job_place_request(const nereus_job *job,
                                            const struct nereus_machine *machine,
                                            const struct resize_request *wanted,
                                            struct nereus_request *request,
                                            struct nereus_error *err);
/** Can the request be placed in the job's present state?
 * @param[out] shrink  the resulting kind of shrink */
enum nereus_status nereus_job_check_placement(const nereus_job *job,
                                              const struct resize_request *wanted, int64_t zombies,
                                              enum nereus_shrink *shrink, struct nereus_error *err);

/** Set the method of a request, or note that the method is to be chosen.
 * @param[in] text  as "merge/coll"; "auto": chosen; NULL: as options.method says */
enum nereus_status nereus_set_requested_method(const nereus_job *job, const char *text,
                                               struct resize_request *wanted,
                                               struct nereus_error *err);

/** Why the job can get no new processes by this method while it runs; NULL: it can. */
const char *nereus_start_refusal_reason(const nereus_job *job, const struct nereus_method *method);

/** Root: choose restart if no process can be started and the job has a folder for checkpoints, else
 * by the model, else by a rule; nothing if a method was named. */
void nereus_choose_method(nereus_job *job, int64_t zombies, struct resize_request *wanted,
                          struct method_choice *choice);

#endif
