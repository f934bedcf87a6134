/* The method of a request that names none, or auto. Private to src/. */
#ifndef NEREUS_SRC_CHOOSE_H
#define NEREUS_SRC_CHOOSE_H

#include "by_model.h"
#include "src/job/job.h"

/* Where the processes of a request that is otherwise whole go, and which leave.
 * @param machine  the job's, with what the request gains */
enum nereus_status nereus_place_wanted(const nereus_job *job, const struct nereus_machine *machine,
                                       const struct resize_request *wanted,
                                       struct nereus_request *request, struct nereus_error *err);
/* May it be placed as things are? @param[out] shrink  its kind, as the state decides */
enum nereus_status nereus_try_to_place(const nereus_job *job, const struct resize_request *wanted,
                                       int64_t zombies, enum nereus_shrink *shrink,
                                       struct nereus_error *err);

/*
 * Set the method of a request, or that one is to be chosen.
 * @param[in] text  as "merge/coll"; "auto": chosen; NULL: as options.method says
 */
enum nereus_status nereus_ask_for_method(const nereus_job *job, const char *text,
                                         struct resize_request *wanted, struct nereus_error *err);

/* Root: by the model, else by a rule; nothing where a method was named. */
void nereus_choose(nereus_job *job, int64_t zombies, struct resize_request *wanted,
                   struct method_choice *choice);

#endif
