/* The life of a zombie. Private to src/. */
#ifndef NEREUS_SRC_ZOMBIE_LIFE_H
#define NEREUS_SRC_ZOMBIE_LIFE_H

#include "src/job/job.h"

/* From falling asleep to being part of the job again (RESIZED) or to its end (LEAVE). Closes the
 * endpoint. */
enum nereus_status nereus_zombie_life(nereus_job *job, struct zombie_endpoint *endpoint,
                                      enum nereus_action *action, struct nereus_error *err);

#endif
