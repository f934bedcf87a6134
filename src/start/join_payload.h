/** @file join_payload.h  The join payload, sent to new and woken processes. */
#pragma once

#include "src/job/job.h"
#include "start_spec.h"

/** Pack into spec->payload: the guard's command line, the request record with the registered data,
 * the job's state, settings and machine. */
enum nereus_status nereus_payload_pack(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err);
/** Unpack spec->payload. */
enum nereus_status nereus_payload_unpack(nereus_job *job, struct nereus_request *record,
                                         struct start_spec *spec, struct nereus_error *err);
/** Unpack spec->payload without setting the registry to the record. */
enum nereus_status nereus_payload_read(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err);
/** Unpack only the guard's command line. */
enum nereus_status nereus_payload_read_spec(struct start_spec *spec, struct nereus_error *err);
/** Broadcast the payload, with the number of the group that receives it. root: as for MPI_Bcast on
 * this communicator. A receiver frees spec->payload. Collective. */
enum nereus_status nereus_payload_broadcast(MPI_Comm comm, int root, bool sends,
                                            struct start_spec *spec, int64_t *group,
                                            struct nereus_error *err);
/** Broadcast rank 0's settings. Collective over control. */
enum nereus_status nereus_settings_broadcast(nereus_job *job, struct nereus_error *err);
