/* The join payload: what new and woken processes are told. Private to src/. */
#ifndef NEREUS_SRC_JOIN_PAYLOAD_H
#define NEREUS_SRC_JOIN_PAYLOAD_H

#include "kit.h"

/* The request record with the registered data, the job's state, settings and machine, and the
 * guard's command line. */
enum nereus_status nereus_payload_pack(const nereus_job *job, const struct nereus_request *record,
                                       const struct start_kit *kit, unsigned char **buffer, int64_t *bytes,
                                       struct nereus_error *err);
enum nereus_status nereus_payload_unpack(nereus_job *job, const unsigned char *buffer, int64_t bytes,
                                         struct nereus_request *record, struct nereus_error *err);
/* Only the guard and its command line. */
enum nereus_status nereus_payload_kit(struct start_kit *kit, struct nereus_error *err);
/* Broadcast it, with the number of the group that it is for. root: as for MPI_Bcast on this
 * communicator. A process that receives it frees *buffer. Collective. */
enum nereus_status nereus_payload_broadcast(MPI_Comm comm, int root, bool sends, unsigned char **buffer,
                                            int64_t *bytes, int64_t *group, struct nereus_error *err);
/* Collective over control: rank 0's settings become everybody's. */
enum nereus_status nereus_settings_share(nereus_job *job, struct nereus_error *err);

#endif
